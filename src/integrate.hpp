// The loop over the steps of a sample, and what a system must offer for it.
//
// A system is written as these functions, three of which (begin, contact, finish) are a step. A backend only schedules
// them: over one sample after another, over lists of samples with about as many contacts, over the threads of a warp.
//
//   Lane  prepare(world, sample)            params, state and summary of one sample at t = 0
//   void  begin<Scheme>(world, lane)        all that needs no contact: without contacts the whole motion, with them
//                                           what comes before the solve, and lane.contacts; may set lane.status
//   bool  contact<Scheme, N, patience>(world, approach, outcome)
//                                           the contact solve, for 1 <= lane.contacts <= N; a Lane is an Approach,
//                                           which is all that the solve reads, and an Outcome, which is all that it
//                                           changes; outcome.effort is about how long it took, a small whole number,
//                                           and 0 before it where there is nothing to solve. Then
//   void  ease<Scheme>(world, submerged, motion)
//                                           does the same from less, if a system offers it: an Approach is a Submerged,
//                                           an Outcome is a Motion.
//                                           With a patience > 0 a solve of more effort may be given up: false, and
//                                           outcome is as it was
//   void  finish<Scheme>(world, lane)       what is left: the state after a contact, the step's part of the summary,
//                                           and the end of the sample, by lane.status (endings.hpp)
//   Summary summarize(world, lane)          the summary columns
//   Track track(world, lane)                one row of `scree replay`
//
// `Step` puts them together. One sample by itself goes through Step::run: in replay, in the bench's count of
// operations, in tests. The CUDA kernels go through its parts, to leave a step before a contact solve that is too large
// for them. The CPU backends begin and finish the steps of many samples with it, and solve contacts from lists between.
//
// A system with contacts also states `static constexpr int most_contacts`; one without offers no `contact`, and
// backends compile none for it and do not read lane.contacts. `static constexpr int pack_registers` says how many
// registers of a pack keep the processor busiest (2 if not stated), as measured; kernels/cpu_pack.hpp may take fewer.
// `static constexpr int cuda_blocks` says how many blocks of threads at least are to share a multiprocessor of a GPU,
// as modelled (bench/README.md): its registers are divided among them, and what a thread has too few for goes to its
// local memory. A system that states none, or 0, leaves that to the compiler. `Real quiet_steps(world, lane)`, about
// how many steps a lane takes until it has a contact, lets a GPU put samples side by side that have one soon.
//
// A system of several bodies has arrays in its Lane, and is compiled for a few lengths of them: as a template on the
// capacity, HeapOf<Real, most>, of which `template <class Real> using Heap = HeapOf<Real, 64>` is what others see. It
// states
//
//   using Capacities = CapacityList<4, 64>;                 (capacities.hpp)
//   template <int n> struct Sized { template <class R> using System = HeapOf<R, n>; };
//   static int bodies(params)                               of a run; the same for all of its samples
//
// and its Params, Start, Summary and Track do not depend on the capacity. `static constexpr bool packs = false` says
// that its samples have too little in common to be integrated side by side in the lanes of a pack.
//
// A system with smooth equations of motion writes only its motion and what it observes (see systems/README.md);
// `Smooth` makes the above of them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "capacities.hpp"
#include "endings.hpp"
#include "ensemble.hpp"
#include "located_events.hpp"
#include "terrain/terrain.hpp"

namespace scree {

/// The steppers that a system can be run with, in the order in which `scree list` shows them.
template <class... S>
struct SchemeList {
  static constexpr int size = sizeof...(S);
};

/// Calls f.template operator()<Scheme>() with the scheme at `position` of the list.
template <class First, class... Rest, class F>
HOST_DEVICE inline void with_scheme(SchemeList<First, Rest...>, int position, F&& f) {
  if (position == 0) {
    f.template operator()<First>();
  } else if constexpr (sizeof...(Rest) > 0) {
    with_scheme(SchemeList<Rest...>{}, position - 1, f);
  }
}

/// The phases of a system with smooth equations of motion:
///   State initial(world, params, start), State derivative(params, state), void observe(params, state, t, summary),
///   Track track(params, state), and, if it can end before the run does, Mask finished(params, state).
/// One with events within its steps (located_events.hpp) adds
///   Real event(world, params, state), Mask at_event(world, params, state, t, summary),
/// and one that leaves the terrain where its edge is
///   Vec3<Real> place(state), of which a sample ends that is outside.
template <template <class> class System, class Real>
struct Smooth {
  using Equations = System<Real>;
  using Schemes = typename Equations::Schemes;
  using Summary = typename Equations::Summary;
  using Track = typename Equations::Track;
  using State = typename Equations::State;
  static constexpr bool has_events = HasEvents<Equations>;
  static_assert(
      has_events || !requires { &Equations::event; }, "event takes (world, params, state)");
  static_assert(
      has_events || !requires { &Equations::at_event; }, "at_event needs an event(world, params, state)");

  struct LaneWithoutEvents {
    typename Equations::Params params;
    State state;
    Summary summary;
    Real steps, status;
  };
  struct LaneWithEvents {
    typename Equations::Params params;
    State state;
    Summary summary;
    Real steps, status;
    EventWatch<Real> watch;
  };
  using Lane = std::conditional_t<has_events, LaneWithEvents, LaneWithoutEvents>;

  HOST_DEVICE static Lane prepare(const World& world, const Sample<Equations>& sample) {
    Lane lane{};
    lane.params = sample.params;
    lane.state = Equations::initial(world, sample.params, sample.start);
    lane.status = Real(running);
    Equations::observe(lane.params, lane.state, Real(0.0), lane.summary);
    if constexpr (has_events) lane.watch = EventWatch<Real>::begin(Equations::event(world, lane.params, lane.state));
    return lane;
  }
  template <class Scheme>
  HOST_DEVICE static void begin(const World& world, Lane& lane) {
    const auto f = [&](const State& s) { return Equations::derivative(lane.params, s); };
    if constexpr (has_events) {
      step_with_events<Scheme, Equations>(world, lane, f);
    } else {
      lane.state = Scheme::step(lane.state, f(lane.state), Real(world.step), f);
    }
  }
  template <class Scheme>
  HOST_DEVICE static void finish(const World& world, Lane& lane) {
    lane.steps = lane.steps + Real(1.0);
    Equations::observe(lane.params, lane.state, time(world, lane), lane.summary);
    const Real* state = reinterpret_cast<const Real*>(&lane.state);
    for (unsigned i = 0; i < sizeof(lane.state) / sizeof(Real); ++i)
      end_where<Real>(lane, Status::diverged, !bounded(abs(state[i])));
    if constexpr (requires { Equations::place(lane.state); }) {
      const auto ground = ground_under(world.terrain, world.tables, Equations::place(lane.state));
      end_off_terrain<Real>(lane, !ground.inside, !ground.data);
    }
    if constexpr (requires { Equations::finished(lane.params, lane.state); })
      end_where<Real>(lane, Status::stopped, Equations::finished(lane.params, lane.state));
    end_where<Real>(lane, Status::end_time, time_is_up(world, lane.steps));
  }
  HOST_DEVICE static Summary summarize(const World&, const Lane& lane) { return lane.summary; }
  HOST_DEVICE static Track track(const World&, const Lane& lane) { return Equations::track(lane.params, lane.state); }
  /// Since the release, s: of the end of the last step, or of the event that ended the sample within it.
  ALWAYS_INLINE static Real time(const World& world, const Lane& lane) {
    const Real whole = Real(world.step) * lane.steps;
    if constexpr (has_events) {
      const Real ended = lane.watch.ended;
      return select(ended >= Real(0.0), fma(Real(world.step), lane.steps - Real(1.0), ended), whole);
    } else {
      return whole;
    }
  }
};

namespace detail {
template <template <class> class System, class Real>
constexpr auto stepping_of() {
  if constexpr (requires { typename System<Real>::Lane; }) {
    return std::type_identity<System<Real>>{};
  } else {
    return std::type_identity<Smooth<System, Real>>{};
  }
}
}  // namespace detail

/// The phases of any system: its own where it has a Lane (contacts, or events within a step), else those of Smooth.
template <template <class> class System, class Real>
using Stepping = typename decltype(detail::stepping_of<System, Real>())::type;

/// The most contacts that a sample can have in one step, of its phases or its system; 0 for a system without contacts.
template <class Phases>
constexpr int most_contacts() {
  if constexpr (requires { Phases::most_contacts; }) {
    return Phases::most_contacts;
  } else {
    return 0;
  }
}
template <template <class> class System>
constexpr int most_contacts() {
  return most_contacts<System<double>>();
}

/// What watches the path of one sample. A schedule keeps one beside each lane, and every step passes through it where
/// it ends, so a sink sees the path in pieces: what it needs of a piece's beginning, it keeps from the end of the last
/// one. This one sees nothing, and costs nothing.
///
/// A sink takes what it wants from the lane or from what the system makes of it (`track`), and changes neither, but
/// where there are barriers or stems (PathWatch). Beside a pack it is a struct of Reals, so that it can follow a sample
/// from lane to lane; a lane without a sample of its own, which shadows another, has zeros there.
template <class Phases>
struct NoSink {
  using Lane = typename Phases::Lane;

  /// The sample of this number in the ensemble is released, t = 0. Of a pack's sink, the one for a double is asked, and
  /// its numbers take their lane.
  HOST_DEVICE void release(const World&, const Lane&, std::uint64_t) {}
  /// A step has ended, and with it the sample if lane.status says so.
  HOST_DEVICE void step(const World&, const Lane&) {}
  /// The sample, by its number in the ensemble, has ended, and its lane takes another one.
  HOST_DEVICE void end(const World&, const Lane&, std::uint64_t) {}
};

/// A step of a sample, `Phases` being what Stepping gives. `solve` and all that has it in it are for one sample: a Real
/// with one lane.
template <class Phases, class Scheme>
struct Step {
  using Lane = typename Phases::Lane;

  ALWAYS_INLINE static void begin(const World& world, Lane& lane) { Phases::template begin<Scheme>(world, lane); }

  /// The contact solve, if there are contacts, at most `capacity`. One contact has a solve of its own; which one serves
  /// more than that changes no bit. False if it was given up for want of `patience`.
  template <int capacity = most_contacts<Phases>(), int patience = 0>
  ALWAYS_INLINE static bool solve(const World& world, Lane& lane) {
    if constexpr (capacity > 0) {
      const double contacts = static_cast<double>(lane.contacts);
      if (contacts == 1.0) {
        Phases::template contact<Scheme, 1>(world, lane, lane);
      } else if (capacity > 1 && contacts > 1.0) {
        return Phases::template contact<Scheme, capacity, patience>(world, lane, lane);
      }
    }
    return true;
  }

  template <class Sink>
  ALWAYS_INLINE static void finish(const World& world, Lane& lane, Sink& sink) {
    Phases::template finish<Scheme>(world, lane);
    sink.step(world, lane);
  }

  /// One whole step.
  template <class Sink>
  HOST_DEVICE static void advance(const World& world, Lane& lane, Sink& sink) {
    begin(world, lane);
    solve(world, lane);
    finish(world, lane, sink);
  }
  HOST_DEVICE static void advance(const World& world, Lane& lane) {
    NoSink<Phases> nobody;
    advance(world, lane, nobody);
  }

  /// From the release to the sample's end, or for at most `most_steps` steps. Returns how many it took.
  template <class Sink>
  HOST_DEVICE static std::uint64_t run(const World& world, Lane& lane, Sink& sink, std::uint64_t sample,
                                       std::uint64_t most_steps = ~std::uint64_t{0}) {
    sink.release(world, lane, sample);
    std::uint64_t steps = 0;
    for (; steps < most_steps && static_cast<double>(lane.status) == running; ++steps) advance(world, lane, sink);
    return steps;
  }
  HOST_DEVICE static void run(const World& world, Lane& lane) {
    NoSink<Phases> nobody;
    run(world, lane, nobody, 0);
  }
};

/// Whether the system may be compiled for packs.
template <template <class> class System>
constexpr bool packs() {
  if constexpr (requires { System<double>::packs; }) {
    return System<double>::packs;
  } else {
    return true;
  }
}

namespace detail {
template <template <class> class System, int first, int... rest, class F>
void with_first_that_holds(CapacityList<first, rest...>, int bodies, F&& f) {
  if constexpr (sizeof...(rest) == 0) {
    f.template operator()<System<double>::template Sized<first>::template System>();
  } else if (bodies <= first) {
    f.template operator()<System<double>::template Sized<first>::template System>();
  } else {
    with_first_that_holds<System>(CapacityList<rest...>{}, bodies, f);
  }
}
}  // namespace detail

/// Calls f.template operator()<Sized>() with the system of the smallest capacity that holds the bodies of `ensemble`,
/// an Ensemble<System<double>>; for a system without capacities, with the system itself.
template <template <class> class System, class F>
void with_capacity(const void* ensemble, F&& f) {
  if constexpr (requires { typename System<double>::Capacities; }) {
    const auto& params = static_cast<const Ensemble<System<double>>*>(ensemble)->params;
    detail::with_first_that_holds<System>(typename System<double>::Capacities{}, System<double>::bodies(params), f);
  } else {
    f.template operator()<System>();
  }
}

/// The capacities that contact solves are compiled for on a CPU: one contact in closed form, the common small sets, and
/// the most that there can be. A sample goes to the first that holds its contacts.
template <template <class> class System>
struct ContactCapacities {
  static constexpr int most = most_contacts<System>();
  static constexpr int count = most <= 0 ? 0 : most <= 1 ? 1 : most <= 2 ? 2 : most <= 4 ? 3 : 4;
  template <int k>
  static constexpr int capacity = k == count - 1 ? most : 1 << k;

  static constexpr int list_of(double contacts) {
    const int k = contacts <= 1 ? 0 : contacts <= 2 ? 1 : contacts <= 4 ? 2 : 3;
    return k < count ? k : count - 1;
  }
};

}  // namespace scree
