// A run in shards: each is a result of its own, of some of the samples, in a folder beside the result that `scree
// merge` makes of them.
//
// Beside what a result has (result_file.hpp), the root of a shard has attributes shard_number, shard_count and
// shard_from (Shard), samples_of_run (of all shards) and run_xxh3; the root, with several arms /arms/<name>, and
// finer/<name> have shard_first, the number of the first of their samples.
//
// What `scree merge --link` writes has no samples of its own: its root has attributes linked_parts (files of its parts,
// relative to its folder), linked_digests (the attribute `digest` of each) and run_xxh3, and where an arm has
// `samples`, linked_rows: of each part the first row and how many are there. Its arrays in samples/ and inputs/, but
// for the samples' numbers, are virtual ones of the same path in the parts: other readers follow them, and find missing
// values where a part is gone. read_result reads the parts itself, each as it was when they were put together.
#pragma once

#include <span>
#include <string>

#include "host/model/run.hpp"
#include "host/statistics/arm.hpp"

namespace scree {

/// "OUT.shards", the folder of the shards of a result.
std::string shards_folder(const std::string& output);
/// "OUT.shards/00017-of-01000.h5", of an extension "OUT.shards/00017-of-01000-from-2000.h5"
std::string shard_path(const std::string& output, const Shard& shard);

/// XXH3-128 of what makes the samples that they are: config, its changes but for the number of samples and the shard,
/// input files, scheme, step and changes of each arm, columns. Results with the same are of the same samples.
std::string run_xxh3(const Run& run, std::span<const Arm> arms);

}  // namespace scree
