// What a result says, as text for people and as JSON for programs. The text is at most report_width wide; its numbers
// have four digits, those of the JSON all 17. Next to each mean stands which samples entered and which did not.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "host/model/run.hpp"
#include "host/statistics/arm.hpp"
#include "host/statistics/evaluation.hpp"
#include "host/statistics/statistics.hpp"
#include "printer.hpp"

namespace scree {

/// One line of a sensitivity table: the run repeated with another value of a key.
struct Variant {
  std::string value;
  Arm arm;
};

/// Why a mean over all groups is not shown: no sample of a group enters the column, or a group's share of the samples
/// that enter is more than 5 points off its share of the observations (without observations: of all samples), so that
/// the mean would be of another mixture. Empty if the mean can be shown.
std::string why_no_total(const Run& run, const Statistics& statistics, const Column& column, std::size_t number);

/// Whether samples that went further than their place of rest could tell are left out of a column.
bool is_censored(Counted counted, const StatusCounts& status);
inline constexpr const char* censored_note =
    "A mean over the stopped samples alone understates run-out where samples left the terrain or were still moving.";

/// "1000 samples: 998 stopped, 2 end_time".
std::string status_line(std::uint64_t samples, const StatusCounts& status);

/// System, config, and how the samples of each arm ended.
void print_header(const Printer& printer, const Run& run, std::span<const Arm> arms);
void print_run(std::ostream& out, const Run& run, const Arm& arm, bool colour = false);
void print_compare(std::ostream& out, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation,
                   bool colour = false);
/// The headline columns for each value of run.sensitivity.key.
void print_sensitivity(std::ostream& out, const Run& run, const std::vector<Variant>& variants, bool colour = false);

/// The objects that `run --json` and `compare --json` print. NaN becomes null.
nlohmann::ordered_json run_json(const Arm& arm);
nlohmann::ordered_json compare_json(const Run& run, std::span<const Arm> arms, const Evaluation& evaluation);

}  // namespace scree
