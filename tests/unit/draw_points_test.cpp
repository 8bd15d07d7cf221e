// Laws drawn from low-discrepancy points, and the maps that make this worthwhile.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "host/inputs/sobol.hpp"
#include "host/inputs/trapezoids.hpp"
#include "src/ensemble.hpp"

namespace scree {
namespace {

/// Parameters and starts of up to eight bodies, without meaning.
struct Eight {
  struct Params {
    double value[8];
  };
  struct Start {
    Quaternion<double> orientation;
  };
};
constexpr int eight_orientation = 8;  // target, in doubles from the first parameter

constexpr std::uint32_t net_replicates = 4;
constexpr int dimensions = 8;

/// Direction numbers, then `numbers`, whose offset is `given`.
constexpr double given = dimensions * net_digits;
struct NetFixture {
  std::vector<double> tables = sobol_direction_numbers(dimensions);
  Ensemble<Eight> ensemble{};

  explicit NetFixture(const std::vector<Variation>& variations, const std::vector<double>& numbers = {}) {
    tables.insert(tables.end(), numbers.begin(), numbers.end());
    ensemble.seed = 5;
    ensemble.world.tables = tables.data();
    ensemble.points = {0, net_replicates};
    ensemble.variation_count = static_cast<int>(variations.size());
    for (std::size_t v = 0; v < variations.size(); ++v) ensemble.variations[v] = variations[v];
  }
  Sample<Eight> operator()(std::uint64_t i) const { return draw(ensemble, i); }
};

Variation at_dimension(int dimension, Variation vary) {
  vary.dimension = dimension;
  return vary;
}

TEST(DrawPoints, SampleIIsPointIDivROfReplicateIModR) {
  const NetFixture fixture({at_dimension(3, {0, Law::uniform, 0, 1, 0, 0, 0})});
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const NetPoint point{fixture.tables.data(), 5, static_cast<std::uint32_t>(i % 4),
                         static_cast<std::uint32_t>(i / 4)};
    ASSERT_EQ(fixture(i).params.value[0], coordinate(point.digits(3), random_bits(5, i, 0)));
  }
}

TEST(DrawPoints, LawsWithoutADimensionDrawWhatTheyDrawAtRandom) {
  const Variation normal{1, Law::normal, 0, 1, 0, 0, 0};
  const NetFixture points({at_dimension(0, {0, Law::uniform, 0, 1, 0, 0, 0}), normal});
  NetFixture random({{0, Law::uniform, 0, 1, 0, 0, 0}, normal});
  random.ensemble.points = {};
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(points(i).params.value[1], random(i).params.value[1]);
    EXPECT_NE(points(i).params.value[0], random(i).params.value[0]);
    EXPECT_EQ(random(i).params.value[0], uniform(5, i, 0));
  }
}

TEST(DrawPoints, EveryBodyHasDimensionsOfItsOwn) {
  Variation vary{0, Law::uniform, 0, 1, 0, 0, 0};
  vary.repeats = 3;
  vary.stride = 2;
  const NetFixture fixture({at_dimension(4, vary)});
  for (std::uint64_t i = 0; i < 100; ++i)
    for (int body = 0; body < 3; ++body) {
      const NetPoint point{fixture.tables.data(), 5, static_cast<std::uint32_t>(i % 4),
                           static_cast<std::uint32_t>(i / 4)};
      const std::uint32_t digits = point.digits(4 + body);
      EXPECT_EQ(std::floor(fixture(i).params.value[2 * body] * 0x1p32), digits);
    }
}

/// How many samples of each replicate lie in each of `bins` bins of the law's distribution function.
template <class Bin>
void expect_balance(const NetFixture& fixture, int bins, int each, const Bin& bin) {
  std::vector<std::array<int, net_replicates>> counts(static_cast<std::size_t>(bins));
  for (std::uint64_t i = 0; i < net_replicates * static_cast<std::uint64_t>(bins * each); ++i)
    ++counts.at(static_cast<std::size_t>(bin(fixture(i))))[i % net_replicates];
  for (const auto& count : counts)
    for (const int n : count) ASSERT_EQ(n, each);
}

TEST(DrawPoints, LawsOfOneNumberAreBalancedInEveryReplicate) {
  const auto value = [](const Sample<Eight>& s) { return s.params.value[0]; };
  const NetFixture uniform_law({at_dimension(1, {0, Law::uniform, -1, 3, 0, 0, 0})});
  expect_balance(uniform_law, 64, 1, [&](const auto& s) { return 16 * (value(s) + 1); });
  const NetFixture normal_law({at_dimension(2, {0, Law::normal, 2, 0.5, 0, 0, 0})});
  expect_balance(normal_law, 64, 2, [&](const auto& s) { return 32 * std::erfc(-(value(s) - 2) / std::sqrt(0.5)); });
  const NetFixture lognormal_law({at_dimension(3, {0, Law::lognormal, 0, 1, 0, 0, 0})});
  expect_balance(lognormal_law, 64, 2,
                 [&](const auto& s) { return 32 * std::erfc(-std::log(value(s)) / std::sqrt(2)); });
  const NetFixture triangular_law({at_dimension(4, {0, Law::triangular, 0, 1, 0, 0, 0})});  // F = 1 - (1 - x)^2
  expect_balance(triangular_law, 64, 2, [&](const auto& s) { return 64 * (1 - (1 - value(s)) * (1 - value(s))); });
  const NetFixture choice_law({at_dimension(5, {0, Law::choice, 0, 0, 0, given, 4})}, {0, 1, 2, 3});
  expect_balance(choice_law, 4, 16, value);
  // An L of lengths 3 and 1: quarters of its length.
  const NetFixture line_law({at_dimension(6, {0, Law::line, 0, 0, 0, given, 3})}, {0, 0, 3, 0, 3, 1});
  expect_balance(line_law, 4, 8, [&](const auto& s) { return s.params.value[1] > 0 ? 3 : value(s); });
}

TEST(DrawPoints, ATableIsReadByTheNumberOfTheSample) {
  const NetFixture fixture({{0, Law::table, 0, 0, 0, given, 3}}, {7, 8, 9});
  for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(fixture(i).params.value[0], 7.0 + static_cast<double>(i % 3));
}

/// Means over n samples of entries of the rotation matrix, their squares and fourth powers, and of trace and its
/// square.
struct Haar {
  double first[9] = {}, second[9] = {}, fourth[9] = {}, trace = 0, trace_square = 0, product = 0;
  Haar(const NetFixture& fixture, int n) {
    for (int i = 0; i < n; ++i) {
      const Quaternion<double> e = fixture(static_cast<std::uint64_t>(i)).start.orientation;
      EXPECT_NEAR(dot(e, e), 1, 1e-15);  // as for the law of four normals
      const auto a = rotation(e);
      const double entry[9] = {a.row0.x, a.row0.y, a.row0.z, a.row1.x, a.row1.y,
                               a.row1.z, a.row2.x, a.row2.y, a.row2.z};
      for (int k = 0; k < 9; ++k) {
        first[k] += entry[k] / n;
        second[k] += entry[k] * entry[k] / n;
        fourth[k] += std::pow(entry[k], 4) / n;
      }
      const double t = entry[0] + entry[4] + entry[8];
      trace += t / n;
      trace_square += t * t / n;
      product += entry[0] * entry[4] * entry[8] / n;
    }
  }
};

// Under Haar measure an entry is the height of a point of the sphere, uniform in (-1, 1); the characters of SO(3) are
// orthonormal, so the trace has the mean 0 and the mean square 1; and of the six terms of the determinant, whose mean
// is 1, each has the same mean, 1/6. `share` of five standard errors of n random ones.
void expect_haar(const Haar& h, int n, double share) {
  const double five_errors = share * 5 / std::sqrt(1.0 * n);
  for (int k = 0; k < 9; ++k) {
    EXPECT_NEAR(h.first[k], 0, five_errors * std::sqrt(1.0 / 3)) << k;
    EXPECT_NEAR(h.second[k], 1.0 / 3, five_errors * std::sqrt(4.0 / 45)) << k;        // 1/5 - 1/9
    EXPECT_NEAR(h.fourth[k], 1.0 / 5, five_errors * std::sqrt(1.0 / 9 - 0.04)) << k;  // E x^8 - (1/5)^2
  }
  EXPECT_NEAR(h.trace, 0, five_errors);
  EXPECT_NEAR(h.trace_square, 1, five_errors * std::sqrt(2.0));  // the fourth moment of that character is 3
  EXPECT_NEAR(h.product, 1.0 / 6, five_errors);                  // below 1 in size
}

TEST(DrawPoints, OrientationsMappedFromThreeNumbersAreUniformOnRotations) {
  const Variation map{eight_orientation, Law::orientation_map, 0, 0, 0, 0, 0};
  NetFixture random({map});
  random.ensemble.points = {};
  expect_haar(Haar(random, 40000), 40000, 1);
  // A net of 4 x 8192 points does far better than as many random ones, as it should for functions this smooth: from
  // n^-1/2 to n^-3/2 (log n) would be a share of 1e-3; a tenth is asked for.
  expect_haar(Haar(NetFixture({at_dimension(0, map)}), 4 * 8192), 4 * 8192, 0.1);
}

/// Shoelace.
double area(const std::vector<double>& p) {
  double twice = 0;
  for (std::size_t i = 0; i < p.size(); i += 2) {
    const std::size_t j = (i + 2) % p.size();
    twice += p[i] * p[j + 1] - p[j] * p[i + 1];
  }
  return std::fabs(twice) / 2;
}

double area_of_trapezoids(const std::vector<double>& t) {
  double sum = 0;
  for (std::size_t i = 0; i < t.size(); i += trapezoid_numbers)
    sum += (t[i + 5] - t[i + 3] + t[i + 6] - t[i + 4]) / 2 * (t[i + 2] - t[i + 1]);
  return sum;
}

TEST(Trapezoids, OfASquareIsOne) {
  EXPECT_EQ(trapezoids_of(std::vector<double>{0, 0, 2, 0, 2, 2, 0, 2}), (std::vector<double>{1, 0, 2, 0, 0, 2, 2}));
}

TEST(Trapezoids, GoFromLeftToRightAndUpwards) {
  // A U of three unit squares high at the sides, one high in the middle.
  EXPECT_EQ(trapezoids_of(std::vector<double>{0, 0, 3, 0, 3, 3, 2, 3, 2, 1, 1, 1, 1, 3, 0, 3}),
            (std::vector<double>{3.0 / 7, 0, 1, 0, 0, 3, 3, 4.0 / 7, 1, 2, 0, 0, 1, 1, 1, 2, 3, 0, 0, 3, 3}));
  // A C, open to the right.
  EXPECT_EQ(trapezoids_of(std::vector<double>{0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 2, 2, 2, 3, 0, 3}),
            (std::vector<double>{0.6, 0, 1, 0, 0, 3, 3, 0.8, 1, 2, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3}));
}

TEST(Trapezoids, WithoutAreaAreNone) {
  EXPECT_TRUE(trapezoids_of(std::vector<double>{0, 0, 1, 1, 2, 2}).empty());
  EXPECT_TRUE(trapezoids_of(std::vector<double>{1, 0, 1, 5, 1, 7}).empty());
}

TEST(Trapezoids, OfEdgesThatCrossHoldWhatIsInside) {
  // A pentagram: the inner pentagon is crossed by two rays of edges and so is outside.
  std::vector<double> star;
  for (const int k : {0, 2, 4, 1, 3}) {
    star.push_back(std::cos(0.3 + 2 * M_PI * k / 5));
    star.push_back(std::sin(0.3 + 2 * M_PI * k / 5));
  }
  const std::vector<double> trapezoids = trapezoids_of(star);
  // Five points of the star, triangles on the sides of the inner pentagon, whose corners are at the radius
  // cos(72) / cos(36) degrees: base 2 r sin(36), height 1 - r cos(36).
  const double r = std::cos(0.4 * M_PI) / std::cos(0.2 * M_PI), s = std::sin(0.2 * M_PI), c = std::cos(0.2 * M_PI);
  EXPECT_NEAR(area_of_trapezoids(trapezoids), 5 * r * s * (1 - r * c), 1e-14);
  const std::int64_t count = static_cast<std::int64_t>(trapezoids.size() / trapezoid_numbers);
  for (std::uint64_t i = 0; i < 2000; ++i)
    EXPECT_TRUE(inside_polygon(point_in_trapezoids(uniform(1, i, 0), uniform(1, i, 1), trapezoids.data(), count),
                               star.data(), 5));
}

TEST(Trapezoids, MapTheSquareOntoThePolygonKeepingAreas) {
  // Not convex, with a vertical edge, in map coordinates.
  const double x0 = 2.6e6, y0 = 1.2e6;
  const std::vector<double> shape = {0, 0, 400, -80, 700, 100, 700, 500, 350, 150, 200, 600, -50, 420};
  std::vector<double> corners = shape;
  for (std::size_t i = 0; i < corners.size(); i += 2) {
    corners[i] += x0;
    corners[i + 1] += y0;
  }
  const std::vector<double> trapezoids = trapezoids_of(corners);
  EXPECT_NEAR(area_of_trapezoids(trapezoids), area(shape),
              1e-5);  // roundings of 2e-10 over lengths of 1e3, a few dozen
  const std::int64_t count = static_cast<std::int64_t>(trapezoids.size() / trapezoid_numbers);
  // Means over a fine grid of the square against the moments of a uniform law on the polygon, by Green's theorem.
  double moments[5] = {}, exact[5] = {};  // x, y, x^2, x y, y^2
  constexpr int columns = 40000, rows = 40;
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j) {
      const Point2 p = point_in_trapezoids((i + 0.5) / columns, (j + 0.5) / rows, trapezoids.data(), count);
      const double x = p.x - x0, y = p.y - y0;
      ASSERT_TRUE(inside_polygon(p, corners.data(), static_cast<std::int64_t>(corners.size() / 2)));
      const double of[5] = {x, y, x * x, x * y, y * y};
      for (int k = 0; k < 5; ++k) moments[k] += of[k] / columns / rows;
    }
  for (std::size_t i = 0; i < shape.size(); i += 2) {
    const std::size_t k = (i + 2) % shape.size();
    const double a = shape[i], b = shape[i + 1], c = shape[k], d = shape[k + 1], w = (a * d - c * b) / area(shape);
    exact[0] += w * (a + c) / 6;
    exact[1] += w * (b + d) / 6;
    exact[2] += w * (a * a + a * c + c * c) / 12;
    exact[3] += w * (2 * a * b + a * d + c * b + 2 * c * d) / 24;
    exact[4] += w * (b * b + b * d + d * d) / 12;
  }
  // The midpoint rule: each of at most ten passages from one trapezoid to the next spoils one column, by at most the
  // range of the moment; y runs straight in a column, so that only its square is off, by range^2 / (12 rows^2).
  const double range = 750, passages = 10.0 / columns;
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(moments[k], exact[k], range * passages) << k;
  for (int k = 2; k < 5; ++k)
    EXPECT_NEAR(moments[k], exact[k], range * range * (passages + 1.0 / (12 * rows * rows))) << k;
}

TEST(DrawPoints, APolygonTakesTwoDimensionsAndIsBalanced) {
  // A triangle: the area left of x is 1 - (1 - x)^2, and y is uniform over its height 1 - x there.
  const std::vector<double> triangle = trapezoids_of(std::vector<double>{0, 0, 1, 0, 0, 1});
  ASSERT_EQ(triangle.size(), std::size_t{trapezoid_numbers});
  const NetFixture fixture({at_dimension(0, {0, Law::polygon_map, 0, 0, 0, given, 1})}, triangle);
  expect_balance(fixture, 64, 1, [](const Sample<Eight>& s) {
    const double x = s.params.value[0], y = s.params.value[1];
    return 8 * std::floor(8 * (1 - (1 - x) * (1 - x))) + std::floor(8 * y / (1 - x));
  });
}

}  // namespace
}  // namespace scree
