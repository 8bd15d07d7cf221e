// What a slider's steps leave behind: the running record of a sample, and the summary columns made of it.
#pragma once

#include <limits>

#include "motion.hpp"
#include "table.hpp"

namespace scree {

template <class Real>
struct SliderRecord {
  Real path, square_max, normal_min, reversals;
  Real lost;  // when N became negative last
  Real negative_time, liftoff_time, liftoff_x, liftoff_y, liftoff_speed;
  Real start_x, start_y, energy_start;

  HOST_DEVICE static SliderRecord empty() {
    SliderRecord r{};
    r.normal_min = Real(std::numeric_limits<double>::infinity());
    r.liftoff_time = r.liftoff_x = r.liftoff_y = r.liftoff_speed = Real(std::numeric_limits<double>::quiet_NaN());
    return r;
  }

  /// The beginning of a step, with the `weight` that its speed has in the path, s.
  ALWAYS_INLINE void look(const SliderNode<Real>& node, const Real& weight) {
    path = fma(weight, node.speed, path);
    square_max = larger(node.contact.square, square_max);
    normal_min = smaller(node.normal, normal_min);
  }

  /// The path length is the integral of |V| by the trapezoidal rule with end corrections,
  ///   sum of h/2 (|V0| + |V1|) + h^2/12 (|V0|' - |V1|'),
  /// of order 4. Each step adds what the speed at its beginning weighs, in this step (`stretch`, and `bend` for its
  /// derivative) and in the `last` one; the derivatives cancel while h stays. At a momentary stop the derivative jumps,
  /// and is left out. The weight of the speed is returned, what else there is is added.
  ALWAYS_INLINE Real path_weight(const Real& last, const Real& stretch, const Real& bend, const Real& speed_slope,
                                 const Real& beside) {
    const Real squares = (bend - last) * (bend + last);  // 0 for equal steps, exactly
    path = path + fma(Real(1.0 / 12.0) * squares, speed_slope, beside);
    return Real(0.5) * (last + stretch);
  }

  /// Contact lost or regained at `when`, in the state `at`.
  HOST_DEVICE void cross(const Mask<Real>& loses, const Mask<Real>& regains, const Real& when,
                         const SliderState<Real>& at, const Real& speed) {
    const Mask<Real> first = loses & (liftoff_time != liftoff_time);
    liftoff_time = select(first, when, liftoff_time);
    liftoff_x = select(first, at.x, liftoff_x);
    liftoff_y = select(first, at.y, liftoff_y);
    liftoff_speed = select(first, speed, liftoff_speed);
    negative_time = select(regains, negative_time + (when - lost), negative_time);
    lost = select(loses, when, lost);
  }
};

/// The summary columns of a sample that has ended at the point `at` of the surface; `lane` is a Slider's, `energy` its
/// energy now.
template <class Lane, class Real>
HOST_DEVICE SliderSummary<Real> slider_summary(const World& world, const Lane& lane, const SurfacePoint<Real>& at,
                                               const SliderNode<Real>& node, const Real& energy) {
  const Real zero = Real(0.0), one = Real(1.0), half = Real(0.5);
  const Real none = Real(std::numeric_limits<double>::quiet_NaN());
  const SliderState<Real>& s = lane.state;
  const SliderRecord<Real>& record = lane.record;
  const auto from = surface_point(world.terrain, world.tables, record.start_x, record.start_y);
  const Vec2<Real> down = fall_direction(from.fx, from.fy);
  const Real dx = s.x - record.start_x, dy = s.y - record.start_y, now = lane.clock.time(world), last = lane.clock.last;
  const Mask<Real> attached = record.liftoff_time != record.liftoff_time, level = node.level2 == zero;
  SliderSummary<Real> c;
  c.runout = sqrt(fma(dx, dx, dy * dy));
  c.runout_attached = select(attached, c.runout, none);
  // The end of the trapezoidal rule.
  c.path_length =
      record.path + select(level, zero, last * fma(half, node.speed, last * node.speed_slope / Real(-12.0)));
  c.drop = from.z - at.z;
  c.apparent_friction = select(c.runout > zero, c.drop / select(c.runout > zero, c.runout, one), none);
  c.final_x = s.x;
  c.final_y = s.y;
  c.final_z = at.z;
  c.lateral_final = difference_of_products(down.x, dy, down.y, dx);
  c.stop_time = c.time = now;
  c.speed_max = sqrt(larger(node.contact.square, record.square_max));
  c.energy_start = record.energy_start;
  c.energy_end = energy;
  c.friction_work = s.work;
  c.energy_error = (c.energy_end - c.energy_start) + s.work;
  c.lifted_off = select(attached, zero, one);
  c.liftoff_time = record.liftoff_time;
  c.liftoff_x = record.liftoff_x;
  c.liftoff_y = record.liftoff_y;
  c.liftoff_speed = record.liftoff_speed;
  c.normal_min = smaller(node.normal, record.normal_min);
  c.negative_time = record.negative_time + select(lane.side < zero, now - record.lost, zero);
  c.reversals = record.reversals;
  c.steps = lane.steps;
  return c;
}

}  // namespace scree
