#include "replay_samples.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "host/common/available_threads.hpp"
#include "host/common/error.hpp"
#include "host/common/parallel.hpp"
#include "host/engine/course.hpp"
#include "host/engine/memory.hpp"
#include "host/engine/progress.hpp"

namespace scree {
namespace {

using Clock = std::chrono::steady_clock;

/// How many steps a sample takes between two looks at it, and the spacing of its rows in looks: often enough for an
/// answer to Ctrl-C, seldom enough to cost nothing where rows are far apart.
std::pair<std::uint64_t, Spacing> strides(const Replay& replay) {
  const std::uint64_t steps = replay.every.steps;
  if (replay.events || replay.every.seconds > 0) return {1, replay.every};
  constexpr std::uint64_t most = 1000;
  std::uint64_t stride = std::min(steps, most);
  while (steps % stride != 0) --stride;
  return {stride, {steps / stride, 0}};
}

/// Thrown through a sample that is to be left.
struct Left {};

/// The threads that replay and the one that takes their paths.
class Line {
 public:
  Line(const Replay& replay, const std::function<void(Path&)>& finish)
      : replay_(replay),
        finish_(finish),
        columns_(path_columns(replay.run).size()),
        places_(replay.run.model->description.track_of(replay.run.model->description.bodies(replay.run.spec.params))),
        ensemble_(replay.run.model->ensemble(replay.run.spec)),
        threads_(static_cast<int>(
            std::min<std::size_t>(replay.samples.size(), static_cast<std::size_t>(available_threads())))),
        available_(memory_available()),
        all_(replay.samples.size()) {}

  void run(const std::function<void(Path&)>& take);

 private:
  void work();
  void replay_one(std::size_t k);
  Path path_of(std::uint64_t sample);
  /// The path takes so many bytes now.
  void hold(Path& path, std::size_t bytes);
  double held() const { return held_.load(std::memory_order_relaxed); }

  const Replay& replay_;
  const std::function<void(Path&)>& finish_;
  std::size_t columns_;
  std::vector<std::size_t> places_;
  std::vector<std::byte> ensemble_;
  int threads_;
  double available_;
  std::atomic<double> held_{0};
  std::atomic<std::uint64_t> steps_{0}, done_{0};
  std::atomic<bool> leave_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t all_;
  std::map<std::size_t, Path> paths_;  // that wait to be taken, by their places
  std::size_t taken_ = 0;
  bool over_ = false;
  std::exception_ptr failure_;
};

void Line::hold(Path& path, std::size_t bytes) {
  held_.fetch_add(static_cast<double>(bytes) - path.bytes, std::memory_order_relaxed);
  path.bytes = static_cast<double>(bytes);
  if (held() > available_)
    throw Error(Exit::device, "the paths of " + std::to_string(threads_) +
                                  (threads_ == 1 ? " sample takes" : " samples at a time take") + " more than the " +
                                  bytes_text(available_) +
                                  " of memory that are available: ask for fewer rows by --every");
}

Path Line::path_of(std::uint64_t sample) {
  const Run& run = replay_.run;
  Path path;
  path.sample = sample;
  path.columns = columns_;
  const std::pair<std::uint64_t, Spacing> rows = strides(replay_);
  const std::uint64_t stride = rows.first;
  Spaced spaced(rows.second);
  EventFinder finder(run.model->description);
  std::vector<double> last;  // row, and whether it was taken
  bool released = false, taken = false;
  std::uint64_t untold = 0;  // steps
  const auto keep = [&](std::span<const double> row) {
    path.values.push_back(row[0]);
    for (const std::size_t place : places_) path.values.push_back(row[place + 1]);
    const std::size_t bytes = path.values.capacity() * sizeof(double);
    if (constexpr std::size_t worth_telling = 1 << 20; bytes > worth_telling) hold(path, bytes);
  };
  const auto keep_event = [&](Event event, int body) {
    keep(last);
    path.events.push_back(event);
    path.bodies.push_back(body);
  };
  path.result = run.model->replay(ensemble_.data(), replay_.scheme, sample, stride, [&](std::span<const double> row) {
    if (leave_.load(std::memory_order_relaxed)) throw Left{};
    last.assign(row.begin(), row.end());
    if (replay_.events) {
      finder.step(row, keep_event);
    } else if (taken = !released || spaced.takes(row[0]); taken) {
      keep(row);
    }
    if (released && (untold += stride) >= 1024) steps_.fetch_add(std::exchange(untold, 0), std::memory_order_relaxed);
    released = true;
  });
  if (replay_.events)
    keep_event(end_of(path.result.status), -1);
  else if (!taken)
    keep(last);
  steps_.fetch_add(untold, std::memory_order_relaxed);
  return path;
}

void Line::replay_one(std::size_t k) {
  // The one that is to be taken next always goes on: others wait for it, not it for others.
  const double enough = std::min(256e6, available_ / 2);  // bytes
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return leave_ || k == taken_ || (k < taken_ + 64 * static_cast<std::size_t>(threads_) && held() < enough);
    });
  }
  if (leave_) return;
  Path path = path_of(replay_.samples[k]);
  finish_(path);
  hold(path, path.values.capacity() * sizeof(double) + path.text.capacity());
  done_.fetch_add(1, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  paths_[k] = std::move(path);
  changed_.notify_all();
}

void Line::work() {
  try {
    on_threads(threads_, all_, [&](std::size_t k) {
      if (leave_) return;
      try {
        replay_one(k);
      } catch (const Left&) {
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        leave_ = true;
        changed_.notify_all();
      }
    });
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  over_ = true;
  changed_.notify_all();
}

void Line::run(const std::function<void(Path&)>& take) {
  Progress progress(*replay_.caller.reporter, "replay", all_);
  const double part = expected_work(replay_.run, all_);
  const Course course(part);
  const auto start = Clock::now();
  constexpr std::chrono::milliseconds a_while(50);
  auto next_look = start;
  std::jthread worker([&] { work(); });
  // Whatever ends this, the threads are told.
  struct Leave {
    Line& line;
    ~Leave() {
      const std::lock_guard lock(line.mutex_);
      line.leave_ = true;
      line.changed_.notify_all();
    }
  } leave{*this};
  while (taken_ < all_) {
    std::map<std::size_t, Path>::node_type path;  // empty: none is ready
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, a_while, [&] { return paths_.contains(taken_) || failure_; });
      if (failure_) std::rethrow_exception(failure_);
      path = paths_.extract(taken_);
    }
    const auto now = Clock::now();
    if (replay_.while_waiting && now >= next_look) {
      replay_.while_waiting();
      next_look = now + a_while;
    }
    stop_if_asked(replay_.caller, taken_, all_);
    const double seconds = std::chrono::duration<double>(now - start).count();
    const std::uint64_t done = done_.load(std::memory_order_relaxed), steps = steps_.load(std::memory_order_relaxed);
    progress.show(done, steps, seconds, course.left(part, share_done(replay_.run, all_, done, steps), seconds));
    if (!path) continue;
    take(path.mapped());
    hold(path.mapped(), 0);
    const std::lock_guard lock(mutex_);
    ++taken_;
    changed_.notify_all();
  }
}

}  // namespace

std::vector<Column> path_columns(const Run& run) {
  const Description& description = run.model->description;
  std::vector<Column> columns{{"time", "s", "since the release", Counted::all}};
  for (const std::size_t place : description.track_of(description.bodies(run.spec.params)))
    columns.push_back(description.track[place]);
  return columns;
}

void replay_samples(const Replay& replay, const std::function<void(Path&)>& finish,
                    const std::function<void(Path&)>& take) {
  Line(replay, finish).run(take);
}

void stop_if_asked(const Caller& caller, std::size_t done, std::size_t all) {
  if (!caller.asks_for_end()) return;
  throw Error(Exit::interrupted, "interrupted: " + std::to_string(done) + " of " + std::to_string(all) +
                                     (all == 1 ? " sample was replayed" : " samples were replayed"));
}

}  // namespace scree
