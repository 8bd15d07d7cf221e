// From the visits of samples in flight (src/passage.hpp) to passages, one for each sample and cell, in batches.
//
// A sample's visits stay with it until it ends: only then is it known whether it counts. They are sorted by cell, and
// those of a cell become one passage: their number, the first time and the largest peaks, which do not depend on any
// order. So a visit that goes on after its path went back in time may be two, the second of which is not counted. Which
// thread had the sample, or which batch it is in, can so make no difference to what is made of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "src/passage.hpp"
#include "src/status.hpp"

namespace scree {

/// One sample in one cell: a line of a cache.
struct alignas(64) PassageOfCell {
  std::uint32_t cell, entries;
  double entered;  // first, s since the release
  double peaks[most_map_quantities];
};

/// A sample that has ended, with its passages by rising cell.
struct SampleOfMap {
  std::uint64_t sample;
  std::uint32_t status;
  std::uint32_t release_cell, last_cell;  // no_map_cell: outside
  double way_outside;                     // m
  std::size_t first, count;               // of the batch's passages
  std::uint32_t stems_hit = 0, stems_broken = 0;
};

/// One sample on one line.
struct SampleOnLine {
  std::uint64_t sample;
  std::uint32_t status;
  std::uint32_t crossings;
  LineCrossing first;
  double kinetic_energy_max, height_max;  // over all its crossings
  std::uint32_t passings;                 // bit p: it passed as Passing p at one of them
};

struct PassageBatch {
  std::vector<SampleOfMap> samples;
  std::vector<PassageOfCell> passages;
  std::vector<SampleOnLine> on_lines;
};

/// Takes the visits of one run; its address is World::visits.
class VisitCollector {
 public:
  /// `fold` is called with one batch at a time, of about 2^17 passages, samples and crossings, on the thread that
  /// filled it.
  explicit VisitCollector(std::function<void(const PassageBatch&)> fold);
  ~VisitCollector();
  VisitCollector(const VisitCollector&) = delete;
  VisitCollector& operator=(const VisitCollector&) = delete;

  /// Folds what is left of the samples that have ended.
  void finish();
  /// Calls `f` while no batch is folded.
  void while_nothing_is_folded(const std::function<void()>& f);

  class List;
  List* begin();
  void end(List* list, std::uint64_t sample, std::uint32_t status, const PathEnd& end);

 private:
  void fold(PassageBatch& batch);

  std::function<void(const PassageBatch&)> fold_;
  std::mutex mutex_, folding_;
  std::vector<std::unique_ptr<List>> lists_;
  std::vector<List*> free_;
  PassageBatch batch_;
};

}  // namespace scree
