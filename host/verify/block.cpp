// The block of Leine et al. 2014, section 5.1: two pyramids of 10 m on a common base of 2 x 2 m, lying across a slope
// of 45 degrees on one edge of the base, so that it slides down on two corners until friction has grown to 1, and tips.
//
//   t down the slope, n normal to it; the corners are at r1 = -t - n (upper) and r2 = t - n (lower) from the centre of
//   mass. With friction T along t in all, the moment about the horizontal axis across the slope is N1 - N2 - T.
#include <algorithm>
#include <array>
#include <cmath>

#include "host/common/text_table.hpp"
#include "host/common/worst.hpp"
#include "src/systems/rock/cases.hpp"
#include "verify.hpp"

namespace scree {
namespace {

const char* const block_source = "Leine et al. 2014, section 5.1";
constexpr double slope = 0.78539816339744831;  // pi / 4
constexpr rock_cases::Scarring scarring{0.2, 1.3, 0.7};

/// What a step did to the block, from two rows of its track.
struct Step {
  double mu, upper, lower;  // friction of the step; normal forces on the corners, N
  double gap;               // of the lowest corner, m
  int contacts;
};

class Track {
 public:
  Track(double mass, double inertia) : mass_(mass), inertia_(inertia) {}

  void add(const NamedRow& row) {
    const State now{{row["vx"], row["vy"], row["vz"]}, spin_across(row), row["scar"], row["time"]};
    if (!first_) {
      const double h = now.time - last_.time;
      const Vec3<double> change = (1 / h) * (now.velocity - last_.velocity);
      const double c = std::cos(slope), s = std::sin(slope);
      const double normal = mass_ * (s * change.x + c * change.z + gravity * c);
      const double along = mass_ * (c * change.x - s * change.z - gravity * s);
      const double difference = inertia_ * (now.spin - last_.spin) / h + along;  // N1 - N2
      const double mu =
          scarring.low + (scarring.high - scarring.low) * std::atan(scarring.kappa * last_.scar) / std::acos(0.0);
      steps.push_back({mu, 0.5 * (normal + difference), 0.5 * (normal - difference), row["gap"],
                       static_cast<int>(row["contacts"])});
    }
    last_ = now;
    first_ = false;
  }

  std::vector<Step> steps;

 private:
  struct State {
    Vec3<double> velocity;
    double spin, scar, time;
  };
  /// Angular velocity about +y, rad/s.
  static double spin_across(const NamedRow& row) {
    const Quaternion<double> p{row["qw"], row["qx"], row["qy"], row["qz"]};
    return (rotation(p) * Vec3<double>{row["wx"], row["wy"], row["wz"]}).y;
  }

  double mass_, inertia_;
  State last_{};
  bool first_ = true;
};

std::string in_tonnes_m2(double inertia) { return short_number(inertia / 1000) + " t m^2"; }

/// The block's mass and inertia, and what Painleve's and Genot and Brogliato's (1999) limits make of them.
std::vector<Claim> verify_body(double mass, const std::array<double, 3>& inertia) {
  const double k2 = inertia[0] / mass;  // r = 1 m
  const double limit = std::sqrt(k2 * k2 + 2 * k2), catastrophe = 2 / std::sqrt(3.0) * limit;
  const auto near = [](double a, double b, double tolerance) { return std::fabs(a - b) < tolerance; };
  return {
      held("mass and moments of inertia of the block", block_source, "80 t; 32, 816, 816 t m^2",
           short_number(mass / 1000) + " t; " + in_tonnes_m2(inertia[0]) + ", " + in_tonnes_m2(inertia[1]) + ", " +
               in_tonnes_m2(inertia[2]),
           near(mass, 80000, 1e-6) && near(inertia[0], 32000, 1e-6) && near(inertia[1], 816000, 1e-5) &&
               near(inertia[2], 816000, 1e-5)),
      held("Painleve limit sqrt(k^4 + 2 k^2) and frictional catastrophe, 2 / sqrt(3) times as much", block_source,
           "k^2 = 0.4: mu_P = 0.9798, mu_C = 1.1314",
           "k^2 = " + short_number(k2) + ": mu_P = " + short_number(limit) + ", mu_C = " + short_number(catastrophe),
           near(k2, 0.4, 1e-12) && near(limit, 0.9798, 5e-5) && near(catastrophe, 1.1314, 5e-5))};
}

/// Flights higher than 1 cm that end in a landing: lower ones are the rattle of corners about the ground.
int count_flights(const std::vector<Step>& steps) {
  int flights = 0;
  double height = 0;
  for (const Step& step : steps) {
    if (step.contacts > 0) flights += height > 0.01;
    height = step.contacts > 0 ? 0 : std::max(height, step.gap);
  }
  return flights;
}

std::vector<Claim> verify_motion(double mass, const std::vector<Step>& steps) {
  const double weight = mass * gravity * std::cos(slope);
  // The first steps are the impacts of being set down. The formula for `upper` holds while the block is flat: a corner
  // that carries less than 1e-4 of the weight, as it would within 2e-4 of mu = 1, has let go.
  const std::size_t first = 10;
  std::size_t k = first;
  double worst = 0;
  for (; k < steps.size() && steps[k].contacts == 2 && steps[k].upper > 1e-4 * weight; ++k) {
    const auto forces = rock_cases::corner_forces(mass, gravity, slope, steps[k].mu, 1, 1);
    worst = scree::worst(worst, scree::worst(std::fabs(steps[k].upper - forces.upper) / weight,
                                             std::fabs(steps[k].lower - forces.lower) / weight));
  }
  const double below = steps[k - 1].mu, above = k < steps.size() ? steps[k].mu : 0;
  const int flights = count_flights({steps.begin() + static_cast<std::ptrdiff_t>(k), steps.end()});
  return {
      held("the block slides on two corners while mu <= 1", block_source, "normal forces (1 -+ mu) m g cos(alpha) / 2",
           "over " + std::to_string(k - first) + " steps they differ by at most " + short_number(worst) +
               " m g cos(alpha)",
           k > first + 100 && worst < 1e-6),
      held("it tips about the lower corner once mu > 1", block_source, "mu > 1",
           "the upper corner carries until mu = " + fixed(below, 5) + " and nothing from mu = " + fixed(above, 5),
           below > 0.999 && above > 0.9998 && above < 1.001),
      held("it detaches, lands, and repeats", block_source, "detaches and lands again and again",
           std::to_string(flights) + " flights above 1 cm, each with a landing, in 10 s", flights >= 2)};
}

}  // namespace

std::vector<Claim> verify_block(const VerifyOptions&) {
  const Run run = study("rock_block");
  const double* shape = run.spec.tables.data() + static_cast<std::size_t>(run.spec.world.shapes);
  const double mass = shape[ShapeLayout::mass];
  std::array<double, 3> inertia;
  for (std::size_t i = 0; i < 3; ++i) inertia[i] = mass * shape[static_cast<std::size_t>(ShapeLayout::inertia) + i];

  Track track(mass, inertia[0]);
  const Replayed path = replayed(run);
  for (const std::vector<double>& row : path.rows) track.add({path, row});

  std::vector<Claim> claims = verify_body(mass, inertia);
  for (const Claim& claim : verify_motion(mass, track.steps)) claims.push_back(claim);
  return claims;
}

}  // namespace scree
