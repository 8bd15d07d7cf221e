// The pack backend: the lanes of packs of doubles hold the samples in flight, one sample per lane.
//
// A sample ends in its lane: its summary is taken at that very step, by the code for a double, and the next sample of
// the queue takes the lane. When none is left the lane shadows another one, a copy that does what its original does:
// nothing is masked, and a lane without a sample can neither diverge nor keep the others waiting.
#pragma once

#include <array>
#include <bit>
#include <memory>
#include <type_traits>
#include <utility>

#include "cpu_samples.hpp"
#include "pack.hpp"

namespace scree {

/// Lane i of `from` becomes lane j of `to`, the same struct of Reals on another Real.
template <class FromReal, class ToReal, class From, class To>
ALWAYS_INLINE void copy_lane(const From& from, int i, To& to, int j) {
  constexpr std::size_t from_lanes = lanes_of<FromReal>, to_lanes = lanes_of<ToReal>;
  constexpr std::size_t numbers = sizeof(From) / sizeof(FromReal);
  static_assert(sizeof(From) == numbers * sizeof(FromReal) && sizeof(To) == numbers * sizeof(ToReal),
                "a lane is made of Reals, and of nothing else");
  const double* in = reinterpret_cast<const double*>(&from) + i;
  double* out = reinterpret_cast<double*>(&to) + j;
  for (std::size_t k = 0; k < numbers; ++k) out[k * to_lanes] = in[k * from_lanes];
}

/// Lane i of a sink becomes lane j of another, the same sink on another Real.
template <class FromReal, class ToReal, class From, class To>
ALWAYS_INLINE void copy_sink(const From& from, int i, To& to, int j) {
  if constexpr (!std::is_empty_v<From>) copy_lane<FromReal, ToReal>(from, i, to, j);
}

/// One pack of samples: which lanes have one, and what happens when it ends.
template <template <class> class System, class Real, template <class> class SinkOf>
class PackOfSamples {
  using Phases = Stepping<System, Real>;
  using FreshSink = SinkOf<Stepping<System, double>>;
  static constexpr std::uint64_t no_sample = ~std::uint64_t{0};

 public:
  using Lane = typename Phases::Lane;

  Lane lane;
  [[no_unique_address]] SinkOf<Phases> sink;

  PackOfSamples() {
    for (std::uint64_t& number : numbers_) number = no_sample;
  }
  /// How many lanes have a sample.
  int active() const { return active_; }

  /// Draws samples into lanes that have none, at most `most`; gives how many were there to draw.
  int fill(Samples<System>& samples, int most) {
    int drawn = 0;
    for (int i = 0; i < Real::lanes; ++i)
      if (numbers_[i] == no_sample && drawn < most && admit(samples, i)) ++drawn;
    shadow();
    return drawn;
  }
  bool some_ended() const { return any(lane.status != Real(running)); }
  /// Stores the samples that have ended and gives their lanes to the next ones.
  SCREE_COLD void replace(Samples<System>& samples) {
    for (int i = 0; i < Real::lanes; ++i) {
      if (numbers_[i] == no_sample || lane.status.lane(i) == running) continue;
      typename Samples<System>::Lane ended;
      copy_lane<Real, double>(lane, i, ended, 0);
      FreshSink beside{};
      copy_sink<Real, double>(sink, i, beside, 0);
      samples.store(numbers_[i], ended, beside);
      numbers_[i] = no_sample;
      --active_;
      admit(samples, i);
    }
    shadow();
  }
  /// Takes as many samples of `other`, which is at the same point of the same step, as there are lanes for.
  void take_from(PackOfSamples& other) {
    for (int i = 0, j = 0; i < Real::lanes; ++i) {
      if (numbers_[i] != no_sample) continue;
      while (j < Real::lanes && other.numbers_[j] == no_sample) ++j;
      if (j == Real::lanes) break;
      copy_lane<Real, Real>(other.lane, j, lane, i);
      copy_sink<Real, Real>(other.sink, j, sink, i);
      numbers_[i] = other.numbers_[j];
      other.numbers_[j] = no_sample;
      ++active_;
      --other.active_;
    }
    shadow();
    other.shadow();
  }

 private:
  bool admit(Samples<System>& samples, int i) {
    typename Samples<System>::Lane fresh;
    std::uint64_t number;
    if (!samples.next(number, fresh)) return false;
    copy_lane<double, Real>(fresh, 0, lane, i);
    FreshSink beside{};
    beside.release(samples.world(), fresh, samples.number(number));
    copy_sink<double, Real>(beside, 0, sink, i);
    numbers_[i] = number;
    ++active_;
    return true;
  }
  /// Lanes without a sample become copies of the first that has one; their sinks see no sample.
  void shadow() {
    if (active_ == Real::lanes) return;
    int original = 0;
    while (active_ > 0 && numbers_[original] == no_sample) ++original;
    for (int i = 0; i < Real::lanes; ++i) {
      if (numbers_[i] != no_sample) continue;
      if (active_ > 0) copy_lane<Real, Real>(lane, original, lane, i);
      copy_sink<double, Real>(FreshSink{}, 0, sink, i);
    }
  }

  std::uint64_t numbers_[Real::lanes];
  int active_ = 0;
};

/// Samples without contacts: one pack at a time, in which every lane always runs.
template <template <class> class System, class Scheme, class Real, template <class> class SinkOf = Watching>
void run_in_pack(Samples<System>& samples) {
  using Step = scree::Step<Stepping<System, Real>, Scheme>;
  PackOfSamples<System, Real, SinkOf> pack;
  pack.fill(samples, samples.most_in_flight(Real::lanes));
  while (pack.active() > 0 && !samples.cancelled()) {
    Step::begin(samples.world(), pack.lane);
    Step::finish(samples.world(), pack.lane, pack.sink);
    if (pack.some_ended()) pack.replace(samples);
  }
}

/// Samples with contacts: a block of packs. Few samples are in contact at once, with different numbers of contacts, so
/// each step collects them from all packs in lists of alike ones, and solves those lists in packs of W.
template <template <class> class System, class Scheme, int W, int M, template <class> class SinkOf = Watching>
class PackBlock {
  using Real = Pack<W, M>;
  using Phases = Stepping<System, Real>;
  using Step = scree::Step<Phases, Scheme>;
  using InFlight = PackOfSamples<System, Real, SinkOf>;
  using Capacities = ContactCapacities<System>;
  using Samples = scree::Samples<System>;
  static constexpr int lanes = Real::lanes;

 public:
  explicit PackBlock(Samples& samples)
      : samples_(samples),
        capacity_(samples.most_in_flight(1024)),
        packs_(new InFlight[static_cast<std::size_t>((capacity_ + lanes - 1) / lanes)]) {
    const std::size_t most = static_cast<std::size_t>(capacity_ + lanes);
    for (auto& list : lists_) list.lanes.reset(new int[most]);
    effortless_.lanes.reset(new int[most]);
    sorted_.reset(new int[most]);
  }

  void run() {
    for (int left = capacity_; left > 0; ++size_) {
      const int drawn = packs_[size_].fill(samples_, left);
      if (drawn == 0) break;
      left = drawn < lanes ? 0 : left - drawn;
      Step::begin(samples_.world(), packs_[size_].lane);
    }
    while (size_ > 0 && !samples_.cancelled()) step();
  }

 private:
  struct List {
    std::unique_ptr<int[]> lanes;  // counted through all packs
    int size = 0;
  };

  void step() {
    collect();
    ease();
    solve<0>();
    int vacant = 0;
    for (int p = 0; p < size_; ++p) {
      InFlight& pack = packs_[p];
      Step::finish(samples_.world(), pack.lane, pack.sink);
      if (pack.some_ended()) pack.replace(samples_);
      if (pack.active() > 0) Step::begin(samples_.world(), pack.lane);
      vacant += lanes - pack.active();
    }
    if (vacant >= lanes) compact();
  }

  /// Lists the lanes that are in contact. Those that need no solve have a list of their own, for beside others they
  /// would take as long. A lane without a sample is solved like the one that it shadows.
  void collect() {
    effortless_.size = 0;
    for (List& list : lists_) list.size = 0;
    for (int p = 0; p < size_; ++p) {
      const Real& contacts = packs_[p].lane.contacts;
      for (unsigned left = lanes_where(contacts > Real(0.0)); left != 0; left &= left - 1) {
        const int i = std::countr_zero(left);
        const double n = contacts.lane(i);
        const bool effortless = n == 1 && packs_[p].lane.effort.lane(i) == 0;
        List& list = effortless ? effortless_ : lists_[Capacities::list_of(n)];
        list.lanes[list.size++] = p * lanes + i;
      }
    }
  }

  /// Sorts a list by how long the last solves took: a pack is solved when its slowest lane is, and the next solve of a
  /// sample takes about as long as its last one (measured: 4 to 8 % of a step).
  void sort_by_effort(List& list) {
    constexpr int most = 15;
    const auto effort_of = [&](int at) {
      const double effort = packs_[at / lanes].lane.effort.lane(at % lanes);
      return effort < most ? static_cast<int>(effort) : most;
    };
    int begin[most + 2] = {};  // of each effort's part of the sorted list
    for (int n = 0; n < list.size; ++n) ++begin[effort_of(list.lanes[n]) + 1];
    for (int e = 0; e < most; ++e) begin[e + 1] += begin[e];
    for (int n = 0; n < list.size; ++n) sorted_[begin[effort_of(list.lanes[n])]++] = list.lanes[n];
    std::swap(sorted_, list.lanes);
  }

  /// The contact solves of list k and of those after it. Large sets are rare, and are solved one by one.
  template <int k>
  void solve() {
    if constexpr (k < Capacities::count) {
      constexpr int capacity = Capacities::template capacity<k>;
      if constexpr (capacity > 1) sort_by_effort(lists_[k]);
      if constexpr (capacity <= 4) {
        solve<capacity, Pack<W, 1>>(lists_[k]);
      } else {
        solve<capacity, double>(lists_[k]);
      }
      solve<k + 1>();
    }
  }
  template <int capacity, class ContactReal>
  void solve(const List& list) {
    over<ContactReal, SolveParts>(list, [&](const auto& approach, auto& outcome) {
      Stepping<System, ContactReal>::template contact<Scheme, capacity>(samples_.world(), approach, outcome);
    });
  }
  /// Those that need no solve, in two registers: there is little else to do while a division or a root is under way.
  void ease() {
    if constexpr (requires { typename Phases::Submerged; })
      over<Pack<W, 2>, EaseParts>(effortless_, [&](const auto& submerged, auto& motion) {
        Stepping<System, Pack<W, 2>>::template ease<Scheme>(samples_.world(), submerged, motion);
      });
  }

  // What is read of a lane, and what is changed.
  struct SolveParts {
    template <class P>
    using Read = typename P::Approach;
    template <class P>
    using Changed = typename P::Outcome;
  };
  struct EaseParts {
    template <class P>
    using Read = typename P::Submerged;
    template <class P>
    using Changed = typename P::Motion;
  };
  /// Does `f` with these parts of a list's lanes, as many at a time as PartReal has.
  template <class PartReal, class Parts, class F>
  void over(const List& list, const F& f) {
    using There = Stepping<System, PartReal>;
    using Changed = typename Parts::template Changed<Phases>;
    constexpr int width = lanes_of<PartReal>;
    typename Parts::template Read<There> read;
    typename Parts::template Changed<There> changed;
    for (int first = 0; first < list.size; first += width) {
      // Lanes beyond the end of the list repeat its last entry.
      const int present = list.size - first < width ? list.size - first : width;
      std::array<int, width> wanted;
      for (int j = 0; j < width; ++j) wanted[j] = list.lanes[first + (j < present ? j : present - 1)];
      gather_part<PartReal, typename Parts::template Read<Phases>>(wanted, read);
      gather_part<PartReal, Changed>(wanted, changed);
      f(read, changed);
      for (int j = 0; j < present; ++j) {
        const int at = list.lanes[first + j];
        copy_lane<PartReal, Real>(changed, j, static_cast<Changed&>(packs_[at / lanes].lane), at % lanes);
      }
    }
  }

  /// A part of these lanes, counted through all packs, as one pack.
  template <class PartReal, class Part, std::size_t width, class To>
  void gather_part(const std::array<int, width>& wanted, To& to) const {
    std::array<const double*, width> from;
    for (std::size_t j = 0; j < width; ++j) {
      const int at = wanted[j];
      from[j] = reinterpret_cast<const double*>(static_cast<const Part*>(&packs_[at / lanes].lane)) + at % lanes;
    }
    PartReal* out = reinterpret_cast<PartReal*>(&to);
    for (std::size_t k = 0; k < sizeof(To) / sizeof(PartReal); ++k) {
      if constexpr (width == 1) {
        out[k] = from[0][k * lanes];
      } else {
        out[k] = PartReal::loaded(from.data(), k * lanes);
      }
    }
  }

  /// Fills the vacant lanes of the first packs from the last ones.
  SCREE_COLD void compact() {
    for (int p = 0; p < size_;) {
      if (packs_[size_ - 1].active() == 0) {
        --size_;
      } else if (packs_[p].active() == lanes || p == size_ - 1) {
        ++p;
      } else {
        packs_[p].take_from(packs_[size_ - 1]);
      }
    }
  }

  Samples& samples_;
  int capacity_, size_ = 0;  // samples at most; packs in use
  std::unique_ptr<InFlight[]> packs_;
  List lists_[Capacities::count], effortless_;
  std::unique_ptr<int[]> sorted_;  // for sort_by_effort
};

/// Registers per pack that suit the system: as many samples in flight as hide the latency of its operations. Two at
/// most where the processor has no fused multiply-add, which is then a call for each lane and hides all else.
template <template <class> class System>
constexpr int pack_registers() {
  int registers = 2;
  if constexpr (requires { System<double>::pack_registers; }) registers = System<double>::pack_registers;
  return fast_fma || registers < 2 ? registers : 2;
}

/// Runs a job with one of `Schemes`: the system's, or the first few of them where no others are wanted.
template <template <class> class System, int W = native_width, int M = pack_registers<System>(),
          class Schemes = typename Stepping<System, double>::Schemes>
void run_pack(const Job& job) {
  if constexpr (packs<System>()) {
    with_capacity<System>(job.ensemble, [&]<template <class> class Sized>() {
      on_threads<Sized, Schemes>(job, []<class Scheme>(Samples<Sized>& samples) {
        if constexpr (most_contacts<Sized>() > 0) {
          PackBlock<Sized, Scheme, W, M>(samples).run();
        } else {
          run_in_pack<Sized, Scheme, Pack<W, M>>(samples);
        }
      });
    });
  } else {
    static_cast<void>(job);  // make_model offers no such kernel
  }
}

}  // namespace scree
