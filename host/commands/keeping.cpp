#include "keeping.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "extend.hpp"
#include "host/common/json_text.hpp"
#include "host/common/suggest.hpp"
#include "host/common/version.hpp"
#include "host/model/digest.hpp"
#include "host/results/output.hpp"

namespace scree {
namespace {

std::string digests_of(const std::vector<Arm>& arms) {
  std::vector<std::string> digests;
  for (const Arm& arm : arms) digests.push_back(arm.digest);
  return joined(digests, " ");
}

std::vector<std::string> hashes_of(const Run& run) {
  std::vector<std::string> hashes;
  for (const InputFile& input : run.inputs) hashes.push_back(input.path + " " + input.xxh3);
  return hashes;
}

/// The changes of a config, but for the number of samples where that may grow.
std::vector<std::string> changes_of(const Run& run, bool grows) {
  std::vector<std::string> changes = run.overlays;
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

/// Whether all samples of an arm are there, and of so many finer ones.
bool is_whole(const Arm& arm, std::size_t finer) {
  return unfinished_samples(arm) == 0 && arm.until.over() && arm.finer.size() == finer &&
         std::ranges::all_of(arm.finer, [](const Arm& at) { return is_whole(at, 0); });
}

Identity identity_of(const RunOptions& options, const Run& run, const Intent& intent) {
  Identity identity{{"command", options.command},
                    {"config", xxh3_hex(run.config_text)},
                    {"changes of the config", joined(run.overlays)},
                    {"arms", joined(intent.arms)},
                    {"finer arms", std::to_string(intent.finer)},
                    {"input files", joined(hashes_of(run))},
                    {"columns", joined(run.model->description.column_names())}};
  identity.insert(identity.end(), intent.more.begin(), intent.more.end());
  return identity;
}

/// "the changes of the config were "a", are "b""; empty if there is none.
std::string difference(const Identity& then, const Identity& now) {
  // What is no UTF-8 in a path is not in the journal as it was.
  const auto differs = [](const auto& a, const auto& b) {
    return json_text(nlohmann::json(a)) != json_text(nlohmann::json(b));
  };
  for (std::size_t i = 0; i < std::min(then.size(), now.size()); ++i)
    if (differs(then[i], now[i])) {
      if (then[i].first == "config") return "of another config";
      return "of another command: " + then[i].first + " was \"" + then[i].second + "\", is \"" + now[i].second + "\"";
    }
  return then.size() == now.size() ? "" : "of another command";
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

/// Reads the result that --resume finds; false: there is none of this command.
bool Keeping::find_result(const RunOptions& options, const Run& run, const Intent& intent) {
  std::error_code ignored;
  if (!options.resume || !std::filesystem::exists(output_, ignored)) return false;
  try {
    found_ = read_result(output_);
  } catch (const Error&) {
    if (!options.force) throw;
    return false;
  }
  const Run& before = found_->run;
  const bool same = before.config_text == run.config_text && hashes_of(before) == hashes_of(run) &&
                    changes_of(before, intent.grows) == changes_of(run, intent.grows);
  if (!same && !options.force)
    throw Error(Exit::input, output_ +
                                 ": is of another run, so that --resume cannot go on with it; --force would "
                                 "replace it");
  if (!same) found_.reset();
  if (!found_) return false;
  const std::size_t variants = options.sensitivity ? run.sensitivity.values.size() * run.schemes.size() : 0;
  is_complete_ = std::ranges::equal(found_->arms, intent.arms, {}, &Arm::name) &&
                 found_->sensitivity.size() == variants &&
                 std::ranges::all_of(found_->arms, [&](const Arm& arm) { return is_whole(arm, intent.finer); });
  return true;
}

/// Whether the result that was found has all samples of a journal.
bool Keeping::covers(const JournalContents& journal) const {
  if (!found_) return false;
  for (const JournalContents::Part& part : journal.parts) {
    std::string group;
    const Arm* arm = found_arm(part.head, group);
    if (part.head.of_a_table) continue;
    for (const std::uint64_t sample : samples_of(journal_->path(), journal, part.head.key()))
      if (arm == nullptr || sample >= arm->table.samples ||
          arm->table.status[sample] == static_cast<std::uint32_t>(Status::not_run))
        return false;
  }
  return true;
}

Keeping::Keeping(const RunOptions& options, const Run& run, const Intent& intent, const Arm* base)
    : output_(options.output) {
  if (output_.empty()) {
    if (options.resume) throw Error(Exit::usage, options.command + ": --resume goes on with a result: give it as -o");
    return;
  }
  journal_.emplace(place_of_output(output_), options.checkpoint);
  std::string base_digest = base ? base->digest : "";
  if (!base && find_result(options, run, intent)) base_digest = digests_of(found_->arms);
  if (is_complete_) {
    std::cerr << output_ << ": is complete\n";
    journal_->remove();
    return;
  }
  const auto say = [&](std::uint64_t samples, const std::string& file) {
    if (!options.quiet) std::cerr << "going on with " << samples << " samples of " << file << '\n';
  };
  const Identity identity = identity_of(options, run, intent);
  const bool goes_on_with_journal = goes_on(options, run, identity, base, base_digest);
  if (found_) say(finished_samples(found_->arms), output_);
  if (goes_on_with_journal) {
    say(journal_->found().samples(), journal_->path());
    journal_->go_on();
  } else {
    journal_->begin({options.command, std::filesystem::absolute(run.config_path).lexically_normal().string(),
                     run.config_text, run.overlays, identity, base_digest, SCREE_VERSION, SCREE_COMMIT});
  }
}

/// Whether what lies in the journal is gone on with; else it is of no use, or its end is asked for.
bool Keeping::goes_on(const RunOptions& options, const Run& run, const Identity& identity, const Arm* base,
                      const std::string& base_digest) {
  const JournalContents& there = journal_->found();
  if (there.samples() == 0 || (options.force && !options.resume)) return false;
  const auto refuse = [&](Exit code, const std::string& why) {
    if (!options.force) throw Error(code, journal_->path() + ": " + why + ", --force begins anew");
    return false;
  };
  if (!options.resume)
    return refuse(Exit::usage, "holds " + std::to_string(there.samples()) +
                                   " finished samples of an interrupted run: --resume goes on");
  if (const std::string different = difference(there.head.identity, identity); !different.empty())
    return refuse(Exit::input, "is " + different);
  if (there.head.base == base_digest) return true;
  if (there.head.base.empty() && !base) {  // it has all that the result has
    found_.reset();
    return true;
  }
  // What it went on from has been replaced, perhaps by its own result, after which the command was killed.
  if (covers(there) || (base && base->table.samples == run.samples && is_whole(*base, 0))) return false;
  return refuse(Exit::input, "goes on from another result than is there");
}

const Arm* Keeping::found_arm(const PartHead& head, std::string& group) const {
  if (!found_ || head.of_a_table) return nullptr;
  const std::vector<Arm>& arms = found_->arms;
  const auto named = [](const std::vector<Arm>& among, const std::string& name) -> const Arm* {
    const auto at = std::ranges::find(among, name, &Arm::name);
    return at == among.end() ? nullptr : &*at;
  };
  const Arm* arm = named(arms, head.finer_of.empty() ? head.name : head.finer_of);
  if (arm == nullptr) return nullptr;
  group = arms.size() == 1 ? "/" : "/arms/" + arm->name;
  if (head.finer_of.empty()) return arm;
  group += (group == "/" ? "" : "/") + ("finer/" + head.name);
  return named(arm->finer, head.name);
}

Start Keeping::start(const PartHead& head, const Run& run, Arm before) {
  Start start{std::move(before), nullptr};
  if (!journal_) return start;
  std::string file, version, group;
  if (const Arm* arm = found_arm(head, group)) {
    start.finished = finished_of(output_, group, *arm, run);
    file = output_;
    version = version_of(*found_);
  }
  elsewhere_ += finished_samples(start.finished);
  const JournalContents& there = journal_->found();
  if (const JournalContents::Part* part = there.part(head.key()); part && part->samples > 0) {
    start.finished.scheme = head.scheme;
    add_finished(journal_->path(), there, head.key(), run,
                 std::max({run.samples, part->end, start.finished.table.samples}), start.finished);
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

void Keeping::done() {
  if (journal_) journal_->remove();
}

std::string Keeping::safe(std::span<const Arm> arms) {
  if (!journal_) return "";
  const std::uint64_t finished = finished_samples(arms);
  journal_->keep_tables(arms);
  if (journal_->samples() + elsewhere_ < finished) return "";
  return "; all " + std::to_string(finished) + " samples are safe in " + journal_->path() +
         ": the same command with --resume goes on from there";
}

}  // namespace scree
