#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "host/statistics/kolmogorov.hpp"
#include "src/placement.hpp"

namespace scree {
namespace {

constexpr double pi = 3.14159265358979323846;

Enclosure<double> circle(double radius) { return {1, radius, 0, 0}; }
Enclosure<double> box(double width, double height) { return {0, 0, 0.5 * width, 0.5 * height}; }

struct Placed {
  bool found;
  std::vector<Vec2<double>> at;
  std::uint64_t draws;
};
Placed place(const std::vector<double>& radius, const Enclosure<double>& enclosure, double gap, std::uint64_t sample) {
  Placed placed{false, std::vector<Vec2<double>>(radius.size()), 0};
  DrawStream draws{1, sample, 1000};
  placed.found = place_discs(draws, static_cast<int>(radius.size()), radius.data(), enclosure, gap, placed.at.data());
  placed.draws = draws.next - 1000;
  return placed;
}

TEST(Placement, KeepsDiscsApartAndInside) {
  const std::vector<double> equal(20, 0.07);
  std::vector<double> unequal;
  for (int i = 0; i < 20; ++i) unequal.push_back(0.01 * (i + 1));
  for (const auto& radius : {equal, unequal})
    for (const auto& enclosure : {circle(1), box(2, 1.6)})
      for (const double gap : {0.0, 0.02})
        for (std::uint64_t sample = 0; sample < 20; ++sample) {
          const Placed placed = place(radius, enclosure, gap, sample);
          ASSERT_TRUE(placed.found);
          for (std::size_t i = 0; i < radius.size(); ++i) {
            const auto [x, y] = placed.at[i];
            const double reach = radius[i] + gap, rounding = 1e-15;
            if (enclosure.circle == 1) {
              EXPECT_LE(std::hypot(x, y), enclosure.radius - reach + rounding);
            } else {
              EXPECT_LE(std::fabs(x), enclosure.half_width - reach + rounding);
              EXPECT_LE(std::fabs(y), enclosure.half_height - reach + rounding);
            }
            for (std::size_t j = 0; j < i; ++j)
              EXPECT_GE(std::hypot(x - placed.at[j].x, y - placed.at[j].y), reach + radius[j] - rounding);
          }
        }
}

/// One disc is uniform on what its centre may reach: the part of the area nearer to the centre than it is, is uniform
/// on (0, 1), and so is each coordinate of a box. Kolmogorov's bound for one seed in 1000.
TEST(Placement, IsUniform) {
  const int n = 10000;
  std::vector<double> area, x, y;
  for (std::uint64_t sample = 0; sample < n; ++sample) {
    const Vec2<double> a = place({0.25}, circle(1), 0.05, sample).at[0], b = place({0.1}, box(3, 1), 0, sample).at[0];
    area.push_back((a.x * a.x + a.y * a.y) / (0.7 * 0.7));
    x.push_back((b.x + 1.4) / 2.8);
    y.push_back((b.y + 0.4) / 0.8);
  }
  const auto uniform = [](double u) { return u; };
  for (const std::vector<double>& numbers : {area, x, y})
    EXPECT_LT(kolmogorov_distance_to_law(numbers, uniform), kolmogorov_bound(numbers.size()));
}

TEST(Placement, IsAFunctionOfTheDraws) {
  const std::vector<double> radius(10, 0.1);
  const Placed a = place(radius, circle(1), 0, 3), b = place(radius, circle(1), 0, 3),
               c = place(radius, circle(1), 0, 4);
  for (std::size_t i = 0; i < radius.size(); ++i) {
    EXPECT_EQ(a.at[i].x, b.at[i].x);
    EXPECT_EQ(a.at[i].y, b.at[i].y);
    EXPECT_NE(a.at[i].x, c.at[i].x);
  }
  EXPECT_EQ(a.draws, b.draws);
  EXPECT_GE(a.draws, 2 * radius.size());
}

TEST(Placement, PlacesLargeDiscsFirst) {
  // The large one leaves room for the small only at the wall; after them it would hardly ever find its own.
  const std::vector<double> radius{0.1, 0.1, 0.1, 0.7, 0.1};
  for (std::uint64_t sample = 0; sample < 50; ++sample) EXPECT_TRUE(place(radius, circle(1), 0, sample).found);
}

TEST(Placement, KnowsWhatCannotBe) {
  const auto possible = [](const std::vector<double>& radius, const Enclosure<double>& enclosure, double gap) {
    return possible_placement(static_cast<int>(radius.size()), radius.data(), enclosure, gap);
  };
  EXPECT_EQ(possible({0.499}, circle(0.5), 0.0), Placement::possible);
  EXPECT_EQ(possible({0.5}, circle(0.5), 0.0), Placement::disc_too_large) << "it could not move";
  EXPECT_EQ(possible({0.499}, circle(0.5), 0.01), Placement::disc_too_large);
  EXPECT_EQ(possible({0.1, 0.51}, circle(0.5), 0.0), Placement::disc_too_large);
  EXPECT_EQ(possible({0.499}, box(1, 3), 0.0), Placement::possible);
  EXPECT_EQ(possible({0.5}, box(1, 3), 0.0), Placement::disc_too_large);
  EXPECT_EQ(possible({0.5}, box(3, 0.99), 0.0), Placement::disc_too_large);
  // 64 discs that cover 0.7 of a box.
  const std::vector<double> many(64, std::sqrt(0.7 / (64 * pi)));
  EXPECT_EQ(possible(many, box(1, 1), 0.0), Placement::too_dense);
  EXPECT_EQ(possible(many, box(1.3, 1.3), 0.0), Placement::possible);
  EXPECT_EQ(possible(many, box(1.3, 1.3), 0.05), Placement::too_dense) << "gaps cover area too";
  EXPECT_FALSE(place(many, box(1, 1), 0, 0).found);
  EXPECT_EQ(place(many, box(1, 1), 0, 0).draws, 0U) << "not tried";
  EXPECT_FALSE(place(std::vector<double>(65, 0.001), box(1, 1), 0, 0).found);
}

/// Fractions that jam are found out by trying, in a bounded number of draws; somewhat thinner ones find their places.
TEST(Placement, GivesUpWhereItJams) {
  const auto discs = [](double covered) { return std::vector<double>(40, std::sqrt(covered / (40 * pi))); };
  const Placed jammed = place(discs(0.62), box(1, 1), 0, 0);
  EXPECT_FALSE(jammed.found);
  EXPECT_GT(jammed.draws, 0U);
  EXPECT_LE(jammed.draws, 2ULL * 40 * placement_tries * placement_restarts);
  for (std::uint64_t sample = 0; sample < 20; ++sample) EXPECT_TRUE(place(discs(0.45), box(1, 1), 0, sample).found);
}

}  // namespace
}  // namespace scree
