#include "keeping.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "host/common/json_text.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/common/version.hpp"
#include "host/engine/memory.hpp"
#include "host/model/digest.hpp"
#include "host/results/output.hpp"
#include "host/results/stored_run.hpp"
#include "sensitivity.hpp"

namespace scree {
namespace {

/// The changes of a config, but for the number of samples where that may grow.
std::vector<std::string> changes_of(std::vector<std::string> changes, bool grows) {
  if (grows) std::erase_if(changes, [](const std::string& overlay) { return overlay.starts_with("--samples:"); });
  return changes;
}

std::uint64_t finished_samples(const Arm& arm) { return arm.table.samples - unfinished_samples(arm); }
/// With those of finer arms.
std::uint64_t finished_samples(std::span<const Arm> arms) {
  std::uint64_t finished = 0;
  for (const Arm& arm : arms) finished += finished_samples(arm) + finished_samples(std::span<const Arm>(arm.finer));
  return finished;
}

/// Whether all samples of an arm are there, and of so many finer ones so many.
bool is_whole(const Arm& arm, std::size_t finer, std::uint64_t finer_samples) {
  return unfinished_samples(arm) == 0 && arm.until.over() && arm.finer.size() == finer &&
         std::ranges::all_of(arm.finer,
                             [&](const Arm& at) { return at.table.samples >= finer_samples && is_whole(at, 0, 0); });
}

/// Whether it has no maps, gates, barriers or forest of its samples, though its run makes them: memory or a device
/// failed it, so that nothing can go on from it.
bool lacks_paths(const Arm& arm, const Run& run) {
  return (run.maps.on && !arm.map_facts) || (!run.gates.empty() && !arm.gates) ||
         (!run.barriers.empty() && !arm.barriers) || (!run.forest.empty() && !arm.forest);
}

/// Whether a result with so many runs of the table of [sensitivity] has that, if it is to have one.
bool has_table(std::size_t variants, const RunOptions& options, const Run& run) {
  return !options.sensitivity || all_variants(run) == 0 || variants == all_variants(run);
}

std::vector<std::string> texts_of(const Until& until) {
  std::vector<std::string> texts;
  for (const Reached& reached : until.targets) texts.push_back(reached.target.text);
  return texts;
}

/// Whether what --extend goes on from has all samples already, and all looks at its targets.
bool has_all(const Extension& base, const Run& run, const Until& until) {
  return base.finished.table.samples == run.samples && is_whole(base.finished, 0, 0) &&
         (until.looks.empty() || (is_same_plan(base.until, until) && base.until.over()));
}

std::string text_of(std::span<const ArmHead> arms) {
  std::vector<std::string> texts;
  for (const ArmHead& arm : arms)
    texts.push_back(arm.name + " (" + joined({number_text(arm.step) + " s", joined(arm.changes)}) + ")");
  return joined(texts);
}

/// "of another command: changes of the config "--samples 3" before, none now"; empty if there is no difference.
/// `grew`: the number of samples is that of a look, which the targets decide.
std::string difference(const JournalHead& then, const JournalHead& now, bool grew) {
  // What is no UTF-8 in a path is not in the journal as it was.
  const auto differs = [](const std::string& a, const std::string& b) {
    return json_text(nlohmann::json(a)) != json_text(nlohmann::json(b));
  };
  const auto typed = [&](const std::vector<std::string>& overlays) {
    std::string options;
    for (const std::string& overlay : changes_of(overlays, grew))
      options += (options.empty() ? "" : " ") + option_of(overlay);
    return options;
  };
  const auto all = [&](const JournalHead& head) {
    std::vector<std::pair<std::string, std::string>> named{{"command", head.command},
                                                           {"config", head.config_text},
                                                           {"changes of the config", typed(head.overlays)},
                                                           {"input files", head.input_files},
                                                           {"arms", text_of(head.arms)}};
    named.insert(named.end(), head.identity.begin(), head.identity.end());
    return named;
  };
  const auto before = all(then), after = all(now);
  if (before.size() != after.size()) return "of another command";
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto& [name, value] = after[i];
    if (before[i].first != name) return "of another command";
    if (!differs(before[i].second, value)) continue;
    if (name == "config") return "of another config";
    const auto quoted = [](const std::string& text) { return text.empty() ? "none" : "\"" + text + "\""; };
    return "of another command: " + name + " " + quoted(before[i].second) + " before, " + quoted(value) + " now";
  }
  return "";
}

/// That of a command, but for what it goes on from.
JournalHead head_of(const RunOptions& options, const Run& run, const Intent& intent) {
  JournalHead head;
  head.command = options.command;
  head.config_path = std::filesystem::absolute(run.config_path).lexically_normal().string();
  head.config_text = run.config_text;
  head.overlays = run.overlays;
  head.input_files = input_files_of(run);
  head.arms = intent.arms;
  head.identity = {{"finer arms", std::to_string(intent.finer)},
                   {"targets", joined(texts_of(intent.until))},
                   {"samples at most", intent.until.looks.empty() ? "" : std::to_string(intent.until.looks.back())},
                   {"columns", joined(run.model->description.column_names())}};
  head.program_version = SCREE_VERSION;
  head.commit = SCREE_COMMIT;
  return head;
}

}  // namespace

PartHead part_of(const std::string& name, const std::string& scheme, const Run& run, const Engine& engine) {
  PartHead head;
  head.name = name;
  head.scheme = scheme;
  head.step = run.spec.world.step;
  head.samples = run.samples;
  head.backend = engine.backend;
  head.device = engine.device;
  head.threads = engine.threads;
  head.watched = run.is_watched();
  head.has_maps = run.maps.on;
  return head;
}

/// Reads the result that --resume finds, if it is of this command.
void Keeping::find_result(const RunOptions& options, const Run& run, const Intent& intent) {
  std::error_code ignored;
  // Of a link that leads nowhere nothing is lost.
  may_replace_ = may_replace_ || (options.resume && std::filesystem::is_symlink(output_, ignored));
  if (!options.resume || options.replaces || !std::filesystem::exists(output_, ignored)) return;
  try {
    found_ = read_result(output_);
  } catch (const Error&) {
    if (!options.force) throw;
    return;
  }
  const Run& before = found_->run;
  const Until& until = found_->arms[0].until;
  const bool grows = !intent.until.looks.empty();
  // With more finer steps than are intended it is what would get lost.
  const auto is_arm = [&](const Arm& arm, const ArmHead& intended) {
    return arm.name == intended.name && arm.step == intended.step && arm.changes == intended.changes &&
           arm.finer.size() <= intent.finer;
  };
  const bool same = before.config_text == run.config_text && input_files_of(before) == input_files_of(run) &&
                    changes_of(before.overlays, grows) == changes_of(run.overlays, grows) &&
                    is_same_plan(until, intent.until) && std::ranges::equal(found_->arms, intent.arms, is_arm);
  const auto refuse = [&] {
    if (!options.force)
      throw Error(Exit::input, output_ +
                                   ": is of another command, so that --resume cannot go on with it; --force would "
                                   "replace it");
  };
  if (!same) {
    refuse();
    found_.reset();
    return;
  }
  may_replace_ = true;
  const auto lacks = [&](const Arm& arm) { return lacks_paths(arm, run_of_arm(run, arm, false)); };
  if (std::ranges::any_of(found_->arms, lacks)) {
    options.caller.note(output_ + ": lacks what paths leave, for memory or a device failed: its samples are run again");
    found_.reset();
    return;
  }
  is_complete_ = has_table(found_->sensitivity.size(), options, run) && (intent.arms.size() == 1 || found_->compared) &&
                 (options.command != "converge" || found_->converged) &&
                 std::ranges::all_of(found_->arms,
                                     [&](const Arm& arm) { return is_whole(arm, intent.finer, intent.finer_samples); });
  // A command that makes no table of [sensitivity] would leave that of the result behind.
  if (!is_complete_ && !options.sensitivity && !found_->sensitivity.empty()) refuse();
}

/// Whether a part of the journal adds to what is gone on from, whatever that began with: there is no arm of it, or the
/// arm is the one that the journal began with.
bool Keeping::adds_to_result(const PartHead& head, const Extension* base) const {
  if (head.of_a_table) return true;
  const std::string& began_with = journal_->found().head.base;
  if (!found_) return base && began_with == base->finished.digest;
  const Arm* const arm = arm_of(head, found_->arms);
  if (arm == nullptr || !head.finer_of.empty()) return arm == nullptr;
  return digest_at(began_with, static_cast<std::size_t>(arm - found_->arms.data())) == arm->digest;
}

/// Which parts of the journal have no sample that is not in what is gone on from.
void Keeping::find_parts_in_result(const Extension* base) {
  in_result_.clear();
  for (const JournalContents::Part& part : journal_->found().parts) {
    const Arm* const arm = found_ ? arm_of(part.head, found_->arms) : base ? &base->finished : nullptr;
    bool has_all = arm != nullptr && !adds_to_result(part.head, base);
    if (has_all)
      for_each_sample(journal_->path(), journal_->found(), part.head.key(), [&](std::uint64_t sample) {
        has_all = has_all && arm->table.has(sample) && arm->table.is_finished(arm->table.row(sample));
      });
    in_result_.push_back(has_all);
  }
}

bool Keeping::is_in_result(const JournalContents::Part& part) const {
  return !in_result_.empty() && in_result_[static_cast<std::size_t>(&part - journal_->found().parts.data())];
}

std::uint64_t Keeping::samples_beyond_result() const {
  std::uint64_t samples = 0;
  for (const JournalContents::Part& part : journal_->found().parts) samples += is_in_result(part) ? 0 : part.samples;
  return samples;
}

/// Whether the journal can be put together with what is gone on from, though it began with another: of paths that are
/// watched, what it has left on maps and gates is that of its samples and of those that it began with.
bool Keeping::fits_result(const Extension* base) const {
  const JournalContents& journal = journal_->found();
  if ((!found_ && !base) || (journal.samples() == 0 && !held_text(journal).empty())) return false;
  return std::ranges::all_of(journal.parts, [&](const JournalContents::Part& part) {
    return is_in_result(part) || !part.head.watched || adds_to_result(part.head, base);
  });
}

/// Whether the journal has all samples of the result that was found: it has not where it is damaged, or could not be
/// written any more.
bool Keeping::is_covered_by_journal() const {
  const JournalContents& journal = journal_->found();
  const auto has_all = [&](const Arm& arm, const std::string& finer_of) {
    PartHead head;
    head.name = arm.name;
    head.finer_of = finer_of;
    std::vector<bool> kept(arm.table.samples);
    for_each_sample(journal_->path(), journal, head.key(), [&](std::uint64_t sample) {
      if (arm.table.has(sample)) kept[arm.table.row(sample)] = true;
    });
    for (std::uint64_t row = 0; row < arm.table.samples; ++row)
      if (arm.table.is_finished(row) && !kept[row]) return false;
    return true;
  };
  return std::ranges::all_of(found_->arms, [&](const Arm& arm) {
    return has_all(arm, "") && std::ranges::all_of(arm.finer, [&](const Arm& at) { return has_all(at, arm.name); });
  });
}

Keeping::Keeping(const RunOptions& options, const Run& run, const Intent& intent, const Extension* base)
    : output_(options.output), may_replace_(options.force || options.replaces) {
  if (output_.empty()) {
    if (options.resume) throw Error(Exit::usage, options.command + ": --resume goes on with a result: give it as -o");
    return;
  }
  if (options.command == "run") beside_ = output_;
  journal_.emplace(output_, options.checkpoint, options.force, options.caller, options.engine.grace);
  find_result(options, run, intent);
  if (base && options.resume && options.replaces)
    is_complete_ = has_all(*base, run, intent.until) && has_table(base->variants, options, run);
  const JournalContents& there = journal_->found();
  JournalHead head = head_of(options, run, intent);
  const bool grew = base && options.replaces && !intent.until.looks.empty();
  const std::string different = difference(there.head, head, grew);
  if (is_complete_) {
    // Fewer samples of the same command are of no use any more.
    constexpr bool but_for_samples = true;
    const auto is_of_no_use = [&] {
      if (there.samples() == 0 || !difference(there.head, head, but_for_samples).empty()) return false;
      find_parts_in_result(base);
      return std::ranges::all_of(there.parts,
                                 [&](const auto& part) { return is_in_result(part) || part.head.of_a_table; });
    };
    if (!held_text(there).empty() && !different.empty() && !options.force && !is_of_no_use())
      throw Error(Exit::input, journal_->path() + ": is " + different + "; --force removes it");
    // The journal may be there because the name of the result was not on the disk.
    if (there.samples() > 0) sync_name(output_);
    // Without the table of [sensitivity] what it has of that is of use to another command.
    const auto is_of_a_table = [](const JournalContents::Part& part) {
      return part.head.of_a_table && part.samples > 0;
    };
    if (options.force || options.sensitivity || std::ranges::none_of(there.parts, is_of_a_table)) journal_->remove();
    return;
  }
  head.base = found_ ? digests_of(found_->arms) : base ? base->finished.digest : "";
  const Use use = use_of(options, head, base, different);
  if (use == Use::journal_alone || options.shards) {
    found_.reset();
    in_result_.clear();
  }
  stands_alone_ = head.base.empty() || use == Use::journal_alone;
  goes_on_from_there_ = found_ || options.replaces;
  const auto say = [&](std::uint64_t samples, const std::string& file) {
    options.caller.note("going on with " + std::to_string(samples) + " samples of " + file);
  };
  if (found_) say(finished_samples(found_->arms), output_);
  const bool begins_anew = use == Use::nothing;
  if (there.without_maps > 0 && !there.is_damaged && !begins_anew)
    options.caller.note(journal_->path() + ": " + counted(there.without_maps, "sample", "samples") +
                        " without their maps " + (there.without_maps == 1 ? "is" : "are") + " run again");
  else if (const std::string lost = damage_text(journal_->path(), there);
           !lost.empty() && !(begins_anew && options.force))
    options.caller.warn(lost);
  if (begins_anew) {
    journal_->begin(std::move(head));
    return;
  }
  if (const std::uint64_t samples = samples_beyond_result(); samples > 0) say(samples, journal_->path());
  journal_->go_on();
}

/// What the samples in the journal are gone on with. Those that are of no use, or whose end is asked for, are dropped.
Keeping::Use Keeping::use_of(const RunOptions& options, const JournalHead& head, const Extension* base,
                             const std::string& different) {
  const JournalContents& there = journal_->found();
  if (held_text(there).empty() || (options.force && !options.resume)) return Use::nothing;
  const auto refuse = [&](Exit code, const std::string& why) {
    if (!options.force) throw Error(code, journal_->path() + ": " + why + ", --force begins anew");
    return Use::nothing;
  };
  if (!options.resume) return refuse(Exit::usage, held_text(there) + ": --resume goes on");
  if (!different.empty()) return refuse(Exit::input, "is " + different);
  find_parts_in_result(base);
  if (options.shards) {
    if (fits_result(base) && samples_beyond_result() == 0) return Use::nothing;
    return refuse(Exit::input, held_text(there) + ": this command without --shards goes on with them");
  }
  if (there.head.base == head.base) return Use::journal;
  const bool is_of_all = there.head.base.empty() && !base;
  if (is_of_all && there.samples() == 0) return Use::nothing;
  if (is_of_all && is_covered_by_journal()) return Use::journal_alone;
  // What it went on from has been replaced, perhaps by its own result.
  if (fits_result(base)) return samples_beyond_result() > 0 ? Use::journal : Use::nothing;
  return refuse(Exit::input, is_of_all ? "has samples that " + output_ +
                                             " lacks, and lacks some that it has: --resume goes on with either once "
                                             "the other is moved away"
                                       : "goes on from another result than is there");
}

Start Keeping::start(const PartHead& head, const Run& run, Arm before) {
  Start start{std::move(before), nullptr};
  if (!journal_) return start;
  std::string file, version;
  if (const Arm* arm = found_ ? arm_of(head, found_->arms) : nullptr) {
    const std::string group =
        head.finer_of.empty() ? group_of(found_->arms, head.name) : group_of(found_->arms, head.finer_of, head.name);
    start.finished = finished_of(output_, group, *arm, run);
    file = output_;
    version = version_of(*found_);
  }
  const JournalContents& there = journal_->found();
  const JournalContents::Part* const part = there.part(head.key());
  if (part && part->samples > 0 && !is_in_result(*part)) {
    start.finished.scheme = head.scheme;
    add_finished(journal_->path(), there, head.key(), run,
                 std::max({run.samples, part->end - std::min(part->end, run.first), start.finished.table.samples}),
                 start.finished, lies_in_file(run, beside_) ? beside_ : "");
    file = journal_->path();
    version = there.head.program_version + " (commit " + there.head.commit + ")";
  }
  if (!file.empty()) require_same_bits(file, start.finished, version, run);
  start.journal = journal_->part(head);
  if (start.journal) start.journal->has(start.finished.table);
  return start;
}

void Keeping::expect_several() {
  if (journal_) journal_->expect_several();
}

bool Keeping::is_better_than(std::span<const Arm> arms, const Run& run) const {
  const auto lacks = [&](const Arm& arm) { return lacks_paths(arm, arm.run ? *arm.run : run); };
  return goes_on_from_there_ && std::ranges::any_of(arms, lacks);
}

KeptMeanwhile Keeping::meanwhile(std::span<const Arm> arms) {
  return {journal_ ? &*journal_ : nullptr, [this, arms] { return journal_->keep_tables(arms); }};
}

void Keeping::done(bool all, std::span<const Arm> arms) {
  if (journal_ && (all || (!stands_alone_ && !journal_->has_more_parts_than(arms)))) journal_->remove();
}

std::string Keeping::safe(std::span<const Arm> arms) {
  if (!journal_) return "";
  const std::uint64_t finished = finished_samples(arms);
  journal_->keep_tables(arms);
  const std::uint64_t kept = journal_->kept(arms);
  if (journal_->samples() == 0) return "";
  std::error_code ignored;
  const bool is_in_the_way = !may_replace_ && std::filesystem::exists(output_, ignored);
  const std::string all = finished == 1 ? "the one sample is"
                          : kept == finished
                              ? "all " + std::to_string(finished) + " samples are"
                              : std::to_string(kept) + " of " + std::to_string(finished) + " samples are";
  return "; " + all + " safe in " + (goes_on_from_there_ ? output_ + " and " : "") + journal_->path() + ": " +
         (is_in_the_way ? "once " + output_ + " is moved away " : "") +
         "the same command with --resume goes on from there";
}

}  // namespace scree
