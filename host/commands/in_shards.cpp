#include "in_shards.hpp"

#include <optional>

#include "host/results/output.hpp"
#include "host/results/result_file.hpp"
#include "host/results/shards.hpp"
#include "kernels/cuda_devices.hpp"
#include "merge.hpp"

namespace scree {
namespace {

/// The exit code of an action, whose error is told at once: the other ranks have to hear of it.
template <class Action>
int told(const Caller& caller, const Action& action) {
  try {
    return static_cast<int>(action());
  } catch (...) {
    const Error error = error_in_hand();
    caller.say(error.what());
    return static_cast<int>(error.code);
  }
}

/// Whether a result that is to be extended has all samples already.
bool is_extended(const RunOptions& options, const std::string& extended) {
  if (extended.empty() || !options.resume || !options.overrides.samples) return false;
  const StoredResult there = read_result(extended, false);
  return there.run.samples == *options.overrides.samples && unfinished_samples(there.arms[0]) == 0;
}

/// Finds mistakes before the first shard, which would all make them, and keeps the result of the whole until it can be
/// written. Whether there is nothing to do.
bool prepare(const RunOptions& options, const std::string& extended, const ShardOfCommand& command,
             std::optional<Keeping>& keeping) {
  if (options.link && *options.shards > most_links)
    throw Error(Exit::usage, "--link leads to at most " + std::to_string(most_links) + " shards");
  if (options.link && !extended.empty())
    throw Error(Exit::usage, "--link leads to shards alone, not to " + extended + ", which they extend");
  RunOptions whole = options;
  whole.sensitivity = false;
  whole.replaces = !extended.empty() && would_replace(options.output, extended);
  if (whole.replaces && is_extended(options, extended)) {
    tell_complete(options);
    return true;
  }
  Run run = command.load({0, *options.shards, 0});
  const Intent intent = command.intent(run);
  std::vector<std::string> read = files_read(run);
  if (!extended.empty()) read.erase(read.begin());  // its config came out of the result
  check_output(options.output, options.force || options.resume || whole.replaces, read);
  for (const std::string& warning : run.warnings) options.caller.warn(warning);
  if (!options.dry_run) {
    run.overlays = overlays_without_shard(run.overlays);
    keeping.emplace(whole, run, intent);
    if (keeping->is_complete()) {
      tell_complete(options);
      return true;
    }
  }
  if (options.sensitivity && !run.sensitivity.values.empty())
    options.caller.note("the table over " + run.sensitivity.key + " is of no shard, and is left out");
  return false;
}

/// The parts that a command made, and what they extend.
std::vector<std::string> parts_of(const RunOptions& options, const std::string& extended, std::uint64_t from) {
  std::vector<std::string> parts;
  if (!extended.empty()) parts.push_back(extended);
  for (std::uint64_t i = 0; i < *options.shards; ++i)
    parts.push_back(shard_path(options.output, {i, *options.shards, from}));
  return parts;
}

/// The device of a rank: those of a machine are dealt out. Where the launcher leaves each rank one of its own that is
/// number 0.
std::string device_of_rank(const Ranks& ranks) {
  std::string why;
  const int devices = scree_cuda_devices(&why);
  return devices > 1 ? "cuda:" + std::to_string(ranks.local_number() % devices) : "cuda:0";
}

}  // namespace

void become_shard(RunOptions& options, const Shard& shard, Ranks& ranks) {
  options.overrides.shard = shard;
  options.shards.reset();
  options.is_one_of_many = true;
  options.json = false;
  if (ranks.count() > 1) options.engine.while_waiting = [&ranks] { ranks.listen(); };
  std::string why;
  if (ranks.local_count() > 1 &&
      (options.engine.backend == "cuda" ||
       (options.engine.backend == "auto" && options.engine.isa == "auto" && scree_cuda_devices(&why) > 1)))
    options.engine.backend = device_of_rank(ranks);
  if (options.engine.threads == 0) options.engine.threads = ranks.threads();
}

Exit run_in_shards(const RunOptions& options, const std::string& extended, Ranks& ranks,
                   const ShardOfCommand& command) {
  const std::uint64_t shards = *options.shards;
  int mine = 0;
  bool is_done = false;
  std::optional<Keeping> keeping;  // by rank 0
  if (ranks.number() == 0)
    mine = told(options.caller, [&] {
      is_done = prepare(options, extended, command, keeping);
      return Exit::ok;
    });
  if (ranks.largest(is_done)) return Exit::ok;
  if (const int code = ranks.largest(mine); code > 0) return static_cast<Exit>(code);
  if (options.dry_run) {
    if (ranks.number() == 0) mine = told(options.caller, [&] { return command.run({0, shards, 0}); });
    return static_cast<Exit>(ranks.largest(mine));
  }
  {
    const Stop::Accepting accepting(*options.caller.stop, "ending with the samples in flight");
    while (mine == 0 && !options.caller.asks_for_end()) {
      const std::uint64_t number = ranks.next();
      if (number >= shards) break;
      mine = told(options.caller, [&] { return command.run({number, shards, 0}); });
    }
    if (options.caller.asks_for_end()) mine = static_cast<int>(Exit::interrupted);
  }
  if (const int code = ranks.largest(mine); code > 0) return static_cast<Exit>(code);
  if (ranks.number() == 0) {
    MergeOptions merge;
    merge.command = options.command;
    merge.output = options.output;
    merge.is_locked = true;
    merge.force = keeping->may_replace();
    merge.link = options.link;
    merge.all = options.all;
    merge.json = options.json;
    merge.caller = options.caller;
    mine = told(options.caller, [&] {
      const std::uint64_t from = extended.empty() ? 0 : read_result(extended, false).run.samples;
      merge.parts = parts_of(options, extended, from);
      const Exit code = merge_command(merge);
      keeping->done(true, {});
      return code;
    });
  }
  return static_cast<Exit>(ranks.largest(mine));
}

namespace {

void require_one(const Ranks& ranks, const std::string& command) {
  if (ranks.count() > 1)
    throw Error(Exit::usage, command + ": " + std::to_string(ranks.count()) +
                                 " ranks would each run all samples; --shards N has them share N parts");
}

template <class Options>
Exit command_in_shards(const std::string& name, const Options& given, const std::string& extended, Ranks& ranks,
                       Run (*load)(const Options&), Intent (*intent)(const Options&, Run&),
                       Exit (*command)(const Options&)) {
  if (!given.shards) {
    require_one(ranks, name);
    return command(given);
  }
  Options options = given;
  options.command = name;
  if (options.output.empty()) options.output = extended;
  if (options.output.empty())
    throw Error(Exit::usage, name + ": --shards writes results: give that of the whole as -o");
  const auto of = [&](const Shard& shard) {
    Options one = options;
    become_shard(one, shard, ranks);
    return one;
  };
  return run_in_shards(options, extended, ranks,
                       {[&](const Shard& shard) { return load(of(shard)); },
                        [&](Run& run) {
                          return intent(of({0, *options.shards, 0}), run);
                        },
                        [&](const Shard& shard) { return command(of(shard)); }});
}

}  // namespace

Exit run_command(const GrowOptions& options, Ranks& ranks) {
  return command_in_shards("run", options, options.extend, ranks, &load_run_of, &intent_of_run, &run_command);
}

Exit compare_command(const CompareOptions& options, Ranks& ranks) {
  return command_in_shards("compare", options, "", ranks, &load_schemes_of, &intent_of_comparison, &compare_command);
}

Exit converge_command(const CompareOptions& options, Ranks& ranks) {
  return command_in_shards("converge", options, "", ranks, &load_schemes_of, &intent_of_comparison, &converge_command);
}

}  // namespace scree
