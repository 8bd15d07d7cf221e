#include "extend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/common/available_threads.hpp"
#include "host/common/error.hpp"
#include "host/common/parallel.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/journal/contents.hpp"
#include "host/results/maps.hpp"
#include "host/results/stored_run.hpp"

namespace scree {
namespace {

std::string text_of(double number) { return number_text(number); }
std::string text_of(std::uint64_t number) { return std::to_string(number); }
std::string text_of(int number) { return std::to_string(number); }

/// Of the finished samples, at most this many, as far apart as they can be: the first, the last and some between.
std::vector<std::uint64_t> some_finished(const SummaryTable& table, std::uint64_t most) {
  const auto is_finished = [&](std::uint64_t row) { return table.is_finished(row); };
  std::uint64_t count = 0;
  for (std::uint64_t row = 0; row < table.samples; ++row) count += is_finished(row);
  const std::uint64_t wanted = std::min(most, count);
  std::vector<std::uint64_t> some;
  const auto rank_of = [&](std::uint64_t k) { return wanted > 1 ? k * (count - 1) / (wanted - 1) : 0; };
  for (std::uint64_t row = 0, rank = 0; some.size() < wanted; ++row)
    if (is_finished(row) && rank++ == rank_of(some.size())) some.push_back(table.number(row));
  return some;
}

/// The attributes of a file must say what its config says.
void require_own_config(const std::string& file, const Run& stored, const Run& run) {
  const auto require = [&](const char* name, auto attribute, auto configured) {
    if (attribute != configured)
      throw Error(Exit::input, file + ": cannot be extended, its attribute " + name + " = " + text_of(attribute) +
                                   " is not what its config has, " + text_of(configured));
  };
  require("seed", stored.spec.seed, run.spec.seed);
  require("replicates", stored.sampling.replicates, run.sampling.replicates);
  require("end", stored.spec.world.end, run.spec.world.end);
}

bool is_of(const GateFacts& stored, const Gate& gate) { return stored.name == gate.name && stored.line == gate.line; }
bool is_of_barrier(const BarrierFacts& stored, const BarrierGate& given) {
  const Barrier &a = stored.barrier, &b = given.barrier;
  const bool same_base = a.base == b.base || (std::isnan(a.base) && std::isnan(b.base));
  return is_of(stored.arrivals, given.gate) && a.height == b.height && a.capacity == b.capacity &&
         a.margin == b.margin && same_base;
}

/// The same table in the order of the columns that this program has, in a file where it lies in one.
SummaryTable described_by(const Description& description, const SummaryTable& stored, const std::string& beside) {
  for (const Column& column : description.columns)
    if (stored.description->column(column.name) < 0)
      throw Error(Exit::input, "a result without the column " + column.name + " cannot be extended by this program");
  SummaryTable table;
  table.description = &description;
  table.samples = stored.samples;
  table.first = stored.first;
  table.status = stored.status;
  table.counted = stored.counted;
  const std::size_t columns = description.columns.size();
  if (stored.values.is_in_file())
    table.values = Numbers<double>::in_file(beside, columns * table.samples);
  else
    table.values.resize(columns * table.samples);
  for (std::size_t c = 0; c < columns; ++c) {
    const int place = stored.description->column(description.columns[c].name);
    std::ranges::copy(stored.column(place), table.values.begin() + c * table.samples);
    stored.values.release(static_cast<std::size_t>(place) * table.samples, table.samples);
    table.values.release(c * table.samples, table.samples);
  }
  return table;
}

}  // namespace

std::string version_of(const StoredResult& stored) {
  return stored.program_version + " (commit " + stored.commit + ")";
}

void require_same_bits(const std::string& file, const Arm& arm, const std::string& version, const Run& run,
                       std::uint64_t most, const Caller& caller) {
  const Description& description = run.model->description;
  const int scheme = description.scheme(arm.scheme);
  const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  const std::vector<std::uint64_t> samples = some_finished(arm.table, most);
  std::vector<std::string> different(samples.size());
  on_threads(available_threads(), samples.size(), [&](std::size_t k) {
    if (caller.asks_for_end()) return;
    const ReplayResult again =
        run.model->replay(ensemble.data(), scheme, samples[k], never, [](std::span<const double>) {});
    different[k] = differences(arm, samples[k], description, again);
  });
  for (std::size_t k = 0; k < samples.size(); ++k)
    if (!different[k].empty())
      throw Error(Exit::failed, file + ": this program gives other numbers than scree " + version + " gave: sample " +
                                    std::to_string(samples[k]) + ": " + different[k]);
}

Arm finished_of(const std::string& file, const std::string& group, const Arm& arm, const Run& run) {
  const auto require_own = [&](bool own, const char* what) {
    if (!own) throw Error(Exit::input, file + ": cannot be extended, its " + what + " of its config");
  };
  require_own(std::ranges::equal(arm.gate_facts, run.gates, is_of), "gates are not those");
  require_own(std::ranges::equal(arm.barrier_facts, run.barriers, is_of_barrier), "barriers are not those");
  const auto is_same = [](const ForestStand& a, const ForestStand& b) { return a.text == b.text; };
  require_own(std::ranges::equal(arm.forest ? arm.forest->stands : std::vector<ForestStand>{}, run.forest, is_same),
              "forest is not that");
  Arm finished;
  finished.name = arm.name;
  finished.scheme = arm.scheme;
  finished.digest = arm.digest;
  finished.wall_s = arm.wall_s;
  finished.sample_steps = arm.sample_steps;
  finished.maps = is_journal(file) ? arm.maps : read_map_store(file, group, run);
  finished.gates = arm.gates;
  finished.barriers = arm.barriers;
  finished.forest = arm.forest;
  finished.table = described_by(run.model->description, arm.table, file);
  return finished;
}

void require_no_fewer(const std::string& file, const std::optional<std::uint64_t>& samples, std::uint64_t there) {
  if (samples && *samples < there)
    throw Error(Exit::usage, file + ": --samples " + std::to_string(*samples) +
                                 ", must be >= " + std::to_string(there) + ", which it has");
}

Extension open_extension(const std::string& file, std::optional<std::uint64_t> samples, bool goes_on_with_looks,
                         const std::optional<Shard>& shard, const CheckRun& before_drawing, const Caller& caller) {
  if (is_journal(file))
    throw Error(Exit::usage, file + ": is the journal of a command, which goes on with --resume, no result");
  const StoredResult stored = read_result(file);
  const std::uint64_t there = stored.run.samples;
  const std::vector<std::uint64_t>& looks = stored.arms[0].until.looks;
  if (goes_on_with_looks && !looks.empty() && samples == looks.front()) samples.reset();
  std::vector<std::string> names;
  for (const Arm& arm : stored.arms) names.push_back(arm.name);
  if (stored.arms.size() > 1)
    throw Error(Exit::usage,
                file + ": is a comparison of " + joined(names) + "; --extend takes the result of a `scree run`");
  require_no_fewer(file, samples, there);
  const Arm& arm = stored.arms.front();
  if (!arm.finer.empty())
    throw Error(Exit::usage, file + ": holds samples at finer steps too, which --extend would leave behind");
  if (stored.run.shard)
    throw Error(Exit::usage, file + ": is a shard; --extend takes what scree merge makes of all of them");
  Extension extension{run_again(file, stored, arm, samples, before_drawing), {}, stored.sensitivity.size(), arm.until};
  warn_of_far_inputs(file, extension.run, caller);
  require_own_config(file, stored.run, extension.run);
  extension.finished = finished_of(file, "/", arm, extension.run);
  require_same_bits(file, arm, version_of(stored), extension.run);
  if (shard) {
    if (unfinished_samples(arm) > 0)
      throw Error(Exit::usage,
                  file + ": has unfinished samples, which no shard runs: finish it first, with --extend alone");
    const Shard beyond{shard->number, shard->of, there};
    extension = {derive(extension.run, overlays_of_shard(extension.run.overlays, beyond), before_drawing), {}, 0, {}};
  }
  return extension;
}

}  // namespace scree
