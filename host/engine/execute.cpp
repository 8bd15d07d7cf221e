#include "execute.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <iterator>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "groups.hpp"
#include "host/common/error.hpp"
#include "host/common/parallel.hpp"
#include "host/model/digest.hpp"
#include "kernels/cpu_threads.hpp"
#include "memory.hpp"
#include "path_stores.hpp"
#include "progress.hpp"

namespace scree {
namespace {

/// One job for each range of samples that were not run.
std::vector<Job> missing_jobs(const Job& whole, SummaryTable& table) {
  std::vector<Job> jobs;
  const auto is_missing = [](std::uint32_t status) { return status == static_cast<std::uint32_t>(Status::not_run); };
  for (auto first = table.status.begin(); first != table.status.end();) {
    first = std::find_if(first, table.status.end(), is_missing);
    const auto end = std::find_if_not(first, table.status.end(), is_missing);
    if (first == end) break;
    Job job = whole;
    const std::uint64_t row = static_cast<std::uint64_t>(first - table.status.begin());
    job.first = table.number(row);
    job.count = static_cast<std::uint64_t>(end - first);
    job.columns = table.values.data() + row;
    job.status = table.status.data() + row;
    if (job.steps) job.steps += row;
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
          if (!shared.jobs[i].control->close.load(std::memory_order_relaxed)) shared.kernel(shared.jobs[i]);
      },
      &context);
}

/// Missing samples, handed out piece by piece.
class Pieces {
 public:
  explicit Pieces(const std::vector<Job>& jobs) : jobs_(jobs) {}
  /// The next samples, at most so many; nothing where all have been given.
  std::optional<Job> next(std::uint64_t most) {
    const std::lock_guard lock(mutex_);
    while (at_ < jobs_.size() && given_ == jobs_[at_].count) {
      ++at_;
      given_ = 0;
    }
    if (at_ == jobs_.size()) return std::nullopt;
    Job piece = jobs_[at_];
    piece.first += given_;
    piece.columns += given_;
    piece.status += given_;
    if (piece.steps) piece.steps += given_;
    piece.count = std::min(most, piece.count - given_);
    given_ += piece.count;
    return piece;
  }

 private:
  const std::vector<Job>& jobs_;
  std::mutex mutex_;
  std::size_t at_ = 0;
  std::uint64_t given_ = 0;  // of the job there
};

/// Several backends take pieces until there are none; which one takes which changes no bit. Where one fails the others
/// go on.
void run_on_workers(const std::vector<Engine>& workers, const std::vector<Job>& jobs) {
  // Enough to fill a device, and to let CPU threads end together; of few samples several for each.
  std::uint64_t all = 0;
  for (const Job& job : jobs) all += job.count;
  const std::uint64_t share = all / (4 * workers.size());
  const std::uint64_t of_a_device = std::clamp<std::uint64_t>(share, std::uint64_t{1} << 15, std::uint64_t{1} << 20),
                      of_threads = std::clamp<std::uint64_t>(share, 16, std::uint64_t{1} << 12);
  Pieces pieces(jobs);
  on_threads(static_cast<int>(workers.size()), workers.size(), [&](std::size_t w) {
    const Engine& worker = workers[w];
    while (!jobs.front().control->close.load(std::memory_order_relaxed)) {
      std::optional<Job> piece = pieces.next(worker.is_cuda() ? of_a_device : of_threads);
      if (!piece) return;
      piece->threads = worker.threads;
      piece->device = worker.device_number;
      worker.kernel(*piece);
    }
  });
}

/// Runs the jobs one after the other. Where a run was interrupted they may be hundreds of a sample or two, one for each
/// that was in flight: on a CPU those with fewer samples than threads run side by side.
void run_jobs(const Engine& engine, const std::vector<Job>& jobs) {
  if (!engine.workers.empty()) return run_on_workers(engine.workers, jobs);
  std::vector<Job> small;
  const auto is_small = [&](const Job& job) { return job.count < static_cast<std::uint64_t>(engine.threads); };
  if (engine.backend != "cuda") std::ranges::copy_if(jobs, std::back_inserter(small), is_small);
  const bool side_by_side = small.size() >= static_cast<std::size_t>(engine.threads);
  for (const Job& job : jobs)
    if (!(side_by_side && is_small(job)) && !job.control->close.load(std::memory_order_relaxed)) engine.kernel(job);
  if (!side_by_side) return;
  for (Job& job : small) job.threads = 1;
  run_side_by_side(engine.kernel, small, engine.threads);
}

/// Calls `work` on a thread of its own while this one shows progress and looks whether the caller asks for an end: then
/// no sample begins any more; where it insists, or those in flight take longer than `grace` (s), they are left.
/// `left` gives the time to the end of the command after so many seconds, and `keep` is called with these every now and
/// then, and once more when the end is asked for; `while_waiting`, which may be empty, more often: somebody may be
/// waiting for it.
void run_watched(const std::function<void()>& work, Control& control, const Caller& caller, Progress& progress,
                 double grace, const std::function<double(double)>& left, const std::function<void(double, bool)>& keep,
                 const std::function<void()>& while_waiting) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds between_looks(50), between_waits(2);
  std::mutex mutex;
  std::condition_variable changed;
  bool over = false;
  std::exception_ptr failure, not_kept;
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
    const auto is_over_by_the_next_look = [&] {
      const std::chrono::milliseconds wait = while_waiting ? between_waits : between_looks;
      for (std::chrono::milliseconds waited(0); waited < between_looks; waited += wait) {
        if (changed.wait_for(lock, wait, [&] { return over; })) return true;
        if (while_waiting) while_waiting();
      }
      return false;
    };
    double closed = -1;
    while (!is_over_by_the_next_look()) {
      const double now = std::chrono::duration<double>(Clock::now() - start).count();
      const bool closes = caller.asks_for_end() && closed < 0;
      if (closes) {
        closed = now;
        control.close.store(true, std::memory_order_relaxed);
        if (grace > 0) {
          caller.say("interrupted: finishing the samples in flight; once more, and they are left");
          caller.stop->answered();
        }
      }
      if (closed >= 0 && (caller.stop->insisted() || now - closed >= grace))
        control.cancel.store(true, std::memory_order_relaxed);
      progress.show(control.samples_done.load(std::memory_order_relaxed),
                    control.steps_done.load(std::memory_order_relaxed), now, left(now));
      try {
        keep(now, closes);
      } catch (...) {
        // Else it would be told when all samples are done.
        if (!not_kept) not_kept = std::current_exception();
        control.cancel.store(true, std::memory_order_relaxed);
      }
    }
  }
  worker.join();
  // It may be over before the first look.
  const double end = std::chrono::duration<double>(Clock::now() - start).count();
  progress.show(control.samples_done.load(std::memory_order_relaxed),
                control.steps_done.load(std::memory_order_relaxed), end, left(end));
  if (failure) std::rethrow_exception(failure);
  if (not_kept) std::rethrow_exception(not_kept);
}

/// Of a table that is as full as it will be.
void conclude(const Run& run, const void* ensemble, int threads, Arm& arm) {
  SummaryTable& table = arm.table;
  table.count_finished();
  arm.digest = digest(table);
  arm.group = groups_of(run, ensemble, threads);
  arm.statistics = arm.group.empty() ? statistics(table, nullptr, 0, threads)
                                     : statistics(table, &arm.group, static_cast<int>(run.shape_names.size()), threads);
  arm.scores = scores(run, table, arm.group);
}

}  // namespace

Arm conclude(const Run& run, Arm finished, int threads) {
  const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  Control control;
  finished.table.replicates = run.sampling.replicates;
  if (run.is_watched()) PathStores(run, finished, control, false).finish(run, finished);
  conclude(run, ensemble.data(), threads, finished);
  return finished;
}

Arm execute(const Run& run, const std::string& scheme, const Engine& engine, const Caller& caller,
            const std::string& label, Arm finished, Course* course, JournalPart* journal, const std::string& output) {
  const Description& description = run.model->description;
  std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  Arm arm;
  arm.name = arm.scheme = scheme;
  arm.step = run.spec.world.step;
  arm.backend = engine.backend;
  arm.device = engine.device;
  arm.threads = engine.threads;
  arm.wall_s = finished.wall_s;
  const std::string beside = lies_in_file(run, output) ? output : "";
  const bool is_there = finished.table.description == &description && finished.table.samples == run.samples &&
                        finished.table.values.is_in_file() == !beside.empty();
  arm.table = is_there ? std::move(finished.table) : grown(finished.table, description, run.samples, beside);
  finished.table = {};
  SummaryTable& table = arm.table;
  table.replicates = run.sampling.replicates;
  table.first = run.first;

  Control control;
  std::optional<PathStores> watching;
  if (run.is_watched())
    world_of(ensemble).visits = watching.emplace(run, finished, control, journal != nullptr).collector();
  Job whole{ensemble.data(),
            run.spec.tables.size(),
            description.scheme(scheme),
            0,
            run.samples,
            table.values.data(),
            run.samples,
            table.status.data(),
            engine.threads,
            0,
            engine.device_number,
            &control};
  if (journal) whole.steps = journal->steps(run.samples, beside);
  const std::vector<Job> jobs = missing_jobs(whole, table);
  if (!caller.asks_for_end() && !jobs.empty()) {
    std::uint64_t missing = 0;
    for (const Job& job : jobs) missing += job.count;
    const double part = expected_work(run, missing);
    Course alone(part);
    Course& whole_command = course ? *course : alone;
    std::optional<Stop::Watched> is_looked_at(*caller.stop);
    Progress progress(*caller.reporter, label.empty() ? scheme : label, missing);
    const auto start = std::chrono::steady_clock::now();
    // Whether all that has ended is kept.
    const auto keep = [&](double seconds) {
      bool all = false;
      const auto write = [&](const PassageBatch& watched, const MapStore* maps) {
        all = journal->keep(table, arm.wall_s + seconds, watched, maps);
      };
      if (watching)
        watching->kept(write);
      else
        write({}, nullptr);
      return all;
    };
    std::uint64_t released = 0;
    const auto release = [&] {
      constexpr std::uint64_t most_bytes = std::uint64_t{1} << 27;
      const std::uint64_t done = control.samples_done.load(std::memory_order_relaxed);
      if (beside.empty() || (done - released) * description.columns.size() * sizeof(double) < most_bytes) return;
      released = done;
      table.release(0, run.samples);
      if (journal) journal->release_steps();
    };
    const auto since_start = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    try {
      run_watched([&] { run_jobs(engine, jobs); }, control, caller, progress, engine.grace,
                  [&](double seconds) {
                    const double share = share_done(run, missing, control.samples_done.load(std::memory_order_relaxed),
                                                    control.steps_done.load(std::memory_order_relaxed));
                    return whole_command.left(part, share, seconds);
                  },
                  [&](double seconds, bool closes) {
                    release();
                    // Whoever asks for an end may not wait for it.
                    const bool insists = caller.stop->insisted();
                    if (!journal || !(journal->is_due() || caller.stop->take_keep() || closes || insists)) return;
                    if (keep(seconds) && insists) journal->leave();
                  },
                  engine.while_waiting);
    } catch (const std::bad_alloc&) {
      arm.failure = "out of memory";
    } catch (const std::exception& error) {
      arm.failure = "backend " + engine.backend + ": " + error.what();
    }
    if (watching && !arm.failure.empty()) watching->leave_out();
    if (journal && journal->is_due_at_end(caller.asks_for_end() || !arm.failure.empty())) keep(since_start());
    const double seconds = since_start();
    arm.wall_s += seconds;
    whole_command.finish(part, seconds);
    is_looked_at.reset();
    // Asked for too late to be seen while it ran.
    if (const char* const answer = caller.stop->take_answer()) caller.say(std::string("interrupted: ") + answer);
  }
  if (watching) watching->finish(run, arm);
  arm.sample_steps = finished.sample_steps + control.steps_done.load();
  {
    const KeptMeanwhile meanwhile(journal, [&] {
      if (!run.is_watched()) return journal->keep(table, arm.wall_s, {}, nullptr);
      return arm.failure.empty() && journal->has_kept();  // at the end
    });
    conclude(run, ensemble.data(), engine.host_threads(), arm);
  }
  return arm;
}

}  // namespace scree
