// The pendulum of src/systems/README.md, built from the code on that page into a program of its own and run like any
// system. Exact solution for a release at rest from theta_0, with w = sqrt(g / l) and k = sin(theta_0 / 2):
//
//   sin(theta / 2) = k cd(w t, k),   omega_max = 2 k w                   (Landau and Lifshitz, section 11, problem 1)
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace scree {
namespace {

using Json = nlohmann::json;

constexpr double gravity = 9.81, length = 2.0, theta_0 = 2.5, step = 0.001, end = 10.0;

class Pendulum : public Cli {
 protected:
  Json json_of(const std::vector<std::string>& arguments) const {
    const Outcome outcome = scree(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
  /// Runs the config that `scree init` writes, less the `start` that varies, with the length and the times of this
  /// test.
  Json run(const std::string& fixed_start, const std::vector<std::string>& options) const {
    std::string config = scree({"init", "pendulum"}).out;
    const std::size_t theta = config.find("theta = 0.9");
    config.replace(theta, 11, fixed_start);
    write("pendulum.toml", config);
    std::vector<std::string> arguments{"run",   "pendulum.toml", "--json", "--set",   "pendulum.length=2.0",
                                       "--set", "step=0.001",    "--set",  "end=10.0"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return json_of(arguments);
  }
};

TEST_F(Pendulum, IsListedWithWhatItsTableSays) {
  const Json list = json_of({"list", "--json"});
  for (const Json& system : list["systems"]) {
    if (system["name"] != "pendulum") continue;
    EXPECT_EQ(system["params"].size(), 2u);
    EXPECT_EQ(system["starts"].size(), 2u);
    EXPECT_EQ(system["columns"].size(), 5u);
    EXPECT_EQ(system["schemes"].size(), 1u);
    return;
  }
  FAIL() << "scree list does not name it";
}

TEST_F(Pendulum, SwingsAsTheEllipticFunctionsSay) {
  const double w = std::sqrt(gravity / length), k = std::sin(theta_0 / 2);
  const double theta = 2 * std::asin(k * boost::math::jacobi_cd(k, w * end));
  const double energy = gravity * length * (1 - std::cos(theta_0));
  const Json result = run("theta = 2.5", {"--samples", "1"});
  ASSERT_EQ(result["status"]["end_time"], 1);
  const auto value = [&](const char* column) { return result["statistics"][column]["mean"].get<double>(); };
  // A Runge-Kutta step of order 4 leaves about (w h)^5 / 120 rad; 10^4 steps may add up, and a phase error counts up to
  // omega_max / w = 2-fold: 10^4 * 2 * 5.3e-14 / 120 = 1e-11. One order is left for the nonlinearity.
  EXPECT_NEAR(value("theta"), theta, 1e-10);
  EXPECT_NEAR(value("energy"), energy, 1e-10 * energy);
  EXPECT_EQ(value("theta_max"), theta_0);
  // The largest |omega| is read at steps, at most h / 2 from the bottom, where omega'' = -w^2 omega: a part of
  // (w h)^2 / 8 = 6e-7 is missed, and nothing is added beyond the error of the method.
  const double omega_max = 2 * k * w;
  EXPECT_LE(value("omega_max"), omega_max * (1 + 1e-10));
  EXPECT_GE(value("omega_max"), omega_max * (1 - w * w * step * step / 8 - 1e-10));
}

}  // namespace
}  // namespace scree
