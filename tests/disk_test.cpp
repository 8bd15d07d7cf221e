// The disk's schemes, steps and starts: orders, stability, symmetries, and what is refused or flagged.
#include <algorithm>

#include "support/disks.hpp"

namespace scree {
namespace {

using test::DiskStudy;
using test::expand;
using test::Expanded;
using test::order_of;
namespace cases = disk_cases;

/// Differences of two runs' nodes.
double distance(const Expanded& a, const Expanded& b) {
  return test::place_error(a.lane, [&](int i) { return b.lane.x[i]; });
}
double velocity_distance(const Expanded& a, const Expanded& b) {
  return test::velocity_error(a.lane, [&](int i) { return b.lane.v[i]; });
}

// ---------------------------------------------------------------------------------------------------------------------
// Schemes and steps

/// A step of `part` times min(w/c), as near as whole steps come to it.
template <class Scheme>
Expanded with_part(int dimension, int n, double part) {
  DiskStudy study(dimension, n, 1);
  const double h = part * study.crossing_time(), duration = 1 - study.start.time;
  return expand<Scheme>(study.fixed(duration / std::ceil(duration / h)));
}

TEST(Disk, EachSchemeHasItsOrder) {
  for (const int dimension : {1, 2}) {
    const Expanded exact = with_part<DiskRk4>(dimension, 200, 0.025);
    const auto orders = [&]<class Scheme>(int order) {
      const Expanded s1 = with_part<Scheme>(dimension, 200, 0.4), s2 = with_part<Scheme>(dimension, 200, 0.2),
                     s4 = with_part<Scheme>(dimension, 200, 0.1);
      // Whole steps are not exactly halved: by a part in 100 at most, or 0.06 in the order of RK4.
      EXPECT_NEAR(order_of(distance(s1, exact), distance(s2, exact)), order, 0.2);
      EXPECT_NEAR(order_of(distance(s2, exact), distance(s4, exact)), order, 0.1);
      EXPECT_NEAR(order_of(velocity_distance(s2, exact), velocity_distance(s4, exact)), order, 0.1);
    };
    orders.operator()<DiskRk4>(4);
    orders.operator()<DiskPositionVerlet>(2);
  }
}

/// The stability limit (4) is the largest omega of the chain, 2 max(c/w): sqrt 2 for RK4, 1 for position Verlet.
TEST(Disk, StepsUpToTheLimitAreStableAndLongerOnesAreNot) {
  for (const int dimension : {1, 2}) {
    const auto error = [&]<class Scheme>(double part) {
      DiskStudy study(dimension, 200, 2);
      study.fixed(part * study.crossing_time());
      const Expanded end = expand<Scheme>(study), fine = expand<Scheme>(study.fixed(0.1 * study.crossing_time()));
      return end.status == Status::end_time ? distance(end, fine) : 1e300;
    };
    const auto expect_limit = [&]<class Scheme>(int order) {
      // At the limit no mode grows: the error is what its order makes of that at half the step, to a factor of two for
      // the next one. Beyond it the fastest mode grows at least twofold in each of some hundred steps.
      EXPECT_LT(error.template operator()<Scheme>(Scheme::most_courant),
                2 * std::pow(2, order) * error.template operator()<Scheme>(Scheme::most_courant / 2));
      EXPECT_GT(error.template operator()<Scheme>(1.2 * Scheme::most_courant), 1);
    };
    expect_limit.operator()<DiskRk4>(4);
    expect_limit.operator()<DiskPositionVerlet>(2);
  }
}

/// The undisturbed interior binds the step, w/c = Dx / V, and not the vacuum front, where c/w = 1/(6 t) for any width;
/// fine cells at the centre do bind.
TEST(Disk, KnowsItsLongestStep) {
  const auto largest = [](DiskStudy study, auto scheme) {
    study.ground();
    return Disk<double>::largest_step<decltype(scheme)>(study.world, {study.params, study.start});
  };
  const double dx = 1.2 / 98;
  DiskStudy study(1, 100, 1);
  study.fixed(1e-3);
  EXPECT_NEAR(largest(study, DiskRk4{}), std::sqrt(2) * dx, 1e-14);
  EXPECT_NEAR(largest(study, DiskPositionVerlet{}), dx, 1e-14);
  EXPECT_NEAR(largest(study.refined(16), DiskRk4{}), std::sqrt(2) * 1.2 / 86, 1e-14);
  EXPECT_NEAR(largest(study.refined(4, true), DiskRk4{}), std::sqrt(2) * dx / 4, 1e-14);
  EXPECT_EQ(largest(DiskStudy(1, 100, 1), DiskRk4{}), std::numeric_limits<double>::infinity());
  // One cell, 0 <= x <= 1.2: its middle, 0.6, is inside of the fan's edge, 0.9, so c = V.
  EXPECT_NEAR(largest(DiskStudy(1, 0, 1).fixed(1e-3), DiskRk4{}), std::sqrt(2) * 1.2, 1e-14);
}

/// What is stable at the start stays so: while the fan is resolved min(w/c) only grows, up to what a fixed step may
/// exceed the limit by, 2^-16.
TEST(Disk, TheLimitOnlyGrowsWhereTheFanIsResolved) {
  for (const int dimension : {1, 2})
    for (const int m : {1, 4})
      for (const bool centre : {false, true})
        for (const int n : {50, 100, 400}) {
          DiskStudy study(dimension, n, 5);
          auto lane = study.refined(m, centre).prepared();
          const double first = lane.crossing_time;
          while (lane.status == running) {
            test::step<DiskRk4>(study.world, lane);
            ASSERT_GT(lane.crossing_time, first * (1 - 0x1p-16))
                << dimension << ' ' << m << ' ' << n << ' ' << lane.time;
          }
        }
}

/// A fan of five coarse cells beside 16 fine ones is not resolved: nodes nearly meet. A fixed step that was stable ends
/// the sample there; adaptive steps go on. The first step that is too long is its last.
TEST(Disk, FixedStepsThatBecomeUnstableEndTheSample) {
  DiskStudy coarse(1, 100, 5);
  coarse.refined(16).from(0.02);
  EXPECT_EQ(expand<DiskRk4>(coarse).status, Status::end_time);
  coarse.fixed(coarse.crossing_time());
  const auto ends = [&]<class Scheme>() {
    auto lane = coarse.prepared();
    double courant = 0;
    while (lane.status == running) {
      EXPECT_LT(courant, Scheme::most_courant * (1 + 0x1p-16));
      courant = coarse.world.step / lane.crossing_time;
      test::step<Scheme>(coarse.world, lane);
    }
    EXPECT_EQ(lane.status, static_cast<double>(Status::diverged));
    EXPECT_GT(courant, Scheme::most_courant);
    EXPECT_EQ(Disk<double>::summarize(coarse.world, lane).courant_max, courant);
    EXPECT_LT(lane.time, 5);
  };
  ends.operator()<DiskRk4>();
  ends.operator()<DiskPositionVerlet>();
  // At the limit itself, in steps that are rounded, a sample comes to its end.
  for (const int dimension : {1, 2}) {
    DiskStudy study(dimension, 100, 5);
    study.fixed(DiskRk4::most_courant * study.crossing_time());
    EXPECT_EQ(expand<DiskRk4>(study).status, Status::end_time);
    study.fixed(DiskPositionVerlet::most_courant * study.crossing_time());
    EXPECT_EQ(expand<DiskPositionVerlet>(study).status, Status::end_time);
  }
}

TEST(Disk, AdaptiveStepsStayBelowTheirBoundsAndFewSuffice) {
  // Measured by an independent code: 226, 683 and 2284 steps in one dimension, 180, 542 and 1813 in two.
  const int published[2][3] = {{226, 683, 2284}, {180, 542, 1813}};
  for (const int dimension : {1, 2})
    for (const int k : {0, 1, 2}) {
      const int n = k == 0 ? 100 : k == 1 ? 300 : 1000;
      const Expanded end = expand<DiskRk4>(DiskStudy(dimension, n, 10));
      EXPECT_NEAR(end.summary.steps, published[dimension - 1][k], 2);
      EXPECT_LE(end.summary.courant_max, 0.7 * (1 + 1e-6));
      EXPECT_EQ(end.summary.time, 10);
    }
  // No step is longer than `step`, and none than `growth` times the time.
  DiskStudy study(1, 20, 2);
  study.world.step = 0.01;
  EXPECT_EQ(expand<DiskRk4>(study).summary.steps, 190);
  study = DiskStudy(1, 2, 100);
  study.params.courant = 1;
  double before = 0.1;
  auto lane = study.prepared();
  while (lane.status == running) {
    test::step<DiskRk4>(study.world, lane);
    EXPECT_LE(lane.time - before, 0.1 * before * (1 + 1e-6));
    before = lane.time;
  }
}

TEST(Disk, FixedStepsEndAtTheEndExactly) {
  for (const double h : {0.004, 0.0041, 0.01}) {
    const Expanded end = expand<DiskRk4>(DiskStudy(1, 100, 1).fixed(h));
    EXPECT_EQ(end.status, Status::end_time);
    EXPECT_EQ(end.summary.time, 1);
    EXPECT_EQ(end.summary.steps, std::ceil(0.9 / h - 1e-6)) << "no step of 1e-16 s to end with";
    EXPECT_NEAR(end.summary.courant_max, h / (1.2 / 98), 1e-9);
  }
}

TEST(Disk, PositionVerletRunsBackwards) {
  DiskStudy study(2, 100, 1);
  study.fixed(1.0 / 256);  // exact in binary, so that the way back has the same steps
  study.start.time = 0.25;
  const Expanded out = expand<DiskPositionVerlet>(study);
  auto lane = out.lane;
  for (int i = 0; i < 101; ++i) lane.v[i] = -lane.v[i];
  lane.time = lane.since = 0.25;
  lane.steps = 0;
  lane.status = running;
  while (lane.status == running) test::step<DiskPositionVerlet>(study.world, lane);
  // 192 steps each way, each of which rounds a place of about 1 and a velocity of about 2 h a few times; the way back
  // takes the errors along as the motion does, which squeezes them.
  const auto first = study.prepared();
  EXPECT_LT(test::place_error(lane, [&](int i) { return first.x[i]; }), 1e-12);
}

// ---------------------------------------------------------------------------------------------------------------------
// Few nodes

/// N = 0: x'' = Q / x^(d+1). In two dimensions x^2 is a parabola of t; in one v^2 / 2 + Q / x is constant.
TEST(Disk, OneNodeMovesByTheClosedForm) {
  for (const int dimension : {1, 2}) {
    DiskStudy study(dimension, 0, 3);
    study.fixed(1e-3);
    const auto first = study.prepared();
    EXPECT_EQ(first.x[0], 1.2);
    EXPECT_EQ(first.v[0], 2);
    const double q = first.q[0], s = 3 - 0.1;
    const Expanded end = expand<DiskRk4>(study);
    const double x = end.lane.x[0], v = end.lane.v[0];
    // RK4 with (h / 0.5 s)^4 = 2e-11.
    if (dimension == 2) {
      EXPECT_NEAR(x * x, std::pow(1.2 + 2 * s, 2) + q * s * s / 1.44, 1e-9);
    } else {
      EXPECT_NEAR(v * v / 2 + q / x, 2 + q / 1.2, 1e-10);
    }
  }
}

TEST(Disk, RunsWithAnyNumberOfNodes) {
  for (const int dimension : {1, 2})
    for (const int n : {0, 1, 2, 15, 127, 128, 2000})
      for (const bool centre : {false, true}) {
        DiskStudy study(dimension, n, 0.15);
        const auto lane = study.refined(n < 2 ? 1 : 2, centre).prepared();
        EXPECT_NEAR(lane.x[0], 1.2, 1e-15);
        EXPECT_EQ(lane.x[n + 1], 0);
        const Expanded end = expand<DiskRk4>(study);
        EXPECT_EQ(end.status, Status::end_time) << n;
        EXPECT_EQ(end.summary.crossed, 0);
        EXPECT_GT(end.summary.width_min, 0);
      }
}

/// The capacity that a run is compiled for is not seen.
TEST(Disk, HasTheSameBitsForEveryCapacity) {
  DiskStudy study(2, 14, 5);
  const Expanded large = expand<DiskRk4>(study);
  using Small = DiskOf<double, 16>;
  auto lane = Small::prepare(study.ground(), {study.params, study.start});
  while (lane.status == running) test::step<DiskRk4, Small>(study.world, lane);
  for (int i = 0; i < 15; ++i) {
    EXPECT_EQ(lane.x[i], large.lane.x[i]);
    EXPECT_EQ(lane.v[i], large.lane.v[i]);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes and scaling

/// Both readings of (6): the fine cells are M to a coarse one, at the front or at the centre, and the cell at the
/// centre of the first is a coarse one.
TEST(Disk, MeshesAreFineAtTheFrontOrAtTheCentre) {
  const int n = 20, m = 5;
  const double dx = 1.2 / (n - m + 2);
  for (const bool centre : {false, true}) {
    const auto lane = DiskStudy(1, n, 1).refined(m, centre).prepared();
    for (int k = 0; k <= n; ++k) {
      const bool fine = centre ? k > n - m : k < m;
      EXPECT_NEAR(lane.x[k] - lane.x[k + 1], fine ? dx / m : dx, 1e-15) << k;
    }
  }
}

/// x = R0 X(V t / R0; V t0 / R0): one curve for every radius and speed; g/m changes particles and energy alone.
TEST(Disk, ScalesWithRadiusSpeedAndStrength) {
  for (const int dimension : {1, 2}) {
    DiskStudy unit(dimension, 100, 2), other(dimension, 100, 2);
    const double radius = 37.3, speed = 0.21, strength = 9.81;
    other.start = {radius, speed, 0.1 * radius / speed, 0, 0};
    other.params.g_over_m = strength;
    other.world.end = 2 * radius / speed;
    const Expanded a = expand<DiskRk4>(unit), b = expand<DiskRk4>(other);
    EXPECT_EQ(a.summary.steps, b.summary.steps);
    // Some 100 steps that round each place a few times, relative to R0: 1e-13 was measured by an independent code.
    EXPECT_LT(test::place_error(b.lane, [&](int i) { return radius * a.lane.x[i]; }), 1e-12 * radius);
    EXPECT_LT(test::velocity_error(b.lane, [&](int i) { return speed * a.lane.v[i]; }), 1e-12 * speed);
    EXPECT_NEAR(b.summary.mass, a.summary.mass * std::pow(radius, dimension) * speed * speed / strength,
                1e-11 * b.summary.mass);
    EXPECT_NEAR(b.summary.kinetic_share, a.summary.kinetic_share, 1e-12);
    other.params.g_over_m = 1;
    const Expanded c = expand<DiskRk4>(other);
    EXPECT_EQ(distance(b, c), 0) << "g/m moves no node";
    EXPECT_NEAR(c.summary.energy, strength * b.summary.energy, 1e-14 * c.summary.energy);
  }
}

/// A homothetic disk keeps its shape on any mesh, with cells and places given in numbers.
TEST(Disk, KeepsItsShapeOnAnyMesh) {
  for (const int dimension : {1, 2}) {
    const cases::Homothetic exact{dimension, 0.8};
    std::vector<double> x, cells;
    for (int i = 0; i < 40; ++i) x.push_back(std::pow(1 - i / 40.0, 1.3) + 0.003 * std::sin(5.0 * i));
    ASSERT_TRUE(std::is_sorted(x.rbegin(), x.rend()));
    for (const double q : exact.q(x)) cells.push_back(q * (dimension == 2 ? cases::pi / 2 : 0.5));
    DiskStudy study(dimension, 39, 2.1);
    study.given(&DiskParams<double>::positions, x).given(&DiskParams<double>::cells, cells);
    study.given(&DiskParams<double>::velocities, std::vector<double>(40, 0.0)).fixed(2e-3);
    const Expanded end = expand<DiskRk4>(study);
    // 1000 steps of RK4 with kappa^(5/2) h^5 / 120 each are 2e-13; rounding of cells as narrow as 0.003 adds 1e-16/3e-3
    // to the accelerations, which grows with time squared.
    const auto place = [&](int i) { return exact.scale(2) * x[static_cast<std::size_t>(i)]; };
    EXPECT_LT(test::place_error(end.lane, place), 1e-11);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Noise, crossing, and mistakes

TEST(Disk, NoiseHasItsSizeAndLeavesNothingElseChanged) {
  DiskStudy study(1, 2000, 1);
  const auto lane_of = [&](double cells, double velocities, std::uint64_t sample) {
    study.start.cell_noise = cells;
    study.start.velocity_noise = velocities;
    return Disk<double>::prepare(study.ground(), {study.params, study.start, {1, sample, first_own_draw}});
  };
  const auto quiet = lane_of(0, 0, 0), cells = lane_of(0.05, 0, 0), both = lane_of(0.05, 0.02, 0),
             other = lane_of(0.05, 0.02, 1);
  double sum = 0, square = 0, sum_v = 0, square_v = 0, product = 0;
  const int n = 2001;
  for (int i = 0; i < n; ++i) {
    ASSERT_EQ(cells.x[i], quiet.x[i]);
    ASSERT_EQ(cells.v[i], quiet.v[i]);
    ASSERT_EQ(both.q[i], cells.q[i]) << "one noise does not disturb the other";
    ASSERT_NE(both.q[i], other.q[i]);
    const double a = (both.q[i] / quiet.q[i] - 1) / 0.05, b = (both.v[i] - quiet.v[i]) / 0.02;
    sum += a;
    square += a * a;
    sum_v += b;
    square_v += b * b;
    product += a * b;
  }
  // Standard errors of mean, variance and covariance of 2001 normal numbers: 0.022, 0.032, 0.022; four of them.
  EXPECT_NEAR(sum / n, 0, 0.09);
  EXPECT_NEAR(sum_v / n, 0, 0.09);
  EXPECT_NEAR(square / n, 1, 0.13);
  EXPECT_NEAR(square_v / n, 1, 0.13);
  EXPECT_NEAR(product / n, 0, 0.09);
}

TEST(Disk, NodesThatCrossEndTheSample) {
  DiskStudy study(1, 20, 1);
  std::vector<double> velocities(21, 0.0);
  velocities[8] = -40;  // a step of 0.01 s leads far beyond its neighbour
  study.given(&DiskParams<double>::velocities, velocities);
  const Expanded end = expand<DiskRk4>(study.fixed(0.01));
  EXPECT_EQ(end.status, Status::diverged);
  EXPECT_EQ(end.summary.crossed, 1);
  EXPECT_LT(end.summary.width_min, 0);
  EXPECT_LT(end.summary.time, 0.2);
  // Repulsion, whose potential rises as the logarithm of the width alone, cannot hold 800 c^2, only brake it a little.
  const Expanded fine = expand<DiskRk4>(study.fixed(1e-5));
  const double width = 1.2 / 18, arrival = width / 40;
  EXPECT_EQ(fine.summary.crossed, 1);
  EXPECT_GT(fine.summary.time - 0.1, arrival);
  EXPECT_LT(fine.summary.time - 0.1, 1.1 * arrival);
}

/// Of nodes so near that sound crosses their cell in less than 2^-24 of the time, the steps would be too many to wait
/// for.
TEST(Disk, AdaptiveStepsHaveALeastLength) {
  DiskStudy study(1, 2, 0.2);
  const auto apart = [&](double width) {
    return expand<DiskRk4>(study.given(&DiskParams<double>::positions, {1.2, 0.5 + width, 0.5}));
  };
  const Expanded near = apart(1e-9), far = apart(1e-4);
  EXPECT_EQ(near.status, Status::diverged);
  EXPECT_EQ(near.summary.steps, 1);
  EXPECT_EQ(near.summary.crossed, 0);
  EXPECT_EQ(far.status, Status::end_time);
  EXPECT_GT(far.summary.steps, 1000) << "some 0.1 s in steps of 0.7e-4 s";
}

TEST(Disk, StatesThatAreNotFiniteEndTheSample) {
  DiskStudy study(2, 20, 1);
  std::vector<double> velocities(21, 0.0);
  velocities[0] = 1e200;  // leads to a place of 1e198, whose square is not finite
  study.given(&DiskParams<double>::velocities, velocities);
  const Expanded end = expand<DiskRk4>(study);
  EXPECT_EQ(end.status, Status::diverged);
  EXPECT_EQ(end.summary.steps, 1);
}

TEST(Disk, SamplesWithoutASoundStartEndBeforeTheirFirstStep) {
  DiskStudy study(1, 2, 1);
  study.given(&DiskParams<double>::velocities, {1e301, 0, 0});
  EXPECT_EQ(study.prepared().status, static_cast<double>(Status::diverged));
  EXPECT_EQ(expand<DiskRk4>(study).summary.steps, 0);
  // Cells so full that sound crosses them in no time.
  study = DiskStudy(1, 2, 1).given(&DiskParams<double>::cells, {1e308, 1e308, 1e308});
  study.params.g_over_m = 10;
  EXPECT_EQ(study.crossing_time(), 0);
  EXPECT_EQ(expand<DiskRk4>(study).status, Status::diverged);
  EXPECT_EQ(expand<DiskRk4>(study).summary.steps, 0);
}

std::string mistake_of(DiskStudy study) {
  const Mistake mistake = Disk<double>::mistake(study.ground(), {study.params, study.start});
  if (!mistake.text) return "";
  return mistake.text +
         (mistake.unit ? " " + std::to_string(mistake.allowed) + (*mistake.unit ? " " : "") + mistake.unit : "");
}

TEST(Disk, RefusesWhatMakesNoSense) {
  const DiskStudy good(1, 10, 1);
  EXPECT_EQ(mistake_of(good), "");
  EXPECT_EQ(mistake_of(DiskStudy(1, 10, 1).refined(10)), "");
  EXPECT_EQ(mistake_of(DiskStudy(1, 10, 1).refined(11)), "refinement must be at most N = nodes - 1, that is 10.000000");
  DiskStudy study = good;
  study.params.refinement = 2.5;
  EXPECT_EQ(mistake_of(study), "refinement must be a whole number");
  study = good;
  study.start = {3, 2, 1.5, 0, 0};
  EXPECT_EQ(mistake_of(study),
            "start.time must be below start.radius / start.speed, when the fan reaches the centre, that is 1.500000 s");
  EXPECT_EQ(mistake_of(DiskStudy(1, 10, 0.1)), "end must be above start.time, that is 0.100000 s");
  using P = DiskParams<double>;
  const std::vector<double> few(10, 1.0);
  EXPECT_EQ(mistake_of(DiskStudy(1, 10, 1).given(&P::cells, few)),
            "cells must have one number for each of the nodes, that is 11.000000");
  EXPECT_EQ(mistake_of(DiskStudy(1, 10, 1).given(&P::velocities, few)),
            "velocities must have one number for each of the nodes, that is 11.000000");
  EXPECT_EQ(mistake_of(DiskStudy(1, 10, 1).given(&P::positions, few)),
            "positions must have one number for each of the nodes, that is 11.000000");
  EXPECT_EQ(mistake_of(DiskStudy(1, 2, 1).given(&P::positions, {3, 1, 1})),
            "positions must fall from the front to the centre");
  // The fan of (7) and (8) ends at R0 + 2 V t0 = 1.2: beyond it n would rise again, and v above 2 V.
  EXPECT_EQ(mistake_of(DiskStudy(1, 2, 1).given(&P::positions, {1.2, 1, 0.5})), "");
  const std::string beyond =
      "positions must be at most start.radius + 2 start.speed start.time unless cells and velocities are given, that "
      "is 1.200000 m";
  study = DiskStudy(1, 2, 1).given(&P::positions, {1.3, 1, 0.5});
  EXPECT_EQ(mistake_of(study), beyond);
  study.given(&P::cells, {1, 1, 1});
  EXPECT_EQ(mistake_of(study), beyond);
  EXPECT_EQ(mistake_of(study.given(&P::velocities, {0, 0, 0})), "");
}

// ---------------------------------------------------------------------------------------------------------------------
// Observables

/// A uniform disk at rest: particles, quantiles and means in closed form.
TEST(Disk, SummariesOfAUniformCloudAreThoseOfGeometry) {
  for (const int dimension : {1, 2}) {
    const int n = 1000;
    std::vector<double> x, cells, velocities;
    const double strength = 3, density = 5, radius = 2;
    for (int i = 0; i < n; ++i) x.push_back(radius * (1 - static_cast<double>(i) / n));
    for (int i = 0; i < n; ++i) {
      const double inner = i + 1 < n ? x[static_cast<std::size_t>(i) + 1] : 0, outer = x[static_cast<std::size_t>(i)];
      cells.push_back(density * (dimension == 1 ? outer - inner : cases::pi * (outer - inner) * (outer + inner)));
      velocities.push_back(0.3 * outer);  // v = 0.3 x
    }
    DiskStudy study(dimension, n - 1, 1);
    using P = DiskParams<double>;
    study.given(&P::positions, x).given(&P::cells, cells).given(&P::velocities, velocities);
    study.params.g_over_m = strength;
    const auto s = Disk<double>::summarize(study.world, study.prepared());
    const double mass = density * (dimension == 1 ? radius : cases::pi * radius * radius);
    const double mean_square = radius * radius * (dimension == 1 ? 1.0 / 3 : 0.5);  // of x
    const double kinetic = 0.5 * 0.09 * mean_square * mass, potential = 0.5 * strength * density * mass;
    const double mesh = 1e-6 * radius;  // trapezoidal sums with cells of 1e-3
    EXPECT_NEAR(s.mass, mass, 1e-12 * mass);
    EXPECT_NEAR(s.energy, kinetic + potential, 1e-6 * s.energy);
    EXPECT_NEAR(s.kinetic_share, kinetic / (kinetic + potential), 1e-6);
    EXPECT_NEAR(s.mean_x, radius * (dimension == 1 ? 1.0 / 2 : 2.0 / 3), mesh);
    EXPECT_NEAR(s.rms_x, std::sqrt(mean_square), mesh);
    EXPECT_NEAR(s.rms_v, 0.3 * std::sqrt(mean_square), mesh);
    EXPECT_NEAR(s.centre_density, strength * density, 1e-12 * strength * density) << "n / n(0), V = 1";
    const double fractions[] = {0.05, 0.25, 0.5, 0.75, 0.95}, places[] = {s.x05, s.x25, s.x50, s.x75, s.x95},
                 speeds[] = {s.v05, s.v25, s.v50, s.v75, s.v95};
    for (int i = 0; i < 5; ++i) {
      const double at = radius * std::pow(fractions[i], 1.0 / dimension);
      EXPECT_NEAR(places[i], at, 1e-12);
      EXPECT_NEAR(speeds[i], 0.3 * at, 1e-12);
    }
    // Velocities reach 0.6 V: shares below V/4, V/2, 3/4 V. In two dimensions a cell's are spread evenly over its
    // velocities, not over its area.
    const auto slower = [&](double v) { return std::pow(std::min(v / 0.6, 1.0), dimension); };
    EXPECT_NEAR(s.share1, slower(0.25), 1e-6);
    EXPECT_NEAR(s.share2, slower(0.5) - slower(0.25), 1e-6);
    EXPECT_NEAR(s.share3, 1 - slower(0.5), 1e-6);
    EXPECT_NEAR(s.share4 + s.share5 + s.share6 + s.share7 + s.share8, 0, 1e-15);
  }
}

/// The last share is what is not slower than 7/4 V, and so holds all that would be beyond 2 V; the first holds all
/// below 0. There are none but for the front's lead of w / (6 t0) (1 - (t0 / t)^(1/3)) over 2 V.
TEST(Disk, SharesLeaveOutNoVelocity) {
  const Expanded end = expand<DiskRk4>(DiskStudy(1, 100, 3));
  const DiskNodes<double> nodes{end.lane.space, 101, end.lane.x.at, end.lane.v.at, end.lane.q.at};
  const double all = disk_sums(nodes).all;
  EXPECT_NEAR(end.summary.share8, 1 - disk_slower(nodes, all, 1.75), 1e-14);
  EXPECT_EQ(disk_slower(nodes, all, 0.0), 0);
  const double lead = cases::Ritter{1, 1, 0.1}.front_excess(1.2 / 98 / 4, 3);
  EXPECT_EQ(disk_slower(nodes, all, 2 + 1.2 * lead), 1);
  EXPECT_LT(1 - disk_slower(nodes, all, 2.0), nodes.q[0] / all) << "part of the first cell";
}

}  // namespace
}  // namespace scree
