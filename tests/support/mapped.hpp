// Runs whose paths are watched: configs in a folder of their own, and the cases of tests/reference/maps.json.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "host/common/text_input.hpp"
#include "host/config/config.hpp"
#include "host/engine/execute.hpp"
#include "kernels/cpu_threads.hpp"
#include "reference.hpp"

namespace scree::test {

inline const Json& map_case(std::string_view name) {
  static const Json all = reference("maps.json");
  for (const Json& one : all["cases"])
    if (one["name"].get_ref<const std::string&>() == name) return one;
  throw std::runtime_error("maps.json has no case " + std::string(name));
}

/// A config with a table of starts beside it.
class MappedRun : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("scree_mapped_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  scree::Run load(const std::string& text, const std::vector<std::string>& sets = {}) const {
    return load_run_text((folder_ / "x.toml").string(), text, overlays_of(sets));
  }
  /// A CSV file of the columns of a reference case, by their names.
  void write_table(const Json& columns) const {
    std::ofstream file(folder_ / "starts.csv");
    std::string names;
    for (const auto& [name, values] : columns.items()) names += (names.empty() ? "" : ",") + name;
    file << names << '\n';
    for (std::size_t row = 0; row < columns.begin()->size(); ++row) {
      std::string line;
      for (const auto& [name, values] : columns.items())
        line += (line.empty() ? "" : ",") + number_text(static_cast<double>(values[row]));
      file << line << '\n';
    }
  }

  /// A summary column of a sample.
  static double at(const Arm& arm, const std::string& column, std::uint64_t sample = 0) {
    return arm.table.at(arm.table.description->column(column), sample);
  }

  std::filesystem::path folder_;
};

inline Engine mapped_engine(const scree::Run& run, const std::string& backend = "pack", int threads = 1,
                            const std::string& isa = "auto") {
  EngineOptions options;
  options.backend = backend;
  options.threads = threads;
  options.isa = isa;
  return choose_engine(run, options);
}
inline Arm mapped(const scree::Run& run, const Engine& engine, Arm finished = {}) {
  return execute(run, run.schemes[0], engine, {}, "", std::move(finished));
}

/// f(arm, what it is called) of a run on every CPU backend and instruction set of this machine, on so many threads; on
/// the last of these alone with the baseline, whose multiplications are fused by calls of a function, which take
/// longer.
template <class F>
void on_every_cpu_backend(const scree::Run& run, std::initializer_list<int> threads, const F& f) {
  for (const char* backend : {"scalar", "pack"})
    for (int isa = 0; isa < isa_count; ++isa) {
      const auto& kernels = backend == std::string("pack") ? run.model->kernels.pack : run.model->kernels.scalar;
      if (kernels[isa] == nullptr || !scree_processor_has(isa)) continue;
      for (const int count : isa == 0 ? std::span(threads).last(1) : std::span(threads))
        f(mapped(run, mapped_engine(run, backend, count, isa_names[isa])),
          std::string(backend) + ' ' + isa_names[isa] + ' ' + std::to_string(count));
    }
}

/// Sliders on level ground that start as the table of a case says; `more` follows [start].
inline std::string fan_config(const Json& given, double friction, double step, double end, const std::string& more) {
  return "system = 'slider'\nscheme = 'rk4'\nsamples = " + std::to_string(static_cast<int>(given["rows"])) +
         "\nstep = " + number_text(step) + "\nend = " + number_text(end) +
         "\n[terrain]\nkind = 'plane'\nslope = 0\n[slider]\nfriction = " + number_text(friction) +
         "\n[start]\nposition = [" + number_text(given["start"][0]) + ", " + number_text(given["start"][1]) +
         "]\ntable = 'starts.csv'\n" + more;
}

}  // namespace scree::test
