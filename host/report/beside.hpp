// Published and observed numbers beside those of a run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/common/text_table.hpp"
#include "host/model/run.hpp"
#include "host/statistics/arm.hpp"
#include "printer.hpp"

namespace scree {

/// "2 end_time, 1 diverged" of the statuses for which `listed(status)`.
std::string status_list(const StatusCounts& status, const std::function<bool(std::uint32_t)>& listed);

/// "1000 samples: 998 stopped, 2 end_time".
std::string status_line(std::uint64_t samples, const StatusCounts& status);

/// The observations of one group.
std::vector<double> observed_in(const Observed& observed, const std::string& group);

/// Why a mean over all groups is not shown: no sample of a group enters the column, or a group's share of the samples
/// that enter is more than 5 points off its share of the observations (without observations: of all samples), so that
/// the mean would be of another mixture. Empty if the mean can be shown.
std::string why_no_total(const Run& run, const Statistics& statistics, const Column& column, std::size_t number);

/// Whether samples that went further than their place of rest could tell are left out of a column.
bool is_censored(Counted counted, const StatusCounts& status);
inline constexpr const char* censored_note =
    "A mean over the stopped samples alone understates run-out where samples left the terrain or were still moving.";

/// The columns of [published] beside ours, a row per scheme; empty where there are none.
TextTable published_table(const Run& run, std::span<const Arm> arms);
std::string published_title(const Published& published);

/// The numbers of [observed] by group, with what each arm gives.
struct ObservedBeside {
  std::string title;
  TextTable table;
  std::string left_out;            // which samples have no place in it; empty if all have
  std::vector<std::string> notes;  // why a mean over all groups is not shown
  bool censored;                   // see is_censored
};
std::optional<ObservedBeside> observed_beside(const Run& run, std::span<const Arm> arms);

}  // namespace scree
