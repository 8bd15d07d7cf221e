// Samples replayed on several threads and handed over in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "host/common/caller.hpp"
#include "host/model/events.hpp"
#include "host/model/run.hpp"
#include "selection.hpp"

namespace scree {

/// What is kept of a sample: rows of time and the track columns that exist, or of events the row at the end of the step
/// in which each happened, more than once where several did.
struct Path {
  std::uint64_t sample = 0;
  ReplayResult result;
  std::size_t columns = 0;
  std::vector<double> values;   // [rows, columns]
  std::vector<Event> events;    // [rows]; empty where rows are kept
  std::vector<int> bodies;      // [rows], of the events; -1: the sample
  std::string text, different;  // for the caller's `finish`
  double bytes = 0;             // that it takes, about

  std::size_t rows() const { return columns > 0 ? values.size() / columns : 0; }
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

/// What to replay, and what to keep.
struct Replay {
  const Run& run;
  int scheme;
  std::vector<std::uint64_t> samples;
  Spacing every;
  bool events;
  Caller caller;
  std::function<void()> while_waiting = {};  // called every 50 ms by the thread that takes the paths
};

/// Time, then the track's columns that exist for so many bodies as the run has.
std::vector<Column> path_columns(const Run& run);
/// The place of a column among those; their number if there is none of that name.
inline std::size_t place_of(const std::vector<Column>& columns, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(columns, name, &Column::name) - columns.begin());
}

/// Calls finish(path) for each sample, on several threads, then take(path), which may move it away, in the order of
/// `samples` on this one. Few paths are in memory at a time. Throws Error(Exit::interrupted) soon after an end is
/// asked for, and Error(Exit::device) where the paths at hand take more memory than there is.
void replay_samples(const Replay& replay, const std::function<void(Path&)>& finish,
                    const std::function<void(Path&)>& take);

/// Throws Error(Exit::interrupted) if an end is asked for; `done` of `all` samples have been replayed.
void stop_if_asked(const Caller& caller, std::size_t done, std::size_t all);

}  // namespace scree
