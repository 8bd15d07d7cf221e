// Sliders against closed forms, invariants and the orders of their schemes.
#include "src/systems/slider/cases.hpp"
#include "tests/support/sliders.hpp"

namespace scree {
namespace {

using test::Slid;
using test::slide;
using test::SliderStudy;
namespace cases = slider_cases;

constexpr double g = 9.81, epsilon = 0x1p-52;

/// What the steps of a run round, relative to the size of what they add up: each a few times.
double rounding(const Slid& run) { return 4 * epsilon * run.summary.steps; }

/// Observed order from the errors with 2h and h.
double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

// ---------------------------------------------------------------------------------------------------------------------
// Schemes

/// A skew saddle with friction, far from rest: all terms of the equations of motion, no event. It swings with
/// w = sqrt(2 a g) at most.
SliderStudy saddle(double step) {
  return SliderStudy(test::quadric(0.02, -0.01, 0.015, 0.3, -0.2, 0), step, 1.5).friction(0.2).from(3, -2, 4, 5);
}
/// The next term of an error is c h w of the first with a c of order one (4 is allowed), so that the order seen with
/// steps of h and less is off by log2(1 + 4 h w) < 6 h w.
double order_doubt(double h) { return 6 * h * std::sqrt(2 * 0.02 * g); }

TEST(Slider, EachSchemeHasItsOrder) {
  test::for_all_slider_schemes([&]<class Scheme>(int order) {
    const auto run = [&](int steps) { return slide<Scheme>(saddle(1.5 / steps)); };
    const int steps = order == 1 ? 800 : order == 4 ? 50 : 100;  // RK4's differences of 8 times as many: 1e-12 to 1e-11
    const double doubt = order_doubt(1.5 / steps);
    const Slid s1 = run(steps), s2 = run(2 * steps), s4 = run(4 * steps), s8 = run(8 * steps);
    ASSERT_EQ(s8.status, Status::end_time);
    ASSERT_EQ(s1.summary.steps, steps) << "no sub-steps are meant to be here";
    const double d1 = test::distance(s1.lane.state, s2.lane.state), d2 = test::distance(s2.lane.state, s4.lane.state),
                 d3 = test::distance(s4.lane.state, s8.lane.state);
    EXPECT_NEAR(order_of(d1, d2), order, doubt);
    EXPECT_NEAR(order_of(d2, d3), order, doubt / 2);
    // Work and path have the order of the scheme, the path at most 4.
    const auto slope = [&](auto value) {
      return order_of(std::fabs(value(s2.summary) - value(s4.summary)),
                      std::fabs(value(s4.summary) - value(s8.summary)));
    };
    EXPECT_NEAR(slope([](const auto& s) { return s.friction_work; }), order, doubt / 2);
    EXPECT_NEAR(slope([](const auto& s) { return s.path_length; }), order, doubt / 2);
  });
}

/// E + W is constant: what the friction takes is what the energy loses, to the order of the scheme.
TEST(Slider, EnergyAndFrictionWorkBalance) {
  test::for_all_slider_schemes([&]<class Scheme>(int order) {
    const auto error = [&](int steps) { return std::fabs(slide<Scheme>(saddle(1.5 / steps)).summary.energy_error); };
    const int steps = order == 1 ? 800 : 100;
    // An error that did not vanish with the step would have the order 0.
    EXPECT_NEAR(order_of(error(steps), error(2 * steps)), order, order_doubt(1.5 / steps));
  });
}

// ---------------------------------------------------------------------------------------------------------------------
// Invariants without friction

TEST(Slider, KeepsTheCircleInABowl) {
  const double theta = 0.7, radius = 20;
  const cases::CircularOrbit orbit(g, radius, theta);
  const double period = 2 * std::acos(-1) / orbit.angular_velocity;
  const double steps = 2000;
  const auto end =
      slide<Rk4>(SliderStudy(test::bowl(radius), period / steps, period).from(orbit.radius, 0, 0, orbit.speed));
  // RK4's error on a circle is (w h)^5 / 120 of the radius a step, 5e-12 in all. What it leaves in radius and speed
  // goes on turning the mass too fast or too slowly: four times as much is allowed.
  const double near = 4 * steps * std::pow(2 * std::acos(-1) / steps, 5) / 120;
  EXPECT_NEAR(end.lane.state.x, orbit.radius, near * orbit.radius);
  EXPECT_NEAR(end.lane.state.y, 0, near * orbit.radius);
  EXPECT_NEAR(end.summary.path_length, period * orbit.speed, near * orbit.radius);
  EXPECT_NEAR(end.summary.normal_min, orbit.normal, near * orbit.normal);
  EXPECT_NEAR(end.summary.speed_max, orbit.speed, near * orbit.speed);
}

TEST(Slider, KeepsEnergyAndAngularMomentumOnSurfacesOfRevolution) {
  for (const Terrain& surface : {test::bowl(20), test::dome(20)}) {
    const auto drift = [&](double h, double& energy) {
      SliderStudy study(surface, h, 2);
      study.from(3, 1, 1, 4);
      const auto end = slide<Rk4>(study);
      EXPECT_EQ(end.status, Status::end_time);
      energy = std::fabs(end.summary.energy_error);
      const auto& s = end.lane.state;
      return std::fabs((s.x * s.vy - s.y * s.vx) - (3 * 4 - 1 * 1));
    };
    double energy1, energy2;
    const double momentum1 = drift(0.02, energy1), momentum2 = drift(0.01, energy2);
    // Of 11 m^2/s and as many J/kg: steps of 0.01 s turn by h w with w up to 2/s, and leave (h w)^5 / 120 each.
    const double near = 200 * std::pow(0.01 * 2, 5) / 120 * 11;
    EXPECT_LT(momentum2, near);
    EXPECT_LT(energy2, near);
    EXPECT_GT(order_of(momentum1, momentum2), 3.5);
    EXPECT_GT(order_of(energy1, energy2), 3.5);
  }
}

TEST(Slider, KeepsTheMomentumAlongAValley) {
  const double b = -0.3;
  SliderStudy study(test::quadric(0.02, 0, 0, 0, b, 5), 0.01, 10);
  study.from(-8, 0, 0, 3);
  const World& world = study.ground();
  auto lane = Slider<double>::prepare(world, {study.params, study.start});
  const auto momentum = [&] {
    const auto track = Slider<double>::track(world, lane);
    return cases::valley_momentum(g, b, track.vy, track.vz, Slider<double>::time(world, lane));
  };
  const double start = momentum();
  double worst = 0;
  while (lane.status == running) {
    test::step<Rk4>(world, lane);
    worst = test::worst(std::fabs(momentum() - start), worst);
  }
  // 1000 steps of (h w)^5 / 120 of 30 m/s, with w = sqrt(2 a g); the energy changes by the speed times that.
  const double near = 1000 * std::pow(0.01 * std::sqrt(2 * 0.02 * g), 5) / 120 * 30;
  EXPECT_LT(worst, near);
  EXPECT_LT(std::fabs(Slider<double>::summarize(world, lane).energy_error), 30 * near);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rest

TEST(Slider, StopsAfterV0SquaredOver2MuG) {
  const auto end = slide<Rk4>(SliderStudy(test::tilted(0), 0.1, 100).friction(0.25).from(2, 1, 3, -4));
  const double run = cases::level_runout(5, 0.25, g), time = 5 / (0.25 * g);
  EXPECT_EQ(end.status, Status::stopped);
  // The deceleration is constant: RK4 and the stop are exact but for rounding.
  EXPECT_NEAR(end.summary.runout, run, rounding(end) * run);
  EXPECT_NEAR(end.summary.path_length, run, rounding(end) * run);
  EXPECT_NEAR(end.summary.stop_time, time, rounding(end) * time);
  EXPECT_NEAR(end.summary.final_x, 2 + 0.6 * run, rounding(end) * run);
  EXPECT_NEAR(end.summary.final_y, 1 - 0.8 * run, rounding(end) * run);
  EXPECT_NEAR(end.summary.friction_work, 12.5, rounding(end) * 12.5);
  EXPECT_NEAR(end.summary.energy_error, 0, rounding(end) * 12.5);
}

/// Down and up the fall line of a plane the acceleration is constant, so RK4 and the stop are exact.
TEST(Slider, StopsOnAPlaneAlongTheFallLine) {
  const double slope = 0.3, mu = 0.5, v = 7;
  const cases::Incline incline(g, mu, slope);
  for (const double heading : {0.0, 1.1})
    for (const bool up : {false, true}) {
      SliderStudy study(test::tilted(slope, heading), 0.05, 100);
      study.friction(mu).from(1, 2);
      study.start.speed = v;
      study.start.heading = up ? std::acos(-1) : 0;
      const auto end = slide<Rk4>(study);
      const double length = up ? incline.turning_distance(v) : v * v / (2 * (incline.gn - incline.gs));
      const double time = up ? incline.turning_time(v) : incline.stop_time(v, 0);
      EXPECT_EQ(end.status, Status::stopped);
      EXPECT_NEAR(end.summary.path_length, length, rounding(end) * length);
      EXPECT_NEAR(end.summary.stop_time, time, rounding(end) * time);
      EXPECT_NEAR(end.summary.runout, length * incline.cos, rounding(end) * length);
      EXPECT_NEAR(end.summary.drop, (up ? -1 : 1) * length * std::sin(slope), rounding(end) * length);
      EXPECT_NEAR(end.summary.lateral_final, 0, rounding(end) * length);
      EXPECT_EQ(end.summary.reversals, 0) << "a mass that stays where it turned did not come back";
    }
}

/// An oblique launch turns towards the fall line while it stops. The end game begins at |V| = |a| h / 0.3 and looks the
/// same for every h, so its error is a fixed part of h in time and of |a| h^2 in place; each of its steps has
/// 0.3^5 / 120 = 2e-5 of RK4's truncation, some 30 of them in all.
TEST(Slider, StopsOnAPlaneAfterAnObliqueLaunch) {
  const double slope = 0.3, mu = 0.5, v = 7, part = 30 * 2e-5;
  const cases::Incline incline(g, mu, slope);
  for (const double alpha : {0.6, 1.7, 2.8}) {
    const double time = incline.stop_time(v, alpha);
    const auto place = incline.stop_place(v, alpha);
    for (const double h : {0.04, 0.02, 0.01}) {
      SliderStudy study(test::tilted(slope), h, 100);
      study.friction(mu).from(1, 2);
      study.start.speed = v;
      study.start.heading = alpha;
      const auto end = slide<Rk4>(study);
      const double near = part * (incline.gn + incline.gs) * h * h;
      EXPECT_EQ(end.status, Status::stopped);
      EXPECT_NEAR(end.summary.stop_time, time, part * h);
      EXPECT_NEAR(end.summary.final_x - 1, place.down * incline.cos, near);
      EXPECT_NEAR(end.summary.lateral_final, place.across, near);
      EXPECT_NEAR(end.summary.path_length, place.path, near);
      // H + V0^2 / 2g = mu cos(b) path
      EXPECT_NEAR(end.summary.drop + v * v / (2 * g), mu * incline.cos * end.summary.path_length, near);
    }
  }
}

/// A run leaves to it only the last of the way, along the fall line; here it is asked for all of it.
TEST(Slider, SlidesToRestByTheClosedFormFromAnySpeed) {
  const double slope = 0.3, mu = 0.5, v = 7, alpha = 1.1;
  const cases::Incline incline(g, mu, slope);
  const SliderStudy study(test::tilted(slope), 0.1, 1);
  const auto at = surface_point(study.world.terrain, study.tables.data(), 0.0, 0.0);
  const SliderState<double> start{0, 0, v * std::cos(alpha) * std::cos(slope), v * std::sin(alpha), 0};
  const auto rest = slide_to_rest(start, sliding(at, start.vx, start.vy, g), v, incline.gn, incline.gs);
  const cases::Incline::Place place = incline.stop_place(v, alpha);
  // Simpson's sum over 2e5 steps of 1e-4 is off by their fourth power, and by 2e5 roundings of some metres.
  EXPECT_NEAR(rest.tau, incline.stop_time(v, alpha), 1e-13);
  EXPECT_NEAR(rest.state.x, place.down * std::cos(slope), 2e-10);
  EXPECT_NEAR(rest.state.y, place.across, 2e-10);
  EXPECT_NEAR(rest.path, place.path, 2e-10);
}

TEST(Slider, StaysWhereFrictionHolds) {
  const double slope = 0.3;
  for (const double mu : {std::tan(slope) * 1.0001, 2.0}) {
    const auto end = slide<Rk4>(SliderStudy(test::tilted(slope), 0.1, 100).friction(mu).from(3, 4));
    EXPECT_EQ(end.status, Status::stopped);
    EXPECT_EQ(end.summary.time, 0);
    EXPECT_EQ(end.summary.runout, 0);
    EXPECT_EQ(end.summary.path_length, 0);
    EXPECT_TRUE(std::isnan(end.summary.apparent_friction));
  }
  // Static friction holds at rest what friction would let go, and does nothing in motion.
  SliderStudy study(test::tilted(slope), 0.1, 4);
  study.friction(0.2);
  EXPECT_EQ(slide<Rk4>(study).status, Status::end_time);
  study.params.static_friction = 0.35;
  EXPECT_EQ(slide<Rk4>(study).status, Status::stopped);
  study.start.speed = -2;  // up the slope: turns, and is held there
  const auto end = slide<Rk4>(study);
  const cases::Incline incline(g, 0.2, slope);
  EXPECT_EQ(end.status, Status::stopped);
  EXPECT_NEAR(end.summary.stop_time, incline.turning_time(2), rounding(end));  // below 1 s, and 1 m
  EXPECT_NEAR(end.summary.runout, incline.turning_distance(2) * incline.cos, rounding(end));
  study.start.speed = 2;
  EXPECT_EQ(slide<Rk4>(study).status, Status::end_time);
}

/// At rest on a slope too steep to hold it, a mass goes down the fall line with what friction leaves of gravity.
TEST(Slider, StartsFromRestInTheDirectionOfImpendingMotion) {
  const double slope = 0.4, mu = 0.3, heading = 0.7;
  const cases::Incline incline(g, mu, slope);
  test::for_all_slider_schemes([&]<class Scheme>(int order) {
    if (order == 1) return;
    const auto end = slide<Scheme>(SliderStudy(test::tilted(slope, heading), 0.05, 3).friction(mu).from(1, 2));
    const double run = 0.5 * (incline.gs - incline.gn) * 9 * incline.cos;  // exact for order 2 on a plane
    EXPECT_NEAR(end.summary.final_x, 1 + run * std::cos(heading), rounding(end) * (1 + run));
    EXPECT_NEAR(end.summary.final_y, 2 + run * std::sin(heading), rounding(end) * (2 + run));
  });
  // On a curved surface the path bends, and the friction's direction with it, fastest at the start. Whole steps come to
  // what short sub-steps give, with order 3 at least; with 1/|V| = 0 at rest the first step would leave an error of
  // order 1. Sub-steps make that first step shorter, and so the error less.
  const auto place = [&](double h, bool whole) {
    SliderStudy study(test::quadric(0.01, 0.03, 0, 0, 0, 0), h, 1.6);
    study.friction(0.2).from(20, -15);
    return slide<Rk4>(whole ? study.whole_steps() : study).lane.state;
  };
  const auto exact = place(0.0005, false);
  const double coarse = test::distance(place(0.04, true), exact), fine = test::distance(place(0.02, true), exact);
  EXPECT_GT(order_of(coarse, fine), 2.5);
  EXPECT_LT(test::distance(place(0.02, false), exact), fine);
}

/// Without a rule for rest the explicit schemes hold |V| near mu g h for ever, and creep. The time of the stop is that
/// of RK4 with a tenth of the step, up to the error of a scheme of order 1: its velocity comes late by h / 2 times what
/// changes, at the rate w = sqrt(2 b g), all the way.
TEST(Slider, DoesNotCreep) {
  // Friction just above the slope of every point of the path's end.
  SliderStudy study(test::quadric(1e-3, 2e-3, 0, 0.0, -0.19, 0), 0.05, 1000);
  study.friction(0.2).from(-30, 4, 6, 3);
  const double h = study.world.step, exact = slide<Rk4>(study.with_step(h / 10)).summary.stop_time;
  test::for_all_slider_schemes([&]<class Scheme>(int) {
    for (const bool whole : {false, true}) {
      const auto end = slide<Scheme>(whole ? SliderStudy(study).whole_steps() : study);
      EXPECT_EQ(end.status, Status::stopped);
      EXPECT_NEAR(end.summary.stop_time, exact, h / 2 * std::sqrt(2 * 2e-3 * g) * exact);
      EXPECT_EQ(end.lane.state.vx, 0);
      EXPECT_EQ(end.lane.state.vy, 0);
    }
  });
}

/// The iteration of the implicit rule does not contract where friction turns the velocity within a step. A valley whose
/// bottom just fails to hold a mass everywhere brings that about.
TEST(Slider, TheImplicitRuleComesToRestToo) {
  for (int i = 0; i < 100; ++i) {
    SliderStudy study(test::quadric(1e-3, 2e-3, 0, 0, -5e-3, 0), 0.1, 400);
    study.friction(0.05).from(200 * std::sin(7.0 * i), 200 * std::sin(11.0 * i));
    study.start.speed = 0.2 * i;
    study.start.heading = 2.3 * i;
    EXPECT_EQ(slide<ImplicitMidpoint>(study).status, Status::stopped) << "sample " << i;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Momentary stops

/// A valley with friction, released on a steep flank: it swings three times, turning where friction cannot hold it.
SliderStudy swing(double h, double heading = 0) {
  const double c = std::cos(heading), s = std::sin(heading), a = 0.05;
  return SliderStudy(test::quadric(a * c * c, a * s * s, 2 * a * c * s, 0, 0, 0), h, 10)
      .friction(0.05)
      .from(-15 * c, -15 * s);
}

TEST(Slider, AMomentaryStopKeepsTheOrderOfTheScheme) {
  test::for_all_slider_schemes([&]<class Scheme>(int order) {
    const auto run = [&](double h) {
      const auto end = slide<Scheme>(swing(h).whole_steps());
      EXPECT_EQ(end.summary.reversals, 2);
      return end.lane.state;
    };
    const double h = order == 1 ? 0.002 : 0.02;
    const auto s1 = run(h), s2 = run(h / 2), s4 = run(h / 4), s8 = run(h / 8);
    const double d1 = test::distance(s1, s2), d2 = test::distance(s2, s4), d3 = test::distance(s4, s8);
    // An error C h^p (1 + a h + ...) has the observed order p + b h, b h about -0.2 for the coarser three of RK4 and
    // less for the others; twice the order at half the step less the order is p up to (b h)^2 = 0.04. The turns cut two
    // steps of 500 at other phases for each h, which moves a difference by up to 1 % and these logarithms by 0.02.
    EXPECT_NEAR(2 * order_of(d2, d3) - order_of(d1, d2), order, 0.06);
  });
}

TEST(Slider, AMomentaryStopDoesNotDependOnTheAxes) {
  const auto along = slide<Rk4>(swing(0.02)), across = slide<Rk4>(swing(0.02, 0.6));
  EXPECT_EQ(across.summary.reversals, 2);
  EXPECT_EQ(along.summary.steps, across.summary.steps);
  // Straight in theory; round-off across the path, of 15 m, is rubbed away by friction.
  EXPECT_NEAR(across.summary.final_x, along.summary.final_x * std::cos(0.6), rounding(across) * 15);
  EXPECT_NEAR(across.summary.final_y, along.summary.final_x * std::sin(0.6), rounding(across) * 15);
}

// ---------------------------------------------------------------------------------------------------------------------
// Loss of contact

SliderStudy dome(double h) { return SliderStudy(test::dome(20), h, 3.5).from(1, 0, 2, 0); }

TEST(Slider, LiftsOffADomeWhereTheReactionVanishes) {
  const double angle = std::asin(1.0 / 20), v0 = 2 / std::cos(angle);
  const cases::DomeLiftoff exact(g, 20, angle, v0);
  for (const bool stops : {false, true}) {
    double errors[2], speed_errors[2];
    for (const int i : {0, 1}) {
      SliderStudy study = dome(i == 0 ? 0.1 : 0.05);
      study.params.stop_at_liftoff = stops;
      const auto end = slide<Rk4>(study);
      EXPECT_EQ(end.status, stops ? Status::lifted_off : Status::end_time);
      EXPECT_EQ(end.summary.lifted_off, 1);
      errors[i] = std::fabs(end.summary.liftoff_x - exact.distance);
      speed_errors[i] = std::fabs(end.summary.liftoff_speed - exact.speed);
      EXPECT_EQ(end.summary.liftoff_y, 0);
      if (stops) {
        EXPECT_EQ(end.summary.final_x, end.summary.liftoff_x);
        EXPECT_EQ(end.summary.time, end.summary.liftoff_time);
        EXPECT_NEAR(end.summary.normal_min, 0, 1e-12);
        EXPECT_EQ(end.summary.negative_time, 0);
      } else {
        // N / m = g cos(psi) - v^2 / R, where v^2 has what the energy says: least at the end, and exact but for a dozen
        // roundings of some 30 m/s^2.
        const double cosine = std::sqrt(1 - std::pow(end.summary.final_x / 20, 2));
        const double square = v0 * v0 + 2 * g * 20 * (std::cos(angle) - cosine) + 2 * end.summary.energy_error;
        EXPECT_NEAR(end.summary.normal_min, g * cosine - square / 20, 12 * epsilon * 30);
        EXPECT_LT(end.summary.normal_min, 0);
        EXPECT_NEAR(end.summary.negative_time, 3.5 - end.summary.liftoff_time, 1e-12);
      }
    }
    EXPECT_GT(order_of(errors[0], errors[1]), 3.5) << "nearer to the order 4 than to any lower one";
    EXPECT_GT(order_of(speed_errors[0], speed_errors[1]), 3.5);
  }
}

TEST(Slider, AReleaseWithoutContactIsLiftedOffAtOnce) {
  SliderStudy study(test::dome(20), 0.01, 0.5);
  study.from(0, 0, 15, 0);  // v^2 > g R
  const auto end = slide<Rk4>(study);
  EXPECT_EQ(end.summary.liftoff_time, 0);
  EXPECT_EQ(end.summary.liftoff_speed, 15);
  EXPECT_NEAR(end.summary.negative_time, 0.5, 1e-15);
  study.params.stop_at_liftoff = 1;
  EXPECT_EQ(slide<Rk4>(study).status, Status::lifted_off);
  EXPECT_EQ(slide<Rk4>(study).summary.time, 0);
}

/// Over hills fast enough to leave the crests, held by the surface. |N| has a kink at each loss and return of contact;
/// steps end there, so RK4 keeps its order with friction too.
TEST(Slider, KeepsTheOrderWhereContactIsLostAndRegained) {
  const auto run = [&](double h) {
    SliderStudy study(test::cosine_hills(2, 0.3, 0.02), h, 4);
    return slide<Rk4>(study.friction(0.2).from(-10, 5, 17, 1));
  };
  const auto s1 = run(0.02), s2 = run(0.01), s4 = run(0.005);
  EXPECT_EQ(s4.status, Status::end_time);
  EXPECT_EQ(s4.summary.lifted_off, 1);
  EXPECT_GT(s4.summary.negative_time, 0.3);
  EXPECT_GT(order_of(test::distance(s1.lane.state, s2.lane.state), test::distance(s2.lane.state, s4.lane.state)), 3.5);
  // So do the time of the crossings and the balance of the energy, which vanishes with the step.
  EXPECT_GT(order_of(std::fabs(s1.summary.negative_time - s2.summary.negative_time),
                     std::fabs(s2.summary.negative_time - s4.summary.negative_time)),
            3.5);
  EXPECT_GT(order_of(std::fabs(s2.summary.energy_error), std::fabs(s4.summary.energy_error)), 3.5);
  // The time with N < 0 by counting steps: right to one step for each of the crossings.
  SliderStudy study(test::cosine_hills(2, 0.3, 0.02), 1e-3, 4);
  study.friction(0.2).from(-10, 5, 17, 1);
  auto lane = Slider<double>::prepare(study.ground(), {study.params, study.start});
  int below = 0;
  while (lane.status == running) {
    test::step<Rk4>(study.world, lane);
    below += Slider<double>::track(study.world, lane).normal < 0;
  }
  EXPECT_NEAR(s4.summary.negative_time, below * 1e-3, 6e-3);
}

TEST(Slider, RunoutIsGivenWithAndWithoutThoseThatLostContact) {
  SliderStudy study(test::cosine_hills(2, 0.3, 0), 0.01, 1000);
  const auto over = slide<Rk4>(study.friction(0.3).from(-10, 0, 17, 0));
  EXPECT_EQ(over.status, Status::stopped);
  EXPECT_EQ(over.summary.lifted_off, 1);
  EXPECT_GT(over.summary.runout, 0);
  EXPECT_TRUE(std::isnan(over.summary.runout_attached));
  const auto within = slide<Rk4>(study.from(-10, 0, 3, 0));
  EXPECT_EQ(within.status, Status::stopped);
  EXPECT_EQ(within.summary.lifted_off, 0);
  EXPECT_TRUE(std::isnan(within.summary.liftoff_time));
  EXPECT_EQ(within.summary.runout_attached, within.summary.runout);
}

// ---------------------------------------------------------------------------------------------------------------------
// Ends and starts

TEST(Slider, EndsAtTheEndExactly) {
  for (const double h : {0.1, 0.3, 7.0}) {
    const auto end = slide<Rk4>(SliderStudy(test::tilted(0.1), h, 1.0).from(0, 0, 1, 2));
    EXPECT_EQ(end.status, Status::end_time);
    EXPECT_EQ(end.summary.time, 1.0);
    EXPECT_EQ(end.summary.steps, h == 0.1 ? 10 : h == 0.3 ? 4 : 1) << "no step of 1e-16 s to end with";
    EXPECT_NEAR(end.summary.final_y, 2, 1e-14);
  }
}

TEST(Slider, EndsWhereTheSurfaceEnds) {
  SliderStudy study(test::dome(20), 0.01, 100);
  const auto end = slide<Rk4>(study.from(1, 0, 2, 0));
  EXPECT_EQ(end.status, Status::left_terrain);
  EXPECT_GE(end.summary.final_x, 20);
}

TEST(Slider, DivergesWhereTheStepIsTooLarge) {
  // 2 a g h^2 = 2e4: each step of RK4 multiplies the swing by more than a thousand.
  const auto end = slide<Rk4>(SliderStudy(test::quadric(10, 10, 0, 0, 0, 0), 10, 1e5).from(1, 2, 3, 4));
  EXPECT_EQ(end.status, Status::diverged);
  // The iteration of the implicit rule does not converge.
  const auto implicit =
      slide<ImplicitMidpoint>(SliderStudy(test::quadric(10, 10, 0, 0, 0, 0), 10, 1e5).from(1, 2, 3, 4));
  EXPECT_EQ(implicit.status, Status::diverged);
}

TEST(Slider, SpeedIsAddedAlongTheSurface) {
  for (const double heading : {0.0, 0.5, -2.0}) {
    SliderStudy study(test::tilted(0.6, 1.0), 0.1, 1);
    study.start.speed = 3;
    study.start.heading = heading;
    const auto lane = Slider<double>::prepare(study.ground(), {study.params, study.start});
    const auto track = Slider<double>::track(study.world, lane);
    EXPECT_NEAR(track.vx * track.vx + track.vy * track.vy + track.vz * track.vz, 9, 1e-14);
    EXPECT_NEAR(track.vz, -3 * std::cos(heading) * std::sin(0.6), 1e-14);
    // left of the fall line, which points to 1.0 from +x
    EXPECT_NEAR(std::cos(1.0) * track.vy - std::sin(1.0) * track.vx, 3 * std::sin(heading), 1e-14);
  }
  SliderStudy level(test::tilted(0), 0.1, 1);
  level.start.speed = 2;
  level.start.heading = 0.3;
  const auto state = Slider<double>::prepare(level.ground(), {level.params, level.start}).state;
  EXPECT_NEAR(state.vx, 2 * std::cos(0.3), 1e-15);
  EXPECT_NEAR(state.vy, 2 * std::sin(0.3), 1e-15);
}

TEST(Slider, SaysWhatIsWrongWithASample) {
  SliderStudy study(test::bowl(20), 0.1, 1);
  const auto mistake = [&] { return Slider<double>::mistake(study.ground(), {study.params, study.start}).text; };
  EXPECT_EQ(mistake(), nullptr);
  study.friction(0.3).params.static_friction = 0.2;
  EXPECT_STREQ(mistake(), "static_friction is below friction");
  study.params.static_friction = 0.3;
  EXPECT_EQ(mistake(), nullptr);
  study.params.stop_at_liftoff = 1;
  study.from(15, 15);
  EXPECT_STREQ(mistake(), "start.position is beyond the surface");
}

}  // namespace
}  // namespace scree
