// `scree run --extend`: a stored result goes on where it ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/common/caller.hpp"
#include "host/config/config.hpp"
#include "host/model/run.hpp"
#include "host/results/result_file.hpp"

namespace scree {

/// A Run and the samples of it that are finished.
struct Extension {
  Run run;
  Arm finished;              // described by run.model
  std::size_t variants = 0;  // runs of its table of [sensitivity]
  Until until = {};          // how far it came with its targets
};

/// Reads the result of a `run` that is to have `samples` samples, its own number if that is not given, or if it is that
/// of its first look and the command may go on with its looks: who calls sees whether it does. Samples that this
/// program does not make again would be mixed with others, so before the first step it is checked that
/// - the samples give the stored digest, the input files are those of then, and seed, replicates and end are those of
///   the config (Error(Exit::input)),
/// - sixteen samples, from the first to the last, integrated again have the same bits (Error(Exit::failed), naming the
///   columns of one that has not). A program that differs in rarer samples is not found out; the file carries the
///   version, commit and engine of the program that wrote it last.
/// Of a shard of the new samples only that run, with none of them.
/// Throws Error(Exit::usage) for a comparison, a shard and for fewer samples than there are. `before_drawing` as in
/// load_run.
Extension open_extension(const std::string& file, std::optional<std::uint64_t> samples, bool goes_on_with_looks,
                         const std::optional<Shard>& shard, const CheckRun& before_drawing, const Caller& caller);

/// Throws Error(Exit::usage) where fewer samples are asked for than the result `file` has.
void require_no_fewer(const std::string& file, const std::optional<std::uint64_t>& samples, std::uint64_t there);

/// The samples of an arm of a result, whose group is named, as what `execute` goes on from with `run`. Throws Error
/// where they are not of that run.
Arm finished_of(const std::string& file, const std::string& group, const Arm& arm, const Run& run);

/// That sixteen, or so many, of its finished samples have the same bits again; `version` is that of the program that
/// made them. Not to the end where the caller asks for one.
void require_same_bits(const std::string& file, const Arm& arm, const std::string& version, const Run& run,
                       std::uint64_t most = 16, const Caller& caller = {});
std::string version_of(const StoredResult& stored);

}  // namespace scree
