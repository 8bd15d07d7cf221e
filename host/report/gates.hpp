// What a run says of its gates and barriers: on the screen, as JSON.
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
/// A row for each gate, those of several arms with the arm's name; energies at these levels.
TextTable gates_table(std::span<const Arm> arms, const std::vector<double>& levels = {0.95});
/// "block of 1701 kg and radius 0.7583 m, g_dp 1.020, ...": what the arithmetic of a design rests on.
std::string design_factors_text(const GateDesign& factors);
bool have_gates(std::span<const Arm> arms);
/// The table, every column of each gate and what a reader has to know. Nothing without gates.
void print_gates(const Printer& printer, std::span<const Arm> arms);

/// "4 m high, holds 1000 kJ", "4 m high, holds all, margin 0.5 m, base at z = 12 m"
std::string barrier_text(const Barrier& barrier, const std::string& energy_unit);
/// "barriers": {name: {"n", "arrived", "caught", "breached", "overtopped", each with "count", "probability" and "ci95",
/// "height", "capacity", "margin", "base", "statistics", "percentiles", "exceedance"}}
Json barriers_json(const Arm& arm);
/// Of each barrier what became of the samples, a row each, with energy and height of those that arrived.
TextTable barriers_table(std::span<const Arm> arms);
bool have_barriers(std::span<const Arm> arms);
/// The table of a short report, and what it does not say of itself.
std::vector<std::string> barriers_lines(std::span<const Arm> arms);
/// As print_gates.
void print_barriers(const Printer& printer, std::span<const Arm> arms);
/// That a sample may count in several rows of the table.
inline constexpr const char* barriers_note =
    "A sample that overtops a barrier may be caught later, or where it comes back.";

}  // namespace scree
