#include "bench.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cuda_bench.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_table.hpp"
#include "host/engine/execute.hpp"
#include "host/report/devices.hpp"
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
            " samples, " + row.scheme + ": " + name_of(row) + what;
  };
  for (const Row& row : count.rows) {
    if (!row.measured) continue;
    if (!row.check->holds()) add(row, " fails its check: " + std::string(row.check->what));
    const auto first = std::find_if(count.rows.begin(), count.rows.end(), [&](const Row& other) {
      return other.measured && other.scheme == row.scheme && other.is_backend();
    });
    if (row.is_backend() && first->digest != row.digest) add(row, " has another digest than " + name_of(*first));
    if (row.map_cell == 0) continue;
    const auto mapped = std::find_if(count.rows.begin(), count.rows.end(), [&](const Row& other) {
      return other.measured && other.scheme == row.scheme && other.map_cell == row.map_cell;
    });
    if (row.maps_digest.empty() || mapped->maps_digest != row.maps_digest)
      add(row, " has other maps than " + name_of(*mapped));
  }
  return text;
}

/// The case that is named, or of all those that have their data.
bool wanted(const BenchCase& bench, const BenchOptions& options) {
  if (!options.only.empty()) return options.only == bench.name;
  return !bench.needs_data || std::getenv("SCREE_DATA") != nullptr;
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

/// Nothing if no file is named.
void write_csv(const nlohmann::ordered_json& records, const BenchOptions& options) {
  if (options.csv.empty()) return;
  const auto write = [&](const std::string& temporary) {
    std::ofstream file(temporary);
    file << csv_text(records);
    if (!file.flush()) throw Error(Exit::failed, options.csv + ": cannot be written");
  };
  write_renamed(options.csv, write);
}

DeviceLimits limits_of(int number) {
  DeviceLimits limits;
  scree_cuda_device(number, &limits.device);
  try {
    const CudaRoom room = cuda_room(number);  // before the peak's own arrays
    limits.free_memory = room.free_memory;
    limits.rocks_in_flight = room.rocks_in_flight;
    limits.fp64_flops = measure_cuda_peak(number);
  } catch (const std::exception& error) {
    limits.obstacle = error.what();
  }
  return limits;
}

void show_limits(const BenchOptions& options) {
  std::string why;
  const int count = scree_cuda_devices(&why);
  if (count == 0) throw Error(Exit::device, "bench --device: no device: " + why);
  std::vector<DeviceLimits> all;
  std::string obstacles;
  for (int number = 0; number < count; ++number) {
    all.push_back(limits_of(number));
    const DeviceLimits& limits = all.back();
    if (!options.json) print_limits(std::cout, limits);
    if (const std::string warning = fp64_warning(limits.device); !warning.empty() && !options.json)
      options.caller.warn(warning);
    if (!limits.obstacle.empty())
      obstacles += (obstacles.empty() ? "cuda:" : "; cuda:") + std::to_string(number) + ": " + limits.obstacle;
  }
  if (options.json) {
    Json object = json_of("bench");
    object.update(limits_json(all));
    std::cout << object.dump(2) << '\n';
  }
  if (!obstacles.empty()) throw Error(Exit::device, "bench --device: " + obstacles);
}

}  // namespace

Exit bench_command(const BenchOptions& options) {
  if (options.list || options.device) {
    options.list ? list_cases(options.json) : show_limits(options);
    return Exit::ok;
  }
  std::vector<std::string> names;
  for (const BenchCase& bench : bench_cases()) names.push_back(bench.name);
  if (!options.only.empty() && std::find(names.begin(), names.end(), options.only) == names.end())
    throw Error(Exit::usage, "bench --only " + options.only + suggestion(options.only, names));
  for (const BenchCase& bench : bench_cases())
    if (wanted(bench, options)) check_choice(bench, options);
  if (!options.csv.empty()) check_output(options.csv, options.force);

  const Budget budget(options.budget);
  const Stop::Accepting accepting(*options.caller.stop);
  const Machine machine(options.threads);
  if (!options.json) print_machine(machine);
  nlohmann::ordered_json records = nlohmann::ordered_json::array();
  std::string mistakes;
  for (const BenchCase& bench : bench_cases()) {
    if (!wanted(bench, options)) {
      if (options.only.empty())
        options.caller.warn(std::string(bench.name) + " is left out: SCREE_DATA, the folder of data files, is not set");
      continue;
    }
    if (options.caller.asks_for_end()) break;
    CaseRun run(bench, machine, options);
    if (!options.json) print_case(run);
    std::vector<Count> counts;
    for (const std::uint64_t samples : options.samples.empty() ? std::vector{bench.samples} : options.samples) {
      if (options.caller.asks_for_end()) break;
      counts.push_back({samples, run.measure(samples, budget)});
      const Count& count = counts.back();
      for (const Row& row : count.rows)
        if (row.measured) records.push_back(record(machine, run, samples, row));
      if (!options.json) print_count(run, count);
      if (const std::string found = mistakes_of(run, count); !found.empty())
        mistakes += (mistakes.empty() ? "" : "; ") + found;
      write_csv(records, options);  // after each count: what is measured outlives a kill
    }
    if (!options.json) print_headline(run, counts);
    std::cout.flush();
  }
  if (options.json) {
    Json json = json_of("bench");
    json["rows"] = records;
    std::cout << json.dump(2) << '\n';
  }
  if (!mistakes.empty()) throw Error(Exit::failed, "bench: " + mistakes);
  return options.caller.asks_for_end() ? Exit::interrupted : Exit::ok;
}

}  // namespace scree
