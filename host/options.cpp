// The options of every command, what they take, and what is said of a command line that is wrong.
#include "options.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "host/commands/completion.hpp"
#include "host/common/error.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"

namespace scree {
namespace {

/// What was typed, where that may be nothing, as of a variable that is not set.
std::string shown(const std::string& typed) { return typed.empty() ? "\"\"" : typed; }

/// What is wrong with text that is no whole number in this range.
std::string no_whole_number(const std::string& typed, std::int64_t low, std::int64_t high) {
  return shown(typed) + ", must be a whole number from " + std::to_string(low) + " to " + std::to_string(high);
}

/// A whole number >= `low` that TOML can hold too. CLI11 alone would wrap -1 around.
std::uint64_t whole_number(const std::string& name, const std::string& typed, std::int64_t low) {
  std::int64_t number = 0;
  const char *first = typed.data(), *last = first + typed.size();
  auto [end, error] = std::from_chars(first, last, number);
  if (double written = 0; end != last && typed.find_first_of("eE.") != std::string::npos) {  // as 1e3
    std::tie(end, error) = [&] {
      const auto result = std::from_chars(first, last, written);
      return std::pair(result.ptr, result.ec);
    }();
    if (!(std::fabs(written) <= 0x1p53 && written == std::trunc(written))) error = std::errc::invalid_argument;
    number = static_cast<std::int64_t>(error == std::errc{} ? written : 0.0);
  }
  if (error != std::errc{} || end != last || number < low)
    throw CLI::ValidationError(name + " " + no_whole_number(typed, low, std::numeric_limits<std::int64_t>::max()));
  return static_cast<std::uint64_t>(number);
}

/// An option that takes such a number.
CLI::Option* add_whole(CLI::App& command, const char* name, std::int64_t low, const char* meaning,
                       const std::function<void(std::uint64_t)>& take) {
  return command.add_option_function<std::string>(
      name, [=](const std::string& typed) { take(whole_number(name, typed, low)); }, meaning);
}

/// CLI11's own check prints the largest number that there is.
const CLI::Validator above_zero(
    [](const std::string& typed) {
      double number = 0;
      const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
      const bool good = error == std::errc{} && end == typed.data() + typed.size() && number > 0;
      return good ? std::string() : typed + ", must be a number > 0";
    },
    "");

/// CLI11's own check has other words in each of its versions.
CLI::Validator whole_within(std::int64_t low, std::int64_t high) {
  return {[=](const std::string& typed) {
            std::int64_t number = 0;
            const char* const last = typed.data() + typed.size();
            const auto [end, error] = std::from_chars(typed.data(), last, number);
            const bool good = error == std::errc{} && end == last && number >= low && number <= high;
            return good ? std::string() : no_whole_number(typed, low, high);
          },
          "INT in [" + std::to_string(low) + " - " + std::to_string(high) + "]"};
}

/// The text of a variable that is not set names nothing, neither all nor none.
const CLI::Validator not_empty(
    [](const std::string& typed) { return typed.empty() ? std::string("\"\", must be a name") : std::string(); }, "");

/// CLI11's own check takes NaN for a number in the range.
const CLI::Validator up_to_a_day(
    [](const std::string& typed) {
      const std::optional<double> seconds = parse_number(typed);
      return seconds && *seconds >= 0 && *seconds <= 86400 ? std::string()
                                                           : shown(typed) + ", must be a number from 0 to 86400 (s)";
    },
    "FLOAT in [0 - 86400]");

/// "1000" or "1e3".
std::uint64_t sample_count(const std::string& typed) {
  double number = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
  if (error != std::errc{} || end != typed.data() + typed.size() || !(number >= 1 && number <= 1e12) ||
      number != std::floor(number))
    throw CLI::ValidationError("--samples " + typed + ", must be a whole number from 1 to 1e12, as 1000 or 1e3");
  return static_cast<std::uint64_t>(number);
}

void add_seed(CLI::App& command, Overrides& overrides) {
  add_whole(command, "--seed", 0, "of the random numbers", [&](std::uint64_t seed) {
    overrides.seed = seed;
  })->type_name("S");
}

void add_samples_and_seed(CLI::App& command, Overrides& overrides) {
  add_whole(command, "--samples", 1, "how many, instead of the config's number", [&](std::uint64_t n) {
    overrides.samples = n;
  })->type_name("N");
  add_seed(command, overrides);
}

void add_maps(CLI::App& command, Overrides& overrides) {
  CLI::Option* const on =
      command
          .add_flag("--maps", overrides.maps,
                    "make maps of the paths, as [maps] of the config says; --maps=M in cells of M metres")
          ->type_name("[=M]");
  command.add_flag("--no-maps", overrides.no_maps, "make none, whatever the config says")->excludes(on);
}

void add_set(CLI::App& command, std::vector<std::string>& sets) {
  command.add_option("--set", sets, "another value for any key of the config, as rock.ground=soft; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

/// What a reader of typed text gives, its mistakes as CLI11's.
template <class Read>
auto understood(const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw CLI::ValidationError(error.what());
  }
}

void add_engine(CLI::App& command, EngineOptions& engine) {
  command
      .add_option(
          "--backend", engine.backend,
          "auto, scalar, pack, cuda or cuda:K (device K of `scree list --devices`), cuda:all; several, with commas "
          "between, share the samples")
      ->capture_default_str()
      ->type_name("NAME");
  command.add_option("--threads", engine.threads, "of the CPU backends; one per core that may be used if not given")
      ->check(whole_within(1, 4096))
      ->type_name("T");
  command
      .add_option_function<std::string>(
          "--isa", [&engine](const std::string& typed) { understood([&] { return isa_of(engine.isa = typed); }); },
          "instructions of the CPU backends, with the same bits: " + joined(isa_choices()) + " (pack only)")
      ->default_str(engine.isa)
      ->type_name("NAME");
}

/// The file that a command writes: `-o ""`, of a variable that is not set, names none.
CLI::Option* add_file(CLI::App& command, const char* name, std::string& file, const char* meaning) {
  return command
      .add_option_function<std::string>(
          name,
          [name, &file](const std::string& typed) {
            const std::string option = std::string(name).substr(0, std::string(name).find(','));
            if (typed.empty()) throw CLI::ValidationError(option + " \"\": the name of the file is empty");
            if (typed == "-") throw CLI::ValidationError(option + " -: must be the name of a file, not stdout");
            file = typed;
          },
          meaning)
      ->type_name("FILE");
}

/// `meaning` says what TerminalReporter still tells, or no more.
void add_quiet(CLI::App& command, const std::string& meaning) { command.add_flag("--quiet", meaning); }

/// What a report shows.
void add_report(CLI::App& command, bool& all, std::vector<std::string>& columns) {
  command.add_flag("--all", all, "every column, test and rule, not only what fits on one screen");
  command
      .add_option("--columns", columns,
                  "of the tables and the verdict on the screen, instead of the system's choice; `scree list SYSTEM` "
                  "names them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
}

const char* const config_meaning = "TOML file; -: what standard input has, with data files in the current folder";

void add_run(CLI::App& command, RunOptions& options) {
  command.add_option("CONFIG", options.config, config_meaning)->required();
  add_samples_and_seed(command, options.overrides);
  add_maps(command, options.overrides);
  add_engine(command, options.engine);
  add_set(command, options.sets);
  add_file(command, "-o,--output", options.output, "write the result to this HDF5 file");
  command
      .add_option(
          "--grace", options.engine.grace,
          "after Ctrl-C the samples in flight may take so long to their end, s, and the result what is left of it, "
          "else it stays in OUTPUT.journal; a second Ctrl-C leaves them at once")
      ->check(up_to_a_day)
      ->capture_default_str()
      ->type_name("S");
  command
      .add_option_function<std::string>(
          "--shard",
          [&options](const std::string& typed) {
            options.overrides.shard = understood([&] { return parse_shard(typed); });
          },
          "run part I of N of the samples, 0/N to N-1/N, into the folder OUTPUT.shards; scree merge puts them together")
      ->type_name("I/N");
  CLI::Option* const shard = command.get_option("--shard");
  add_whole(command, "--shards", 1,
            "run N such parts and put them together, one after the other, or side by side with the ranks of scree-mpi",
            [&](std::uint64_t n) { options.shards = n; })
      ->type_name("N")
      ->excludes(shard);
  command
      .add_flag("--link", options.link,
                "with --shards: write no samples again, the result leads to its parts and needs them")
      ->needs("--shards");
  command.add_flag("--force", options.force, "replace an existing result");
  command.add_flag("--resume", options.resume,
                   "go on with what was finished where this command was interrupted or killed; begin where it was not, "
                   "do nothing where the result is complete");
  command
      .add_option("--checkpoint", options.checkpoint,
                  "with -o, keep finished samples in OUTPUT.journal every so many seconds, with maps that take long to "
                  "write less often; 0: never")
      ->check(up_to_a_day)
      ->capture_default_str()
      ->type_name("S");
  command.add_flag("--dry-run", options.dry_run,
                   "check all, say what would run and how much memory it takes, and stop");
  command.add_flag_callback(
      "--no-sensitivity", [&] { options.sensitivity = false; }, "leave out the table over the values of [sensitivity]");
  add_report(command, options.all, options.overrides.columns);
  command.add_flag("--json", options.json, "one JSON object on stdout");
  add_quiet(command, "no progress");
}

/// `compare` and `converge`: the schemes are arms.
void add_arms(CLI::App& command, CompareOptions& options) {
  add_run(command, options);
  command.add_option("--schemes", options.overrides.schemes, "instead of the config's; the first is the baseline")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
}

/// A flag beside which none but these options mean anything, and why.
void add_alone(CLI::App& command, const std::string& flag, const char* why, const std::vector<std::string>& beside) {
  command.parse_complete_callback([&command, flag, why, beside] {
    if (command.count(flag) == 0) return;
    for (const CLI::Option* option : command.get_options()) {
      bool fits = option->count() == 0 || option->check_name(flag);
      for (const std::string& name : beside) fits = fits || option->check_name(name);
      if (!fits) throw CLI::ValidationError(flag + " " + why + ", so " + option->get_name() + " has no meaning");
    }
  });
}

/// The flag that makes `compare` run nothing, so that it takes no option that is for a run.
void add_published(CLI::App& compare, CompareOptions& options) {
  compare.add_flag("--published", options.published,
                   "run nothing: test the differences between the means in the config's [published]");
  add_alone(compare, "--published", "runs nothing", {"CONFIG", "--set", "--all", "--json", "--quiet"});
}

void add_anyway(CLI::App& command, bool& anyway) {
  command.add_flag("--anyway", anyway, "a result whose samples were changed after it was written too, with a warning");
}

void add_replay(CLI::App& app, ReplayOptions& options) {
  CLI::App& replay = *app.add_subcommand("replay", "the paths of samples, or their events, from a config or a result");
  replay.add_option("FILE", options.file, "config (TOML) or result (HDF5)")->required();
  const auto select = [&options](const char* name, const std::string& typed) {
    if (options.samples) throw CLI::ValidationError("--sample and --samples " + typed + " both choose samples");
    options.samples = understood([&] { return parse_selection(name, typed); });
  };
  replay
      .add_option_function<std::string>(
          "--sample", [=](const std::string& typed) { select("--sample", typed); },
          "its number, from 0: one path; or a range A:B, which ends before B, or several by commas, as 3,7,10:20: "
          "paths "
          "one after the other, with a column sample (.h5: a CF contiguous ragged array)")
      ->type_name("I|A:B");
  replay
      .add_option_function<std::string>(
          "--samples",
          [=, &options](const std::string& typed) {
            if (typed.find_first_of(":,") != std::string::npos)
              select("--samples", typed);
            else
              options.overrides.samples = whole_number("--samples", typed, 1);
          },
          "with a colon or comma the same as --sample; a number: how many samples the ensemble has, instead of the "
          "config's number")
      ->type_name("A:B|N");
  replay.add_option("--scheme", options.scheme, "if there are several")->type_name("NAME");
  replay
      .add_option_function<std::string>(
          "--every",
          [&options](const std::string& typed) {
            options.every = understood([&] { return parse_spacing(typed); });
            options.spaced = true;
          },
          "rows after every K-th step, or, with a point or an s, as 0.1 or 2s, at the first step that ends at or after "
          "each multiple of that time; the start and the end are always there [1]")
      ->type_name("K|S");
  replay.add_flag(
      "--events", options.events,
      "instead of rows: impacts, turns, sticks and slips, as far as the system's columns show them, and how "
      "each sample ended, with the row at that step (.h5: the group events)");
  replay.add_flag("--inputs", options.inputs,
                  "instead of rows: what each sample draws, a line of CSV (.h5: the group inputs, as in a result)");
  add_file(replay, "-o,--output", options.output, "a .csv or .h5 file; CSV on stdout if not given");
  add_seed(replay, options.overrides);
  add_set(replay, options.sets);
  add_anyway(replay, options.anyway);
  replay.add_flag("--force", options.force, "replace an existing file");
  add_quiet(replay, "only errors and warnings on stderr");
}

}  // namespace

void add_commands(CLI::App& app, Options& options) {
  CLI::App* run = app.add_subcommand("run", "integrate an ensemble under one scheme and print its statistics");
  add_run(*run, options.run);
  run->get_option("CONFIG")->required(false);  // or --extend
  run->add_option("--scheme", options.run.overrides.schemes, "instead of the config's")->expected(1)->type_name("NAME");
  run->add_option("--extend", options.run.extend,
                  "instead of CONFIG: finish this result, or give it --samples; replaces it unless -o is given")
      ->check(not_empty)
      ->type_name("RESULT");
  run->add_option(
         "--until", options.run.until,
         "add samples, beginning with the config's number, until \"p95(runout) +- 1 %\" holds with 95 %: mean, "
         "sd, median or pNN of a column, in % or its unit; several by commas or repeated")
      ->type_name("TARGET")
      ->allow_extra_args(false);
  add_whole(*run, "--at-most", 1, "samples with --until; 1000 times the first number if not given",
            [&](std::uint64_t n) { options.run.at_most = n; })
      ->type_name("N");

  CLI::App* compare = app.add_subcommand(
      "compare", "the same samples under several schemes, values, steps or backends: differences and tests");
  add_arms(*compare, options.compare);
  compare
      ->add_option("--arms", options.compare.arms,
                   "values of a key of the config to compare, as rock.ground=soft,medium,hard, start.shape=a,b, "
                   "terrain.file=a.asc,b.asc or barrier.NAME.on=true,false; the first is the baseline; again for "
                   "combinations")
      ->allow_extra_args(false)
      ->type_name("KEY=A,B");
  compare->add_option("--steps", options.compare.steps, "time steps (s) to compare, as 0.002,0.001")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("H,H");
  compare->add_option("--backends", options.compare.backends, "backends to compare, as scalar,pack")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  add_published(*compare, options.compare);
  compare->add_flag("--step-error", options.compare.step_error,
                    "run each arm at half its step too (at most the first 10000 samples): the time-step error");

  CLI::App* converge =
      app.add_subcommand("converge", "each scheme at halves of the step: error against cost, observed order");
  add_arms(*converge, options.compare);
  converge->add_option("--halvings", options.compare.halvings, "how often the step is halved")
      ->check(whole_within(1, 10))
      ->capture_default_str()
      ->type_name("K");

  add_replay(app, options.replay);

  CLI::App* verify = app.add_subcommand("verify", "published claims against this program, one row each");
  verify->add_option("--only", options.verify.only, "one group of claims: " + joined(verify_groups()))
      ->check(not_empty)
      ->type_name("NAME");
  verify->add_flag("--long", options.verify.long_form, "every claim in full, not a row each");
  add_engine(*verify, options.verify.engine);
  verify->add_option("--baseline", options.verify.baseline, "verdicts to judge by, instead of the program's own (CSV)")
      ->check(not_empty)
      ->type_name("FILE");
  verify->add_option("--write-baseline", options.verify.write_baseline, "write the verdicts there, judge none")
      ->check(not_empty)
      ->type_name("FILE");
  verify->add_flag("--force", options.verify.force, "replace an existing file");
  verify->add_flag("--json", options.verify.json, "one JSON object on stdout");
  add_quiet(*verify, "no progress");

  CLI::App* bench = app.add_subcommand("bench", "sample-steps per second on every backend, beside plain loops");
  bench->add_option("--only", options.bench.only, "one case, as --list names it")->check(not_empty)->type_name("NAME");
  bench
      ->add_option_function<std::vector<std::string>>(
          "--samples",
          [&](const std::vector<std::string>& list) {
            for (const std::string& typed : list) options.bench.samples.push_back(sample_count(typed));
          },
          "numbers of samples, as 1e2,1e4,1e6; a small one if not given")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("N,N");
  const auto add_names = [&](const char* name, std::vector<std::string>& names, const char* meaning) {
    bench->add_option(name, names, meaning)
        ->check(not_empty)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("A,B");
  };
  add_names("--schemes", options.bench.schemes, "of the case, instead of all that it has");
  add_names("--backends", options.bench.backends, "rows of these alone, as pack,cuda");
  bench->add_option("--rounds", options.bench.rounds, "the best of so many counts")
      ->check(whole_within(1, 1000))
      ->capture_default_str()
      ->type_name("R");
  bench
      ->add_option("--threads", options.bench.threads,
                   "of the rows on several threads; one per core that may be used if not given")
      ->check(whole_within(1, 4096))
      ->type_name("T");
  bench
      ->add_option("--limit", options.bench.limit,
                   "leave out CPU rows that take longer than this, s; never pack on all threads")
      ->check(above_zero)
      ->capture_default_str()
      ->type_name("S");
  bench
      ->add_option("--budget", options.bench.budget,
                   "leave out what would end later than this after the start, s; of a device not the first count of a "
                   "case, which is run if any time is left, as its rate is not known before")
      ->check(above_zero)
      ->type_name("S");
  add_file(*bench, "--csv", options.bench.csv, "write the results to this file, after each count");
  bench->add_flag("--force", options.bench.force, "replace an existing file");
  bench->add_flag("--list", options.bench.list, "the cases, and nothing else");
  bench->add_flag("--device", options.bench.device,
                  "what limits each CUDA device, FP64 rate (measured) and memory, and nothing else");
  add_alone(*bench, "--device", "runs no case", {"--json"});
  bench->add_flag("--json", options.bench.json, "one JSON object on stdout");
  add_quiet(*bench, "no progress");

  CLI::App* merge =
      app.add_subcommand("merge", "put the results of run --shard I/N together into that of the whole run");
  merge->add_option("PARTS", options.merge.parts, "results, journals of interrupted ones, or folders of them")
      ->required();
  add_file(*merge, "-o,--output", options.merge.output, "write the result to this HDF5 file")->required();
  merge->add_flag("--link", options.merge.link,
                  "write no samples again: the result leads to its parts, in folders beside it, and needs them");
  merge->add_flag("--partial", options.merge.partial, "leave out what is missing, in place of a refusal");
  add_whole(*merge, "--check", 0, "run so many samples of each part again, whose bits must be the same [16]",
            [&](std::uint64_t n) { options.merge.check = n; })
      ->type_name("N");
  merge->add_flag("--force", options.merge.force, "replace an existing result");
  merge->add_flag("--all", options.merge.all, "every column, test and rule, not only what fits on one screen");
  merge->add_flag("--json", options.merge.json, "one JSON object on stdout");
  add_quiet(*merge, "only errors and warnings");

  CLI::App* exports = app.add_subcommand(
      "export", "maps, gates, barriers, resting places and paths of a result as files of GIS programs");
  exports->add_option("RESULT", options.exports.result, "HDF5 file")->required();
  exports
      ->add_option(
          "--to", options.exports.kind,
          "geotiff or asc: a file for each layer of the maps; gpkg, geojson or csv: points and lines; vtp: the "
          "terrain with its layers, and paths, for ParaView")
      ->required()
      ->type_name("KIND");
  add_file(*exports, "-o,--output", options.exports.output, "the folder to write into, of gpkg the file")->required();
  exports->add_option("--layers", options.exports.layers, "these alone, as scree info names them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  exports->add_option("--arm", options.exports.arm, "of a comparison")->type_name("NAME");
  exports
      ->add_option("--names", options.exports.names, "of asc: rockyfor3d, its names and units where it has the layer")
      ->type_name("NAMES");
  add_whole(*exports, "--paths", 1,
            "replay so many samples too, each as at most 300 points, of gpkg, geojson, csv and vtp",
            [&](std::uint64_t n) { options.exports.paths = n; })
      ->type_name("N");
  exports->add_flag("--wgs84", options.exports.wgs84,
                    "of geojson: longitude and latitude, as RFC 7946 wants, in place of metres");
  exports->add_flag("--force", options.exports.force, "replace existing files");
  add_quiet(*exports, "only errors and warnings");

  CLI::App* page = app.add_subcommand("report", "a result as one HTML file: words, map, figures and tables");
  page->add_option("RESULT", options.page.result, "HDF5 file")->required();
  add_file(*page, "-o,--output", options.page.output, "the file to write; beside RESULT as .html if not given");
  add_whole(*page, "--paths", 0, "replay so many samples [200]", [&](std::uint64_t n) {
    options.page.paths = n;
  })->type_name("N");
  page->add_option("--layers", options.page.layers, "these alone of the maps, as scree info names them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  page->add_flag("--force", options.page.force, "replace an existing file");
  add_quiet(*page, "only errors and warnings");

  CLI::App* build = app.add_subcommand("build", "a program with a system of your own, from its header");
  build->add_option("HEADER", options.build.header, "as my_pendulum.hpp, which holds the template MyPendulum")
      ->required()
      ->check(not_empty);
  add_file(*build, "-o,--output", options.build.output, "write the program to this file")->required();
  build->add_flag("--native", options.build.native, "for this machine alone, in half the time");
  build->add_flag("--cuda", options.build.cuda, "with kernels for a GPU too, which takes a CUDA compiler (nvcc)");
  build->add_flag("--force", options.build.force, "replace an existing file");
  add_quiet(*build, "only errors");

  CLI::App* info = app.add_subcommand("info", "what a result holds and how it was made");
  info->add_option("RESULT", options.file, "HDF5 file")->required();
  add_report(*info, options.all, options.columns);
  add_anyway(*info, options.anyway);
  info->add_flag("--json", options.json, "one JSON object on stdout");
  CLI::App* list = app.add_subcommand(
      "list", "the systems, one with its parameters, starts, columns and schemes, or the CUDA devices");
  list->add_option("SYSTEM", options.system, "one of them")->check(not_empty);
  list->add_flag("--devices", options.devices, "the CUDA devices of this machine, or why there is none");
  add_alone(*list, "--devices", "is of no system", {"--json"});
  list->add_flag("--json", options.json, "one JSON object on stdout");
  CLI::App* completion = app.add_subcommand("completion", "a script with which a shell completes commands, on stdout");
  completion->add_option("SHELL", options.shell, joined(completing_shells()))->required();
  CLI::App* init = app.add_subcommand("init", "print a config to begin with");
  init->add_option("SYSTEM", options.system, "as `scree list` names it")->required();
  CLI::App* check = app.add_subcommand("check", "find mistakes in a config without running it");
  check->add_option("CONFIG", options.run.config, config_meaning)->required();
  add_samples_and_seed(*check, options.run.overrides);
  add_set(*check, options.run.sets);
  check->add_flag("--json", options.run.json, "one JSON object on stdout");

  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    for (CLI::Option* option : command->get_options())
      if (option->get_expected_max() == 0 && option->get_name() != "--maps")
        option->disable_flag_override();  // no --quiet=3
}

/// One line on what is wrong with the command line.
std::string usage_mistake(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  const std::string help = "; see scree " + (given.empty() ? std::string() : given[0]->get_name() + " ") + "--help";
  const std::vector<std::string> rest = app.remaining(true);
  if (given.empty() && !rest.empty()) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(command->get_name());
    for (const std::string& word : rest)
      if (word[0] != '-') return "unknown command " + word + suggestion(word, names) + help;
  }
  if (!given.empty() && !rest.empty()) {
    std::vector<std::string> names;
    for (const CLI::Option* option : given[0]->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    const std::string near = nearest(rest[0].substr(0, rest[0].find('=')), names);
    if (!near.empty()) return given[0]->get_name() + ": unknown option " + rest[0] + ", did you mean " + near + "?";
    return given[0]->get_name() + ": did not expect " + rest[0] + help;
  }
  if (given.empty() && !rest.empty()) return "did not expect " + rest[0] + ": a command is required" + help;
  if (given.empty() && dynamic_cast<const CLI::RequiredError*>(&error)) return "a command is required" + help;
  std::string text = error.what();
  text = text.substr(0, text.find('\n'));
  if (const std::size_t at = text.find(" was given a disallowed flag override"); at != std::string::npos)
    text = "--" + text.substr(0, at) + " takes no value";
  return (given.empty() ? "" : given[0]->get_name() + ": ") + text + help;
}

}  // namespace scree
