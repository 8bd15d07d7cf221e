// What the samples of one scheme with one step came to on one backend. A run has one arm, a comparison several.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "forest.hpp"
#include "gates.hpp"
#include "host/model/run.hpp"
#include "map_layers.hpp"
#include "scores.hpp"
#include "statistics.hpp"
#include "targets.hpp"

namespace scree {

/// Samples of an arm that lie in another result.
struct LinkedRows {
  std::string file;  // relative to the folder of the result that leads there
  std::string digest;
  std::uint64_t first, count;
};

/// The result of one scheme with one step on one backend.
struct Arm {
  /// Differs from those of the other arms: the scheme, with step and backend where they tell arms apart.
  std::string name;
  std::string scheme;
  double step = 0;                   // s
  std::vector<std::string> changes;  // of the run's config that make it this arm, as "--steps:step=0.1"
  std::shared_ptr<const Run> run;    // what it was made from, where that draws otherwise than the command's run
  SummaryTable table;
  Statistics statistics;
  std::string digest;
  std::string backend, device;
  int threads = 1;
  double wall_s = 0;
  double longest_wall_s = 0;  // of the parts that a merge put together; 0: it is of none
  std::uint64_t sample_steps = 0;
  Scores scores;           // by what was observed
  std::vector<int> group;  // of each sample, a position in Run.shape_names; empty without groups
  std::vector<Arm> finer;  // the same, or its first samples, at 1/2, 1/4, ... of the step; empty where that was not run
  std::size_t finer_steps = 0;      // at which its command runs it, whether it has come to them or not
  std::uint64_t finer_samples = 0;  // of the whole run, that it runs at these
  Until until;             // of a run with targets
  std::shared_ptr<const MapStore> maps;  // of the finished samples; null without, and where a result file has them
  std::optional<MapFacts> map_facts;
  std::shared_ptr<const GateStore> gates;     // of the finished samples; null without gates
  std::vector<GateFacts> gate_facts;          // of each gate
  std::shared_ptr<const GateStore> barriers;  // the same of barriers
  std::vector<BarrierFacts> barrier_facts;
  std::optional<ForestFacts> forest;
  std::vector<LinkedRows> linked;  // of a result that holds no samples itself, where they are; empty: it holds them
  std::string failure;  // why it was not run to its end, or has no maps, but for an interruption; empty: it was
};

/// One line of a sensitivity table: the run repeated with another value of a key, without its samples.
struct Variant {
  std::string value;
  Arm arm;
};

/// Whether it changes what samples draw, as those of `compare --arms` do.
bool draws_otherwise(const Arm& arm);
/// The keys that `compare --arms` gave them, as "rock.ground, start.scale"; empty of other arms.
std::string keys_of_arms(std::span<const Arm> arms);
/// Their digests, with a blank between.
std::string digests_of(std::span<const Arm> arms);
/// One of these again; empty beyond the last.
std::string digest_at(const std::string& digests, std::size_t place);
/// How many samples ended in a way that a `strict` run does not accept.
std::uint64_t failed_samples(const Arm& arm);

/// s, of the part of a merge that took longest; of another arm its own.
inline double longest_wall(const Arm& arm) { return arm.longest_wall_s > 0 ? arm.longest_wall_s : arm.wall_s; }
/// How many samples of its table were not run to their end.
std::uint64_t unfinished_samples(const Arm& arm);
/// How many samples after the first unfinished one are finished, and left out of the statistics.
std::uint64_t left_out_count(const Arm& arm);
/// That in words, with the reason; empty where there are none.
std::string left_out_samples(const Arm& arm);

}  // namespace scree
