// The program: options to a command, errors to one line and an exit code.
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "host/commands/check.hpp"
#include "host/commands/completion.hpp"
#include "host/commands/in_shards.hpp"
#include "host/commands/info.hpp"
#include "host/commands/init.hpp"
#include "host/commands/list.hpp"
#include "host/commands/manual.hpp"
#include "host/commands/version.hpp"
#include "host/common/error.hpp"
#include "host/common/suggest.hpp"
#include "host/common/terminal.hpp"
#include "host/common/text_input.hpp"
#include "host/common/version.hpp"
#include "host/common/while_reading.hpp"
#include "host/engine/progress.hpp"
#include "host/model/digest.hpp"
#include "options.hpp"
#include "signals.hpp"

namespace {

using namespace scree;

const char* const footer =
    "Example:\n"
    "  scree init rock > my.toml                        a config with every default\n"
    "  scree run my.toml --scheme implicit -o my.h5     1000 rocks, their statistics, a result\n"
    "  scree replay my.h5 --sample 17 -o path.csv       the path of one of them\n"
    "\n"
    "scree COMMAND --help lists the options of a command. Exit codes: 0 done, 1 failed, 2 usage or config,\n"
    "3 input data, 4 device or memory, 5 a target was not reached, 130 interrupted (what was finished is saved).";

/// Who calls: the terminal, with its signals. Of several ranks the first alone tells how it goes.
Caller the_caller(const CLI::App& command, const Ranks& ranks) {
  static const auto signals = std::make_shared<Signals>();
  const CLI::Option* quiet = command.get_option_no_throw("--quiet");
  return {signals, std::make_shared<TerminalReporter>(ranks.program(),
                                                      ranks.number() > 0 || (quiet != nullptr && quiet->count() > 0))};
}

/// Where the config is "-", takes what standard input has.
void take_standard_input(RunOptions& options) {
  if (options.config != "-") return;
  options.config = "stdin";
  options.config_text = read_standard_input();
}

Exit dispatch(const CLI::App& app, Options& options, Ranks& ranks) {
  const std::string command = app.get_subcommands().front()->get_name();
  const Caller caller = the_caller(*app.get_subcommands().front(), ranks);
  for (Caller* of : {&options.run.caller, &options.compare.caller, &options.replay.caller, &options.verify.caller,
                     &options.bench.caller, &options.merge.caller, &options.exports.caller, &options.page.caller,
                     &options.build.caller})
    *of = caller;
  std::string told;  // one file may be read more than once
  const ReadingWatch watch([] {},
                           [&](const std::string& line) {
                             if (line != std::exchange(told, line)) caller.note(line);
                           });
  if (ranks.count() > 1 && command != "run" && command != "compare" && command != "converge")
    throw Error(Exit::usage, command + ": is of one process, these are " + std::to_string(ranks.count()) +
                                 " ranks; scree does it");
  if (ranks.count() > 1 && (options.run.config == "-" || options.compare.config == "-"))
    throw Error(Exit::usage, command + " -: standard input is of one process, these are " +
                                 std::to_string(ranks.count()) + " ranks; give the config as a file");
  take_standard_input(options.run);
  take_standard_input(options.compare);
  if (command == "export") {
    export_command(options.exports);
    return Exit::ok;
  }
  if (command == "report") {
    page_command(options.page);
    return Exit::ok;
  }
  if (command == "build") {
    build_command(options.build);
    return Exit::ok;
  }
  if (command == "merge") return merge_command(options.merge);
  if (command == "run") return run_command(options.run, ranks);
  if (command == "compare") return compare_command(options.compare, ranks);
  if (command == "converge") return converge_command(options.compare, ranks);
  if (command == "replay") return replay_command(options.replay);
  if (command == "verify") return verify_command(options.verify);
  if (command == "bench") return bench_command(options.bench);
  if (command == "info" && options.json)
    print_info_json(std::cout, options.file, options.columns, "info", options.anyway);
  if (command == "info" && !options.json)
    print_info(std::cout, options.file, {options.all, wants_colour(fileno(stdout))}, options.columns, options.anyway);
  if (command == "list" && options.devices) list_devices(options.json);
  if (command == "list" && !options.devices) list_command(options.system, options.json);
  if (command == "completion")
    std::cout << completion(app, options.shell,
                            {{app.get_subcommand("verify")->get_option("--only"), verify_groups()}});
  if (command == "init") init_command(options.system);
  if (command == "check") check_command(options.run);
  return Exit::ok;
}

/// A line that quotes a file without line ends or lists a thousand names, without its middle.
std::string shortened(const std::string& line) {
  constexpr std::size_t first = 3000, last = 300;
  if (line.size() <= first + last) return line;
  return std::string(front_of(line, first)) + " ... " + std::string(back_of(line, last));
}

/// Of several ranks that made the same mistake one says so.
bool is_to_speak = true;

int fail(Exit code, const std::string& line) {
  std::cout.flush();
  if (is_to_speak) std::cerr << program_name << ": " << shortened(printable(line)) << '\n';
  return static_cast<int>(code);
}

/// The words of a command but for those that may be of one rank alone: how it computes, and what it tells.
std::string words_of_all_ranks(const CLI::App& app) {
  static const std::set<std::string> of_one{"--backend", "--threads", "--isa", "--checkpoint", "--quiet"};
  std::vector<std::string> words;
  for (const CLI::App* command : app.get_subcommands()) {
    words.push_back(command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      if (option->count() == 0 || of_one.contains(option->get_name())) continue;
      words.push_back(option->get_name());
      words.insert(words.end(), option->results().begin(), option->results().end());
    }
  }
  return joined(words, "\n");
}

/// Has each rank hear of the others' mistakes before it waits for them; to be called once by all. The exit code where
/// that ends them, after the first that made one has told it.
std::optional<int> end_of_ranks(Ranks& ranks, const std::string& words, const std::string& mistake) {
  const int first = ranks.count() - ranks.largest(mistake.empty() ? 0 : ranks.count() - ranks.number());
  const int mark = std::stoi(xxh3_hex(words).substr(0, 7), nullptr, 16);
  const int largest = ranks.largest(mark), least = -ranks.largest(-mark);
  if (first < ranks.count()) {
    is_to_speak = ranks.number() == first;
    return fail(Exit::usage, mistake);
  }
  if (largest == least) return std::nullopt;
  return fail(Exit::usage,
              "the ranks were given different commands, which may differ in --backend, --threads, --isa, "
              "--checkpoint and --quiet alone");
}

/// Whether stdout is a pipe that nobody reads any more, as after `scree run ... | head`.
bool reader_left() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

}  // namespace

int main(int argc, char** argv) try {
  // A write then fails and says so, where the signal would end the program with its result.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGUSR1, SIG_IGN);  // where there are no samples to keep
  const std::unique_ptr<Ranks> ranks = ranks_of_this_program(argc, argv);
  is_to_speak = ranks->number() == 0;
  CLI::App app{
      "Ensembles of small mechanical systems: where rocks stop, with error bars and the same bits everywhere."};
  app.name(program_name);
  Options options;
  CLI::Option* as_json = app.add_flag("--json", options.json, "with --version: also what it was made with, as JSON");
  as_json->needs(app.set_version_flag("--version", [&] {
    return options.json ? version_json(program_name) : "scree " SCREE_VERSION " (commit " SCREE_COMMIT ")";
  }));
  app.add_flag_callback(
      "--man", [&] { throw CLI::CallForVersion(manual(app), 0); }, "print the manual page, for man");
  app.require_subcommand(1);
  add_commands(app, options);
  app.footer(footer);  // after the commands, which would inherit it
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool is_mistake = error.get_exit_code() != 0;  // and not --help, --version
    const auto end = end_of_ranks(*ranks, error.get_name(), is_mistake ? usage_mistake(app, error) : "");
    if (end) return *end;
    return is_to_speak ? app.exit(error) : 0;
  }
  if (const auto end = end_of_ranks(*ranks, words_of_all_ranks(app), "")) return *end;
  try {
    const Exit code = dispatch(app, options, *ranks);
    if (!std::cout.flush() && !reader_left()) return fail(Exit::failed, "stdout cannot be written");
    return static_cast<int>(code);
  } catch (...) {  // here, for to end the ranks may take until others hear of it
    const Error error = error_in_hand();
    return fail(error.code, error.what());
  }
} catch (...) {
  const Error error = error_in_hand();
  return fail(error.code, error.what());
}
