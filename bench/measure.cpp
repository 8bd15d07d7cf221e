#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "../kernels/cpu_threads.hpp"
#include "cuda_bench.hpp"
#include "host/common/available_threads.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_table.hpp"
#include "host/common/worst.hpp"
#include "host/config/config.hpp"
#include "host/engine/execute.hpp"
#include "host/engine/memory.hpp"
#include "host/engine/path_stores.hpp"
#include "host/model/digest.hpp"
#include "peak.hpp"

namespace scree {

Machine::Machine(int wanted)
    : cpu(cpu_name()), cpu_ghz(cpu_clock()), threads(wanted > 0 ? wanted : available_threads()) {
  for (int isa = 0; isa < isa_count; ++isa) cpu_peak = std::max(cpu_peak, isa_peak[isa] = measure_cpu_peak(isa));
  std::string why;
  has_cuda = scree_cuda_devices(&why) > 0;
  if (!has_cuda) return;
  scree_cuda_device(0, &device);
  cuda_peak = measure_cuda_peak(0);
}

namespace {

Run load_case(const BenchCase& bench) {
  Run run = load_run_text(std::string("bench case ") + bench.name, bench.config, {}, &find_bench_model);
  if (bench.every_scheme) run.schemes = run.model->description.scheme_names();
  return run;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Row> rows_of(const BenchCase& bench, const Run& run, const Machine& machine) {
  std::vector<Row> rows;
  const SystemKernels& kernels = run.model->kernels;
  const auto add = [&](Row row, const std::string& scheme) {
    row.scheme = scheme;
    row.scheme_number = run.model->description.scheme(scheme);
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
    // The best instruction set on all threads; on one thread all of them for packs, the best for scalar code. What maps
    // cost is a ratio, which one row of each shows.
    const bool makes_maps = !bench.map_cells.empty();
    const auto backend = [&](const char* name, const Kernel(&kernel)[isa_count], bool all_sets) {
      const int best = best_isa(kernel);
      if (best < 0) return;
      for (int isa = all_sets && !makes_maps ? 0 : best; isa <= best; ++isa)
        if (kernel[isa] != nullptr) cpu(name, isa, 1, kernel[isa]);
      if (machine.threads > 1 && !makes_maps) cpu(name, best, machine.threads, kernel[best]);
      rows.back().always = all_sets;
    };
    backend("scalar", kernels.scalar, false);
    backend("pack", kernels.pack, true);
    if (scheme == run.schemes.front()) {
      const int isa = best_isa(bench.contracted);
      if (isa >= 0) cpu("contracted", isa, 1, bench.contracted[isa]);
    }
    if (kernels.cuda != nullptr && machine.has_cuda) {
      Row row;
      row.backend = "cuda";
      row.kernel = kernels.cuda;
      row.peak = row.isa_peak = machine.cuda_peak;
      add(row, scheme);
    }
    for (const PlainRow& plain : bench.plain.rows) {
      const bool can = ((scree_plain_needs & 1) == 0 || scree_processor_has(1)) &&
                       ((scree_plain_needs & 2) == 0 || scree_processor_has(2));
      if (scheme != plain.scheme || !can) continue;
      Row row;
      row.backend = plain.backend;
      row.isa = scree_plain_isa;
      row.plain = plain.run;
      row.peak = row.isa_peak = machine.cpu_peak;
      add(row, scheme);
    }
  }
  std::vector<Row> all;
  for (const Row& row : rows) {
    all.push_back(row);
    for (const double cell : bench.map_cells) {
      all.push_back(row);
      all.back().map_cell = cell;
    }
  }
  return all;
}

/// The time that maps add to, s: of a device also that in which the host makes maps of what it has seen.
double time_with_maps(const Row& row) { return row.is_cuda() ? row.wall_s : row.cpu_s; }

}  // namespace

void check_choice(const BenchCase& bench, const BenchOptions& options) {
  if (options.schemes.empty() && options.backends.empty()) return;
  const Run run = load_case(bench);
  const SystemKernels& kernels = run.model->kernels;
  const auto any = [](const auto& list) {
    return std::any_of(std::begin(list), std::end(list), [](Kernel kernel) { return kernel != nullptr; });
  };
  std::vector<std::string> backends{"scalar"};
  if (kernels.has_packs()) backends.push_back("pack");
  if (kernels.cuda != nullptr) backends.push_back("cuda");
  const std::size_t ours = backends.size();
  for (const PlainRow& plain : bench.plain.rows) backends.push_back(plain.backend);
  if (any(bench.contracted)) backends.push_back("contracted");
  const auto check = [&](const char* option, const std::vector<std::string>& names,
                         const std::vector<std::string>& there) {
    for (const std::string& name : names)
      if (!has(there, name))
        throw Error(Exit::usage, std::string("bench ") + option + " " + name + suggestion(name, there) + " (case " +
                                     bench.name + ")");
  };
  check("--schemes", options.schemes, run.schemes);
  check("--backends", options.backends, backends);
  backends.resize(ours);
  if (!options.backends.empty() && std::none_of(backends.begin(), backends.end(), [&](const std::string& backend) {
        return has(options.backends, backend);
      }))
    throw Error(Exit::usage, "bench --backends " + joined(options.backends) + ": needs one of " + joined(backends) +
                                 ", to check the others against");
  std::string why;
  if (has(options.backends, "cuda") && scree_cuda_devices(&why) == 0)
    throw Error(Exit::device, "bench --backends cuda: no device: " + why);
}

void Inputs::draw(const BenchCase& bench, const Model& model, const void* ensemble, std::uint64_t samples) {
  const Description& d = model.description;
  std::vector<std::size_t> places;
  const auto add = [&](const std::vector<Quantity>& quantities, const std::string& name, std::size_t base) {
    for (const Quantity& q : quantities)
      for (int k = 0; q.name == name && k < q.width * std::max(q.most, 1); ++k)
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

CaseRun::CaseRun(const BenchCase& bench, const Machine& machine, const BenchOptions& options)
    : bench_(bench),
      machine_(machine),
      options_(options),
      run_(load_case(bench)),
      ensemble_(run_.model->ensemble(run_.spec)) {
  if (!options.schemes.empty()) run_.schemes = options.schemes;
  for (const double cell : bench.map_cells) {
    std::vector<std::string> overlays{"maps.on=true", "maps.cell=" + short_number(cell)};
    if (bench.map_extent != nullptr) overlays.push_back(std::string("maps.extent=") + bench.map_extent);
    Run run = derive(run_, overlays);
    std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
    mapped_.emplace(cell, Mapped{std::move(run), std::move(ensemble)});
  }
  rows_ = rows_of(bench, run_, machine);
  if (!options.backends.empty())
    std::erase_if(rows_, [&](const Row& row) { return !has(options.backends, row.backend); });
  for (const std::string& scheme : run_.schemes)
    operations_.push_back(
        bench.count(ensemble_.data(), run_.model->description.scheme(scheme), bench.counted, work_of(run_).longest));
  // A little of everything first: contexts are made, pages touched, and the rates are known.
  for (Row& row : rows_) {
    const Call call = this->call(row, warm_up);
    // By processor time: other programs do not count.
    row.rate = row.is_cuda() ? std::numeric_limits<double>::infinity() : static_cast<double>(call.steps) / call.cpu_s;
  }
}

std::vector<Row> CaseRun::measure(std::uint64_t samples, const Budget& budget) {
  run_.samples = samples;
  Work one_table;
  one_table.add(samples, run_.spec.world.step, run_.spec.world.end);
  require_memory(run_, one_table);
  std::vector<Row> rows = rows_;
  means_.clear();
  for (int round = 0; round < options_.rounds && !options_.caller.asks_for_end(); ++round)
    for (Row& row : rows) {
      if (options_.caller.asks_for_end()) break;
      const double expected = static_cast<double>(samples * expected_steps()) / row.rate / row.threads;
      if (!row.is_cuda() && !row.always && expected > options_.limit) continue;
      if (expected > budget.left()) continue;
      if (row.plain != nullptr && means_.empty()) continue;  // nothing to check it against
      options_.caller.note(std::string(bench_.name) + ", " + std::to_string(samples) + " samples, round " +
                           std::to_string(round + 1) + " of " + std::to_string(options_.rounds) + ": " + row.scheme +
                           " " + row.backend + " " + row.isa);
      const double joules = row.is_cuda() ? meter_.joules() : no_number;
      const Call call = this->call(row, samples);
      ++row.calls;
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
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k].is_cuda() && rows[k].measured) rows_[k].rate = rows[k].steps_per_s();
  for (Row& row : rows)
    for (const Row& without : rows)
      if (row.map_cell > 0 && without.map_cell == 0 && row.measured && without.measured &&
          row.scheme == without.scheme && row.backend == without.backend)
        row.over_no_maps = time_with_maps(row) / time_with_maps(without);
  // The counter moves every 0.1 s or so; over a second that is lost.
  for (Row& row : rows)
    if (row.taking_s > 1) row.joules = row.taken_joules / static_cast<double>(samples * row.calls);
  return rows;
}

Call CaseRun::call(Row& row, std::uint64_t samples) {
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto since = [&](auto start) { return std::chrono::duration<double>(now() - start).count(); };
  const Description& description = run_.model->description;
  if (row.plain != nullptr) {
    inputs_.draw(bench_, *run_.model, ensemble_.data(), samples);
    out_.assign(bench_.plain.width * samples, 0);
    const Terrain& terrain = run_.spec.world.terrain;
    const Quadric q = terrain.is<Quadric>() ? terrain.get<Quadric>() : Quadric{};
    const double radius = terrain.is<Bowl>() ? terrain.get<Bowl>().radius : 0;
    const double surface[] = {q.a, q.b, q.c, q.d, q.e, q.f, radius};
    // As many as ours take: a disk's clock does not begin at 0.
    const std::uint64_t steps = expected_steps();
    const scree_plain_job job{samples,         steps,   run_.spec.world.step, inputs_.values(),
                              inputs_.width(), surface, out_.data()};
    const double cpu = processor_seconds();
    const auto start = now();
    row.plain(&job);
    const double wall = since(start);
    return {wall, processor_seconds() - cpu, wall, samples * steps};
  }
  table_.description = &description;
  table_.samples = samples;
  table_.values.assign(description.columns.size() * samples, no_number);
  table_.status.assign(samples, static_cast<std::uint32_t>(Status::not_run));
  Control control;
  std::optional<PathStores> stores;
  const std::byte* ensemble = ensemble_.data();
  if (row.map_cell > 0) {
    Mapped& mapped = mapped_.at(row.map_cell);
    world_of(mapped.ensemble).visits = stores.emplace(mapped.run, Arm{}, control, false).collector();
    ensemble = mapped.ensemble.data();
  }
  const Job job{ensemble, run_.spec.tables.size(), row.scheme_number, 0, samples, table_.values.data(),
                samples,  table_.status.data(),    row.threads,       0, 0,       &control};
  const double cpu = processor_seconds();
  const auto start = now();
  try {
    row.kernel(job);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(Exit::device, "bench " + std::string(bench_.name) + ": backend " + row.backend + ": " + error.what());
  }
  const MapStore* maps = nullptr;
  if (stores) stores->kept([&](const PassageBatch&, const MapStore* settled) { maps = settled; });
  const double wall = since(start);
  const double seconds = processor_seconds() - cpu;
  if (maps != nullptr) row.maps_digest = maps->digest();
  return {wall, seconds, row.is_cuda() ? control.kernel_s.load() : wall, control.steps_done.load()};
}

void CaseRun::look_at_results(Row& row, std::uint64_t samples) {
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

CaseRun::Mean CaseRun::mean_of(const double* values, std::uint64_t count, std::size_t stride) {
  Mean sum{0, 0};
  for (std::uint64_t i = 0; i < count; ++i) {
    sum.mean += values[i * stride];
    sum.size += std::fabs(values[i * stride]);
  }
  return {sum.mean / static_cast<double>(count), sum.size / static_cast<double>(count)};
}

}  // namespace scree
