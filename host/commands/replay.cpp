#include "replay.hpp"

#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <optional>
#include <ostream>
#include <utility>

#include "host/common/csv.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/common/version.hpp"
#include "host/journal/journal.hpp"
#include "host/results/hdf5.hpp"
#include "host/results/inputs.hpp"
#include "host/results/output.hpp"
#include "host/results/result_file.hpp"
#include "host/results/stored_run.hpp"
#include "replay_samples.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// What replay is given, whether it came as a config or as a result.
struct Origin {
  Run run;
  std::optional<StoredResult> stored;
  const Arm* arm = nullptr;  // of the result
  std::string scheme;
};

/// The scheme, or of a result the arm, that is wanted among those that are there.
std::string choose_scheme(const std::string& file, const std::vector<std::string>& schemes, const std::string& wanted) {
  if (wanted.empty() && schemes.size() > 1)
    throw Error(Exit::usage, file + ": has the schemes " + joined(schemes) + "; choose one with --scheme");
  if (wanted.empty()) return schemes.front();
  if (std::find(schemes.begin(), schemes.end(), wanted) == schemes.end())
    throw Error(Exit::usage, file + ": --scheme " + wanted + suggestion(wanted, schemes));
  return wanted;
}

/// The arm of this name, at its own step or at a finer one; null if there is none.
const Arm* find_arm(const std::vector<Arm>& arms, const std::string& name) {
  for (const Arm& arm : arms) {
    if (arm.name == name) return &arm;
    if (const Arm* finer = find_arm(arm.finer, name)) return finer;
  }
  return nullptr;
}

Origin open_origin(const ReplayOptions& options) {
  Origin origin;
  std::error_code ignored;
  const h5::Session session;
  // A result whose first bytes are damaged is one by its name.
  if (fs::is_regular_file(options.file, ignored) &&
      (options.file.ends_with(".h5") || H5Fis_hdf5(options.file.c_str()) > 0 || is_journal(options.file))) {
    if (!options.sets.empty() || options.overrides.samples || options.overrides.seed)
      throw Error(Exit::usage,
                  options.file + ": a result is replayed as it was made, without --set, --samples N and --seed");
    origin.stored = read_result(options.file, true, options.anyway);
    if (!origin.stored->damage.empty()) options.caller.warn(origin.stored->damage);
    std::vector<std::string> names;
    for (const Arm& arm : origin.stored->arms) names.push_back(arm.name);
    origin.arm = options.scheme.empty() ? nullptr : find_arm(origin.stored->arms, options.scheme);
    if (!origin.arm) origin.arm = find_arm(origin.stored->arms, choose_scheme(options.file, names, options.scheme));
    origin.run = run_again(options.file, *origin.stored, *origin.arm);
    warn_of_far_inputs(options.file, origin.run, options.caller);
    origin.scheme = origin.arm->scheme;
  } else {
    origin.run = load_run(options.file, options.sets, options.overrides);
    // A config may be replayed under any scheme of its system, a result under those that it holds.
    const std::vector<std::string> known =
        options.scheme.empty() ? origin.run.schemes : origin.run.model->description.scheme_names();
    origin.scheme = choose_scheme(options.file, known, options.scheme);
  }
  return origin;
}

using Columns = std::vector<Column>;

std::string name_of(const Column& column) { return column.name + " [" + column.unit + "]"; }

void add_row(std::string& text, const Path& path, std::size_t row, std::size_t first) {
  for (std::size_t c = first; c < path.columns; ++c) text += (c ? "," : "") + csv_number(path.at(row, c));
}

/// The path of one sample.
void write_csv(std::ostream& out, const Columns& columns, const Path& path, const Caller& caller) {
  for (std::size_t c = 0; c < columns.size(); ++c) out << (c ? "," : "") << name_of(columns[c]);
  out << '\n';
  std::string text;
  for (std::size_t row = 0; row < path.rows(); ++row) {
    text.clear();
    add_row(text, path, row, 0);
    out << text << '\n';
    if (row % 1024 == 0) stop_if_asked(caller, 0, 1);
  }
}

/// The header of many paths, or of events.
std::string csv_header(const Columns& columns, bool events) {
  std::string text = "sample," + name_of(columns[0]) + (events ? ",event,body" : "");
  for (std::size_t c = 1; c < columns.size(); ++c) text += "," + name_of(columns[c]);
  return text + "\n";
}

/// The lines of one of them.
std::string csv_lines(const Path& path) {
  const std::string sample = std::to_string(path.sample) + ",";
  std::string text;
  for (std::size_t row = 0; row < path.rows(); ++row) {
    text += sample + csv_number(path.at(row, 0));
    if (!path.events.empty()) {
      const int body = path.bodies[row];
      text += std::string(",") + event_names[static_cast<std::size_t>(path.events[row])] + "," +
              (body < 0 ? "" : std::to_string(body));
    }
    add_row(text, path, row, 1);
    text += '\n';
  }
  return text;
}

/// One column of a path.
std::vector<double> values_of(const Path& path, std::size_t column) {
  std::vector<double> values(path.rows());
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = path.at(row, column);
  return values;
}

void text_attribute(hid_t object, const char* key, const std::string& value) {
  h5::write_attribute(object, key, value);
}

void write_origin(hid_t file, const Origin& origin, const std::string& title) {
  const Run& run = origin.run;
  text_attribute(file, "Conventions", "CF-1.8");
  text_attribute(file, "title", "Scree: " + title + " of " + run.model->description.system);
  text_attribute(file, "program_version", SCREE_VERSION);
  text_attribute(file, "commit", SCREE_COMMIT);
  text_attribute(file, "system", run.model->description.system);
  text_attribute(file, "scheme", origin.scheme);
}

void write_config(hid_t file, const Run& run) {
  text_attribute(file, "config_path", fs::absolute(run.config_path).lexically_normal().string());
  text_attribute(file, "config_text", run.config_text);
  h5::write_attribute(file, "config_overlays", std::span<const std::string>(run.overlays));
}

void write_steps(hid_t file, const Run& run, const Spacing& every) {
  h5::write_attribute(file, "seed", run.spec.seed);
  h5::write_attribute(file, "step", run.spec.world.step);
  if (every.seconds > 0)
    h5::write_attribute(file, "every_seconds", every.seconds);
  else
    h5::write_attribute(file, "every", every.steps);
}

void describe(hid_t array, const Column& column) {
  text_attribute(array, "units", column.unit);
  text_attribute(array, "long_name", column.meaning);
}

/// The path of one sample.
void write_h5(const std::string& name, const Origin& origin, const ReplayOptions& options, const Columns& columns,
              const Path& path) {
  h5::Handle file = h5::create_file(name);
  write_origin(file, origin, "path of one sample");
  h5::write_attribute(file, "sample", path.sample);
  write_steps(file, origin.run, options.every);
  text_attribute(file, "status", status_names[path.result.status]);
  write_config(file, origin.run);
  write_inputs(file, origin.run, std::span(&path.sample, 1));
  const hsize_t dims[] = {path.rows()};
  h5::Handle time;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    stop_if_asked(options.caller, 0, 1);
    h5::Handle array = h5::write_array(file, columns[c].name, dims, values_of(path, c));
    describe(array, columns[c]);
    if (c == 0) {
      h5::make_coordinate(array, "time");
      time = std::move(array);
    } else {
      h5::label(array, 0, time);
    }
  }
  time.close();
  file.close();
}

/// Many paths as CF's contiguous ragged array: the rows of all one after the other along `obs`, `row_size` of them of
/// each `sample`. Of events, the group `events`: a row each along `row`, with its sample.
class PathsFile {
 public:
  PathsFile(const std::string& name, const Origin& origin, const ReplayOptions& options, const Columns& columns,
            std::size_t all)
      : file_(h5::create_file(name)), run_(origin.run), caller_(options.caller), events_(options.events), all_(all) {
    write_origin(file_, origin, (events_ ? "events of " : "paths of ") + std::to_string(all) + " samples");
    if (events_) {
      h5::write_attribute(file_, "seed", origin.run.spec.seed);
      h5::write_attribute(file_, "step", origin.run.spec.world.step);
    } else {
      text_attribute(file_, "featureType", "trajectory");
      write_steps(file_, origin.run, options.every);
    }
    write_config(file_, origin.run);
    status_type_ = h5::enumeration(status_names);
    h5::commit(file_, "status_type", status_type_);
    if (events_) {
      group_ = h5::create_group(file_, "events");
      event_type_ = h5::enumeration(event_names);
      h5::commit(group_, "event_type", event_type_);
      sample_ = grow("sample", H5T_STD_I64LE, "number of the sample, as replay --sample takes it");
      event_ = grow("event", event_type_, "what happened in the step that ended then");
      body_ = grow("body", H5T_STD_I32LE, "the body that it happened to, as the columns count them; -1: the sample");
    }
    for (const Column& column : columns) {
      arrays_.emplace_back(rows_in(), column.name, H5T_IEEE_F64LE);
      describe(arrays_.back(), column);
      if (arrays_.size() > 1) text_attribute(arrays_.back(), "coordinates", "time");
    }
  }

  void add(const Path& path) {
    for (std::size_t c = 0; c < arrays_.size(); ++c) {
      stop_if_asked(caller_, samples_.size(), all_);
      arrays_[c].append(values_of(path, c));
    }
    if (events_) {
      const std::vector<std::int64_t> sample(path.rows(), static_cast<std::int64_t>(path.sample));
      sample_->append(sample.size(), H5T_NATIVE_INT64, sample.data());
      event_->append(path.events.size(), event_type_, path.events.data());
      body_->append(path.bodies.size(), H5T_NATIVE_INT, path.bodies.data());
    }
    samples_.push_back(static_cast<std::int64_t>(path.sample));
    sizes_.push_back(static_cast<std::int64_t>(path.rows()));
    status_.push_back(path.result.status);
    rows_ += path.rows();
  }

  void close() {
    const hsize_t dims[] = {samples_.size()};
    {
      write_inputs(file_, run_, std::vector<std::uint64_t>(samples_.begin(), samples_.end()));
      const h5::Handle sample = h5::write_array(file_, "sample", dims, samples_);
      h5::make_coordinate(sample, "sample");
      text_attribute(sample, "long_name", "number of the sample, as replay --sample takes it");
      if (!events_) text_attribute(sample, "cf_role", "trajectory_id");
      const h5::Handle size = h5::write_array(file_, "row_size", dims, sizes_);
      text_attribute(size, "long_name", events_ ? "events of the sample" : "rows of the sample");
      if (!events_) text_attribute(size, "sample_dimension", "obs");
      h5::label(size, 0, sample);
      const h5::Handle status = h5::write_array(file_, "status", dims, status_type_, status_type_, status_.data());
      text_attribute(status, "long_name", "why the sample ended");
      h5::write_flags(status, std::vector<std::string>(status_names, status_names + status_count));
      h5::label(status, 0, sample);
      const h5::Handle rows = h5::write_dimension(rows_in(), events_ ? "row" : "obs", rows_);
      for (const h5::Growing& array : arrays_) h5::label(array, 0, rows);
      for (const auto* array : {&sample_, &event_, &body_})
        if (*array) h5::label(**array, 0, rows);
    }
    arrays_.clear();
    sample_.reset();
    event_.reset();
    body_.reset();
    status_type_.close();
    event_type_.close();
    group_.close();
    file_.close();
  }

 private:
  hid_t rows_in() const { return events_ ? group_ : file_; }
  h5::Growing grow(const char* name, hid_t type, const char* meaning) {
    h5::Growing array(group_, name, type);
    text_attribute(array, "long_name", meaning);
    return array;
  }

  h5::Handle file_, group_, status_type_, event_type_;
  const Run& run_;
  const Caller& caller_;
  bool events_;
  std::size_t all_;
  std::vector<h5::Growing> arrays_;
  std::optional<h5::Growing> sample_, event_, body_;
  std::vector<std::int64_t> samples_, sizes_;
  std::vector<std::uint32_t> status_;
  hsize_t rows_ = 0;
};

/// Calls write(stream) with the file's or stdout.
void to_stream(const ReplayOptions& options, const std::function<void(std::ostream&)>& write) {
  if (options.output.empty()) return write(std::cout);
  const auto write_file = [&](const std::string& name) {
    std::ofstream out(name);
    write(out);
    if (!out.flush()) throw std::runtime_error("the disk is full or the folder cannot be written");
  };
  write_renamed(options.output, write_file);
}

/// What the samples draw, a line each; names where the config has names.
void write_inputs_csv(std::ostream& out, const Run& run, std::span<const std::uint64_t> samples, const Caller& caller) {
  out << "sample";
  for (const Input& input : run.varied)
    out << ',' << (input.choices.empty() ? input.name + " [" + input.unit + "]" : input.name);
  out << '\n';
  for (std::size_t first = 0; first < samples.size(); first += 1024) {
    stop_if_asked(caller, first, samples.size());
    const auto block = samples.subspan(first, std::min<std::size_t>(1024, samples.size() - first));
    const std::vector<double> values = draw_inputs(run, block);
    for (std::size_t i = 0; i < block.size(); ++i) {
      out << block[i];
      for (std::size_t k = 0; k < run.varied.size(); ++k)
        out << ',' << csv_text(run.varied[k].text(values[k * block.size() + i]));
      out << '\n';
    }
  }
}

void write_all_inputs(const Origin& origin, const ReplayOptions& options, std::span<const std::uint64_t> samples) {
  const h5::Session session;
  if (!options.output.ends_with(".h5"))
    return to_stream(options, [&](std::ostream& out) { write_inputs_csv(out, origin.run, samples, options.caller); });
  const auto write = [&](const std::string& name) {
    h5::Handle file = h5::create_file(name);
    write_origin(file, origin, "inputs of " + std::to_string(samples.size()) + " samples");
    h5::write_attribute(file, "seed", origin.run.spec.seed);
    write_config(file, origin.run);
    write_inputs(file, origin.run, samples, origin.run.varied.size());
    file.close();
  };
  write_renamed(options.output, write);
}

/// "start.speed = 3.217 m/s, rock.ground = soft": what a sample draws, as far as a line or two have room for it.
std::string inputs_text(const Run& run, std::uint64_t sample) {
  constexpr std::size_t shown = 24;
  const std::vector<double> values = draw_inputs(run, std::span(&sample, 1));
  std::string text;
  for (std::size_t k = 0; k < std::min(shown, values.size()); ++k) {
    const Input& input = run.varied[k];
    text += (k ? ", " : "") + input.name + " = " +
            (input.choices.empty() ? short_number(values[k]) : input.text(values[k])) +
            (input.unit.empty() || input.unit == "1" ? "" : " " + input.unit);
  }
  return text + (values.size() > shown ? ", and " + std::to_string(values.size() - shown) + " more" : "");
}

/// What is said on stderr, and compared with a stored result, when all is written.
class Account {
 public:
  Account(const Origin& origin, const ReplayOptions& options, std::size_t all)
      : origin_(origin), options_(options), all_(all) {}

  /// How a sample differs from the stored one; empty if it does not, or none is stored.
  std::string difference(const Path& path) const {
    if (!origin_.arm || !was_run(path)) return "";
    return differences(*origin_.arm, path.sample, origin_.run.model->description, path.result);
  }
  void add(const Path& path) {
    ++statuses_[path.result.status];
    rows_ += path.rows();
    last_ = path.sample;
    if (path.rows() > 0) last_time_ = path.at(path.rows() - 1, 0);
    if (origin_.arm && !was_run(path)) ++not_run_;
    if (!path.different.empty() && ++different_ == 1) {
      first_different_ = path.sample;
      difference_ = path.different;
    }
  }
  void say_what_was_replayed() const {
    std::string ends;
    for (std::size_t s = 0; s < statuses_.size(); ++s)
      if (statuses_[s] > 0)
        ends += (ends.empty() ? "" : ", ") + (one() ? "" : std::to_string(statuses_[s]) + " ") + status_names[s];
    if (one()) ends += " after " + number_text(rounded(last_time_)) + " s";
    const char* const what = options_.events ? (rows_ == 1 ? " event" : " events") : " rows";
    const Caller& caller = options_.caller;
    caller.note(subject(origin_.scheme) + ": " + ends + ", " + std::to_string(rows_) + what +
                (options_.output.empty() ? "" : " in " + options_.output));
    if (one() && !origin_.run.varied.empty())
      for (const std::string& line : wrapped("drawn: " + inputs_text(origin_.run, last_), 2)) caller.note(line);
  }
  Exit compared() const {
    if (!origin_.stored) return Exit::ok;
    const std::string name = subject(origin_.arm->name);
    if (not_run_ > 0)
      options_.caller.warn((one() ? name : std::to_string(not_run_) + " of " + name) +
                           (not_run_ == 1 ? " was" : " were") + " not run before " + options_.file +
                           " was interrupted: there is nothing to compare with");
    if (different_ > 0) {
      const std::string program =
          options_.file + " (scree " + origin_.stored->program_version + ", commit " + origin_.stored->commit + ")";
      throw Error(Exit::failed, one() ? name + " differs from " + program + ": " + difference_
                                      : std::to_string(different_) + " of " + name + " differ from " + program +
                                            ", first sample " + std::to_string(first_different_) + ": " + difference_);
    }
    if (not_run_ < all_)
      options_.caller.note((one() || not_run_ == 0 ? name : "the other " + std::to_string(all_ - not_run_)) +
                           ": status and " + std::to_string(origin_.arm->table.description->columns.size()) +
                           " columns equal those of " + options_.file + " bit for bit");
    return Exit::ok;
  }

 private:
  bool one() const { return all_ == 1; }
  /// "sample 7 (implicit)" or "1000 samples (implicit)"
  std::string subject(const std::string& arm) const {
    return (one() ? "sample " + std::to_string(last_) : std::to_string(all_) + " samples") + " (" + arm + ")";
  }
  bool was_run(const Path& path) const { return origin_.arm->table.is_finished(origin_.arm->table.row(path.sample)); }

  const Origin& origin_;
  const ReplayOptions& options_;
  std::size_t all_, rows_ = 0, not_run_ = 0, different_ = 0;
  std::array<std::size_t, status_count> statuses_{};
  std::uint64_t last_ = 0, first_different_ = 0;
  double last_time_ = 0;
  std::string difference_;
};

/// Replays and writes; `account` learns of each sample.
void write_paths(const Origin& origin, const ReplayOptions& options, const Replay& replay, Account& account) {
  const Columns columns = path_columns(origin.run);
  const bool one = options.samples->single() && !options.events, hdf5 = options.output.ends_with(".h5");
  const auto compare = [&](Path& path) { path.different = account.difference(path); };
  const h5::Session session;
  if (one) {
    Path path;
    replay_samples(replay, compare, [&](Path& replayed) { path = std::move(replayed); });
    account.add(path);
    if (hdf5)
      write_renamed(options.output, [&](const std::string& name) { write_h5(name, origin, options, columns, path); });
    else
      to_stream(options, [&](std::ostream& out) { write_csv(out, columns, path, options.caller); });
  } else if (hdf5) {
    const auto write = [&](const std::string& name) {
      PathsFile file(name, origin, options, columns, replay.samples.size());
      replay_samples(replay, compare, [&](const Path& path) {
        file.add(path);
        account.add(path);
      });
      file.close();
    };
    write_renamed(options.output, write);
  } else {
    const auto finish = [&](Path& path) {
      compare(path);
      path.text = csv_lines(path);
    };
    to_stream(options, [&](std::ostream& out) {
      out << csv_header(columns, options.events);
      replay_samples(replay, finish, [&](const Path& path) {
        out << path.text;
        account.add(path);
      });
    });
  }
}

}  // namespace

Exit replay_command(const ReplayOptions& options) {
  if (!options.samples) throw Error(Exit::usage, "replay: --sample is required; see scree replay --help");
  if (options.events && options.spaced)
    throw Error(Exit::usage,
                "replay: --events takes the place of rows, so --every has no meaning; see scree replay --help");
  if (options.inputs && (options.events || options.spaced))
    throw Error(Exit::usage,
                "replay: --inputs shows what samples draw, without a step, so --events and --every have no meaning; "
                "see scree replay --help");
  if (!options.output.empty()) {
    if (!options.output.ends_with(".csv") && !options.output.ends_with(".h5"))
      throw Error(Exit::usage, options.output + ": a path is written as .csv or .h5");
  }
  const Origin origin = open_origin(options);
  const std::vector<std::uint64_t> samples =
      origin.arm ? selected(options.file, *options.samples, origin.arm->table.first, origin.arm->table.samples)
                 : selected(options.file, *options.samples, origin.run.first, origin.run.samples);
  if (!options.output.empty()) {
    std::vector<std::string> read = files_read(origin.run);
    read.push_back(options.file);
    check_output(options.output, options.force, read);
  }
  for (const std::string& warning : origin.run.warnings) options.caller.warn(warning);
  if (options.inputs) {
    const Stop::Accepting accepting(*options.caller.stop, nullptr);
    write_all_inputs(origin, options, samples);
    return Exit::ok;
  }
  // A bar between the lines of a terminal would spoil them.
  Caller caller = options.caller;
  if (options.output.empty() && isatty(STDOUT_FILENO) == 1) caller.reporter = std::make_shared<Reporter>();
  const Replay replay{
      origin.run, origin.run.model->description.scheme(origin.scheme), samples, options.every, options.events, caller};
  Account account(origin, options, samples.size());
  {
    const Stop::Accepting accepting(*options.caller.stop, nullptr);
    write_paths(origin, options, replay, account);
  }
  account.say_what_was_replayed();
  return account.compared();
}

}  // namespace scree
