#include "bench.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "host/common/suggest.hpp"
#include "host/common/text_table.hpp"
#include "host/engine/execute.hpp"
#include "host/engine/interrupt.hpp"
#include "host/report/json.hpp"
#include "host/results/output.hpp"
#include "print.hpp"

namespace scree {
namespace {

/// Digests that differ from the first backend's, and checks that fail; empty if all is well.
std::string mistakes_of(const CaseRun& run, const Count& count) {
  std::string text;
  const auto add = [&](const Row& row, const std::string& what) {
    text += (text.empty() ? "" : "; ") + std::string(run.bench().name) + ", " + std::to_string(count.samples) +
            " samples, " + row.scheme + ": " + row.backend + (row.isa.empty() ? "" : " ") + row.isa + what;
  };
  for (const Row& row : count.rows) {
    if (!row.measured) continue;
    if (!row.check->holds()) add(row, " fails its check: " + std::string(row.check->what));
    const auto first = std::find_if(count.rows.begin(), count.rows.end(), [&](const Row& other) {
      return other.measured && other.scheme == row.scheme && other.is_backend();
    });
    if (row.is_backend() && first->digest != row.digest)
      add(row, " has another digest than " + first->backend + " " + first->isa);
  }
  return text;
}

void list_cases(bool json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  TextTable table(2, {"case", "meaning", "samples"});
  for (const BenchCase& bench : bench_cases()) {
    list.push_back({{"case", bench.name}, {"meaning", bench.meaning}, {"samples", bench.samples}});
    table.row({bench.name, bench.meaning, std::to_string(bench.samples)});
  }
  Json object = json_of("bench");
  object["cases"] = list;
  if (json)
    std::cout << object.dump(2) << '\n';
  else
    table.print(std::cout);
}

}  // namespace

Exit bench_command(const BenchOptions& options) {
  if (options.list) {
    list_cases(options.json);
    return Exit::ok;
  }
  std::vector<std::string> names;
  for (const BenchCase& bench : bench_cases()) names.push_back(bench.name);
  if (!options.only.empty() && std::find(names.begin(), names.end(), options.only) == names.end())
    throw Error(Exit::usage, "bench --only " + options.only + suggestion(options.only, names));
  if (!options.csv.empty()) check_output(options.csv, options.force);

  const Interruptible interruptible;
  const Machine machine(options.threads);
  if (!options.json) print_machine(machine);
  nlohmann::ordered_json records = nlohmann::ordered_json::array();
  std::string mistakes;
  for (const BenchCase& bench : bench_cases()) {
    if ((!options.only.empty() && options.only != bench.name) || Interruptible::asked()) continue;
    if (options.only.empty() && bench.needs_data && std::getenv("SCREE_DATA") == nullptr) {
      std::cerr << bench.name << " is left out: SCREE_DATA, the folder of data files, is not set\n";
      continue;
    }
    CaseRun run(bench, machine, options);
    if (!options.json) print_case(run);
    std::vector<Count> counts;
    for (const std::uint64_t samples : options.samples.empty() ? std::vector{bench.samples} : options.samples) {
      if (Interruptible::asked()) break;
      counts.push_back({samples, run.measure(samples)});
      const Count& count = counts.back();
      for (const Row& row : count.rows)
        if (row.measured) records.push_back(record(machine, run, samples, row));
      if (!options.json) print_count(run, count);
      if (const std::string found = mistakes_of(run, count); !found.empty())
        mistakes += (mistakes.empty() ? "" : "; ") + found;
    }
    if (!options.json) print_headline(run, counts);
    std::cout.flush();
  }
  if (options.json) {
    Json json = json_of("bench");
    json["rows"] = records;
    std::cout << json.dump(2) << '\n';
  }
  if (!options.csv.empty())
    write_renamed(options.csv, [&](const std::string& temporary) {
      std::ofstream file(temporary);
      file << csv_text(records);
      if (!file.flush()) throw Error(Exit::failed, options.csv + ": cannot be written");
    });
  if (!mistakes.empty()) throw Error(Exit::failed, "bench: " + mistakes);
  return Interruptible::asked() ? Exit::interrupted : Exit::ok;
}

}  // namespace scree
