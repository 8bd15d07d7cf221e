#include "stored_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "host/common/csv.hpp"
#include "host/common/error.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/model/digest.hpp"

namespace scree {
namespace {

bool is_text_of(const std::string& path, const std::string& text) {
  std::error_code none;
  // Of a file so long that its start may be a mark of the byte order.
  const std::uintmax_t size = std::filesystem::file_size(path, none);
  if (none || size < text.size() || size > text.size() + 3) return false;
  try {
    return read_text_file(path) == text;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Run run_again(const std::string& file, const StoredResult& stored, const Arm& arm,
              const std::optional<std::uint64_t>& samples, const CheckRun& before_drawing) {
  Run run;
  std::vector<std::string> overlays = stored.run.overlays;
  if (samples) overlays = overlays_with_samples(overlays, *samples);
  overlays.insert(overlays.end(), arm.changes.begin(), arm.changes.end());
  try {
    run = load_run_text(stored.run.config_path, stored.run.config_text, overlays, &find_model, before_drawing);
  } catch (const Error& error) {
    // The config is the file's, the number of samples the user's.
    if (error.code == Exit::usage && samples) run_again(file, stored, arm);
    throw Error(error.code == Exit::usage && !samples ? Exit::input : error.code,
                file + ": its config cannot be run again" +
                    (samples ? " with " + std::to_string(*samples) + " samples" : "") + ": " + error.what());
  }
  const std::vector<std::string> known = run.model->description.scheme_names();
  if (std::find(known.begin(), known.end(), arm.scheme) == known.end())
    throw Error(Exit::input, file + ": was run under the scheme \"" + arm.scheme + "\", which " +
                                 run.model->description.system + " does not have in this program: " + joined(known));
  for (const InputFile& before : stored.run.inputs)
    for (const InputFile& now : run.inputs)
      if (before.path == now.path && before.xxh3 != now.xxh3)
        throw Error(Exit::input,
                    file + ": the input " + now.path + " is no longer the file that this result was made from");
  return run;
}

Run run_of_arm(const Run& run, const Arm& arm, bool is_finer) {
  std::vector<std::string> overlays = run.overlays;
  overlays.insert(overlays.end(), arm.changes.begin(), arm.changes.end());
  Run made = arm.changes.empty() ? run : derive(run, overlays);
  if (is_finer) leave_out_maps_and_gates(made);
  return made;
}

void warn_of_far_inputs(const std::string& file, const Run& run, const Caller& caller) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const auto real = [&](const fs::path& path) { return fs::weakly_canonical(fs::absolute(path, ignored), ignored); };
  std::vector<fs::path> folders;
  if (is_text_of(run.config_path, run.config_text)) folders.push_back(real(run.config_path).parent_path());
  if (const char* data = std::getenv("SCREE_DATA"); data && *data) folders.push_back(real(data));
  std::vector<std::string> far;
  for (const InputFile& input : run.inputs) {
    const fs::path path = real(input.file);
    const auto holds = [&](const fs::path& folder) {
      return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
    };
    if (std::ranges::none_of(folders, holds)) far.push_back(printable(path.string()));
  }
  if (!far.empty())
    caller.warn(file + ": reads files outside of the folders of its config and of SCREE_DATA: " + joined(far));
}

std::string differences(const Arm& stored, std::uint64_t sample, const Description& description,
                        const ReplayResult& now) {
  std::string text;
  std::size_t count = 0;
  const auto differs = [&](const std::string& what, const std::string& before, const std::string& after) {
    constexpr std::size_t shown = 3;
    if (++count <= shown) text += (count > 1 ? "; " : "") + what + " was " + before + ", is " + after;
    if (count == shown + 1) text += "; and more";
  };
  const Description& then = *stored.table.description;
  const std::uint64_t row = stored.table.row(sample);
  const std::uint32_t status = stored.table.status[row];
  if (status != now.status) differs("status", status_names[status], status_names[now.status]);
  for (std::size_t c = 0; c < description.columns.size(); ++c) {
    const std::string& name = description.columns[c].name;
    const int column = then.column(name);
    if (column < 0) {
      // A result of before such a column has the same digest.
      const Column& of = description.columns[c];
      const bool came_later = of.late || (of.optional && std::isnan(now.summary[c]));
      if (!came_later) differs(name, "not stored", csv_number(now.summary[c]));
    } else if (const double before = stored.table.at(column, row); !same_bits(before, now.summary[c])) {
      differs(name, csv_number(before), csv_number(now.summary[c]));
    }
  }
  for (std::size_t c = 0; c < then.columns.size(); ++c)
    if (description.column(then.columns[c].name) < 0)
      differs(then.columns[c].name, csv_number(stored.table.at(static_cast<int>(c), row)), "no column any more");
  return text;
}

}  // namespace scree
