// What a pair's steps leave behind: the running record of a sample, and the summary columns made of it.
#pragma once

#include <limits>

#include "table.hpp"

namespace scree {

/// Extremes and counts of one sample so far, as seen at the ends of its steps.
template <class Real>
struct PairRecord {
  Real lambda, lambda_min, lambda_max, sign_changes;
  Real side, turns;       // which side of its first direction the link is on; how often it went round
  Real gap;               // largest ||r|^2 - d^2|
  Real normal1, normal2;  // least N |N|, which needs no root
  Real pressure;          // lesser of the two, at the last look
  Real liftoff_time, negative_time;
  Real held_time1, held_time2, releases, paradoxes;
  Real start_x1, start_y1, start_x2, start_y2, energy_start, momentum_start;

  HOST_DEVICE static PairRecord empty() {
    PairRecord r{};
    r.lambda_min = r.normal1 = r.normal2 = Real(std::numeric_limits<double>::infinity());
    r.lambda_max = -r.lambda_min;
    r.side = Real(1.0);
    r.liftoff_time = Real(std::numeric_limits<double>::quiet_NaN());
    return r;
  }

  /// The link's first direction, seen from above.
  ALWAYS_INLINE Vec2<Real> first_direction() const { return {start_x1 - start_x2, start_y1 - start_y2}; }

  /// A look at the motion m at `time`, after a step of length `last` in the mode `before`. A second look at the same
  /// instant, with last = 0, changes nothing; nor does one from beyond the surface.
  ALWAYS_INLINE void look(const PairLink<Real>& link, const PairMotion<Real>& m, const PairMode<Real>& before,
                          const PairMode<Real>& now, const Real& time, const Real& last) {
    const Mask<Real> there = m.inside & m.data;
    if (any(!there)) {  // apart: a copy of the record in every step would cost a GPU registers
      const PairRecord old = *this;
      fold(link, m, before, now, time, last);
      const Real* from = reinterpret_cast<const Real*>(&old);
      Real* to = reinterpret_cast<Real*>(this);
      for (int i = 0; i < state_size<Real, PairRecord>; ++i) to[i] = select(there, to[i], from[i]);
    } else {
      fold(link, m, before, now, time, last);
    }
  }

 private:
  ALWAYS_INLINE void fold(const PairLink<Real>& link, const PairMotion<Real>& m, const PairMode<Real>& before,
                          const PairMode<Real>& now, const Real& time, const Real& last) {
    const Real zero = Real(0.0), one = Real(1.0);
    sign_changes = select(m.lambda * lambda < zero, sign_changes + one, sign_changes);
    lambda = m.lambda;
    lambda_min = smaller(m.lambda, lambda_min);
    lambda_max = larger(m.lambda, lambda_max);

    // The angle from the first direction jumps from pi to -pi where `across` changes its sign and `along` is negative.
    const Vec2<Real> first = first_direction();
    const Real along = fma(first.x, m.x, first.y * m.y), across = difference_of_products(first.x, m.y, first.y, m.x);
    const Real beside = select(across < zero, -one, one);
    turns = select((along < zero) & (beside * side < zero), turns - beside, turns);
    side = beside;

    gap = larger(abs(m.distance2 - link.distance2), gap);
    const Real n1 = link.mass1 * m.p1, n2 = link.mass2 * m.p2;
    normal1 = smaller((n1 * abs(n1)) * m.first.phi2, normal1);
    normal2 = smaller((n2 * abs(n2)) * m.second.phi2, normal2);
    const Real least = smaller(m.p1, m.p2);
    const Mask<Real> first_loss = (least < zero) & (liftoff_time != liftoff_time);
    if (any(first_loss)) {  // the pressure as a straight line over the last step
      const Mask<Real> crossed = first_loss & (pressure > zero);
      const Real since = select(crossed, last * least / select(crossed, pressure - least, one), zero);
      liftoff_time = select(first_loss, time + since, liftoff_time);
    }
    negative_time = select(pressure < zero, negative_time + last, negative_time);
    pressure = least;

    const Mask<Real> holds1 = before.w1 == zero, holds2 = before.w2 == zero;
    held_time1 = select(holds1, held_time1 + last, held_time1);
    held_time2 = select(holds2, held_time2 + last, held_time2);
    releases = select(holds1 & (now.w1 > zero), releases + one, releases);
    releases = select(holds2 & (now.w2 > zero), releases + one, releases);
  }
};

/// The angle of (x, y) from the x axis, in (-pi, pi].
template <class Real>
HOST_DEVICE Real angle_of(const Real& x, const Real& y) {
  const Real zero = Real(0.0), one = Real(1.0), half_pi = Real(1.57079632679489661923);
  const Mask<Real> steep = abs(y) > abs(x);
  const Real down = select(steep, y, x), up = select(steep, x, y);
  const Real a = atan(up / select(down == zero, one, down));
  const Real near_x = select(x < zero, a + copysign(half_pi + half_pi, y), a);
  return select(steep, copysign(half_pi, y) - a, near_x);
}

/// The summary columns of a sample that has ended; `lane` is a Pair's, m its motion now, in the mode `mode`.
template <class Lane, class Real>
HOST_DEVICE PairSummary<Real> pair_summary(const World& world, const Lane& lane, const PairMotion<Real>& m,
                                           const PairMode<Real>& mode, const Real& energy, const Real& momentum) {
  const Real zero = Real(0.0), one = Real(1.0), none = Real(std::numeric_limits<double>::quiet_NaN());
  const PairState<Real>& s = lane.state;
  PairRecord<Real> record = lane.record;
  record.look(lane.link, m, lane.mode, mode, lane.clock.time(world), lane.clock.last);
  const Real mass = lane.link.mass1 + lane.link.mass2, distance = sqrt(lane.link.distance2);
  const auto middle = [&](const Real& a, const Real& b) { return fma(lane.link.mass1, a, lane.link.mass2 * b) / mass; };
  const auto length = [](const Real& x, const Real& y) { return sqrt(fma(x, x, y * y)); };
  const auto root = [](const Real& a) { return copysign(sqrt(abs(a)), a); };
  const auto height = [&](const Real& x, const Real& y) { return surface_point(world.terrain, world.tables, x, y).z; };
  const Vec2<Real> first = record.first_direction();
  const Real along = fma(first.x, m.x, first.y * m.y), across = difference_of_products(first.x, m.y, first.y, m.x);
  const Mask<Real> lost = record.liftoff_time == record.liftoff_time;
  PairSummary<Real> c;
  c.runout = length(middle(s.x1 - record.start_x1, s.x2 - record.start_x2),
                    middle(s.y1 - record.start_y1, s.y2 - record.start_y2));
  c.runout_attached = select(lost, none, c.runout);
  c.runout1 = length(s.x1 - record.start_x1, s.y1 - record.start_y1);
  c.runout2 = length(s.x2 - record.start_x2, s.y2 - record.start_y2);
  c.drop = middle(height(record.start_x1, record.start_y1) - height(s.x1, s.y1),
                  height(record.start_x2, record.start_y2) - height(s.x2, s.y2));
  c.final_x = middle(s.x1, s.x2);
  c.final_y = middle(s.y1, s.y2);
  c.final_x1 = s.x1;
  c.final_y1 = s.y1;
  c.final_x2 = s.x2;
  c.final_y2 = s.y2;
  c.stop_time = c.time = lane.clock.time(world);
  c.energy_start = record.energy_start;
  c.energy_end = energy;
  c.friction_work = s.work;
  c.energy_error = (c.energy_end - c.energy_start) + c.friction_work;
  c.link_force_min = distance * record.lambda_min;
  c.link_force_max = distance * record.lambda_max;
  c.link_force_end = distance * record.lambda;
  c.link_sign_changes = record.sign_changes;
  c.link_turns = record.turns + angle_of(along, across) * Real(0.15915494309189533577);  // 1 / (2 pi)
  c.distance_error_max = record.gap / (sqrt(lane.link.distance2 + record.gap) + distance);
  c.angular_momentum = momentum;
  c.angular_momentum_change = c.angular_momentum - record.momentum_start;
  c.lifted_off = select(lost, one, zero);
  c.liftoff_time = record.liftoff_time;
  c.normal_min1 = root(record.normal1);
  c.normal_min2 = root(record.normal2);
  c.negative_time = record.negative_time;
  c.held_time1 = record.held_time1;
  c.held_time2 = record.held_time2;
  c.releases = record.releases;
  c.paradoxes = record.paradoxes;
  c.steps = lane.steps;
  return c;
}

}  // namespace scree
