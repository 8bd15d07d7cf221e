#include "commands.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "check.hpp"
#include "extend.hpp"
#include "host/common/durable.hpp"
#include "host/common/json_text.hpp"
#include "host/common/suggest.hpp"
#include "host/common/terminal.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/report/json.hpp"
#include "host/report/report.hpp"
#include "host/report/targets.hpp"
#include "host/results/output.hpp"
#include "host/results/result_file.hpp"
#include "host/results/shards.hpp"
#include "info.hpp"
#include "keeping.hpp"
#include "sensitivity.hpp"
#include "until.hpp"

namespace scree {
namespace {

/// What the steps to the end of a run, of one length, say of those that its samples take.
struct StepBound {
  const char* name;  // as --json says it
  bool is_least;
  const char* but;
};
StepBound step_bound(const Run& run) {
  if (!run.step_scales.empty()) return {"at least", true, ", for they adapt"};
  if (run.model->description.shortens_steps)
    return {"about", false, ", but for those shortened near rest or at an event"};
  return {"at most", false, ""};
}

/// The result that many summaries lie beside; empty where they lie in memory.
std::string in_files(const RunOptions& options) { return options.command == "run" ? options.output : ""; }

/// What --dry-run tells: all that is known before the first step.
std::vector<std::pair<std::string, std::string>> dry_run_lines(const RunOptions& options, const Run& run,
                                                               const Work& work, const Engine& engine) {
  std::vector<std::pair<std::string, std::string>> lines = told_of(run);
  lines.emplace(lines.begin(), "config", run.config_path);
  const StepBound bound = step_bound(run);
  lines.emplace_back("steps", (bound.is_least ? "at least " : "at most ") + std::to_string(work.longest) +
                                  " per sample, " + short_number(work.steps) + " in all" + bound.but);
  lines.emplace_back("backend", engine.text());
  lines.emplace_back("memory", bytes_text(memory_needed(run, work, engine.host_threads(), in_files(options))) +
                                   " needed, " + bytes_text(memory_available()) + " available");
  if (run.maps.on) lines.emplace_back("of maps", map_memory_text(run));
  if (!options.output.empty()) {
    const DiskNeeded disk = disk_needed(run, work, in_files(options));
    if (disk.tables > 0)
      lines.emplace_back("summaries",
                         bytes_text(disk.tables) + " in a file in " + folder_of(in_files(options)) + " while it runs");
    lines.emplace_back("disk", "about " + bytes_text(disk.result) + " for the result" +
                                   (run.maps.on ? " besides its maps, " : ", ") + bytes_text(disk.journal) +
                                   " for its journal meanwhile, " + bytes_text(disk_available(options.output)) +
                                   " available");
  }
  lines.emplace_back("result", options.output.empty() ? "not written" : options.output);
  return lines;
}

}  // namespace

void print_dry_run(const RunOptions& options, const Run& run, const Work& work, const Engine& engine,
                   const std::vector<std::pair<std::string, std::string>>& more) {
  auto lines = dry_run_lines(options, run, work, engine);
  lines.insert(lines.end(), more.begin(), more.end());
  if (options.json) {
    Json json = json_of(options.command);
    json["run"] = run_json(run, run.model->description);
    json["dry_run"] = {{"steps_of_a_sample", work.longest},
                       {"sample_steps", work.steps},
                       {"steps_are", step_bound(run).name},
                       {"backend", engine.backend},
                       {"device", engine.device},
                       {"threads", engine.threads},
                       {"memory_needed", memory_needed(run, work, engine.host_threads(), in_files(options))},
                       {"memory_available", memory_available()},
                       {"result", options.output}};
    if (run.grids.heights > 0) json["dry_run"]["grids_bytes"] = run.grids.memory;
    if (run.maps.on) json["dry_run"]["maps"] = map_memory_text(run);
    if (!options.output.empty()) {
      const DiskNeeded disk = disk_needed(run, work, in_files(options));
      json["dry_run"]["result_bytes"] = disk.result;
      json["dry_run"]["journal_bytes"] = disk.journal;
      json["dry_run"]["summaries_bytes"] = disk.tables;
      json["dry_run"]["disk_available"] = disk_available(options.output);
    }
    for (const auto& [name, value] : more) json["dry_run"][name] = value;
    std::cout << json_text(json, 2) << '\n';
    return;
  }
  for (const auto& [name, value] : lines) std::cout << name << std::string(10 - name.size(), ' ') << value << '\n';
}

namespace {

/// Whether an arm is finished, or its result is enough to finish it: without the store of its maps it is not.
bool can_go_on(const Arm& arm, const Run& run) {
  return unfinished_samples(arm) == 0 || !run.maps.on || run.maps.keep_store;
}

/// Says what an interruption left undone; whether it did.
bool report_undone(const Run& run, const std::vector<Arm>& arms, const std::vector<Variant>& variants,
                   const RunOptions& options) {
  bool undone = false;
  for (const Arm& arm : arms) {
    const std::uint64_t rest = unfinished_samples(arm);
    if (rest == 0 && arm.until.over()) continue;
    undone = true;
    options.caller.say("interrupted: " + arm.name +
                       (rest == 0 ? " has taken " + std::to_string(arm.until.taken) + " of at most " +
                                        std::to_string(arm.until.looks.size()) + " looks"
                                  : " has finished " + std::to_string(arm.table.samples - rest) + " of " +
                                        std::to_string(arm.table.samples) + " samples"));
  }
  const std::size_t all = options.sensitivity ? all_variants(run) : 0;
  if (variants.size() == all) return undone;
  options.caller.say("interrupted: the table over " + run.sensitivity.key + " has " + std::to_string(variants.size()) +
                     " of " + std::to_string(all) + " runs");
  return true;
}

CheckRun check_of(const RunOptions& options) {
  if (options.dry_run) return nullptr;
  const std::size_t compared = options.command == "run" ? 1 : 2;
  return [output = in_files(options), compared](const Run& run) {
    Work work = work_of(run);
    work.compared = compared;
    require_memory(run, work, output);
  };
}

}  // namespace

std::string strict_failure(const Run& run, const std::vector<Arm>& arms) {
  std::string text;
  for (const Arm& arm : arms)
    if (const std::uint64_t failed = failed_samples(arm); run.strict && failed > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(failed) + " of " + std::to_string(arm.table.samples) +
              " under " + arm.name;
  return text.empty() ? text : run.config_path + ": strict = true, but samples diverged or did not converge: " + text;
}

namespace {

/// Throws it again, with more at the end of its line.
[[noreturn]] void rethrow(const std::exception_ptr& failure, const std::string& more) {
  try {
    std::rethrow_exception(failure);
  } catch (...) {
    const Error error = error_in_hand();
    throw Error(error.code, error.what() + more);
  }
}

/// Tells what is left to say when all is printed, and what the exit code is of. `safe` says where samples are that
/// `failure` kept from the result. `stays`: the result that is there was not replaced.
Exit judge(const RunOptions& options, const Run& run, const Findings& found, const std::vector<Variant>& variants,
           const std::exception_ptr& failure, const std::string& safe, bool stays) {
  if (failure) rethrow(failure, safe);
  for (const Arm& arm : found.arms)
    if (!arm.failure.empty())
      throw Error(Exit::device, arm.name + ": " + arm.failure +
                                    (options.output.empty() ? ""
                                     : stays                ? "; " + options.output + " stays as it was"
                                                            : "; " + options.output + " has the finished samples"));
  if (!options.output.empty() && !options.is_one_of_many) options.caller.note("result: " + options.output);
  for (const std::string& line : found.undone) options.caller.say("interrupted: " + line);
  if (report_undone(run, found.arms, variants, options) || !found.undone.empty()) return Exit::interrupted;
  if (options.is_one_of_many) return Exit::ok;  // whoever puts them together tells of all
  if (const std::string failed = strict_failure(run, found.arms); !failed.empty()) throw Error(Exit::failed, failed);
  if (const std::string unmet = unmet_targets(found.arms[0].until); !unmet.empty()) throw Error(Exit::unmet, unmet);
  return Exit::ok;
}

}  // namespace

Run load_fitting(const RunOptions& options, const Overrides& overrides) {
  return load_given(options, overrides, check_of(options));
}

bool is_to_write(const RunOptions& options, const Run& run) {
  return !options.output.empty() && !(options.dry_run && run.shard);
}

void go_to_shard(RunOptions& options, const Run& run) {
  if (!run.shard) return;
  if (options.output.empty())
    throw Error(Exit::usage, options.command + ": --shard writes a part of a result: give the result as -o");
  if (options.sensitivity && !run.sensitivity.values.empty() && !options.is_one_of_many)
    options.caller.note("the table over " + run.sensitivity.key + " is of no shard, and is left out");
  options.sensitivity = false;
  check_output(options.output, true);  // where it lies, at least
  const std::string folder = shards_folder(options.output);
  options.output = shard_path(options.output, *run.shard);
  std::error_code error;
  if (!options.dry_run) std::filesystem::create_directory(folder, error);
  if (error)
    throw Error(Exit::usage, options.output + ": the folder " + folder + " cannot be made: " + error.message());
}

Exit tell_complete(const RunOptions& options) {
  if (options.is_one_of_many) return Exit::ok;
  options.caller.say(options.output + ": is complete");
  if (options.take) {
    options.take(found_in(options.output, options.command));
  } else if (options.json) {
    print_info_json(std::cout, options.output, {}, options.command);
  }
  return Exit::ok;
}

void warn_of_disk(const RunOptions& options, const Run& run, const Work& work) {
  if (options.output.empty()) return;
  const DiskNeeded disk = disk_needed(run, work, in_files(options));
  const double needed = disk.result + disk.tables + (options.checkpoint > 0 ? disk.journal : 0.0),
               available = disk_available(options.output);
  if (needed > available)
    options.caller.warn(
        options.output + ": takes about " + bytes_text(needed) + (run.maps.on ? " besides its maps" : "") +
        (options.checkpoint > 0 ? " with its journal, " : ", ") + bytes_text(available) + " are available there");
}

Exit carry_out(const RunOptions& options, const Run& run, const Engine& engine, double work, Keeping& keeping,
               const std::function<Findings(Course&)>& integrate) {
  Findings found;
  std::vector<Variant> variants;
  // What failed after the samples were there; their numbers are printed first.
  std::exception_ptr failure;
  std::string safe;  // they are, in spite of it
  bool stays = false;  // the result that is there
  const auto attempt = [&](const auto& action) {
    try {
      action();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  };
  const Form form{options.all, wants_colour(STDOUT_FILENO), options.output};
  Form report = form;
  if (options.sensitivity) report.used = sensitivity_lines(run);
  {
    const Stop::Accepting accepting(*options.caller.stop,
                                    options.output.empty() ? "finishing the report" : "writing the result");
    Course course(work);
    if (options.sensitivity) course.add(static_cast<double>(run.sensitivity.values.size()) * work_of(run).steps);
    found = integrate(course);
    // First, and whatever becomes of stdout: a pager may close it.
    stays = keeping.is_better_than(found.arms, run);
    if (!options.output.empty() && !stays)
      attempt([&] {
        const KeptMeanwhile meanwhile = keeping.meanwhile(found.arms);
        found.write(found.arms, options.output);
      });
    if (failure) safe = keeping.safe(found.arms);
    if (!options.json && !options.is_one_of_many && !options.take) found.print(found.arms, std::cout, report);
    std::cout.flush();
    if (options.sensitivity && !options.caller.asks_for_end())
      attempt([&] {
        variants = run_sensitivity(run, engine, options.caller, course, keeping);
        if (!options.output.empty() && !failure && !stays) add_sensitivity(options.output, run, variants);
      });
    const bool all = found.undone.empty() && (!options.sensitivity || variants.size() == all_variants(run)) &&
                     std::ranges::all_of(found.arms, [&](const Arm& arm) { return can_go_on(arm, run); });
    const auto failed = [](const Arm& arm) { return !arm.failure.empty(); };
    if (!failure && std::ranges::none_of(found.arms, failed)) keeping.done(all, found.arms);
  }
  std::string object;
  if (options.json || options.take) {
    Json json = found.json(found.arms);
    if (!variants.empty()) json["sensitivity"] = sensitivity_json(run, variants);
    object = json_text(json, 2);
    if (!options.take) std::cout << object << '\n';
  } else {
    print_sensitivity_table(std::cout, run, variants, form);
  }
  if (!options.take) return judge(options, run, found, variants, failure, safe, stays);
  Exit code = Exit::ok;
  std::exception_ptr mistake;
  try {
    code = judge(options, run, found, variants, failure, safe, stays);
  } catch (...) {
    mistake = std::current_exception();
  }
  options.take({run, std::move(found.arms), std::move(variants), std::move(object), nullptr});
  if (mistake) std::rethrow_exception(mistake);
  return code;
}

namespace {

/// The Run of a config, or of a result with the samples that it has.
Extension load_or_extend(const GrowOptions& options) {
  if (options.extend.empty() && options.config.empty())
    throw Error(Exit::usage, "run: CONFIG is required; see scree run --help");
  if (options.extend.empty()) return {load_fitting(options, options.overrides), {}};
  if (!options.config.empty())
    throw Error(Exit::usage,
                "run: " + options.extend + " holds its config; give --extend or " + options.config + ", not both");
  if (!options.sets.empty() || options.overrides.seed || !options.overrides.schemes.empty() ||
      !options.overrides.columns.empty() || !options.overrides.maps.empty() || options.overrides.no_maps)
    throw Error(Exit::usage, options.extend +
                                 ": a result is extended as it was made, without --set, --seed, --scheme, "
                                 "--columns, --maps and --no-maps");
  return open_extension(options.extend, options.overrides.samples, options.resume && !options.until.empty(),
                        options.overrides.shard, check_of(options), options.caller);
}

/// The plan of --until; empty without. That of a result that is gone on with, where it is one of these targets and of
/// as many samples at most.
Until plan_of(const GrowOptions& options, Run& run, const Until& before) {
  if (options.until.empty() && options.at_most)
    throw Error(Exit::usage, "run: --at-most limits --until, which is not given");
  if (options.until.empty()) return {};
  if (run.shard)
    throw Error(Exit::usage, std::string("run: --until looks at the samples of all shards: leave out ") +
                                 (options.is_one_of_many ? "--shards" : "--shard"));
  const std::vector<PrecisionTarget> targets = parse_targets(options.until, run.model->description);
  const auto at_most_from = [&](std::uint64_t first) { return options.at_most.value_or(default_at_most(first)); };
  std::uint64_t first = run.samples;
  const std::uint64_t begun = before.looks.empty() ? 0 : before.looks.front();
  if (begun > 0 && begun <= first && first <= at_most_from(begun) &&
      is_same_plan(before, plan_until(targets, begun, at_most_from(begun))))
    first = begun;
  const std::uint64_t at_most = at_most_from(first);
  if (at_most < first)
    throw Error(Exit::usage, "--at-most " + std::to_string(at_most) + ", must be >= " + std::to_string(first) +
                                 ", the samples of the first look");
  try {
    run.loaded = derive(run, overlays_with_samples(run.overlays, at_most), check_of(options)).loaded;
  } catch (const Error& error) {
    throw Error(error.code, "with --at-most " + std::to_string(at_most) + " samples: " + error.what());
  }
  return plan_until(targets, first, at_most);
}

/// What --dry-run adds for a run that grows.
std::vector<std::pair<std::string, std::string>> growth_lines(const GrowOptions& options, const Arm& finished,
                                                              const Until& until) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (!options.extend.empty())
    lines.emplace_back("extends", options.extend + ", which has " +
                                      std::to_string(finished.table.samples - unfinished_samples(finished)) +
                                      " finished samples");
  if (until.looks.empty()) return lines;
  std::vector<std::string> targets;
  for (const Reached& reached : until.targets) targets.push_back(reached.target.text);
  lines.emplace_back("until", joined(targets));
  lines.emplace_back("looks",
                     "at most " + std::to_string(until.looks.size()) + ", at " + looks_text(until) + " samples");
  lines.emplace_back("intervals", "of " + short_number(100 * (1 - until.miss)) + " % each");
  return lines;
}

Intent intent_of(const GrowOptions& options, Run& run, const Until& before) {
  if (run.schemes.size() > 1)
    throw Error(Exit::usage, options.config + ": has the schemes " + joined(run.schemes) +
                                 "; choose one with --scheme, or use `scree compare`");
  return {{{run.schemes[0], run.schemes[0], run.spec.world.step, {}}}, 0, 0, plan_of(options, run, before)};
}

}  // namespace

Run load_run_of(const GrowOptions& options) { return load_or_extend(options).run; }

Intent intent_of_run(const GrowOptions& options, Run& run) { return intent_of(options, run, {}); }

Exit run_command(const GrowOptions& given) {
  Extension start = load_or_extend(given);
  Run& run = start.run;
  RunOptions options = given;
  if (!given.extend.empty()) {
    // A result that is extended takes the place of what it was.
    if (options.output.empty()) options.output = given.extend;
    options.replaces = !run.shard && would_replace(options.output, given.extend);
  }
  // Not where more samples are asked for than it came to.
  const bool goes_on = options.resume && options.replaces && start.finished.table.samples == run.samples;
  const Intent intent = intent_of(given, run, goes_on ? start.until : Until{});
  const Until& until = intent.until;
  if (!given.extend.empty() && !(goes_on && is_same_plan(start.until, until)))
    require_no_fewer(given.extend, given.overrides.samples, start.finished.table.samples);
  go_to_shard(options, run);
  std::vector<std::string> read = files_read(run);
  if (!given.extend.empty()) read.erase(read.begin());  // its config came out of the result
  const Engine engine = choose_engine(run, options.engine, options.caller);
  if (is_to_write(options, run))
    check_output(options.output, options.force || options.resume || options.replaces, read);
  if (!options.is_one_of_many)
    for (const std::string& warning : run.warnings) options.caller.warn(warning);
  {
    Run largest = run;
    if (!until.looks.empty()) largest.samples = until.looks.back();
    Work work = work_of(largest);
    work.has_targets = !until.looks.empty();
    work.samples += static_cast<double>(start.finished.table.samples);  // until they are in the new table
    // The table before the last look is there while the last one is filled.
    if (until.looks.size() >= 2) work.samples += static_cast<double>(until.looks[until.looks.size() - 2]);
    if (options.dry_run) print_dry_run(options, largest, work, engine, growth_lines(given, start.finished, until));
    require_memory(largest, work, in_files(options));
    if (!options.dry_run) warn_of_disk(options, largest, work);
  }
  if (options.dry_run) return Exit::ok;

  const std::string& scheme = run.schemes[0];
  Keeping keeping(options, run, intent, given.extend.empty() || run.shard ? nullptr : &start);
  if (keeping.is_complete()) return tell_complete(options);
  if (!until.looks.empty() || !run.sensitivity.values.empty()) keeping.expect_several();
  Start begun = keeping.start(part_of(scheme, scheme, run, engine), run, std::move(start.finished));
  const std::uint64_t finished = begun.finished.table.samples - unfinished_samples(begun.finished);
  const double work = expected_work(run, run.samples - std::min(run.samples, finished));
  return carry_out(options, run, engine, work, keeping, [&](Course& course) {
    Findings found;
    found.arms.push_back(
        until.looks.empty()
            ? execute(run, scheme, engine, options.caller, "", std::move(begun.finished), &course, begun.journal,
                      keeping.beside())
            : execute_until(run, scheme, engine, options.caller, until, std::move(begun), course, keeping.beside()));
    found.print = [&](const Arms& arms, std::ostream& out, const Form& form) { print_run(out, run, arms[0], form); };
    found.json = [&](const Arms& arms) {
      Json json = json_of("run");
      json["run"] = run_json(run, *arms[0].table.description);
      json.update(arm_json(run, arms[0]));
      return json;
    };
    found.write = [&](const Arms& arms, const std::string& path) {
      write_result(path, run, arms, keeping.may_replace());
    };
    return found;
  });
}

}  // namespace scree
