// Which samples two arms treat most differently.
#include "host/statistics/most_different.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "fake_result.hpp"
#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using fake::diverged;
using fake::end_time;
using fake::plain;
using fake::stopped;
using fake::table;
using test::nan;
using testing::ElementsAre;

constexpr int reach = 0, speed = 1;

std::vector<std::uint64_t> numbers(const std::vector<DifferingSample>& samples) {
  std::vector<std::uint64_t> list;
  for (const DifferingSample& s : samples) list.push_back(s.sample);
  return list;
}

TEST(MostDifferent, ListsTheLargestDifferencesOfEitherSignFirst) {
  const SummaryTable a = table(plain(), {{1, 2, 3, 4}, {0, 0, 0, 0}});
  const SummaryTable b = table(plain(), {{1.5, -7, 3, 8}, {0, 0, 0, 0}});
  const std::vector<DifferingSample> found = most_different(a, b, {reach}, 2);
  EXPECT_THAT(numbers(found), ElementsAre(1, 3));
  EXPECT_EQ(found[0].column, reach);
  EXPECT_EQ(found[0].a, 2);
  EXPECT_EQ(found[0].b, -7);
  EXPECT_EQ(found[0].status_a, stopped);
  EXPECT_EQ(found[0].status_b, stopped);
}

TEST(MostDifferent, GoesByTheSampleNumberWhereDifferencesAreEqual) {
  const SummaryTable a = table(plain(), {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}});
  const SummaryTable b = table(plain(), {{1, -2, 2, -2, 2}, {0, 0, 0, 0, 0}});
  EXPECT_THAT(numbers(most_different(a, b, {reach}, 3)), ElementsAre(1, 2, 3));
  EXPECT_THAT(numbers(most_different(b, a, {reach}, 3)), ElementsAre(1, 2, 3));
}

TEST(MostDifferent, LeavesOutSamplesThatAreEqual) {
  const SummaryTable a = table(plain(), {{1, 2, 3}, {0, 0, 0}});
  const SummaryTable b = table(plain(), {{1, 2, 4}, {0, 0, 0}});
  EXPECT_THAT(numbers(most_different(a, b, {reach, speed}, 9)), ElementsAre(2));
}

TEST(MostDifferent, TakesPairsThatEnterTheColumnInBothArms) {
  // reach counts the samples that stopped, speed all that were finished.
  const SummaryTable a = table(plain(), {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}}, {stopped, stopped, end_time, stopped, 1});
  const SummaryTable b = table(plain(), {{1, 9, 9, 9, nan}, {1, 9, 5, 9, std::numeric_limits<double>::infinity()}},
                               {stopped, end_time, stopped, diverged, stopped});
  EXPECT_THAT(numbers(most_different(a, b, {reach}, 9)), ElementsAre(0));
  const std::vector<DifferingSample> found = most_different(a, b, {speed}, 9);
  EXPECT_THAT(numbers(found), ElementsAre(1, 2, 0));
  EXPECT_EQ(found[0].status_a, stopped);
  EXPECT_EQ(found[0].status_b, end_time);
  EXPECT_EQ(found[1].status_a, end_time);
}

TEST(MostDifferent, ListsColumnsOneAfterAnother) {
  const SummaryTable a = table(plain(), {{0, 0}, {0, 0}}), b = table(plain(), {{1, 2}, {5, 4}});
  const std::vector<DifferingSample> found = most_different(a, b, {speed, reach}, 1);
  EXPECT_THAT(numbers(found), ElementsAre(0, 1));
  EXPECT_EQ(found[0].column, speed);
  EXPECT_EQ(found[1].column, reach);
}

TEST(MostDifferent, RefusesTablesOfOtherSamplesAndUnknownColumns) {
  const SummaryTable a = table(plain(), {{0, 0}, {0, 0}}), b = table(plain(), {{0}, {0}});
  EXPECT_THROW(most_different(a, b, {reach}, 1), std::invalid_argument);
  EXPECT_THROW(most_different(a, a, {2}, 1), std::invalid_argument);
  EXPECT_THROW(most_different(a, a, {-1}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace scree
