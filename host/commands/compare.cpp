// `scree compare` and `scree converge`: the arms that options and config ask for, and the study of them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "commands.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/engine/interrupt.hpp"
#include "host/report/converge.hpp"
#include "host/report/json.hpp"
#include "host/report/report.hpp"
#include "host/report/verdict.hpp"
#include "host/results/output.hpp"
#include "host/results/result_file.hpp"
#include "published.hpp"

namespace scree {
namespace {

/// Of a larger ensemble the first samples are enough to see the time-step error.
constexpr std::uint64_t most_finer_samples = 10000;

/// An arm before it is run.
struct Plan {
  std::string name, scheme;
  double step;
  Engine engine;
};

/// Runs that differ from one in their step or number of samples, each derived once.
class Runs {
 public:
  explicit Runs(const Run& run) : run_(run) {}
  /// All samples at another step.
  const Run& at(double step) { return derived(run_, step, 0, run_.samples, "--steps"); }
  /// Some of them at that step over 2^halvings, to the same time. Where steps adapt, what their length is in proportion
  /// to is divided like the step that bounds it.
  const Run& finer(double step, int halvings, std::uint64_t samples) {
    return derived(at(step), step, halvings, samples, "the finer step");
  }

 private:
  const Run& derived(const Run& from, double step, int halvings, std::uint64_t samples, const std::string& option) {
    if (step == run_.spec.world.step && halvings == 0 && samples == run_.samples) return run_;
    const auto key = std::tuple(step, halvings, samples);
    if (const auto found = runs_.find(key); found != runs_.end()) return found->second;
    std::vector<std::string> overlays = run_.overlays;
    const auto lay = [&](const std::string& name, double value) {
      overlays.push_back(option + ":" + name + "=" + number_text(value));
    };
    lay("step", std::ldexp(step, -halvings));
    if (halvings > 0 && from.moved_end) lay("end", from.spec.world.end);
    const Description& description = from.model->description;
    if (halvings > 0 && !from.step_scales.empty())
      for (const int place : description.step_scales) {
        const Quantity& scale = description.params[static_cast<std::size_t>(place)];
        lay(description.system + "." + scale.name,
            std::ldexp(from.spec.params[static_cast<std::size_t>(scale.offset)], -halvings));
      }
    if (samples != run_.samples) overlays.push_back(option + ":samples=" + std::to_string(samples));
    return runs_.emplace(key, derive(run_, overlays)).first->second;
  }

  const Run& run_;
  std::map<std::tuple<double, int, std::uint64_t>, Run> runs_;
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
  if (options.backends.empty()) return {choose_engine(run, options.engine)};
  if (options.engine.backend != "auto") throw Error(Exit::usage, "--backend and --backends exclude each other");
  std::vector<Engine> engines;
  for (const std::string& name : options.backends) {
    if (std::count(options.backends.begin(), options.backends.end(), name) > 1)
      throw Error(Exit::usage, "--backends: backend " + name + " is named twice");
    EngineOptions one = options.engine;
    one.backend = name;
    engines.push_back(choose_engine(run, one));
  }
  return engines;
}

std::vector<Plan> plan(const CompareOptions& options, const Run& run) {
  const std::vector<double> steps = steps_of(options, run);
  const std::vector<Engine> engines = engines_of(options, run);
  std::vector<Plan> plans;
  for (const std::string& scheme : run.schemes)
    for (const double step : steps)
      for (std::size_t e = 0; e < engines.size(); ++e) {
        std::string name = scheme;
        if (steps.size() > 1) name += " " + number_text(step) + " s";
        if (engines.size() > 1) name += " " + options.backends[e];
        plans.push_back({name, scheme, step, engines[e]});
      }
  return plans;
}

/// How many samples run at finer steps.
std::uint64_t finer_samples(const CompareOptions& options, const Run& run) {
  return options.step_error ? std::min(run.samples, most_finer_samples) : run.samples;
}

Work work_of(const std::vector<Plan>& plans, const Run& run, int halvings, const CompareOptions& options) {
  Work work;
  for (const Plan& one : plans) {
    work.add(run.samples, one.step, run.spec.world.end);
    for (int k = 1; k <= halvings; ++k)
      work.add(finer_samples(options, run), std::ldexp(one.step, -k), run.spec.world.end);
  }
  return work;
}

/// Runs an arm, then at `halvings` finer steps; the finer ones end at the first that is interrupted.
Arm integrate(const Plan& plan, Runs& runs, const Run& run, int halvings, const CompareOptions& options,
              Course& course) {
  const auto run_at = [&](const Run& changed, const std::string& label) {
    Arm arm = execute(changed, plan.scheme, plan.engine, options.quiet, label, {}, &course);
    arm.name = label;
    arm.changes.assign(changed.overlays.begin() + static_cast<std::ptrdiff_t>(run.overlays.size()),
                       changed.overlays.end());
    return arm;
  };
  Arm arm = run_at(runs.at(plan.step), plan.name);
  for (int k = 1; k <= halvings && !Interruptible::asked(); ++k) {
    const std::string at = plan.scheme + " " + number_text(std::ldexp(plan.step, -k)) + " s";
    Arm finer = run_at(runs.finer(plan.step, k, finer_samples(options, run)), at);
    if (unfinished_samples(finer) > 0) break;
    arm.finer.push_back(std::move(finer));
  }
  return arm;
}

/// All of both commands; with `converge` the report is about the steps.
Exit execute_arms(const CompareOptions& options, const Run& run, int halvings, bool converge) {
  const std::vector<Plan> plans = plan(options, run);
  if (!converge && plans.size() < 2)
    throw Error(Exit::usage, options.config + ": has only the scheme " + run.schemes.front() +
                                 "; name two or more with --schemes a,b, or steps with --steps, or backends with " +
                                 "--backends, or use `scree run`");
  if (!options.output.empty()) check_output(options.output, options.force, files_read(run));
  for (const std::string& warning : run.warnings) std::cerr << "warning: " << warning << '\n';
  if (halvings > 0) require_finer_steps(run);
  Runs runs(run);
  std::set<double> warned;
  for (const Plan& one : plans) {
    const Run& arm = runs.at(one.step);
    if (arm.moved_end && &arm != &run && warned.insert(one.step).second)
      std::cerr << "warning: " << one.name << ": " << *arm.moved_end << '\n';
  }
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
  Evaluation found;
  double statistics_s = 0;
  return carry_out(options, run, plans[0].engine, work.steps, [&](Course& course) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    Findings findings;
    for (const Plan& one : plans) findings.arms.push_back(integrate(one, runs, run, halvings, options, course));
    for (const Arm& arm : findings.arms)
      if (const std::size_t wanted = static_cast<std::size_t>(halvings); arm.finer.size() < wanted)
        findings.undone.push_back(arm.name + " has been run at " + std::to_string(arm.finer.size()) + " of " +
                                  std::to_string(wanted) + (wanted == 1 ? " finer step" : " finer steps"));
    try {
      found = evaluate_in_words(run, findings.arms, plans[0].engine.threads);
    } catch (const std::exception& error) {
      // The samples may have taken hours.
      if (options.output.empty()) throw;
      write_result(options.output, run, findings.arms, options.force);
      throw Error(Exit::failed,
                  std::string("the comparison failed, its samples are in ") + options.output + ": " + error.what());
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
      add_comparison(json, run, arms, found);
      json["statistics_s"] = statistics_s;  // all but the integration: digests, statistics, tests
      return json;
    };
    findings.write = [&](const Arms& arms, const std::string& path) {
      write_result(path, run, arms, options.force, &found);
    };
    return findings;
  });
}

Run load_schemes(const CompareOptions& options) {
  Overrides overrides = options.overrides;
  overrides.schemes_option = "--schemes";
  return load_fitting(options, overrides);
}

}  // namespace

Exit compare_command(const CompareOptions& options) {
  if (options.published) return compare_published(options);
  CompareOptions all = options;
  all.command = "compare";
  return execute_arms(all, load_schemes(options), options.step_error ? 1 : 0, false);
}

Exit converge_command(const CompareOptions& options) {
  CompareOptions all = options;
  all.sensitivity = all.step_error = false;
  all.command = "converge";
  return execute_arms(all, load_schemes(options), options.halvings, true);
}

}  // namespace scree
