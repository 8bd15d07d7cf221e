// Hard discs: hits, invariants, and the scheme of events against the plain way.
#include <algorithm>
#include <cstring>

#include "src/systems/hard_discs/cases.hpp"
#include "tests/support/hard_discs.hpp"
#include "tests/support/reference.hpp"

namespace scree {
namespace {

using test::collide;
using test::DiscHitRecord;
using test::DiscLane;
using test::DiscRun;
using test::DiscStudy;
namespace cases = hard_discs_cases;

constexpr double eps = std::numeric_limits<double>::epsilon();

// ---------------------------------------------------------------------------------------------------------------------
// Single hits

/// Formulas (1.13) and (1.14) of the laboratory text, to the reference's own error of 1e-16 and one rounding of ours.
TEST(HardDiscs, ExchangeTheNormalPartsOfTheirVelocities) {
  const test::Json cases = test::reference("discs_particles.json")["cases"];
  const auto rule =
      std::find_if(cases.begin(), cases.end(), [](const auto& c) { return c["name"] == "lab_pair_rule"; });
  ASSERT_NE(rule, cases.end());
  const auto vector = [&](const char* key) { return Vec2<double>{(*rule)[key][0], (*rule)[key][1]}; };
  const DiscHit<double> hit = hit_discs(vector("v1"), vector("v2"), 1.0, 1.0, vector("n"), 1.0);
  EXPECT_NEAR(hit.velocity1.x, vector("v1_after").x, 2 * eps);
  EXPECT_NEAR(hit.velocity1.y, vector("v1_after").y, 2 * eps);
  EXPECT_NEAR(hit.velocity2.x, vector("v2_after").x, 2 * eps);
  EXPECT_NEAR(hit.velocity2.y, vector("v2_after").y, 2 * eps);
  EXPECT_EQ(hit.lost, 0);
}

/// Unequal masses and a restitution: the momentum stays, the normal part of the relative velocity is turned and shrinks
/// by e, the tangential part stays, and 1 - e^2 of the normal energy is lost.
TEST(HardDiscs, LoseOneMinusESquaredOfTheNormalEnergy) {
  const double m1 = 2, m2 = 5, c = 0.6, s = 0.8;
  const Vec2<double> v1{-3, 1}, v2{2, 4}, n{c, s};
  for (const double e : {0.0, 0.3, 0.9, 1.0}) {
    const DiscHit<double> hit = hit_discs(v1, v2, m1, m2, n, e);
    const Vec2<double> w{v1.x - v2.x, v1.y - v2.y};
    const Vec2<double> after{hit.velocity1.x - hit.velocity2.x, hit.velocity1.y - hit.velocity2.y};
    const auto energy = [&](Vec2<double> a, Vec2<double> b) {
      return 0.5 * (m1 * (a.x * a.x + a.y * a.y) + m2 * (b.x * b.x + b.y * b.y));
    };
    const double u = w.x * c + w.y * s, lost = (1 - e * e) * m1 * m2 / (m1 + m2) * u * u / 2;
    EXPECT_NEAR(m1 * hit.velocity1.x + m2 * hit.velocity2.x, m1 * v1.x + m2 * v2.x, 30 * eps);
    EXPECT_NEAR(m1 * hit.velocity1.y + m2 * hit.velocity2.y, m1 * v1.y + m2 * v2.y, 30 * eps);
    EXPECT_NEAR(after.x * c + after.y * s, -e * u, 20 * eps);
    EXPECT_NEAR(after.y * c - after.x * s, w.y * c - w.x * s, 20 * eps);
    EXPECT_NEAR(hit.lost, lost, 20 * eps);
    EXPECT_NEAR(energy(v1, v2) - energy(hit.velocity1, hit.velocity2), lost, 100 * eps);
  }
}

TEST(HardDiscs, MeetAtTheFirstRoot) {
  const auto time = [](Vec2<double> d, Vec2<double> w, double reach) { return time_to_meet(d, w, reach); };
  EXPECT_EQ(time({-3, 0}, {1, 0}, 1), 2) << "head on";
  EXPECT_EQ(time({-3, 0}, {-1, 0}, 1), never<double>()) << "they part";
  EXPECT_EQ(time({-3, 1}, {1, 0}, 1), 3) << "they graze";
  EXPECT_EQ(time({-3, 1 + 2 * eps}, {1, 0}, 1), never<double>()) << "they miss";
  EXPECT_EQ(time({-1, 0}, {1, 0}, 1), 0) << "they touch and close in";
  EXPECT_EQ(time({-1 + eps, 0}, {1, 0}, 1), 0) << "they overlap by rounding";
  EXPECT_EQ(time({-1, 0}, {0, 1}, 1), never<double>()) << "they touch and slide";
  EXPECT_EQ(time({-1, 0}, {0, 0}, 1), never<double>()) << "nothing moves";
  // A gap of 1e-12 closed at speed 1: the stable root keeps all digits that the places have.
  EXPECT_NEAR(time({-1 - 1e-12, 0}, {1, 0}, 1), 1e-12, 2 * eps);

  EXPECT_EQ(time_to_side(0.5, 2.0, 3.0), 1.25);
  EXPECT_EQ(time_to_side(0.5, -2.0, 3.0), 1.75);
  EXPECT_EQ(time_to_side(0.5, 0.0, 3.0), never<double>());
  EXPECT_EQ(time_to_side(3.0, 1.0, 3.0), 0);
  EXPECT_EQ(time_to_circle<double>({0, 0}, {3, 4}, 10), 2);
  EXPECT_EQ(time_to_circle<double>({-6, 8}, {0, -2}, 10), 8) << "a chord";
  EXPECT_EQ(time_to_circle<double>({6, 8}, {3, 4}, 10), 0) << "at the wall, outwards";
  EXPECT_EQ(time_to_circle<double>({6, 8}, {0, 0}, 10), never<double>());
}

// ---------------------------------------------------------------------------------------------------------------------
// One disc

TEST(HardDiscs, OneDiscInABoxFoldsItsPath) {
  const double vx = 1.234, vy = -0.777, x = 0.1, y = 0.3, width = 2, height = 1, r = 0.1, end = 100;
  const DiscRun run = collide<HitByHit>(DiscStudy(0.5, end).box(width, height).add(r, {x, y}, {vx, vy}));
  EXPECT_EQ(run.status, Status::end_time);
  // Each flight rounds the place to half of 2^-53 and the time, up to 100 s, to 2^-47 s.
  const double hits = run.summary.wall_hits, error = hits * (eps + std::fabs(vx) * 100 * eps);
  EXPECT_NEAR(run.summary.x0, cases::folded(x, vx, width / 2 - r, end), error);
  EXPECT_NEAR(run.summary.y0, cases::folded(y, vy, height / 2 - r, end), error);
  EXPECT_EQ(hits, std::floor((vx * end + x + 0.9) / 1.8) + std::floor((-vy * end - y + 0.4) / 0.8));
  EXPECT_EQ(run.summary.speed0, std::hypot(vx, vy));
  EXPECT_NEAR(run.summary.speed_mean, std::hypot(vx, vy), 100 * eps);
  EXPECT_NEAR(run.summary.vx_square, vx * vx, hits * eps);
  EXPECT_TRUE(std::isnan(run.summary.mean_free_path));
  EXPECT_TRUE(std::isnan(run.summary.first_hit));
}

/// In a circle a disc runs along equal chords, 2 R' cos(phi) long, and each hit turns it by pi - 2 phi about the
/// centre.
TEST(HardDiscs, OneDiscInACircleRunsAlongEqualChords) {
  const double room = 0.9, phi = 0.7, speed = 2, chord = 2 * room * std::cos(phi);
  DiscStudy study(0.25, 100);
  study.circle(1).add(0.1, {room, 0}, {-speed * std::cos(phi), speed * std::sin(phi)});
  const int hits = static_cast<int>(speed * 100 / chord);
  const DiscRun run = collide<HitByHit>(study);
  EXPECT_EQ(run.summary.wall_hits, hits);
  const double turn = hits * (cases::pi - 2 * phi), rest = 100 * speed - hits * chord;
  // From the last hit on at the angle `turn`, in the direction pi - phi from the radius.
  const double way = turn + cases::pi - phi;
  // A rounding of eps in the angle grows with each hit that follows: hits^2 / 2 of them.
  const double error = 10 * hits * hits * eps;
  EXPECT_NEAR(run.summary.x0, room * std::cos(turn) + rest * std::cos(way), error);
  EXPECT_NEAR(run.summary.y0, room * std::sin(turn) + rest * std::sin(way), error);
  // Force on the wall: impulse 2 m v cos(phi) each hit.
  EXPECT_NEAR(run.summary.wall_impulse, hits * 2 * speed * std::cos(phi), 10 * hits * hits * eps);
  EXPECT_NEAR(run.summary.pressure * 2 * cases::pi * 1 * 100, run.summary.wall_impulse, 1e-12);
}

// ---------------------------------------------------------------------------------------------------------------------
// Many hits

/// Sparse and dense, equal and unequal discs, in both enclosures; `hits` as many as let differences grow by less than
/// 1e9.
struct Crowd {
  const char* name;
  DiscStudy study;
  int hits;
};
std::vector<Crowd> crowds() {
  const auto placed = [](DiscStudy study, double unequal) {
    // The places that the program draws, as given ones.
    for (int i = 0; i < study.count(); ++i) {
      study.params.radius[i] *= 1 + unequal * i;
      study.params.mass[i] *= 1 + 3 * unequal * i * i;
    }
    const auto lane = HardDiscs<double>::prepare(study.world, study.sample());
    EXPECT_EQ(lane.status, running);
    study.params.random_placement = 0;
    for (int i = 0; i < study.count(); ++i) study.start.position[i] = lane.position[i];
    return study;
  };
  const DiscStudy empty(0.1, 1e9);
  return {{"10 in a box", placed(DiscStudy(empty).random(10, 0.05, 1), 0), 50},
          {"5 in a circle", placed(DiscStudy(empty).circle(0.5).random(5, 0.05, 2), 0), 40},
          {"12 unequal in a box", placed(DiscStudy(empty).box(2, 1).random(12, 0.03, 3), 0.1), 60},
          {"8 unequal in a circle", placed(DiscStudy(empty).circle(0.6).random(8, 0.04, 4), 0.1), 40},
          {"30 close together", placed(DiscStudy(empty).random(30, 0.06, 5), 0), 60},
          {"8 that lose energy",
           [&] {
             DiscStudy study = placed(DiscStudy(empty).random(8, 0.05, 6), 0.05);
             study.params.restitution = 0.8;
             study.params.wall_restitution = 0.9;
             return study;
           }(),
           40}};
}

/// The places and times of the two differ by roundings of some eps at each hit, which then grow.
TEST(HardDiscs, HaveTheHitsOfThePlainWay) {
  for (const Crowd& crowd : crowds()) {
    SCOPED_TRACE(crowd.name);
    auto lane = HardDiscs<double>::prepare(crowd.study.world, crowd.study.sample());
    test::PlainDiscs plain(crowd.study);
    const double grown = test::growth(crowd.study, crowd.hits), error = 10 * crowd.hits * grown * eps;
    ASSERT_LT(error, 1e-3) << "the comparison would say nothing";
    for (int k = 0; k < crowd.hits; ++k) {
      const DiscHitRecord ours = test::next_hit(lane), theirs = plain.next_hit();
      ASSERT_EQ(ours.first, theirs.first) << "hit " << k;
      ASSERT_EQ(ours.second, theirs.second) << "hit " << k;
      ASSERT_NEAR(ours.time, theirs.time, error) << "hit " << k;
    }
    for (int i = 0; i < crowd.study.count(); ++i) {
      const auto x = HardDiscs<double>::place(lane, i);
      const auto& b = plain.bodies[static_cast<std::size_t>(i)];
      EXPECT_NEAR(x.x, static_cast<double>(b.x), error);
      EXPECT_NEAR(x.y, static_cast<double>(b.y), error);
    }
  }
}

/// Each hit rounds the two velocities, with an error of at most some 4 eps of the energy, up or down: the bounds are
/// four standard deviations of such a walk.
TEST(HardDiscs, KeepTheEnergyToRoundingInEveryHit) {
  for (Crowd& crowd : crowds()) {
    SCOPED_TRACE(crowd.name);
    crowd.study.world.step = 1;
    crowd.study.world.end = 200;
    const DiscRun run = collide<HitByHit>(crowd.study);
    const double hits = run.summary.pair_hits + run.summary.wall_hits;
    EXPECT_EQ(run.status, Status::end_time);
    EXPECT_GT(hits, crowd.study.params.restitution < 1 ? 100 : 1000);
    EXPECT_LT(std::fabs(run.summary.energy_error), 16 * std::sqrt(hits) * eps);
    if (crowd.study.params.restitution == 1) {
      EXPECT_LT(std::fabs(run.summary.energy_change), 16 * std::sqrt(hits) * eps);
    } else {
      EXPECT_LT(run.summary.energy_change, -0.5);
    }
    // A place is rounded to eps / 4 and the time, up to 200 s, to 2^-46 s.
    EXPECT_LT(run.summary.overlap_max, 2 * run.summary.speed_max * 200 * eps);
  }
}

TEST(HardDiscs, KeepTheAngularMomentumInACircle) {
  for (const int discs : {1, 2, 7, 20}) {
    const DiscRun run = collide<HitByHit>(DiscStudy(1, 100).circle(0.5).random(discs, 0.03, 7));
    const double hits = run.summary.pair_hits + run.summary.wall_hits;
    EXPECT_GT(hits, 100);
    // Each hit rounds the velocities, and the two places to the error that the time has: 100 eps s times the speed.
    const double size = 0.5 * discs * run.summary.speed_max;
    EXPECT_LT(std::fabs(run.summary.angular_momentum_change),
              hits * size * (4 * eps + 100 * eps * run.summary.speed_max / 0.03));
    EXPECT_GT(std::fabs(run.summary.angular_momentum), 1e-3);
  }
}

/// Unequal discs far from the wall keep their momentum; a heavy one pushes a light one as the formulas of the centre of
/// mass say.
TEST(HardDiscs, OfUnequalMassKeepTheMomentum) {
  DiscStudy study(1, 10);
  study.box(1000, 1000).add(1, {0, 0}, {1, 0}, 9).add(0.5, {3, 0}, {0, 0}, 1).add(0.2, {8, 0.3}, {-2, 0}, 0.5);
  const DiscRun run = collide<HitByHit>(study);
  EXPECT_EQ(run.summary.wall_hits, 0);
  EXPECT_GE(run.summary.pair_hits, 2);
  EXPECT_NEAR(run.summary.momentum_x, 8, 40 * eps);
  EXPECT_NEAR(run.summary.momentum_y, 0, 40 * eps);

  DiscStudy two(1, 4);
  two.box(1000, 1000).add(1, {0, 0}, {1, 0}, 9).add(0.5, {3, 0}, {0, 0}, 1);
  const DiscRun straight = collide<HitByHit>(two);
  // They touch after 1.5 s; then v1 = (9 - 1) / 10, v2 = 2 * 9 / 10.
  EXPECT_NEAR(straight.summary.first_hit, 1.5, 4 * eps);
  EXPECT_NEAR(straight.lane.velocity[0].x, 0.8, 4 * eps);
  EXPECT_NEAR(straight.lane.velocity[1].x, 1.8, 4 * eps);
  EXPECT_NEAR(HardDiscs<double>::place(straight.lane, 1).x, 3 + 2.5 * 1.8, 20 * eps);
}

/// Turned round, elastic discs go back the way they came.
TEST(HardDiscs, ReverseTheirMotion) {
  for (const Crowd& crowd : crowds()) {
    if (crowd.study.params.restitution < 1) continue;
    SCOPED_TRACE(crowd.name);
    const int hits = crowd.hits / 2;
    auto there = HardDiscs<double>::prepare(crowd.study.world, crowd.study.sample());
    double last = 0;
    for (int k = 0; k < hits; ++k) last = test::next_hit(there).time;
    const double turn = last + 0.5 * (*std::min_element(there.next.at, there.next.at + crowd.study.count()) - last);
    there.now = turn;

    DiscStudy back = crowd.study;
    for (int i = 0; i < back.count(); ++i) {
      back.start.position[i] = HardDiscs<double>::place(there, i);
      back.start.velocity[i] = {-there.velocity[i].x, -there.velocity[i].y};
    }
    back.world.step = back.world.end = turn;
    const DiscRun run = collide<HitByHit>(back);
    EXPECT_EQ(run.summary.pair_hits + run.summary.wall_hits, hits);
    const double error = 10 * 2 * hits * test::growth(crowd.study, hits) * test::growth(back, hits) * eps;
    ASSERT_LT(error, 1e-3) << "the comparison would say nothing";
    for (int i = 0; i < back.count(); ++i) {
      const Vec2<double> x = HardDiscs<double>::place(run.lane, i), from = crowd.study.start.position[i];
      EXPECT_NEAR(x.x, from.x, error);
      EXPECT_NEAR(x.y, from.y, error);
    }
  }
}

/// Observations change nothing but the times they ask for.
TEST(HardDiscs, DoNotFeelTheStep) {
  DiscStudy study(10, 10);
  study.random(12, 0.05, 8);
  const DiscRun once = collide<HitByHit>(study);
  for (const double step : {5.0, 0.1, 0.001}) {
    study.world.step = step;
    const DiscRun often = collide<HitByHit>(study);
    EXPECT_EQ(often.summary.pair_hits, once.summary.pair_hits);
    EXPECT_EQ(often.summary.wall_hits, once.summary.wall_hits);
    EXPECT_EQ(often.lane.velocity[0].x, once.lane.velocity[0].x);
    EXPECT_NEAR(often.summary.x0, once.summary.x0, 20 * eps) << "the last time, of 10 s, is rounded";
  }
}

TEST(HardDiscs, TakeTheLowerIndexFirstWhenHitsCoincide) {
  // Two pairs that meet at the same time, and both discs of a third at the wall.
  DiscStudy study(1, 1e9);
  study.box(20, 20).add(1, {-5, 5}, {1, 0}).add(1, {5, -7}, {0, 0}).add(1, {-1, 5}, {-1, 0}).add(1, {5, -3}, {0, -2});
  study.add(1, {0, 7}, {0, 2});
  auto lane = HardDiscs<double>::prepare(study.world, study.sample());
  DiscHitRecord hit = test::next_hit(lane);
  EXPECT_EQ(hit.time, 1);
  EXPECT_EQ(hit.first, 0);
  EXPECT_EQ(hit.second, 2);
  hit = test::next_hit(lane);
  EXPECT_EQ(hit.time, 1);
  EXPECT_EQ(hit.first, 1);
  EXPECT_EQ(hit.second, 3);
  hit = test::next_hit(lane);
  EXPECT_EQ(hit.time, 1);
  EXPECT_EQ(hit.first, 4);
  EXPECT_EQ(hit.second, -2);
  // A disc that meets two at once takes the one of the lower index first.
  DiscStudy three(1, 1e9);
  three.box(100, 100).add(1, {0, 0}, {0, 1}).add(1, {-1, 6}, {0, 0}).add(1, {1, 6}, {0, 0});
  lane = HardDiscs<double>::prepare(three.world, three.sample());
  hit = test::next_hit(lane);
  EXPECT_EQ(hit.first, 0);
  EXPECT_EQ(hit.second, 1);
}

/// The capacity that a run was compiled for changes no bit.
template <int most>
HardDiscsSummary<double> summary_with(const DiscStudy& study) {
  using Discs = HardDiscsOf<double, most>;
  auto lane = Discs::prepare(study.world, study.sample());
  Step<Discs, HitByHit>::run(study.world, lane);
  return Discs::summarize(study.world, lane);
}
TEST(HardDiscs, DoNotFeelTheCapacity) {
  DiscStudy study(0.1, 5);
  study.random(4, 0.1, 9);
  const auto a = summary_with<4>(study), b = summary_with<16>(study), c = summary_with<64>(study);
  EXPECT_GT(a.pair_hits, 3);
  EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0);
  EXPECT_EQ(std::memcmp(&a, &c, sizeof a), 0);
}

// ---------------------------------------------------------------------------------------------------------------------
// Collapse

/// Three discs in line of which the outer two close in on the middle one: below e = 7 - 4 sqrt(3) = 0.072 they
/// collapse.
DiscStudy closing_in(double restitution, double guard_time) {
  DiscStudy study(1, 20);
  study.box(100, 100).add(1, {-4, 0}, {1, 0}).add(1, {0, 0}, {0, 0}).add(1, {4.1, 0}, {-1, 0});
  study.params.restitution = restitution;
  study.params.guard_time = guard_time;
  return study;
}

TEST(HardDiscs, EndACollapseByTheGuard) {
  // Every two hits map the two relative velocities by a matrix of trace p^2 - 2 e and determinant e^2, p = (1 + e) / 2:
  // 0.16 times what they were for e = 0.05. As the momentum is 0, 1e-40 after 100 hits is not yet lost in rounding.
  const DiscRun unguarded = collide<HitByHit>(closing_in(0.05, 0));
  EXPECT_GT(unguarded.summary.hits_most, 100);
  EXPECT_EQ(unguarded.summary.guarded_hits, 0);

  const DiscRun guarded = collide<HitByHit>(closing_in(0.05, 1e-6));
  EXPECT_EQ(guarded.status, Status::end_time);
  EXPECT_GT(guarded.summary.guarded_hits, 0);
  // The other eigenvalue is 0.0156: the time between hits falls by 0.0156 / 0.16, from some 2 s to the guard's 1e-6 s
  // in ln(2e6) / ln(10) = 6.4 times two hits, and one more for each disc.
  EXPECT_LT(guarded.summary.hits_most, 2 * 6.4 + 3);
  EXPECT_NEAR(guarded.summary.energy_error, 0, 1e-14);
  // Where nothing collapses the guard has nothing to do.
  const DiscRun parting = collide<HitByHit>(closing_in(0.2, 1e-6));
  EXPECT_EQ(parting.status, Status::end_time);
  EXPECT_EQ(parting.summary.guarded_hits, 0);
}

/// A crowd that cools, and in which clusters collapse.
TEST(HardDiscs, CoolToTheEndWithTheGuard) {
  double guarded = 0;
  for (std::uint64_t sample = 0; sample < 20; ++sample) {
    DiscStudy study(1, 200);
    study.random(20, 0.05, sample);
    study.params.restitution = 0.05;
    study.params.guard_time = 1e-6;
    const DiscRun run = collide<HitByHit>(study);
    EXPECT_EQ(run.status, Status::end_time);
    EXPECT_LT(run.summary.energy_change, -0.9);
    EXPECT_LT(std::fabs(run.summary.energy_error), 4 * (run.summary.pair_hits + run.summary.wall_hits) * eps);
    guarded += run.summary.guarded_hits;
  }
  EXPECT_GT(guarded, 0);
}

/// What is hit without end is given up, in the first step.
TEST(HardDiscs, GiveUpWhatIsHitWithoutEnd) {
  const DiscStudy empty(1, 10);
  const std::pair<const char*, DiscStudy> studies[] = {
      {"slides along a round wall", DiscStudy(empty).circle(1).add(0.25, {0.75, 0}, {0, 1})},
      {"fills the box", DiscStudy(empty).add(0.5, {0, 0}, {1, 0})},
      {"nearly fills it", DiscStudy(empty).add(0.5 - 1e-15, {0, 0}, {1, 0})},
      {"is too fast to tell the times of its hits apart", DiscStudy(empty).add(0.1, {0, 0}, {1e160, 0})}};
  for (const auto& [name, study] : studies) {
    SCOPED_TRACE(name);
    const DiscRun run = collide<HitByHit>(study);
    EXPECT_EQ(run.status, Status::not_converged);
    EXPECT_EQ(run.summary.hits_most, most_hits_in_a_step);
    EXPECT_LT(run.summary.time, 1e-6);
  }
  // In a circle of its own size a disc has no direction in which it meets the wall.
  EXPECT_EQ(collide<HitByHit>(DiscStudy(empty).circle(0.5).add(0.5, {0, 0}, {1, 0})).status, Status::diverged);
}

/// Many hits alone are none of those: a disc with a millionth of its size to move in hits the walls v / room times a
/// second.
TEST(HardDiscs, FollowAllHitsOfADenseSystem) {
  const double room = 1e-6;
  const DiscRun box = collide<HitByHit>(DiscStudy(0.1, 1).add(0.5 - 0.5 * room, {0, 0}, {0.3, 0.2}));
  EXPECT_EQ(box.status, Status::end_time);
  // Where places are rounded to eps the room is 1e-9 of itself off, which is not one hit.
  EXPECT_NEAR(box.summary.wall_hits, (0.3 + 0.2) / room, 2);
  const DiscRun circle = collide<HitByHit>(DiscStudy(0.1, 1).circle(0.5).add(0.5 - 0.5 * room, {0, 0}, {0.3, 0.4}));
  EXPECT_EQ(circle.status, Status::end_time);
  EXPECT_NEAR(circle.summary.wall_hits, 0.5 / room, 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// The overlap scheme

/// Median over an ensemble of the distance from the exact places, after some 10 hits.
double median_error(double h) {
  std::vector<double> errors;
  for (std::uint64_t sample = 0; sample < 300; ++sample) {
    DiscStudy study(h, 0.4);
    study.random(5, 0.05, sample);
    const DiscRun exact = collide<HitByHit>(study), stepped = collide<OverlapSteps>(study);
    errors.push_back(test::distance(exact.lane, stepped.lane));
    // Swapping along a unit normal keeps the energy whatever the normal: rounding alone.
    EXPECT_LT(std::fabs(stepped.summary.energy_change),
              4 * (stepped.summary.pair_hits + stepped.summary.wall_hits + 1) * eps);
  }
  std::nth_element(errors.begin(), errors.begin() + 150, errors.end());
  return errors[150];
}

/// The error of a sample depends on where in its steps the hits fall, by as much as itself, and so does the median over
/// 300 samples by some 10 %: 0.1 in the order.
TEST(HardDiscs, SteppedWithOverlapHaveErrorsOfFirstOrderButTheExactEnergy) {
  const double coarse = median_error(4e-4), middle = median_error(1e-4), fine = median_error(0.25e-4);
  EXPECT_NEAR(std::log(coarse / middle) / std::log(4), 1, 0.25);
  EXPECT_NEAR(std::log(middle / fine) / std::log(4), 1, 0.25);
  EXPECT_GT(coarse, 1e-4);
}

TEST(HardDiscs, SteppedWithOverlapSinkIn) {
  DiscStudy study(0.01, 5);
  study.random(10, 0.05, 3);
  const DiscRun run = collide<OverlapSteps>(study);
  EXPECT_EQ(run.status, Status::end_time);
  EXPECT_GT(run.summary.pair_hits, 10);
  // By less than a step's closing.
  EXPECT_GT(run.summary.overlap_max, 1e-3);
  EXPECT_LT(run.summary.overlap_max, 2 * run.summary.speed_max * 0.01);
  const DiscRun round = collide<OverlapSteps>(DiscStudy(0.01, 5).circle(0.5).random(10, 0.05, 3));
  EXPECT_LT(std::fabs(round.summary.energy_change), 4 * (round.summary.pair_hits + round.summary.wall_hits) * eps);
  EXPECT_LT(round.summary.overlap_max, 2 * round.summary.speed_max * 0.01);
}

// ---------------------------------------------------------------------------------------------------------------------

TEST(HardDiscs, RefuseStartsThatMakeNoSense) {
  const auto text = [](const DiscStudy& study) {
    return std::string(study.mistake().text ? study.mistake().text : "");
  };
  const DiscStudy empty(1, 1);
  EXPECT_EQ(text(DiscStudy(empty).add(0.1, {-0.4, 0}, {}).add(0.1, {-0.2, 0}, {})), "") << "touching is allowed";
  EXPECT_EQ(text(DiscStudy(empty).add(0.1, {0, 0}, {}).add(0.1, {0.1, 0.1}, {})), "start.position: two discs overlap");
  EXPECT_EQ(text(DiscStudy(empty).add(0.1, {0.41, 0}, {})), "start.position: a disc reaches beyond the wall");
  EXPECT_EQ(text(DiscStudy(empty).circle(0.5).add(0.1, {0.3, 0.3}, {})),
            "start.position: a disc reaches beyond the wall");
  const Mistake circle = DiscStudy(empty).circle(0.5).add(0.51, {0, 0}, {}).mistake();
  EXPECT_STREQ(circle.text, "radius: a disc has no room to move in the circle of wall_radius");
  EXPECT_EQ(circle.allowed, 0.5);
  const Mistake box = DiscStudy(empty).box(3, 1).add(0.6, {0, 0}, {}).mistake();
  EXPECT_STREQ(box.text, "radius: a disc has no room to move in the rectangle, whose lesser side is");
  EXPECT_EQ(box.allowed, 1);
  EXPECT_EQ(text(DiscStudy(empty).add(0.5, {0, 0}, {1, 0})), box.text) << "one that just fits";
  EXPECT_EQ(text(DiscStudy(empty).circle(0.5).add(0.5, {0, 0}, {1, 0})), circle.text);
  EXPECT_EQ(text(DiscStudy(empty).circle(0.5).add(0.499, {0, 0}, {1, 0})), "");
  DiscStudy wide = DiscStudy(empty).random(2, 0.1, 0);
  wide.params.gap = 0.45;
  EXPECT_EQ(text(wide), "gap: it leaves a disc no room to move in the rectangle, whose lesser side is");
  EXPECT_EQ(text(wide.circle(0.5)), "gap: it leaves a disc no room to move in the circle of wall_radius");
  EXPECT_EQ(text(DiscStudy(empty).random(64, 0.06, 0)),
            "radius: the discs are too dense for random places, which equal discs find up to a covered fraction of "
            "0.547");
  EXPECT_EQ(text(DiscStudy(empty).random(40, std::sqrt(0.6 / (40 * cases::pi)), 0)),
            "radius: no random places without overlap were found in eight attempts");
  DiscStudy both = DiscStudy(empty).random(2, 0.1, 0);
  both.start.position[1] = {0.1, 0};
  EXPECT_EQ(text(both), "start.position has no use where places are random: set placement = \"given\"");
  EXPECT_EQ(text(DiscStudy(empty).random(2, 0.1, 0)), "");
  DiscStudy given = DiscStudy(empty).add(0.1, {0, 0}, {});
  given.params.gap = 0.1;
  EXPECT_EQ(text(given), "gap has no use where places are given: set placement = \"random\"");
}

/// A sample without luck ends without a step; the run is refused only if the first eight samples' draws all fail, for
/// the discs of sample 0.
TEST(HardDiscs, WithoutAPlaceEndWithoutAStep) {
  const auto crowd = [](double covered, std::uint64_t sample) {
    return DiscStudy(1, 10).random(40, std::sqrt(covered / (40 * cases::pi)), sample);
  };
  int placed = 0;
  for (std::uint64_t sample = 0; sample < 8; ++sample) {
    const DiscStudy study = crowd(0.53, sample);
    const double status = HardDiscs<double>::prepare(study.world, study.sample()).status;
    placed += status == running;
    EXPECT_TRUE(status == running || status == static_cast<double>(Status::not_placed)) << status;
    EXPECT_EQ(study.mistake().text, nullptr) << "sample " << sample;
  }
  EXPECT_GT(placed, 0);
  EXPECT_LT(placed, 8);
  // Where none has a place the first sample says so, and no other is tried.
  EXPECT_NE(crowd(0.6, 0).mistake().text, nullptr);
  EXPECT_EQ(crowd(0.6, 1).mistake().text, nullptr);
}

}  // namespace
}  // namespace scree
