// What the paths of a run leave on its maps, gates and barriers and in its forest, while it runs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "host/common/available_memory.hpp"
#include "host/model/run.hpp"
#include "host/statistics/arm.hpp"
#include "kernels/visits.hpp"

namespace scree {

class PathStores {
 public:
  /// Goes on with what the `finished` samples left, if there are some. `keeps`: what samples left but for their
  /// passages is wanted by `kept`. The run is cancelled where maps take more memory than there is, as `available` says,
  /// in bytes.
  PathStores(const Run& run, const Arm& finished, Control& control, bool keeps,
             double (*available)() = memory_available);

  /// World::visits.
  void* collector() { return &collector_; }

  /// Calls `keep` with what has come since the last time of samples that ended, and with the maps of all of them,
  /// settled; null: there are none. Nothing changes meanwhile.
  using Keep = std::function<void(const PassageBatch& watched, const MapStore* maps)>;
  void kept(const Keep& keep);

  /// After a backend has failed: of some samples that ended it may not have told what they left.
  void leave_out() { leave_out("what paths leave on maps and gates is left out, for some samples are missing there"); }

  /// After the last sample: to the arm, whose table is there, or why there are none.
  void finish(const Run& run, Arm& arm);

 private:
  void fold(const PassageBatch& batch);
  void fail(const std::string& why);
  void leave_out(const std::string& why);

  std::shared_ptr<MapStore> maps_;
  std::shared_ptr<GateStore> gates_, barriers_;
  std::optional<ForestCounts> forest_;
  bool keeps_;
  double (*available_)();
  PassageBatch watched_;  // since the last time, without passages
  Control& control_;
  std::string failure_;
  VisitCollector collector_;
};

}  // namespace scree
