// Where two arms differ in which cells they reach.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "host/statistics/reach_difference.hpp"

namespace scree {
namespace {

TEST(Newcombe, GivesTheIntervalsOfHisTable) {
  // Newcombe 1998, table II, method 10: 56/70 - 48/80 and 9/10 - 3/10.
  Interval interval = newcombe_interval(80, 48, 70, 56);
  EXPECT_NEAR(interval.low, 0.0524, 5e-5);
  EXPECT_NEAR(interval.high, 0.3339, 5e-5);
  interval = newcombe_interval(10, 3, 10, 9);
  EXPECT_NEAR(interval.low, 0.1705, 5e-5);
  EXPECT_NEAR(interval.high, 0.8090, 5e-5);
  // Mirrored where the two are exchanged.
  const Interval other = newcombe_interval(70, 56, 80, 48);
  EXPECT_DOUBLE_EQ(other.low, -newcombe_interval(80, 48, 70, 56).high);
}

TEST(Discoveries, AreThoseOfTheExampleOfBenjaminiAndHochberg) {
  // Their section 4.1: four of fifteen at 5 %.
  const std::vector<double> p{0.0201, 0.0001, 0.3240, 0.0004, NAN,    0.0019, 0.0095, 0.0278,
                              0.0298, 0.0344, 0.0459, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const std::vector<bool> found = discoveries(p, 0.05);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_EQ(found[i], p[i] <= 0.0095) << p[i];
  // A small one carries larger ones along: .02 alone is no discovery of two, with .01 below .025 both are.
  EXPECT_EQ(discoveries(std::vector<double>{0.04, 0.02}, 0.05), (std::vector<bool>{true, true}));
  EXPECT_EQ(discoveries(std::vector<double>{0.06, 0.03}, 0.05), (std::vector<bool>{false, false}));
}

TEST(ReachDifference, IsThatOfTheSharesAndNoneWhereNeitherCame) {
  const std::vector<std::uint32_t> baseline{0, 10, 100, 500}, arm{0, 10, 30, 400};
  const ReachDifference cells = reach_difference(baseline, 1000, arm, 500);
  EXPECT_TRUE(std::isnan(cells.difference[0]));
  EXPECT_EQ(cells.significant[0], 0u);
  EXPECT_FLOAT_EQ(cells.difference[1], 0.01f);
  EXPECT_FLOAT_EQ(cells.difference[2], -0.04f);
  EXPECT_FLOAT_EQ(cells.difference[3], 0.3f);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_LT(cells.low[i], cells.difference[i]);
    EXPECT_GT(cells.high[i], cells.difference[i]);
  }
  // p of the cells: 0.113, 0.0094, 1e-28; of three tests at 5 % two are found.
  EXPECT_EQ(cells.significant, (std::vector<std::uint32_t>{0, 0, 1, 1}));
}

TEST(ReachDifference, FindsNothingBetweenTwoEqualMaps) {
  const std::vector<std::uint32_t> cells{1, 2, 3, 1000};
  const ReachDifference none = reach_difference(cells, 1000, cells, 1000);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(none.difference[i], 0);
    EXPECT_EQ(none.significant[i], 0u);
  }
}

}  // namespace
}  // namespace scree
