// What a run will take, told before its first step.
#pragma once

#include <cstdint>
#include <string>

#include "host/common/available_memory.hpp"
#include "host/model/run.hpp"

namespace scree {

/// What a command integrates, summed over its arms and their finer steps.
struct Work {
  double samples = 0, steps = 0;
  std::uint64_t longest = 0;  // steps of one sample
  bool has_targets = false;   // it runs until they are met
  std::size_t compared = 1;   // tables whose columns are compared with one another
  /// Of steps of this length to the end: samples that end earlier take fewer, steps that are shortened or adapt are
  /// more.
  void add(std::uint64_t samples, double step, double end);
};
/// Each scheme of a run once.
Work work_of(const Run& run);

/// Whether the summaries of a run lie in a file beside the result `output` (SummaryTable): where they are more than
/// most_in_memory(), unless there is no result or tables are compared, which takes copies of their columns.
bool lies_in_file(const Run& run, const std::string& output, std::size_t compared = 1);
/// 1 GB, or a quarter of what is available; SCREE_TABLE_MEMORY in the environment says another number of bytes.
double most_in_memory();

/// Bytes of memory that the summaries of all this work take, and its statistics: on so many threads each has a column
/// in hand, but on no more than there is memory for. Grids of the terrain are read already (Run::grids). With what the
/// raster of maps takes before the first sample, and gates if every sample crosses all of them. `output` is the result;
/// empty: none is written.
double memory_needed(const Run& run, const Work& work, int threads, const std::string& output = "");
/// What maps take: "0.5 MB, and for each cell that is reached 120 B and 12 B a bin of its percentiles".
std::string map_memory_text(const Run& run);
/// Bytes on the disk that the samples of all this work take, of the result about: columns are compressed to some three
/// quarters (measured: rocks 0.71, projectiles 0.83).
struct DiskNeeded {
  double result, journal;
  double tables;  // of the summaries, where they lie in a file while the command runs; else 0
};
DiskNeeded disk_needed(const Run& run, const Work& work, const std::string& output);

/// Throws Error(Exit::device) if memory_needed exceeds memory_available() even on one thread, or if there is no room on
/// the disk for summaries that lie in a file.
void require_memory(const Run& run, const Work& work, const std::string& output = "");

}  // namespace scree
