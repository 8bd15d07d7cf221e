#include "bench.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "../host/config.hpp"
#include "../host/digest.hpp"
#include "../host/execute.hpp"
#include "../host/result_file.hpp"
#include "../host/suggest.hpp"
#include "../host/text_table.hpp"
#include "../kernels/cpu_threads.hpp"
#include "../kernels/cuda_devices.hpp"
#include "cases.hpp"
#include "cuda_bench.hpp"
#include "host/version.hpp"
#include "host/worst.hpp"
#include "peak.hpp"
#include "power.hpp"

namespace scree {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// The device that this program runs on, measured at the beginning.
struct Machine {
  std::string cpu = cpu_name(), cuda;
  double cpu_ghz = cpu_clock(), isa_peak[isa_count] = {}, cpu_peak = 0;  // flops per second of one core
  int threads;
  bool has_cuda = false;
  CudaDevice device;

  explicit Machine(int wanted) : threads(wanted > 0 ? wanted : scree_available_threads()) {
    for (int isa = 0; isa < isa_count; ++isa) cpu_peak = std::max(cpu_peak, isa_peak[isa] = measure_cpu_peak(isa));
    std::string why;
    has_cuda = scree_cuda_devices(&why) > 0;
    if (!has_cuda) return;
    device = measure_cuda_device(0);
    scree_cuda_device_name(0, &cuda);
  }
};

/// One line of the result: a kernel on so many threads, and the best that was measured of it.
struct Row {
  std::string scheme, backend, isa;
  int scheme_number = 0, threads = 1;
  Kernel kernel = nullptr;  // null: `plain` is set
  scree_plain plain = nullptr;
  double peak = 0, isa_peak = 0;  // flops per second, of one core or of the GPU
  // What a warm-up said, sample-steps per second; and the best of the rounds, s.
  double rate = 0, wall_s = 0, cpu_s = 0, kernel_s = 0;
  bool measured = false;
  bool always = false;  // whatever --limit says: the row that shows what the CPU can do
  std::uint64_t steps = 0;
  double taken_joules = 0, taking_s = 0;  // of a GPU, over all rounds
  double joules = none;                   // per sample
  std::string digest;                     // of a backend
  ContactWork contacts;
  std::optional<PhysicsCheck> check;

  bool is_cuda() const { return backend == "cuda"; }
  /// One of Scree's own: bits, digest, and the headline.
  bool is_backend() const { return plain == nullptr && backend != "contracted"; }
  double steps_per_s() const { return static_cast<double>(steps) / wall_s; }
  /// Seconds of one core, or of the GPU's kernels, per sample-step.
  double busy_per_step() const { return (is_cuda() ? kernel_s : cpu_s) / static_cast<double>(steps); }
};

std::vector<Row> rows_of(const BenchCase& bench, const Run& run, const Machine& machine) {
  std::vector<Row> rows;
  const SystemKernels& kernels = run.model->kernels;
  const auto add = [&](Row row, const std::string& scheme) {
    row.scheme = scheme;
    for (std::size_t i = 0; i < run.model->description.schemes.size(); ++i)
      if (run.model->description.schemes[i].name == scheme) row.scheme_number = static_cast<int>(i);
    rows.push_back(row);
  };
  for (const std::string& scheme : run.schemes) {
    const auto cpu = [&](const char* backend, int isa, int threads, Kernel kernel) {
      Row row;
      row.backend = backend;
      row.isa = isa_names[isa];
      row.threads = threads;
      row.kernel = kernel;
      row.peak = machine.cpu_peak;
      row.isa_peak = machine.isa_peak[isa];
      add(row, scheme);
    };
    // The best instruction set on all threads; on one thread all of them for packs, the best for scalar code.
    const auto backend = [&](const char* name, const Kernel(&kernel)[isa_count], bool all_sets) {
      int best = isa_count - 1;
      while (best > 0 && (kernel[best] == nullptr || !scree_processor_has(best))) --best;
      if (kernel[best] == nullptr) return;
      for (int isa = all_sets ? 0 : best; isa <= best; ++isa)
        if (kernel[isa] != nullptr) cpu(name, isa, 1, kernel[isa]);
      if (machine.threads > 1) cpu(name, best, machine.threads, kernel[best]);
      rows.back().always = all_sets;
    };
    backend("scalar", kernels.scalar, false);
    backend("pack", kernels.pack, true);
    if (scheme == run.schemes.front()) {
      int isa = isa_count - 1;
      while (isa > 0 && (bench.contracted[isa] == nullptr || !scree_processor_has(isa))) --isa;
      if (bench.contracted[isa] != nullptr) cpu("contracted", isa, 1, bench.contracted[isa]);
    }
    if (kernels.cuda != nullptr && machine.has_cuda) {
      Row row;
      row.backend = "cuda";
      row.kernel = kernels.cuda;
      row.peak = row.isa_peak = machine.device.peak;
      add(row, scheme);
    }
    for (const PlainRow& plain : bench.plain.rows) {
      const bool can = ((scree_plain_needs & 1) == 0 || scree_processor_has(1)) &&
                       ((scree_plain_needs & 2) == 0 || scree_processor_has(2));
      if (scheme != plain.scheme || !can) continue;
      Row row;
      row.backend = plain.backend;
      row.isa = "native";
      row.plain = plain.run;
      row.peak = row.isa_peak = machine.cpu_peak;
      add(row, scheme);
    }
  }
  return rows;
}

/// The parameters and starts that the plain rows are given, of all samples: [samples, width]; drawn once.
class Inputs {
 public:
  void draw(const BenchCase& bench, const Model& model, const void* ensemble, std::uint64_t samples) {
    const Description& d = model.description;
    std::vector<std::size_t> places;
    const auto add = [&](const std::vector<Quantity>& quantities, const std::string& name, std::size_t base) {
      for (const Quantity& q : quantities)
        for (int k = 0; q.name == name && k < q.width; ++k)
          places.push_back(base + static_cast<std::size_t>(q.offset + k));
    };
    for (const char* name : bench.plain.inputs) {
      const std::size_t before = places.size();
      add(d.params, name, 0);
      add(d.starts, name, d.param_doubles);
      if (places.size() == before) throw std::logic_error(std::string("bench: no input is called ") + name);
    }
    width_ = places.size();
    if (values_.size() >= width_ * samples) return;
    values_.resize(width_ * samples);
    std::vector<double> drawn(d.param_doubles + d.start_doubles);
    for (std::uint64_t i = 0; i < samples; ++i) {
      model.draw(ensemble, i, drawn.data());
      for (std::size_t k = 0; k < width_; ++k) values_[i * width_ + k] = drawn[places[k]];
    }
  }
  const double* values() const { return values_.data(); }
  std::size_t width() const { return width_; }

 private:
  std::vector<double> values_;
  std::size_t width_ = 0;
};

/// What one call of a row took, and the summaries or states that it left in `out`.
struct Call {
  double wall_s, cpu_s, kernel_s;
  std::uint64_t steps;
};

class CaseRun {
 public:
  CaseRun(const BenchCase& bench, const Machine& machine, const BenchOptions& options)
      : bench_(bench),
        machine_(machine),
        options_(options),
        run_(load_run_text(std::string("bench case ") + bench.name, bench.config, {}, &find_bench_model)),
        ensemble_(run_.model->ensemble(run_.spec)) {
    if (bench.every_scheme) {
      run_.schemes.clear();
      for (const Scheme& scheme : run_.model->description.schemes) run_.schemes.push_back(scheme.name);
    }
    rows_ = rows_of(bench, run_, machine);
    for (const std::string& scheme : run_.schemes) {
      int number = 0;
      for (const Row& row : rows_)
        if (row.scheme == scheme) number = row.scheme_number;
      operations_.push_back(bench.count(ensemble_.data(), number, bench.counted, most_steps(run_)));
    }
    // A little of everything first: contexts are made, pages touched, and the rates are known.
    for (Row& row : rows_) {
      const Call call = this->call(row, warm_up);
      // By processor time: other programs do not count.
      row.rate = static_cast<double>(call.steps) / call.cpu_s;
    }
  }

  const Run& run() const { return run_; }
  const BenchCase& bench() const { return bench_; }
  const StepOperations& operations(const std::string& scheme) const {
    const auto found = std::find(run_.schemes.begin(), run_.schemes.end(), scheme);
    return operations_[static_cast<std::size_t>(found - run_.schemes.begin())];
  }

  /// All rows at this number of samples, rounds interleaved, best of each.
  std::vector<Row> measure(std::uint64_t samples) {
    run_.samples = samples;
    require_memory(run_, 1);
    std::vector<Row> rows = rows_;
    means_.clear();
    const auto rounds = static_cast<std::uint64_t>(options_.rounds);
    for (std::uint64_t round = 0; round < rounds && !Interruptible::asked(); ++round)
      for (Row& row : rows) {
        if (Interruptible::asked()) break;
        const double expected = static_cast<double>(samples * expected_steps()) / row.rate;
        if (!row.is_cuda() && !row.always && expected > options_.limit * row.threads) continue;
        if (row.plain != nullptr && means_.empty()) continue;  // nothing to check it against
        if (!options_.quiet)
          std::fprintf(stderr, "%s, %llu samples, round %d of %d: %s %s %s\n", bench_.name,
                       static_cast<unsigned long long>(samples), static_cast<int>(round) + 1, options_.rounds,
                       row.scheme.c_str(), row.backend.c_str(), row.isa.c_str());
        const double joules = row.is_cuda() ? meter_.joules() : none;
        const Call call = this->call(row, samples);
        if (row.is_cuda()) {
          row.taken_joules += meter_.joules() - joules;
          row.taking_s += call.wall_s;
        }
        const auto best = [&](double& kept, double now) { kept = row.measured ? std::min(kept, now) : now; };
        best(row.wall_s, call.wall_s);
        best(row.cpu_s, call.cpu_s);
        best(row.kernel_s, call.kernel_s);
        row.steps = call.steps;
        if (!row.measured) look_at_results(row, samples);
        row.measured = true;
      }
    // The counter moves every 0.1 s or so; over a second that is lost.
    for (Row& row : rows)
      if (row.taking_s > 1) row.joules = row.taken_joules / static_cast<double>(samples * rounds);
    return rows;
  }

 private:
  static constexpr std::uint64_t warm_up = 16;

  /// Of a sample: as many as it can take, or, in the ramp study, what its operations were counted over.
  std::uint64_t expected_steps() const { return operations_[0].steps / bench_.counted; }

  Call call(Row& row, std::uint64_t samples) {
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto since = [&](auto start) { return std::chrono::duration<double>(now() - start).count(); };
    const Description& description = run_.model->description;
    if (row.plain != nullptr) {
      inputs_.draw(bench_, *run_.model, ensemble_.data(), samples);
      out_.assign(bench_.plain.width * samples, 0);
      const Terrain& terrain = run_.spec.world.terrain;
      const Quadric& q = terrain.quadric;
      const double surface[] = {q.a, q.b, q.c, q.d, q.e, q.f, terrain.radius};
      const scree_plain_job job{samples,         most_steps(run_), run_.spec.world.step, inputs_.values(),
                                inputs_.width(), surface,          out_.data()};
      const double cpu = processor_seconds();
      const auto start = now();
      row.plain(&job);
      const double wall = since(start);
      return {wall, processor_seconds() - cpu, wall, samples * most_steps(run_)};
    }
    table_.description = &description;
    table_.samples = samples;
    table_.values.assign(description.columns.size() * samples, none);
    table_.status.assign(samples, static_cast<std::uint32_t>(Status::not_run));
    Control control;
    const Job job{ensemble_.data(), run_.spec.tables.size(), row.scheme_number, 0, samples, table_.values.data(),
                  samples,          table_.status.data(),    row.threads,       0, 0,       &control};
    const double cpu = processor_seconds();
    const auto start = now();
    try {
      row.kernel(job);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      throw Error(Exit::device, "bench " + std::string(bench_.name) + ": backend " + row.backend + ": " + error.what());
    }
    const double wall = since(start);
    const double seconds = processor_seconds() - cpu;
    return {wall, seconds, row.is_cuda() ? control.kernel_s.load() : wall, control.steps_done.load()};
  }

  /// Digest and physics of a backend's summaries, agreement of a plain row's states.
  void look_at_results(Row& row, std::uint64_t samples) {
    if (row.plain == nullptr) {
      row.digest = digest(table_);
      row.contacts = contact_work(table_);
      row.check = bench_.check(run_, ensemble_.data(), row.scheme, table_);
      if (!row.is_backend()) return;
      means_.clear();
      for (const char* name : bench_.plain.state)
        means_.push_back(mean_of(table_.column(table_.description->column(name)).data(), samples, 1));
      return;
    }
    double most = 0;
    for (std::size_t c = 0; c < bench_.plain.state.size(); ++c) {
      const Mean plain = mean_of(out_.data() + c, samples, bench_.plain.width);
      most = worst(most, std::fabs(plain.mean - means_[c].mean) / means_[c].size);
    }
    row.check = PhysicsCheck{"difference of the mean state from the backends'", most, bench_.plain.agreement};
  }

  struct Mean {
    double mean, size;  // of x, of |x|
  };
  static Mean mean_of(const double* values, std::uint64_t count, std::size_t stride) {
    Mean sum{0, 0};
    for (std::uint64_t i = 0; i < count; ++i) {
      sum.mean += values[i * stride];
      sum.size += std::fabs(values[i * stride]);
    }
    return {sum.mean / static_cast<double>(count), sum.size / static_cast<double>(count)};
  }

  const BenchCase& bench_;
  const Machine& machine_;
  const BenchOptions& options_;
  Run run_;
  std::vector<std::byte> ensemble_;
  std::vector<Row> rows_;
  std::vector<StepOperations> operations_;  // by scheme
  SummaryTable table_;
  Inputs inputs_;
  std::vector<double> out_;
  std::vector<Mean> means_;
  PowerMeter meter_{machine_.device.pci_bus};
};

// ---------------------------------------------------------------------------------------------------------------------
// What is printed

struct Count {
  std::uint64_t samples;
  std::vector<Row> rows;
};

double flops_of(const CaseRun& run, const Row& row) {
  const StepOperations& counted = run.operations(row.scheme);
  return static_cast<double>(counted.operations.flops()) / static_cast<double>(counted.steps);
}
double share_of_peak(const CaseRun& run, const Row& row, double peak) {
  return peak > 0 ? flops_of(run, row) / row.busy_per_step() / peak : none;
}

/// Share of the issue slots of a GPU's FP64 pipe: a division takes about 9 of them, a square root 10, and comparisons
/// pass through it too. Unlike the share of the flops it can reach 100 %. NaN for a CPU.
double share_of_pipe(const CaseRun& run, const Row& row) {
  if (!row.is_cuda() || !(row.peak > 0)) return none;
  const StepOperations& counted = run.operations(row.scheme);
  const Operations& n = counted.operations;
  const double slots = static_cast<double>(n.add + n.mul + n.fma + 9 * n.div + 10 * n.sqrt + n.compare);
  return slots / static_cast<double>(counted.steps) / row.busy_per_step() / (row.peak / 2);
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return std::isnan(share) ? "-" : text;
}

void print_machine(const Machine& machine) {
  std::cout << machine.cpu << ", " << short_number(machine.cpu_ghz) << " GHz, " << machine.threads
            << (machine.threads == 1 ? " thread" : " threads") << "; FP64 peak of one core, measured:";
  for (int isa = 0; isa < isa_count; ++isa)
    if (machine.isa_peak[isa] > 0)
      std::cout << (isa > 0 ? ", " : " ") << isa_names[isa] << ' ' << short_number(1e-9 * machine.isa_peak[isa]);
  std::cout << " GFlop/s\n";
  if (machine.has_cuda)
    std::cout << machine.cuda << ", " << short_number(machine.device.clock)
              << " GHz; FP64 peak, measured: " << short_number(1e-12 * machine.device.peak) << " TFlop/s\n";
}

/// The pack row that the contracted one is to be compared with, and by how much it is slower.
void print_determinism(const Count& count) {
  for (const Row& free : count.rows)
    for (const Row& row : count.rows)
      if (free.backend == "contracted" && row.backend == "pack" && row.isa == free.isa && row.threads == 1 &&
          row.scheme == free.scheme && row.measured && free.measured)
        std::cout << "  " << row.scheme << ' ' << row.isa << ": determinism costs "
                  << percent(row.busy_per_step() / free.busy_per_step() - 1)
                  << " against the same code with contraction by the compiler\n";
}

void print_count(const CaseRun& run, const Count& count) {
  TextTable table(4, {"scheme", "backend", "isa", "threads", "Msteps/s", "ns/step", "GFlop/s", "of peak", "of isa",
                      "call s", "kernel s", "digest"});
  std::vector<std::string> left_out;
  for (const Row& row : count.rows) {
    if (!row.measured) {
      left_out.push_back(row.scheme + " " + row.backend + " " + row.isa);
      continue;
    }
    table.row({row.scheme, row.backend, row.isa, row.is_cuda() ? "" : std::to_string(row.threads),
               short_number(1e-6 * row.steps_per_s()), short_number(1e9 * row.busy_per_step()),
               short_number(1e-9 * flops_of(run, row) / row.busy_per_step()),
               percent(share_of_peak(run, row, row.peak)), percent(share_of_peak(run, row, row.isa_peak)),
               short_number(row.wall_s), short_number(row.kernel_s),
               row.digest.empty() ? "-" : row.digest.substr(0, 8)});
  }
  std::cout << '\n' << count.samples << " samples\n";
  table.print(std::cout);
  for (const Row& row : count.rows)
    if (row.measured && (!row.check->holds() || &row == &count.rows.front() || row.plain != nullptr))
      std::cout << "  " << row.scheme << ' ' << row.backend << ": " << row.check->what << ' '
                << short_number(row.check->value) << (row.check->holds() ? " <= " : ", EXCEEDS ")
                << short_number(row.check->bound) << '\n';
  for (const Row& row : count.rows)
    if (row.is_cuda() && row.measured)
      std::cout << "  " << row.scheme << " cuda: " << percent(share_of_pipe(run, row))
                << " of the FP64 pipe, the call takes " << short_number(row.wall_s / row.kernel_s)
                << " times its kernels; "
                << (std::isnan(row.joules) ? "energy not reported, or the calls too short for its counter"
                                           : short_number(1e6 * row.joules) + " uJ per sample")
                << '\n';
  for (const std::string& scheme : run.run().schemes)
    for (const Row& row : count.rows)
      if (row.measured && row.scheme == scheme && row.contacts.steps > 0) {
        std::cout << "  " << scheme << ": contacts in " << percent(row.contacts.steps / static_cast<double>(row.steps))
                  << " of the steps, " << short_number(row.contacts.sweeps / row.contacts.steps)
                  << " sweeps each; capped " << short_number(1e6 * row.contacts.capped / row.contacts.steps)
                  << ", twofold " << short_number(1e6 * row.contacts.twofold / row.contacts.steps) << " in a million\n";
        break;
      }
  print_determinism(count);
  if (!left_out.empty() && !Interruptible::asked())
    print_wrapped(std::cout, "left out, a call would take longer than --limit: " + joined(left_out), 2);
}

const Row* fastest(const Count& count, const std::string& scheme, bool cuda) {
  const Row* best = nullptr;
  for (const Row& row : count.rows)
    if (row.measured && row.scheme == scheme && row.is_backend() && row.is_cuda() == cuda &&
        (best == nullptr || row.steps_per_s() > best->steps_per_s()))
      best = &row;
  return best;
}

/// The best GPU row against the best CPU row, each at the number of samples that suits it best, and where the GPU
/// overtakes. Never against naive.
void print_headline(const CaseRun& run, const std::vector<Count>& counts) {
  for (const std::string& scheme : run.run().schemes) {
    const Row *cpu = nullptr, *gpu = nullptr;
    std::uint64_t overtakes = 0;
    for (const Count& count : counts) {
      const Row *c = fastest(count, scheme, false), *g = fastest(count, scheme, true);
      if (c != nullptr && (cpu == nullptr || c->steps_per_s() > cpu->steps_per_s())) cpu = c;
      if (g != nullptr && (gpu == nullptr || g->steps_per_s() > gpu->steps_per_s())) gpu = g;
      if (overtakes == 0 && c != nullptr && g != nullptr && g->steps_per_s() > c->steps_per_s())
        overtakes = count.samples;
    }
    if (cpu == nullptr) continue;
    std::cout << scheme << ": best CPU row " << cpu->backend << ' ' << cpu->isa << ", " << cpu->threads
              << (cpu->threads == 1 ? " thread, " : " threads, ") << short_number(1e-6 * cpu->steps_per_s())
              << " Msteps/s";
    if (gpu != nullptr)
      std::cout << "; GPU " << short_number(1e-6 * gpu->steps_per_s()) << " Msteps/s, "
                << short_number(gpu->steps_per_s() / cpu->steps_per_s()) << " times that; "
                << (overtakes > 0 ? "of these counts it is faster from " + std::to_string(overtakes) + " samples on"
                                  : "it is not faster at any of these counts");
    std::cout << '\n';
  }
}

void print_case(const CaseRun& run) {
  std::cout << '\n' << run.bench().name << ": " << run.bench().meaning << '\n';
  for (const std::string& scheme : run.run().schemes) {
    const StepOperations& counted = run.operations(scheme);
    const Operations& all = counted.operations;
    const auto per_step = [&](std::uint64_t n) {
      return short_number(static_cast<double>(n) / static_cast<double>(counted.steps));
    };
    std::cout << "  " << scheme << ": " << per_step(all.flops()) << " flop per step: " << per_step(all.add) << " add, "
              << per_step(all.mul) << " mul, " << per_step(all.fma) << " fma (2 flop), " << per_step(all.div)
              << " div, " << per_step(all.sqrt) << " sqrt; " << per_step(all.compare) << " compare, "
              << per_step(all.select) << " select\n";
  }
}

nlohmann::ordered_json number(double x) { return std::isnan(x) ? nlohmann::ordered_json() : nlohmann::ordered_json(x); }

/// A result as names and values, for JSON and CSV.
nlohmann::ordered_json record(const Machine& machine, const CaseRun& run, std::uint64_t samples, const Row& row) {
  const StepOperations& counted = run.operations(row.scheme);
  const auto per_step = [&](std::uint64_t n) { return static_cast<double>(n) / static_cast<double>(counted.steps); };
  const Operations& all = counted.operations;
  const auto with_contacts = [&](double x) { return row.contacts.steps > 0 ? x : none; };
  return {{"case", run.bench().name},
          {"scheme", row.scheme},
          {"samples", samples},
          {"backend", row.backend},
          {"isa", row.isa},
          {"threads", row.threads},
          {"sample_steps", row.steps},
          {"steps_per_s", row.steps_per_s()},
          {"ns_per_step", 1e9 * row.busy_per_step()},
          {"call_s", row.wall_s},
          {"kernel_s", row.kernel_s},
          {"cpu_s", number(row.is_cuda() ? none : row.cpu_s)},
          {"flop_per_step", flops_of(run, row)},
          {"share_of_peak", number(share_of_peak(run, row, row.peak))},
          {"share_of_isa_peak", number(share_of_peak(run, row, row.isa_peak))},
          {"share_of_pipe", number(share_of_pipe(run, row))},
          {"peak_flops", number(row.peak)},
          {"joule_per_sample", number(row.joules)},
          {"check", row.check->what},
          {"check_value", number(row.check->value)},
          {"check_bound", row.check->bound},
          {"digest", row.digest.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(row.digest)},
          {"contact_share", number(with_contacts(row.contacts.steps / static_cast<double>(row.steps)))},
          {"sweeps_per_contact_step", number(with_contacts(row.contacts.sweeps / row.contacts.steps))},
          {"capped_share", number(with_contacts(row.contacts.capped / row.contacts.steps))},
          {"twofold_share", number(with_contacts(row.contacts.twofold / row.contacts.steps))},
          {"add", per_step(all.add)},
          {"mul", per_step(all.mul)},
          {"fma", per_step(all.fma)},
          {"div", per_step(all.div)},
          {"sqrt", per_step(all.sqrt)},
          {"compare", per_step(all.compare)},
          {"select", per_step(all.select)},
          {"precision", "FP64"},
          {"device", row.is_cuda() ? machine.cuda : machine.cpu},
          {"clock_ghz", row.is_cuda() ? machine.device.clock : machine.cpu_ghz},
          {"version", SCREE_VERSION},
          {"commit", SCREE_COMMIT}};
}

std::string csv_text(const nlohmann::ordered_json& records) {
  std::string text;
  const auto line = [&](const nlohmann::ordered_json& record, bool names) {
    bool first = true;
    for (const auto& [name, value] : record.items()) {
      text += first ? "" : ",";
      first = false;
      if (names)
        text += name;
      else if (value.is_number_float()) {
        char digits[40];
        std::snprintf(digits, sizeof digits, "%.17g", value.get<double>());
        text += digits;
      } else if (value.is_string()) {
        const std::string word = value;
        text += word.find(',') == std::string::npos ? word : '"' + word + '"';
      } else if (!value.is_null())
        text += value.dump();
    }
    text += '\n';
  };
  if (!records.empty()) line(records.front(), true);
  for (const auto& record : records) line(record, false);
  return text;
}

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
  if (json)
    std::cout << list.dump(2) << '\n';
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
  if (options.json) std::cout << records.dump(2) << '\n';
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
