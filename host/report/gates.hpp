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

/// "gates": {name: {"n", "crossed", "probability", "ci95", "interval", "statistics", "percentiles", "exceedance"}}, and
/// with a frequency of releases "per_year", "return_period" and "periods".
Json gates_json(const Arm& arm);
/// Names are not shortened.
inline constexpr std::size_t any_width = ~std::size_t{0} / 2;
/// A row for each gate, those of several arms with the arm's name; energies at these levels, names within `width`.
TextTable gates_table(std::span<const Arm> arms, const std::vector<double>& levels = {0.95},
                      std::size_t width = any_width);
/// The same on a screen, the arms under each gate, with the fences that were asked for.
struct GatesShown {
  std::vector<std::string> lines;
  std::size_t least;  // so many must be there
};
GatesShown gates_shown(std::span<const Arm> arms);
inline constexpr const char* heights_note = "Heights are those of the centre of mass above the ground.";
/// Whether the releases in a year are known.
bool have_frequencies(std::span<const Arm> arms);
/// "Of 0.2 releases a year", and for each gate and barrier crossings or first arrivals in one, the time between them
/// and the energies that are exceeded at most once in a period; (?) is one that hangs on a few samples.
std::string frequencies_title(std::span<const Arm> arms);
TextTable frequencies_table(std::span<const Arm> arms, std::size_t width = any_width);
inline constexpr const char* frequencies_note =
    "Energies are those exceeded at most once in so many years; (?) is one that hangs on fewer than ten samples.";
/// The table and the note; nothing without such frequencies.
void print_frequencies(const Printer& printer, std::span<const Arm> arms);
/// What intervals of gates are.
std::string percentiles_note(std::span<const Arm> arms);
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
/// Of each barrier what became of the samples, a row each, with energy and height of those that arrived; names within
/// `width`.
TextTable barriers_table(std::span<const Arm> arms, std::size_t width = any_width);
bool have_barriers(std::span<const Arm> arms);
/// The table of a short report, and what it does not say of itself.
std::vector<std::string> barriers_lines(std::span<const Arm> arms);
/// As print_gates.
void print_barriers(const Printer& printer, std::span<const Arm> arms);
/// That a sample may count in several rows of the table.
inline constexpr const char* barriers_note =
    "A sample that overtops a barrier may be caught later, or where it comes back.";

}  // namespace scree
