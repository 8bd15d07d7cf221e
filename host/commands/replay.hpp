// `scree replay`: samples again, with their whole paths or what happened on the way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/common/caller.hpp"
#include "host/common/error.hpp"
#include "host/config/config.hpp"
#include "selection.hpp"

namespace scree {

struct ReplayOptions {
  std::string file;  // a config, or a result, which holds the config it was made from
  std::optional<Selection> samples;
  std::string scheme;   // may be left empty where there is one
  Spacing every;        // of rows; the first and the last state are always there
  bool spaced = false;  // `every` was given
  bool events = false;  // instead of rows
  bool inputs = false;  // instead of either, without a step
  std::string output;   // .csv or .h5; empty: CSV on stdout
  std::vector<std::string> sets;
  Overrides overrides;
  bool anyway = false;  // a result whose samples were changed too
  bool force = false;
  Caller caller;
};

/// Writes the path of one sample, or of many those one after the other, or their events, or what they draw. Of a result
/// it also compares the end of each with what is stored, bit for bit, and says so to the caller. The exit code is
/// Exit::failed if one differs. An end that is asked for comes at once, and no file is written then:
/// Error(Exit::interrupted).
Exit replay_command(const ReplayOptions& options);

}  // namespace scree
