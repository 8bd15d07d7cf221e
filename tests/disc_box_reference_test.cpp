// The disc box against the gallery's script and against independent integrations of high accuracy.
#include "tests/support/discs.hpp"

namespace scree {
namespace {

using test::DiscStudy;
using test::Json;

const Json& reference(const char* name) {
  static const Json all = test::reference("discs_particles.json");
  for (const Json& one : all["cases"])
    if (one["name"] == name) return one;
  throw std::runtime_error(std::string("no reference case ") + name);
}

/// Each component within 1e-13 of the row's largest: rounding, some hundred operations behind the largest, leaves
/// 1e-14.
TEST(DiscBoxReference, HasTheRightHandSideOfTheScript) {
  const Json& table = reference("script_rhs_table");
  int contacts = 0;
  ASSERT_EQ(table["rows"].size(), 32u);
  for (const Json& row : table["rows"]) {
    const auto lane = DiscStudy<>().script().from(table["params"], row["y"]).prepared();
    const DiscMotion<double, 4> motion{lane.law, lane.moment, lane.inverse_inertia, lane.latch, false, 3};
    const auto slope = motion(lane.state);
    double largest = 0;
    for (const double value : row["dydt"]) largest = std::fmax(largest, std::fabs(value));
    for (int k = 0; k < 18; ++k)
      EXPECT_NEAR(test::component(slope, 3, k), row["dydt"][static_cast<std::size_t>(k)].get<double>(),
                  1e-13 * largest);
    contacts += row["n_contacts"].get<int>();
  }
  EXPECT_EQ(contacts, 48) << "rows with 0 to 3 contacts";
}

std::size_t at(double t) { return static_cast<std::size_t>(std::lround(t / 0.05)); }

/// Largest error of a position so far, at each of the reference's times.
template <class Scheme>
std::vector<double> errors(const Json& one, double step, double end) {
  if (one["y"].size() != 201) throw std::runtime_error("the reference must have 201 times");
  const auto study = DiscStudy<>(step, end).script().from(one["params"], one["y0"]);
  std::vector<double> largest;
  double so_far = 0;
  test::run_discs<Scheme>(study, [&](const auto& lane) {
    const double row = lane.steps * step / 0.05;
    if (std::fabs(row - std::round(row)) > 1e-6) return;
    so_far = worst(so_far, test::position_error(lane.state, 3, one["y"][static_cast<std::size_t>(std::lround(row))]));
    largest.push_back(so_far);
  });
  if (largest.size() != at(end) + 1) throw std::logic_error("a time of the reference was not met");
  return largest;
}

/// The script solves its equations to 1e-6; what it deviates by from an exact solution is known, and a run that lands
/// on the jumps of its law deviates from the script by no more than that.
TEST(DiscBoxReference, FollowsTheScriptAsFarAsTheScriptIsAccurate) {
  const auto e = errors<Rk4Graded>(reference("script_trajectory"), 5e-4, 10);
  EXPECT_LT(e[at(0.9)], 1e-6);
  EXPECT_LT(e[at(2.15)], 1e-5);
  EXPECT_LT(e[at(4.9)], 1e-4);
  EXPECT_LT(e[at(6.35)], 1e-3);
  EXPECT_LT(e[at(10)], 1e-2);
  const auto tight = errors<Rk4Graded>(reference("script_trajectory_tight"), 5e-4, 10);
  EXPECT_LT(tight[at(2.8)], 1e-6);
  EXPECT_LT(tight[at(8)], 1e-5);
  EXPECT_LT(tight[at(10)], 1e-4);
}

TEST(DiscBoxReference, HasTheImpactsAndTheEnergiesOfTheScript) {
  const Json& one = reference("script_reference");
  const auto end = test::run_discs<Rk4Graded>(DiscStudy<>(1e-3, 10).script().from(one["params"], one["y0"]));
  ASSERT_EQ(one["events"].size(), 59u);
  ASSERT_EQ(one["invariants"].size(), 201u) << "the last at 10 s";
  int discs = 0, wall = 0;
  for (const Json& event : one["events"]) {
    if (event[1] != "onset") continue;
    ++(event[2].get<std::string>().starts_with("wall") ? wall : discs);
  }
  EXPECT_EQ(discs + wall, 19);
  EXPECT_EQ(end.summary.impacts_disc, discs);
  EXPECT_EQ(end.summary.impacts_wall, wall);
  const Json& last = one["invariants"].back();
  // Errors of 1e-5 in the positions, of 1e-4 in the velocities of some m/s.
  EXPECT_NEAR(end.summary.kinetic_translation + end.summary.kinetic_rotation, last[0].get<double>(), 1e-3);
  EXPECT_NEAR(end.summary.momentum_x, last[2].get<double>(), 1e-3);
  EXPECT_NEAR(end.summary.momentum_z, last[3].get<double>(), 1e-3);
  EXPECT_NEAR(end.summary.angular_momentum, last[4].get<double>(), 1e-3);
  EXPECT_NEAR(end.summary.damping_work, last[5].get<double>(), 1e-3);
  EXPECT_NEAR(end.summary.friction_work, last[6].get<double>(), 1e-3);
  double fastest = 0;
  for (const Json& event : one["events"])
    if (event[1] == "onset") fastest = std::fmax(fastest, -event[3].get<double>());
  EXPECT_NEAR(end.summary.onset_speed_max, fastest, 1e-4);
}

/// The specification's acceptance at h = 1e-3.
TEST(DiscBoxReference, IsAccurateAtAMillisecond) {
  EXPECT_LT(errors<Rk4Redo>(reference("script_reference"), 1e-3, 2)[at(2)], 1e-2);
  for (const char* name : {"script_latched", "script_corrected"}) {
    SCOPED_TRACE(name);
    const double redo = errors<Rk4Redo>(reference(name), 1e-3, 2)[at(2)];
    const double events = errors<Rk4Events>(reference(name), 1e-3, 2)[at(2)];
    const double graded = errors<Rk4Graded>(reference(name), 1e-3, 2)[at(2)];
    EXPECT_LT(redo, 1e-4);
    EXPECT_LT(events, redo);
    EXPECT_LT(graded, events);
  }
  EXPECT_LT(errors<Rk4Events>(reference("script_reference"), 1e-3, 2)[at(2)], 1e-5) << "it lands on the turns";
}

/// With every scheme the error falls as h^2 at least, over a factor of 8 in h. It depends on where in its step each
/// impact falls: the largest of three steps of about the same length counts.
TEST(DiscBoxReference, ConvergesToTheReference) {
  for (const char* name : {"script_latched", "script_corrected"}) {
    SCOPED_TRACE(name);
    test::for_all_disc_schemes([&]<class Scheme>() {
      const auto error = [&](int steps) {  // in 0.05 s
        double largest = 0;
        for (int k = 0; k < 3; ++k)
          largest = worst(largest, errors<Scheme>(reference(name), 0.05 / (steps + k), 1)[at(1)]);
        return largest;
      };
      EXPECT_GT(std::log2(error(10) / error(80)) / 3, 2.0);
    });
  }
}

/// At equal steps the latched law is the more accurate by far, not only the right one.
TEST(DiscBoxReference, LatchedLawIsMoreAccurateThanTheSignLaw) {
  EXPECT_LT(errors<Rk4Redo>(reference("script_latched"), 1e-3, 1)[at(1)],
            errors<Rk4Redo>(reference("script_reference"), 1e-3, 1)[at(1)] / 100);
}

/// The largest capacities hold the same discs, to the bit.
TEST(DiscBoxReference, CapacityChangesNoBit) {
  const Json& one = reference("script_corrected");
  const auto small = test::run_discs<Rk4Redo>(DiscStudy<4>(1e-3, 1).from(one["params"], one["y0"]));
  const auto middle = test::run_discs<Rk4Redo>(DiscStudy<16>(1e-3, 1).from(one["params"], one["y0"]));
  const auto large = test::run_discs<Rk4Redo>(DiscStudy<64>(1e-3, 1).from(one["params"], one["y0"]));
  EXPECT_EQ(small.summary.energy_error, middle.summary.energy_error);
  EXPECT_EQ(small.summary.energy_error, large.summary.energy_error);
  for (int k = 0; k < 18; ++k) {
    EXPECT_EQ(test::component(small.lane.state, 3, k), test::component(middle.lane.state, 3, k));
    EXPECT_EQ(test::component(small.lane.state, 3, k), test::component(large.lane.state, 3, k));
  }
}

}  // namespace
}  // namespace scree
