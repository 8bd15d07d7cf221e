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
using test::LanesOf;

/// The tests run on the registers of the instruction set that this file is compiled for, one and several at a time.
template <class Real>
class PackTest : public testing::Test {};
using Packs = testing::Types<Pack<native_width, 1>, Pack<native_width, 2>, Pack<native_width, 4>>;
TYPED_TEST_SUITE(PackTest, Packs);

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
  while (list.size() % 64 != 0) list.push_back(0.25);  // divisible by the lanes of any pack
  return list;
}

template <class Real, class F>
void expect_same_function(F f) {
  const std::vector<double> list = arguments(4000);
  for (std::size_t i = 0; i < list.size(); i += Real::lanes) {
    LanesOf<One<double>, Real> in;
    for (std::size_t lane = 0; lane < in.size(); ++lane) in[lane] = {list[i + lane]};
    expect_same_lanes<One, Real>(in, [&](const auto& x) { return f(x.x); });
  }
}

TYPED_TEST(PackTest, ElementaryFunctionsHaveTheBitsOfDouble) {
  expect_same_function<TypeParam>([](const auto& x) { return sin(x); });
  expect_same_function<TypeParam>([](const auto& x) { return cos(x); });
  expect_same_function<TypeParam>([](const auto& x) { return atan(x); });
  expect_same_function<TypeParam>([](const auto& x) { return exp(x); });
  expect_same_function<TypeParam>([](const auto& x) { return expm1(x); });
  expect_same_function<TypeParam>([](const auto& x) { return log(x); });
  expect_same_function<TypeParam>([](const auto& x) { return rsqrt(abs(x)); });
  expect_same_function<TypeParam>([](const auto& x) {
    using Real = std::decay_t<decltype(x)>;
    return inverse_normal(abs(x) / (abs(x) + Real(1.0)));
  });
}

TYPED_TEST(PackTest, OperationsOfRealHaveTheBitsOfDouble) {
  expect_same_function<TypeParam>([](const auto& x) { return sqrt(x); });
  expect_same_function<TypeParam>([](const auto& x) { return truncate(x); });
  expect_same_function<TypeParam>([](const auto& x) { return -abs(x); });
  const std::vector<double> a = arguments(1000), b(a.rbegin(), a.rend());
  for (std::size_t i = 0; i < a.size(); i += TypeParam::lanes) {
    LanesOf<Two<double>, TypeParam> lanes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) lanes[lane] = {a[i + lane], b[i + lane]};
    expect_same_lanes<Two, TypeParam>(lanes, [](const auto& in) {
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
}

TYPED_TEST(PackTest, AnyIsTrueIfOneLaneIs) {
  const TypeParam none(0.0), half(0.5);
  EXPECT_FALSE(any(none > half));
  EXPECT_EQ(lanes_where(none > half), 0u);
  for (int i = 0; i < TypeParam::lanes; ++i) {
    TypeParam one = none;
    one.set_lane(i, 1);
    EXPECT_TRUE(any(one > half)) << i;
    EXPECT_EQ(lanes_where(one > half), 1u << i);
    EXPECT_FALSE(any(!((one > half) | (one < half)))) << i;
  }
}

TYPED_TEST(PackTest, ReadsTablesLaneByLane) {
  std::vector<double> table(100);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = 10.0 + static_cast<double>(i);
  TypeParam index;
  for (int i = 0; i < TypeParam::lanes; ++i) index.set_lane(i, (7 * i) % 40);
  const TypeParam got = gather(table.data(), index);
  const TypeParam row = with_table_row(table.data(), index, [](const auto& rows) { return rows[2]; });
  const TypeParam shared = with_table_row(table.data(), TypeParam(5.0), [](const auto& rows) { return rows[3]; });
  TypeParam one[1], two[2], three[3], four[4], same[4];
  const auto rows = table_row(table.data(), index);
  read_row(rows, 1, one);
  read_row(rows, 4, two);
  read_row(rows, 2, three);
  read_row(rows, 5, four);
  with_table_row(table.data(), TypeParam(5.0), [&](const auto& lone) { read_row(lone, 6, same); });
  double most = 0;
  for (int i = 0; i < TypeParam::lanes; ++i) {
    const double first = 10 + (7 * i) % 40;
    EXPECT_EQ(one[0].lane(i), first + 1);
    for (int k = 0; k < 2; ++k) EXPECT_EQ(two[k].lane(i), first + 4 + k);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(three[k].lane(i), first + 2 + k);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(four[k].lane(i), first + 5 + k);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(same[k].lane(i), 21 + k);
    EXPECT_EQ(got.lane(i), 10 + (7 * i) % 40);
    EXPECT_EQ(row.lane(i), 12 + (7 * i) % 40);
    EXPECT_EQ(shared.lane(i), 18);
    most = std::max(most, index.lane(i));
  }
  EXPECT_EQ(highest(index), static_cast<int>(most));
}

TYPED_TEST(PackTest, TakesBitsLaneByLaneAndLeavesEmptySets) {
  const double sets[] = {0, 1, 12, 0x1p47, 3, 0x1p52 + 1, 0x1p53 - 1, 0x1p52};
  const double lowest[] = {0, 0, 2, 47, 0, 0, 0, 52};
  const double left[] = {0, 0, 8, 0, 2, 0x1p52, 0x1p53 - 2, 0};
  for (int first = 0; first < 8; ++first) {
    TypeParam set;
    for (int i = 0; i < TypeParam::lanes; ++i) set.set_lane(i, sets[(first + i) % 8]);
    const TypeParam bit = take_lowest_bit(set);
    for (int i = 0; i < TypeParam::lanes; ++i) {
      EXPECT_EQ(bit.lane(i), lowest[(first + i) % 8]);
      EXPECT_EQ(set.lane(i), left[(first + i) % 8]);
    }
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

TYPED_TEST(PackTest, VectorOperationsHaveTheBitsOfDouble) {
  std::mt19937_64 engine(5);
  for (int repeat = 0; repeat < 500; ++repeat) {
    LanesOf<Vectors<double>, TypeParam> in;
    for (auto& lane : in) fill(lane, engine);
    expect_same_lanes<Vectors, TypeParam>(in, [](const auto& v) {
      using Real = std::decay_t<decltype(v.s)>;
      struct Out {
        Vec3<Real> sum, difference, negative, scaled, fused, componentwise, crossed, chosen, turned, turned_back;
        Mat3<Real> inverted, axes;
        Quaternion<Real> product, unit, chosen_too;
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

template <class Scheme, class Pack>
void expect_same_rotor() {
  std::mt19937_64 engine(9);
  std::uniform_real_distribution<double> rate(-20, 20);
  for (int repeat = 0; repeat < 200; ++repeat) {
    LanesOf<Rotor<double>, Pack> in;
    for (auto& lane : in) {
      fill(lane.orientation, engine);
      lane.orientation = normalized(lane.orientation);
      lane.inertia = {1 + 0.01 * repeat, 2, 2.5};
      lane.spin = {rate(engine), rate(engine), rate(engine)};
    }
    in[1].spin = {0, 0, 0};
    expect_same_lanes<Rotor, Pack>(in, [](const auto& start) {
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

TYPED_TEST(PackTest, RotorsHaveTheBitsOfDouble) {
  expect_same_rotor<RotorExplicit, TypeParam>();
  expect_same_rotor<RotorMidpoint<ExpB>, TypeParam>();
  expect_same_rotor<RotorMidpoint<Cayley>, TypeParam>();
  expect_same_rotor<RotorRk4, TypeParam>();
}

TYPED_TEST(PackTest, GridTerrainHasTheBitsOfDouble) {
  std::mt19937_64 engine(2);
  std::uniform_real_distribution<double> height(0, 5), place(-2, 12);
  std::vector<double> heights(30);
  for (double& z : heights) z = height(engine);
  heights[13] = std::numeric_limits<double>::quiet_NaN();
  // The grid, and one of a single cell. Points that are nowhere on it are still looked up in a cell of it.
  const BilinearGrid large{{0, 0, Divisor::of(2), 6, 5, 0}}, small{{0, 0, Divisor::of(2), 2, 2, 0}};
  const double infinity = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  const Two<double> odd[] = {{none, 1}, {1, none},   {infinity, 1}, {1, -infinity}, {1e300, -1e300},
                             {-0., -0.}, {-1, -1e-9}, {10, 8},       {10, 3},        {3, 8}};
  for (int repeat = 0; repeat < 500; ++repeat) {
    const BilinearGrid& grid = repeat % 2 == 0 ? large : small;
    LanesOf<Two<double>, TypeParam> in;
    for (auto& lane : in) lane = {place(engine), place(engine)};
    for (std::size_t i = 0; i < in.size(); i += 2) in[i] = odd[(static_cast<std::size_t>(repeat) + i / 2) % 10];
    expect_same_lanes<Two, TypeParam>(in, [&](const auto& at) {
      using Real = std::decay_t<decltype(at.x)>;
      struct Out {
        Real height, slope_x, slope_y, inside, data;
      };
      const GroundPoint<Real> point = grid.at(heights.data(), at.x, at.y);
      const Real zero = Real(0.0), one = Real(1.0);
      return Out{point.height, point.slope_x(), point.slope_y(), select(point.inside, one, zero),
                 select(point.data, one, zero)};
    });
  }
}

}  // namespace
}  // namespace scree
