// The disk against tests/reference/disk.json, which was made by independent codes in extended precision.
#include "support/disks.hpp"
#include "support/reference.hpp"

namespace scree {
namespace {

using test::DiskStudy;
using test::expand;
using test::Expanded;
using test::Json;

Json case_of(const std::string& name) {
  const Json file = test::reference("disk.json");
  for (const Json& c : file["cases"])
    if (c["name"] == name) return c;
  throw std::logic_error("disk.json has no " + name);
}

DiskStudy study_of(const Json& c, double end) {
  const Json& p = c["parameters"];
  DiskStudy study(p["dim"], p["N"], end);
  study.refined(p["M"]).from(p["delta_t"]);
  study.start.radius = p["R0"];
  study.start.speed = p["V_mu"];
  study.params.g_over_m = p["g_over_m"];
  return study;
}

class DiskReference : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Dimensions, DiskReference, testing::Values("disk_1d", "disk_2d"),
                         [](const auto& name) { return std::string(name.param); });

/// The file asks for 1e-14 relative; a velocity passes through 0, so its error counts from V.
TEST_P(DiskReference, StartsWithItsPlacesVelocitiesAndCells) {
  const Json c = case_of(GetParam()), &start = c["initial"];
  const auto lane = study_of(c, 1).prepared();
  ASSERT_EQ(start["x"].size(), 101u);
  ASSERT_EQ(lane.nodes, 101);
  for (std::size_t i = 0; i < start["x"].size(); ++i) {
    const int node = static_cast<int>(i);
    const double x = start["x"][i], v = start["v"][i], q = start["Q"][i];
    EXPECT_NEAR(lane.x[node], x, 1e-14 * x);
    EXPECT_NEAR(lane.v[node], v, 1e-14);
    EXPECT_NEAR(lane.q[node], q, 1e-14 * q);
  }
}

/// The same method with the same step: the file asks for 1e-11.
TEST_P(DiskReference, RungeKuttaGivesTheSameNumbersStepByStep) {
  const Json c = case_of(GetParam()), &fixed = c["rk4_fixed"];
  const Expanded end = expand<DiskRk4>(study_of(c, 1).fixed(fixed["h"]));
  EXPECT_EQ(end.status, Status::end_time);
  EXPECT_EQ(end.summary.steps, fixed["nsteps"].get<double>());
  EXPECT_EQ(end.summary.time, 1);
  EXPECT_LT(test::place_error(end.lane, [&](int i) { return fixed["x"][i].get<double>(); }), 1e-11);
  EXPECT_LT(test::velocity_error(end.lane, [&](int i) { return fixed["v"][i].get<double>(); }), 1e-11);
}

/// With ever shorter steps the numbers of the reference are approached, in order 4 (2).
TEST_P(DiskReference, SchemesConvergeToItWithTheirOrder) {
  const Json c = case_of(GetParam()), &reference = c["reference"];
  ASSERT_EQ(reference["times"].size(), 5u);
  for (std::size_t k = 0; k < reference["times"].size(); ++k) {
    const double end = reference["times"][k], duration = end - c["parameters"]["delta_t"].get<double>();
    const auto errors = [&]<class Scheme>(double h) {
      const Expanded run = expand<Scheme>(study_of(c, end).fixed(duration / std::ceil(duration / h)));
      return std::pair{test::place_error(run.lane, [&](int i) { return reference["x"][k][i].get<double>(); }),
                       test::velocity_error(run.lane, [&](int i) { return reference["v"][k][i].get<double>(); })};
    };
    SCOPED_TRACE(end);
    const auto coarse = errors.template operator()<DiskRk4>(2e-3), fine = errors.template operator()<DiskRk4>(1e-3);
    EXPECT_NEAR(test::order_of(coarse.first, fine.first), 4, 0.2);
    EXPECT_NEAR(test::order_of(coarse.second, fine.second), 4, 0.2);
    const auto leap = errors.template operator()<DiskPositionVerlet>(2e-3),
               frog = errors.template operator()<DiskPositionVerlet>(1e-3);
    EXPECT_NEAR(test::order_of(leap.first, frog.first), 2, 0.2);
    EXPECT_NEAR(test::order_of(leap.second, frog.second), 2, 0.2);
  }
}

/// What the summary says of the nodes, at the start and later: the sums of the reference up to rounding and the error
/// of RK4, which is a fifteenth of what half the step changes, to a factor of two; and what each step's rounding of
/// the places, at random, adds up to beside the narrowest cell.
TEST_P(DiskReference, SummariesAreTheSumsOfTheReference) {
  const Json c = case_of(GetParam());
  using Summary = DiskSummary<double>;
  const auto expect = [&](const Summary& coarse, const Summary& fine, const Json& o) {
    const double energy = o["energy"];
    const double rounding = 4 * std::sqrt(1 + fine.steps) * 0x1p-52 * fine.front / fine.width_min;
    const std::pair<double Summary::*, double> columns[] = {
        {&Summary::front, o["front"]},      {&Summary::front_speed, o["front_speed"]},
        {&Summary::mass, o["mass"]},        {&Summary::energy, energy},
        {&Summary::rms_x, o["rms_x"]},      {&Summary::kinetic_share, o["kinetic"].get<double>() / energy},
        {&Summary::rms_v, o["rms_v"]},      {&Summary::mean_x, o["mean_x"]},
        {&Summary::width_min, o["min_dx"]}, {&Summary::centre_density, o["n_centre"]}};
    for (std::size_t k = 0; k < std::size(columns); ++k) {
      const auto& [column, value] = columns[k];
      EXPECT_NEAR(fine.*column, value, 2 * std::fabs(coarse.*column - fine.*column) / 15 + rounding * std::fabs(value))
          << "observable " << k;
    }
  };
  const auto lane = study_of(c, 1).prepared();
  const Summary start = Disk<double>::summarize({}, lane);
  expect(start, start, c["initial"]["observables"]);
  EXPECT_NEAR(1 / lane.crossing_time, c["initial"]["observables"]["cmax_over_dx"].get<double>(), 1e-11);
  ASSERT_EQ(c["reference"]["times"].size(), 5u);
  for (std::size_t k = 0; k < c["reference"]["times"].size(); ++k) {
    SCOPED_TRACE(c["reference"]["times"][k]);
    const auto with_step = [&](double h) {
      return expand<DiskRk4>(study_of(c, c["reference"]["times"][k]).fixed(h)).summary;
    };
    expect(with_step(1e-3), with_step(5e-4), c["reference"]["observables"][k]);
  }
}

/// The homothetic solutions, whose start the config gives in numbers. RK4's error is that of lambda alone, with
/// sqrt(kappa) h: 1e4 steps of (1e-3)^5 / 120, below rounding; adaptive steps grow with the cells, to 0.06 / kappa at
/// t = 10, where lambda'' has fallen to 1e-3 of the first. The file's own check reaches 5e-15; it asks for 1e-11.
TEST(DiskHomothetic, KeepsItsShapeToTheNumbersOfTheReference) {
  for (const char* name : {"homothetic_1d", "homothetic_2d"}) {
    SCOPED_TRACE(name);
    const Json c = case_of(name), &start = c["initial"];
    const double kappa = c["parameters"]["kappa"];
    const int dimension = c["parameters"]["dim"], n = c["parameters"]["N"];
    const disk_cases::Homothetic exact{dimension, kappa};
    const auto x = start["x"].get<std::vector<double>>(), q = start["Q"].get<std::vector<double>>();
    ASSERT_EQ(x.size(), 31u);
    ASSERT_EQ(q.size(), 31u);
    ASSERT_EQ(c["exact"]["times"].size(), 4u);
    const auto own = exact.q(x);
    for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(own[i], q[i], 1e-14 * q[i]);
    for (const bool adaptive : {false, true})
      for (const double g_over_m : {1.0, 9.81}) {
        std::vector<double> cells;
        for (const double each : q) cells.push_back(each / (2 * g_over_m) * (dimension == 2 ? disk_cases::pi : 1));
        for (std::size_t k = 0; k < c["exact"]["times"].size(); ++k) {
          const double t = c["exact"]["times"][k], lambda = c["exact"]["lam"][k], rate = c["exact"]["lam_dot"][k];
          EXPECT_NEAR(exact.scale(t), lambda, 1e-14 * lambda);
          EXPECT_NEAR(exact.rate(t), rate, 1e-14);
          DiskStudy study(dimension, n, 0.1 + t);  // the clock begins at t0
          study.refined(3).given(&DiskParams<double>::cells, cells);
          study.given(&DiskParams<double>::velocities, std::vector<double>(x.size(), 0.0));
          study.params.g_over_m = g_over_m;
          adaptive ? study.courant(0.01) : study.fixed(1e-3);
          const Expanded end = expand<DiskRk4>(study);
          const auto index = [](int i) { return static_cast<std::size_t>(i); };
          EXPECT_LT(test::place_error(end.lane, [&](int i) { return lambda * x[index(i)]; }), 1e-11);
          EXPECT_LT(test::velocity_error(end.lane, [&](int i) { return rate * x[index(i)]; }), 1e-11);
        }
      }
  }
}

}  // namespace
}  // namespace scree
