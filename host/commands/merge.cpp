#include "merge.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "extend.hpp"
#include "host/common/available_threads.hpp"
#include "host/common/json_text.hpp"
#include "host/common/suggest.hpp"
#include "host/common/terminal.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/common/version.hpp"
#include "host/engine/execute.hpp"
#include "host/engine/memory.hpp"
#include "host/journal/journal.hpp"
#include "host/model/digest.hpp"
#include "host/report/arms.hpp"
#include "host/report/verdict.hpp"
#include "host/results/output.hpp"
#include "host/results/result_file.hpp"
#include "host/results/shards.hpp"
#include "host/results/stored_run.hpp"
#include "info.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t no_row = ~std::uint64_t{0};

/// The results in a folder, and the journals of those that are not there but have samples, by name.
std::vector<std::string> parts_in(const std::string& folder, const Caller& caller) {
  std::set<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (path.ends_with(".h5")) files.insert(path);
    if (path.ends_with(std::string(".h5") + journal_end) && entry.is_regular_file()) files.insert(path);
  }
  const auto is_of_no_use = [&](const std::string& path) {
    if (!path.ends_with(journal_end)) return false;
    if (files.contains(path.substr(0, path.size() - std::string(journal_end).size()))) return true;
    try {
      const JournalContents contents = read_journal(path);
      if (contents.samples() > 0) return false;
      if (const std::string held = held_text(contents); !held.empty())
        caller.warn(path + ": " + held + ", and is left out");
    } catch (const Error& error) {
      caller.warn(error.what() + std::string(", and is left out"));
    }
    return true;
  };
  std::vector<std::string> parts;
  for (const std::string& path : files)
    if (!is_of_no_use(path)) parts.push_back(path);
  return parts;
}

std::vector<std::string> parts_given(const MergeOptions& options) {
  std::vector<std::string> parts;
  for (const std::string& given : options.parts) {
    std::error_code error;
    if (!fs::is_directory(given, error)) {
      parts.push_back(given);
      continue;
    }
    std::vector<std::string> in_folder;
    try {
      in_folder = parts_in(given, options.caller);
    } catch (const fs::filesystem_error& failure) {
      throw Error(Exit::input, given + ": cannot be read: " + failure.code().message());
    }
    if (in_folder.empty()) throw Error(Exit::input, given + ": there are no results in this folder");
    parts.insert(parts.end(), in_folder.begin(), in_folder.end());
  }
  return parts;
}

const char* is_or_are(std::uint64_t count) { return count == 1 ? "is" : "are"; }

/// Numbers as "3,17-19", as a job array takes them, and how many they are.
struct Ranges {
  std::string text;
  std::uint64_t count = 0;
};
/// Those below `end` for which `is_one`.
template <class IsOne>
Ranges ranges_of(std::uint64_t end, const IsOne& is_one) {
  Ranges ranges;
  for (std::uint64_t i = 0; i < end; ++i) {
    if (!is_one(i)) continue;
    const std::uint64_t first = i;
    while (i + 1 < end && is_one(i + 1)) ++i;
    ranges.count += i - first + 1;
    ranges.text += (ranges.text.empty() ? "" : ",") + std::to_string(first);
    if (i > first) ranges.text += "-" + std::to_string(i);
  }
  return ranges;
}

/// An arm while parts are added to it.
struct Whole {
  Arm arm;
  std::shared_ptr<MapStore> maps;
  std::shared_ptr<GateStore> gates, barriers;
  ForestCounts forest;
  std::vector<LinkedRows> linked;  // of each part, with --link
  std::vector<Whole> finer;
  // Of the parts that it is of.
  std::map<std::string, int> backends;
  std::set<std::string> devices;
  std::set<int> threads;
  double processor_s = 0;
  std::vector<bool> killed;  // by row: of journals alone; empty without these
};

/// The arm of that name, which is made if it is not there.
Whole& whole_of(std::vector<Whole>& among, const Arm& part) {
  const auto at = std::ranges::find(among, part.name, [](const Whole& whole) { return whole.arm.name; });
  if (at != among.end()) return *at;
  Arm& made = among.emplace_back().arm;
  made.name = part.name;
  made.scheme = part.scheme;
  made.step = part.step;
  made.changes = part.changes;
  return among.back();
}

/// `share` of its samples are not in other parts; of steps and times, which are of all of them, so much is taken.
void note_engine(const Arm& part, double share, Whole& whole) {
  constexpr std::string_view mixed = "mixed: ";
  std::istringstream backends(part.backend.starts_with(mixed) ? part.backend.substr(mixed.size())
                                                              : "1 " + part.backend);
  int count = 0;
  for (std::string name; backends >> count >> std::ws && std::getline(backends, name, ',');)
    whole.backends[name] += count;
  std::istringstream devices(part.device);
  for (std::string name; std::getline(devices >> std::ws, name, ',');) whole.devices.insert(name);
  whole.threads.insert(part.threads);
  whole.processor_s += share * part.wall_s * part.threads;
  whole.arm.wall_s += share * part.wall_s;
  whole.arm.longest_wall_s = std::max(whole.arm.longest_wall_s, longest_wall(part));
  whole.arm.sample_steps +=
      share < 1 ? static_cast<std::uint64_t>(share * static_cast<double>(part.sample_steps)) : part.sample_steps;
}

/// What the parts have in common, or "mixed: 992 pack, 8 cuda". Times add up; where numbers of threads differ they are
/// processor times, on one thread.
void name_engine(Whole& whole) {
  Arm& arm = whole.arm;
  std::vector<std::string> backends;
  for (const auto& [name, count] : whole.backends) backends.push_back(std::to_string(count) + " " + name);
  arm.backend = backends.size() == 1 ? whole.backends.begin()->first : "mixed: " + joined(backends);
  arm.device = joined({whole.devices.begin(), whole.devices.end()});
  arm.threads = whole.threads.size() == 1 ? *whole.threads.begin() : 1;
  if (whole.threads.size() > 1) arm.wall_s = whole.processor_s;
}

/// Adds what paths left, of samples that are new.
void add_paths(const Run& run, const Arm& part, Whole& whole) {
  const int replicates = run.sampling.replicates;
  if (part.maps) {
    if (!whole.maps)
      whole.maps = std::make_shared<MapStore>(run.spec.world.maps, run.maps, run.model->description, replicates);
    whole.maps->add(*part.maps);
  }
  const auto add = [&](std::shared_ptr<GateStore>& store, const GateStore::Lines& lines,
                       const std::shared_ptr<const GateStore>& more) {
    if (!store) store = GateStore::going_on(lines, nullptr, replicates);
    if (store && more) store->add(*more);
  };
  add(whole.gates, run.lines_of_gates(), part.gates);
  add(whole.barriers, run.lines_of_barriers(), part.barriers);
  if (part.forest) whole.forest.add(part.forest->counts);
}

/// The rows of a part that has been added, by all arms, also those that it does not have.
void add_link(Whole& whole, std::size_t parts, const LinkedRows& none) {
  while (whole.linked.size() < parts) whole.linked.push_back(none);
  for (Whole& finer : whole.finer) add_link(finer, parts, none);
}

class Merge {
 public:
  explicit Merge(const MergeOptions& options) : options_(options) {}

  void add(const std::string& file);
  /// Throws where samples are missing, or says how many with --partial.
  void require_all();
  /// Statistics of all, after the last part.
  void conclude();
  void write() const;
  /// Throws Error(Exit::failed) where a `strict` run has failed samples, after all has been printed.
  void print() const;

 private:
  struct Part {
    std::string file;
    std::uint64_t first, end;  // samples of its first arm
    std::optional<Shard> shard;
  };

  void require_same_run(const StoredResult& part, const std::string& file);
  void grow_to(const StoredResult& part, const std::string& file);
  void add_arm(const std::string& file, const StoredResult& part, const Arm& arm, const Arm* finer, Whole& whole);
  void add_rows(const std::string& file, const SummaryTable& from, Whole& whole) const;
  const std::shared_ptr<Run>& run_of(const Arm& arm, bool is_finer);
  Arm concluded(Whole& whole, bool is_finer);
  std::size_t finer_steps() const;
  bool has(const SampleRange& samples) const;
  std::string missing_text() const;
  std::string link_to(const std::string& file) const;

  const MergeOptions& options_;
  Run run_;
  std::string beside_;  // the result, where the table lies in a file beside it
  std::string run_xxh3_;
  std::vector<Whole> wholes_;
  std::map<std::pair<std::string, bool>, std::shared_ptr<Run>> runs_;  // by the name of an arm, and whether it is finer
  std::vector<Part> parts_;
  std::set<std::string> versions_;
  double longest_ = 0;  // s, of a part
  bool is_partial_ = false;
  std::vector<std::string> damages_, of_parts_;  // what the parts warn of: what they lack, and all
  std::vector<Arm> arms_;
  Evaluation evaluation_;
};

void Merge::require_same_run(const StoredResult& part, const std::string& file) {
  const std::string xxh3 = run_xxh3(part.run, part.arms);
  if (parts_.empty()) run_xxh3_ = xxh3;
  const auto name = [](const Whole& whole) { return whole.arm.name; };
  if (xxh3 != run_xxh3_ || (!parts_.empty() && !std::ranges::equal(part.arms, wholes_, {}, &Arm::name, name)))
    throw Error(Exit::input, file + ": is of another run than " + parts_[0].file +
                                 ": config, its changes, input files, arms, steps or columns differ");
}

/// Room for all samples of the run, which a part may say are more than the parts before said.
void Merge::grow_to(const StoredResult& part, const std::string& file) {
  if (!parts_.empty() && part.run.samples_of_run <= run_.samples) return;
  Arm plain;
  plain.scheme = part.arms[0].scheme;
  // What is compared lies in memory, as where one process made it.
  const auto has_finer = [](const Whole& whole) { return !whole.finer.empty(); };
  beside_ = part.arms.size() == 1 && part.arms[0].finer.empty() && std::ranges::none_of(wholes_, has_finer)
                ? options_.output
                : "";
  run_ = run_again(file, part, plain, {}, [&](const Run& run) {
    Work work = work_of(run);
    work.samples = static_cast<double>(run.samples * part.arms.size());
    work.compared = beside_.empty() ? 2 : 1;
    require_memory(run, work, beside_);
  });
  if (!lies_in_file(run_, beside_)) beside_.clear();
  if (run_.samples != part.run.samples_of_run)
    throw Error(Exit::input, file + ": is of " + std::to_string(part.run.samples_of_run) + " samples, its config has " +
                                 std::to_string(run_.samples));
  runs_.clear();
}

const std::shared_ptr<Run>& Merge::run_of(const Arm& arm, bool is_finer) {
  std::shared_ptr<Run>& run = runs_[{arm.name, is_finer}];
  if (!run) run = std::make_shared<Run>(run_of_arm(run_, arm, is_finer));
  return run;
}

void Merge::add_rows(const std::string& file, const SummaryTable& from, Whole& whole) const {
  SummaryTable& to = whole.arm.table;
  if (from.samples == 0) return;
  if (!to.has(from.first) || !to.has(from.number(from.samples - 1)))
    throw Error(Exit::input, file + ": has samples that the run does not have");
  const std::uint64_t before = to.row(from.first);
  std::uint64_t different = no_row;
  for (std::size_t c = 0; c < from.description->columns.size(); ++c) {
    double* const values = to.values.data() + c * to.samples + before;
    for (std::uint64_t i = 0; i < from.samples; ++i) {
      if (!from.is_finished(i)) continue;
      const double value = from.at(static_cast<int>(c), i);
      if (to.is_finished(before + i) && !same_bits(values[i], value)) different = std::min(different, i);
      values[i] = value;
    }
  }
  for (std::uint64_t i = 0; i < from.samples; ++i) {
    if (!from.is_finished(i)) continue;
    std::uint32_t& status = to.status[before + i];
    if (to.is_finished(before + i) && status != from.status[i]) different = std::min(different, i);
    status = from.status[i];
  }
  to.release(before, from.samples);
  to.count_part(from);
  if (different == no_row) return;
  const std::uint64_t sample = from.number(different);
  const auto other = std::ranges::find_if(parts_, [&](const Part& p) { return sample >= p.first && sample < p.end; });
  throw Error(Exit::input, file + ": has sample " + std::to_string(sample) + " (" + whole.arm.name + ") with other " +
                               "bits than " + (other == parts_.end() ? "another part" : other->file));
}

void Merge::add_arm(const std::string& file, const StoredResult& part, const Arm& arm, const Arm* finer, Whole& whole) {
  const Arm& stored = finer ? *finer : arm;
  const Run& run = *run_of(stored, finer != nullptr);
  Arm own = finished_of(file, group_of(part.arms, arm.name, finer ? finer->name : ""), stored, run);
  own.table.count_finished();
  SummaryTable& table = whole.arm.table;
  if (table.samples < run.samples) table = grown(table, run.model->description, run.samples, beside_);
  const bool was_killed = is_journal(file);
  if (was_killed || !whole.killed.empty()) whole.killed.resize(table.samples);
  std::uint64_t finished = 0, added = 0;
  for (std::uint64_t i = 0; i < own.table.samples; ++i) {
    if (!own.table.is_finished(i)) continue;
    ++finished;
    if (!table.has(own.table.number(i))) continue;
    const std::uint64_t row = table.row(own.table.number(i));
    const bool is_new = !table.is_finished(row);
    added += is_new;
    if (!whole.killed.empty()) whole.killed[row] = was_killed && (is_new || whole.killed[row]);
  }
  if (run.is_watched() && added > 0 && added < finished)
    throw Error(Exit::input, file + ": has " + std::to_string(finished - added) +
                                 " samples that other parts have too, and maps, gates, barriers or a forest would "
                                 "count them twice");
  if (options_.check > 0) require_same_bits(file, own, version_of(part), run, options_.check, options_.caller);
  if (options_.link && added > 0 && added < finished)
    throw Error(Exit::input, file + ": has samples that other parts have too, so that --link cannot lead to both");
  add_rows(file, own.table, whole);
  if (added == 0) return;
  if (options_.link) {
    // Of those that were put together before each has rows for all samples.
    const std::uint64_t first = own.table.first, end = first + own.table.samples;
    for (const LinkedRows& other : whole.linked)
      if (other.count > 0 && first < other.first + other.count && other.first < end)
        throw Error(Exit::input,
                    file + ": has room for samples of " + other.file + ", so that --link cannot lead to both");
    add_link(whole, parts_.size(), {});
    whole.linked.push_back({link_to(file), digests_of(part.arms), own.table.first, own.table.samples});
  }
  note_engine(stored, static_cast<double>(added) / static_cast<double>(finished), whole);
  add_paths(run, own, whole);
}

/// A part by its name relative to the folder of the result.
std::string Merge::link_to(const std::string& file) const {
  const fs::path folder = fs::absolute(options_.output).lexically_normal().parent_path();
  const std::string name = fs::absolute(file).lexically_normal().lexically_relative(folder).string();
  if (is_journal(file)) throw Error(Exit::usage, "--link leads to results, " + file + " is a journal");
  if (name.empty() || name.starts_with("..") || name.find('/') == std::string::npos)
    throw Error(Exit::usage, "--link leads to parts in folders beside the result, " + file + " is not in one");
  return name;
}

void Merge::add(const std::string& file) {
  StoredResult part = read_result(file, false);
  const std::string link = options_.link ? link_to(file) : "";
  if (options_.link && part.linked_parts > 0)
    throw Error(Exit::usage, "--link leads to parts that have their samples, those of " + file + " lie in others");
  if (!part.damage.empty()) {
    options_.caller.warn(part.damage);
    damages_.push_back(part.damage);
  }
  of_parts_.insert(of_parts_.end(), part.run.warnings.begin(), part.run.warnings.end());
  const SummaryTable& table = part.arms[0].table;
  for (const Arm& arm : part.arms)
    if (arm.table.samples != table.samples || arm.table.first != table.first)
      throw Error(Exit::input, file + ": has arms of different samples");
  part.run.overlays = overlays_without_shard(part.run.overlays);
  if (!part.sensitivity.empty())
    options_.caller.note(file + ": its table over " + part.run.sensitivity.key + " is of no shard, and is left out");
  if (std::ranges::any_of(part.arms, [](const Arm& arm) { return !arm.until.looks.empty(); }))
    options_.caller.note(file + ": what --until looked at is of no shard, and is left out");
  require_same_run(part, file);
  grow_to(part, file);
  double seconds = 0;
  for (const Arm& arm : part.arms) {
    Whole& whole = whole_of(wholes_, arm);
    seconds += arm.wall_s;
    add_arm(file, part, arm, nullptr, whole);
    whole.arm.finer_steps = std::max(whole.arm.finer_steps, arm.finer_steps);
    whole.arm.finer_samples = std::max(whole.arm.finer_samples, arm.finer_samples);
    for (const Arm& finer : arm.finer) {
      seconds += finer.wall_s;
      add_arm(file, part, arm, &finer, whole_of(whole.finer, finer));
    }
  }
  longest_ = std::max(longest_, seconds);
  versions_.insert(version_of(part));
  if (options_.link)
    for (Whole& whole : wholes_) add_link(whole, parts_.size() + 1, {link, digests_of(part.arms), 0, 0});
  parts_.push_back({file, table.first, table.number(table.samples), part.run.shard});
}

/// Of each arm, at how many finer steps there are to be samples: as many as another has.
std::size_t Merge::finer_steps() const {
  std::size_t steps = 0;
  for (const Whole& whole : wholes_) steps = std::max({steps, whole.finer.size(), whole.arm.finer_steps});
  return steps;
}

/// Whether all arms have all of these samples, also at finer steps.
bool Merge::has(const SampleRange& samples) const {
  const auto is_there = [&](const Whole& whole, std::uint64_t of) {
    for (std::uint64_t i = samples.first; i < std::min(samples.end, of); ++i)
      if (i >= whole.arm.table.samples || !whole.arm.table.is_finished(i)) return false;
    return true;
  };
  return std::ranges::all_of(wholes_, [&](const Whole& whole) {
    return is_there(whole, whole.arm.table.samples) && whole.finer.size() == finer_steps() &&
           std::ranges::all_of(whole.finer, [&](const Whole& finer) {
             return is_there(finer, std::max(finer.arm.table.samples, whole.arm.finer_samples));
           });
  });
}

/// Which shards are missing or not finished, or else which samples.
std::string Merge::missing_text() const {
  std::optional<Shard> of;
  bool alike = true;
  for (const Part& part : parts_) {
    if (!part.shard) continue;
    if (!of) of = part.shard;
    alike = alike && part.shard->of == of->of && part.shard->from == of->from;
  }
  if (of && alike) {
    const Ranges missing = ranges_of(of->of, [&](std::uint64_t i) {
      return !has(samples_of({i, of->of, of->from}, run_.samples));
    });
    if (missing.count > 0)
      return std::to_string(missing.count) + " of " + std::to_string(of->of) + " shards " + is_or_are(missing.count) +
             " missing or not finished: " + missing.text;
  }
  for (const Whole& whole : wholes_) {
    const SummaryTable& table = whole.arm.table;
    const Ranges missing = ranges_of(table.samples, [&](std::uint64_t i) { return !table.is_finished(i); });
    if (missing.count > 0)
      return std::to_string(missing.count) + " of " + std::to_string(table.samples) + " samples " +
             is_or_are(missing.count) + " missing: " + missing.text;
  }
  return "samples at finer steps are missing";
}

void Merge::require_all() {
  const auto first_unfinished = [](Whole& whole) {
    return std::ranges::find_if(whole.finer, [&](const Whole& at) {
      return unfinished_samples(at.arm) > 0 || at.arm.table.samples < whole.arm.finer_samples;
    });
  };
  const std::size_t steps = finer_steps();
  is_partial_ = std::ranges::any_of(wholes_, [&](Whole& whole) {
    return unfinished_samples(whole.arm) > 0 || first_unfinished(whole) != whole.finer.end() ||
           whole.finer.size() < steps;
  });
  if (!is_partial_) return;
  const std::string text = joined(options_.parts) + ": " + missing_text();
  if (!options_.partial)
    throw Error(Exit::input, text + "; their commands with --resume make them, --partial leaves them out");
  options_.caller.warn(text);
  bool lacks_finer = false;
  for (Whole& whole : wholes_) {
    whole.finer.erase(first_unfinished(whole), whole.finer.end());
    lacks_finer = lacks_finer || whole.finer.size() < steps;
  }
  if (lacks_finer) options_.caller.warn("finer steps that not all samples were run at are left out");
}

Arm Merge::concluded(Whole& whole, bool is_finer) {
  name_engine(whole);
  const std::shared_ptr<Run>& run = run_of(whole.arm, is_finer);
  Arm& arm = whole.arm;
  arm.maps = std::move(whole.maps);
  arm.gates = std::move(whole.gates);
  arm.barriers = std::move(whole.barriers);
  if (!run->forest.empty()) arm.forest = forest_facts(run->forest, whole.forest, run->sampling.replicates);
  arm.linked = std::move(whole.linked);
  if (draws_otherwise(arm)) arm.run = run;
  Arm made = scree::conclude(*run, std::move(arm), available_threads());
  for (Whole& finer : whole.finer) made.finer.push_back(concluded(finer, true));
  return made;
}

void Merge::conclude() {
  std::uint64_t killed = 0, counting = 0;
  for (Whole& whole : wholes_) {
    arms_.push_back(concluded(whole, false));
    const SummaryTable& table = arms_.back().table;
    // What paths leave is of all that are finished.
    const auto is_in = [&](std::uint64_t row) {
      return run_.is_watched() ? table.is_finished(row) : table.is_in_statistics(row);
    };
    counting += run_.is_watched() ? table.samples - unfinished_samples(arms_.back()) : table.counted_samples();
    for (std::uint64_t row = 0; row < whole.killed.size(); ++row) killed += whole.killed[row] && is_in(row);
  }
  wholes_.clear();
  evaluation_ = evaluate_in_words(run_, arms_, available_threads());
  if (is_partial_) {
    run_.warnings.insert(run_.warnings.end(), damages_.begin(), damages_.end());
    // Of one that was put together of killed parts itself.
    for (const std::string& warning : of_parts_)
      if (std::ranges::find(run_.warnings, warning) == run_.warnings.end()) {
        run_.warnings.push_back(warning);
        options_.caller.warn(warning);
      }
  }
  if (killed > 0 && is_partial_) {
    run_.warnings.push_back(
        counted(killed, "sample", "samples") + " of " + std::to_string(counting) + " in the statistics " +
        is_or_are(killed) +
        " of parts that were killed; where such a part had only begun, it has those that end early: "
        "--resume finishes it");
    options_.caller.warn(run_.warnings.back());
  }
  const std::string own = SCREE_VERSION " (commit " SCREE_COMMIT ")";
  if (versions_ == std::set<std::string>{own}) return;
  run_.warnings.push_back("its parts were made by scree " + joined({versions_.begin(), versions_.end()}) +
                          ", and put together by " + own);
}

void Merge::write() const {
  const bool is_study = arms_.size() > 1 || !arms_[0].finer.empty();
  write_result(options_.output, run_, arms_, options_.force, is_study ? &evaluation_ : nullptr);
}

void Merge::print() const {
  if (options_.take) {
    options_.take(found_in(options_.output, options_.command));
  } else if (options_.json) {
    Json json = scree::json_of(options_.command);
    json["run"] = run_json(run_, *arms_[0].table.description);
    add_arms(json, run_, arms_, evaluation_);
    std::cout << json_text(json, 2) << '\n';
  } else {
    print_arms(std::cout, run_, arms_, evaluation_, {options_.all, wants_colour(STDOUT_FILENO), options_.output});
  }
  std::cout.flush();
  options_.caller.note("result: " + options_.output + ", of " + std::to_string(parts_.size()) +
                       (parts_.size() == 1 ? " part" : " parts") + ", the longest took " + short_number(longest_) +
                       " s");
  if (const std::string failed = strict_failure(run_, arms_); !failed.empty()) throw Error(Exit::failed, failed);
}

}  // namespace

Exit merge_command(const MergeOptions& options) {
  const std::vector<std::string> parts = parts_given(options);
  if (parts.empty()) throw Error(Exit::usage, "merge: there are no parts to put together");
  if (options.link && parts.size() > most_links)
    throw Error(Exit::usage, "--link leads to at most " + std::to_string(most_links) + " parts, these are " +
                                 std::to_string(parts.size()) + "; without it there may be any number");
  std::optional<Journal> lock;
  if (!options.is_locked) {
    // With --force a result may be put together with what extends it, but where it leads to that.
    check_output(options.output, options.force, options.force && !options.link ? std::vector<std::string>{} : parts);
    lock.emplace(options.output, 0, options.force, options.caller);
    const std::string held = held_text(lock->found());
    if (!held.empty() && !options.force)
      throw Error(Exit::usage, lock->path() + ": " + held + ", which --force would replace");
    // So that another that would write it can say by whom it is written. What --force replaces stays until it is.
    if (!lock->holds_something()) {
      JournalHead head;
      head.command = options.command;
      head.config_path = parts.front();
      lock->begin(std::move(head));
    }
  }
  Merge merge(options);
  const auto require_no_end = [&] {
    if (options.while_waiting) options.while_waiting();
    if (options.caller.asks_for_end())
      throw Error(Exit::interrupted, "interrupted: " + options.output + " is not written");
  };
  {
    const Stop::Accepting accepting(*options.caller.stop, "ending after the part in hand");
    for (const std::string& part : parts) {
      merge.add(part);
      require_no_end();
    }
  }
  {
    const Stop::Accepting accepting(*options.caller.stop, "writing the result");
    merge.require_all();
    merge.conclude();
    merge.write();
    if (lock) lock->remove();
  }
  merge.print();
  return Exit::ok;
}

}  // namespace scree
