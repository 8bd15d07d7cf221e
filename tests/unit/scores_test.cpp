// Scores of forecasts: closed forms, fairness, and what a config's observations are matched with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "host/report/scores.hpp"
#include "host/statistics/scores.hpp"
#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

using testing::StartsWith;
using Place = std::array<double, 2>;

TEST(Scores, AreThoseOfAFewValuesByHand) {
  // |x - y| is 1, 0, 3; pairs are 1, 4 and 3 apart.
  const std::vector<double> x{1, 2, 5};
  EXPECT_DOUBLE_EQ(fair_crps(x, 2), 4.0 / 3 - 8.0 / 6);
  EXPECT_DOUBLE_EQ(fair_crps(x, 12), (11 + 10 + 7) / 3.0 - 8.0 / 6);
  EXPECT_TRUE(std::isnan(fair_crps(std::vector<double>{1}, 1)));
  // On a line the energy score is the CRPS; a triangle 3, 4, 5 seen from its right angle.
  const std::vector<Place> line{{1, 7}, {2, 7}, {5, 7}}, triangle{{0, 0}, {3, 0}, {0, 4}};
  EXPECT_DOUBLE_EQ(fair_energy_score(line, {12, 7}), fair_crps(x, 12));
  EXPECT_DOUBLE_EQ(fair_energy_score(triangle, {0, 0}), 7.0 / 3 - 12.0 / 6);
  EXPECT_TRUE(std::isnan(fair_energy_score(std::vector<Place>{{1, 1}}, {0, 0})));
  EXPECT_DOUBLE_EQ(probability_transform(x, 0), 0.5 / 4);
  EXPECT_DOUBLE_EQ(probability_transform(x, 2), 2.0 / 4);
  EXPECT_DOUBLE_EQ(probability_transform(x, 3), 2.5 / 4);
  EXPECT_DOUBLE_EQ(probability_transform(x, 9), 3.5 / 4);
}

/// The k-th of m values is the quantile k / (m + 1): 3 values have those of 25 and 75 %, 19 those of 5 and 95 %.
TEST(Scores, HaveTheIntervalsThatTheValuesReach) {
  const std::vector<double> three{1, 2, 5};
  EXPECT_EQ(in_central_interval(three, .5, 1), 1);
  EXPECT_EQ(in_central_interval(three, .5, 5), 1);
  EXPECT_EQ(in_central_interval(three, .5, 5.01), 0);
  EXPECT_EQ(in_central_interval(three, .5, .99), 0);
  EXPECT_TRUE(std::isnan(in_central_interval(three, .9, 2)));
  std::vector<double> some;
  for (int i = 1; i <= 18; ++i) some.push_back(i);
  EXPECT_TRUE(std::isnan(in_central_interval(some, .9, 9)));
  some.push_back(19);
  EXPECT_EQ(in_central_interval(some, .9, 1), 1);
  EXPECT_EQ(in_central_interval(some, .9, 19), 1);
  EXPECT_EQ(in_central_interval(some, .9, .999), 0);
  some.push_back(20);  // ranks 1.05 and 19.95
  EXPECT_EQ(in_central_interval(some, .9, 1.04), 0);
  EXPECT_EQ(in_central_interval(some, .9, 1.06), 1);
  EXPECT_EQ(in_central_interval(some, .9, 19.94), 1);
  EXPECT_EQ(in_central_interval(some, .9, 19.96), 0);
}

/// Of normal values E |y - x| - E |x - x'| / 2 = 1 / sqrt(pi) for any number of them.
TEST(Scores, AreFair) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (const std::size_t m : {2, 5, 20}) {
    constexpr int count = 20000;
    double crps = 0, squares = 0;
    for (int k = 0; k < count; ++k) {
      std::vector<double> x(m);
      for (double& value : x) value = normal(random);
      std::ranges::sort(x);
      const double score = fair_crps(x, normal(random));
      crps += score;
      squares += score * score;
    }
    const double mean = crps / count, error = std::sqrt((squares / count - mean * mean) / count);
    EXPECT_NEAR(mean, 1 / std::sqrt(3.14159265358979323846), 4 * error) << m;
  }
}

/// Of uniform values the k-th of m is k / (m + 1) in the mean, and what is linear between two is too: an interval holds
/// exactly as often as it says. The PIT is one of m + 1 ranks with one half added, all as likely.
TEST(Scores, HoldAsOftenAsTheySay) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> uniform;
  for (const std::size_t m : {3, 6, 19, 50}) {
    constexpr int count = 20000;
    double pit = 0, squares = 0, half = 0, most = 0;
    for (int k = 0; k < count; ++k) {
      std::vector<double> x(m);
      for (double& value : x) value = uniform(random);
      std::ranges::sort(x);
      const double y = uniform(random), u = probability_transform(x, y);
      pit += u;
      squares += u * u;
      half += in_central_interval(x, .5, y);
      if (m > 18) most += in_central_interval(x, .9, y);
    }
    const double ranks = static_cast<double>(m + 1), root = std::sqrt(count);
    EXPECT_NEAR(pit / count, .5, 4 * std::sqrt(1.0 / 12) / root) << m;
    EXPECT_NEAR(squares / count, .25 + (1 - 1 / (ranks * ranks)) / 12, 4 * .3 / root) << m;  // sd of u^2 is 0.3
    EXPECT_NEAR(half / count, .5, 4 * .5 / root) << m;
    if (m > 18) {
      EXPECT_NEAR(most / count, .9, 4 * .3 / root) << m;
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------

const std::string rocks = R"(system = "rock"
scheme = "implicit"
samples = 12
step = 0.01
end = 1.0
group_by = "shape"
[terrain]
kind = "plane"
slope = 30.0
[[shape]]
name = "a"
kind = "cuboid"
size = [1.0, 1.0, 1.0]
mass = 2000.0
[[shape]]
name = "b"
kind = "cuboid"
size = [1.0, 0.5, 1.0]
mass = 1000.0
[start]
table = "s.csv"
[start.columns]
shape = "rock"
speed = "v"
[observed]
table = "o.csv"
column = "runout"
value = "far"
)";

class ScoresConfig : public test::ConfigFixture {
 protected:
  void SetUp() override {
    ConfigFixture::SetUp();
    write("s.csv", "id,rock,v\nr1,a,1\nr2,b,1\nr3,a,2\n");
    write("o.csv", "id,rock,far,x,y\nr3,a,10,10,0\nr1,a,14,14,0\nr2,b,5,3,4\nr3,a,12,12,1\n");
  }
  /// Sample i has the run-out i, lies at (i, 0) and is of the start i mod 3; the last three have not stopped.
  Scores of(const Run& run) const {
    const Description& d = run.model->description;
    SummaryTable table;
    table.description = &d;
    table.samples = 12;
    table.values.assign(d.columns.size() * 12, 0.0);
    table.status.assign(12, static_cast<std::uint32_t>(Status::stopped));
    std::vector<int> group;
    for (std::size_t i = 0; i < 12; ++i) {
      for (const char* name : {"runout", "final_x"})
        table.values[static_cast<std::size_t>(d.column(name)) * 12 + i] = static_cast<double>(i);
      if (i >= 9) table.status[i] = static_cast<std::uint32_t>(Status::left_terrain);
      group.push_back(i % 3 == 1 ? 1 : 0);
    }
    return scores(run, table, group);
  }
};

TEST_F(ScoresConfig, MatchesObservationsWithTheirStarts) {
  const Run run = load(rocks + "group = 'rock'\nmatch = 'id'\nposition = ['x', 'y']\n");
  EXPECT_EQ(run.observed.rows, 3u);
  EXPECT_EQ(run.observed.row, (std::vector<std::uint64_t>{2, 0, 1, 2}));
  const Scores s = of(run);
  ASSERT_EQ(s.each.size(), 4u);
  // Of r3: samples 2, 5, 8, and 11, which has not stopped.
  EXPECT_EQ(s.each[0].samples, 4u);
  EXPECT_EQ(s.each[0].counted, 3u);
  EXPECT_DOUBLE_EQ(s.each[0].bias, 5 - 10.0);
  EXPECT_DOUBLE_EQ(s.each[0].crps, fair_crps(std::vector<double>{2, 5, 8}, 10));
  EXPECT_DOUBLE_EQ(s.each[0].energy, s.each[0].crps);  // all on one line
  EXPECT_DOUBLE_EQ(s.each[0].others_crps, fair_crps(std::vector<double>{12, 14}, 10));
  EXPECT_DOUBLE_EQ(s.each[3].energy, fair_energy_score(std::vector<Place>{{2, 0}, {5, 0}, {8, 0}}, {12, 1}));
  EXPECT_DOUBLE_EQ(s.each[3].others_energy, fair_energy_score(std::vector<Place>{{10, 0}, {14, 0}}, {12, 1}));
  EXPECT_TRUE(std::isnan(s.each[2].others_crps));  // no other one is of b
  ASSERT_EQ(s.rows.size(), 3u);
  EXPECT_EQ(s.rows[0].group, "a");
  EXPECT_EQ(s.rows[0].observed, 3u);
  EXPECT_EQ(s.rows[0].samples, 12u);
  EXPECT_EQ(s.rows[0].counted, 9u);
  EXPECT_DOUBLE_EQ(s.rows[0].crps.value, (s.each[0].crps + s.each[1].crps + s.each[3].crps) / 3);
  EXPECT_EQ(s.rows[2].group, "all");
  EXPECT_EQ(s.rows[2].others_crps.n, 3u);
  EXPECT_EQ(s.all(), &s.rows[2]);
}

TEST_F(ScoresConfig, TakesTheSamplesOfTheGroupWithoutThat) {
  const Scores s = of(load(rocks + "group = 'rock'\n"));
  EXPECT_EQ(s.each[0].samples, 8u);
  EXPECT_DOUBLE_EQ(s.each[2].crps, fair_crps(std::vector<double>{1, 4, 7}, 5));
  EXPECT_TRUE(std::isnan(s.each[0].energy));
  const Scores all = of(load(rocks));
  ASSERT_EQ(all.rows.size(), 1u);
  EXPECT_EQ(all.each[2].samples, 12u);
  EXPECT_DOUBLE_EQ(all.each[2].others_crps, fair_crps(std::vector<double>{10, 12, 14}, 5));
}

TEST_F(ScoresConfig, SplitsWhatIsHeldOut) {
  const std::string matched = rocks + "group = 'rock'\nmatch = 'id'\n";
  const Scores s = of(load(matched + "holdout = { column = 'id', rows = ['r3'] }\n"));
  ASSERT_EQ(s.rows.size(), 5u);
  const auto is = [&](std::size_t i, const char* group, const char* part, std::uint64_t n) {
    EXPECT_EQ(s.rows[i].group, group) << i;
    EXPECT_EQ(s.rows[i].part, part) << i;
    EXPECT_EQ(s.rows[i].observed, n) << i;
  };
  is(0, "a", "inside", 1);
  is(1, "b", "inside", 1);
  is(2, "all", "inside", 2);
  is(3, "a", "outside", 2);
  is(4, "all", "outside", 2);
  EXPECT_EQ(s.all("outside"), &s.rows[4]);
  EXPECT_EQ(s.all(), nullptr);
  // Those outside are forecast by those of their group inside, which is one here, and one has no spread.
  EXPECT_TRUE(std::isnan(s.each[0].others_crps));
  const Run groups = load(matched + "holdout = { groups = ['b'] }\n");
  EXPECT_EQ(groups.observed.outside, (std::vector<bool>{false, false, true, false}));
  EXPECT_DOUBLE_EQ(of(groups).each[2].others_crps, fair_crps(std::vector<double>{10, 12, 14}, 5));
}

/// Of two forecasts the one that is better inside is taken, though it is worse outside.
TEST_F(ScoresConfig, ChoosesByWhatIsNotHeldOut) {
  const auto with = [](std::vector<double> crps) {
    Scores s;
    for (const double value : crps) {
      s.each.emplace_back();
      s.each.back().crps = value;
    }
    return s;
  };
  const Scores one = with({1, 1, 9, 3}), two = with({2, 2, 2, 2}), few = with({0.1, NAN, NAN, NAN});
  const Scores* forecasts[] = {&two, &few, &one};
  Observed observed;
  observed.value = {1, 2, 3, 4};
  observed.holdout = Observed::Holdout::some;
  observed.outside = {false, false, true, true};
  Chosen chosen = choose(observed, forecasts);
  EXPECT_EQ(chosen.times, (std::vector<std::uint64_t>{0, 0, 1}));
  EXPECT_DOUBLE_EQ(chosen.inside.value, 1);
  EXPECT_DOUBLE_EQ(chosen.outside.value, 6);
  // One after the other: without the third, `one` has 5 / 3 and is taken for it; else `two` has the less.
  observed.holdout = Observed::Holdout::each;
  chosen = choose(observed, forecasts);
  EXPECT_EQ(chosen.times, (std::vector<std::uint64_t>{3, 0, 1}));
  EXPECT_DOUBLE_EQ(chosen.outside.value, (2 + 2 + 9 + 2) / 4.0);
  EXPECT_TRUE(std::isnan(chosen.inside.value));
}

TEST_F(ScoresConfig, RefusesWhatDoesNotMatch) {
  const auto of = [&](const std::string& text) { return mistake(rocks + text); };
  write("twice.csv", "id,rock,v\nr1,a,1\nr1,b,1\n");
  EXPECT_EQ(mistake(rocks + "match = 'id'\n", {"start.table=twice.csv"}),
            "3: twice.csv:3: id = \"r1\" was already in line 2");
  write("o.csv", "id,rock,far,x,y\nr3,a,10,10,0\nr9,a,14,14,0\n");
  EXPECT_EQ(of("match = 'id'\n"), "3: o.csv:3: id = \"r9\" is not in s.csv");
  EXPECT_EQ(of("match = 'ID'\n"),
            "2: x.toml:29: observed.match = \"ID\" is not a column of o.csv, did you mean \"id\"?");
  EXPECT_EQ(of("match = 'x'\n"), "2: x.toml:29: observed.match = \"x\" is not a column of s.csv, did you mean \"v\"?");
  EXPECT_EQ(of("position = ['x']\n"),
            "2: x.toml:29: observed.position = [\"x\"], must be two columns of o.csv, of x and y");
  EXPECT_EQ(of("position = ['x', 'z']\n"),
            "2: x.toml:29: observed.position = \"z\" is not a column of o.csv, did you mean \"x\"?");
  EXPECT_EQ(of("holdout = 'half'\n"), "2: x.toml:29: observed.holdout = \"half\", must be one of leave-one-out");
  EXPECT_EQ(of("holdout = 0.5\n"),
            "2: x.toml:29: observed.holdout = 0.5, must be \"leave-one-out\", { groups = [...] } or "
            "{ column = \"...\", rows = [...] }");
  EXPECT_EQ(of("holdout = { groups = ['a'] }\n"),
            "2: x.toml:29: observed.holdout.groups needs observed.group, the column of groups");
  EXPECT_EQ(of("group = 'rock'\nholdout = { groups = ['a'] }\n"),
            "2: x.toml:30: observed.holdout holds out all observations");
  EXPECT_EQ(of("group = 'rock'\nholdout = { groups = ['b'] }\n"),
            "2: x.toml:30: observed.holdout.groups = \"b\" is the group of no observation");
  EXPECT_EQ(of("holdout = { rows = ['r3'] }\n"),
            "2: x.toml:29: observed.holdout.column is missing, must be a column of o.csv");
  EXPECT_EQ(of("holdout = { column = 'id', rows = ['r1'] }\n"),
            "2: x.toml:29: observed.holdout.rows = \"r1\" is in no row of o.csv");
  EXPECT_EQ(of("holdout = { column = 'id', rows = [] }\n"), "2: x.toml:29: observed.holdout holds out no observation");
  EXPECT_THAT(mistake(R"(system = "rotor"
scheme = "rk4"
samples = 1
step = 0.01
end = 1.0
[[shape]]
kind = "cuboid"
size = [1.0, 2.0, 3.0]
mass = 1.0
[observed]
table = "o.csv"
column = "energy_drift"
value = "far"
position = ["x", "y"]
)"),
              StartsWith("2: x.toml:14: observed.position is where a sample comes to rest, which rotor does not tell"));
}

}  // namespace
}  // namespace scree
