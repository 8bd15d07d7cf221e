// The free rotor of Leine et al. 2021, section 4.3: a cuboid of 3 x 2 x 1 m and 1 kg, h = 0.01 s, 20 s.
#include <algorithm>
#include <cmath>
#include <limits>

#include "host/common/text_table.hpp"
#include "host/common/worst.hpp"
#include "src/steppers/rotor_explicit.hpp"
#include "src/steppers/rotor_midpoint.hpp"
#include "src/systems/rotor_cases.hpp"
#include "verify.hpp"

namespace scree {
namespace {

const Vec3<double> cuboid{5.0 / 12, 10.0 / 12, 13.0 / 12};  // kg m^2
constexpr double step = 0.01, end = 20.0;                   // s
const char* const rotor_source = "Leine et al. 2021, section 4.3";

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

std::string seconds(const std::vector<double>& times) {
  std::string text;
  for (const double t : times) text += (text.empty() ? "" : ", ") + fixed(t, 2);
  return text + " s";
}

}  // namespace

std::vector<Claim> verify_rotor(const VerifyOptions&) {
  using Explicit = RotorExplicit;
  using Implicit = RotorMidpoint<ExpB>;
  std::vector<Claim> claims;

  const double left = leaving_time<Explicit>(step, end);
  claims.push_back(held("(a) the explicit rotor leaves rotation about e3", rotor_source, "after about 10 s",
                        "|w3| falls below |w| / 2 at " + fixed(left, 2) + " s", left > 8 && left < 12));
  // Energy is kept, so in the end A w1^2 = C Omega^2.
  const double limit = -rotor_cases::explicit_final_spin(cuboid.x, cuboid.z, 10),
               reached = final_spin<Explicit>({1e-3, 1e-3, 10}).x;
  claims.push_back(held("(a) and tends to rotation about e1", rotor_source, "w1 = -16.1245 rad/s = -sqrt(C/A) Omega",
                        "w1 = " + fixed(reached, 4) + " rad/s at 20 s", std::fabs(reached - limit) < 5e-5));
  const double tilt = largest_tilt<Implicit>();
  // The motion about a stable axis stays within a fixed multiple of its first tilt of sqrt(2) 1e-4 rad = 0.008 degrees.
  claims.push_back(held("(a) the implicit rotor stays at e3", rotor_source, "stays",
                        "at most " + short_number(tilt) + " degrees from e3 in 20 s", tilt < 0.05));
  std::vector<double> times, growth;
  for (const double h : {0.01, 0.005, 0.0025}) {
    times.push_back(leaving_time<Explicit>(h, 200));
    growth.push_back(std::abs(rotor_cases::ExplicitLinearisation(cuboid.x, cuboid.y, cuboid.z, 10, h).lambda[0]));
  }
  claims.push_back(held("(b) with a smaller step the explicit rotor leaves later", rotor_source,
                        "later; |lambda| tends to 1",
                        "h = 10, 5, 2.5 ms: at " + seconds(times) + "; |lambda| = " + fixed(growth[0], 6) + ", " +
                            fixed(growth[1], 6) + ", " + fixed(growth[2], 6),
                        times[0] < times[1] && times[1] < times[2] && growth[0] > growth[1] && growth[1] > growth[2] &&
                            growth[2] > 1 && growth[2] < 1.001));

  const Vec3<double> last = final_spin<Explicit>({1e-3, 10, 1e-3});
  const double share = std::fabs(last.x) / norm(last);
  claims.push_back(held("(c) from e2 the explicit rotor ends on the axis of least inertia", rotor_source, "ends on e1",
                        "|w1| / |w| = " + fixed(share, 6) + " at 20 s", share > 0.999));
  const std::vector<double> turns = flips<Implicit>(), known{2.47, 6.94, 11.41, 15.89};
  bool same = turns.size() == known.size();
  for (std::size_t k = 0; same && k < known.size(); ++k) same = std::fabs(turns[k] - known[k]) < 0.01;
  claims.push_back(held("(c) the implicit rotor flips back and forth", rotor_source,
                        "flips; an independent code: at " + seconds(known), "w2 changes sign at " + seconds(turns),
                        same));

  const Drift e = drift<Explicit>(), i = drift<Implicit>();
  claims.push_back(held("the explicit rotor keeps the energy and not the spin", "Leine et al. 2021, section 4",
                        "T kept, |N| lost",
                        "relative change of T " + short_number(e.energy) + ", of |N| " + short_number(e.spin),
                        e.energy < 1e-12 && e.spin > 0.1));
  claims.push_back(held("the implicit rotor keeps both", "Leine et al. 2021, section 4", "T and |N| kept",
                        "relative change of T " + short_number(i.energy) + ", of |N| " + short_number(i.spin),
                        i.energy < 1e-12 && i.spin < 1e-12));
  return claims;
}

}  // namespace scree
