// A command whose samples are run in shards, by one process one after the other or by several side by side, and merged.
#pragma once

#include <functional>

#include "commands.hpp"
#include "keeping.hpp"
#include "ranks.hpp"

namespace scree {

/// One shard of a command, by one rank of several.
struct ShardOfCommand {
  std::function<Run(const Shard&)> load;  // and no more
  std::function<Intent(Run&)> intent;     // with it
  std::function<Exit(const Shard&)> run;
};

/// Runs options.shards shards, each by the rank that is free for it, then merges them, with what options.extend names
/// of a run that is extended, into the result, which is locked meanwhile and found, refused or replaced as by one
/// process (Keeping). With options.resume shards that are complete are left as they are. Returns and throws as the
/// command; of several ranks each returns the same, and rank 0 alone prints but for errors of a shard.
Exit run_in_shards(const RunOptions& options, const std::string& extended, Ranks& ranks, const ShardOfCommand& command);

/// The options of a shard that one of several ranks runs: with its share of the threads of its machine, or a device of
/// its own.
void become_shard(RunOptions& options, const Shard& shard, Ranks& ranks);

/// The commands, in shards where options.shards asks for that. Throw Error(Exit::usage) where several ranks would each
/// run all samples.
Exit run_command(const GrowOptions& options, Ranks& ranks);
Exit compare_command(const CompareOptions& options, Ranks& ranks);
Exit converge_command(const CompareOptions& options, Ranks& ranks);

}  // namespace scree
