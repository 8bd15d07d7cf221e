// Balls on a line: the laboratory text's three, closed forms, invariants, and unequal masses against the plain way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "src/systems/balls.hpp"
#include "src/systems/balls/cases.hpp"
#include "tests/support/reference.hpp"

namespace scree {
namespace {

namespace cases = balls_cases;

constexpr double eps = std::numeric_limits<double>::epsilon();
using Lane = Balls<double>::Lane;

/// Elastic balls of 1 kg at given places, guard_time 0.
struct Study {
  BallsParams<double> params{};
  BallsStart<double> start{};
  World world{};

  Study(double left, double right, double step, double end) {
    params.left = left;
    params.right = right;
    params.restitution = params.wall_restitution = 1;
    world.step = step;
    world.end = end;
  }
  Study& add(double radius, double x, double v, double mass = 1) {
    const int i = static_cast<int>(params.balls);
    params.radius[i] = radius;
    params.mass[i] = mass;
    start.position[i] = x;
    start.velocity[i] = v;
    params.balls = i + 1;
    return *this;
  }
  /// `balls` with radii and masses that differ by up to `unequal`, and velocities of 1 m/s, at random gaps.
  Study& random(int balls, double unequal, std::uint64_t sample) {
    DrawStream draws{3, sample, 0};
    double edge = params.left;
    const double open = 0.5 * (params.right - params.left) / balls;  // half of the line is left to them
    for (int i = 0; i < balls; ++i) {
      const double r = 0.25 * open * (1 + unequal * (draws.uniform() - 0.5));
      const double x = edge + open * draws.uniform() + r;
      add(r, x, draws.normal(), 1 + 9 * unequal * draws.uniform());
      edge = x + r;
    }
    return *this;
  }
  SampleOf<BallsParams<double>, BallsStart<double>> sample() const { return {params, start, {}}; }
  std::string mistake() const {
    const Mistake found = Balls<double>::mistake(world, sample());
    return found.text ? found.text : "";
  }
};

struct Result {
  Lane lane;
  BallsSummary<double> summary;
  Status status;
};
template <class Scheme, class F>
Result run(const Study& study, F observe) {
  Lane lane = Balls<double>::prepare(study.world, study.sample());
  while (lane.status == running) {
    Step<Balls<double>, Scheme>::advance(study.world, lane);
    observe(lane);
  }
  return {lane, Balls<double>::summarize(study.world, lane), static_cast<Status>(lane.status)};
}
template <class Scheme>
Result run(const Study& study) {
  return run<Scheme>(study, [](const Lane&) {});
}

/// The next hit, as the gap that closes; then it happens.
struct Hit {
  double time;
  int gap;
};
Hit next_hit(Lane& lane) {
  const int first = Balls<double>::next_to_hit(lane);
  const Hit hit{lane.next[first], first};
  Balls<double>::take_hit(lane, first);
  return hit;
}

// ---------------------------------------------------------------------------------------------------------------------
// Three balls of the laboratory text

test::Json three_balls() {
  const test::Json cases = test::reference("discs_particles.json")["cases"];
  for (const test::Json& c : cases)
    if (c["name"] == "lab_three_balls_1d") {
      EXPECT_EQ(c["t"].size(), 8u);
      EXPECT_EQ(c["events"].size(), 44u);
      return c;
    }
  throw std::logic_error("no three balls in the reference");
}
/// The reference's walls are where centres may be; its balls are 40 wide.
Study study_of(const test::Json& reference, double step) {
  const double r = 0.5 * reference["d"].get<double>();
  Study study(reference["w1"].get<double>() - r, reference["w2"].get<double>() + r, step, 1000);
  for (int i = 0; i < 3; ++i) study.add(r, reference["x0"][i], reference["v0"][i], reference["masses"][i]);
  return study;
}

TEST(Balls, ThreeAreWhereTheReferenceHasThem) {
  const test::Json reference = three_balls();
  const double error = reference["estimated_error"];
  std::size_t row = 0;
  const Result result = run<HitByHit>(study_of(reference, 5), [&](const Lane& lane) {
    if (row >= reference["t"].size() || lane.now != reference["t"][row]) return;
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(Balls<double>::place(lane, i), reference["x"][row][i].get<double>(), error) << "t = " << lane.now;
    ++row;
  });
  EXPECT_EQ(row, reference["t"].size());
  EXPECT_EQ(result.summary.pair_hits + result.summary.wall_hits, reference["n_events_to_1000"]);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(result.lane.velocity[i], reference["v_at_1000"][i]) << "equal balls swap";
  EXPECT_EQ(result.summary.energy_change, 0);
}

TEST(Balls, ThreeHitInTheOrderOfTheReference) {
  const test::Json reference = three_balls();
  const Study study = study_of(reference, 5);
  Lane lane = Balls<double>::prepare(study.world, study.sample());
  const auto name = [](int gap) { return gap == 0 ? "L" : gap == 3 ? "R" : gap == 1 ? "0" : "1"; };
  // Hits at the same time, as when the last ball is hit at the wall, are in no order.
  std::vector<std::string> ours, theirs;
  double time = 0;
  const auto compare = [&] {
    std::sort(ours.begin(), ours.end());
    std::sort(theirs.begin(), theirs.end());
    EXPECT_EQ(ours, theirs) << "t = " << time;
    ours.clear();
    theirs.clear();
  };
  for (const auto& event : reference["events"]) {
    const Hit hit = next_hit(lane);
    const double expected = event[0];
    EXPECT_NEAR(hit.time, expected, 1e-12 * 1000) << "the places have an error of 1e-12, and 1 m/s or so";
    if (expected > time + 1e-9) {
      compare();
      time = expected;
    }
    ours.push_back(name(hit.gap));
    theirs.push_back(event[1]);
  }
  compare();
  EXPECT_GT(next_hit(lane).time, 1000);
}

/// The text's own loop with a step of 0.01: the same operations in the same order, so the same digits, errors included.
TEST(Balls, ThreeSteppedWithOverlapHaveTheDigitsOfTheTextsLoop) {
  const test::Json reference = three_balls();
  std::size_t row = 0;
  double late = 0;
  const Result result = run<OverlapSteps>(study_of(reference, 0.01), [&](const Lane& lane) {
    if (row >= reference["t"].size() || lane.steps != std::round(100 * reference["t"][row].get<double>())) return;
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(lane.position[i], reference["pascal_dt_0_01"][row][i].get<double>()) << "t = " << lane.now;
      late = test::worst(late, std::fabs(lane.position[i] - reference["x"][row][i].get<double>()));
    }
    ++row;
  });
  EXPECT_EQ(row, reference["t"].size());
  EXPECT_GT(late, 0.5) << "the spec's 0.68: wrong places,";
  EXPECT_EQ(result.summary.energy_change, 0) << "and the exact energy";
}

// ---------------------------------------------------------------------------------------------------------------------
// Equal balls

TEST(Balls, EqualOnesAreAtTheirSortedFoldedPlaces) {
  for (const int balls : {1, 2, 3, 4, 5, 17, 64}) {
    SCOPED_TRACE(balls);
    const double end = 100;
    Study study = Study(-3, 7, 1, end).random(balls, 0, static_cast<std::uint64_t>(balls));
    std::vector<double> x, v;
    for (int i = 0; i < balls; ++i) {
      study.params.mass[i] = 2;
      x.push_back(study.start.position[i]);
      v.push_back(study.start.velocity[i]);
    }
    const double r = study.params.radius[0];
    double hits = 0;
    const Result result = run<HitByHit>(study, [&](const Lane& lane) {
      const std::vector<double> exact = cases::equal_balls(-3, 7, r, x, v, lane.now);
      hits = lane.pair_hits + lane.wall_hits;
      // Velocities are exact; each flight of a point rounds its place (10 m) and the time (100 s, 3 m/s).
      const double error = (hits + balls) * (10 + 300) * eps;
      for (int i = 0; i < balls; ++i)
        ASSERT_NEAR(Balls<double>::place(lane, i), exact[static_cast<std::size_t>(i)], error) << "t = " << lane.now;
    });
    EXPECT_EQ(result.status, Status::end_time);
    EXPECT_GT(hits, 10);
    // The speeds are the same numbers, but for their signs.
    std::vector<double> before, after;
    for (int i = 0; i < balls; ++i) {
      before.push_back(std::fabs(v[static_cast<std::size_t>(i)]));
      after.push_back(std::fabs(result.lane.velocity[i]));
    }
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    EXPECT_EQ(before, after);
  }
}

TEST(Balls, StandEvenlyApartUnlessTheirPlacesAreGiven) {
  Study study(1, 9, 1, 1);
  study.add(0.5, 0, 0).add(1, 0, 0).add(0.25, 0, 0);
  study.params.even_placement = 1;
  EXPECT_EQ(study.mistake(), "");
  const Lane lane = Balls<double>::prepare(study.world, study.sample());
  const double gap = (8 - 3.5) / 4;
  EXPECT_NEAR(lane.position[0], 1 + gap + 0.5, 10 * eps);
  EXPECT_NEAR(lane.position[1], 1 + 2 * gap + 2, 10 * eps);
  EXPECT_NEAR(lane.position[2], 9 - gap - 0.25, 10 * eps);
}

// ---------------------------------------------------------------------------------------------------------------------
// Unequal balls

/// A heavy ball pushes a light one to the wall: hits count the digits of pi.
TEST(Balls, AHeavyOneAndALightOneCountTheDigitsOfPi) {
  for (int k = 0; k <= 5; ++k) {
    const double ratio = std::pow(100.0, k), hits = cases::hits_before_a_wall(ratio);
    Study study(0, 1e9, 1e3, 1e3);
    study.add(1, 10, 0, 1).add(1, 20, -1, ratio);
    const Result result = run<HitByHit>(study);
    EXPECT_EQ(result.status, Status::end_time) << "ratio " << ratio;
    EXPECT_EQ(result.summary.pair_hits + result.summary.wall_hits, hits) << "ratio " << ratio;
    EXPECT_EQ(hits, std::floor(std::acos(-1.0) * std::pow(10.0, k))) << "ratio " << ratio;
    EXPECT_LT(std::fabs(result.summary.energy_change), 4 * hits * eps);
    // What the two have gained in momentum the wall has given.
    EXPECT_NEAR(result.summary.momentum + ratio, result.summary.left_impulse, 4 * hits * ratio * eps);
  }
}

/// Every gap asked anew after every hit, all balls moved together, in long double.
struct PlainBalls {
  using Real = long double;
  std::vector<Real> x, v, r, m;
  Real left, right, e, wall_e, now = 0;

  explicit PlainBalls(const Study& study)
      : left(study.params.left),
        right(study.params.right),
        e(study.params.restitution),
        wall_e(study.params.wall_restitution) {
    for (int i = 0; i < static_cast<int>(study.params.balls); ++i) {
      x.push_back(study.start.position[i]);
      v.push_back(study.start.velocity[i]);
      r.push_back(study.params.radius[i]);
      m.push_back(study.params.mass[i]);
    }
  }
  Hit next_hit() {
    const std::size_t n = x.size();
    Real soonest = std::numeric_limits<Real>::infinity();
    std::size_t gap = 0;
    const auto consider = [&](Real width, Real closing, std::size_t k) {
      if (closing <= 0 || !(width / closing < soonest)) return;
      soonest = width / closing;
      gap = k;
    };
    consider(x[0] - r[0] - left, -v[0], 0);
    for (std::size_t k = 1; k < n; ++k) consider(x[k] - r[k] - x[k - 1] - r[k - 1], v[k - 1] - v[k], k);
    consider(right - x[n - 1] - r[n - 1], v[n - 1], n);
    for (std::size_t i = 0; i < n; ++i) x[i] += v[i] * soonest;
    now += soonest;
    if (gap == 0) {
      v[0] *= -wall_e;
    } else if (gap == n) {
      v[n - 1] *= -wall_e;
    } else {
      Real &a = v[gap - 1], &b = v[gap];
      const Real p = m[gap - 1], q = m[gap], centre = (p * a + q * b) / (p + q), u = a - b;
      a = centre - e * q / (p + q) * u;
      b = centre + e * p / (p + q) * u;
    }
    return {static_cast<double>(now), static_cast<int>(gap)};
  }
};

/// On a line differences do not grow but with the ratios of masses; each hit adds a rounding of the place and the time.
TEST(Balls, UnequalOnesHaveTheHitsOfThePlainWay) {
  for (const double restitution : {1.0, 0.95})
    for (const int balls : {2, 3, 5, 16}) {
      SCOPED_TRACE(balls);
      Study study = Study(0, 10, 1, 1e9).random(balls, 0.9, 7);
      study.params.restitution = restitution;
      study.params.wall_restitution = restitution;
      Lane lane = Balls<double>::prepare(study.world, study.sample());
      PlainBalls plain(study);
      // A sample run beside it tells how differences grow: one that starts 1e-9 m aside.
      Study other = study;
      other.start.position[0] += 1e-9;
      PlainBalls aside(other);
      double grown = 1;
      const int hits = 12 * balls;
      for (int k = 0; k < hits; ++k) {
        const Hit ours = next_hit(lane), theirs = plain.next_hit();
        grown = test::worst(grown, std::fabs(aside.next_hit().time - theirs.time) / 1e-9);
        ASSERT_EQ(ours.gap, theirs.gap) << "hit " << k;
        ASSERT_NEAR(ours.time, theirs.time, 10 * hits * grown * 10 * eps) << "hit " << k;
      }
      ASSERT_LT(10 * hits * grown * 10 * eps, 1e-6) << "the comparison would say nothing";
    }
}

TEST(Balls, KeepTheBalanceOfEnergyAndMomentum) {
  for (const double restitution : {1.0, 0.7}) {
    Study study = Study(0, 10, 1, 300).random(12, 0.9, 8);
    study.params.restitution = restitution;
    study.params.wall_restitution = 0.5 * (1 + restitution);
    study.params.guard_time = restitution < 1 ? 1e-6 : 0;
    double momentum = 0, size = 0;
    for (int i = 0; i < 12; ++i) {
      momentum += study.params.mass[i] * study.start.velocity[i];
      size += study.params.mass[i];
    }
    const Result result = run<HitByHit>(study);
    const double hits = result.summary.pair_hits + result.summary.wall_hits;
    EXPECT_EQ(result.status, Status::end_time);
    EXPECT_GT(hits, 300);
    // Each hit rounds the energy by up to some 4 eps, up or down: four standard deviations of the walk.
    EXPECT_LT(std::fabs(result.summary.energy_error), 16 * std::sqrt(hits) * eps);
    EXPECT_EQ(result.summary.energy_change < -0.5, restitution < 1);
    EXPECT_NEAR(result.summary.momentum - momentum, result.summary.left_impulse - result.summary.right_impulse,
                4 * hits * size * result.summary.speed_max * eps);
    EXPECT_LT(result.summary.overlap_max, 10 * 300 * result.summary.speed_max * eps);
  }
}

/// e^2 of the energy of two equal balls is left after they meet, seen from their centre of mass.
TEST(Balls, LoseOneMinusESquaredOfTheRelativeEnergy) {
  Study study = Study(-100, 100, 1, 3).add(1, -2, 1, 2).add(1, 2, -3, 6);
  study.params.restitution = 0.5;
  const Result result = run<HitByHit>(study);
  // The centre moves at (2 - 18) / 8 = -2; relative speed 4 before, 2 after; reduced mass 1.5 kg.
  EXPECT_EQ(result.summary.first_hit, 0.5);
  EXPECT_NEAR(result.lane.velocity[0], -2 - 0.75 * 2, 8 * eps);
  EXPECT_NEAR(result.lane.velocity[1], -2 + 0.25 * 2, 8 * eps);
  EXPECT_NEAR(result.summary.energy_start - result.summary.energy_end, 0.75 * 0.5 * 1.5 * 16, 100 * eps);
  EXPECT_NEAR(result.summary.energy_error, 0, 8 * eps);
}

/// Of three, the outer two closing in, the critical restitution is 7 - 4 sqrt(3).
TEST(Balls, CollapseBelowTheCriticalRestitutionAndTheGuardEndsIt) {
  const auto closing_in = [](double restitution, double guard_time) {
    Study study = Study(-100, 100, 1, 20).add(1, -4, 1).add(1, 0, 0).add(1, 4.1, -1);
    study.params.restitution = restitution;
    study.params.guard_time = guard_time;
    return run<HitByHit>(study);
  };
  const double critical = cases::collapse_restitution();
  EXPECT_NEAR(critical, 0.0718, 1e-4);
  // Two hits map the relative velocities by a matrix of trace p^2 - 2 e and determinant e^2, p = (1 + e) / 2. Above the
  // critical e it turns them, by 53 degrees for this one: they part within half a turn, 3.4 times two hits.
  EXPECT_LT(closing_in(1.3 * critical, 0).summary.pair_hits, 2 * 3.4 + 2);
  // Below it shrinks them, here to 0.16: after 100 hits they are 1e-40 and not yet lost in rounding, as the momentum
  // is 0. The time between hits falls by 0.0156 / 0.16, to the guard's in 6.4 times two hits from some 2 s; then each
  // gap has a guarded hit.
  const Result collapsed = closing_in(0.7 * critical, 0), guarded = closing_in(0.7 * critical, 1e-6);
  EXPECT_GT(collapsed.summary.pair_hits, 100);
  EXPECT_EQ(guarded.status, Status::end_time);
  EXPECT_LT(guarded.summary.pair_hits, 2 * 6.4 + 3);
  EXPECT_GT(guarded.summary.guarded_hits, 0);
  EXPECT_EQ(closing_in(1.3 * critical, 1e-6).summary.guarded_hits, 0);
}

/// What is hit without end is given up, in the first step: a ball that fills the line, or nearly so, and one too fast
/// to tell the times of its hits apart.
TEST(Balls, GiveUpWhatIsHitWithoutEnd) {
  const Study studies[] = {Study(0, 1, 1, 10).add(0.5, 0.5, 1), Study(0, 1, 1, 10).add(0.5 - 1e-15, 0.5, 1),
                           Study(0, 1, 1, 10).add(0.1, 0.5, 1e160)};
  for (const Study& study : studies) {
    const Result result = run<HitByHit>(study);
    EXPECT_EQ(result.status, Status::not_converged);
    EXPECT_EQ(result.summary.hits_most, most_hits_in_a_step);
    EXPECT_LT(result.summary.time, 1e-6);
  }
  EXPECT_EQ(studies[0].mistake(), "radius: the balls do not fit between the walls, which are apart by");
}

/// Many hits alone are none of those: two balls with a millionth of their size to move in.
TEST(Balls, FollowAllHitsOfADenseSystem) {
  const double room = 3e-6;
  Study study = Study(0, 4 + room, 0.1, 1).add(1, 1 + 0.3 * room, 0.2).add(1, 3 + 0.9 * room, -0.1);
  const Result result = run<HitByHit>(study);
  EXPECT_EQ(result.status, Status::end_time);
  // Equal balls cross the room as points do, each |v| t / room times, and come to a wall each time.
  EXPECT_NEAR(result.summary.wall_hits, (0.2 + 0.1) / room, 2);
}

// ---------------------------------------------------------------------------------------------------------------------
// The overlap scheme

/// Each hit comes late by a part of h: order 1. Where in its step a hit falls differs from hit to hit, so the error of
/// a sample does by as much as itself, and its median over 300 samples by some 10 %: 0.1 in the order. (Not the mean:
/// in a few samples hits come in another order, and all is wrong.)
TEST(Balls, SteppedWithOverlapHaveErrorsOfFirstOrder) {
  const auto error = [](double h) {
    std::vector<double> errors;
    for (std::uint64_t sample = 0; sample < 300; ++sample) {
      const Study study = Study(0, 10, h, 8).random(5, 0.9, sample);
      const Result exact = run<HitByHit>(study), stepped = run<OverlapSteps>(study);
      double most = 0;
      for (int i = 0; i < 5; ++i)
        most =
            test::worst(most, std::fabs(Balls<double>::place(exact.lane, i) - Balls<double>::place(stepped.lane, i)));
      errors.push_back(most);
      const double hits = stepped.summary.pair_hits + stepped.summary.wall_hits;
      EXPECT_LT(std::fabs(stepped.summary.energy_change), 4 * (hits + 1) * eps);
    }
    std::nth_element(errors.begin(), errors.begin() + 150, errors.end());
    return errors[150];
  };
  const double coarse = error(0.01), middle = error(0.0025), fine = error(0.000625);
  EXPECT_NEAR(std::log(coarse / middle) / std::log(4), 1, 0.25);
  EXPECT_NEAR(std::log(middle / fine) / std::log(4), 1, 0.25);
}

// ---------------------------------------------------------------------------------------------------------------------

template <int most>
BallsSummary<double> summary_with(const Study& study) {
  using Sized = BallsOf<double, most>;
  auto lane = Sized::prepare(study.world, study.sample());
  Step<Sized, HitByHit>::run(study.world, lane);
  return Sized::summarize(study.world, lane);
}
TEST(Balls, DoNotFeelTheCapacity) {
  const Study study = Study(0, 10, 1, 100).random(4, 0.9, 9);
  const auto a = summary_with<4>(study), b = summary_with<16>(study), c = summary_with<64>(study);
  EXPECT_GT(a.pair_hits, 3);
  EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0);
  EXPECT_EQ(std::memcmp(&a, &c, sizeof a), 0);
}

TEST(Balls, RefuseStartsThatMakeNoSense) {
  EXPECT_EQ(Study(0, 10, 1, 1).add(1, 1, 0).add(1, 3, 0).mistake(), "") << "touching is allowed";
  EXPECT_EQ(Study(0, 10, 1, 1).add(1, 1, 0).add(1, 2.9, 0).mistake(), "start.position: two balls overlap");
  EXPECT_EQ(Study(0, 10, 1, 1).add(1, 5, 0).add(1, 2, 0).mistake(),
            "start.position: the balls must be given from left to right");
  EXPECT_EQ(Study(0, 10, 1, 1).add(1, 0.9, 0).mistake(), "start.position: the first ball reaches beyond the left wall");
  EXPECT_EQ(Study(0, 10, 1, 1).add(1, 9.1, 0).mistake(), "start.position: the last ball reaches beyond the right wall");
  EXPECT_EQ(Study(10, 0, 1, 1).add(1, 5, 0).mistake(), "left must be less than right");
  EXPECT_EQ(Study(0, 4, 1, 1).add(1, 1, 0).add(1, 3, 0).mistake(),
            "radius: the balls do not fit between the walls, which are apart by");
  Study even = Study(0, 10, 1, 1).add(1, 5, 0);
  even.params.even_placement = 1;
  EXPECT_EQ(even.mistake(), "start.position has no use where placement is even: set balls.placement = \"given\"");
}

}  // namespace
}  // namespace scree
