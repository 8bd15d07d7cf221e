// `scree merge`: the results of the shards of a run become the result that one process would have written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "commands.hpp"
#include "host/common/caller.hpp"
#include "host/common/error.hpp"

namespace scree {

/// Parts that a linked result may lead to, each a line in a list of every array.
inline constexpr std::uint64_t most_links = 4096;

struct MergeOptions {
  std::string command = "merge";   // as --json says
  std::vector<std::string> parts;  // results and journals, and folders of them
  std::string output;
  bool link = false;         // the result leads to the samples of its parts, which stay where they are
  bool partial = false;      // samples that are missing stay `not_run`
  std::uint64_t check = 16;  // samples of each part that are run again
  bool force = false, all = false, json = false;
  bool is_locked = false;  // by the caller, who has checked the output too
  Caller caller;
  std::function<void(Found)> take;      // gets what would be printed otherwise
  std::function<void()> while_waiting;  // called between parts, if given
};

/// Prints the report, or one JSON object, on stdout, and the caller hears everything else. Parts may have been made by
/// any backend, in any number of shards, be interrupted or hold the same samples. Throws Error(Exit::usage) as
/// check_output and where another process writes the result, Error(Exit::input) where a part cannot be read, is of
/// another run than the first, has samples that another part has with other bits, or where samples are missing and that
/// is not asked for, Error(Exit::failed) where this program gives other samples, Error(Exit::device) where there is not
/// enough memory.
Exit merge_command(const MergeOptions& options);

}  // namespace scree
