// `scree compare` and `scree converge`: the arms that options and config ask for, and the study of them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "commands.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/report/converge.hpp"
#include "host/report/json.hpp"
#include "host/report/report.hpp"
#include "host/report/verdict.hpp"
#include "host/results/output.hpp"
#include "host/results/result_file.hpp"
#include "keeping.hpp"
#include "published.hpp"

namespace scree {
namespace {

/// An arm before it is run.
struct Plan {
  std::string name, scheme, label;   // the label is what is left of the name without step and backend
  std::vector<std::string> changes;  // of the config, as overlays
  double step;
  Engine engine;
};

/// Runs that differ from one in values of the config, their step or their number of samples, each derived once.
class Runs {
 public:
  using Shared = std::shared_ptr<const Run>;
  explicit Runs(const Run& run) : run_(Shared(), &run) {}
  /// All samples of an arm.
  Shared of(const Plan& plan) { return derived(plan, plan.step, run_->samples_of_run, {}, steps_option); }
  /// Some of them at its step over 2^halvings, to the same time. Where steps adapt, what their length is in proportion
  /// to is divided like the step that bounds it.
  Shared finer(const Plan& plan, int halvings, std::uint64_t samples) {
    constexpr const char* option = "the finer step";
    const Run& from = *of(plan);
    const Description& description = from.model->description;
    std::vector<std::string> more;
    if (from.moved_end) more.push_back(set(option, "end", from.spec.world.end));
    if (!from.step_scales.empty())
      for (const int place : description.step_scales) {
        const Quantity& scale = description.params[static_cast<std::size_t>(place)];
        more.push_back(set(option, description.system + "." + scale.name,
                           std::ldexp(from.spec.params[static_cast<std::size_t>(scale.offset)], -halvings)));
      }
    return derived(plan, std::ldexp(plan.step, -halvings), samples, more, option);
  }

 private:
  static constexpr const char* steps_option = "--steps";
  static std::string set(const std::string& option, const std::string& name, double value) {
    return option + ":" + name + "=" + number_text(value);
  }
  Shared derived(const Plan& plan, double step, std::uint64_t samples, const std::vector<std::string>& more,
                 const std::string& option) {
    std::vector<std::string> changes = plan.changes;
    if (step != run_->spec.world.step) changes.push_back(set(option, "step", step));
    changes.insert(changes.end(), more.begin(), more.end());
    if (samples != run_->samples_of_run) changes.push_back(option + ":samples=" + std::to_string(samples));
    if (changes.empty()) return run_;
    Shared& run = runs_[changes];
    if (!run) {
      std::vector<std::string> overlays = run_->overlays;
      overlays.insert(overlays.end(), changes.begin(), changes.end());
      Run made = derive(*run_, overlays);
      if (option != steps_option) leave_out_maps_and_gates(made);
      run = std::make_shared<const Run>(std::move(made));
    }
    return run;
  }

  Shared run_;
  std::map<std::vector<std::string>, Shared> runs_;
};

/// Steps whose length varies from sample to sample by a law have no finer ones here.
void require_finer_steps(const Run& run) {
  if (run.step_scales.empty()) return;
  const Description& description = run.model->description;
  for (const int place : description.step_scales) {
    const Quantity& scale = description.params[static_cast<std::size_t>(place)];
    for (const Variation& variation : run.spec.variations)
      if (variation.target == scale.offset)
        throw Error(Exit::usage, run.config_path + ": " + description.system + "." + scale.name +
                                     " varies and sets the length of steps, which cannot be halved then; keep it fixed "
                                     "to see time-step errors");
  }
}

std::vector<double> steps_of(const CompareOptions& options, const Run& run) {
  std::vector<double> steps;
  for (const std::string& text : options.steps) {
    const std::optional<double> step = parse_number(text);
    if (!step || !(*step > 0) || !std::isfinite(*step))
      throw Error(Exit::usage, "--steps " + text + ", must be a time > 0 (s)");
    if (std::find(steps.begin(), steps.end(), *step) != steps.end())
      throw Error(Exit::usage, "--steps: the step " + text + " is named twice");
    steps.push_back(*step);
  }
  if (steps.empty()) steps.push_back(run.spec.world.step);
  return steps;
}

std::vector<Engine> engines_of(const CompareOptions& options, const Run& run) {
  if (options.backends.empty()) return {choose_engine(run, options.engine, options.caller)};
  if (options.engine.backend != "auto") throw Error(Exit::usage, "--backend and --backends exclude each other");
  std::vector<Engine> engines;
  for (const std::string& name : options.backends) {
    if (std::count(options.backends.begin(), options.backends.end(), name) > 1)
      throw Error(Exit::usage, "--backends: backend " + name + " is named twice");
    EngineOptions one = options.engine;
    one.backend = name;
    engines.push_back(choose_engine(run, one, options.caller));
  }
  return engines;
}

/// A value of the config, or several, that make an arm.
struct Change {
  std::string name;
  std::vector<std::string> overlays;
};

/// "a,[b,c],'d,e'" at the commas that no bracket and no quote encloses; nothing where these are not balanced.
std::vector<std::string> listed_values(const std::string& text) {
  std::vector<std::string> values{""};
  std::string open;  // brackets, and the quote if one is open
  for (const char c : text) {
    const bool quoted = !open.empty() && (open.back() == '"' || open.back() == '\'');
    if (quoted) {
      if (c == open.back()) open.pop_back();
    } else if (c == '"' || c == '\'' || c == '[' || c == '{') {
      open += c;
    } else if (c == ']' || c == '}') {
      if (open.empty() || open.back() != (c == ']' ? '[' : '{')) return {};
      open.pop_back();
    }
    if (c == ',' && open.empty())
      values.emplace_back();
    else
      values.back() += c;
  }
  if (!open.empty()) return {};
  for (std::string& value : values) value = std::string(trimmed(value));
  return values;
}

/// What an arm is called by a value: of a text without its quotes. A result's groups take no slash.
std::string called(std::string value) {
  std::erase(value, '"');
  std::erase(value, '\'');
  std::ranges::replace(value, '/', ':');
  return value;
}
/// The same of a file, without its folder.
std::string called_shortly(const std::string& value) {
  return called(value.find_first_of("[{") == std::string::npos ? value.substr(value.rfind('/') + 1) : value);
}

std::string key_of(const std::string& typed) { return std::string(trimmed(typed.substr(0, typed.find('=')))); }

/// What arms call a key: its last name, where no other key that arms differ in has the same.
std::string short_key(const std::string& key, const std::vector<std::string>& all) {
  const auto last = [](const std::string& of) { return of.substr(of.rfind('.') + 1); };
  const bool alone = std::ranges::none_of(
      all, [&](const std::string& typed) { return key_of(typed) != key && last(key_of(typed)) == last(key); });
  return called(alone ? last(key) : key);
}

/// The arms of one --arms, "rock.ground=soft,hard", of `all`.
std::vector<Change> changes_of(const std::string& typed, const std::vector<std::string>& all, const Run& run) {
  const auto mistake = [&](const std::string& text) { throw Error(Exit::usage, "--arms " + typed + text); };
  const std::size_t equals = typed.find('=');
  const std::string key = key_of(typed), first = key.substr(0, key.find('.'));
  if (equals == std::string::npos || key.empty()) mistake(", must be key=value,value, as rock.ground=soft,hard");
  for (const auto& [other, option] : {std::pair{"scheme", "--schemes"}, std::pair{"step", "--steps"}})
    if (key == other) mistake(": " + std::string(option) + " compares these");
  std::vector<std::string> known{run.model->description.system, "start", "vary", "terrain"};
  if (run.model->description.grounds.most > 0) known.push_back("ground");
  if (!run.model->description.map_quantities.empty()) known.insert(known.end(), {"maps", "barrier", "forest"});
  if (std::ranges::find(known, first) == known.end())
    mistake(": arms are the same samples, and may differ in " + joined(known, ".*, ") + ".*");
  const std::vector<std::string> values = listed_values(typed.substr(equals + 1));
  if (values.empty()) mistake(": a bracket or a quote has no other end");
  if (values.size() == 1) mistake(": is one value; compare takes several, and --set one");
  std::vector<std::string> names;
  for (const std::string& value : values) names.push_back(called_shortly(value));
  const std::set<std::string> different(names.begin(), names.end());
  std::vector<Change> changes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].empty()) mistake(": a value is missing");
    const std::string name =
        short_key(key, all) + " " + (different.size() < names.size() ? called(values[i]) : names[i]);
    for (const Change& other : changes)
      if (other.name == name) mistake(": " + name + " is named twice");
    changes.push_back({name, {"--arms:" + key + "=" + values[i]}});
  }
  return changes;
}

constexpr std::size_t most_arms = 64;

/// Those of several: every combination.
std::vector<Change> changes_of(const std::vector<std::string>& typed, const Run& run) {
  std::vector<Change> all{{}};
  std::set<std::string> keys;
  for (const std::string& one : typed) {
    if (!keys.insert(key_of(one)).second)
      throw Error(Exit::usage, "--arms " + one + ": another --arms has this key too; give all its values in one");
    std::vector<Change> combined;
    for (const Change& before : all)
      for (const Change& next : changes_of(one, typed, run)) {
        Change both{before.name + (before.name.empty() ? "" : ", ") + next.name, before.overlays};
        both.overlays.insert(both.overlays.end(), next.overlays.begin(), next.overlays.end());
        combined.push_back(both);
      }
    if (combined.size() > most_arms)
      throw Error(Exit::usage, "--arms " + one + ": makes " + std::to_string(combined.size()) +
                                   " arms with those before it, must be at most " + std::to_string(most_arms));
    all = combined;
  }
  return all;
}

/// The random numbers of what varies: by the double that they set, their stream and coordinate.
std::map<int, std::pair<int, int>> streams_of(const Run& run) {
  std::map<int, std::pair<int, int>> streams;
  for (std::size_t v = 0; v < run.spec.variations.size(); ++v) {
    const Variation& vary = run.spec.variations[v];
    streams[vary.target] = {vary.stream < 0 ? static_cast<int>(v) : vary.stream, vary.dimension};
  }
  return streams;
}

/// Draws are numbered by the place of their law among all laws: where an arm has a law more than another, what both
/// vary would differ too.
void require_same_draws(const std::vector<Plan>& plans, Runs& runs) {
  const std::map<int, std::pair<int, int>> first = streams_of(*runs.of(plans[0]));
  for (const Plan& plan : plans) {
    const Run& run = *runs.of(plan);
    for (const auto& [target, stream] : streams_of(run))
      if (const auto other = first.find(target); other != first.end() && other->second != stream)
        for (const Input& input : run.varied)
          if (std::ranges::find(input.places, target) != input.places.end())
            throw Error(Exit::usage, "--arms: " + plan.name + " would draw other numbers for " + input.name + " than " +
                                         plans[0].name +
                                         ", for another number of laws is before it: let the arms vary the same keys");
  }
}

std::vector<Plan> plan(const CompareOptions& options, const Run& run) {
  const std::vector<Change> changes = changes_of(options.arms, run);
  const std::vector<double> steps = steps_of(options, run);
  const std::vector<Engine> engines = engines_of(options, run);
  std::vector<Plan> plans;
  for (const std::string& scheme : run.schemes)
    for (const Change& change : changes) {
      const std::string label = change.name.empty()       ? scheme
                                : run.schemes.size() == 1 ? change.name
                                                          : scheme + " " + change.name;
      for (const double step : steps)
        for (std::size_t e = 0; e < engines.size(); ++e) {
          std::string name = label;
          if (steps.size() > 1) name += " " + number_text(step) + " s";
          if (engines.size() > 1) name += " " + options.backends[e];
          plans.push_back({name, scheme, label, change.overlays, step, engines[e]});
        }
    }
  return plans;
}

Work work_of(const std::vector<Plan>& plans, const Run& run, int halvings, const CompareOptions& options) {
  Work work;
  work.compared = std::max<std::size_t>(2, 1 + static_cast<std::size_t>(halvings));
  for (const Plan& one : plans) {
    work.add(run.samples, one.step, run.spec.world.end);
    for (int k = 1; k <= halvings; ++k)
      work.add(std::min(finer_samples(options.command, run.samples_of_run), run.samples), std::ldexp(one.step, -k),
               run.spec.world.end);
  }
  return work;
}

/// What makes a run of another one, as overlays.
std::vector<std::string> changes_of(const Run& changed, const Run& run) {
  return {changed.overlays.begin() + static_cast<std::ptrdiff_t>(run.overlays.size()), changed.overlays.end()};
}

/// Runs an arm, then at `halvings` finer steps; the finer ones end at the first that is interrupted.
Arm integrate(const Plan& plan, Runs& runs, const Run& run, int halvings, const CompareOptions& options, Course& course,
              Keeping& keeping) {
  const auto run_at = [&](const Runs::Shared& made, const std::string& label, const std::string& finer_of) {
    const Run& changed = *made;
    const std::vector<std::string> changes = changes_of(changed, run);
    PartHead head = part_of(label, plan.scheme, changed, plan.engine);
    head.changes = changes;
    head.finer_of = finer_of;
    Start start = keeping.start(head, changed);
    course.add(-expected_work(changed, start.finished.table.samples - unfinished_samples(start.finished)));
    Arm arm = execute(changed, plan.scheme, plan.engine, options.caller, label, std::move(start.finished), &course,
                      start.journal);
    arm.name = label;
    arm.changes = changes;
    return arm;
  };
  Arm arm = run_at(runs.of(plan), plan.name, "");
  if (halvings > 0) {
    arm.finer_steps = static_cast<std::size_t>(halvings);
    arm.finer_samples = finer_samples(options.command, run.samples_of_run);
  }
  if (!plan.changes.empty()) arm.run = runs.of(plan);
  for (int k = 1; k <= halvings; ++k) {
    const std::string at = plan.label + " " + number_text(std::ldexp(plan.step, -k)) + " s";
    Arm finer = run_at(runs.finer(plan, k, arm.finer_samples), at, plan.name);
    if (!finer.failure.empty()) arm.failure = finer.failure;
    if (unfinished_samples(finer) > 0) break;
    arm.finer.push_back(std::move(finer));
  }
  return arm;
}

/// Those of all arms once, and those of some with the name of the first.
void warn_of_arms(const std::vector<Plan>& plans, Runs& runs, const Caller& caller) {
  std::map<std::string, std::size_t> arms;
  for (const Plan& plan : plans)
    for (const std::string& warning : runs.of(plan)->warnings) ++arms[warning];
  std::set<std::string> told;
  for (const Plan& plan : plans)
    for (const std::string& warning : runs.of(plan)->warnings)
      if (told.insert(warning).second) caller.warn((arms[warning] < plans.size() ? plan.name + ": " : "") + warning);
}

/// How often the steps of each arm are halved.
int halvings_of(const CompareOptions& options) {
  return options.command == "converge" ? options.halvings : options.step_error ? 1 : 0;
}

Intent intent_of(const std::vector<Plan>& plans, Runs& runs, const Run& run, const CompareOptions& options) {
  Intent intent{{}, static_cast<std::size_t>(halvings_of(options))};
  if (intent.finer > 0)
    intent.finer_samples = runs.finer(plans[0], 1, finer_samples(options.command, run.samples_of_run))->samples;
  for (const Plan& one : plans) intent.arms.push_back({one.name, one.scheme, one.step, changes_of(*runs.of(one), run)});
  return intent;
}

/// All of both commands; that of `converge` reports about the steps.
Exit execute_arms(const CompareOptions& given, const Run& run) {
  CompareOptions options = given;
  const bool converge = options.command == "converge";
  const int halvings = halvings_of(options);
  go_to_shard(options, run);
  const std::vector<Plan> plans = plan(options, run);
  if (!converge && plans.size() < 2)
    throw Error(Exit::usage, options.config + ": has only the scheme " + run.schemes.front() +
                                 "; name two or more with --schemes a,b, or steps with --steps, backends with " +
                                 "--backends, other values with --arms, or use `scree run`");
  if (plans.size() > most_result_arms)
    throw Error(Exit::usage, options.config + ": makes " + std::to_string(plans.size()) + " arms, must be at most " +
                                 std::to_string(most_result_arms));
  if (is_to_write(options, run)) check_output(options.output, options.force || options.resume, files_read(run));
  if (halvings > 0) require_finer_steps(run);
  Runs runs(run);
  if (!options.arms.empty()) require_same_draws(plans, runs);
  if (!options.is_one_of_many) warn_of_arms(plans, runs, options.caller);
  const Work work = work_of(plans, run, halvings, options);
  if (options.dry_run) {
    std::vector<std::string> names;
    for (const Plan& one : plans) names.push_back(one.name);
    print_dry_run(
        options, run, work, plans[0].engine,
        {{"arms", joined(names) +
                      (halvings == 0 ? ""
                                     : "; each also at 1/2" +
                                           std::string(halvings == 1 ? "" : " to 1/" + std::to_string(1 << halvings)) +
                                           " of its step")}});
  }
  require_memory(run, work);
  if (options.dry_run) return Exit::ok;
  warn_of_disk(options, run, work);
  Keeping keeping(options, run, intent_of(plans, runs, run, options));
  if (keeping.is_complete()) return tell_complete(options);
  keeping.expect_several();
  Evaluation found;
  double statistics_s = 0;
  return carry_out(options, run, plans[0].engine, work.steps, keeping, [&](Course& course) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    Findings findings;
    for (const Plan& one : plans)
      findings.arms.push_back(integrate(one, runs, run, halvings, options, course, keeping));
    for (const Arm& arm : findings.arms)
      if (const std::size_t wanted = static_cast<std::size_t>(halvings); arm.finer.size() < wanted)
        findings.undone.push_back(arm.name + " has been run at " + std::to_string(arm.finer.size()) + " of " +
                                  std::to_string(wanted) + (wanted == 1 ? " finer step" : " finer steps"));
    try {
      const KeptMeanwhile meanwhile = keeping.meanwhile(findings.arms);
      found = evaluate_in_words(run, findings.arms, plans[0].engine.threads);
    } catch (const std::exception& error) {
      // The samples may have taken hours.
      if (options.output.empty()) throw;
      const bool stays = keeping.is_better_than(findings.arms, run);
      if (!stays) write_result(options.output, run, findings.arms, keeping.may_replace());
      throw Error(Exit::failed, std::string("the comparison failed: ") + error.what() +
                                    (stays ? "; " + options.output + " stays as it was" + keeping.safe(findings.arms)
                                           : "; its samples are in " + options.output));
    }
    statistics_s = std::chrono::duration<double>(Clock::now() - start).count();
    for (const Arm& arm : findings.arms) {
      statistics_s -= arm.wall_s;
      for (const Arm& finer : arm.finer) statistics_s -= finer.wall_s;
    }
    findings.print = [&](const Arms& arms, std::ostream& out, const Form& form) {
      if (converge)
        print_converge(out, run, arms, found, form);
      else
        print_compare(out, run, arms, found, form);
    };
    findings.json = [&](const Arms& arms) {
      Json json = json_of(options.command);
      json["run"] = run_json(run, *arms[0].table.description);
      if (arms[0].run) json["run"]["varied"] = varied_json(*arms[0].run);
      add_comparison(json, run, arms, found);
      json["statistics_s"] = statistics_s;  // all but the integration: digests, statistics, tests
      return json;
    };
    findings.write = [&](const Arms& arms, const std::string& path) {
      write_result(path, run, arms, keeping.may_replace(), &found);
    };
    return findings;
  });
}

}  // namespace

Run load_schemes_of(const CompareOptions& options) {
  Overrides overrides = options.overrides;
  overrides.schemes_option = "--schemes";
  return load_fitting(options, overrides);
}

Intent intent_of_comparison(const CompareOptions& options, Run& run) {
  Runs runs(run);
  return intent_of(plan(options, run), runs, run, options);
}

Exit compare_command(const CompareOptions& options) {
  if (options.published) return compare_published(options);
  CompareOptions all = options;
  all.command = "compare";
  return execute_arms(all, load_schemes_of(all));
}

Exit converge_command(const CompareOptions& options) {
  CompareOptions all = options;
  all.sensitivity = all.step_error = false;
  all.command = "converge";
  return execute_arms(all, load_schemes_of(all));
}

}  // namespace scree
