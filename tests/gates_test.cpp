// Gates: crossings that are known in closed form, and the same bits from every backend.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "host/common/text_input.hpp"
#include "host/statistics/gates.hpp"
#include "host/statistics/intervals.hpp"
#include "tests/support/mapped.hpp"

namespace scree {
namespace {

using test::Json;
using test::map_case;
using test::mapped;
using test::mapped_engine;

class Gates : public test::MappedRun {};

std::string line_text(const Json& line) { return "[[gate]]\nname = 'g'\nline = " + line.dump() + "\n"; }

/// A rock as the reference has it, thrown from so high that it meets nothing.
std::string thrown(const Json& given, const std::string& start, const std::string& more) {
  const Json& shape = given["shape"];
  return "system = 'rock'\nscheme = 'implicit'\nsamples = 1\nstep = 0.01\nend = 3.2\n[terrain]\nkind = 'plane'\n"
         "slope = 0\n[[shape]]\nkind = 'cuboid'\nsize = " +
         shape["size"].dump() + "\nmass = " + shape["mass"].dump() + "\n[start]\n" + start + more;
}

TEST_F(Gates, LocateFlightsOverABentLineAtAnyStep) {
  const Json& given = map_case("flight_over_gate");
  for (const Json& row : given["rows"])
    for (const char* step : {"0.002", "0.01", "0.16"}) {
      SCOPED_TRACE(row.dump() + " step " + step);
      const scree::Run run = load(
          thrown(given,
                 "position = " + row["start"]["position"].dump() + "\nvelocity = " + row["start"]["velocity"].dump() +
                     "\nomega = " + given["omega"].dump() + "\n",
                 line_text(given["line"])),
          {std::string("step=") + step});
      const Arm arm = mapped(run, mapped_engine(run));
      const GateTable& table = arm.gates->tables()[0];
      if (row["crossings"] == 0) {
        EXPECT_TRUE(table.sample.empty());
        continue;
      }
      ASSERT_EQ(table.sample.size(), 1u);
      const auto expect = [&](const char* column, const Json& value, double tolerance) {
        EXPECT_NEAR(table.column(column)[0], value, tolerance) << column;
      };
      // Round-off of up to 1600 steps of places of some 300 m, speeds of some 30 m/s and energies of some 4e5 J.
      const double round_off = 1600 * 0x1p-53;
      expect("crossings", row["crossings"], 0);
      expect("time", row["time"], 3 * round_off);
      for (const char* place : {"offset", "x", "y", "z", "height"}) expect(place, row[place], 300 * round_off);
      expect("vx", row["velocity"][0], 30 * round_off);
      expect("vy", row["velocity"][1], 30 * round_off);
      expect("vz", row["velocity"][2], 30 * round_off);
      expect("speed", row["speed"], 30 * round_off);
      expect("translational_energy", row["translational_energy"], 4e5 * round_off);
      expect("rotational_energy", row["rotational_energy"], 4e5 * round_off);
      expect("kinetic_energy", row["kinetic_energy"], 4e5 * round_off);
      expect("angle", row["angle_to_horizontal"], 4 * round_off);
      expect("incidence", row["angle_to_normal"], 4 * round_off);
    }
}

TEST_F(Gates, AreCrossedByFlightsAsOftenAsTheirLawSays) {
  const Json& given = map_case("flight_laws");
  const Json& across = given["normal_across"];
  const int n = 20000;
  const double width = given["width"], x = given["x_gate"];
  const std::string gate = "[[gate]]\nname = 'g'\nline = [[" + number_text(x) + ", " + number_text(width / 2) + "], [" +
                           number_text(x) + ", " + number_text(-width / 2) + "]]\n";
  const std::string rock =
      "system = 'rock'\nscheme = 'implicit'\nsamples = " + std::to_string(n) +
      "\nstep = 0.1\nend = 4.5\n[terrain]\nkind = 'plane'\nslope = 0\n[[shape]]\nkind = 'cuboid'\nsize = [0.5, 0.5, "
      "0.5]\nmass = 300\n[start]\nposition = [0, 0, " +
      number_text(given["z0"]) + "]\n";
  const scree::Run spread =
      load(rock + "velocity = [" + number_text(across["vx"]) + ", 0, 0]\n[vary]\n" + "'velocity.y' = { normal = [0, " +
           number_text(across["vy_normal"][1]) + "] }\n" + gate);
  const Arm arm = mapped(spread, mapped_engine(spread));
  const GateFacts& facts = arm.gate_facts[0];
  const double p = across["crossing_probability"];
  EXPECT_LE(std::fabs(static_cast<double>(facts.crossed) - n * p), 4.5 * std::sqrt(n * p * (1 - p)));
  for (const double time : arm.gates->tables()[0].column("time")) ASSERT_NEAR(time, across["time"], 1e-12);

  const Json& along = given["uniform_along"];
  const scree::Run fast = load(rock + "[vary]\n'velocity.x' = { uniform = [" + number_text(along["vx_uniform"][0]) +
                               ", " + number_text(along["vx_uniform"][1]) + "] }\n" + gate);
  const Arm ahead = mapped(fast, mapped_engine(fast));
  const GateTable& table = ahead.gates->tables()[0];
  ASSERT_EQ(table.sample.size(), static_cast<std::size_t>(n));  // all cross
  const std::vector<double>& times = table.column("time");
  for (const auto& [level, value] : along["time_quantiles"].items()) {
    const double q = std::stod(level);
    const auto below = std::ranges::count_if(times, [&](double time) { return time <= static_cast<double>(value); });
    EXPECT_LE(std::fabs(static_cast<double>(below) - n * q), 4.5 * std::sqrt(n * q * (1 - q))) << level;
  }
}

TEST_F(Gates, LocateSlidersThatStop) {
  const Json& given = map_case("friction_fan_east");
  const Json& gate = given["gate"];
  write_table(given["table"]);
  for (const char* step : {"0.01", "0.25"}) {
    SCOPED_TRACE(step);
    const scree::Run run = load(test::fan_config(given, given["friction"], 0.01, 30, "") + line_text(gate["line"]),
                                {std::string("step=") + step});
    const Arm arm = mapped(run, mapped_engine(run));
    const GateFacts& facts = arm.gate_facts[0];
    const GateTable& table = arm.gates->tables()[0];
    EXPECT_EQ(facts.crossed, gate["crossed"]);
    EXPECT_EQ(facts.n, gate["samples"]);
    EXPECT_NEAR(facts.interval.low, gate["wilson"][0], 1e-12);
    EXPECT_NEAR(facts.interval.high, gate["wilson"][1], 1e-12);
    for (std::size_t k = 0; k < gate["first_rows"].size(); ++k) {
      const Json& row = gate["first"][k];
      EXPECT_EQ(table.sample[k], gate["first_rows"][k]);
      EXPECT_NEAR(table.column("time")[k], row["time"], 1e-11);
      EXPECT_NEAR(table.column("offset")[k], row["offset"], 1e-11);
      EXPECT_NEAR(table.column("speed")[k], row["speed"], 1e-10);
      EXPECT_NEAR(table.column("kinetic_energy")[k], row["specific_energy"], 1e-10);
      EXPECT_NEAR(table.column("height")[k], 0, 1e-12);
    }
    for (const auto& [name, column] :
         {std::pair{"specific_energy", "kinetic_energy"}, {"offset", "offset"}, {"time", "time"}}) {
      const ColumnStatistics& s = facts.columns[gate_column(column)];
      const Json& expected = gate[name];
      EXPECT_EQ(s.n, expected["n"]);
      EXPECT_NEAR(s.mean, expected["mean"], 1e-10) << name;
      EXPECT_NEAR(s.sd, expected["sd"], 1e-10) << name;
      EXPECT_NEAR(s.min, expected["min"], 1e-10) << name;
      EXPECT_NEAR(s.max, expected["max"], 1e-10) << name;
      for (const auto& [level, value] : expected["type7"].items()) {
        std::vector<double> values = table.column(column);
        std::ranges::sort(values);
        EXPECT_NEAR(quantile_of(values, std::stod(level)), value, 1e-10) << name << ' ' << level;
      }
    }
    for (const Json& point : gate["exceedance"]) {
      const Exceedance found = exceedance_of(table, "kinetic_energy", point["above"], facts.n);
      EXPECT_NEAR(found.share, point["of_all"], 1e-12) << point.dump();
    }
  }
}

TEST_F(Gates, WeighSlidersOnASlopeByTheirLaw) {
  const Json& given = map_case("slope_line");
  const Json& gate = given["gate"];
  const int n = 20000;
  const scree::Run run =
      load("system = 'slider'\nscheme = 'rk4'\nsamples = " + std::to_string(n) +
           "\nstep = 0.05\nend = 60\n[terrain]\n" + "kind = 'plane'\nslope = " + number_text(given["slope_degrees"]) +
           "\n[slider]\nfriction = " + number_text(given["friction"]) +
           "\n[start]\nposition = [0, 0]\n[vary]\nspeed = { uniform = [" + number_text(given["speed_uniform"][0]) +
           ", " + number_text(given["speed_uniform"][1]) + "] }\n[[gate]]\nname = 'g'\nline = [[10, -5], [10, 5]]\n");
  const Arm arm = mapped(run, mapped_engine(run));
  const GateFacts& facts = arm.gate_facts[0];
  const GateTable& table = arm.gates->tables()[0];
  const double p = gate["crossing_probability"];
  EXPECT_LE(std::fabs(static_cast<double>(facts.crossed) - n * p), 4.5 * std::sqrt(n * p * (1 - p)));
  EXPECT_LE(facts.columns[gate_column("kinetic_energy")].max, static_cast<double>(gate["specific_energy_max"]) + 1e-9);
  const std::vector<double>& energies = table.column("kinetic_energy");
  const double crossed = static_cast<double>(energies.size());
  for (const auto& [level, value] : gate["specific_energy_quantiles"].items()) {
    const double q = std::stod(level);
    const auto below = std::ranges::count_if(energies, [&](double e) { return e <= static_cast<double>(value); });
    EXPECT_LE(std::fabs(static_cast<double>(below) - crossed * q), 4.5 * std::sqrt(crossed * q * (1 - q))) << level;
  }
  for (const Json& point : gate["exceedance"]) {
    const double share = point["of_all"];
    EXPECT_LE(std::fabs(exceedance_of(table, "kinetic_energy", point["above"], facts.n).share - share),
              4.5 * std::sqrt(share * (1 - share) / n));
  }
}

/// Rocks that bounce down a ramp over three lines, one of them along their way.
const std::string gated_rocks =
    "system = 'rock'\nscheme = 'implicit'\nsamples = 120\nstep = 0.005\nend = 12.0\n[terrain]\nkind = 'ramp'\n"
    "slope = 40\nheight = 40\n[rock]\nground = 'medium'\n[[shape]]\nkind = 'eota'\nsize = [1, 1, 1]\nmass = 700\n"
    "[start]\nposition = [0, 0]\ngap = 2\n[vary]\norientation = 'uniform'\n[[gate]]\nname = 'bent'\n"
    "line = [[20, 30], [24, 0], [20, -30]]\n[[gate]]\nname = 'along'\nline = [[5, 0.5], [90, 0.5]]\n[[gate]]\n"
    "name = 'far'\nline = [[500, -1], [500, 1]]\n";
/// Sliders that cross the middle of a bowl again and again.
const std::string gated_sliders =
    "system = 'slider'\nscheme = 'rk4'\nsamples = 60\nstep = 0.02\nend = 30.0\n[terrain]\nkind = 'bowl'\n"
    "radius = 20\n[slider]\nfriction = 0.01\n[vary]\n'position.x' = { uniform = [-8, -2] }\n"
    "'position.y' = { uniform = [-3, 3] }\n[[gate]]\nname = 'middle'\nline = [[0, 9], [0, -9]]\n";

/// Sliders over hills that they lose contact with, so that steps are taken back, across a line that turns back and
/// forth.
const std::string gated_hills = [] {
  std::string line;
  for (int k = 0; k <= 60; ++k)
    line += (k == 0 ? "[" : ", [") + number_text(-15 + 0.5 * k) + ", " + (k % 2 == 0 ? "-15" : "15") + "]";
  return "system = 'slider'\nscheme = 'rk4'\nsamples = 60\nstep = 0.2\nend = 8.0\n[terrain]\nkind = 'cosine'\n"
         "amplitude = 1.5\nwavelength_x = 9\nwavelength_y = 11\n[vary]\n'position.x' = { uniform = [-5, 5] }\n"
         "'position.y' = { uniform = [-5, 5] }\n'velocity.x' = { uniform = [-7, 7] }\n"
         "'velocity.y' = { uniform = [-7, 7] }\n[[gate]]\nname = 'comb'\nline = [" +
         line + "]\n";
}();

class EveryGate : public Gates, public testing::WithParamInterface<const std::string*> {};

TEST_P(EveryGate, HasTheSameBitsFromEveryBackend) {
  const scree::Run run = load(*GetParam());
  const Arm first = mapped(run, mapped_engine(run, "scalar"));
  scree::Run without = run;
  without.gates.clear();
  EXPECT_EQ(mapped(without, mapped_engine(run)).digest, first.digest);
  EXPECT_GT(first.gates->tables()[0].sample.size(), run.samples / 2);
  test::on_every_cpu_backend(run, {1, 7}, [&](const Arm& arm, const std::string& name) {
    EXPECT_EQ(arm.gates->digest(), first.gates->digest()) << name;
  });
  // With maps beside them, and from the samples that a shorter run had finished.
  const scree::Run with_maps = load(*GetParam() + "[maps]\ncell = 1\nextent = [-10, -10, 50, 10]\n");
  EXPECT_EQ(mapped(with_maps, mapped_engine(run)).gates->digest(), first.gates->digest());
  const scree::Run part = load(*GetParam(), {"samples=17"});
  EXPECT_EQ(mapped(run, mapped_engine(run), mapped(part, mapped_engine(part))).gates->digest(), first.gates->digest());
}

/// Every crossing is between two rows of the path, which are a step apart, on different sides of the line.
TEST_P(EveryGate, CrossesWhereTheReplayedPathDoes) {
  const scree::Run run = load(*GetParam());
  const Arm arm = mapped(run, mapped_engine(run));
  const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  const std::vector<double>& line = run.gates[0].line;
  const GateTable& table = arm.gates->tables()[0];
  int taken_back = 0;
  for (std::uint64_t sample = 0; sample < 60; ++sample) {
    std::vector<std::array<double, 3>> path;
    run.model->replay(ensemble.data(), run.model->description.scheme(run.schemes[0]), sample, 1,
                      [&](std::span<const double> row) {
                        // A step that was taken back led nowhere.
                        if (!path.empty() && row[0] < path.back()[0]) {
                          path.pop_back();
                          ++taken_back;
                        }
                        path.push_back({row[0], row[1], row[2]});
                      });
    double crossings = 0, first = 0;
    for (std::size_t i = 1; i < path.size(); ++i)
      for (std::size_t s = 0; 2 * s + 3 < line.size(); ++s) {
        const double ax = line[2 * s], ay = line[2 * s + 1], dx = line[2 * s + 2] - ax, dy = line[2 * s + 3] - ay;
        const auto side = [&](const std::array<double, 3>& p) { return dx * (p[2] - ay) - dy * (p[1] - ax); };
        const double s0 = side(path[i - 1]), s1 = side(path[i]);
        if ((s0 >= 0) == (s1 >= 0)) continue;
        const double t = s0 / (s0 - s1), x = path[i - 1][1] + t * (path[i][1] - path[i - 1][1]),
                     y = path[i - 1][2] + t * (path[i][2] - path[i - 1][2]);
        const double u = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
        const bool last = 2 * s + 5 > line.size();
        if (!(u >= 0 && (u < 1 || (last && u <= 1)))) continue;
        if (crossings == 0) first = path[i][0];
        ++crossings;
      }
    const auto found = std::ranges::find(table.sample, sample);
    ASSERT_EQ(crossings > 0, found != table.sample.end()) << sample;
    if (crossings == 0) continue;
    const std::size_t row = static_cast<std::size_t>(found - table.sample.begin());
    EXPECT_EQ(table.column("crossings")[row], crossings) << sample;
    EXPECT_LE(table.column("time")[row], first);
    EXPECT_GE(table.column("time")[row], first - run.spec.world.step - 1e-12);
  }
  EXPECT_EQ(taken_back > 20, GetParam() == &gated_hills) << taken_back;
}

INSTANTIATE_TEST_SUITE_P(Systems, EveryGate, testing::Values(&gated_rocks, &gated_sliders, &gated_hills),
                         [](const auto& info) {
                           return std::string(info.index == 0 ? "rock" : info.index == 1 ? "slider" : "hills");
                         });

/// So a segment whose rectangle is too far off to matter need not be looked at. That of a segment along an axis is the
/// segment itself.
TEST(LineSegment, IsNoNearerThanTheRectangleAroundIt) {
  constexpr double round_off = 16 * 0x1p-53;
  std::mt19937_64 random(7);
  for (const double scale : {1.0, 1e3, 1e6})
    for (int n = 0; n < 20000; ++n) {
      std::uniform_real_distribution<double> coordinate(-scale, scale);
      LineSegment segment{coordinate(random), coordinate(random), coordinate(random), coordinate(random), 0, 0, 1};
      if (n % 4 == 0) segment.by = segment.ay;
      const double x = coordinate(random), y = coordinate(random), distance = segment.distance(x, y);
      const double least = std::sqrt(segment.least_square(x, y));
      ASSERT_LE(least, distance + round_off * scale) << n;
      if (n % 4 == 0) {
        ASSERT_NEAR(least, distance, round_off * scale) << n;
      }
    }
}

TEST(EnergyAtPeriod, IsThatOfTheReference) {
  const Json& given = map_case("hazard");
  GateTable table;
  table.columns[gate_column("kinetic_energy")] = given["energies"].get<std::vector<double>>();
  for (std::uint64_t sample = 0; sample < given["energies"].size(); ++sample) table.sample.push_back(sample);
  for (const Json& row : given["energy_at_period"]) {
    const EnergyAtPeriod found = energy_at_period(table, given["samples"], given["release_frequency"], row["period"]);
    EXPECT_EQ(found.energy, row["energy"]) << row.dump();
    EXPECT_EQ(found.allowed, row["allowed"]) << row.dump();
  }
}

/// Sliders of evenly spaced speeds, four replicates of points, and a line that the faster half reaches.
TEST_F(Gates, TakeIntervalsFromReplicatesOfPoints) {
  const std::string sliders =
      "system = 'slider'\nscheme = 'rk4'\nsamples = 512\nstep = 0.05\nend = 60\n[terrain]\nkind = 'plane'\nslope = 0\n"
      "[slider]\nfriction = 0.5\n[vary]\n'velocity.x' = { uniform = [5, 15] }\n'velocity.y' = { uniform = [-1, 1] }\n"
      "[[gate]]\nname = 'g'\nline = [[10, -9], [10, 9]]\n";
  const scree::Run run = load(sliders, {"sampling=sobol", "replicates=4"});
  const Arm arm = mapped(run, mapped_engine(run));
  const GateFacts& facts = arm.gate_facts[0];
  const GateTable& table = arm.gates->tables()[0];
  EXPECT_EQ(interval_name(facts), "Student's t over 4 replicates");
  int with = 0;
  for (const Exceedance& point : facts.energy_curve) {
    SCOPED_TRACE(point.above);
    // Mean and standard deviation of the shares of 128 samples each, by hand; t of 3 degrees of freedom.
    std::array<double, 4> shares{};
    for (std::size_t row = 0; row < table.sample.size(); ++row)
      if (table.column("kinetic_energy")[row] > point.above) shares[table.sample[row] % 4] += 1.0 / 128;
    double mean = 0, square = 0;
    for (const double share : shares) mean += share / 4;
    for (const double share : shares) square += (share - mean) * (share - mean) / 3;
    EXPECT_NEAR(point.share, mean, 1e-12);
    if (square == 0) {
      EXPECT_TRUE(std::isnan(point.interval.low));
      continue;
    }
    ++with;
    const double half = 3.182446305284263 * std::sqrt(square / 4);
    EXPECT_NEAR(point.interval.low, std::max(mean - half, 0.0), 1e-9);
    EXPECT_NEAR(point.interval.high, std::min(mean + half, 1.0), 1e-9);
  }
  EXPECT_GT(with, 5);
  // Points of two replicates differ less than independent samples do: the order statistics are nearer.
  const scree::Run other = load(sliders);
  const Arm independent = mapped(other, mapped_engine(other));
  EXPECT_EQ(interval_name(independent.gate_facts[0]), "Wilson");
  const auto width = [](const GateFacts& of) { return of.energy[0].interval.high - of.energy[0].interval.low; };
  EXPECT_LT(width(facts), 0.5 * width(independent.gate_facts[0]));
}

TEST(FenceDesign, IsTheArithmeticOfTheReference) {
  const Json& given = map_case("design");
  const Json& f = given["factors"];
  GateDesign factors{
      true, f["dp"], f["vol"], f["tr"], f["gamma"], f["r"], f["e"], given["mass"], given["block_radius"]};
  const FenceDesign design = design_fence(factors, given["v95"], given["h95"]);
  EXPECT_DOUBLE_EQ(design.speed, given["design_speed"]);
  EXPECT_DOUBLE_EQ(design.energy, given["design_energy"]);
  EXPECT_DOUBLE_EQ(design.required_energy / 1000, given["required_mel_kJ"]);
  EXPECT_EQ(design.fence_class, given["class"]);
  EXPECT_DOUBLE_EQ(design.height, given["design_height"]);
  EXPECT_DOUBLE_EQ(design.required_height, given["required_height"]);
  factors.mass = 1e6;
  EXPECT_EQ(design_fence(factors, 30, 2).fence_class, 8);
}

}  // namespace
}  // namespace scree
