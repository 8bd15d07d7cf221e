// Reports on one screen, in the order in which a reader asks: what was run, how the samples ended, what it says, the
// columns to look at first, and where the rest is.
#pragma once

#include <iosfwd>
#include <span>

#include "host/statistics/evaluation.hpp"
#include "screen.hpp"

namespace scree {

void print_short_run(std::ostream& out, const Run& run, const Arm& arm, const Form& form);
void print_short_compare(std::ostream& out, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation,
                         const Form& form);
/// Each headline column at the config's step: how far from the limit of small steps, and by which order it gets there.
void print_short_converge(std::ostream& out, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation,
                          const Form& form);

}  // namespace scree
