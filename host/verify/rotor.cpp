// The free rotor of Leine et al. 2021, section 4.3: a cuboid of 3 x 2 x 1 m and 1 kg, h = 0.01 s, 20 s.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "host/common/worst.hpp"
#include "src/steppers/rotor_explicit.hpp"
#include "src/steppers/rotor_midpoint.hpp"
#include "src/systems/rotor_cases.hpp"
#include "verify.hpp"

namespace scree {
namespace {

const Vec3<double> cuboid{5.0 / 12, 10.0 / 12, 13.0 / 12};  // kg m^2
constexpr double step = 0.01, end = 20.0;                   // s
const char* const rotor_paper = "L21 section 4.3";

/// Calls visit(t, w) at the start and after each step; without torque the spin does not depend on the orientation.
template <class Scheme, class Visit>
void spin(Vec3<double> w, double h, double until, Visit visit) {
  const int steps = static_cast<int>(std::lround(until / h));
  visit(0.0, w);
  for (int k = 1; k <= steps; ++k) {
    w = Scheme::free_step(cuboid, w, Quaternion<double>{1, 0, 0, 0}, h).w;
    visit(k * h, w);
  }
}

/// When |w3| first falls below |w| / 2: the axis is 60 degrees off. Infinity if never.
template <class Scheme>
double leaving_time(double h, double until) {
  double left = std::numeric_limits<double>::infinity();
  spin<Scheme>({1e-3, 1e-3, 10}, h, until, [&](double t, const Vec3<double>& w) {
    if (std::fabs(w.z) < 0.5 * norm(w)) left = std::min(left, t);
  });
  return left;
}

template <class Scheme>
Vec3<double> final_spin(const Vec3<double>& w0) {
  Vec3<double> last{};
  spin<Scheme>(w0, step, end, [&](double, const Vec3<double>& w) { last = w; });
  return last;
}

/// By which factor an explicit step of length h makes the spin across e3 grow, at first: the root of that of the area
/// between two steps, which is the determinant of the linear map, and has no part of the turning.
double growth(double h) {
  std::vector<Vec3<double>> w;
  spin<RotorExplicit>({1e-3, 1e-3, 10}, h, 101 * h, [&](double, const Vec3<double>& now) { w.push_back(now); });
  const auto area = [&](std::size_t k) { return w[k].x * w[k + 1].y - w[k].y * w[k + 1].x; };
  return std::pow(area(100) / area(0), 1.0 / 200);
}

/// Largest angle between w and e3, degrees.
template <class Scheme>
double largest_tilt() {
  double worst = 0;
  spin<Scheme>({1e-3, 1e-3, 10}, step, end, [&](double, const Vec3<double>& w) {
    worst = scree::worst(worst, std::atan2(std::hypot(w.x, w.y), w.z));
  });
  return worst * 180 / std::acos(-1.0);
}

/// When w2 changes its sign, by linear interpolation.
template <class Scheme>
std::vector<double> flips() {
  std::vector<double> times;
  double before = 0, time = 0;
  spin<Scheme>({1e-3, 10, 1e-3}, step, end, [&](double t, const Vec3<double>& w) {
    if (t > 0 && before * w.y < 0) times.push_back(time + step * before / (before - w.y));
    before = w.y;
    time = t;
  });
  return times;
}

/// Largest relative change of kinetic energy and of |Theta w| in the case of (a).
struct Drift {
  double energy = 0, spin = 0;
};
template <class Scheme>
Drift drift() {
  Drift result;
  double energy0 = 0, spin0 = 0;
  spin<Scheme>({1e-3, 1e-3, 10}, step, end, [&](double t, const Vec3<double>& w) {
    const double energy = dot(scale(cuboid, w), w), size = norm(scale(cuboid, w));
    if (t == 0) {
      energy0 = energy;
      spin0 = size;
    }
    result.energy = worst(result.energy, std::fabs(energy / energy0 - 1));
    result.spin = worst(result.spin, std::fabs(size / spin0 - 1));
  });
  return result;
}

}  // namespace

void verify_rotor(Claims& claims) {
  using Explicit = RotorExplicit;
  using Implicit = RotorMidpoint<ExpB>;
  const double degree = std::acos(-1.0) / 180;
  const auto [a, b, c] = std::array{cuboid.x, cuboid.y, cuboid.z};

  claims.add({.claim = "(a) the explicit rotor leaves rotation about e3",
              .source = rotor_paper,
              .published = {.numbers = {10}, .unit = "s", .words = "(about)"},
              .measured = {.numbers = {leaving_time<Explicit>(step, end)},
                           .unit = "s",
                           .words = "until |w3| falls below |w| / 2"},
              .criterion = within_percent(20, "`about`, of a departure that takes 1.7 s from 10 to 60 degrees")});
  claims.add({.claim = "(a) and tends to rotation about e1: w1",
              .source = "closed form: the energy is kept, A w1^2 = C Omega^2",
              .published = {.numbers = {-rotor_cases::explicit_final_spin(a, c, 10)}, .unit = "rad/s", .digits = 6},
              .measured = {.numbers = {final_spin<Explicit>({1e-3, 1e-3, 10}).x},
                           .unit = "rad/s",
                           .digits = 6,
                           .words = "at 20 s"},
              .criterion = within(5e-5, "half of the last digit that the paper prints, -16.1245")});
  // On the curve A (C - A) w1^2 + B (C - B) w2^2 = const, which T and |N| leave, from w1 = w2 = 1e-3 rad/s.
  const double across = 1e-3 * std::sqrt(1 + a * (c - a) / (b * (c - b)));
  claims.add({.claim = "(a) the implicit rotor stays at e3: largest tilt in 20 s",
              .source = "closed form: A (C - A) w1^2 + B (C - B) w2^2 is constant",
              .published = {.numbers = {across / 10 / degree}, .unit = "degrees"},
              .measured = {.numbers = {largest_tilt<Implicit>()}, .unit = "degrees"},
              .criterion = within_percent(0.1, "steps straddle the largest one, by (6.9 rad/s h / 2)^2 / 2 of it")});

  const std::array steps{0.01, 0.005, 0.0025};
  std::vector<double> times, ratios, rates, of_map;
  for (const double h : steps) {
    times.push_back(leaving_time<Explicit>(h, 200));
    rates.push_back(growth(h));
    of_map.push_back(std::abs(rotor_cases::ExplicitLinearisation(a, b, c, 10, h).lambda[0]));
  }
  for (const std::size_t k : {1, 2}) ratios.push_back(times[k] / times[k - 1]);
  claims.add({.claim = "(b) with half the step the explicit rotor leaves later: times over one another",
              .source = rotor_paper,
              .published = {.words = "later"},
              .measured = {.numbers = ratios, .words = "(" + numbers(times, 4) + " s with 10, 5, 2.5 ms)"},
              .criterion = at_least(1.5, "twice as late, as the growth is in proportion to h, less what begins it")});
  claims.add({.claim = "(b) its growth per step |lambda| tends to 1, steps of 10, 5, 2.5 ms",
              .source = "closed form: the map about e3, section 4.2 corrected",
              .published = {.numbers = of_map, .digits = 7},
              .measured = {.numbers = rates, .digits = 7, .words = "over 100 steps"},
              .criterion = within(1e-7, "squares of a tilt of 1e-4 rad, which grows to 3e-4")});

  const Vec3<double> last = final_spin<Explicit>({1e-3, 10, 1e-3});
  claims.add({.claim = "(c) from e2 the explicit rotor ends on the axis of least inertia: |w1| / |w|",
              .source = rotor_paper,
              .published = {.numbers = {1}, .words = "(e1)"},
              .measured = {.numbers = {std::fabs(last.x) / norm(last)}, .digits = 6, .words = "at 20 s"},
              .criterion = within(1e-3, "2.6 degrees off the axis")});
  const std::vector<double> turns = flips<Implicit>(), known{2.47, 6.94, 11.41, 15.89};
  std::vector<double> intervals;
  for (std::size_t k = 1; k < turns.size(); ++k) intervals.push_back(turns[k] - turns[k - 1]);
  intervals.resize(3, std::nan(""));
  const double exact = rotor_cases::FreeMotion(cuboid, {1e-3, 10, 1e-3}).flip_interval();
  claims.add({.claim = "(c) the implicit rotor flips back and forth: time between two flips",
              .source = "closed form: Landau and Lifshitz, Mechanics, section 37",
              .published = {.numbers = std::vector(3, exact), .unit = "s"},
              .measured = {.numbers = intervals, .unit = "s"},
              .criterion = within_percent(0.1, "the midpoint rule's (h |w|)^2 / 12")});
  std::vector<double> first_four = turns;
  first_four.resize(4, std::nan(""));
  claims.add({.claim = "(c) when it flips",
              .source = "independent code: the same scheme, rotor.json",
              .published = {.numbers = known, .unit = "s"},
              .measured = {.numbers = first_four, .unit = "s"},
              .criterion = within(0.01, "a step")});

  // Angular momentum on e1 instead of e3 at the same energy.
  const Drift e = drift<Explicit>(), i = drift<Implicit>();
  claims.add({.claim = "the explicit rotor keeps the energy: largest relative change",
              .source = "L21 section 4",
              .published = {.words = "kept"},
              .measured = {.numbers = {e.energy}},
              .criterion = at_most(4 * rounding(2e4), "four deviations of 2000 steps of ten roundings each")});
  claims.add({.claim = "and the explicit rotor loses angular momentum: share lost at last",
              .source = "closed form: A |w1| on e1 over C Omega, 1 - sqrt(A / C)",
              .published = {.numbers = {1 - std::sqrt(a / c)}},
              .measured = {.numbers = {e.spin}},
              .criterion = within(1e-5, "what is left of the way to e1 after 20 s")});
  claims.add({.claim = "the implicit rotor keeps both: largest relative changes of T, |N|",
              .source = "L21 section 4",
              .published = {.words = "kept"},
              .measured = {.numbers = {i.energy, i.spin}},
              .criterion = at_most(4 * rounding(2e4), "four deviations of 2000 steps of ten roundings each")});
}

}  // namespace scree
