// `scree run`, `scree compare` and `scree converge`: from a config to a report and a result file.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "config.hpp"
#include "error.hpp"
#include "execute.hpp"
#include "report.hpp"

namespace scree {

struct RunOptions {
  std::string config, output;  // no result file if `output` is empty
  std::vector<std::string> sets;
  Overrides overrides;
  EngineOptions engine;
  bool force = false, dry_run = false, json = false, quiet = false, sensitivity = true;
};

struct CompareOptions : RunOptions {
  std::vector<std::string> steps, backends;  // besides the schemes: every combination is an arm; empty: the config's
  bool published = false;                    // judge the config's published numbers, run nothing
  bool step_error = false;                   // each arm also at half its step
  int halvings = 3;                          // of `converge`
};

/// All print the report (or one JSON object) on stdout and everything else on stderr. They give Exit::interrupted
/// after Ctrl-C, with what was finished printed and written, and Exit::failed where a `strict` run has failed samples.
/// With `published` compare_command is compare_published (published.hpp).
Exit run_command(const RunOptions& options);
Exit compare_command(const CompareOptions& options);
/// Each scheme at the config's step, a half, a quarter, ... of it.
Exit converge_command(const CompareOptions& options);

// What the commands have in common.

/// The Run; one that does not fit in memory is refused before its samples are drawn, unless all that is known of it is
/// to be told.
Run load_fitting(const RunOptions& options, const Overrides& overrides);
/// All that is known before the first step, with `more` lines of name and text, on stdout.
void print_dry_run(const RunOptions& options, const Run& run, const Engine& engine,
                   const std::vector<std::pair<std::string, std::string>>& more = {});

using Arms = std::vector<Arm>;
/// The arms of a command, and what is made of them.
struct Findings {
  Arms arms;
  std::function<void(const Arms&, std::ostream&, bool colour)> print;
  std::function<nlohmann::ordered_json(const Arms&)> json;
  std::function<void(const Arms&, const std::string& path)> write;
};
/// Integrates, prints, writes and repeats over [sensitivity], and gives the exit code. Ctrl-C ends the first and the
/// last of these early; what was finished is printed and written.
Exit carry_out(const RunOptions& options, const Run& run, const Engine& engine,
               const std::function<Findings()>& integrate);

}  // namespace scree
