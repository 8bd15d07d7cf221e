// Sliders against the reference states of slider_pair.json: Gauss-Legendre collocation of order 30 in long double, and
// Runge-Kutta with fixed steps. Case and example numbers are Gallotti and Tinti's.
#include <algorithm>

#include "src/systems/slider/cases.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/sliders.hpp"

namespace scree {
namespace {

using test::Json;
using test::slide;
using test::SliderStudy;
using State = SliderState<double>;

State state_of(const Json& list) { return {list[0], list[1], list[2], list[3], 0}; }

double largest(const State& s) { return std::max({std::fabs(s.x), std::fabs(s.y), std::fabs(s.vx), std::fabs(s.vy)}); }

Terrain terrain_of(const Json& surface) {
  if (surface["type"] == "sphere_bowl") return test::bowl(surface["R"]);
  return test::quadric(surface["axx"], surface["ayy"], surface["axy"], surface["ax"], surface["ay"], surface["a0"]);
}

SliderStudy study_of(const Json& c, double step, double end) {
  SliderStudy study(terrain_of(c["surface"]), step, end);
  study.params.gravity = c["g"];
  study.friction(c["mu"]);
  const State start = state_of(c["initial"]);
  return study.from(start.x, start.y, start.vx, start.vy);
}

template <class F>
void for_single_masses(F f) {
  int cases = 0;
  const Json all = test::reference("slider_pair.json");
  for (const Json& c : all["cases"]) {
    if (c["model"] != "single") continue;
    SCOPED_TRACE(c["id"].get<std::string>());
    f(c);
    ++cases;
  }
  EXPECT_EQ(cases, 4);
}

/// 100 times the reference's stated error, plus 1e-10 of the state for round-off, plus the truncation C h^p. C from the
/// runs with 2h and 4h: C (4^p - 2^p) h^p = |s(4h) - s(2h)|, doubled, since this holds for h to 0 only.
TEST(SliderReference, EveryStateIsReached) {
  std::size_t states = 0;
  for_single_masses([&](const Json& c) {
    const double h = c["fixed_step_rk"]["dt"].get<double>() / 4;
    ASSERT_EQ(c["states"].size(), c["times"].size());
    states += c["times"].size();
    for (std::size_t k = 0; k < c["times"].size(); ++k) {
      SCOPED_TRACE("t = " + c["times"][k].dump());
      const State exact = state_of(c["states"][k]);
      test::for_all_slider_schemes([&]<class Scheme>(int order) {
        if (order == 1) return;  // an error of metres in these runs, far from h^1
        const SliderStudy study = study_of(c, h, c["times"][k]);
        const auto fine = slide<Scheme>(study);
        const State middle = slide<Scheme>(study.with_step(2 * h)).lane.state;
        const State coarse = slide<Scheme>(study.with_step(4 * h)).lane.state;
        const double truncation = 2 * test::distance(coarse, middle) / (std::pow(4, order) - std::pow(2, order));
        const double allowed =
            100 * c["abs_error_estimate"][k].get<double>() + 1e-10 * std::max(1.0, largest(exact)) + truncation;
        EXPECT_LE(test::distance(fine.lane.state, exact), allowed);
        EXPECT_LE(truncation, (order == 2 ? 2e-3 : 2e-5) * largest(exact)) << "too coarse to show anything";
        if (order == 4) {
          // What follows from a state, of the reference's own: some hundred roundings of terms that are as large.
          auto there = fine.lane;
          there.state = exact;
          const auto track = Slider<double>::track(study.world, there);
          const double energy = c["energy"][k], start = c["energy_initial"], normal = c["normal_force"][k];
          EXPECT_NEAR(track.energy, energy, 1e-13 * (std::fabs(energy) + std::fabs(start)));
          EXPECT_NEAR(track.normal, normal, 1e-13 * std::fabs(normal));
          EXPECT_EQ(fine.summary.energy_end, Slider<double>::track(study.world, fine.lane).energy);
        }
      });
    }
  });
  EXPECT_EQ(states, 23u);
}

/// The steppers and the right-hand side alone, whole steps and no events: the same method as the reference's, so the
/// same numbers up to the growth of round-off.
TEST(SliderReference, PlainRungeKuttaGivesTheSameNumbers) {
  for_single_masses([&](const Json& c) {
    const Json& fixed = c["fixed_step_rk"];
    const double h = fixed["dt"];
    const int steps = static_cast<int>(std::lround(fixed["t"].get<double>() / h));
    const Terrain terrain = terrain_of(c["surface"]);
    const AnySurface surface{terrain, nullptr};
    const SliderMotion<double, AnySurface> motion{surface, c["g"], c["mu"]};
    const auto expect = [&]<class Scheme>(const char* name) {
      SCOPED_TRACE(name);
      State s = state_of(c["initial"]);
      for (int i = 0; i < steps; ++i) s = Scheme::step(s, motion(s), h, motion);
      const State exact = state_of(fixed["state"][name]);
      EXPECT_LE(test::distance(s, exact), 1e-9 * largest(exact));
    };
    expect.template operator()<Rk2Midpoint>("RK2mid");
    expect.template operator()<Rk2Heun>("RK2heun");
    expect.template operator()<Rk3>("RK3kutta");
    expect.template operator()<Rk4>("RK4");
  });
}

TEST(SliderReference, Example2RestsWhereAndWhenItShould) {
  const Json cases = test::reference("slider_pair.json")["cases"];
  const Json& c = *std::find_if(cases.begin(), cases.end(), [](const Json& x) { return x["id"] == "example2"; });
  const Json& rest = c["events"][0];
  const State place = state_of(rest["state"]);
  // Of first order or more, the place is off by less than what a step twice as long changes.
  const auto expect_place = [&](const test::Slid& end, const test::Slid& twice) {
    EXPECT_EQ(end.status, Status::stopped);
    const double dx = std::fabs(twice.summary.final_x - end.summary.final_x),
                 dy = std::fabs(twice.summary.final_y - end.summary.final_y);
    EXPECT_LE(std::fabs(end.summary.final_x - place.x), dx);
    EXPECT_LE(std::fabs(end.summary.final_y - place.y), dy);
    EXPECT_LE(dx + dy, 1e-8 * end.summary.path_length) << "too coarse to show anything";
    EXPECT_EQ(end.lane.state.vx, 0);
    EXPECT_EQ(end.lane.state.vy, 0);
  };
  // It rests once friction would end the motion within the shortest sub-step, 1e-3 h: to that the time is known.
  for (const double h : {0.4, 0.1}) {
    const auto end = slide<Rk4>(study_of(c, h, 1900));
    expect_place(end, slide<Rk4>(study_of(c, 2 * h, 1900)));
    EXPECT_NEAR(end.summary.stop_time, rest["t"].get<double>(), 1e-3 * h);
  }
  // Without sub-steps it stops too, if less precisely: within a step of the time.
  const auto coarse = slide<Rk4>(study_of(c, 0.1, 1900).whole_steps());
  expect_place(coarse, slide<Rk4>(study_of(c, 0.2, 1900).whole_steps()));
  EXPECT_NEAR(coarse.summary.stop_time, rest["t"].get<double>(), 0.1);
}

TEST(SliderReference, Case2TurnsWhereAndWhenItShould) {
  const Json cases = test::reference("slider_pair.json")["cases"];
  const Json& c = *std::find_if(cases.begin(), cases.end(), [](const Json& x) { return x["id"] == "case2"; });
  const Json& event = c["events"][0];
  // RK4 is exact on a plane; the run ends just after the turn, so that the state is all but that of the event.
  const double after = 1e-6, t = event["t"];
  const auto end = slide<Rk4>(study_of(c, 0.05, t + after));
  EXPECT_EQ(end.summary.reversals, 1);
  EXPECT_NEAR(end.lane.state.x, state_of(event["state"]).x, 1e-9);
  const slider_cases::Incline slope(c["g"], c["mu"], -std::atan(c["surface"]["ax"].get<double>()));
  EXPECT_NEAR(end.lane.state.vx / after, (slope.gs - slope.gn) * slope.cos, 1e-6);
}

}  // namespace
}  // namespace scree
