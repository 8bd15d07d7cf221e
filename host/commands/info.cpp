#include "info.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>

#include "host/common/available_threads.hpp"
#include "host/common/json_text.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/model/digest.hpp"
#include "host/report/arms.hpp"
#include "host/report/sensitivity.hpp"
#include "host/report/verdict.hpp"
#include "host/results/result_file.hpp"

namespace scree {
namespace {

/// A result that shows other columns than it was told to when it was made, if any are given.
StoredResult read_to_show(const std::string& path, const std::vector<std::string>& columns, bool anyway = false) {
  StoredResult result = read_result(path, true, anyway);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const int place = result.description->column(columns[i]);
    if (place < 0)
      throw Error(Exit::usage, "--columns: " + path + " has no column \"" + columns[i] + "\"" +
                                   suggestion(columns[i], result.description->column_names()));
    if (std::ranges::find(result.run.columns, place) != result.run.columns.end())
      throw Error(Exit::usage, "--columns: column \"" + columns[i] + "\" is named twice");
    result.run.columns.push_back(place);
  }
  return result;
}

/// Of a config: tabs are kept, and so is nothing of a line end of Windows.
std::string printable_line(std::string_view line) {
  std::string result;
  if (line.ends_with('\r')) line.remove_suffix(1);
  for (std::size_t end; (end = line.find('\t')) != std::string_view::npos; line.remove_prefix(end + 1))
    result += printable(line.substr(0, end)) + '\t';
  return result + printable(line);
}

Json info_json(const std::string& path, const StoredResult& result, const std::string& command) {
  const Run& run = result.run;
  Json json = json_of(command);
  json["result"] = {{"path", path},
                    {"schema", result.schema},
                    {"kind", result.arms.size() == 1 ? "run" : "comparison"},
                    {"program", {{"name", "scree"}, {"version", result.program_version}, {"commit", result.commit}}}};
  if (result.linked_parts > 0) json["result"]["linked_parts"] = result.linked_parts;
  json["run"] = run_json(run, *result.description);
  add_arms(json, run, result.arms, evaluate_in_words(run, result.arms, available_threads()));
  if (!result.sensitivity.empty()) json["sensitivity"] = sensitivity_json(run, result.sensitivity);
  return json;
}

}  // namespace

void print_info_json(std::ostream& out, const std::string& path, const std::vector<std::string>& columns,
                     const std::string& command, bool anyway) {
  out << json_text(info_json(path, read_to_show(path, columns, anyway), command), 2) << '\n';
}

Found found_in(const std::string& path, const std::string& command) {
  StoredResult result = read_to_show(path, {});
  std::string json = json_text(info_json(path, result, command), 2);
  return {std::move(result.run), std::move(result.arms), std::move(result.sensitivity), std::move(json),
          std::move(result.description)};
}

void print_info(std::ostream& out, const std::string& path, Form form, const std::vector<std::string>& columns,
                bool anyway) {
  const StoredResult result = read_to_show(path, columns, anyway);
  const Run& run = result.run;
  std::ostringstream made;
  made << path << ": " << (result.arms.size() == 1 ? "run" : "comparison") << " by scree " << result.program_version
       << " (commit " << result.commit << "), result schema " << result.schema << '\n';
  made << "config XXH3 " << result.config_xxh3
       << (xxh3_hex(run.config_text) == result.config_xxh3 ? "" : ", which is not that of the stored text") << '\n';
  if (result.linked_parts > 0)
    made << "its samples lie in " << result.linked_parts << (result.linked_parts == 1 ? " part" : " parts")
         << ", in folders beside it\n";
  for (const std::string& overlay : run.overlays) made << "changed by " << printable(option_of(overlay)) << '\n';
  for (const InputFile& input : run.inputs)
    made << "input " << printable(input.path) << ", XXH3 " << input.xxh3 << '\n';
  form.file = path;
  std::istringstream lines(made.str());
  for (std::string line; std::getline(lines, line); ++form.used)
    out << (form.all ? line : shortened(line, screen_width)) << '\n';
  for (const std::string& warning : run.warnings)
    for (const std::string& line : wrapped("warning: " + warning, 2, form.all ? std::string::npos : screen_width)) {
      out << line << '\n';
      ++form.used;
    }
  out << '\n';
  ++form.used;
  const std::size_t head = form.used;
  if (!result.sensitivity.empty()) form.used += sensitivity_lines(run);
  const Evaluation evaluation = evaluate_in_words(run, result.arms, available_threads());
  print_arms(out, run, result.arms, evaluation, form);
  form.used = head;
  print_sensitivity_table(out, run, result.sensitivity, form);
  if (!form.all) return;
  out << "\nConfig " << printable(run.config_path) << '\n';
  std::istringstream config(run.config_text);
  for (std::string line; std::getline(config, line);) out << (line.empty() ? "" : "  ") << printable_line(line) << '\n';
}

}  // namespace scree
