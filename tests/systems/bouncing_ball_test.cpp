// The ball of docs/bouncing_ball.md, built from the code on that page into a program of its own. Without drag a ball
// that is released at rest in a gap h above a plane that falls by alpha meets it at
//
//   T_1 = sqrt(2 h / g_n),   T_k+1 = T_k + 2 e^k sqrt(2 h / g_n),   g_n = g cos(alpha),
//
// and goes g sin(alpha) T^2 / 2 along the plane, if impacts take nothing of that (e_t = 1): in the frame of the plane
// both directions fall by themselves.
#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "src/integrate.hpp"
#include "src/steppers/rk4.hpp"
#include "tests/cli/program.hpp"

namespace scree {
namespace {

using Json = nlohmann::json;

constexpr double gravity = 9.81, gap = 10;

class BouncingBall : public Cli {
 protected:
  /// Runs one ball on a plane; its columns.
  Json ball(double slope, const std::vector<std::string>& sets, const std::string& scheme = "rk4",
            const std::vector<std::string>& options = {}) const {
    write("ball.toml",
          "system = \"bouncing_ball\"\nscheme = \"rk4\"\nsamples = 1\nstep = 0.01\nend = 60\n[terrain]\nkind = "
          "\"plane\"\nslope = " +
              std::to_string(slope) +
              "\n[bouncing_ball]\ntangential = 1\n[start]\nposition = [0, 0]\ngap = 10\nvelocity = [0, 0, 0]\n");
    std::vector<std::string> arguments{"run", "ball.toml", "--json", "--quiet", "--scheme", scheme};
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = scree(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
  static double value(const Json& run, const char* column) { return run["statistics"][column]["mean"].get<double>(); }
};

TEST_F(BouncingBall, MeetsAPlaneWhenAndWhereItsClosedFormSays) {
  for (const double slope : {0.0, 30.0, 60.0})
    for (const char* step : {"step=0.1", "step=0.01", "step=0.37"}) {
      const Json run = ball(slope, {step, "bouncing_ball.restitution=0.6"});
      ASSERT_EQ(run["status"]["stopped"], 1) << slope;
      const double cosine = std::cos(slope * M_PI / 180), sine = std::sin(slope * M_PI / 180);
      // e^k sqrt(2 g_n h) is the rebound of the impact k, of which the first below 0.01 m/s is the last.
      const double first = std::sqrt(2 * gap / (gravity * cosine)), speed = gravity * cosine * first;
      const int bounces = static_cast<int>(std::ceil(std::log(0.01 / speed) / std::log(0.6)));
      double time = first;
      for (int k = 1; k < bounces; ++k) time += 2 * std::pow(0.6, k) * first;
      EXPECT_EQ(value(run, "bounces"), bounces);
      // The method is exact for these forces. A rounding of the place, some 2^-52 of 100 m, is a time of that over the
      // speed of the impact, at last 0.02 m/s, and the next flights hand it on: 2.2e-14 / 0.02 = 1e-12 each, and a step
      // of the sum of 600 steps no more. An order is left.
      EXPECT_NEAR(value(run, "last_impact"), time, 1e-10);
      EXPECT_NEAR(value(run, "time"), time, 1e-10);
      const double along = gravity * sine * time * time / 2;
      EXPECT_NEAR(value(run, "runout"), std::abs(along * cosine - gap * sine), 1e-8);
    }
}

/// Air with drag is no polynomial: places and times of impacts have the order of the scheme.
TEST_F(BouncingBall, HasImpactsOfTheOrderOfTheScheme) {
  const std::vector<std::pair<std::string, double>> schemes{{"rk4", 4}, {"euler_cromer", 1}};
  for (const auto& [scheme, order] : schemes) {
    const auto impact = [&](double step) {
      return value(ball(20, {"bouncing_ball.drag=0.8", "end=3.1", "step=" + std::to_string(step)}, scheme),
                   "last_impact");
    };
    const double coarse = impact(0.05), half = impact(0.025), quarter = impact(0.0125);
    EXPECT_NEAR(std::log2(std::abs((coarse - half) / (half - quarter))), order, 0.3) << scheme;
  }
}

TEST_F(BouncingBall, KeepsItsEnergyWhereImpactsTakeNone) {
  const Json run = ball(0, {"bouncing_ball.restitution=1", "end=50"});
  ASSERT_EQ(run["status"]["end_time"], 1);
  EXPECT_EQ(value(run, "bounces"), 1 + std::floor((50 / std::sqrt(2 * gap / gravity) - 1) / 2));
  // Of 18 impacts, each located to 2^-52 of its time.
  EXPECT_NEAR(value(run, "energy"), gravity * gap, 1e-11 * gravity * gap);
  EXPECT_EQ(value(run, "time"), 50);
}

TEST_F(BouncingBall, StopsAtOnceWhereItLies) {
  const Json run = ball(0, {"start.gap=0"});
  ASSERT_EQ(run["status"]["stopped"], 1);
  EXPECT_EQ(value(run, "bounces"), 1);
  EXPECT_EQ(value(run, "time"), 0);
}

TEST_F(BouncingBall, DoesNotFallThroughWhereNothingReboundsOrTooMuchDoes) {
  // Without restitution the first impact is the last. With one of nearly 1 a step of a second has a hundred.
  const Json dead = ball(10, {"bouncing_ball.restitution=0"});
  ASSERT_EQ(dead["status"]["stopped"], 1);
  EXPECT_EQ(value(dead, "bounces"), 1);
  const Json lively = ball(0, {"step=1", "start.gap=0.001", "bouncing_ball.restitution=0.99", "end=20"});
  ASSERT_EQ(lively["status"]["stopped"], 1);
  EXPECT_EQ(value(lively, "bounces"), std::ceil(std::log(0.01 / std::sqrt(2 * gravity * 0.001)) / std::log(0.99)));
  EXPECT_NEAR(value(lively, "final_z"), 0, 1e-15);
}

/// Where impacts take nothing, number k is at (2 k - 1) T_1. A step follows 1000: of a second that is all of them if
/// the next one, at 2001 T_1, is later.
TEST_F(BouncingBall, EndsAtTheLastImpactThatAStepFollows) {
  const std::vector<std::string> lively{"step=1", "end=1", "bouncing_ball.restitution=1",
                                        "bouncing_ball.rest_speed=1e-9"};
  for (const bool has_more : {true, false}) {
    const double first = (1 + (has_more ? -1e-6 : 1e-6)) / 2001, height = gravity * first * first / 2;
    std::ostringstream set;
    set << std::setprecision(17) << "start.gap=" << height;
    std::vector<std::string> sets = lively;
    sets.push_back(set.str());
    const Json run = ball(0, sets);
    EXPECT_EQ(run["status"][has_more ? "not_converged" : "end_time"], 1) << run["status"];
    EXPECT_EQ(value(run, "bounces"), 1000);
    // Each impact rounds a time of up to 1 s, and in some four operations the energy.
    EXPECT_NEAR(value(run, "last_impact"), 1999 * first, 1000 * 0x1p-53);
    EXPECT_NEAR(value(run, "time"), has_more ? 1999 * first : 1, 1000 * 0x1p-53);
    EXPECT_NEAR(value(run, "energy"), gravity * height, 4000 * 0x1p-53 * gravity * height);
    EXPECT_GE(value(run, "final_z"), -1e-15) << "not below the ground";
    std::vector<std::string> arguments{"run", "ball.toml", "--quiet"};
    for (const std::string& given : sets) arguments.insert(arguments.end(), {"--set", given});
    const Outcome screen = scree(arguments);
    const char* said = "1 of 1 sample diverged or did not converge: see their statuses";
    EXPECT_EQ(screen.out.find(said) != std::string::npos, has_more) << screen.out;
  }

  // Of a hundred in the same packs some have more and some do not: the same bits on all backends.
  std::vector<std::string> mixed = lively;
  mixed.insert(mixed.end(), {"samples=100", "vary.\"start.gap\"={ uniform = [5e-7, 2e-6] }"});
  const Json scalar = ball(0, mixed, "rk4", {"--backend", "scalar", "--isa", "baseline"});
  EXPECT_GT(scalar["status"]["not_converged"], 10);
  EXPECT_GT(scalar["status"]["end_time"], 10);
  EXPECT_EQ(scalar["statistics"]["bounces"]["max"], 1000);
  for (const char* isa : {"baseline", "auto"})
    EXPECT_EQ(ball(0, mixed, "rk4", {"--backend", "pack", "--isa", isa})["digest"], scalar["digest"]) << isa;
}

TEST_F(BouncingBall, LeavesAGridAtItsEdge) {
  write("slope.asc", "ncols 3\nnrows 3\nxllcenter 0\nyllcenter 0\ncellsize 10\n0 -10 -20\n0 -10 -20\n0 -10 -20\n");
  const Json run = ball(0, {"terrain={ kind = \"grid\", file = \"slope.asc\" }", "start.position=[5, 5]",
                            "bouncing_ball.restitution=0.8"});
  ASSERT_EQ(run["status"]["left_terrain"], 1) << run["status"];
  EXPECT_GT(value(run, "final_x"), 20);
  EXPECT_GE(value(run, "bounces"), 1);
}

/// Where the ground has creases a ball may come to one within a small part of a step of its impact.
TEST_F(BouncingBall, DoesNotFallThroughTheFootOfARampOrAValley) {
  write("valley.asc", "ncols 5\nnrows 3\nxllcenter 0\nyllcenter 0\ncellsize 10\n" +
                          std::string("20 10 0 10 20\n20 10 0 10 20\n20 10 0 10 20\n"));
  const std::vector<std::vector<std::string>> grounds{
      {"terrain={ kind = \"ramp\", slope = 40, height = 100 }", "vary.\"start.gap\"={ uniform = [1, 20] }",
       "start.velocity=[1, 0, 0]"},
      {"terrain={ kind = \"grid\", file = \"valley.asc\" }", "vary.\"start.gap\"={ uniform = [0.5, 3] }",
       "start.position=[12, 10]", "start.velocity=[0, 0, 0]", "bouncing_ball.tangential=0.8"}};
  for (const std::vector<std::string>& ground : grounds)
    for (const char* step : {"step=0.01", "step=0.1"}) {
      std::vector<std::string> sets = ground;
      sets.insert(sets.end(), {step, "samples=20000", "bouncing_ball.restitution=0.6"});
      const Json run = ball(0, sets);
      EXPECT_EQ(run["status"]["stopped"], 20000) << run["status"];
      EXPECT_GT(run["statistics"]["final_z"]["min"].get<double>(), -1e-9);
    }
}

/// One of nobody's: a pendulum that counts how often it passes its lowest point from the left.
template <class Real>
struct Passing {
  using Schemes = SchemeList<Rk4>;
  struct Params {
    Real unused;
  };
  struct Start {
    Real theta;
  };
  struct State {
    Real theta, omega;
  };
  struct Summary {
    Real passages, first, last;
  };
  struct Track {
    Real theta;
  };

  HOST_DEVICE static State initial(const World&, const Params&, const Start& start) { return {start.theta, Real(0.0)}; }
  HOST_DEVICE static State derivative(const Params&, const State& s) { return {s.omega, -s.theta}; }
  HOST_DEVICE static Real event(const World&, const Params&, const State& s) { return -s.theta; }
  HOST_DEVICE static Mask<Real> at_event(const World&, const Params&, State&, const Real& t, Summary& summary) {
    const Real zero = Real(0.0);
    summary.first = select(summary.passages == zero, t, summary.first);
    summary.last = t;
    summary.passages = summary.passages + Real(1.0);
    return t < zero;
  }
  HOST_DEVICE static void observe(const Params&, const State&, const Real&, Summary&) {}
  HOST_DEVICE static Track track(const Params&, const State& s) { return {s.theta}; }
};

/// A number that falls at `speed`, and where it reaches 0 is `back` more.
template <class Real>
struct Falling {
  using Schemes = SchemeList<Rk4>;
  struct Params {
    Real speed, back;
  };
  struct Start {
    Real x;
  };
  struct State {
    Real x, unused;
  };
  struct Summary {
    Real events;
  };
  struct Track {
    Real x;
  };

  HOST_DEVICE static State initial(const World&, const Params&, const Start& start) { return {start.x, Real(0.0)}; }
  HOST_DEVICE static State derivative(const Params& p, const State&) { return {-p.speed, Real(0.0)}; }
  HOST_DEVICE static Real event(const World&, const Params&, const State& s) { return s.x; }
  HOST_DEVICE static Mask<Real> at_event(const World&, const Params& p, State& s, const Real& t, Summary& summary) {
    summary.events = summary.events + Real(1.0);
    s.x = s.x + p.back;
    return t < Real(0.0);
  }
  HOST_DEVICE static void observe(const Params&, const State&, const Real&, Summary&) {}
  HOST_DEVICE static Track track(const Params&, const State& s) { return {s.x}; }
};

double events_of(double x, double speed, double back, double step, double end) {
  using Phases = Smooth<Falling, double>;
  World world{};
  world.step = step;
  world.end = end;
  Sample<Falling<double>> sample{};
  sample.params = {speed, back};
  sample.start.x = x;
  Phases::Lane lane = Phases::prepare(world, sample);
  Step<Phases, Rk4>::run(world, lane);
  EXPECT_EQ(lane.status, static_cast<double>(Status::end_time));
  return lane.summary.events;
}

TEST(Events, AtTheEndOfAStepComeOnce) {
  int events = 0;
  for (int k = -200; k <= 200; ++k)
    for (const double root : {0.1, 0.2, 0.7})
      events += static_cast<int>(events_of(root * (1 + k * 0x1p-53), 1, 0, 0.1, 1));
  EXPECT_EQ(events, 3 * 401);
}

TEST(Events, ThatPutTheStateElsewhereGoOn) {
  EXPECT_EQ(events_of(0.9, 3, 1, 0.5, 20), 60);  // at 0.3, 0.3 + 1/3, ... before 20: some within a step, some two
  EXPECT_EQ(events_of(0.9, 5, 1, 0.5, 20), 100);
}

/// x = -cos(t) rises through 0 at pi/2 + 2 pi k.
TEST(Events, OfAPassageComeOnceInEachPeriod) {
  using Phases = Smooth<Passing, double>;
  std::vector<double> errors;
  for (const double step : {0.1, 0.05}) {
    World world{};
    world.step = step;
    world.end = 100;
    Sample<Passing<double>> sample{};
    sample.start.theta = -1;
    Phases::Lane lane = Phases::prepare(world, sample);
    Step<Phases, Rk4>::run(world, lane);
    EXPECT_EQ(lane.status, static_cast<double>(Status::end_time));
    EXPECT_EQ(lane.summary.passages, 16) << "in 100 / (2 pi) = 15.9 periods, the first after a quarter";
    errors.push_back(std::abs(lane.summary.last - M_PI * 30.5));
    // The phase error of a step is h^5 / 120.
    EXPECT_NEAR(lane.summary.first, M_PI / 2, M_PI / 2 * std::pow(step, 4) / 100);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4, 0.1);
}

}  // namespace
}  // namespace scree
