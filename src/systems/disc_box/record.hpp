// A disc box in flight, and what is noted when its contacts begin and end.
#pragma once

#include "motion.hpp"

namespace scree {

/// What the summary needs of the past.
template <class Real>
struct DiscRecord {
  Real impacts_disc, impacts_wall, onset_sum, onset_max;
  Real ended_onset_sum, release_sum;  // of the contacts that have ended: onset and release speeds
  Real contact_steps;                 // that ended with a closed contact
  Real overlap_max;
  Real radius_sum;  // of the centres' distances from the middle, over discs and steps
  Real energy0, angular0;
};

template <class Real, int most>
struct DiscLane {
  DiscLaw<Real> law;
  Real moment[most], inverse_inertia[most];
  DiscState<Real, most> state;
  // Of each closed contact the approach speed at its onset, m/s, with the sign of -g': negative while it opens. 0:
  // open.
  Real latch[disc_slots<most>];
  Real fresh;  // 1: a contact began in the last step (Rk4Graded)
  DiscRecord<Real> record;
  Real start_x[most], start_z[most];
  Real perimeter;
  Real steps, status;

  HOST_DEVICE int count() const { return highest(law.discs); }
};

/// A contact begins with that speed of approach.
template <class Real, int most>
ALWAYS_INLINE void begin_contact(DiscLane<Real, most>& lane, int slot, const DiscContact<Real>& c, const Real& speed,
                                 const Mask<Real>& where) {
  const Real one = Real(1.0);
  const Real onset = larger(speed, lane.law.onset_floor);
  lane.latch[slot] = select(where, onset, lane.latch[slot]);
  DiscRecord<Real>& r = lane.record;
  Real& impacts = c.j < 0 ? r.impacts_wall : r.impacts_disc;
  impacts = select(where, impacts + one, impacts);
  r.onset_sum = select(where, r.onset_sum + onset, r.onset_sum);
  r.onset_max = select(where, larger(onset, r.onset_max), r.onset_max);
}

/// A contact ends.
template <class Real, int most>
ALWAYS_INLINE void end_contact(DiscLane<Real, most>& lane, int slot, const DiscContact<Real>& c,
                               const Mask<Real>& where) {
  DiscRecord<Real>& r = lane.record;
  r.ended_onset_sum = select(where, r.ended_onset_sum + abs(lane.latch[slot]), r.ended_onset_sum);
  r.release_sum = select(where, r.release_sum + c.rate, r.release_sum);
  lane.latch[slot] = select(where, Real(0.0), lane.latch[slot]);
}

/// Ends the contacts that are open and separating in `y`; notes the direction and the overlap of the others.
template <class Real, int most>
ALWAYS_INLINE void end_contacts(DiscLane<Real, most>& lane, const DiscState<Real, most>& y) {
  const Real zero = Real(0.0);
  Real touching = zero;
  each_contact(
      lane.law, y, lane.count(), [&](int slot, const Mask<Real>&) { return lane.latch[slot] != zero; },
      [&](int slot, const DiscContact<Real>& c, const Mask<Real>& latched) {
        const Mask<Real> ends = latched & (c.gap >= zero) & (c.rate > zero), stays = latched & !ends;
        if (any(ends)) end_contact(lane, slot, c, ends);
        lane.latch[slot] = select(stays, copysign(lane.latch[slot], -c.rate), lane.latch[slot]);
        lane.record.overlap_max = select(stays, larger(-c.gap, lane.record.overlap_max), lane.record.overlap_max);
        touching = select(stays, Real(1.0), touching);
      });
  lane.record.contact_steps = lane.record.contact_steps + touching;
}

}  // namespace scree
