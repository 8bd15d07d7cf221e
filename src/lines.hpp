// Lines on the ground that paths are watched at: where, when and how a sample crosses them.
//
// A step from r0 to r1 crosses the segment from A to B if the sides of its ends, the sign of s(r) = (B - A) x (r - A)
// with 0 as +, differ, and the chord meets the line between A, included, and B, included for the last segment alone: so
// a corner of a line counts once (to rounding: a step that ends within 1e-16 of itself from a corner may pass it
// unseen, or see it twice). Where within the step is found on the cubic that has the positions and velocities of
// both ends (Hermite), which is the path itself under constant acceleration, as in flight or down a plane with
// friction. Velocity and rotational energy are linear in between. An impact within the step lies between before and
// after. Beside a corner of a line the place may so be on the other side of it, by as much as the path is off its
// chord.
//
// A line cannot be reached before the path over the ground is as long as the way to it, so a sample looks at lines
// again when it has come that far (`alarm`), and at every step near one.
#pragma once

#include "bracketed_root.hpp"
#include "vec.hpp"

namespace scree {

/// Segments lie one after the other in the run's tables, a line's own in a row.
struct Lines {
  double first, segments;  // offset in the tables; how many, 0: no lines
};

/// As it lies in the tables.
struct LineSegment {
  double ax, ay, bx, by;  // m; the left of A to B is the side with s > 0
  double before;          // length of the line up to A, m
  double line, last;      // its number; 1: the line ends at B

  HOST_DEVICE double side(double x, double y) const { return difference_of_products(bx - ax, y - ay, by - ay, x - ax); }
  /// Where on the segment a point of its line is, 0 at A and 1 at B.
  HOST_DEVICE double along(double x, double y) const {
    const double dx = bx - ax, dy = by - ay;
    return fma(x - ax, dx, (y - ay) * dy) / fma(dx, dx, dy * dy);
  }
  /// At most the square of the distance: that of the rectangle around it.
  HOST_DEVICE double least_square(double x, double y) const {
    const double dx = larger(larger(smaller(ax, bx) - x, x - larger(ax, bx)), 0.0),
                 dy = larger(larger(smaller(ay, by) - y, y - larger(ay, by)), 0.0);
    return fma(dx, dx, dy * dy);
  }
  HOST_DEVICE double distance(double x, double y) const {
    const double u = larger(smaller(along(x, y), 1.0), 0.0);
    const double dx = x - fma(u, bx - ax, ax), dy = y - fma(u, by - ay, ay);
    return sqrt(fma(dx, dx, dy * dy));
  }
};
HOST_DEVICE inline const LineSegment& segment_of(const Lines& lines, const double* tables, int i) {
  return reinterpret_cast<const LineSegment*>(tables + static_cast<std::int64_t>(lines.first))[i];
}

/// A sample in motion, at one end of a step.
struct Moving {
  double x, y, z, time;
  Vec3<double> velocity;
  double mass, rotational_energy, rotation_square;  // of energies per mass, a mass of 1
};

/// What became of a sample at a line: a gate lets all pass, a barrier does not (barriers.hpp).
enum class Passing : std::uint32_t { free = 0, overtopped = 1, caught = 2, breached = 3 };

/// A sample on a line.
struct LineCrossing {
  std::uint32_t line;
  Passing passing;
  double time, offset;     // s since the release; along the line from its first point, m
  double x, y, z, height;  // height: above the ground there, m, vertical; NaN where there is none
  Vec3<double> velocity;
  double translational_energy, rotational_energy, rotation;
  double direction;           // 1: from left to right of the line; -1: back
  double normal_x, normal_y;  // unit normal of the segment, to its right

  /// Line, offset, direction and normal, of a sample that comes from `from`; the place is there.
  HOST_DEVICE void cross(const LineSegment& segment, const Moving& from) {
    line = static_cast<std::uint32_t>(segment.line);
    direction = segment.side(from.x, from.y) >= 0 ? 1.0 : -1.0;
    const double dx = segment.bx - segment.ax, dy = segment.by - segment.ay, length = sqrt(fma(dx, dx, dy * dy));
    offset = fma(segment.along(x, y), length, segment.before);
    normal_x = dy / length;
    normal_y = -dx / length;
  }
  HOST_DEVICE double energy() const { return translational_energy + rotational_energy; }
  /// All but line, offset, height above ground, direction and normal.
  HOST_DEVICE void take(const Moving& m) {
    time = m.time;
    x = m.x;
    y = m.y;
    z = m.z;
    velocity = m.velocity;
    translational_energy = 0.5 * m.mass * dot(m.velocity, m.velocity);
    rotational_energy = m.rotational_energy;
    rotation = sqrt(m.rotation_square);
  }
};

/// Whether the chord of a step crosses a segment.
HOST_DEVICE inline bool crosses(const LineSegment& segment, const Moving& from, const Moving& to) {
  const double s0 = segment.side(from.x, from.y), s1 = segment.side(to.x, to.y);
  if ((s0 >= 0) == (s1 >= 0)) return false;
  const double t = s0 / (s0 - s1);
  const double u = segment.along(fma(t, to.x - from.x, from.x), fma(t, to.y - from.y, from.y));
  return u >= 0 && (u < 1 || (segment.last != 0 && u <= 1));
}

/// A coordinate at tau of the step of length h, on the cubic with these values and derivatives at its ends.
HOST_DEVICE inline double hermite(double tau, double h, double from, double slope_from, double to, double slope_to) {
  const double a = h * slope_from, b = h * slope_to, change = to - from;
  // from + tau (a + tau ((3 change - 2 a - b) + tau (a + b - 2 change)))
  const double cube = fma(-2.0, change, a + b), square = fma(3.0, change, fma(-2.0, a, -b));
  return fma(tau, fma(tau, fma(tau, cube, square), a), from);
}

/// At tau of the step, 0 to 1: on its cubic, with velocity and energy of rotation linear in between.
HOST_DEVICE inline Moving moving_at(double tau, const Moving& from, const Moving& to) {
  const double h = to.time - from.time;
  return {hermite(tau, h, from.x, from.velocity.x, to.x, to.velocity.x),
          hermite(tau, h, from.y, from.velocity.y, to.y, to.velocity.y),
          hermite(tau, h, from.z, from.velocity.z, to.z, to.velocity.z),
          fma(tau, h, from.time),
          fma(tau, to.velocity - from.velocity, from.velocity),
          to.mass,
          fma(tau, to.rotational_energy - from.rotational_energy, from.rotational_energy),
          fma(tau, to.rotation_square - from.rotation_square, from.rotation_square)};
}

/// Where in the step it crosses, all but the height above ground.
HOST_DEVICE inline LineCrossing crossing_of(const LineSegment& segment, const Moving& from, const Moving& to) {
  const double h = to.time - from.time;
  const auto x_at = [&](double tau) { return hermite(tau, h, from.x, from.velocity.x, to.x, to.velocity.x); };
  const auto y_at = [&](double tau) { return hermite(tau, h, from.y, from.velocity.y, to.y, to.velocity.y); };
  const double s0 = segment.side(from.x, from.y), s1 = segment.side(to.x, to.y);
  const auto side_at = [&](double tau) { return segment.side(x_at(tau), y_at(tau)); };
  const double tau = s0 >= 0 ? bracketed_root(0.0, s0, 1.0, s1, true, 0.0, side_at)
                             : bracketed_root(1.0, s1, 0.0, s0, true, 0.0, side_at);
  LineCrossing at;
  at.passing = Passing::free;
  at.take(moving_at(tau, from, to));
  at.cross(segment, from);
  return at;
}

}  // namespace scree
