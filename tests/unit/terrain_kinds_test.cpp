// Kinds of terrain: what a new one needs, and that the table of docs/terrain.md says what they say of themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "host/model/model.hpp"
#include "host/model/terrain_description.hpp"
#include "src/contact/scan.hpp"
#include "tests/support/rocks.hpp"

namespace scree {
namespace {

using testing::ElementsAre;

// ---------------------------------------------------------------------------------------------------------------------
// Three kinds as a user would write them: each its header's worth, and a place in the list.

/// Two walls that meet along the y axis.
struct Notch {
  HalfSpace west, east;

  static constexpr int half_spaces = 2;
  const HalfSpace& half_space(int k) const { return k == 0 ? west : east; }
  template <class Real>
  Real height(const Real& x, const Real&) const {
    return larger(west.height_over(x), east.height_over(x));
  }
  template <class Real>
  Vec3<Real> fall_line(const Real& x, const Real&) const {
    return select(x < Real(0.0), HalfSpace::of<Real>(west.tangent1), HalfSpace::of<Real>(east.tangent1));
  }

  struct Keys {
    double slope;
  };
  template <class Table>
  static void describe(Table& table) {
    static constexpr Range sloping{0, 90, true, true, "> 0 and < 90"};
    table.kind("notch", "two walls that meet at x = 0", "notch of {slope} degrees");
    table.key("slope", &Keys::slope, "degrees", sloping, "of each wall");
  }
  static Notch of(const Keys& keys) {
    const HalfSpace wall = falling_plane(keys.slope, 0);
    return {wall,
            {{-wall.normal.x, 0, wall.normal.z},
             {-wall.tangent1.x, 0, wall.tangent1.z},
             {0, -1, 0},
             0,
             wall.steepness}};
  }
};

/// Steps of rough ground, a height over (x, y).
struct Saw {
  double slope;

  template <class Real>
  Real cell_of(const Real& x, const Real&) const {
    return x - truncate(x);
  }
  template <class Real>
  GroundPoint<Real> at(const double*, const Real& along) const {
    const Mask<Real> everywhere = along == along;
    return {Real(slope) * along, Real(slope), Real(0.0), run(), everywhere, everywhere};
  }
  template <class Real>
  GroundPoint<Real> at(const double* tables, const Real& x, const Real& y) const {
    return at(tables, cell_of(x, y));
  }
  Divisor run() const { return Divisor::of(1); }

  struct Keys {
    double slope;
  };
  template <class Table>
  static void describe(Table& table) {
    table.kind("saw", "teeth of 1 m", "saw");
    table.key("slope", &Keys::slope, "1", positive, "of the teeth", 0.5);
  }
  static Saw of(const Keys& keys) { return {keys.slope}; }
};

/// z = k x^2 y.
struct Monkey {
  double k;

  template <class Real>
  SurfacePoint<Real> at(const double*, const Real& x, const Real& y) const {
    const Mask<Real> everywhere = x == x;
    const Real two = Real(2.0), c = Real(k);
    return {c * x * x * y, two * c * x * y, c * x * x, two * c * y, two * c * x, Real(0.0), everywhere, everywhere};
  }

  struct Keys {
    double k;
  };
  template <class Table>
  static void describe(Table& table) {
    table.kind("monkey", "z = k x^2 y", "monkey saddle");
    table.key("k", &Keys::k, "1/m^2", any_value, "steepness");
  }
  static Monkey of(const Keys& keys) { return {keys.k}; }
};

using Own = OneOf<Plane, Quadric, Notch, Saw, Monkey>;

TEST(TerrainKinds, ANewKindDescribesItselfAndIsMadeOfItsKeys) {
  const auto kinds = describe_kinds<Own>();
  std::vector<std::string> rough, smooth;
  for (const auto& kind : kinds) {
    if (kind.suits(Ground::rough)) rough.push_back(kind.name);
    if (kind.suits(Ground::smooth)) smooth.push_back(kind.name);
  }
  EXPECT_THAT(rough, ElementsAre("plane", "notch", "saw"));
  EXPECT_THAT(smooth, ElementsAre("plane", "quadric", "monkey"));
  EXPECT_EQ(kinds[3].keys[0].name, "slope");
  EXPECT_EQ(kinds[3].keys[0].standard, 0.5);
  EXPECT_FALSE(kinds[2].keys[0].standard);
  const double steep = 3;
  const Own saw = kinds[3].make(&steep, false);
  ASSERT_TRUE(saw.is<Saw>());
  EXPECT_EQ(saw.get<Saw>().slope, 3);
}

TEST(TerrainKinds, APlaneUnderASliderIsTheQuadricOfItsHeights) {
  const double keys[] = {30, 5};
  EXPECT_TRUE(describe_kinds<Own>()[0].make(keys, false).is<Plane>());
  const Own sliding = describe_kinds<Own>()[0].make(keys, true);
  ASSERT_TRUE(sliding.is<Quadric>());
  EXPECT_NEAR(surface_point(sliding, nullptr, 3.0, 7.0).z, 5 - 3 / std::sqrt(3.0), 4e-15);
}

/// A cube of 1 m whose lowest vertices are 0.1 m above the walls' heights there.
TEST(TerrainKinds, RocksMeetANewRoughKind) {
  const Own notch = Own::of(Notch::of({45})), saw = Own::of(Saw{0.5});
  EXPECT_EQ(ground_height(saw, nullptr, 0.5, 0.0), 0.25);
  EXPECT_NEAR(ground_height(notch, nullptr, -2.0, 0.0), 2, 1e-15);
  EXPECT_NEAR(ground_height(notch, nullptr, 2.0, 0.0), 2, 1e-15);
  EXPECT_GT(fall_line(notch, nullptr, -2.0, 0.0).x, 0);
  EXPECT_LT(fall_line(notch, nullptr, 2.0, 0.0).x, 0);

  std::vector<double> tables;
  append(test::named_shape("cuboid", 1, 1, 1, 1), tables);
  const Mat3<double> level = rotation(Quaternion<double>{1, 0, 0, 0});
  // Its lower edges at x = -0.5 and 0.5 are 0.5 m above the bottom of the notch when both touch.
  const Vec3<double> at{0, 0, 1 - 0.01};
  const Scan<double> found = scan(notch, tables.data(), 0.0, tables[ShapeLayout::radius], at, level);
  EXPECT_EQ(found.count, 4);
  EXPECT_NEAR(found.least_gap, -0.01 * std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(set_down_shift(notch, tables.data(), 0.0, 0.0, at, level), 0.01, 1e-15);
  Vec3<double> frame[3];
  contact_frame(notch, tables.data(), true, at, frame);
  EXPECT_NEAR(frame[0].x, -std::sqrt(0.5), 1e-15);
  // The corners at x = 0.75 are 0.01 m below the tooth, those at x = 1.75 too, as one tooth is like the other.
  const Scan<double> teeth =
      scan(saw, tables.data(), 0.0, tables[ShapeLayout::radius], Vec3<double>{1.25, 0, 0.375 + 0.5 - 0.01}, level);
  EXPECT_EQ(teeth.count, 4);
  EXPECT_NEAR(teeth.least_gap, -0.01 / std::sqrt(1 + 0.5 * 0.5), 1e-15);
}

TEST(TerrainKinds, SlidersMeetANewSmoothKind) {
  const Own saddle = Own::of(Monkey{0.5});
  EXPECT_EQ(surface_point(saddle, nullptr, 2.0, 3.0).z, 6);
  double slope = 0;
  with_surface(saddle, nullptr, [&](const auto& surface) { slope = surface(2.0, 3.0).fx; });
  EXPECT_EQ(slope, 6);
}

// ---------------------------------------------------------------------------------------------------------------------

/// One row per kind, as "| `bowl` | `radius` (m): meaning | pair, slider |".
TEST(TerrainKinds, AreOnThePageOnTerrain) {
  ASSERT_EQ(describe_kinds<Terrain>().size(), 8u);
  std::string expected = "| `terrain.kind` | keys | systems |\n|---|---|---|\n";
  for (const TerrainDescription& kind : describe_kinds<Terrain>()) {
    std::string keys, systems;
    for (const TerrainKey& key : kind.keys)
      if (!key.name.empty())
        keys += (keys.empty() ? "`" : ", `") + key.name + "`" +
                (key.unit.empty() || key.unit == "1" ? "" : " (" + key.unit + ")");
    for (const Model& model : models())
      if (kind.suits(model.description.ground)) systems += (systems.empty() ? "" : ", ") + model.description.system;
    expected += "| `" + kind.name + "` | " + keys + ": " + kind.meaning + " | " + systems + " |\n";
  }
  std::ifstream file(std::string(SCREE_SOURCE_DIR) + "/docs/terrain.md");
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_NE(page.str().find(expected), std::string::npos) << "docs/terrain.md has no table\n" << expected;
}

}  // namespace
}  // namespace scree
