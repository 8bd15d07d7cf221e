// The scalar backend: plain double, threads over the samples, each thread with a block of samples in flight.
//
// Every step of a block goes: contact solves from lists of samples with equally many contacts (so that loops have fixed
// lengths and branches one direction), then finish(k) of all samples, with a refill where one ended, then begin(k + 1)
// of all: in short loops the processor overlaps neighbouring samples (measured 8 % over one loop for both). Which
// thread and which slot a sample gets changes nothing in its bits.
#pragma once

#include <memory>

#include "../src/integrate.hpp"
#include "backend.hpp"
#include "cpu_threads.hpp"

namespace scree {

template <template <class> class System, class Scheme>
class ScalarBlock {
  using Phases = Stepping<System, double>;
  using Lane = typename Phases::Lane;

 public:
  ScalarBlock(const Job& job, const Ensemble<System<double>>& ensemble, std::atomic<std::uint64_t>& queue)
      : job_(job),
        ensemble_(ensemble),
        queue_(queue),
        capacity_(job.block > 0 ? job.block : 32),
        lanes_(new Lane[static_cast<std::size_t>(capacity_)]),
        samples_(new std::uint64_t[static_cast<std::size_t>(capacity_)]) {
    for (auto& list : lists_) list.lanes.reset(new int[static_cast<std::size_t>(capacity_)]);
  }

  void run() {
    while (active_ < capacity_ && refill(active_)) begin(active_++);
    while (active_ > 0 && !job_.control->cancel.load(std::memory_order_relaxed)) step();
  }

 private:
  /// Contact solves are compiled for these capacities: one contact in closed form, the common small sets, and all
  /// vertices on both half-spaces of a ramp.
  static constexpr int capacities[4] = {1, 2, 4, 2 * max_vertices};
  struct List {
    std::unique_ptr<int[]> lanes;
    int size = 0;
  };

  void step() {
    solve<0>();
    solve<1>();
    solve<2>();
    solve<3>();
    for (int i = 0; i < active_;) {
      Lane& lane = lanes_[i];
      Phases::template finish<Scheme>(ensemble_.world, lane);
      if (lane.status == running) {
        ++i;
        continue;
      }
      store(i);
      if (refill(i)) {
        ++i;
      } else if (--active_ >
                 i) {  // nothing left to draw: the last lane, whose step is not finished yet, fills the hole
        lanes_[i] = lanes_[active_];
        samples_[i] = samples_[active_];
      }
    }
    for (int i = 0; i < active_; ++i) begin(i);
  }

  template <int k>
  void solve() {
    for (int n = 0; n < lists_[k].size; ++n)
      Phases::template contact<Scheme, capacities[k]>(ensemble_.world, lanes_[lists_[k].lanes[n]]);
    lists_[k].size = 0;
  }

  void begin(int i) {
    Phases::template begin<Scheme>(ensemble_.world, lanes_[i]);
    const double contacts = lanes_[i].contacts;
    if (contacts == 0) return;
    List& list = lists_[contacts == 1 ? 0 : contacts == 2 ? 1 : contacts <= 4 ? 2 : 3];
    list.lanes[list.size++] = i;
  }

  bool refill(int i) {
    const std::uint64_t next = queue_.fetch_add(1, std::memory_order_relaxed);
    if (next >= job_.count) return false;
    samples_[i] = next;
    lanes_[i] = Phases::prepare(ensemble_.world, draw(ensemble_, job_.first + next));
    return true;
  }

  void store(int i) {
    const auto summary = Phases::summarize(ensemble_.world, lanes_[i]);
    const double* values = reinterpret_cast<const double*>(&summary);
    for (std::size_t c = 0; c < sizeof(summary) / sizeof(double); ++c)
      job_.columns[c * job_.stride + samples_[i]] = values[c];
    job_.status[samples_[i]] = static_cast<std::uint32_t>(lanes_[i].status);
    job_.control->steps_done.fetch_add(static_cast<std::uint64_t>(lanes_[i].steps), std::memory_order_relaxed);
    job_.control->samples_done.fetch_add(1, std::memory_order_relaxed);
  }

  const Job& job_;
  const Ensemble<System<double>>& ensemble_;
  std::atomic<std::uint64_t>& queue_;
  int capacity_, active_ = 0;
  std::unique_ptr<Lane[]> lanes_;
  std::unique_ptr<std::uint64_t[]> samples_;
  List lists_[4];
};

template <template <class> class System>
void run_scalar(const Job& job) {
  struct Context {
    const Job& job;
    const Ensemble<System<double>>& ensemble;
    std::atomic<std::uint64_t> queue{0};
  } context{job, *static_cast<const Ensemble<System<double>>*>(job.ensemble)};
  scree_on_threads(
      job.threads,
      [](void* pointer) {
        auto& shared = *static_cast<Context*>(pointer);
        with_scheme(typename Stepping<System, double>::Schemes{}, shared.job.scheme, [&]<class Scheme>() {
          ScalarBlock<System, Scheme>(shared.job, shared.ensemble, shared.queue).run();
        });
      },
      &context);
}

}  // namespace scree
