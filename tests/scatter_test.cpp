// Particles on the plane and the ball: the reference of discs_particles.json, closed forms, and what must never happen.
#include <algorithm>
#include <string>
#include <vector>

#include "src/systems/scatter.hpp"
#include "src/systems/scatter/cases.hpp"
#include "tests/support/particles.hpp"
#include "tests/support/reference.hpp"

namespace scree {
namespace {

using test::fly;
using test::Json;
using test::order_of;
using Study = test::ParticleStudy<Scatter>;
using Lane = Scatter<double>::Lane;
namespace cases = scatter_cases;

constexpr double epsilon = 0x1p-52;

/// The laboratory text's stream: the defaults, from (x, 400).
Study stream(double x, double step, double end) {
  Study study(step, end);
  study.start.position.x = x;
  return study;
}
/// A beam along +x on the ball alone, at the height b above its centre.
Study beam(double b, double step = 1, double end = 20) {
  Study study(step, end);
  study.params.gravity = study.params.drag = study.params.plane = 0;
  study.start.position = {0, 120 + b};
  study.start.velocity = {40, 0};
  return study;
}
Json reference_case() {
  const Json all = test::reference("discs_particles.json");
  for (const Json& c : all["cases"])
    if (c["name"] == "lab_scatter_plane_ball") {
      EXPECT_EQ(c["trajectories"].size(), 5u);
      for (const Json& path : c["trajectories"]) {
        EXPECT_EQ(path["exact"].size(), 15u);
        EXPECT_EQ(path["pascal_dt_0_01"].size(), 11u);
      }
      return c;
    }
  throw std::logic_error("no scattering in the reference");
}
double distance(const Lane& lane, const Json& row) {  // row: t, x, y, vx, vy
  const auto& s = lane.state;
  return test::worst(test::worst(std::fabs(s.x - row[1].get<double>()), std::fabs(s.y - row[2].get<double>())),
                     test::worst(std::fabs(s.vx - row[3].get<double>()), std::fabs(s.vy - row[4].get<double>())));
}

// ---------------------------------------------------------------------------------------------------------------------
// The reference

/// Positions of up to 400 m are rounded to 400 eps = 9e-14 by each flight and impact, some 4 times, 11 impacts at most;
/// what the last impacts left grows by `growth`, and a position error turns into one of the velocity on the ball by
/// v / r < 1 per second.
TEST(ScatterReference, EveryStateIsReached) {
  const Json c = reference_case();
  for (const Json& path : c["trajectories"]) {
    SCOPED_TRACE("x = " + path["x_start"].dump());
    std::size_t k = 0;
    fly<ExactFlight>(stream(path["x_start"], 0.5, 50), [&](const Lane& lane) {
      const double t = 0.5 * lane.steps;
      if (k >= path["exact"].size() || t != path["exact"][k][0].get<double>()) return;
      double growth = 1;  // the largest so far: it need not be monotone
      for (std::size_t i = 0; i <= k; ++i) growth = std::max(growth, path["growth_of_x_perturbation"][i].get<double>());
      EXPECT_LE(distance(lane, path["exact"][k]), 44 * 400 * epsilon * growth) << "t = " << t;
      ++k;
    });
    EXPECT_EQ(k, path["exact"].size());
  }
}

/// Counts after each of 5000 steps: every impact is seen once, on the right surface, in its step.
TEST(ScatterReference, EveryImpactIsSeenInItsStep) {
  const Json c = reference_case();
  for (const Json& path : c["trajectories"]) {
    SCOPED_TRACE("x = " + path["x_start"].dump());
    const auto so_far = [&](const char* surface, double t) {
      double count = 0;
      for (const Json& hit : path["hits"]) count += hit[1] == surface && hit[0].get<double>() < t;
      return count;
    };
    const double h = 0.01;
    const auto end = fly<ExactFlight>(stream(path["x_start"], h, 50), [&](const Lane& lane) {
      ASSERT_EQ(lane.plane_hits, so_far("plane", h * lane.steps)) << "t = " << h * lane.steps;
      ASSERT_EQ(lane.ball_hits, so_far("ball", h * lane.steps)) << "t = " << h * lane.steps;
    });
    EXPECT_EQ(end.summary.plane_hits + end.summary.ball_hits, path["hits"].size());
    for (const Json& hit : path["hits"])
      if (hit[1] == "plane") {
        EXPECT_NEAR(end.summary.landing_time, hit[0].get<double>(), 1e-11);
        break;
      }
  }
}

/// The step is a time between two observations, and no more.
TEST(ScatterReference, TheClosedFormDoesNotDependOnTheStep) {
  const Json c = reference_case();
  for (const Json& path : c["trajectories"]) {
    SCOPED_TRACE("x = " + path["x_start"].dump());
    // Without observations in between the flights are whole: fewer roundings than the test above allows for.
    const auto end = fly<ExactFlight>(stream(path["x_start"], 50, 50));
    EXPECT_EQ(end.lane.steps, 1);
    EXPECT_LE(distance(end.lane, path["exact"].back()), 44 * 400 * epsilon * 106);
    EXPECT_EQ(end.summary.plane_hits + end.summary.ball_hits, path["hits"].size());
  }
}

/// The loop of the laboratory text, transcribed: the same numbers as the reference's transcription but for the rounding
/// of other operations, 5000 steps of some eps of 700, which grows as above.
TEST(ScatterReference, TheOverlapSchemeIsTheLoopOfTheText) {
  const Json c = reference_case();
  for (const Json& path : c["trajectories"]) {
    SCOPED_TRACE("x = " + path["x_start"].dump());
    std::size_t k = 1;
    const auto end = fly<OverlapLoop>(stream(path["x_start"], 0.01, 50), [&](const Lane& lane) {
      if (lane.steps != 500 * static_cast<double>(k)) return;
      EXPECT_LE(distance(lane, path["pascal_dt_0_01"][k]), 4 * std::sqrt(5000.0) * 700 * epsilon * 106);
      ++k;
    });
    EXPECT_EQ(k, path["pascal_dt_0_01"].size());
    EXPECT_EQ(end.summary.plane_hits + end.summary.ball_hits, path["pascal_hits"].size());
  }
}

/// Located impacts keep the order of Runge-Kutta; the loop's late ones leave the first order of its steps.
TEST(Scatter, RungeKuttaWithLocatedImpactsKeepsItsOrder) {
  const auto exact = fly<ExactFlight>(stream(260, 0.5, 14)).lane.state;  // ball, then plane
  const auto error = [&]<class Scheme>(double h) {
    const auto s = fly<Scheme>(stream(260, h, 14)).lane.state;
    return std::hypot(s.x - exact.x, s.y - exact.y);
  };
  // Each of three flights ends with a part p of a step, which errs by p^5 of a whole one instead of p: the constant of
  // h^4 changes by up to 3 h / 14 of 0.53, so the order by 0.06 from h = 0.25 to 0.125, and by a h / ln 2, 0.04, for
  // the next power of h.
  double coarse = error.template operator()<Rk4>(0.25);
  for (const double h : {0.125, 0.0625, 0.03125}) {
    const double fine = error.template operator()<Rk4>(h);
    EXPECT_NEAR(order_of(coarse, fine), 4, 0.1) << h;
    coarse = fine;
  }
  EXPECT_GT(error.template operator()<OverlapLoop>(0.01), 1e-2) << "with steps 12 times as short";
}

// ---------------------------------------------------------------------------------------------------------------------
// The ball: hard-disc scattering

/// g = a = 0: b = r cos(theta / 2), each particle for itself, to the rounding of positions of 400 m.
TEST(Scatter, DeflectsABeamAsAHardDisc) {
  for (int i = -99; i <= 99; ++i) {
    const double b = 0.8 * i;
    const auto end = fly<ExactFlight>(beam(b));
    ASSERT_EQ(end.summary.ball_hits, 1);
    EXPECT_NEAR(end.summary.impact_parameter, -b, 16 * 400 * epsilon) << "the centre is right of a beam above it";
    EXPECT_NEAR(80 * std::cos(end.summary.scattering_angle / 2), std::fabs(b), 16 * 400 * epsilon);
    EXPECT_NEAR(std::hypot(end.summary.final_vx, end.summary.final_vy), 40, 16 * 40 * epsilon);
  }
  EXPECT_NEAR(fly<ExactFlight>(beam(0)).summary.scattering_angle, std::acos(-1.0), 16 * epsilon) << "straight back";
}

/// A graze is a hit if it is one by more than rounding, and is found whatever the step.
TEST(Scatter, FindsGrazes) {
  for (const double step : {0.1, 1.0, 20.0}) {
    for (const double part : {1e-11, 1e-9, 1e-6}) {
      const auto hit = fly<ExactFlight>(beam(80 * (1 - part), step)),
                 miss = fly<ExactFlight>(beam(80 * (1 + part), step));
      EXPECT_EQ(hit.summary.ball_hits, 1) << part;
      EXPECT_NEAR(hit.summary.scattering_angle, cases::scattering_angle(80 * (1 - part), 80),
                  0.01 * std::sqrt(8 * part))
          << part << ": b / r is known to eps, so 1 - b / r = 1e-11 to 1e-5 of itself";
      EXPECT_EQ(miss.summary.ball_hits, 0) << part;
      EXPECT_TRUE(std::isnan(miss.summary.scattering_angle));
    }
  }
}

TEST(Scatter, CountsTheTimeNearTheBall) {
  Study study = beam(0);
  study.params.near = 30;
  EXPECT_NEAR(fly<ExactFlight>(study).summary.near_time, 2 * 30 / 40.0, 1e-12) << "there and back at 40 m/s";
  study = beam(90);
  study.params.near = 30;
  for (const double step : {0.05, 0.7, 1.0, 20.0}) {  // in the last one it comes and goes
    study.world.step = step;
    const double passage = 2 * std::sqrt(110.0 * 110 - 90 * 90) / 40;
    EXPECT_NEAR(fly<ExactFlight>(study).summary.near_time, passage, 1e-11) << step;
    EXPECT_NEAR(fly<Rk4>(study).summary.near_time, passage, 1e-11) << step;
  }
  // Thrown up from the top: it leaves the 30 m about the ball and comes back.
  study.params.gravity = 9.8;
  study.start.position = {325, 210};
  study.start.velocity = {0, 30};
  const double away = 2 * std::sqrt(30.0 * 30 - 2 * 9.8 * 20) / 9.8;
  for (const double step : {0.05, 6.0}) {
    study.world.step = step;
    study.world.end = 6;
    EXPECT_NEAR(fly<ExactFlight>(study).summary.near_time, 6 - away, 1e-11) << step;
  }
  study.params.near = 0;
  EXPECT_EQ(fly<ExactFlight>(study).summary.near_time, 0);
}

/// From 40 km away, in one step. D is rounded to eps |r - c|^2, which R^2 must exceed; else the search may miss the
/// ball, but it ends.
TEST(Scatter, FindsASmallBallFromAfar) {
  Study study = beam(0, 50, 50);
  const double far = 40000;
  study.params.ball_radius = 0.01;
  study.start.position.x = 325 - far;
  study.start.velocity.x = 1000;
  const auto end = fly<ExactFlight>(study);
  EXPECT_EQ(end.summary.ball_hits, 1);
  EXPECT_NEAR(end.summary.final_x, 325 - 10000 - 2 * 0.01, 16 * epsilon * far * far / (2 * 0.01)) << "D over D'";
  study.params.ball_radius = 1e-9;
  EXPECT_EQ(fly<ExactFlight>(study).status, Status::end_time);
}

/// A velocity of 0 has no direction; the columns say 0.
TEST(Scatter, HitsTheBallFromRest) {
  Study study = beam(0);
  study.params.gravity = 9.8;
  study.start.position = {325, 200};
  study.start.velocity = {0, 0};
  for (const double e : {1.0, 0.0}) {
    study.params.restitution = e;
    const auto end = fly<ExactFlight>(study);
    EXPECT_GE(end.summary.ball_hits, 1);
    EXPECT_EQ(end.summary.impact_parameter, 0);
    EXPECT_EQ(end.summary.scattering_angle, 0);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Invariants and inequalities

TEST(Scatter, ElasticImpactsKeepTheEnergyWithoutDrag) {
  for (int i = 0; i < 20; ++i) {
    Study study = stream(205 + 12.0 * i, 0.25, 60);
    study.params.drag = 0;
    const auto track = Scatter<double>::track(study.world, Scatter<double>::prepare(study.world, study.sample()));
    double worst = 0;
    const auto end = fly<ExactFlight>(study, [&](const Lane& lane) {
      worst = test::worst(worst, std::fabs(Scatter<double>::track(study.world, lane).energy - track.energy));
    });
    // 4720 J/kg; each of 240 steps and each impact rounds it some ten times.
    EXPECT_LE(worst, 10 * (240 + end.summary.plane_hits + end.summary.ball_hits) * track.energy * epsilon);
    EXPECT_GE(end.summary.plane_hits + end.summary.ball_hits, 1);
  }
}

/// Pressed onto the ball it goes in hops of rest_speed, some 10^4 of them, which the tangential velocity pays for. Each
/// rounds the energy of 2000 J/kg some ten times, at random.
TEST(Scatter, HopsOnTheBallAddNoEnergy) {
  for (const double e : {1.0, 0.5, 0.0}) {
    Study study(0.01, 5);
    study.params.restitution = e;
    study.params.plane = study.params.drag = 0;
    study.start.position = {325, 200 + 1e-9};
    study.start.velocity = {1, 0};
    const auto energy = [&](const Lane& lane) { return Scatter<double>::track(study.world, lane).energy; };
    const double first = energy(Scatter<double>::prepare(study.world, study.sample()));
    double rise = 0, fall = 0;
    const auto end = fly<ExactFlight>(study, [&](const Lane& lane) {
      rise = test::worst(rise, energy(lane) - first);
      fall = test::worst(fall, first - energy(lane));
    });
    EXPECT_GT(end.summary.ball_hits, 1000);
    const double rounding = 4 * std::sqrt(end.summary.ball_hits) * 10 * first * epsilon;
    EXPECT_LT(rise, rounding) << e;
    if (e == 1) {
      EXPECT_LT(fall, rounding);
    }
  }
}

TEST(Scatter, NothingIsEverBehindASurface) {
  for (const double e : {1.0, 0.7, 0.0})
    for (int i = 0; i < 40; ++i) {
      Study study = stream(180 + 7.0 * i, 0.02, 40);
      study.params.restitution = e;
      study.params.rest_speed = 0.01;
      double below = 0, inside = 0;  // how far, m
      const auto end = fly<ExactFlight>(study, [&](const Lane& lane) {
        const auto& s = lane.state;
        below = test::worst(below, -(lane.normal.x * s.x + lane.normal.y * s.y));
        inside = test::worst(inside, 80 - std::hypot(s.x - 325, s.y - 120));
      });
      EXPECT_EQ(end.status, Status::end_time);
      // Sliding, rounding adds up over 2000 steps of some eps of 1000 m.
      EXPECT_LE(below, 2000 * 1000 * epsilon);
      EXPECT_LE(inside, 16 * 400 * epsilon);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Restitution, sliding, rest

/// Dropped onto level ground: all bounces are over after a closed-form time, of which the last, slower than rest_speed,
/// are left out: 2 rest_speed / g / (1 - e).
TEST(Scatter, DoneBouncingAfterAFiniteTime) {
  for (const double e : {0.3, 0.8}) {
    const double h = 0.01, height = 50;
    Study study(h, 60);
    study.params.drag = study.params.plane_angle = study.params.ball = 0;
    study.params.restitution = e;
    study.start.position = {0, height};
    study.start.velocity = {3, 0};
    double slides_from = -1;
    const auto end = fly<ExactFlight>(study, [&](const Lane& lane) {
      if (lane.sliding == 1 && slides_from < 0) slides_from = h * lane.steps;
    });
    EXPECT_NEAR(slides_from, cases::bouncing_time(9.8, height, e), h + 2e-3 / 9.8 / (1 - e));
    EXPECT_EQ(end.summary.sliding, 1);
    EXPECT_NEAR(end.summary.final_y, 0, 1e-12);
    EXPECT_EQ(end.summary.final_vy, 0);
    EXPECT_NEAR(end.summary.final_x, 180, 1e-9) << "nothing brakes it along the plane";
    // v_k = e^k sqrt(2 g h) until it is below rest_speed
    EXPECT_EQ(end.summary.plane_hits, std::ceil(std::log(1e-3 / std::sqrt(2 * 9.8 * height)) / std::log(e)));
  }
}

TEST(Scatter, SlidesDownThePlaneAsTheClosedFormSays) {
  const double angle = 0.3;
  Study study(0.5, 20);
  study.params.restitution = study.params.ball = 0;
  study.params.plane_angle = angle;
  study.start.position = {0, 1e-9};
  study.start.velocity = {0, 0};
  const auto end = fly<ExactFlight>(study);
  const double way = cases::slide_length(9.8, 0.1, angle, 20);
  EXPECT_EQ(end.summary.plane_hits, 1);
  EXPECT_EQ(end.summary.sliding, 1);
  // It starts 1e-9 m up, 1.4e-5 s late, and is not yet at full speed of 20 m/s by that much.
  EXPECT_NEAR(std::hypot(end.summary.final_x, end.summary.final_y), way, 1e-3);
  EXPECT_NEAR(std::atan2(end.summary.final_y, end.summary.final_x), angle - std::acos(-1.0), 1e-9) << "down";
}

/// Frictionless on a ball it leaves at cos(psi) = 2/3 + v^2 / (3 g r); hops of rest_speed come to that with it.
TEST(Scatter, LeavesTheBallWhereASlidingParticleDoes) {
  const auto cosine = [](double rest_speed) {
    Study study(0.01, 8);
    study.params.restitution = study.params.plane = study.params.drag = 0;
    study.params.rest_speed = rest_speed;
    study.start.position = {325, 200 + 1e-9};
    study.start.velocity = {5, 0};
    double hits = 0, at = 0;
    fly<ExactFlight>(study, [&](const Lane& lane) {
      if (lane.ball_hits > hits) at = (lane.state.y - 120) / std::hypot(lane.state.x - 325, lane.state.y - 120);
      hits = lane.ball_hits;
    });
    EXPECT_GT(hits, 50);
    return at;
  };
  const double exact = cases::leaving_cosine(9.8, 80, 5), sine = std::sqrt(1 - exact * exact);
  // What presses it on falls to 0 at the rate k = 3 g sin(psi) v / r. A hop that begins a time tau before that is at
  // the height u t - k (tau t^2 / 2 - t^3 / 6), which comes back to 0 only if tau^2 >= 8 u / (3 k), and then by tau / 2
  // after it. So the last impact is within that tau of leaving, is seen up to a step later, and cos(psi) changes at
  // the rate sin(psi) v / r.
  const double turn = std::sqrt(9.8 * 80 * exact) / 80, k = 3 * 9.8 * sine * turn;
  for (const double rest_speed : {0.05, 0.002})
    EXPECT_LT(std::fabs(cosine(rest_speed) - exact), sine * turn * (std::sqrt(8 * rest_speed / (3 * k)) + 0.01))
        << rest_speed;
}

TEST(Scatter, ComesToRestInTheWedgeBetweenBallAndPlane) {
  Study study = stream(440, 0.1, 400);
  study.params.ball_position = {325, 100};  // the ball cuts the plane
  study.params.restitution = 0.5;
  study.start.velocity = {0, 0};
  const auto end = fly<ExactFlight>(study);
  EXPECT_EQ(end.status, Status::stopped);
  const double x = end.summary.final_x, y = end.summary.final_y;
  // It is put onto both, which rounds numbers below 512 a few times.
  const double rounding = 8 * 0x1p-53 * 512;
  EXPECT_NEAR(y, x * std::tan(0.12), rounding);
  EXPECT_NEAR(std::hypot(x - 325, y - 100), 80, rounding);
  EXPECT_GT(x, 325) << "on the uphill side, where the plane presses it against the ball";
}

TEST(Scatter, RefusesWhatMakesNoSense) {
  const auto message = [](auto change) {
    Study study = stream(200, 1, 1);
    change(study);
    const char* text = study.mistake();
    return std::string(text ? text : "");
  };
  EXPECT_EQ(message([](Study&) {}), "");
  EXPECT_EQ(message([](Study& s) { s.start.position = {300, 30}; }), "start.position is below the plane");
  // On a surface, to the rounding of decimals, is not behind it.
  EXPECT_EQ(message([](Study& s) { s.start.position = {300, 300 * std::tan(0.12) * (1 - 4 * epsilon)}; }), "");
  EXPECT_EQ(message([](Study& s) { s.start.position = {325, 200 * (1 - 4 * epsilon)}; }), "");
  EXPECT_EQ(message([](Study& s) { s.start.position = {325, 200 - 1e-6}; }), "start.position is inside the ball");
  EXPECT_EQ(message([](Study& s) { s.start.position = {325, 130}; }), "start.position is inside the ball");
}

}  // namespace
}  // namespace scree
