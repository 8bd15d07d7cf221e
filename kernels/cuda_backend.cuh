// The CUDA backend, host side: keeps as many samples in flight as fit, launches blocks of steps, and between launches
// compacts ended samples away, writes their summaries and draws the next ones.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "backend.hpp"
#include "cuda_check.hpp"
#include "cuda_devices.hpp"
#include "cuda_lists.hpp"
#include "cuda_thread.cuh"

namespace scree {

/// Samples in flight, unless the job says otherwise: about what the largest devices run at once (an H200: 270336).
inline constexpr std::size_t cuda_most_slots = std::size_t{1} << 18;

/// Steps per launch. A sample that ends early idles for the rest of them; 128 steps of few samples take about a
/// millisecond, so the launches themselves cost little.
inline constexpr int cuda_steps_per_launch = 128;

/// Makes `device` current, or throws with the reason.
inline void select_cuda_device(int device) {
  std::string why;
  const int count = scree_cuda_devices(&why);
  if (count == 0) throw std::runtime_error("no CUDA device: " + why);
  if (device < 0 || device >= count)
    throw std::runtime_error("no CUDA device " + std::to_string(device) + ": this machine has " +
                             std::to_string(count) + ", numbered from 0");
  SCREE_CUDA(cudaSetDevice(device));
}

template <template <class> class System, class Scheme, template <class> class SinkOf = NoSink>
class CudaRun {
  using Phases = Stepping<System, double>;
  using InFlight = Slot<typename Phases::Lane, SinkOf<Phases>>;
  static constexpr std::size_t columns = sizeof(typename Phases::Summary) / sizeof(double);
  static constexpr std::size_t bytes_per_slot =
      sizeof(InFlight) + columns * sizeof(double) + sizeof(Ending) + 2 * sizeof(int);

 public:
  explicit CudaRun(const Job& job)
      : job_(job),
        ensemble_(*static_cast<const Ensemble<System<double>>*>(job.ensemble)),
        tables_(job.table_size),
        ensemble_there_(1),
        capacity_(slots_that_fit(job)),
        slots_(capacity_),
        list_(capacity_),
        crowded_(capacity_),
        columns_(capacity_ * columns),
        endings_(capacity_) {
    tables_.upload(ensemble_.world.tables, job.table_size);
    ensemble_.world.tables = tables_.data();
    ensemble_there_.upload(&ensemble_, 1);
    number_slots(list_.data(), static_cast<int>(capacity_));
  }

  void run() {
    while (true) {
      refill();
      if (live_ == 0 || job_.control->cancel.load(std::memory_order_relaxed)) return;
      launch_steps(live_, [&](int blocks) {
        advance<System, Scheme>
            <<<blocks, cuda_block>>>(ensemble_.world, cuda_steps_per_launch, slots_.data(), list_.data(), live_);
      });
      if constexpr (may_crowd<System>) finish_crowded();
      retire();
    }
  }

 private:
  static std::size_t slots_that_fit(const Job& job) {
    std::size_t free = 0, total = 0;
    SCREE_CUDA(cudaMemGetInfo(&free, &total));
    // Half of what is free: the other half is for the threads' local memory.
    const std::size_t fitting = free / 2 / bytes_per_slot;
    if (fitting == 0) throw std::runtime_error("the CUDA device has no memory left for a single sample");
    const std::size_t wanted = job.block > 0 ? static_cast<std::size_t>(job.block) : cuda_most_slots;
    return std::min({wanted, fitting, static_cast<std::size_t>(job.count)});
  }

  template <class F>
  static void launch(int count, F&& kernel) {
    if (count == 0) return;
    kernel((count + cuda_block - 1) / cuda_block);
    SCREE_CUDA(cudaGetLastError());
    SCREE_CUDA(cudaDeviceSynchronize());
  }

  template <class F>
  void launch_steps(int count, F&& kernel) {
    const auto start = std::chrono::steady_clock::now();
    launch(count, kernel);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    job_.control->kernel_s.store(job_.control->kernel_s.load() + took.count());  // one thread writes it
  }

  /// Draws samples into the free slots, list_[live_ ...).
  void refill() {
    const std::uint64_t left = job_.control->close.load(std::memory_order_relaxed) ? 0 : job_.count - next_;
    const int fresh = static_cast<int>(std::min<std::uint64_t>(left, capacity_ - static_cast<std::size_t>(live_)));
    launch(fresh, [&](int blocks) {
      admit<System><<<blocks, cuda_block>>>(ensemble_there_.data(), job_.first, next_, slots_.data(),
                                            list_.data() + live_, fresh);
    });
    next_ += static_cast<std::uint64_t>(fresh);
    live_ += fresh;
  }

  void finish_crowded() {
    const int count = copy_crowded(list_.data(), live_, {&slots_.data()->crowded, sizeof(InFlight)}, crowded_.data());
    launch_steps(count, [&](int blocks) {
      advance_crowded<System, Scheme>
          <<<blocks, cuda_block>>>(ensemble_.world, cuda_steps_per_launch, slots_.data(), crowded_.data(), count);
    });
  }

  /// Moves ended samples behind the others (stably: the order of the list never matters, but it is always the same),
  /// and hands their summaries to the host.
  void retire() {
    const int still = move_running_first(list_.data(), live_, {&slots_.data()->lane.status, sizeof(InFlight)});
    const int ended = live_ - still;
    live_ = still;
    if (ended == 0) return;
    launch(ended, [&](int blocks) {
      summarize<System><<<blocks, cuda_block>>>(ensemble_.world, slots_.data(), list_.data() + still, ended,
                                                columns_.data(), endings_.data());
    });
    const std::size_t count = static_cast<std::size_t>(ended);
    host_columns_.resize(count * columns);
    host_endings_.resize(count);
    columns_.download(host_columns_.data(), host_columns_.size());
    endings_.download(host_endings_.data(), count);
    std::uint64_t steps = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Ending& ending = host_endings_[i];
      for (std::size_t c = 0; c < columns; ++c)
        job_.columns[c * job_.stride + ending.sample] = host_columns_[c * count + i];
      job_.status[ending.sample] = ending.status;
      steps += ending.steps;
    }
    job_.control->steps_done.fetch_add(steps, std::memory_order_relaxed);
    job_.control->samples_done.fetch_add(count, std::memory_order_relaxed);
  }

  const Job& job_;
  Ensemble<System<double>> ensemble_;  // world.tables points to the device
  DeviceArray<double> tables_;
  DeviceArray<Ensemble<System<double>>> ensemble_there_;
  std::size_t capacity_;
  DeviceArray<InFlight> slots_;
  DeviceArray<int> list_;  // slots: the first live_ hold a sample, the others are free
  DeviceArray<int> crowded_;
  DeviceArray<double> columns_;
  DeviceArray<Ending> endings_;
  std::vector<double> host_columns_;
  std::vector<Ending> host_endings_;
  std::uint64_t next_ = 0;  // samples drawn so far
  int live_ = 0;
};

/// Runs a job on job.device.
template <template <class> class System>
void run_cuda(const Job& job) {
  select_cuda_device(job.device);
  if (job.count == 0) return;
  with_capacity<System>(job.ensemble, [&]<template <class> class Sized>() {
    with_scheme(typename Stepping<Sized, double>::Schemes{}, job.scheme,
                [&]<class Scheme>() { CudaRun<Sized, Scheme>(job).run(); });
  });
}

}  // namespace scree
