// Time per rock step on a config (the ramp study unless told otherwise), for every scheme and backend.
//
//   bench_rocks [CONFIG] [--samples N] [--rounds R] [--csv FILE] [--only SCHEME] [--no-baseline]
//
// Rows are interleaved over the rounds and the best round counts. `us_per_step_core` is processor time over
// sample-steps, so it does not depend on how many threads had to share a core (no number for cuda, whose host thread
// only waits); `wall_s` is what a user waits, copies included. The physics is checked in the same run: every row of a
// scheme must have the same digest (exit code 1 if not), and the contact solver's sweeps and caps are printed.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "host/config.hpp"
#include "host/digest.hpp"
#include "host/version.hpp"
#include "kernels/cpu_threads.hpp"
#include "kernels/cuda_devices.hpp"

namespace {

using namespace scree;

struct Row {
  std::string scheme, kernel;
  int scheme_index, threads;
  Kernel run;
  double wall_s = 1e300, cpu_s = 1e300;
  std::uint64_t steps = 0;
  std::string digest;
  double sweeps = 0, contact_steps = 0, capped = 0, twofold = 0;
};

double processor_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void measure(Row& row, const Run& run, const std::vector<std::byte>& ensemble) {
  SummaryTable table;
  table.description = &run.model->description;
  table.samples = run.samples;
  table.values.resize(table.description->columns.size() * run.samples);
  table.status.resize(run.samples);
  Control control;
  const Job job{ensemble.data(), run.spec.tables.size(), row.scheme_index, 0, run.samples, table.values.data(),
                run.samples,     table.status.data(),    row.threads,      0, 0,           &control};
  const double cpu = processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  row.run(job);
  row.wall_s = std::min(row.wall_s, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  row.cpu_s = std::min(row.cpu_s, processor_seconds() - cpu);
  row.steps = control.steps_done;
  row.digest = digest(table);
  const auto total = [&](const char* name) {
    double sum = 0;
    for (const double x : table.column(table.description->column(name))) sum += x;
    return sum;
  };
  row.contact_steps = total("contact_solves");
  row.capped = total("capped_steps");
  row.twofold = total("twofold_steps");
  row.sweeps = 0;
  for (std::uint64_t i = 0; i < run.samples; ++i) {
    const double solves = table.at(table.description->column("contact_solves"), i);
    if (solves > 0) row.sweeps += solves * table.at(table.description->column("sweeps_mean"), i);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string config = "configs/rock_ramp.toml", csv, only;
  Overrides overrides;
  int rounds = 3;
  bool baseline = true;
  for (int i = 1; i < argc; ++i) {
    const auto value = [&] {
      return i + 1 < argc ? argv[++i]
                          : (std::fprintf(stderr, "bench_rocks: %s needs a value\n", argv[i]), std::exit(2), argv[i]);
    };
    if (!std::strcmp(argv[i], "--samples"))
      overrides.samples = std::strtoull(value(), nullptr, 10);
    else if (!std::strcmp(argv[i], "--rounds"))
      rounds = std::atoi(value());
    else if (!std::strcmp(argv[i], "--csv"))
      csv = value();
    else if (!std::strcmp(argv[i], "--only"))
      only = value();
    else if (!std::strcmp(argv[i], "--no-baseline"))
      baseline = false;
    else
      config = argv[i];
  }
  try {
    const Run run = load_run(config, {}, overrides);
    const auto ensemble = run.model->ensemble(run.spec);
    const SystemKernels& kernels = run.model->kernels;
    std::vector<Row> rows;
    const int all = scree_available_threads();
    std::string no_device;
    const bool cuda = kernels.cuda && scree_cuda_devices(&no_device) > 0;
    for (std::size_t s = 0; s < run.model->description.schemes.size(); ++s) {
      const std::string& name = run.model->description.schemes[s].name;
      if (!only.empty() && only != name) continue;
      const auto add = [&](const std::string& kernel, int threads, Kernel function) {
        Row row;
        row.scheme = name;
        row.kernel = kernel;
        row.scheme_index = static_cast<int>(s);
        row.threads = threads;
        row.run = function;
        rows.push_back(row);
      };
      for (int isa = isa_count - 1; isa >= 0; --isa) {
        // Without fused multiply-add a baseline row takes several times as long as the others.
        if (!scree_processor_has(isa) || (isa == 0 && !baseline && scree_processor_has(1))) continue;
        const std::string title = isa_titles[isa];
        if (kernels.pack[isa]) add("pack " + title, 1, kernels.pack[isa]);
        if (kernels.pack[isa] && all > 1 && isa > 0) add("pack " + title, all, kernels.pack[isa]);
        if (kernels.scalar[isa]) add("scalar " + title, 1, kernels.scalar[isa]);
        if (kernels.scalar[isa] && all > 1 && isa > 0) add("scalar " + title, all, kernels.scalar[isa]);
      }
      if (cuda) add("cuda", 1, kernels.cuda);
    }
    for (int round = 0; round < rounds; ++round)
      for (Row& row : rows) measure(row, run, ensemble);

    std::ofstream file;
    if (!csv.empty()) {
      file.open(csv);
      file << "config,samples,scheme,kernel,threads,steps,us_per_step_core,wall_s,steps_per_s,contact_share,sweeps_per_"
              "contact_step,"
              "capped_share,twofold_share,digest,version,commit\n";
    }
    std::printf("%s, %llu samples, best of %d\n%-13s %-17s %7s %9s %9s %9s %9s %8s %8s %9s  %s\n", config.c_str(),
                static_cast<unsigned long long>(run.samples), rounds, "scheme", "kernel", "threads", "Msteps",
                "us/step", "wall s", "Msteps/s", "contact", "sweeps", "capped", "digest");
    bool same = true;
    for (const Row& row : rows) {
      const double steps = static_cast<double>(row.steps),
                   us = row.kernel == "cuda" ? std::nan("") : 1e6 * row.cpu_s / steps;
      std::printf("%-13s %-17s %7d %9.3f %9.4f %9.3f %9.3f %7.1f%% %8.2f %8.4f%%  %.8s\n", row.scheme.c_str(),
                  row.kernel.c_str(), row.threads, 1e-6 * steps, us, row.wall_s, 1e-6 * steps / row.wall_s,
                  100 * row.contact_steps / steps, row.sweeps / row.contact_steps, 100 * row.capped / row.contact_steps,
                  row.digest.c_str());
      if (file.is_open())
        file << config << ',' << run.samples << ',' << row.scheme << ',' << row.kernel << ',' << row.threads << ','
             << row.steps << ',' << us << ',' << row.wall_s << ',' << steps / row.wall_s << ','
             << row.contact_steps / steps << ',' << row.sweeps / row.contact_steps << ','
             << row.capped / row.contact_steps << ',' << row.twofold / row.contact_steps << ',' << row.digest << ','
             << SCREE_VERSION << ',' << SCREE_COMMIT << '\n';
      for (const Row& other : rows) same = same && (other.scheme != row.scheme || other.digest == row.digest);
    }
    if (!same) std::fprintf(stderr, "bench_rocks: kernels of one scheme differ in their digest\n");
    return same ? 0 : 1;
  } catch (const Error& error) {
    std::fprintf(stderr, "bench_rocks: %s\n", error.what());
    return static_cast<int>(error.code);
  }
}
