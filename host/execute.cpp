#include "execute.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <mutex>
#include <new>
#include <thread>

#include "digest.hpp"
#include "error.hpp"
#include "kernels/cpu_threads.hpp"
#include "kernels/cuda_devices.hpp"
#include "progress.hpp"
#include "suggest.hpp"
#include "text_table.hpp"

namespace scree {
namespace {

constexpr int interrupts[] = {SIGINT, SIGTERM};

/// When the first interrupt came, in nanoseconds of the monotonic clock; 0 if none did.
std::atomic<std::int64_t> interrupted{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a signal handler writes it");

/// A wrapper like timeout(1) sends the same signal to the process and to its group: what follows at once is no second
/// one.
constexpr std::int64_t second_after = 300'000'000;  // ns

void interrupt(int signal) {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t now = std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec, first = interrupted.load();
  if (first == 0) {
    interrupted.store(now);
  } else if (now - first > second_after) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // delivered when this handler returns
  }
}

/// A CPU backend with the best instruction set that it, the processor and the option allow.
Engine cpu_engine(const std::string& backend, const Kernel (&kernels)[isa_count], const EngineOptions& options) {
  const auto missing = [&](int isa) -> std::string {
    if (kernels[isa] == nullptr) return "this program was built without " + std::string(isa_titles[isa]) + " kernels";
    if (!scree_processor_has(isa)) return "this processor has no " + std::string(isa_titles[isa]);
    return "";
  };
  int isa = isa_count - 1;
  if (options.isa == "auto") {
    while (!missing(isa).empty()) --isa;  // ends at the baseline, which every build has
  } else {
    while (options.isa != isa_names[isa])
      if (--isa < 0) throw Error(Exit::usage, "--isa " + options.isa + ": must be one of auto, baseline, avx2, avx512");
    if (backend == "scalar" && isa == static_cast<int>(Isa::avx512))
      throw Error(Exit::usage, "--isa avx512 is for the pack backend, not for scalar");
    if (const std::string why = missing(isa); !why.empty())
      throw Error(Exit::device, "backend " + backend + ": --isa " + options.isa + ": " + why);
  }
  Engine engine;
  engine.kernel = kernels[isa];
  engine.backend = backend;
  engine.device = isa_titles[isa];
  engine.threads = options.threads > 0 ? options.threads : scree_available_threads();
  return engine;
}

Engine cuda_engine(const Model& model, int device) {
  std::string why = "this program was built without CUDA";
  const int count = model.kernels.cuda ? scree_cuda_devices(&why) : 0;
  if (count == 0) throw Error(Exit::device, "backend cuda: no device: " + why);
  if (device >= count)
    throw Error(Exit::device, "backend cuda:" + std::to_string(device) + ": no such device, this machine has " +
                                  std::to_string(count) + ", numbered from 0");
  Engine engine;
  engine.kernel = model.kernels.cuda;
  engine.backend = "cuda";
  engine.device_number = device;
  scree_cuda_device_name(device, &engine.device);
  return engine;
}

/// K of "cuda:K", 0 of "cuda", -1 of anything else.
int device_of(const std::string& backend) {
  if (backend == "cuda") return 0;
  int device = -1;
  if (backend.compare(0, 5, "cuda:") != 0) return -1;
  const char *first = backend.data() + 5, *last = backend.data() + backend.size();
  const auto [end, error] = std::from_chars(first, last, device);
  return error == std::errc{} && end == last && device >= 0 ? device : -1;
}

/// The shape of each sample, as it draws it.
std::vector<int> groups_of(const Run& run, const void* ensemble) {
  if (run.group_by.empty()) return {};
  const Description& description = run.model->description;
  const auto shape = std::find_if(description.starts.begin(), description.starts.end(),
                                  [&](const Quantity& q) { return q.name == run.group_by; });
  if (shape == description.starts.end()) return {};
  const std::size_t place = description.param_doubles + static_cast<std::size_t>(shape->offset);
  std::vector<double> values(description.param_doubles + description.start_doubles);
  std::vector<int> groups(run.samples);
  for (std::uint64_t sample = 0; sample < run.samples; ++sample) {
    run.model->draw(ensemble, sample, values.data());
    groups[sample] = static_cast<int>(values[place]);
  }
  return groups;
}

/// The table with room for `samples`: what is not there is NaN and `not_run`.
SummaryTable grown(const SummaryTable& finished, const Description& description, std::uint64_t samples) {
  SummaryTable table;
  table.description = &description;
  table.samples = samples;
  table.values.assign(description.columns.size() * samples, std::numeric_limits<double>::quiet_NaN());
  table.status = finished.status;
  table.status.resize(samples, static_cast<std::uint32_t>(Status::not_run));
  if (finished.samples > 0)
    for (std::size_t c = 0; c < description.columns.size(); ++c)
      std::ranges::copy(finished.column(static_cast<int>(c)), table.values.data() + c * samples);
  return table;
}

/// One job for each range of samples that were not run.
std::vector<Job> missing_jobs(const Job& whole, SummaryTable& table) {
  std::vector<Job> jobs;
  const auto is_missing = [](std::uint32_t status) { return status == static_cast<std::uint32_t>(Status::not_run); };
  for (auto first = table.status.begin(); first != table.status.end();) {
    first = std::find_if(first, table.status.end(), is_missing);
    const auto end = std::find_if_not(first, table.status.end(), is_missing);
    if (first == end) break;
    Job job = whole;
    job.first = static_cast<std::uint64_t>(first - table.status.begin());
    job.count = static_cast<std::uint64_t>(end - first);
    job.columns = table.values.data() + job.first;
    job.status = table.status.data() + job.first;
    jobs.push_back(job);
    first = end;
  }
  return jobs;
}

/// Runs jobs of one thread, each on one of `threads`.
void run_side_by_side(Kernel kernel, const std::vector<Job>& jobs, int threads) {
  struct Context {
    Kernel kernel;
    const std::vector<Job>& jobs;
    std::atomic<std::size_t> next{0};
  } context{kernel, jobs};
  scree_on_threads(
      threads,
      [](void* pointer) {
        auto& shared = *static_cast<Context*>(pointer);
        for (std::size_t i = shared.next++; i < shared.jobs.size(); i = shared.next++)
          if (!shared.jobs[i].control->cancel.load(std::memory_order_relaxed)) shared.kernel(shared.jobs[i]);
      },
      &context);
}

/// Runs the jobs one after the other. Where a run was interrupted they may be hundreds of a sample or two, one for each
/// that was in flight: on a CPU those with fewer samples than threads run side by side.
void run_jobs(const Engine& engine, const std::vector<Job>& jobs) {
  std::vector<Job> small;
  const auto is_small = [&](const Job& job) { return job.count < static_cast<std::uint64_t>(engine.threads); };
  if (engine.backend != "cuda") std::ranges::copy_if(jobs, std::back_inserter(small), is_small);
  const bool side_by_side = small.size() >= static_cast<std::size_t>(engine.threads);
  for (const Job& job : jobs)
    if (!(side_by_side && is_small(job)) && !job.control->cancel.load(std::memory_order_relaxed)) engine.kernel(job);
  if (!side_by_side) return;
  for (Job& job : small) job.threads = 1;
  run_side_by_side(engine.kernel, small, engine.threads);
}

/// Calls `work` on a thread of its own while this one shows progress and listens for Ctrl-C.
void run_watched(const std::function<void()>& work, Control& control, Progress& progress) {
  using Clock = std::chrono::steady_clock;
  std::mutex mutex;
  std::condition_variable changed;
  bool over = false;
  std::exception_ptr failure;
  const auto start = Clock::now();
  std::jthread worker([&] {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    over = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return over; })) {
      if (Interruptible::asked()) control.cancel.store(true, std::memory_order_relaxed);
      progress.show(control.samples_done.load(std::memory_order_relaxed),
                    control.steps_done.load(std::memory_order_relaxed),
                    std::chrono::duration<double>(Clock::now() - start).count());
    }
  }
  worker.join();
  if (failure) std::rethrow_exception(failure);
}

int scheme_number(const Description& description, const std::string& scheme) {
  for (std::size_t i = 0; i < description.schemes.size(); ++i)
    if (description.schemes[i].name == scheme) return static_cast<int>(i);
  throw Error(Exit::usage, "unknown scheme \"" + scheme + "\"");
}

}  // namespace

std::string Engine::text() const {
  return backend + (device.empty() ? "" : " (" + device + ")") +
         (backend == "cuda" ? "" : ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"));
}

std::string obstacle(const Run& run, const Engine& engine) {
  const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  std::vector<double> columns(run.model->description.columns.size());
  std::uint32_t status = static_cast<std::uint32_t>(Status::not_run);
  // Asked to stop before it begins, a backend takes its memory, places the first sample and ends.
  Control control;
  control.cancel = true;
  const Job job{
      ensemble.data(), run.spec.tables.size(), 0, 0, 1, columns.data(), 1, &status, 1, 0, engine.device_number,
      &control};
  try {
    engine.kernel(job);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

Engine choose_engine(const Run& run, const EngineOptions& options) {
  const Model& model = *run.model;
  static const std::vector<std::string> names{"auto", "scalar", "pack", "cuda", "cuda:K"};
  const int device = device_of(options.backend);
  if (device >= 0 && options.isa != "auto")
    throw Error(Exit::usage, "--isa " + options.isa + " is for the CPU backends, not for " + options.backend);
  if (device >= 0) return cuda_engine(model, device);
  if (options.backend == "scalar") return cpu_engine("scalar", model.kernels.scalar, options);
  if (options.backend != "auto" && options.backend != "pack")
    throw Error(Exit::usage, "--backend " + options.backend + ": must be one of " + joined(names));
  std::string why;
  if (options.backend == "auto" && options.isa == "auto" && model.kernels.cuda && scree_cuda_devices(&why) > 0) {
    const Engine engine = cuda_engine(model, 0);
    why = obstacle(run, engine);
    if (why.empty()) return engine;
    std::cerr << "warning: backend " << engine.text() << " cannot run here, the CPU is used: " << why << '\n';
  }
  const bool packs = model.kernels.pack[static_cast<int>(Isa::baseline)] != nullptr;
  if (options.backend == "pack" && !packs)
    throw Error(Exit::usage, "--backend pack: " + model.description.system +
                                 " is not compiled for packs, its samples have too little in common; scalar runs it");
  return packs ? cpu_engine("pack", model.kernels.pack, options) : cpu_engine("scalar", model.kernels.scalar, options);
}

double memory_needed(const Run& run, std::size_t arms, std::uint64_t finished) {
  const double samples = static_cast<double>(run.samples);
  const double of_one = 8.0 * static_cast<double>(run.model->description.columns.size()) + 4.0;
  // Statistics and the result file copy and sort one column at a time.
  return of_one * (samples * static_cast<double>(arms) + static_cast<double>(finished)) + samples * 8.0 * 4.0;
}

double memory_available() {
  double available = static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  std::ifstream meminfo("/proc/meminfo");
  std::string name, unit;
  for (double kilobytes; meminfo >> name >> kilobytes && std::getline(meminfo, unit);)
    if (name == "MemAvailable:") available = kilobytes * 1024;
  // A container's own limit (cgroup v2); "max" where there is none.
  double limit = 0, used = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit && std::ifstream("/sys/fs/cgroup/memory.current") >> used)
    available = std::min(available, std::max(0.0, limit - used));
  return available;
}

std::string bytes_text(double bytes) {
  static constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; bytes >= 1000 && unit < 5; ++unit) bytes /= 1000;
  return short_number(bytes) + " " + units[unit];
}

void require_memory(const Run& run, std::size_t arms, std::uint64_t finished) {
  const double needed = memory_needed(run, arms, finished), available = memory_available();
  if (needed > available)
    throw Error(Exit::device, run.config_path + ": the summaries of " + std::to_string(run.samples) + " samples" +
                                  (arms > 1 ? " under " + std::to_string(arms) + " schemes" : "") + " take " +
                                  bytes_text(needed) + " of memory, " + bytes_text(available) + " are available");
}

std::uint64_t most_steps(const Run& run) {
  // The first n with n h + h/2 > end.
  constexpr double most = 9e18;  // fits 64 bits
  return static_cast<std::uint64_t>(std::min(std::floor(run.spec.world.end / run.spec.world.step - 0.5), most)) + 1;
}

Interruptible::Interruptible() {
  for (int i = 0; i < 2; ++i) {
    sigaction(interrupts[i], nullptr, &before_[i]);
    if (before_[i].sa_handler == SIG_IGN) continue;
    struct sigaction action = {};
    action.sa_handler = interrupt;
    sigemptyset(&action.sa_mask);
    sigaction(interrupts[i], &action, nullptr);
  }
}

Interruptible::~Interruptible() {
  for (int i = 0; i < 2; ++i) sigaction(interrupts[i], &before_[i], nullptr);
}

bool Interruptible::asked() { return interrupted.load(std::memory_order_relaxed) != 0; }

Arm execute(const Run& run, const std::string& scheme, const Engine& engine, bool quiet, const std::string& label,
            Arm finished) {
  const Description& description = run.model->description;
  const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  Arm arm;
  arm.name = arm.scheme = scheme;
  arm.step = run.spec.world.step;
  arm.backend = engine.backend;
  arm.device = engine.device;
  arm.threads = engine.threads;
  arm.wall_s = finished.wall_s;
  arm.table = grown(finished.table, description, run.samples);
  finished.table = {};
  SummaryTable& table = arm.table;
  table.replicates = run.sampling.replicates;

  Control control;
  const Job whole{ensemble.data(),
                  run.spec.tables.size(),
                  scheme_number(description, scheme),
                  0,
                  run.samples,
                  table.values.data(),
                  run.samples,
                  table.status.data(),
                  engine.threads,
                  0,
                  engine.device_number,
                  &control};
  const std::vector<Job> jobs = missing_jobs(whole, table);
  if (!Interruptible::asked() && !jobs.empty()) {
    std::uint64_t missing = 0;
    for (const Job& job : jobs) missing += job.count;
    Progress progress(label.empty() ? scheme : label, missing, quiet);
    const auto start = std::chrono::steady_clock::now();
    try {
      run_watched([&] { run_jobs(engine, jobs); }, control, progress);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      throw Error(Exit::device, "backend " + engine.backend + ": " + error.what());
    }
    arm.wall_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  arm.sample_steps = finished.sample_steps + control.steps_done.load();
  arm.digest = digest(table);
  arm.group = groups_of(run, ensemble.data());
  arm.statistics = arm.group.empty()
                       ? statistics(table, nullptr, 0, engine.threads)
                       : statistics(table, &arm.group, static_cast<int>(run.shape_names.size()), engine.threads);
  return arm;
}

std::uint64_t failed_samples(const Arm& arm) {
  return arm.statistics.status[static_cast<std::size_t>(Status::diverged)] +
         arm.statistics.status[static_cast<std::size_t>(Status::not_converged)];
}

}  // namespace scree
