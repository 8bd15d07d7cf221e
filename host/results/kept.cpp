#include "kept.hpp"

#include <algorithm>
#include <charconv>
#include <memory>

#include "host/common/available_threads.hpp"
#include "host/common/error.hpp"
#include "host/common/text_input.hpp"
#include "host/config/config.hpp"
#include "host/engine/execute.hpp"
#include "host/journal/journal.hpp"
#include "host/model/digest.hpp"
#include "host/statistics/step_error.hpp"

namespace scree {
namespace {

Arm kept_arm(const std::string& path, const JournalContents& contents, const JournalContents::Part& part,
             const Run& run) {
  Arm arm;
  const PartHead& head = part.head;
  add_finished(path, contents, head.key(), run, run.samples, arm);
  arm.name = printable(head.name);
  arm.scheme = printable(head.scheme);
  arm.step = head.step;
  arm.changes = head.changes;
  arm.backend = printable(head.backend);
  arm.device = printable(head.device);
  arm.threads = head.threads;
  return conclude(run, std::move(arm), available_threads());
}

/// One of a journal's identity; 0 where it has none of that name.
std::uint64_t number_of(const JournalHead& head, const std::string& name) {
  std::uint64_t number = 0;
  for (const auto& [of, value] : head.identity)
    if (of == name) std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

/// How many samples the part had when it began, or has come to since with --until. Throws Error(Exit::input) where its
/// run, or the last look, does not have as many, before memory is taken for what a damaged number asks.
std::uint64_t samples_of(const std::string& path, const JournalHead& head, const JournalContents::Part& part,
                         const Run& run) {
  const std::uint64_t most = std::max(run.samples, number_of(head, "samples at most"));
  const std::uint64_t samples = std::max(part.head.samples, part.end - std::min(part.end, run.first));
  if (samples > most)
    throw Error(Exit::input, path + ": has sample " + std::to_string(run.first + samples - 1) +
                                 ", which the run does not have");
  return samples;
}

}  // namespace

StoredResult read_kept(const std::string& path) {
  const JournalContents contents = read_journal(path);
  const JournalHead& head = contents.head;
  if (head.arms.size() > most_result_arms)
    throw Error(Exit::input, path + ": has " + std::to_string(head.arms.size()) + " arms, must be at most " +
                                 std::to_string(most_result_arms));
  if (contents.samples() == 0)
    throw Error(
        Exit::input,
        path + ": " + (held_text(contents).empty() ? "is a journal without finished samples" : held_text(contents)));
  if (!head.base.empty())
    throw Error(Exit::input, path +
                                 ": goes on from a result, and says nothing without it: the command with --resume "
                                 "puts them together");
  StoredResult result;
  result.program_version = printable(head.program_version);
  result.commit = printable(head.commit);
  result.config_xxh3 = xxh3_hex(head.config_text);
  Run& run = result.run;
  try {
    run = load_run_text(head.config_path, head.config_text, head.overlays);
  } catch (const Error& error) {
    throw Error(error.code == Exit::usage ? Exit::input : error.code,
                path + ": its config cannot be run again: " + error.what());
  }
  if (input_files_of(run) != head.input_files)
    throw Error(Exit::input, path + ": its config names files that are no longer those that it was made from");
  result.description = std::make_unique<Description>(run.model->description);
  run.schemes.clear();
  const auto arm_of_part = [&](const JournalContents::Part& part) {
    std::vector<std::string> overlays = head.overlays;
    overlays.insert(overlays.end(), part.head.changes.begin(), part.head.changes.end());
    auto of_part = std::make_shared<Run>(part.head.changes.empty() ? run : derive(run, overlays));
    if (!part.head.finer_of.empty()) leave_out_maps_and_gates(*of_part);
    of_part->samples = samples_of(path, head, part, *of_part);
    Arm arm = kept_arm(path, contents, part, *of_part);
    arm.run = of_part;
    arm.table.description = result.description.get();
    if (std::ranges::find(run.schemes, arm.scheme) == run.schemes.end()) run.schemes.push_back(arm.scheme);
    return arm;
  };
  for (const JournalContents::Part& part : contents.parts) {
    if (part.head.of_a_table || part.samples == 0) continue;
    Arm arm = arm_of_part(part);
    const auto coarser = std::ranges::find(result.arms, printable(part.head.finer_of), &Arm::name);
    (coarser == result.arms.end() ? result.arms : coarser->finer).push_back(std::move(arm));
  }
  if (result.arms.empty()) throw Error(Exit::input, path + ": is a journal without finished samples of an arm");
  run.samples = result.arms.front().table.samples;
  // As Ctrl-C leaves them, so that it is like the results of other shards.
  for (const ArmHead& arm : head.arms)
    if (std::ranges::find(result.arms, printable(arm.name), &Arm::name) == result.arms.end()) {
      JournalContents::Part none;
      none.head.name = arm.name;
      none.head.scheme = arm.scheme;
      none.head.step = arm.step;
      none.head.changes = arm.changes;
      none.head.samples = run.samples;
      result.arms.push_back(arm_of_part(none));
    }
  if (const std::uint64_t steps = number_of(head, "finer arms"); steps > 0)
    for (Arm& arm : result.arms) {
      arm.finer_steps = steps;
      arm.finer_samples = finer_samples(head.command, run.samples_of_run);
    }
  result.damage = damage_text(path, contents);
  if (!result.damage.empty()) run.warnings.push_back(result.damage);
  return result;
}

}  // namespace scree
