// The CUDA backend, host side: keeps as many samples in flight as fit, launches blocks of steps, and between launches
// sorts the samples by what they do next, writes the summaries of ended ones and draws the next ones.
//
// Two threads share a job, each with a stream and half of the slots: while one sorts its samples or hands summaries to
// the host, the device steps those of the other. Contact solves that take much longer than a launch have streams of
// their own, so that the samples with quick ones do not wait for them.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>

#include "backend.hpp"
#include "cpu_threads.hpp"
#include "cuda_check.hpp"
#include "cuda_devices.hpp"
#include "cuda_lists.hpp"
#include "cuda_thread.cuh"

namespace scree {

/// Samples in flight, unless the job says otherwise: about what the largest devices run at once (an H200: 270336).
inline constexpr std::size_t cuda_most_slots = std::size_t{1} << 18;

/// Summaries on their way to the host at once, in memory that the system cannot page out: some megabytes.
inline constexpr std::size_t cuda_most_handed_over = std::size_t{1} << 14;

/// Threads that share a job, unless it is small.
inline constexpr int cuda_most_threads = 2;

/// Visits and crossings for which there is room, for each slot of a thread and, in hundredths, for each slot of a slow
/// batch: a rock enters a new cell in some 3 of 100 steps.
inline constexpr std::size_t cuda_sights_per_slot = 4, cuda_slow_sights_per_100_slots = 25;

/// Steps per launch. A sample that ends early, or has to wait, idles for the rest of them. By the model of
/// bench/README.md rocks do about as well with 5 as with 8; with 16 those without several contacts take 13 % longer.
template <template <class> class System>
inline constexpr int cuda_steps_per_launch = most_contacts<System>() > 0 ? 8 : 128;

/// Makes `device` current for this thread, or throws with the reason.
inline void select_cuda_device(int device) {
  std::string why;
  const int count = scree_cuda_devices(&why);
  if (count == 0) throw std::runtime_error("no CUDA device: " + why);
  if (device < 0 || device >= count)
    throw std::runtime_error("no CUDA device " + std::to_string(device) + ": this machine has " +
                             std::to_string(count) + ", numbered from 0");
  SCREE_CUDA(cudaSetDevice(device));
}

/// Adds up the time during which at least one thread was busy.
class BusyTime {
 public:
  explicit BusyTime(std::atomic<double>& seconds) : seconds_(seconds) {}

  template <class F>
  void during(F&& work) {
    struct Within {
      BusyTime& time;
      explicit Within(BusyTime& t) : time(t) { time.enter(1); }
      ~Within() { time.enter(-1); }
    } within(*this);
    work();
  }

 private:
  void enter(int change) {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (busy_ > 0) seconds_.store(seconds_.load() + std::chrono::duration<double>(now - since_).count());
    since_ = now;
    busy_ += change;
  }

  std::atomic<double>& seconds_;
  std::mutex mutex_;
  int busy_ = 0;
  std::chrono::steady_clock::time_point since_;
};

/// What the threads of a job share.
template <template <class> class System>
class CudaJob {
 public:
  explicit CudaJob(const Job& given)
      : job(given),
        stepping(given.control->kernel_s),
        ensemble_(*static_cast<const Ensemble<System<double>>*>(given.ensemble)),
        tables_(given.table_size),
        ensemble_there_(1) {
    const CudaStream stream;
    upload(tables_, ensemble_.world.tables, given.table_size, stream);
    stream.wait();
    ensemble_.world.tables = tables_.data();
    ensemble_.world.ensemble = ensemble_there_.data();
    upload(ensemble_there_, &ensemble_, 1, stream);
    stream.wait();
  }

  /// Takes up to `wanted` samples that no thread has taken; their number, and the first one.
  std::uint64_t take(std::uint64_t wanted, std::uint64_t& first) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t left = job.control->close.load(std::memory_order_relaxed) ? 0 : job.count - next_;
    first = next_;
    next_ += std::min(wanted, left);
    return next_ - first;
  }

  /// Runs a thread's part of the job. Where it throws, the other threads leave theirs.
  template <class F>
  void take_part(F&& work) {
    try {
      work();
    } catch (...) {
      failed_ = true;
      throw;
    }
  }
  /// Whether samples in flight are to be left.
  bool is_over() const { return failed_ || job.control->cancel.load(std::memory_order_relaxed); }

  const World& world() const { return ensemble_.world; }  // its tables are in device memory
  const Ensemble<System<double>>* ensemble_on_device() const { return ensemble_there_.data(); }
  /// Who takes visits and crossings, on the host.
  void* collector() const { return ensemble_.world.visits; }

  const Job& job;
  BusyTime stepping;

 private:
  Ensemble<System<double>> ensemble_;
  DeviceArray<double> tables_;
  DeviceArray<Ensemble<System<double>>> ensemble_there_;
  std::mutex mutex_;
  std::uint64_t next_ = 0;
  std::atomic<bool> failed_{false};
};

/// One thread's part of a job.
template <template <class> class System, class Scheme, template <class> class SinkOf = NoSink>
class CudaRun {
  using Phases = Stepping<System, double>;
  using Sink = SinkOf<Phases>;
  using InFlight = Slot<typename Phases::Lane, Sink>;
  using Ending = EndingOf<Sink>;
  static constexpr std::size_t columns = sizeof(typename Phases::Summary) / sizeof(double);
  /// With the streams of both threads as many as a device has queues for, 8.
  static constexpr std::size_t slow_batches = may_wait<System> ? 3 : 0;
  static constexpr std::size_t sights_per_100_slots =
      is_watching<Sink> ? 100 * cuda_sights_per_slot + slow_batches * cuda_slow_sights_per_100_slots : 0;
  static constexpr std::size_t bytes_per_slot = sizeof(InFlight) + SlotList::bytes_per_slot +
                                                slow_batches * sizeof(int) +
                                                SightBufferOnDevice::bytes_per_entry * sights_per_100_slots / 100;

 public:
  CudaRun(CudaJob<System>& shared, std::size_t capacity)
      : shared_(shared),
        job_(shared.job),
        capacity_(capacity),
        sights_(sights_for(cuda_sights_per_slot * capacity), cuda_most_handed_over, stream_),
        visits_(shared.collector(), is_watching<Sink> ? capacity : 0),
        world_(shared.world()),
        list_(static_cast<int>(capacity), stream_),
        slots_(capacity),
        piece_(std::min(capacity, cuda_most_handed_over)),
        columns_(piece_ * columns),
        endings_(piece_),
        host_columns_(piece_ * columns),
        host_endings_(piece_) {
    const std::size_t slow_sights = sights_for(cuda_slow_sights_per_100_slots * capacity / 100);
    for (std::size_t i = 0; i != slow_batches; ++i) slow_.emplace_back(capacity, slow_sights, stream_);
    world_.visits = sights_.data();
  }

  /// How many samples of the job can be in flight at once, whichever number of threads share it.
  static std::size_t slots_that_fit(const Job& job, const World& world) {
    std::size_t free = 0, total = 0;
    SCREE_CUDA(cudaMemGetInfo(&free, &total));
    // Half of what is free: the other half is for the threads' local memory.
    const std::size_t room = free / 2;
    const std::size_t looks =
        cuda_most_threads * (1 + slow_batches) * sights_of_a_look(world) * SightBufferOnDevice::bytes_per_entry;
    if (looks > room)
      throw std::runtime_error("the CUDA device has no memory left for all cells and lines that one step may pass: " +
                               std::to_string(looks) + " bytes of " + std::to_string(room));
    const std::size_t fitting = (room - looks) / bytes_per_slot;
    if (fitting == 0) throw std::runtime_error("the CUDA device has no memory left for a single sample");
    const std::size_t wanted = job.block > 0 ? static_cast<std::size_t>(job.block) : cuda_most_slots;
    return std::min({wanted, fitting, static_cast<std::size_t>(job.count)});
  }

  void run() {
    while (true) {
      refill();
      if (live_ == 0 || shared_.is_over()) break;
      shared_.stepping.during([&] {
        fetch_slow();
        step();
        if constexpr (is_watching<Sink>) sights_.ask(stream_);
        list_.sort(live_, {&slots_.data()->group, sizeof(InFlight)});
        send_slow();
      });
      if constexpr (is_watching<Sink>) sights_.hand_over(visits_, stream_);
      retire();
    }
    for (const SlowBatch& batch : slow_) batch.stream.wait();
    stream_.wait();  // for what the first samples say of the device, if nothing else
  }

 private:
  static std::size_t sights_of_a_look(const World& world) {
    return is_watching<Sink> ? SightBuffer::entries_for(Sights::of_any_step(world)) : 0;
  }
  /// Entries of a buffer: as many as wanted, if the job does not say otherwise, but any look has to fit.
  std::size_t sights_for(std::size_t wanted) const {
    if (!is_watching<Sink>) return 0;
    if (job_.sights > 0) wanted = job_.sights;
    return std::max(wanted, sights_of_a_look(shared_.world()));
  }

  template <class F>
  static void launch(int count, F&& kernel) {
    if (count == 0) return;
    kernel((count + cuda_block - 1) / cuda_block);
    SCREE_CUDA(cudaGetLastError());
  }

  /// Draws samples into the free slots, listed from live_ on.
  void refill() {
    std::uint64_t next = 0;
    const int fresh = static_cast<int>(shared_.take(capacity_ - static_cast<std::size_t>(live_), next));
    launch(fresh, [&](int blocks) {
      admit<System><<<blocks, cuda_block, 0, stream_>>>(shared_.ensemble_on_device(), job_.first, next, slots_.data(),
                                                        list_.data() + live_, fresh);
    });
    live_ += fresh;
  }

  /// Begins a launch's steps of all samples but the slow ones. Those that wait end the step that they are in first.
  void step() {
    int first = 0;
    if constexpr (may_wait<System>) {
      step_waiting<2, cuda_most_waiting>();
      step_waiting<cuda_inline_contacts, 2>();
      first = list_.begin_of(group::slow + 1);
    }
    launch(live_ - first, [&](int blocks) {
      advance<System, Scheme><<<blocks, cuda_block, 0, stream_>>>(world_, cuda_steps_per_launch<System>, slots_.data(),
                                                                  list_.data() + first, live_ - first);
    });
  }

  /// Of the samples that wait with more than `fewer` and at most `capacity` contacts. Many of these go on without a
  /// second contact, so where they are many they take one step alone.
  template <int fewer, int capacity>
  void step_waiting() {
    const int begin = list_.begin_of(group::waiting(capacity)), count = list_.begin_of(group::waiting(fewer)) - begin;
    const int steps = count < static_cast<int>(cuda_fewest_slots) ? cuda_steps_per_launch<System> : 1;
    launch(count, [&](int blocks) {
      advance_waiting<System, Scheme, fewer, capacity>
          <<<blocks, cuda_block, 0, stream_>>>(world_, steps, slots_.data(), list_.data() + begin, count);
    });
  }

  /// Slow samples that are being solved, beside the launches of the others: by the model of bench/README.md a launch of
  /// 2^17 rocks takes 0.3 ms, the slowest of their solves up to 7.
  struct SlowBatch {
    SlowBatch(std::size_t capacity, std::size_t most_sights, const CudaStream& first)
        : list(capacity), sights(most_sights, cuda_most_handed_over, first) {}
    CudaStream stream;
    DeviceArray<int> list;
    SightBufferOnDevice sights;
    int count = 0;
  };

  /// Has the slow samples solved that are in no batch yet, if there is a batch for them.
  void send_slow() {
    if constexpr (may_wait<System>) {
      const int first = list_.begin_of(group::slow), count = list_.begin_of(group::slow + 1) - first;
      const auto batch = std::find_if(slow_.begin(), slow_.end(), [](const SlowBatch& b) { return b.count == 0; });
      if (count == 0 || batch == slow_.end()) return;
      batch->count = count;
      launch(count, [&](int blocks) {
        depart<<<blocks, cuda_block, 0, stream_>>>(slots_.data(), list_.data() + first, count, batch->list.data());
      });
      stream_.wait();
      World world = world_;
      world.visits = batch->sights.data();
      launch(count, [&](int blocks) {
        advance_slow<System, Scheme><<<blocks, cuda_block, 0, batch->stream>>>(
            world, cuda_steps_per_launch<System>, slots_.data(), batch->list.data(), count);
      });
      if constexpr (is_watching<Sink>) batch->sights.ask(batch->stream);
    }
  }
  /// Takes back the batches that are solved; waits for one if there is nothing else to step.
  void fetch_slow() {
    if constexpr (may_wait<System>) {
      bool idle = list_.begin_of(group::slow + 1) == live_;
      for (SlowBatch& batch : slow_) {
        if (batch.count == 0) continue;
        if (idle) {
          batch.stream.wait();
          idle = false;
        } else if (!batch.stream.is_done()) {
          continue;
        }
        // What its samples did before is with the host since they departed.
        if constexpr (is_watching<Sink>) batch.sights.hand_over(visits_, stream_);
        launch(batch.count, [&](int blocks) {
          arrive<<<blocks, cuda_block, 0, stream_>>>(slots_.data(), batch.list.data(), batch.count);
        });
        batch.count = 0;
      }
    }
  }

  /// Leaves ended samples, and hands their summaries to the host.
  void retire() {
    const int ended = live_ - list_.begin_of(group::ended);
    live_ -= ended;
    for (int first = 0; first < ended; first += static_cast<int>(piece_))
      hand_over(list_.data() + live_ + first, std::min(ended - first, static_cast<int>(piece_)));
  }
  void hand_over(const int* slots, int ended) {
    launch(ended, [&](int blocks) {
      summarize<System><<<blocks, cuda_block, 0, stream_>>>(shared_.world(), slots_.data(), slots, ended,
                                                            columns_.data(), endings_.data());
    });
    const auto count = static_cast<std::size_t>(ended);
    download(host_columns_, columns_, count * columns, stream_);
    download(host_endings_, endings_, count, stream_);
    stream_.wait();
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t i = 0; i < count; ++i)
        job_.columns[c * job_.stride + host_endings_[i].sample] = host_columns_[c * count + i];
    std::uint64_t steps = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Ending& ending = host_endings_[i];
      set_ended(job_, ending.sample, ending.status, ending.steps);
      steps += ending.steps;
      if constexpr (is_watching<Sink>)
        if (ending.was_released) visits_.end(ending.slot, job_.first + ending.sample, ending.status, ending.path);
    }
    job_.control->steps_done.fetch_add(steps, std::memory_order_relaxed);
    job_.control->samples_done.fetch_add(count, std::memory_order_relaxed);
  }

  CudaJob<System>& shared_;
  const Job& job_;
  CudaStream stream_;
  std::size_t capacity_;
  SightBufferOnDevice sights_;  // of what stream_ steps
  SlotVisits visits_;
  World world_;
  SlotList list_;  // the first live_ slots hold a sample, the others are free
  DeviceArray<InFlight> slots_;
  std::size_t piece_;  // most samples that are handed over at once
  DeviceArray<double> columns_;
  DeviceArray<Ending> endings_;
  PinnedArray<double> host_columns_;
  PinnedArray<Ending> host_endings_;
  std::deque<SlowBatch> slow_;
  int live_ = 0;
};

/// Whether paths of a system can be watched.
template <template <class> class System>
inline constexpr bool has_passages = requires {
  typename Stepping<System, double>::Passage;
};

/// Calls f.template operator()<SinkOf>() with what the samples of a world are watched by.
template <template <class> class System, class F>
void with_sink(const World& world, F&& f) {
  if constexpr (has_passages<System>) {
    if (world.visits != nullptr) return f.template operator()<DeviceWatching>();
  }
  f.template operator()<NoSink>();
}

/// Runs a job on job.device.
template <template <class> class System>
void run_cuda(const Job& job) {
  select_cuda_device(job.device);
  if (job.count == 0) return;
  with_capacity<System>(job.ensemble, [&]<template <class> class Sized>() {
    CudaJob<Sized> shared(job);
    with_scheme(typename Stepping<Sized, double>::Schemes{}, job.scheme, [&]<class Scheme>() {
      with_sink<Sized>(shared.world(), [&]<template <class> class SinkOf>() {
        using Part = CudaRun<Sized, Scheme, SinkOf>;
        const std::size_t slots = Part::slots_that_fit(job, shared.world());
        const int threads = slots < cuda_most_threads * cuda_fewest_slots ? 1 : cuda_most_threads;
        auto work = [&] {
          shared.take_part([&] {
            select_cuda_device(job.device);
            Part(shared, slots / static_cast<std::size_t>(threads)).run();
          });
        };
        scree_on_threads(
            threads, [](void* context) { (*static_cast<decltype(work)*>(context))(); }, &work);
      });
    });
  });
}

}  // namespace scree
