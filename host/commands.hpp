// `scree run` and `scree compare`: from a config to a report and a result file.
#pragma once

#include <string>
#include <vector>

#include "config.hpp"
#include "error.hpp"
#include "execute.hpp"

namespace scree {

struct RunOptions {
  std::string config, output;  // no result file if `output` is empty
  std::vector<std::string> sets;
  Overrides overrides;
  EngineOptions engine;
  bool force = false, dry_run = false, json = false, quiet = false, sensitivity = true;
};

/// Both print the report (or one JSON object) on stdout and everything else on stderr. They give Exit::interrupted
/// after Ctrl-C, with what was finished printed and written, and Exit::failed where a `strict` run has failed samples.
Exit run_command(const RunOptions& options);
Exit compare_command(const RunOptions& options);

}  // namespace scree
