#include "path_stores.hpp"

#include <new>

#include "memory.hpp"

namespace scree {

PathStores::PathStores(const Run& run, const Arm& finished, Control& control, bool keeps, double (*available)())
    : keeps_(keeps),
      available_(available),
      control_(control),
      collector_([this](const PassageBatch& batch) { fold(batch); }) {
  if (run.maps.on)
    maps_ = finished.maps ? std::make_shared<MapStore>(*finished.maps)
                          : std::make_shared<MapStore>(run.spec.world.maps, run.maps, run.model->description,
                                                       run.sampling.replicates);
  gates_ = GateStore::going_on(run.lines_of_gates(), finished.gates, run.sampling.replicates);
  barriers_ = GateStore::going_on(run.lines_of_barriers(), finished.barriers, run.sampling.replicates);
  if (!run.forest.empty()) forest_ = finished.forest ? finished.forest->counts : ForestCounts{};
}

void PathStores::kept(const Keep& keep) {
  collector_.finish();
  collector_.while_nothing_is_folded([&] {
    if (!failure_.empty()) return;
    if (maps_) maps_->settle();
    keep(watched_, maps_.get());
    watched_ = {};
  });
}

void PathStores::finish(const Run& run, Arm& arm) {
  collector_.finish();
  if (!failure_.empty() && arm.failure.empty()) arm.failure = failure_;
  if (maps_ && failure_.empty()) {
    maps_->settle();
    arm.map_facts = map_facts(*maps_, run, arm.table, terrain_of_maps(run));
    arm.maps = std::move(maps_);
  }
  if (forest_) arm.forest = forest_facts(run.forest, *forest_, run.sampling.replicates);
  const std::string unit = run.model->description.energy_unit();
  const Releases releases{run.maps.release_frequency, run.maps.periods};
  if (gates_) {
    gates_->settle();
    for (std::size_t g = 0; g < run.gates.size(); ++g)
      arm.gate_facts.push_back(gate_facts(run.gates[g], *gates_, g, releases, unit));
    arm.gates = std::move(gates_);
  }
  if (barriers_) {
    barriers_->settle();
    for (std::size_t b = 0; b < run.barriers.size(); ++b)
      arm.barrier_facts.push_back(barrier_facts(run.barriers[b], *barriers_, b, releases, unit));
    arm.barriers = std::move(barriers_);
  }
}

void PathStores::fold(const PassageBatch& batch) {
  try {
    if (maps_ && failure_.empty()) maps_->fold(batch);
    if (gates_) gates_->fold(batch);
    if (barriers_) barriers_->fold(batch);
    if (forest_) forest_->fold(batch);
    if (keeps_ && failure_.empty()) {
      watched_.samples.insert(watched_.samples.end(), batch.samples.begin(), batch.samples.end());
      watched_.on_lines.insert(watched_.on_lines.end(), batch.on_lines.begin(), batch.on_lines.end());
    }
  } catch (const std::bad_alloc&) {
    // Some of them have this batch and some have not: what they hold is of no use any more.
    leave_out("out of memory for what paths leave on maps, gates and barriers");
    return;
  }
  // A merge holds what it merges twice.
  if (!maps_ || !failure_.empty() || static_cast<double>(maps_->bytes()) < available_()) return;
  fail("maps: " + std::to_string(maps_->touched()) + " cells were passed, with " +
       std::to_string(maps_->bin_counts().keys().size()) + " bins they take " +
       bytes_text(static_cast<double>(maps_->bytes())) +
       ", and no more memory is available: take a larger maps.cell, a smaller maps.bins_per_octave or fewer "
       "maps.percentiles");
}

void PathStores::leave_out(const std::string& why) {
  maps_ = nullptr;
  gates_ = barriers_ = nullptr;
  forest_.reset();
  fail(why);
}

void PathStores::fail(const std::string& why) {
  failure_ = why;
  control_.cancel.store(true, std::memory_order_relaxed);
}

}  // namespace scree
