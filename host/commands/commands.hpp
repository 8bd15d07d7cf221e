// `scree run`, `scree compare` and `scree converge`: from a config to a report and a result file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "host/common/error.hpp"
#include "host/config/config.hpp"
#include "host/engine/execute.hpp"
#include "host/engine/memory.hpp"
#include "host/report/report.hpp"

namespace scree {

/// What a command has come to.
struct Found {
  Run run;
  std::vector<Arm> arms;
  std::vector<Variant> variants;
  std::string json;                                // as --json prints it
  std::shared_ptr<const Description> description;  // that of the samples, where they were read from a file
};

struct RunOptions {
  std::string command = "run";  // which of the commands it is, as --json says
  std::string config, output;  // no result file if `output` is empty
  std::optional<std::string> config_text;  // what is read in place of the file `config`, which names it
  std::vector<std::string> sets;
  Overrides overrides;
  EngineOptions engine;
  Caller caller;
  bool force = false, dry_run = false, json = false, sensitivity = true;
  bool replaces = false;   // the result takes the place of the one that it goes on from
  bool resume = false;     // goes on with an interrupted command, if there is one
  double checkpoint = 10;  // s, from one time that finished samples are kept to the next; 0: they are not
  bool all = false;  // of the report: every column and test, not one screen
  std::optional<std::uint64_t> shards;  // to run it in
  bool link = false;                    // of shards: the result leads to their samples, which stay where they are
  bool is_one_of_many = false;          // a shard of these: prints nothing
  std::function<void(Found)> take;      // gets what would be printed otherwise
};

/// Of `run`: where it begins and ends, if not with a config and its number of samples.
struct GrowOptions : RunOptions {
  std::string extend;                    // a result to go on from, instead of a config
  std::vector<std::string> until;        // targets, see parse_targets
  std::optional<std::uint64_t> at_most;  // samples, with targets
};

struct CompareOptions : RunOptions {
  // Besides the schemes: every combination is an arm; empty: the config's.
  std::vector<std::string> arms, steps, backends;  // of `arms` each is "key=value,value"
  bool published = false;                    // judge the config's published numbers, run nothing
  bool step_error = false;                   // each arm also at half its step
  int halvings = 3;                          // of `converge`
};

/// All print the report (or one JSON object) on stdout, and the caller hears everything else. They return Exit::ok,
/// or Exit::interrupted where an end was asked for, with what was finished printed and written, and throw
/// Error(Exit::failed) where a `strict` run has failed samples, Error(Exit::unmet) where `run` took the most samples
/// that it may and did not meet its targets, after all has been printed. With `published` compare_command is
/// compare_published (published.hpp).
Exit run_command(const GrowOptions& options);
Exit compare_command(const CompareOptions& options);
/// Each scheme at the config's step, a half, a quarter, ... of it.
Exit converge_command(const CompareOptions& options);

// What the commands have in common.

/// The line of a `strict` run that has failed samples; empty if there are none.
std::string strict_failure(const Run& run, const std::vector<Arm>& arms);
/// The Run of a command, and no more of it. Throw as the commands.
Run load_run_of(const GrowOptions& options);
Run load_schemes_of(const CompareOptions& options);
/// The Run of a config, be it a file or a text.
Run load_given(const RunOptions& options, const Overrides& overrides, const CheckRun& before_drawing = nullptr);
/// The Run; one that does not fit in memory is refused before its samples are drawn, unless all that is known of it is
/// to be told.
Run load_fitting(const RunOptions& options, const Overrides& overrides);
/// Of a shard: its result, in the folder of all, is what is written, without the table over [sensitivity]. Throws
/// Error(Exit::usage) where there is no result, or the folder cannot be made.
void go_to_shard(RunOptions& options, const Run& run);
/// Whether there is a result, and its folder: a dry run makes none.
bool is_to_write(const RunOptions& options, const Run& run);
/// All that is known before the first step, with `more` lines of name and text, on stdout.
void print_dry_run(const RunOptions& options, const Run& run, const Work& work, const Engine& engine,
                   const std::vector<std::pair<std::string, std::string>>& more);

/// Of a command whose result is there with all of its samples: says so, with --json as an object too.
Exit tell_complete(const RunOptions& options);

/// A warning where the disk may be too small for the result.
void warn_of_disk(const RunOptions& options, const Run& run, const Work& work);

class Keeping;  // keeping.hpp
struct Intent;

/// What a command makes of its Run, of a shard too. Throw Error(Exit::usage) where it cannot. With --until the samples
/// of its last look are checked like those of its first, and `run` keeps what they showed.
Intent intent_of_run(const GrowOptions& options, Run& run);
Intent intent_of_comparison(const CompareOptions& options, Run& run);

using Arms = std::vector<Arm>;
/// The arms of a command, and what is made of them.
struct Findings {
  Arms arms;
  std::vector<std::string> undone;  // what an interruption left out besides samples of the arms, a line each
  std::function<void(const Arms&, std::ostream&, const Form&)> print;
  std::function<nlohmann::ordered_json(const Arms&)> json;
  std::function<void(const Arms&, const std::string& path)> write;
};
/// Integrates, prints, writes and repeats over [sensitivity]; returns and throws as the commands. An end that is asked
/// for ends the first and the last of these early; what was finished is printed and written. `work` is expected of
/// `integrate` (Course).
Exit carry_out(const RunOptions& options, const Run& run, const Engine& engine, double work, Keeping& keeping,
               const std::function<Findings(Course&)>& integrate);

}  // namespace scree
