// The scalar backend: plain double, threads over the samples, each thread with a block of samples in flight.
//
// The parts of a Step, over a block: contact solves from lists of samples with about as many contacts (so that loops
// have like lengths and branches one direction), then finish(k) of all samples, with a refill where one ended, then
// begin(k + 1) of all: in short loops the processor overlaps neighbouring samples (measured 8 % over one loop for
// both). Which slot a sample gets changes nothing in its bits.
#pragma once

#include <memory>

#include "cpu_samples.hpp"

namespace scree {

template <template <class> class System, class Scheme, template <class> class SinkOf = Watching>
class ScalarBlock {
  using Phases = Stepping<System, double>;
  using Step = scree::Step<Phases, Scheme>;
  using Sink = SinkOf<Phases>;
  using Lane = typename Phases::Lane;
  using Capacities = ContactCapacities<System>;

 public:
  explicit ScalarBlock(Samples<System>& samples)
      : samples_(samples),
        capacity_(samples.most_in_flight(32)),
        lanes_(new Lane[static_cast<std::size_t>(capacity_)]),
        sinks_(new Sink[static_cast<std::size_t>(capacity_)]),
        numbers_(new std::uint64_t[static_cast<std::size_t>(capacity_)]) {
    for (auto& list : lists_) list.lanes.reset(new int[static_cast<std::size_t>(capacity_)]);
  }

  void run() {
    while (active_ < capacity_ && admit(active_)) begin(active_++);
    while (active_ > 0 && !samples_.cancelled()) step();
  }

 private:
  struct List {
    std::unique_ptr<int[]> lanes;
    int size = 0;
  };

  void step() {
    solve<0>();
    for (int i = 0; i < active_;) {
      Lane& lane = lanes_[i];
      Step::finish(samples_.world(), lane, sinks_[i]);
      if (lane.status == running) {
        ++i;
        continue;
      }
      samples_.store(numbers_[i], lane, sinks_[i]);
      if (admit(i)) {
        ++i;
      } else if (--active_ > i) {
        // Nothing left to draw: the last lane, whose step is not finished yet, fills the hole.
        lanes_[i] = lanes_[active_];
        sinks_[i] = sinks_[active_];
        numbers_[i] = numbers_[active_];
      }
    }
    for (int i = 0; i < active_; ++i) begin(i);
  }

  /// Draws the next sample into slot i; false if there is none left.
  bool admit(int i) {
    if (!samples_.next(numbers_[i], lanes_[i])) return false;
    sinks_[i] = Sink{};
    sinks_[i].release(samples_.world(), lanes_[i], samples_.number(numbers_[i]));
    return true;
  }

  /// The contact solves from list k on.
  template <int k>
  void solve() {
    if constexpr (k < Capacities::count) {
      constexpr int capacity = Capacities::template capacity<k>;
      for (int n = 0; n < lists_[k].size; ++n) {
        Lane& lane = lanes_[lists_[k].lanes[n]];
        Phases::template contact<Scheme, capacity>(samples_.world(), lane, lane);
      }
      lists_[k].size = 0;
      solve<k + 1>();
    }
  }

  void begin(int i) {
    Step::begin(samples_.world(), lanes_[i]);
    if constexpr (Capacities::count > 0) {
      const double contacts = lanes_[i].contacts;
      if (contacts == 0) return;
      List& list = lists_[Capacities::list_of(contacts)];
      list.lanes[list.size++] = i;
    }
  }

  Samples<System>& samples_;
  int capacity_, active_ = 0;
  std::unique_ptr<Lane[]> lanes_;
  std::unique_ptr<Sink[]> sinks_;
  std::unique_ptr<std::uint64_t[]> numbers_;
  List lists_[Capacities::count + 1];  // no array may be empty
};

template <template <class> class System>
void run_scalar(const Job& job) {
  with_capacity<System>(job.ensemble, [&]<template <class> class Sized>() {
    on_threads<Sized>(job, []<class Scheme>(Samples<Sized>& samples) { ScalarBlock<Sized, Scheme>(samples).run(); });
  });
}

}  // namespace scree
