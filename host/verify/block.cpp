// The block of Leine et al. 2014, section 5.1: two pyramids of 10 m on a common base of 2 x 2 m, lying across a slope
// of 45 degrees on one edge of the base, so that it slides down on two corners until friction has grown to 1, and tips.
//
//   t down the slope, n normal to it; the corners are at r1 = -t - n (upper) and r2 = t - n (lower) from the centre of
//   mass. With friction T along t in all, the moment about the horizontal axis across the slope is N1 - N2 - T.
#include <algorithm>
#include <array>
#include <cmath>

#include "host/common/worst.hpp"
#include "src/systems/rock/cases.hpp"
#include "verify.hpp"

namespace scree {
namespace {

const char* const block_paper = "L14 section 5.1";
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

/// The block's mass and inertia, and what Painleve's and Genot and Brogliato's (1999) limits make of them.
void verify_body(Claims& claims, double mass, const std::array<double, 3>& inertia) {
  claims.add({.claim = "mass of the block, t, and its moments of inertia, t m^2",
              .source = block_paper,
              .published = {.numbers = {80, 32, 816, 816}},
              .measured = {.numbers = {mass / 1000, inertia[0] / 1000, inertia[1] / 1000, inertia[2] / 1000}},
              .criterion = within(1e-8, "exact for two pyramids, but for rounding of their tetrahedra")});
  const double k2 = inertia[0] / mass;  // r = 1 m
  const double limit = std::sqrt(k2 * k2 + 2 * k2);
  claims.add({.claim = "k^2, Painleve limit sqrt(k^4 + 2 k^2), frictional catastrophe 2 / sqrt(3) as much",
              .source = block_paper,
              .published = {.numbers = {0.4, 0.9798, 1.1314}, .digits = 5},
              .measured = {.numbers = {k2, limit, 2 / std::sqrt(3.0) * limit}, .digits = 5},
              .criterion = within(5e-5, "half of the last digit")});
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

void verify_motion(Claims& claims, double mass, const std::vector<Step>& steps) {
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
  const bool slides = k > first && k < steps.size();
  const int flights = count_flights({steps.begin() + static_cast<std::ptrdiff_t>(k), steps.end()});
  claims.add(
      {.claim = "while mu <= 1 it slides on two corners, with (1 -+ mu) m g cos(alpha) / 2 on them: error over "
                "m g cos(alpha)",
       .source = "closed form: L14 section 5.1",
       .published = {.numbers = {0}},
       .measured = {.numbers = {slides ? worst : std::nan("")}, .words = "in " + std::to_string(k - first) + " steps"},
       .criterion = within(1e-8, "contacts are solved to 1e-9 of their impulses")});
  claims.add({.claim = "it tips about the lower corner once mu > 1: mu where the upper one carries nothing",
              .source = block_paper,
              .published = {.numbers = {1}},
              .measured = {.numbers = {slides ? steps[k].mu : std::nan("")}, .digits = 6},
              .criterion = within(6e-4, "mu grows by 3e-4 a step, and to carry counts from 1e-4 of the weight on")});
  claims.add({.claim = "it detaches, lands, and repeats: flights above 1 cm in 10 s",
              .source = block_paper,
              .published = {.words = "again and again"},
              .measured = {.numbers = {static_cast<double>(flights)}, .words = "each with a landing"},
              .criterion = at_least(2, "one and another one")});
}

}  // namespace

void verify_block(Claims& claims) {
  const Run run = study("rock_block");
  const double* shape = run.spec.tables.data() + static_cast<std::size_t>(run.spec.world.shapes);
  const double mass = shape[ShapeLayout::mass];
  std::array<double, 3> inertia;
  for (std::size_t i = 0; i < 3; ++i) inertia[i] = mass * shape[static_cast<std::size_t>(ShapeLayout::inertia) + i];

  Track track(mass, inertia[0]);
  const Replayed path = replayed(run);
  for (const std::vector<double>& row : path.rows) track.add({path, row});

  verify_body(claims, mass, inertia);
  verify_motion(claims, mass, track.steps);
}

}  // namespace scree
