// What the suites run: short studies of each registered system, made from the config that `scree init` writes, and each
// backend with each instruction set that it may be compiled for.
#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "host/commands/init.hpp"
#include "host/config/config.hpp"
#include "host/engine/execute.hpp"
#include "host/model/digest.hpp"
#include "kernels/cpu_threads.hpp"
#include "kernels/cuda_devices.hpp"

namespace scree::test {

/// A backend with an instruction set; CUDA has none.
struct Backend {
  const char* name;
  int isa = -1;

  bool is_cuda() const { return isa < 0; }
  std::string title() const { return is_cuda() ? name : std::string(name) + "_" + isa_names[isa]; }
  Kernel kernel_of(const Model& model) const {
    if (is_cuda()) return model.kernels.cuda;
    return std::string(name) == "scalar" ? model.kernels.scalar[isa] : model.kernels.pack[isa];
  }
  /// Why a system cannot run on it here; empty if it can.
  std::string obstacle(const Model& model) const {
    const SystemKernels& kernels = model.kernels;
    if (is_cuda()) {
      std::string why = "this program was built without CUDA";
      return kernels.cuda != nullptr && scree_cuda_devices(&why) > 0 ? "" : why;
    }
    if (std::string(name) == "pack" && !kernels.has_packs())
      return model.description.system + " is not compiled for packs, its samples have too little in common";
    if (kernel_of(model) == nullptr) return std::string("this build has no ") + isa_titles[isa] + " kernels";
    if (!scree_processor_has(isa)) return std::string("this processor has no ") + isa_titles[isa];
    return "";
  }
};

/// Scalar code gains nothing from AVX-512 and is not compiled for it.
inline std::vector<Backend> all_backends() {
  return {{"scalar", 0}, {"scalar", 1}, {"pack", 0}, {"pack", 1}, {"pack", 2}, {"cuda"}};
}

/// `scree init`'s config of the system. Laws that it only suggests, as comments, apply too, in place of the value that
/// it fixes: every system has samples that differ.
inline std::string study_text(const Description& description) {
  std::string text = init_text(description);
  if (const std::size_t fixed = text.find("\nvolume = 0.0"); fixed != std::string::npos) {  // of rocks: sizes too
    text.insert(fixed + 1, "# ");
    text.insert(text.find('\n', text.find("\n[vary]") + 1) + 1, "\"start.volume\" = { uniform = [0.1, 0.4] }\n");
  }
  const std::string mark = "\n# \"";
  for (std::size_t at = text.find("\n[vary]"); (at = text.find(mark, at)) != std::string::npos;) {
    text.erase(at + 1, 2);
    const std::size_t dot = text.find('.', at), end = text.find('"', at + 2);
    const std::string key = "\n" + text.substr(dot + 1, end - dot - 1) + " = ";
    const std::size_t section = text.find("\n[" + text.substr(at + 2, dot - at - 2) + "]\n");
    const std::size_t next = text.find("\n[", section + 1), fixed = text.find(key, section);
    if (fixed == std::string::npos || fixed > next) continue;
    text.insert(fixed + 1, "# ");
    at += 2;
  }
  return text;
}

/// A raster file that is there as long as the program runs.
class RasterFile {
 public:
  /// `value(i, j)` of column i and row j, the southern row being 0; corner and cell in m.
  template <class Value>
  RasterFile(const std::string& name, int columns, int rows, double x, double y, double cell, const Value& value)
      : path_(std::filesystem::temp_directory_path() / ("scree_" + name + "_" + std::to_string(::getpid()) + ".asc")) {
    std::ofstream out(path_);
    out << "ncols " << columns << "\nnrows " << rows << "\nxllcorner " << x << "\nyllcorner " << y << "\ncellsize "
        << cell << "\nNODATA_value -9999\n";
    for (int j = rows - 1; j >= 0; --j)
      for (int i = 0; i < columns; ++i) out << value(i, j) << (i < columns - 1 ? ' ' : '\n');
  }
  ~RasterFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Hills on a grid that falls along +x, of 50 m cells around the starts that `scree init` suggests, with a hole.
inline std::string grid_file() {
  static const RasterFile file("heights", 45, 21, -2025, -525, 50, [](int i, int j) {
    return i == 30 && j == 3 ? -9999.0 : 300 - 5.0 * i + 2 * std::sin(0.7 * i) - 3 * std::cos(0.4 * j);
  });
  return file.path();
}
/// Codes 1 to 3 of ground in cells of 0.7 m where rocks fall near that hole, with some that have none.
inline std::string code_file() {
  static const RasterFile file("codes", 60, 160, -580, -405, 0.7,
                               [](int i, int j) { return (i * i + 3 * j) % 7 == 0 ? -9999 : 1 + (i + j * j) % 3; });
  return file.path();
}

/// At most 300 steps of the length that `scree init` suggests.
inline double short_end(const Description& d) { return std::min(d.first_end, 300 * d.first_step); }

/// The run of a study, under all schemes; `changes` as for --set.
inline Run study(const std::string& text, std::uint64_t samples, const std::vector<std::string>& changes = {}) {
  std::vector<std::string> overlays;
  for (const std::string& change : changes) overlays.push_back("--set:" + change);
  return load_run_text("study.toml", text, overlays_with_samples(overlays, samples));
}
inline Run study(const Model& model, std::uint64_t samples, std::vector<std::string> changes = {}) {
  changes.push_back("end=" + std::to_string(short_end(model.description)));
  return study(study_text(model.description), samples, changes);
}

/// How the samples of a run are handed out, and the number of its first one.
struct Schedule {
  int threads = 1, block = 0;
  std::uint64_t first = 0;
};

/// The system's description, all of whose columns are in digests.
inline const Description& with_all_columns(const Description& description) {
  static std::map<std::string, Description> all;
  const auto [found, is_new] = all.try_emplace(description.system, description);
  if (is_new)
    for (Column& column : found->second.columns) column.late = false;
  return found->second;
}

/// As many samples as the run has, on a kernel, until `control` says otherwise. Its digest takes late columns too.
inline SummaryTable run_on(const Kernel kernel, const Run& run, int scheme, Schedule how, Control& control) {
  const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  SummaryTable table;
  table.description = &with_all_columns(run.model->description);
  table.samples = run.samples;
  table.replicates = run.sampling.replicates;
  table.values.assign(table.description->columns.size() * run.samples, std::numeric_limits<double>::quiet_NaN());
  table.status.assign(run.samples, static_cast<std::uint32_t>(Status::not_run));
  kernel({ensemble.data(), run.spec.tables.size(), scheme, how.first, run.samples, table.values.data(), run.samples,
          table.status.data(), how.threads, how.block, 0, &control});
  return table;
}
inline SummaryTable run_on(const Kernel kernel, const Run& run, int scheme, Schedule how = {}) {
  Control control;
  return run_on(kernel, run, scheme, how, control);
}

/// What the scalar kernel for any processor makes of a run, once for all tests of a program: the readable truth that
/// the others are compared with.
inline const SummaryTable& reference(const Run& run, int scheme) {
  static std::map<std::tuple<std::string, std::vector<std::string>, int>, SummaryTable> all;
  const auto [at, is_new] = all.try_emplace({run.config_text, run.overlays, scheme});
  if (is_new) at->second = run_on(run.model->kernels.scalar[0], run, scheme);
  return at->second;
}

/// Some of the samples of a table.
inline SummaryTable part_of(const SummaryTable& table, std::uint64_t first, std::uint64_t samples) {
  SummaryTable part;
  part.description = table.description;
  part.samples = samples;
  part.replicates = table.replicates;
  for (std::size_t c = 0; c < table.description->columns.size(); ++c) {
    const std::span<const double> column = table.column(static_cast<int>(c)).subspan(first, samples);
    part.values.insert(part.values.end(), column.begin(), column.end());
  }
  const auto status = table.status.begin() + static_cast<std::ptrdiff_t>(first);
  part.status.assign(status, status + static_cast<std::ptrdiff_t>(samples));
  return part;
}

}  // namespace scree::test
