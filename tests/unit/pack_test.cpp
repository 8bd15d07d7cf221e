// A lane of a Pack has the bits of the same computation on a double: the templates of src/ treat each sample alike.
#include "kernels/pack.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "src/steppers/rotor_explicit.hpp"
#include "src/steppers/rotor_midpoint.hpp"
#include "src/steppers/rotor_rk4.hpp"
#include "src/terrain/terrain.hpp"
#include "tests/support/lanes.hpp"

namespace scree {
namespace {

using test::expect_same_lanes;

template <class Real>
struct One {
  Real x;
};
template <class Real>
struct Two {
  Real x, y;
};

/// Arguments of all sizes and signs, with the special ones among them.
std::vector<double> arguments(int count) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> list = {0.0,
                              -0.0,
                              1.0,
                              -1.0,
                              0.5,
                              0.66,
                              -0.66,
                              2.41421356237309504880,
                              infinity,
                              5e-324,
                              1e-310,
                              0x1p-1022,
                              1.7e308,
                              710.,
                              -745,
                              1e5,
                              -1e5,
                              -infinity,
                              std::numeric_limits<double>::quiet_NaN()};
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> exponent(-12, 6), even(-4, 4);
  for (int i = 0; i < count; ++i)
    list.push_back(i % 2 ? even(engine) : std::copysign(std::exp(exponent(engine)), even(engine)));
  while (list.size() % Pack::lanes != 0) list.push_back(0.25);
  return list;
}

template <class F>
void expect_same_function(F f) {
  const std::vector<double> list = arguments(4000);
  for (std::size_t i = 0; i < list.size(); i += Pack::lanes)
    expect_same_lanes<One>({{list[i]}, {list[i + 1]}, {list[i + 2]}, {list[i + 3]}},
                           [&](const auto& in) { return f(in.x); });
}

TEST(Pack, ElementaryFunctionsHaveTheBitsOfDouble) {
  expect_same_function([](const auto& x) { return sin(x); });
  expect_same_function([](const auto& x) { return cos(x); });
  expect_same_function([](const auto& x) { return atan(x); });
  expect_same_function([](const auto& x) { return exp(x); });
  expect_same_function([](const auto& x) { return expm1(x); });
  expect_same_function([](const auto& x) { return log(x); });
  expect_same_function([](const auto& x) { return rsqrt(abs(x)); });
  expect_same_function([](const auto& x) {
    using Real = std::decay_t<decltype(x)>;
    return inverse_normal(abs(x) / (abs(x) + Real(1.0)));
  });
}

TEST(Pack, OperationsOfRealHaveTheBitsOfDouble) {
  expect_same_function([](const auto& x) { return sqrt(x); });
  expect_same_function([](const auto& x) { return truncate(x); });
  expect_same_function([](const auto& x) { return -abs(x); });
  const std::vector<double> a = arguments(1000), b(a.rbegin(), a.rend());
  for (std::size_t i = 0; i < a.size(); i += Pack::lanes)
    expect_same_lanes<Two>(
        {{a[i], b[i]}, {a[i + 1], b[i + 1]}, {a[i + 2], b[i + 2]}, {a[i + 3], b[i + 3]}}, [](const auto& in) {
          using Real = std::decay_t<decltype(in.x)>;
          struct Out {
            Real sum, difference, product, quotient, fused, sign, larger_one, smaller_one, products, chosen, mixed;
          };
          const Real &x = in.x, &y = in.y, one = Real(1.0), zero = Real(0.0);
          return Out{x + y,
                     x - y,
                     x * y,
                     x / y,
                     fma(x, y, one),
                     copysign(x, y),
                     larger(x, y),
                     smaller(x, y),
                     difference_of_products(x, y, y, one),
                     select((x <= y) & !(x == y), one, zero),
                     select(select(x >= zero, y != one, y > zero) | (y < x), x, y)};
        });
}

TEST(Pack, AnyIsTrueIfOneLaneIs) {
  const Pack none(0.0);
  Pack third = none;
  third.v[2] = 1;
  EXPECT_FALSE(any(none > Pack(0.5)));
  EXPECT_TRUE(any(third > Pack(0.5)));
}

TEST(Pack, ReadsTablesLaneByLane) {
  const double table[] = {10, 11, 12, 13, 14, 15, 16};
  Pack index;
  for (int i = 0; i < Pack::lanes; ++i) index.v[i] = 3 - i;
  const Pack got = gather(table, index), row = table_row(table, index)[2];
  for (int i = 0; i < Pack::lanes; ++i) {
    EXPECT_EQ(got.v[i], 13 - i);
    EXPECT_EQ(row.v[i], 15 - i);
  }
  EXPECT_EQ(highest(index), 3);
}

TEST(Pack, TakesBitsLaneByLaneAndLeavesEmptySets) {
  Pack set;
  const double sets[] = {0, 1, 12, 0x1p47};
  const double lowest[] = {0, 0, 2, 47};
  const double left[] = {0, 0, 8, 0};
  std::copy(sets, sets + 4, set.v);
  const Pack bit = take_lowest_bit(set);
  for (int i = 0; i < Pack::lanes; ++i) {
    EXPECT_EQ(bit.v[i], lowest[i]);
    EXPECT_EQ(set.v[i], left[i]);
  }
}

template <class Real>
struct Vectors {
  Vec3<Real> a, b, c;
  Quaternion<Real> p, q;
  Real s;
};
template <class In>
void fill(In& in, std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  double* numbers = reinterpret_cast<double*>(&in);
  for (std::size_t k = 0; k < sizeof(In) / sizeof(double); ++k) numbers[k] = normal(engine);
}

TEST(Pack, VectorOperationsHaveTheBitsOfDouble) {
  std::mt19937_64 engine(5);
  for (int repeat = 0; repeat < 500; ++repeat) {
    Vectors<double> in[Pack::lanes];
    for (auto& lane : in) fill(lane, engine);
    expect_same_lanes<Vectors>(in, [](const auto& v) {
      using Real = std::decay_t<decltype(v.s)>;
      struct Out {
        Vec3<Real> sum, difference, negative, scaled, fused, componentwise, crossed, chosen, turned, turned_back;
        Mat3<Real> inverted, axes;
        Quaternion<Real> product, unit, conjugated, chosen_too;
        Real dotted, length, four;
      };
      const Mat3<Real> axes = rotation(normalized(v.p));
      return Out{v.a + v.b,
                 v.a - v.b,
                 -v.a,
                 v.s * v.a,
                 fma(v.s, v.a, v.b),
                 scale(v.a, v.b),
                 cross(v.a, v.b),
                 select(v.a.x < v.b.x, v.a, v.b),
                 axes * v.c,
                 transposed_times(axes, v.c),
                 inverse(Mat3<Real>{v.a, v.b, v.c}),
                 axes,
                 v.p * v.q,
                 normalized(v.p),
                 conjugate(v.q),
                 select(v.a.y < v.b.y, v.p, v.q),
                 dot(v.a, v.b),
                 norm(v.a),
                 dot(v.p, v.q)};
    });
  }
}

template <class Real>
struct Rotor {
  Vec3<Real> inertia, spin;
  Quaternion<Real> orientation;
};

template <class Scheme>
void expect_same_rotor() {
  std::mt19937_64 engine(9);
  std::uniform_real_distribution<double> rate(-20, 20);
  for (int repeat = 0; repeat < 200; ++repeat) {
    Rotor<double> in[Pack::lanes];
    for (auto& lane : in) {
      fill(lane.orientation, engine);
      lane.orientation = normalized(lane.orientation);
      lane.inertia = {1 + 0.01 * repeat, 2, 2.5};
      lane.spin = {rate(engine), rate(engine), rate(engine)};
    }
    in[3].spin = {0, 0, 0};
    expect_same_lanes<Rotor>(in, [](const auto& start) {
      using Real = std::decay_t<decltype(start.spin.x)>;
      const Real h = Real(0.01);
      auto rotor = start;
      for (int step = 0; step < 20; ++step) {
        const Rotation<Real> next = Scheme::free_step(rotor.inertia, rotor.spin, rotor.orientation, h);
        rotor.spin = next.w;
        rotor.orientation = next.p;
      }
      return rotor;
    });
  }
}

TEST(Pack, RotorsHaveTheBitsOfDouble) {
  expect_same_rotor<RotorExplicit>();
  expect_same_rotor<RotorMidpoint<ExpB>>();
  expect_same_rotor<RotorMidpoint<Cayley>>();
  expect_same_rotor<RotorRk4>();
}

TEST(Pack, GridTerrainHasTheBitsOfDouble) {
  std::mt19937_64 engine(2);
  std::uniform_real_distribution<double> height(0, 5), place(-2, 12);
  std::vector<double> heights(30);
  for (double& z : heights) z = height(engine);
  heights[13] = std::numeric_limits<double>::quiet_NaN();
  Terrain terrain{};
  terrain.kind = TerrainKind::grid;
  terrain.cell = 2;
  terrain.columns = 6;
  terrain.rows = 5;
  for (int repeat = 0; repeat < 500; ++repeat) {
    Two<double> in[Pack::lanes];
    for (auto& lane : in) lane = {place(engine), place(engine)};
    expect_same_lanes<Two>(in, [&](const auto& at) {
      using Real = std::decay_t<decltype(at.x)>;
      struct Out {
        Real height, slope_x, slope_y, inside, data;
      };
      const GridPoint<Real> point = grid_point(terrain, heights.data(), at.x, at.y);
      const Real zero = Real(0.0), one = Real(1.0);
      return Out{point.height, point.slope_x, point.slope_y, select(point.inside, one, zero),
                 select(point.data, one, zero)};
    });
  }
}

}  // namespace
}  // namespace scree
