#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "src/ensemble.hpp"

namespace scree {
namespace {

/// Stands in for a system: what draw() needs is a struct of parameters and one of starts, both made of doubles.
struct Toy {
  struct Params {
    double a, b;
  };
  struct Start {
    Vec3<double> position;
    Quaternion<double> orientation;
  };
};
constexpr int position_x = 2, orientation_w = 5;  // targets, in doubles from the first parameter

struct Fixture {
  std::vector<double> tables;
  Ensemble<Toy> ensemble{};

  explicit Fixture(std::vector<Variation> variations, std::vector<double> numbers = {}) : tables(std::move(numbers)) {
    ensemble.params = {10, 20};
    ensemble.start = {{1, 2, 3}, {1, 0, 0, 0}};
    ensemble.seed = 5;
    ensemble.world.tables = tables.data();
    ensemble.variation_count = static_cast<int>(variations.size());
    for (std::size_t v = 0; v < variations.size(); ++v) ensemble.variations[v] = variations[v];
  }
  Sample<Toy> operator()(std::uint64_t i) const { return draw(ensemble, i); }
};

struct SampleMoments {
  double mean, sd;
};
template <class F>
SampleMoments sample_moments(int n, F&& value) {
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double x = value(static_cast<std::uint64_t>(i));
    sum += x;
    squares += x * x;
  }
  const double mean = sum / n;
  return {mean, std::sqrt(squares / n - mean * mean)};
}

constexpr int n = 40000;
const double five_errors = 5 / std::sqrt(1.0 * n);  // five standard errors of a mean, in standard deviations

TEST(Draw, TruncatedNormalLawStaysWithinItsBoundsAndFillsThem) {
  // Between -1 and 0.5 standard deviations of 2 +- 0.5. With the density f and distribution F of the standard normal
  // law, the mean is 2 + 0.5 (f(-1) - f(0.5)) / (F(0.5) - F(-1)).
  const auto below = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
  const auto density = [](double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0)); };
  const double share = below(0.5) - below(-1.0);
  const Fixture fixture({{0, Law::truncated_normal, 2, 0.5, 0, 0, 4}}, {below(-1.0), share, 1.5, 2.25});
  double least = 1e300, greatest = -1e300;
  const auto value = [&](std::uint64_t i) {
    const double x = fixture(i).params.a;
    least = std::min(least, x);
    greatest = std::max(greatest, x);
    return x;
  };
  const SampleMoments m = sample_moments(n, value);
  EXPECT_NEAR(m.mean, 2 + 0.5 * (density(-1) - density(0.5)) / share, five_errors * m.sd);
  // The density at either bound is 0.45 and 0.70 of 1 / 0.5 m: the nearest of 4e4 values is some 1e-4 away.
  EXPECT_GE(least, 1.5);
  EXPECT_LT(least, 1.5 + 1e-3);
  EXPECT_LE(greatest, 2.25);
  EXPECT_GT(greatest, 2.25 - 1e-3);
  int in_lower_half = 0;
  for (std::uint64_t i = 0; i < n; ++i) in_lower_half += fixture(i).params.a < 1.875;
  const double p = (below(-0.25) - below(-1.0)) / share;
  EXPECT_NEAR(in_lower_half, p * n, 5 * std::sqrt(n * p * (1 - p)));
}

TEST(Draw, TruncatedLognormalLawIsTheExponentialOfOneWithinTheBoundsOfTheValue) {
  const auto below = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
  const double low = below(-2.0), share = below(1.0) - low;
  const Fixture normal({{0, Law::truncated_normal, 0, 1, 0, 0, 4}}, {low, share, -2, 1});
  const Fixture lognormal({{0, Law::truncated_lognormal, 0, 1, 0, 0, 4}}, {low, share, std::exp(-2.0), std::exp(1.0)});
  for (std::uint64_t i = 0; i < 1000; ++i) {
    EXPECT_NEAR(lognormal(i).params.a / std::exp(normal(i).params.a), 1, 1e-14) << i;
    EXPECT_GE(lognormal(i).params.a, std::exp(-2.0));
    EXPECT_LE(lognormal(i).params.a, std::exp(1.0));
  }
}

TEST(Draw, BoundsFarOutInATailAreKeptToo) {
  // 6 to 6.5 standard deviations: P = 9.5e-10, which doubles next to 1 still tell apart, though coarsely.
  const double low = 1 - 0.5 * std::erfc(6 / std::sqrt(2.0)), share = 0.5 * std::erfc(6 / std::sqrt(2.0));
  const Fixture fixture({{0, Law::truncated_normal, 0, 1, 0, 0, 4}}, {low, share, 6, 6.5});
  for (std::uint64_t i = 0; i < 1000; ++i) {
    EXPECT_GE(fixture(i).params.a, 6);
    EXPECT_LE(fixture(i).params.a, 6.5);
  }
}

TEST(Draw, WeightedChoiceTakesEachValueByItsWeight) {
  const Fixture fixture({{0, Law::weighted_choice, 0, 0, 0, 1, 3}}, {99, 4, 5, 6, 0.1, 0.1, 1.0});
  int counts[7] = {};
  for (std::uint64_t i = 0; i < n; ++i) ++counts[static_cast<int>(fixture(i).params.a)];
  EXPECT_NEAR(counts[4], 0.1 * n, 5 * std::sqrt(n * 0.1 * 0.9));
  EXPECT_EQ(counts[5], 0);
  EXPECT_EQ(counts[4] + counts[6], n);
}

TEST(Draw, VariationsOfOneStreamGoTogether) {
  Variation first{0, Law::uniform, 0, 1, 0, 0, 0}, second{1, Law::uniform, 0, 1, 0, 0, 0};
  const Fixture apart({first, second});
  second.stream = 0;
  const Fixture together({first, second});
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(together(i).params.a, together(i).params.b);
    EXPECT_EQ(together(i).params.a, apart(i).params.a);
    EXPECT_NE(apart(i).params.a, apart(i).params.b);
  }
}

TEST(Draw, WithoutVariationsGivesTheEnsemblesOwnNumbers) {
  const Fixture fixture({});
  const Sample<Toy> s = fixture(7);
  EXPECT_EQ(s.params.a, 10);
  EXPECT_EQ(s.params.b, 20);
  EXPECT_EQ(s.start.position.z, 3);
  EXPECT_EQ(s.start.orientation.w, 1);
}

TEST(Draw, UniformLawFillsItsInterval) {
  const Fixture fixture({{0, Law::uniform, -1, 3, 0, 0, 0}});
  const SampleMoments m = sample_moments(n, [&](std::uint64_t i) {
    const double x = fixture(i).params.a;
    EXPECT_TRUE(x >= -1 && x < 3);
    return x;
  });
  const double sd = 4 / std::sqrt(12.0);
  EXPECT_NEAR(m.mean, 1, sd * five_errors);
  EXPECT_NEAR(m.sd, sd, sd * five_errors);
}

TEST(Draw, UniformLawOfNoWidthGivesItsOnePoint) {
  const Fixture fixture({{0, Law::uniform, 2, 2, 0, 0, 0}});
  EXPECT_EQ(fixture(3).params.a, 2);
}

TEST(Draw, NormalAndLognormalLawsHaveTheirMoments) {
  const Fixture fixture({{0, Law::normal, 2, 0.5, 0, 0, 0}, {1, Law::lognormal, -1, 0.25, 0, 0, 0}});
  const SampleMoments normal = sample_moments(n, [&](std::uint64_t i) { return fixture(i).params.a; });
  EXPECT_NEAR(normal.mean, 2, 0.5 * five_errors);
  EXPECT_NEAR(normal.sd, 0.5, 0.5 * five_errors);
  const SampleMoments logarithm = sample_moments(n, [&](std::uint64_t i) { return std::log(fixture(i).params.b); });
  EXPECT_NEAR(logarithm.mean, -1, 0.25 * five_errors);
  EXPECT_NEAR(logarithm.sd, 0.25, 0.25 * five_errors);
}

TEST(Draw, TriangularLawHasItsMeanAndVariance) {
  const double a = 1, b = 4, c = 2;
  const Fixture fixture({{0, Law::triangular, a, b, c, 0, 0}});
  const SampleMoments m = sample_moments(n, [&](std::uint64_t i) {
    const double x = fixture(i).params.a;
    EXPECT_TRUE(x >= a && x <= b);
    return x;
  });
  const double sd = std::sqrt((a * a + b * b + c * c - a * b - a * c - b * c) / 18);
  EXPECT_NEAR(m.mean, (a + b + c) / 3, sd * five_errors);
  EXPECT_NEAR(m.sd, sd, sd * five_errors);
}

TEST(Draw, TriangularLawOfNoWidthGivesItsOnePoint) {
  const Fixture fixture({{0, Law::triangular, 3, 3, 3, 0, 0}});
  EXPECT_EQ(fixture(3).params.a, 3);
}

TEST(Draw, ChoiceIsEquallyLikely) {
  const Fixture fixture({{1, Law::choice, 0, 0, 0, 1, 3}}, {99, 4, 5, 6});
  int count[7] = {};
  for (int i = 0; i < n; ++i) ++count[static_cast<int>(fixture(static_cast<std::uint64_t>(i)).params.b)];
  for (const int value : {4, 5, 6})  // binomial: sd of the share is sqrt(2/9/n) < 0.5 / sqrt(n)
    EXPECT_NEAR(count[value] / (1.0 * n), 1.0 / 3, 0.5 * five_errors);
  EXPECT_EQ(count[4] + count[5] + count[6], n);
}

TEST(Draw, TableIsReadRoundAndRound) {
  const Fixture fixture({{position_x + 1, Law::table, 0, 0, 0, 2, 3}}, {0, 0, 7, 8, 9});
  for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(fixture(i).start.position.y, 7.0 + static_cast<double>(i % 3));
}

TEST(Draw, OrientationIsAUnitQuaternionUniformOnRotations) {
  const Fixture fixture({{orientation_w, Law::orientation, 0, 0, 0, 0, 0}});
  // Uniform on the 3-sphere: each component has mean 0 and variance 1/4; the body's z axis has a uniform height.
  for (int c = 0; c < 4; ++c) {
    const SampleMoments m = sample_moments(n, [&](std::uint64_t i) {
      const Quaternion<double> e = fixture(i).start.orientation;
      return c == 0 ? e.w : c == 1 ? e.x : c == 2 ? e.y : e.z;
    });
    EXPECT_NEAR(m.mean, 0, 0.5 * five_errors);
    EXPECT_NEAR(m.sd, 0.5, 0.5 * five_errors);
  }
  const SampleMoments height = sample_moments(n, [&](std::uint64_t i) {
    const Quaternion<double> e = fixture(i).start.orientation;
    EXPECT_NEAR(dot(e, e), 1, 1e-15);  // four roundings of 1.1e-16 and that of the scale factor
    return rotation(e).row2.z;
  });
  const double sd = 2 / std::sqrt(12.0);
  EXPECT_NEAR(height.mean, 0, sd * five_errors);
  EXPECT_NEAR(height.sd, sd, sd * five_errors);
}

TEST(Draw, LineIsUniformByArcLength) {
  // An L: 3 m along x, then 1 m along y.
  const Fixture fixture({{position_x, Law::line, 0, 0, 0, 0, 3}}, {0, 0, 3, 0, 3, 1});
  int first = 0, lower = 0;
  for (int i = 0; i < n; ++i) {
    const Vec3<double> p = fixture(static_cast<std::uint64_t>(i)).start.position;
    EXPECT_TRUE((p.y == 0 && p.x >= 0 && p.x <= 3) || (p.x == 3 && p.y >= 0 && p.y <= 1));
    EXPECT_EQ(p.z, 3);
    first += p.y == 0;
    lower += p.y > 0 && p.y < 0.5;
  }
  // The sd of a share is at most 1/2.
  EXPECT_NEAR(first / (1.0 * n), 0.75, 0.5 * five_errors);
  EXPECT_NEAR(lower / (1.0 * n), 0.125, 0.5 * five_errors) << "of the second piece the lower half";
}

TEST(Draw, LineOfOnePointGivesThatPoint) {
  const Fixture fixture({{position_x, Law::line, 0, 0, 0, 0, 1}}, {4, 5});
  EXPECT_EQ(fixture(0).start.position.x, 4);
  EXPECT_EQ(fixture(0).start.position.y, 5);
}

TEST(Draw, PolygonIsUniformAlsoWhereItIsNotConvex) {
  // An L of three unit squares; each third holds a third of the points.
  const Fixture fixture({{position_x, Law::polygon, 0, 0, 0, 0, 6}}, {0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2});
  int corner = 0, right = 0, top = 0;
  for (int i = 0; i < n; ++i) {
    const Vec3<double> p = fixture(static_cast<std::uint64_t>(i)).start.position;
    ASSERT_TRUE(p.x >= 0 && p.y >= 0 && p.x <= 2 && p.y <= 2);
    corner += p.x < 1 && p.y < 1;
    right += p.x >= 1 && p.y < 1;
    top += p.x < 1 && p.y >= 1;
  }
  EXPECT_EQ(corner + right + top, n);
  for (const int count : {corner, right, top}) EXPECT_NEAR(count / (1.0 * n), 1.0 / 3, 0.5 * five_errors);
}

TEST(Draw, PolygonWithoutAreaEndsAtItsFirstCorner) {
  const Fixture fixture({{position_x, Law::polygon, 0, 0, 0, 0, 3}}, {0, 1, 1, 0, 2, -1});
  EXPECT_EQ(fixture(0).start.position.x, 0);
  EXPECT_EQ(fixture(0).start.position.y, 1);
}

TEST(Draw, OneLawDoesNotDisturbAnother) {
  // The polygon takes a varying number of draws; the law after it must not notice.
  const Variation normal{1, Law::normal, 0, 1, 0, 0, 0};
  const std::vector<double> triangle = {0, 0, 1, 0, 0, 1};
  const Fixture a({{position_x, Law::polygon, 0, 0, 0, 0, 3}, normal}, triangle);
  const Fixture b({{0, Law::uniform, 0, 1, 0, 0, 0}, normal}, triangle);
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(a(i).params.b, b(i).params.b);
}

TEST(Draw, SamplesDifferAndRepeat) {
  const Fixture fixture({{0, Law::normal, 0, 1, 0, 0, 0}, {orientation_w, Law::orientation, 0, 0, 0, 0, 0}});
  const Sample<Toy> first = fixture(1), again = fixture(1), second = fixture(2);
  EXPECT_EQ(std::memcmp(&first, &again, sizeof first), 0);
  EXPECT_NE(first.params.a, second.params.a);
  EXPECT_NE(first.start.orientation.w, second.start.orientation.w);
}

}  // namespace
}  // namespace scree
