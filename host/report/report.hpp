// What a result says, as text for people and as JSON for programs. The text is at most report_width wide; its numbers
// have the digits that their errors support, or four where no error is known, those of the JSON all 17. Next to each
// mean stands which samples entered and which did not.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "host/model/run.hpp"
#include "host/statistics/arm.hpp"
#include "host/statistics/evaluation.hpp"
#include "host/statistics/statistics.hpp"
#include "printer.hpp"
#include "screen.hpp"

namespace scree {

/// System, config, and how the samples of each arm ended.
void print_header(const Printer& printer, const Run& run, std::span<const Arm> arms);
/// On one screen, or with form.all every column, group and resting place.
void print_run(std::ostream& out, const Run& run, const Arm& arm, const Form& form = {});
/// On one screen, or with form.all every column, test and reason.
void print_compare(std::ostream& out, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation,
                   const Form& form = {});
/// The headline columns for each value of run.sensitivity.key.
void print_sensitivity(std::ostream& out, const Run& run, const std::vector<Variant>& variants, bool colour = false);

}  // namespace scree
