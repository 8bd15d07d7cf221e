// The pendulum of src/systems/README.md, built from the code on that page into a program of its own and run like any
// system. Exact solution for a release at rest from theta_0, with w = sqrt(g / l) and k = sin(theta_0 / 2):
//
//   sin(theta / 2) = k cd(w t, k),   omega_max = 2 k w                   (Landau and Lifshitz, section 11, problem 1)
#include <gtest/gtest.h>

#include <array>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

namespace {

constexpr double gravity = 9.81, length = 2.0, theta_0 = 2.5, step = 0.001, end = 10.0;

/// What the program prints on stdout; fails the test unless it exits with 0.
std::string output_of(const std::string& arguments) {
  std::FILE* pipe = ::popen((SCREE_PROGRAM " " + arguments).c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot start " SCREE_PROGRAM);
  std::string text;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) text.append(buffer.data(), n);
  EXPECT_EQ(::pclose(pipe), 0) << arguments;
  return text;
}

/// A config as `scree init` writes it, with the settings of this test on the command line.
class Pendulum : public testing::Test {
 protected:
  void SetUp() override { output_of("init pendulum > " + config_); }
  void TearDown() override { std::remove(config_.c_str()); }
  std::string settings() const {
    return config_ + " --set pendulum.length=2.0 --set start.theta=2.5 --set step=0.001 --set end=10.0";
  }
  nlohmann::json run(const std::string& options) const {
    return nlohmann::json::parse(output_of("run " + settings() + " --json --quiet " + options));
  }

  const std::string config_ =
      testing::TempDir() + "scree_pendulum_" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml";
};

TEST_F(Pendulum, IsListedWithWhatItsTableSays) {
  const auto systems = nlohmann::json::parse(output_of("list --json"));
  for (const auto& system : systems) {
    if (system["name"] != "pendulum") continue;
    EXPECT_EQ(system["params"].size(), 2u);
    EXPECT_EQ(system["starts"].size(), 2u);
    EXPECT_EQ(system["columns"].size(), 5u);
    EXPECT_EQ(system["schemes"].size(), 1u);
    return;
  }
  FAIL() << "no pendulum in " << systems.dump();
}

TEST_F(Pendulum, SwingsAsTheEllipticFunctionsSay) {
  const double w = std::sqrt(gravity / length), k = std::sin(theta_0 / 2);
  const double theta = 2 * std::asin(k * boost::math::jacobi_cd(k, w * end));
  const double energy = gravity * length * (1 - std::cos(theta_0));
  const auto result = run("--samples 1");
  ASSERT_EQ(result["status"]["end_time"], 1);
  const auto mean = [&](const char* column) { return result["statistics"][column]["mean"].get<double>(); };
  // A Runge-Kutta step of order 4 leaves about (w h)^5 / 120 rad; 10^4 steps may add up, and a phase error counts up to
  // omega_max / w = 2-fold: 10^4 * 2 * 5.4e-14 / 120 = 1e-11. One order is left for the nonlinearity.
  EXPECT_NEAR(mean("theta"), theta, 1e-10);
  EXPECT_NEAR(mean("energy"), energy, 1e-10 * energy);
  EXPECT_EQ(mean("theta_max"), theta_0);
  // The largest |omega| is read at steps, at most h / 2 from the bottom, where omega'' = -w^2 omega: a part of
  // (w h)^2 / 8 = 6e-7 is missed, and nothing is added beyond the error of the method.
  const double omega_max = 2 * k * w;
  EXPECT_LE(mean("omega_max"), omega_max * (1 + 1e-10));
  EXPECT_GE(mean("omega_max"), omega_max * (1 - w * w * step * step / 8 - 1e-10));
}

TEST_F(Pendulum, HasTheSameBitsOnOneThreadAndOnSeveral) {
  const std::string varied = "--samples 100 --set 'vary.start.theta={ uniform = [0.1, 3.0] }' --threads ";
  const auto one = run(varied + "1"), three = run(varied + "3");
  EXPECT_EQ(one["digest"], three["digest"]);
  EXPECT_GT(one["statistics"]["theta_max"]["sd"].get<double>(), 0.5);
}

}  // namespace
