// The command line: what its flags fill in, for every command.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "host/commands/build.hpp"
#include "host/commands/commands.hpp"
#include "host/commands/export.hpp"
#include "host/commands/merge.hpp"
#include "host/commands/page.hpp"
#include "host/commands/replay.hpp"
#include "host/verify/verify.hpp"

namespace scree {

/// What the flags of all commands fill in; each command reads its own part.
struct Options {
  GrowOptions run;
  CompareOptions compare;
  ReplayOptions replay;
  VerifyOptions verify;
  BenchOptions bench;
  MergeOptions merge;
  ExportOptions exports;
  PageOptions page;
  BuildOptions build;
  std::string system, file, shell;
  std::vector<std::string> columns;
  bool json = false, all = false, devices = false, anyway = false;
};

/// Adds the commands with their options, which fill `options` in.
void add_commands(CLI::App& app, Options& options);

/// One line on what is wrong with the command line.
std::string usage_mistake(const CLI::App& app, const CLI::ParseError& error);

}  // namespace scree
