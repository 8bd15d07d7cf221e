#include "visits.hpp"

#include <algorithm>
#include <cmath>

#include "cpu_watch.hpp"

namespace scree {
namespace {

constexpr std::size_t entries_of_a_batch = std::size_t{1} << 17;
/// With those of the sample that fills it. Reserved: to grow would take fresh memory each time, and what is not filled
/// takes none.
constexpr std::size_t room_of_a_batch = 2 * entries_of_a_batch;
/// Visits of one sample after which those of a cell are merged: a mass that circles in a bowl is in the same cells
/// again and again.
constexpr std::size_t visits_before_merging = std::size_t{1} << 12;

}  // namespace

class VisitCollector::List {
  // What a visit touches first, in one line of a cache: between two of a sample others use the caches.
  alignas(64) std::vector<PassageOfCell> visits_;
  std::size_t most_ = visits_before_merging;
  std::vector<LineCrossing> crossings_;

 public:
  VisitCollector* owner;

  explicit List(VisitCollector* of) : owner(of) {}

  void clear() {
    visits_.clear();
    crossings_.clear();
    most_ = visits_before_merging;
  }
  void back(std::uint32_t visits) { visits_.resize(visits_.size() - visits); }
  void add(const LineCrossing& crossing) { crossings_.push_back(crossing); }
  void take_back(std::uint32_t crossings) { crossings_.resize(crossings_.size() - crossings); }
  /// What they come to on each line, by its number.
  void add_lines(std::uint64_t sample, std::uint32_t status, std::vector<SampleOnLine>& to) {
    std::stable_sort(crossings_.begin(), crossings_.end(), [](const LineCrossing& a, const LineCrossing& b) {
      return a.line != b.line ? a.line < b.line : a.time < b.time;
    });
    for (const LineCrossing& crossing : crossings_) {
      const double energy = crossing.energy();
      if (to.empty() || to.back().sample != sample || to.back().first.line != crossing.line)
        to.push_back({sample, status, 0, crossing, energy, crossing.height, 0});
      SampleOnLine& on = to.back();
      on.passings |= 1u << static_cast<std::uint32_t>(crossing.passing);
      ++on.crossings;
      on.kinetic_energy_max = std::max(on.kinetic_energy_max, energy);
      // NaN where there is no ground.
      if (!(on.height_max >= crossing.height))
        on.height_max = std::isnan(crossing.height) ? on.height_max : crossing.height;
    }
  }
  void add(const Visit& visit) {
    // Those of a step stay apart until the next one, for they may be undone.
    if (visit.is_first != 0 && visits_.size() >= most_) {
      const std::vector<PassageOfCell>& passages = merged();
      visits_.assign(passages.begin(), passages.end());
      most_ = std::max(most_, 2 * visits_.size());
    }
    PassageOfCell& passage = visits_.emplace_back();
    passage.cell = visit.cell;
    passage.entries = 1;
    passage.entered = visit.entered;
    std::copy(std::begin(visit.peaks), std::end(visit.peaks), std::begin(passage.peaks));
  }
  /// One passage of the visits of each cell, by rising cell: in room that all lists of this thread share, until
  /// the next is merged.
  const std::vector<PassageOfCell>& merged() {
    static thread_local std::vector<PassageOfCell> merged;
    static thread_local std::vector<std::uint64_t> order;
    order.clear();
    for (const PassageOfCell& visit : visits_) order.push_back(std::uint64_t{visit.cell} << 32 | order.size());
    std::sort(order.begin(), order.end());
    merged.clear();
    for (const std::uint64_t entry : order) {
      const PassageOfCell& visit = visits_[entry & 0xffffffff];
      if (merged.empty() || merged.back().cell != visit.cell) {
        merged.push_back(visit);
        continue;
      }
      PassageOfCell& passage = merged.back();
      passage.entries += visit.entries;
      passage.entered = std::min(passage.entered, visit.entered);
      for (int q = 0; q < most_map_quantities; ++q) passage.peaks[q] = std::max(passage.peaks[q], visit.peaks[q]);
    }
    return merged;
  }
};

VisitCollector::VisitCollector(std::function<void(const PassageBatch&)> fold) : fold_(std::move(fold)) {}
VisitCollector::~VisitCollector() = default;

VisitCollector::List* VisitCollector::begin() {
  List* list = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      list = lists_.emplace_back(std::make_unique<List>(this)).get();
    } else {
      list = free_.back();
      free_.pop_back();
    }
  }
  list->clear();
  return list;
}

void VisitCollector::end(List* list, std::uint64_t sample, std::uint32_t status, const PathEnd& end) {
  if (end.last.cell != no_map_cell) list->add(end.last);
  const std::vector<PassageOfCell>& passages = list->merged();
  PassageBatch full;
  {
    const std::lock_guard lock(mutex_);
    // The sample comes last: where memory ends there is none without its passages.
    const std::size_t first = batch_.passages.size();
    batch_.passages.reserve(room_of_a_batch);
    batch_.passages.insert(batch_.passages.end(), passages.begin(), passages.end());
    list->add_lines(sample, status, batch_.on_lines);
    batch_.samples.push_back({sample, status, end.release_cell, end.last.cell, end.way_outside, first, passages.size(),
                              static_cast<std::uint32_t>(end.stems_hit), static_cast<std::uint32_t>(end.stems_broken)});
    free_.push_back(list);
    if (batch_.passages.size() + batch_.samples.size() + batch_.on_lines.size() >= entries_of_a_batch)
      std::swap(full, batch_);
  }
  if (!full.samples.empty()) fold(full);
}

void VisitCollector::finish() {
  PassageBatch rest;
  {
    const std::lock_guard lock(mutex_);
    std::swap(rest, batch_);
  }
  if (!rest.samples.empty()) fold(rest);
}

void VisitCollector::while_nothing_is_folded(const std::function<void()>& f) {
  const std::lock_guard lock(folding_);
  f();
}

void VisitCollector::fold(PassageBatch& batch) {
  const std::lock_guard lock(folding_);
  fold_(batch);
}

}  // namespace scree

void* scree_visits_begin(void* collector) { return static_cast<scree::VisitCollector*>(collector)->begin(); }
void scree_visit(void* list, const scree::Visit& visit) { static_cast<scree::VisitCollector::List*>(list)->add(visit); }
void scree_visits_back(void* list, std::uint32_t visits) {
  static_cast<scree::VisitCollector::List*>(list)->back(visits);
}
void scree_line_crossed(void* list, const scree::LineCrossing& crossing) {
  static_cast<scree::VisitCollector::List*>(list)->add(crossing);
}
void scree_lines_uncrossed(void* list, std::uint32_t crossings) {
  static_cast<scree::VisitCollector::List*>(list)->take_back(crossings);
}
void scree_visits_end(void* pointer, std::uint64_t sample, std::uint32_t status, const scree::PathEnd& end) {
  auto* list = static_cast<scree::VisitCollector::List*>(pointer);
  list->owner->end(list, sample, status, end);
}
