// What a run says of its gates: on the screen, as JSON.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/common/text_table.hpp"
#include "host/statistics/arm.hpp"
#include "json.hpp"
#include "printer.hpp"

namespace scree {

/// "gates": {name: {"n", "crossed", "probability", "ci95", "statistics", "percentiles", "exceedance"}}
Json gates_json(const Arm& arm);
/// A row for each gate, those of several arms with the arm's name.
TextTable gates_table(std::span<const Arm> arms);
bool have_gates(std::span<const Arm> arms);
/// The table, every column of each gate and what a reader has to know. Nothing without gates.
void print_gates(const Printer& printer, std::span<const Arm> arms);

}  // namespace scree
