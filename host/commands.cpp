#include "commands.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iostream>

#include "report.hpp"
#include "sensitivity.hpp"
#include "suggest.hpp"
#include "text_input.hpp"
#include "text_table.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

/// What --dry-run tells: all that is known before the first step.
std::vector<std::pair<std::string, std::string>> dry_run_lines(const RunOptions& options, const Run& run,
                                                               const Engine& engine) {
  const World& world = run.spec.world;
  const std::size_t schemes = run.schemes.size();
  const double steps = static_cast<double>(most_steps(run));
  std::vector<std::pair<std::string, std::string>> lines{
      {"config", run.config_path},
      {"system", run.model->description.system},
      {"schemes", joined(run.schemes)},
      {"samples", std::to_string(run.samples) + ", seed " + std::to_string(run.spec.seed)},
      {"step", number_text(world.step) + " s, end " + number_text(world.end) + " s"},
      {"steps", "at most " + std::to_string(most_steps(run)) + " per sample, " +
                    short_number(steps * static_cast<double>(run.samples) * static_cast<double>(schemes)) + " in all"}};
  if (!run.preset.empty()) lines.emplace_back("preset", run.preset);
  if (!run.terrain_name.empty())
    lines.emplace_back("terrain", run.terrain_name + (run.terrain_note.empty() ? "" : ", " + run.terrain_note));
  if (!run.shape_names.empty()) lines.emplace_back("shapes", joined(run.shape_names));
  lines.emplace_back("varies",
                     std::to_string(run.spec.variations.size()) + " of at most " + std::to_string(max_variations));
  lines.emplace_back("backend", engine.text());
  lines.emplace_back(
      "memory", bytes_text(memory_needed(run, schemes)) + " needed, " + bytes_text(memory_available()) + " available");
  lines.emplace_back("result", options.output.empty() ? "not written" : options.output);
  return lines;
}

}  // namespace

void print_dry_run(const RunOptions& options, const Run& run, const Engine& engine,
                   const std::vector<std::pair<std::string, std::string>>& more) {
  auto lines = dry_run_lines(options, run, engine);
  lines.insert(lines.end(), more.begin(), more.end());
  if (options.json) {
    Json json = Json::object();
    for (const auto& [name, value] : lines) json[name] = value;
    json["samples"] = run.samples;
    json["steps"] = most_steps(run);
    json["memory"] = memory_needed(run, run.schemes.size());
    std::cout << json.dump(2) << '\n';
    return;
  }
  for (const auto& [name, value] : lines) std::cout << name << std::string(10 - name.size(), ' ') << value << '\n';
}

namespace {

/// Says what an interruption left undone; whether it did.
bool report_undone(const Run& run, const std::vector<Arm>& arms, const std::vector<Variant>& variants,
                   bool sensitivity) {
  bool undone = false;
  for (const Arm& arm : arms) {
    const std::uint64_t rest = arm.statistics.status[static_cast<std::size_t>(Status::not_run)];
    if (rest == 0) continue;
    undone = true;
    std::cerr << "scree: interrupted: " << arm.name << " has finished " << arm.table.samples - rest << " of "
              << arm.table.samples << " samples\n";
  }
  const std::size_t all = sensitivity ? run.sensitivity.values.size() * run.schemes.size() : 0;
  if (variants.size() == all) return undone;
  std::cerr << "scree: interrupted: the table over " << run.sensitivity.key << " has " << variants.size() << " of "
            << all << " runs\n";
  return true;
}

/// The line of a `strict` run that has failed samples; empty if there are none.
std::string strict_failure(const Run& run, const std::vector<Arm>& arms) {
  std::string text;
  for (const Arm& arm : arms)
    if (const std::uint64_t failed = failed_samples(arm); run.strict && failed > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(failed) + " of " + std::to_string(arm.table.samples) +
              " under " + arm.name;
  return text.empty() ? text : run.config_path + ": strict = true, but samples diverged or did not converge: " + text;
}

}  // namespace

Run load_fitting(const RunOptions& options, const Overrides& overrides) {
  const CheckRun fits = [](const Run& run) { require_memory(run, run.schemes.size()); };
  return load_run(options.config, options.sets, overrides, &find_model, options.dry_run ? nullptr : fits);
}

Exit carry_out(const RunOptions& options, const Run& run, const Engine& engine,
               const std::function<Findings()>& integrate) {
  Findings found;
  std::vector<Variant> variants;
  // What failed after the samples were there; their numbers are printed first.
  std::exception_ptr failure;
  const auto attempt = [&](const auto& action) {
    try {
      action();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  };
  const bool colour = wants_colour(STDOUT_FILENO);
  {
    const Interruptible interruptible;
    found = integrate();
    if (!options.json) found.print(found.arms, std::cout, colour);
    std::cout.flush();
    if (!options.output.empty()) attempt([&] { found.write(found.arms, options.output); });
    if (options.sensitivity && !Interruptible::asked())
      attempt([&] { variants = run_sensitivity(run, engine, options.quiet); });
  }
  if (options.json) {
    Json json = found.json(found.arms);
    if (!variants.empty()) json["sensitivity"] = sensitivity_json(run, variants);
    std::cout << json.dump(2) << '\n';
  } else {
    print_sensitivity_table(std::cout, run, variants, colour);
  }
  if (failure) std::rethrow_exception(failure);
  if (!options.output.empty() && !options.quiet) std::cerr << "result: " << options.output << '\n';
  if (report_undone(run, found.arms, variants, options.sensitivity)) return Exit::interrupted;
  if (const std::string failed = strict_failure(run, found.arms); !failed.empty()) throw Error(Exit::failed, failed);
  return Exit::ok;
}

Exit run_command(const RunOptions& options) {
  const Run run = load_fitting(options, options.overrides);
  if (run.schemes.size() > 1)
    throw Error(Exit::usage, options.config + ": has the schemes " + joined(run.schemes) +
                                 "; choose one with --scheme, or use `scree compare`");
  const Engine engine = choose_engine(run, options.engine);
  if (!options.output.empty()) check_output(options.output, options.force);
  for (const std::string& warning : run.warnings) std::cerr << "warning: " << warning << '\n';
  if (options.dry_run) print_dry_run(options, run, engine);
  require_memory(run, 1);
  if (options.dry_run) return Exit::ok;

  return carry_out(options, run, engine, [&] {
    Findings found;
    found.arms.push_back(execute(run, run.schemes[0], engine, options.quiet));
    found.print = [&](const Arms& arms, std::ostream& out, bool colour) { print_run(out, run, arms[0], colour); };
    found.json = [](const Arms& arms) { return run_json(arms[0]); };
    found.write = [&](const Arms& arms, const std::string& path) { write_result(path, run, arms, options.force); };
    return found;
  });
}

}  // namespace scree
