// Steps of Runge-Kutta's method of order 4 with contacts that begin and end in them. The damping of a contact needs the
// approach speed at its onset, which is known only when the onset is; and the force, as (t - t0)^(3/2) from the onset
// at t0, has no second derivative there, so that a step across it is good to h^(5/2) only. Three answers:
//
//   rk4_redo    a step in which a contact began is done again with its onset speed, interpolated: order 2.5
//   rk4_events  steps end at onsets and releases, and go on from there: order 2.5 with a constant some 5 times smaller
//   rk4_graded  so, in 12 graded pieces next to them: some 10 to 30 times smaller again
//
// With the script's law (latch = "script") the force jumps where the approach ends: order 1 to 2 with rk4_redo. The
// two others land there too, and hold the sign in between.
//
// A contact that begins and ends within one step goes unseen, with an effect of the order of h^(5/2).
#pragma once

#include "../../steppers/rk4.hpp"
#include "record.hpp"

namespace scree {

/// Where in (0, 1) the cubic with the values g0, g1 and the slopes m0, m1 at 0 and 1 changes its sign; g0 and g1 have
/// different ones. Newton's iteration from the secant, kept in a bracket.
template <class Real>
HOST_DEVICE Real hermite_root(const Real& g0, const Real& m0, const Real& g1, const Real& m1) {
  const Real two = Real(2.0), three = Real(3.0);
  const Real cubic = fma(two, g0 - g1, m0 + m1), square = fma(three, g1 - g0, fma(-two, m0, -m1));
  Real low = Real(0.0), high = Real(1.0), s = g0 / (g0 - g1);
  SCREE_ROLLED
  for (int k = 0; k < 8; ++k) {
    const Real value = fma(s, fma(s, fma(s, cubic, square), m0), g0);
    const Real slope = fma(s, fma(three * s, cubic, two * square), m0);
    const Mask<Real> before = value * g0 > Real(0.0);
    low = select(before, s, low);
    high = select(before, high, s);
    const Real newton = s - value / slope;
    s = select((newton > low) & (newton < high), newton, Real(0.5) * (low + high));
  }
  return s;
}

/// One step of length h with the latches as they are. `held`: see force_of.
template <class Real, int most>
SCREE_CALLED HOST_DEVICE DiscState<Real, most> rk4_step(const DiscLane<Real, most>& lane, const Real& h, bool held) {
  const DiscMotion<Real, most> motion{lane.law, lane.moment, lane.inverse_inertia, lane.latch, held, lane.count()};
  return Rk4::step(lane.state, motion(lane.state), h, motion);
}

/// state = next, in the samples where that is.
template <class Real, int most>
ALWAYS_INLINE void assign(DiscState<Real, most>& state, const DiscState<Real, most>& next, const Mask<Real>& where) {
  if constexpr (lanes_of<Real> == 1) {
    if (any(where)) state = next;
  } else {
    Real* to = reinterpret_cast<Real*>(&state);
    const Real* from = reinterpret_cast<const Real*>(&next);
    for (int i = 0; i < state_size<Real, DiscState<Real, most>>; ++i) to[i] = select(where, from[i], to[i]);
  }
}

/// Whether an open slot, closed now, has begun a contact; not if it was closed before and separates still: the rounding
/// of a release.
template <class Real>
ALWAYS_INLINE Mask<Real> begins(const DiscContact<Real>& before, const DiscContact<Real>& after) {
  return (after.gap < Real(0.0)) & ((before.gap > Real(0.0)) | (after.rate < Real(0.0)));
}
/// Part of a step h after which the gap changes its sign.
template <class Real>
ALWAYS_INLINE Real crossing(const DiscContact<Real>& before, const DiscContact<Real>& after, const Real& h) {
  return hermite_root(before.gap, h * before.rate, after.gap, h * after.rate);
}
/// Part of a step h after which the gap's rate does; by the slope of the same cubic.
template <class Real>
ALWAYS_INLINE Real turning(const DiscContact<Real>& before, const DiscContact<Real>& after, const Real& h) {
  const Real two = Real(2.0), m0 = h * before.rate, m1 = h * after.rate;
  const Real cubic = fma(two, before.gap - after.gap, m0 + m1);
  const Real bend = two * fma(Real(3.0), after.gap - before.gap, fma(-two, m0, -m1));
  return hermite_root(m0, bend, m1, fma(Real(6.0), cubic, bend));
}

struct Rk4Redo {
  static constexpr const char* name = "rk4_redo";
  static constexpr const char* meaning =
      "Runge-Kutta of order 4; a step in which a contact begins is redone with its onset speed, interpolated";

  template <class Real, int most>
  HOST_DEVICE static void step(DiscLane<Real, most>& lane, const Real& h) {
    DiscState<Real, most> next = rk4_step(lane, h, false);
    const Mask<Real> redo = latch_onsets(lane, next, h) & (lane.law.latched > Real(0.0));
    if (any(redo)) assign(next, rk4_step(lane, h, false), redo);
    end_contacts(lane, next);
    lane.state = next;
  }

 private:
  /// Begins the contacts that closed in this step; the onset speed is interpolated at the root of the gap's cubic.
  template <class Real, int most>
  HOST_DEVICE static Mask<Real> latch_onsets(DiscLane<Real, most>& lane, const DiscState<Real, most>& next,
                                             const Real& h) {
    const Real zero = Real(0.0), one = Real(1.0);
    Mask<Real> found = zero > one;
    each_contact(
        lane.law, next, lane.count(),
        [&](int slot, const Mask<Real>& closed) { return closed & (lane.latch[slot] == zero); },
        [&](int slot, const DiscContact<Real>& after, const Mask<Real>& kept) {
          const DiscContact<Real> before = contact_at(lane.law, lane.state, after.i, after.j);
          const Mask<Real> onset = kept & begins(before, after);
          if (!any(onset)) return;
          const Real s = select(before.gap > zero, crossing(before, after, h), zero);
          begin_contact(lane, slot, after, -fma(one - s, before.rate, s * after.rate), onset);
          found = found | onset;
        });
    return found;
  }
};

/// What the two schemes that land on events share: the first event of a step, and what it changes.
template <class Real, int most>
struct DiscEvents {
  using Lane = DiscLane<Real, most>;
  using State = DiscState<Real, most>;

  static constexpr double onset = 1, turn = 2, release = 3;

  /// Events that one step may have: each slot may close, turn, and open. What is left after so many is done in one
  /// piece.
  static constexpr int most_events = 3 * disc_slots<most>;

  struct Event {
    Real when;  // part of the step after which it comes; 2 if there is none
    Real slot, kind;
  };
  SCREE_CALLED HOST_DEVICE static Event first(const Lane& lane, const State& next, const Real& h,
                                              const Mask<Real>& active) {
    const Real zero = Real(0.0);
    const Mask<Real> turns = lane.law.latched == zero;
    Event event{Real(2.0), zero, zero};
    each_contact(
        lane.law, next, lane.count(),
        [&](int slot, const Mask<Real>& closed) {
          const Mask<Real> open = lane.latch[slot] == zero;
          return active & ((open & closed) | ((!open) & ((!closed) | turns)));
        },
        [&](int slot, const DiscContact<Real>& after, const Mask<Real>& kept) {
          const DiscContact<Real> before = contact_at(lane.law, lane.state, after.i, after.j);
          const Real latch = lane.latch[slot];
          const Mask<Real> open = kept & (latch == zero), closed = kept & (latch != zero);
          const Mask<Real> starts = open & begins(before, after);
          const Mask<Real> bounces = closed & turns & (latch * before.rate < zero) & (latch * after.rate > zero);
          // A gap that was not below 0 before is the rounding of an onset; end_contacts sees to it.
          const Mask<Real> ends = closed & (!bounces) & (before.gap < zero) & (after.gap >= zero);
          const Mask<Real> some = starts | bounces | ends;
          if (!any(some)) return;
          const Mask<Real> crosses = (starts & (before.gap > zero)) | ends;
          Real when = zero;
          if (any(crosses)) when = select(crosses, crossing(before, after, h), when);
          if (any(bounces)) when = select(bounces, turning(before, after, h), when);
          const Mask<Real> earlier = some & (when < event.when);
          const Real kind = select(starts, Real(onset), select(bounces, Real(turn), Real(release)));
          event.when = select(earlier, when, event.when);
          event.slot = select(earlier, Real(static_cast<double>(slot)), event.slot);
          event.kind = select(earlier, kind, event.kind);
        });
    return event;
  }

  /// The event is where lane.state is now.
  SCREE_CALLED HOST_DEVICE static void apply(Lane& lane, const Event& event, const Mask<Real>& active) {
    each_contact(
        lane.law, lane.state, lane.count(),
        [&](int slot, const Mask<Real>&) { return active & (event.slot == Real(static_cast<double>(slot))); },
        [&](int slot, const DiscContact<Real>& c, const Mask<Real>& here) {
          const Mask<Real> starts = here & (event.kind == Real(onset)), ends = here & (event.kind == Real(release));
          const Mask<Real> bounces = here & (event.kind == Real(turn));
          if (any(ends)) end_contact(lane, slot, c, ends);
          if (any(starts)) begin_contact(lane, slot, c, -c.rate, starts);
          lane.latch[slot] = select(bounces, -lane.latch[slot], lane.latch[slot]);
        });
  }
};

struct Rk4Events {
  static constexpr const char* name = "rk4_events";
  static constexpr const char* meaning = "Runge-Kutta of order 4; steps end where contacts begin and end, and go on";

  template <class Real, int most>
  HOST_DEVICE static void step(DiscLane<Real, most>& lane, const Real& h) {
    using Events = DiscEvents<Real, most>;
    const Real one = Real(1.0);
    Real left = h;
    Mask<Real> active = h == h;
    SCREE_ROLLED
    for (int k = 0; k < Events::most_events && any(active); ++k) {
      const DiscState<Real, most> next = rk4_step(lane, left, true);
      const auto event = Events::first(lane, next, left, active);
      const Mask<Real> found = active & (event.when < one);
      assign(lane.state, next, active & !found);
      active = found;
      if (!any(found)) break;
      const Real part = event.when * left;
      assign(lane.state, rk4_step(lane, part, true), found);
      Events::apply(lane, event, found);
      left = left - part;
    }
    if (any(active)) assign(lane.state, rk4_step(lane, left, true), active);
    end_contacts(lane, lane.state);
  }
};

struct Rk4Graded {
  static constexpr const char* name = "rk4_graded";
  static constexpr const char* meaning =
      "Runge-Kutta of order 4; as rk4_events, in 12 graded pieces after a contact begins and before it ends";

  template <class Real, int most>
  HOST_DEVICE static void step(DiscLane<Real, most>& lane, const Real& h) {
    using Events = DiscEvents<Real, most>;
    const Real zero = Real(0.0), one = Real(1.0);
    Real left = h;
    Mask<Real> active = h == h, rises = lane.fresh > zero;  // a contact has begun just now, or in the last step
    lane.fresh = zero;
    SCREE_ROLLED
    for (int k = 0; k < Events::most_events && any(active); ++k) {
      const DiscState<Real, most> next = rk4_step(lane, left, true);
      const auto event = Events::first(lane, next, left, active);
      const Mask<Real> found = active & (event.when < one);
      const Mask<Real> falls = select(found, event.kind == Real(Events::release), parts_soon(lane, next, h));
      const Real part = select(found, event.when * left, left);
      const Mask<Real> plain = active & !(found | rises | falls);
      assign(lane.state, next, plain);
      if (any(active & !plain)) in_pieces(lane, part, rises, falls, active & !plain);
      active = found;
      if (!any(found)) break;
      Events::apply(lane, event, found);
      const Mask<Real> starts = found & (event.kind == Real(Events::onset));
      rises = select(found, starts, rises);
      lane.fresh = select(starts, one, lane.fresh);
      left = left - part;
    }
    if (any(active)) assign(lane.state, rk4_step(lane, left, true), active);
    end_contacts(lane, lane.state);
  }

 private:
  /// Goes the length: in twelve pieces with ends at its parts (k / 12)^3 after an onset, with these turned round before
  /// a release, in both ways over a half each between the two, and else at once.
  template <class Real, int most>
  HOST_DEVICE static void in_pieces(DiscLane<Real, most>& lane, const Real& length, const Mask<Real>& rises,
                                    const Mask<Real>& falls, const Mask<Real>& active) {
    constexpr int pieces = 12;
    const auto width = [](int k) { return Real((3.0 * k * (k + 1) + 1.0) / (pieces * pieces * pieces)); };
    const Real zero = Real(0.0), half = Real(0.5);
    const Mask<Real> both = rises & falls;
    const int count = any(active & both) ? 2 * pieces : any(active & (rises | falls)) ? pieces : 1;
    SCREE_ROLLED
    for (int k = 0; k < count; ++k) {
      const bool first_half = k < pieces;
      const Real up = first_half ? width(k) : zero, down = width(first_half ? pieces - 1 - k : 2 * pieces - 1 - k);
      const Real single = select(rises, up, select(falls, first_half ? down : zero, Real(k == 0 ? 1.0 : 0.0)));
      const Real part = select(both, half * (first_half ? up : down), single);
      assign(lane.state, rk4_step(lane, part * length, true), active & (part > zero));
    }
  }
  /// Whether a contact is likely to end in the step after this one.
  template <class Real, int most>
  HOST_DEVICE static Mask<Real> parts_soon(const DiscLane<Real, most>& lane, const DiscState<Real, most>& next,
                                           const Real& h) {
    const Real zero = Real(0.0);
    Mask<Real> soon = h != h;
    each_contact(
        lane.law, next, lane.count(), [&](int slot, const Mask<Real>&) { return lane.latch[slot] != zero; },
        [&](int, const DiscContact<Real>& c, const Mask<Real>& latched) {
          soon = soon | (latched & (fma(h, c.rate, c.gap) > zero));
        });
    return soon;
  }
};

}  // namespace scree
