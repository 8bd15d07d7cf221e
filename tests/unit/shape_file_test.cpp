// Rocks of every kind against closed forms, and the full text of each refusal.
#include "host/inputs/shape_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "host/common/error.hpp"
#include "temporary_file.hpp"
#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using test::nan;
using Point = std::array<double, 3>;
using Points = std::vector<Point>;

ShapeSpec spec_of(const std::string& kind, const Point& size, double mass) {
  ShapeSpec spec;
  spec.name = "rock";
  spec.kind = kind;
  spec.size = size;
  spec.mass = mass;
  return spec;
}

ShapeSpec spec_of(const Points& points, double density = 1) {
  ShapeSpec spec;
  spec.name = "rock";
  spec.kind = "points";
  spec.points = points;
  spec.density = density;
  return spec;
}

ShapeSpec spec_of_file(const std::string& path) {
  ShapeSpec spec;
  spec.name = "rock";
  spec.kind = "file";
  spec.file = path;
  spec.density = 1;
  return spec;
}

/// `body` seen in the given axes, about the centre of mass: what Shape::axes promises.
Point in_given_axes(const Shape& shape, const Point& body) {
  const auto& q = shape.axes;
  const Vec3<double> x = rotation(Quaternion<double>{q[0], q[1], q[2], q[3]}) * Vec3<double>{body[0], body[1], body[2]};
  return {x.x, x.y, x.z};
}

Point turned(const Quaternion<double>& q, const Point& a) {
  const Vec3<double> x = rotation(q) * Vec3<double>{a[0], a[1], a[2]};
  return {x.x, x.y, x.z};
}

Points corners(double lx, double ly, double lz) {
  Points points;
  for (const double x : {-0.5 * lx, 0.5 * lx})
    for (const double y : {-0.5 * ly, 0.5 * ly})
      for (const double z : {-0.5 * lz, 0.5 * lz}) points.push_back({x, y, z});
  return points;
}

void expect_near(const Point& a, const Point& b, double tolerance) {
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance);
}

std::string refusal_of(const ShapeSpec& spec) {
  try {
    make_shape(spec);
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Exit::input);
    const std::string line = error.what();
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    const std::size_t path = spec.file.empty() ? std::string::npos : line.find(spec.file);
    return path == std::string::npos ? line : line.substr(0, path) + "FILE" + line.substr(path + spec.file.size());
  }
  return "accepted";
}

constexpr std::array<double, 4> unturned{1, 0, 0, 0};

// Kinds by formula. Tolerances of 1e-15 relative: products of at most five correctly rounded factors, 1.1e-16 each.

TEST(Shape, CuboidHasItsClosedForms) {
  const Shape shape = make_shape(spec_of("cuboid", {3, 2, 1}, 12));
  EXPECT_EQ(shape.volume, 6);
  EXPECT_EQ(shape.mass, 12);
  EXPECT_DOUBLE_EQ(shape.radius, std::sqrt(14.0) / 2);
  expect_near(shape.inertia, {5.0 / 12, 10.0 / 12, 13.0 / 12}, 1e-15);
  EXPECT_EQ(shape.axes, unturned);
  EXPECT_EQ(shape.vertices, corners(3, 2, 1));
}

TEST(Shape, Eota221HasThePapersInertiaAndTheReferencesVertices) {
  const Shape shape = make_shape(spec_of("eota", {0.93, 0.93, 0.47}, 780));
  EXPECT_DOUBLE_EQ(shape.volume, 17.0 / 24 * 0.93 * 0.93 * 0.47);
  EXPECT_NEAR(780 * shape.inertia[0] / 52.31001176470589, 1, 1e-15);
  EXPECT_NEAR(780 * shape.inertia[1] / 52.31001176470589, 1, 1e-15);
  EXPECT_NEAR(780 * shape.inertia[2] / 83.33565882352943, 1, 1e-15);
  EXPECT_NEAR(shape.radius, 0.5330, 5e-5);
  EXPECT_EQ(shape.axes, unturned);
  nlohmann::json reference;
  std::ifstream("tests/reference/rock_contact.json") >> reference;
  EXPECT_EQ(shape.vertices, reference.at("cases").at(0).at("verts").get<Points>());
}

TEST(Shape, Eota221OfThePapersDensityHasThePapersMass) {
  ShapeSpec spec = spec_of("eota", {0.93, 0.93, 0.47}, 0);
  spec.density = 2708.9;
  EXPECT_NEAR(make_shape(spec).mass, 780, 0.02);  // 2708.9 is given to 5 digits
}

TEST(Shape, Eota111HasTheCubesFormula) {
  const Shape shape = make_shape(spec_of("eota", {0.7444, 0.7444, 0.7444}, 780));
  for (const double moment : shape.inertia)
    EXPECT_NEAR(780 * moment, 53.386, 0.0075);  // L is given to 5e-5 m: 2 * 5e-5 / 0.7444 of it
  EXPECT_DOUBLE_EQ(shape.inertia[0], 21.0 / 170 * 0.7444 * 0.7444);
  EXPECT_EQ(shape.axes, unturned);
}

TEST(Shape, OctahedronIsTheOneOfLeine2014) {
  ShapeSpec spec = spec_of("octahedron", {2, 2, 20}, 0);
  spec.density = 3000;
  const Shape shape = make_shape(spec);
  EXPECT_DOUBLE_EQ(shape.mass, 80000);
  EXPECT_EQ(shape.vertices.size(), 6u);
  // About the long axis 32 000, about the two others 816 000 kg m^2: the long axis becomes the first one.
  EXPECT_NEAR(shape.mass * shape.inertia[0], 32000, 1e-10);
  EXPECT_NEAR(shape.mass * shape.inertia[1], 816000, 1e-9);
  EXPECT_NEAR(shape.mass * shape.inertia[2], 816000, 1e-9);
  EXPECT_EQ(shape.radius, 10);
  expect_near(in_given_axes(shape, {10, 0, 0}), {0, 0, 10}, 1e-14);
}

TEST(Shape, EllipsoidLiesOnTheEllipsoid) {
  const Shape shape = make_shape(spec_of("ellipsoid", {3, 2, 1}, 5));
  EXPECT_EQ(shape.vertices.size(), 42u);
  EXPECT_EQ(shape.axes, unturned);
  EXPECT_DOUBLE_EQ(shape.radius, 1.5);
  for (const auto& v : shape.vertices)
    EXPECT_NEAR(v[0] * v[0] / 2.25 + v[1] * v[1] / 1 + v[2] * v[2] / 0.25, 1, 1e-15 * 5);
  for (const auto& v : shape.vertices)  // point-symmetric, as an ellipsoid
    EXPECT_TRUE(std::any_of(shape.vertices.begin(), shape.vertices.end(),
                            [&](const Point& w) { return w[0] == -v[0] && w[1] == -v[1] && w[2] == -v[2]; }));
  EXPECT_LT(shape.volume, 3.14159265 / 6 * 6);
  EXPECT_GT(shape.volume, 0.85 * 3.14159265 / 6 * 6);
}

TEST(Shape, EveryFormulaAgreesWithTheHullOfItsVertices) {
  for (const char* kind : {"cuboid", "eota", "ellipsoid", "octahedron"}) {
    const Shape formula = make_shape(spec_of(kind, {3, 2, 1}, 5));
    const Shape hull = make_shape(spec_of(formula.vertices));
    // Signed tetrahedra: some hundred roundings of numbers of order 1.
    EXPECT_NEAR(hull.volume, formula.volume, 1e-13) << kind;
    expect_near(hull.inertia, formula.inertia, 1e-13);
    EXPECT_EQ(hull.vertices.size(), formula.vertices.size()) << kind;
    EXPECT_EQ(hull.axes, unturned) << kind;
    EXPECT_NEAR(hull.radius, formula.radius, 1e-14);
    EXPECT_EQ(hull.note, "") << kind;
  }
}

TEST(Shape, SortsTheMomentsByPermutingTheAxesExactly) {
  const Point sizes[] = {{3, 1, 2}, {2, 3, 1}, {2, 1, 3}, {1, 3, 2}, {1, 2, 3}, {3, 2, 1}, {1, 2, 2}, {2, 1, 2}};
  for (const auto& size : sizes) {
    const Shape shape = make_shape(spec_of("cuboid", size, 1));
    EXPECT_LE(shape.inertia[0], shape.inertia[1]);
    EXPECT_LE(shape.inertia[1], shape.inertia[2]);
    double norm = 0;
    for (const double component : shape.axes) norm += component * component;
    EXPECT_DOUBLE_EQ(norm, 1);
    Points found;
    for (const auto& vertex : shape.vertices) {
      for (const double component : vertex) EXPECT_EQ(component * 2, std::round(component * 2));  // still exact
      found.push_back(in_given_axes(shape, vertex));
    }
    const Points expected = corners(size[0], size[1], size[2]);
    ASSERT_EQ(found.size(), 8u);
    for (std::size_t i = 0; i < 8; ++i) expect_near(found[i], expected[i], 1e-15 * 8);
  }
}

TEST(Shape, ScaleMultipliesAllLengths) {
  ShapeSpec spec = spec_of("cuboid", {3, 2, 1}, 1);
  spec.scale = 2;
  EXPECT_EQ(make_shape(spec).volume, 48);
  ShapeSpec points = spec_of(corners(3, 2, 1));
  points.scale = 2;
  EXPECT_NEAR(make_shape(points).volume, 48, 1e-13);
}

// Kinds from points.

TEST(Shape, TetrahedronHasItsClosedForms) {
  // The corner of a cube: V = 1/6, centre (1, 1, 1)/4; about the origin, over mass, x^2 -> 1/10 and x y -> 1/20, so
  // about the centre 3/80 and -1/80. Inertia: 6/80 on and 1/80 off the diagonal: 5/80, 5/80 and 8/80 about (1, 1, 1).
  const Shape shape = make_shape(spec_of(Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 3));
  EXPECT_NEAR(shape.volume, 1.0 / 6, 1e-15);
  EXPECT_NEAR(shape.mass, 0.5, 1e-15);
  expect_near(shape.inertia, {5.0 / 80, 5.0 / 80, 8.0 / 80}, 1e-15);
  EXPECT_NEAR(shape.radius, std::sqrt(11.0) / 4, 1e-15);
  expect_near(in_given_axes(shape, shape.vertices[0]), {-0.25, -0.25, -0.25}, 1e-15);
  expect_near(in_given_axes(shape, shape.vertices[3]), {-0.25, -0.25, 0.75}, 1e-15);
  const Point third = in_given_axes(shape, {0, 0, 1});
  EXPECT_NEAR(std::abs(third[0] + third[1] + third[2]), std::sqrt(3.0), 1e-14);
}

TEST(Shape, ATurnedAndMovedCuboidKeepsItsMomentsAndItsAxesLeadBack) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 50; ++n) {
    const auto turn = normalized(Quaternion<double>{normal(random), normal(random), normal(random), normal(random)});
    Points points = corners(3, 2, 1);
    for (auto& point : points) {
      point = turned(turn, point);
      point = {point[0] + 5, point[1] - 7, point[2] + 1};
    }
    const Shape shape = make_shape(spec_of(points, 2));
    EXPECT_NEAR(shape.volume, 6, 1e-13);
    EXPECT_NEAR(shape.mass, 12, 1e-12);
    expect_near(shape.inertia, {5.0 / 12, 10.0 / 12, 13.0 / 12}, 1e-13);
    ASSERT_EQ(shape.vertices.size(), 8u);
    EXPECT_EQ(shape.note, "");
    for (std::size_t i = 0; i < 8; ++i) {
      const Point back = in_given_axes(shape, shape.vertices[i]);
      expect_near(back, {points[i][0] - 5, points[i][1] + 7, points[i][2] - 1}, 1e-13);
      // In principal axes it is the cuboid again, up to the signs that no inertia can tell apart.
      const auto& v = shape.vertices[i];
      expect_near({std::abs(v[0]), std::abs(v[1]), std::abs(v[2])}, {1.5, 1, 0.5}, 1e-12);
    }
    EXPECT_GE(shape.axes[0], 0);
  }
}

TEST(Shape, ChoosesAxesWithTheirLargestComponentPositive) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 50; ++n) {
    const auto turn = normalized(Quaternion<double>{normal(random), normal(random), normal(random), normal(random)});
    Points points = corners(3, 2, 1);
    for (auto& point : points) point = turned(turn, point);
    const Shape shape = make_shape(spec_of(points));
    for (const Point& unit : {Point{1, 0, 0}, Point{0, 1, 0}}) {
      const Point axis = in_given_axes(shape, unit);
      const double largest = *std::max_element(axis.begin(), axis.end());
      const double smallest = *std::min_element(axis.begin(), axis.end());
      EXPECT_GT(largest, -smallest - 1e-12);
    }
  }
}

TEST(Shape, ATurnedEotaBlockKeepsTheGivenAxesAsNearlyAsItsSymmetryAllows) {
  // Turned about x: the axis of C lies in the y-z plane, and of the two free axes one stays x.
  const auto turn = normalized(Quaternion<double>{1, 0.2, 0, 0});
  Points points = make_shape(spec_of("eota", {0.93, 0.93, 0.47}, 780)).vertices;
  for (auto& point : points) point = turned(turn, point);
  const Shape shape = make_shape(spec_of(points, 2708.9));
  EXPECT_NEAR(shape.inertia[0] * 780, 52.31001176470589, 1e-11);
  EXPECT_NEAR(shape.inertia[2] * 780, 83.33565882352943, 1e-11);
  expect_near(in_given_axes(shape, {1, 0, 0}), {1, 0, 0}, 1e-12);
  expect_near(in_given_axes(shape, {0, 0, 1}), turned(turn, {0, 0, 1}), 1e-12);
}

TEST(Shape, ATurnedCubeKeepsTheGivenAxes) {
  const auto turn = normalized(Quaternion<double>{1, 0.2, -0.4, 0.7});
  Points points = corners(1, 1, 1);
  for (auto& point : points) point = turned(turn, point);
  EXPECT_EQ(make_shape(spec_of(points)).axes, unturned);
}

TEST(Shape, KeepsOnlyTheCornersOfTheHull) {
  // A 3 x 3 x 3 lattice, turned so that round-off moves the points on faces and edges to either side, and a second copy
  // of each point.
  const auto turn = normalized(Quaternion<double>{1, 0.2, -0.4, 0.7});
  Points points;
  for (const double x : {-1.0, 0.0, 1.0})
    for (const double y : {-1.0, 0.0, 1.0})
      for (const double z : {-1.0, 0.0, 1.0}) points.insert(points.end(), 2, turned(turn, {1.5 * x, y, 0.5 * z}));
  const Shape shape = make_shape(spec_of(points));
  EXPECT_EQ(shape.vertices.size(), 8u);
  EXPECT_NEAR(shape.volume, 6, 1e-13);
  expect_near(shape.inertia, {5.0 / 12, 10.0 / 12, 13.0 / 12}, 1e-13);
  EXPECT_EQ(shape.note, "shape \"rock\": 2 of 54 points lie inside the convex hull and are left out");
}

TEST(Shape, KeepsItsDigitsInMapCoordinates) {
  Points points = corners(3, 2, 1);
  for (auto& point : points) point = {point[0] + 247703, point[1] + 352485, point[2] + 2594};
  EXPECT_NEAR(make_shape(spec_of(points)).volume, 6, 1e-13);
}

TEST(Shape, TakesAnInertiaInPlaceOfTheComputedOne) {
  ShapeSpec spec = spec_of("octahedron", {2, 2, 20}, 80000);
  spec.inertia = Point{816000, 32000, 816000};
  const Shape shape = make_shape(spec);
  EXPECT_DOUBLE_EQ(shape.inertia[0], 0.4);
  EXPECT_DOUBLE_EQ(shape.inertia[1], 10.2);
  EXPECT_DOUBLE_EQ(shape.inertia[2], 10.2);
  expect_near(in_given_axes(shape, {1, 0, 0}), {0, 1, 0}, 1e-15);
}

// Files.

constexpr const char* tetrahedron_obj =
    "# a tetrahedron\n"
    "mtllib rock.mtl\n"
    "o rock\n"
    "v 0 0 0\n"
    "v 1 0 0 1.0\n"
    "v 0 1 0\r\n"
    "v 0 0 1 # the top\n"
    "vn 0 0 1\n"
    "s off\n"
    "f 1/1/1 3/2/1 2/3/1\n"
    "f 1//1 2//1 4//1\n"
    "f -3 -2 -1\n"
    "f 1 4 3\n";

TEST(ShapeFile, ReadsAnObjWithItsFaces) {
  const TemporaryFile file("rock.OBJ", tetrahedron_obj);
  const Shape shape = make_shape(spec_of_file(file.path));
  EXPECT_NEAR(shape.volume, 1.0 / 6, 1e-15);
  EXPECT_EQ(shape.vertices.size(), 4u);
}

TEST(ShapeFile, ReadsAnObjWhoseFacesHaveVerticesOfTheirOwn) {
  const TemporaryFile file("rock.obj",
                           "v 0 0 0\nv 0 1 0\nv 1 0 0\nf 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 0 1\nf 4 5 6\n"
                           "v 1 0 0\nv 0 1 0\nv 0 0 1\nf 7 8 9\nv 0 0 0\nv 0 0 1\nv 0 1 0\nf 10 11 12\n");
  EXPECT_NEAR(make_shape(spec_of_file(file.path)).volume, 1.0 / 6, 1e-15);
}

TEST(ShapeFile, ReadsPointsWithoutFaces) {
  const TemporaryFile obj("rock.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
  EXPECT_NEAR(make_shape(spec_of_file(obj.path)).volume, 1.0 / 6, 1e-15);
  const TemporaryFile pts("rock.pts", "# x y z\r\n0 0 0\r\n\r\n1\t0 0\r\n0 1 0\r\n+0 0.0 1e0\r\n");
  EXPECT_NEAR(make_shape(spec_of_file(pts.path)).volume, 1.0 / 6, 1e-15);
}

TEST(ShapeFile, ReadsTheRammsLikePointsOfAnEotaBlock) {
  std::string text;
  for (const auto& v : make_shape(spec_of("eota", {1.4136, 1.4136, 0.7068}, 1)).vertices) {
    char line[100];
    std::snprintf(line, sizeof line, "%.4f %.4f %.4f\n", v[0], v[1], v[2]);
    text += line;
  }
  const TemporaryFile file("eota221.pts", text);
  const Shape shape = make_shape(spec_of_file(file.path));
  EXPECT_EQ(shape.vertices.size(), 24u);
  EXPECT_NEAR(shape.volume, 1, 0.001);  // published as the block of 1 m^3; coordinates are rounded to 0.1 mm
}

TEST(ShapeFile, RefusesASurfaceThatIsNotClosed) {
  const TemporaryFile open("rock.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
  EXPECT_EQ(refusal_of(spec_of_file(open.path)),
            "FILE:5: the surface is not closed: the edge between vertices 1 and 3 belongs to 1 face, must be 2");
  const TemporaryFile extra("rock.obj", std::string(tetrahedron_obj) + "v 2 2 2\nf 1 2 5\n");
  EXPECT_EQ(refusal_of(spec_of_file(extra.path)),
            "FILE:10: the surface is not closed: the edge between vertices 1 and 2 belongs to 3 faces, must be 2");
}

TEST(ShapeFile, RefusesWhatItCannotRead) {
  const auto refusal = [](const char* name, const std::string& text) {
    const TemporaryFile file(name, text);
    return refusal_of(spec_of_file(file.path));
  };
  EXPECT_EQ(refusal("rock.obj", "v 0 0 nan\n"), "FILE:1: 'nan' is not a finite number");
  EXPECT_EQ(refusal("rock.obj", "v 0 0\n"), "FILE:1: a point needs three numbers x y z");
  EXPECT_EQ(refusal("rock.obj", "v 0 0 0\nf 1 2 3\n"), "FILE:2: a face uses vertex 2, but there are 1 so far");
  EXPECT_EQ(refusal("rock.obj", "v 0 0 0\nf 0 1 1\n"), "FILE:2: a face uses vertex 0, but there are 1 so far");
  EXPECT_EQ(refusal("rock.obj", "v 0 0 0\nf -2 1 1\n"), "FILE:2: a face uses vertex -2, but there are 1 so far");
  EXPECT_EQ(refusal("rock.obj", "v 0 0 0\nf 1 1\n"), "FILE:2: a face needs at least three vertices");
  EXPECT_EQ(refusal("rock.obj", "v 0 0 0\nface 1\n"), "FILE:2: unknown OBJ record 'face'");
  EXPECT_EQ(refusal("rock.pts", "0 0 0\n1 x 0\n"), "FILE:2: 'x' is not a finite number");
  EXPECT_EQ(refusal("rock.pts", "0 0 0\n1 inf 0\n"), "FILE:2: 'inf' is not a finite number");
  EXPECT_EQ(refusal("rock.pts", "0 0 0\n1 0\n"), "FILE:2: a point needs three numbers x y z");
  EXPECT_EQ(refusal("rock.pts", "0 0 0 0\n"), "FILE:1: a point needs three numbers x y z");
  EXPECT_EQ(refusal("rock.pts", "0 0 0\n1 0 0\n0 1 0\n"),
            "shape \"rock\" (FILE): has 3 points, needs at least 4 that are not in one plane");
  EXPECT_EQ(refusal("rock.stl", "solid"),
            "shape \"rock\" (FILE): the name of its file must end in .obj, .pts, .xyz or .txt");
}

TEST(ShapeFile, RefusesAMissingFile) {
  EXPECT_EQ(refusal_of(spec_of_file("no/such/rock.obj")), "FILE: cannot be read: No such file or directory");
  EXPECT_EQ(refusal_of(spec_of_file("")), "shape \"rock\": the name of its file must end in .obj, .pts, .xyz or .txt");
}

// Refusals.

TEST(Shape, RefusesAMassThatIsNotOne) {
  const auto refusal = [](double mass, double density) {
    ShapeSpec spec = spec_of("cuboid", {1, 1, 1}, mass);
    spec.density = density;
    return refusal_of(spec);
  };
  EXPECT_EQ(refusal(-4, 0), "shape \"rock\": mass = -4, must be > 0 (kg)");
  EXPECT_EQ(refusal(nan, 0), "shape \"rock\": mass = nan, must be > 0 (kg)");
  EXPECT_EQ(refusal(0, -1), "shape \"rock\": density = -1, must be > 0 (kg/m^3)");
  EXPECT_EQ(refusal(0, 1 / 0.0), "shape \"rock\": density = inf, must be > 0 (kg/m^3)");
  EXPECT_EQ(refusal(1, 1), "shape \"rock\": has both mass and density: give one");
  EXPECT_EQ(refusal(0, 0), "shape \"rock\": needs a mass (kg) or a density (kg/m^3) > 0");
}

TEST(Shape, IrregularOnesHaveTheirCornersOnAnEllipsoidOfTheirSize) {
  ShapeSpec spec = spec_of("irregular", {0.5, 0.3, 0.4}, 79);
  spec.corners = 40;
  double volume = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    spec.seed = seed;
    const Shape shape = make_shape(spec);
    EXPECT_EQ(shape.vertices.size(), 40u);
    EXPECT_EQ(shape.note, "");
    EXPECT_NE(shape.volume, volume);
    volume = shape.volume;
    // A hull of 40 spread corners fills 80 to 87 % of its ellipsoid, which is up to 5 % too long along each axis so
    // that the corners reach as far as they should: at most 1.05^3 0.87 = 1 of 4/3 pi abc.
    const double whole = 4.0 / 3 * 3.14159265358979 * .25 * .15 * .2;
    EXPECT_GT(volume, .75 * whole);
    EXPECT_LT(volume, 1.01 * whole);
    // Turned back to the axes that they were given in, corners reach from end to end of each.
    const Quaternion<double> axes{shape.axes[0], shape.axes[1], shape.axes[2], shape.axes[3]};
    const Mat3<double> turn = rotation(axes);
    double low[3] = {9, 9, 9}, high[3] = {-9, -9, -9};
    for (const auto& corner : shape.vertices) {
      const Vec3<double> at = turn * Vec3<double>{corner[0], corner[1], corner[2]};
      const double of[3] = {at.x, at.y, at.z};
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], of[k]);
        high[k] = std::max(high[k], of[k]);
      }
    }
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(high[k] - low[k], spec.size[static_cast<std::size_t>(k)], 1e-12);
  }
  spec.corners = 4;
  EXPECT_EQ(make_shape(spec).vertices.size(), 4u);
}

TEST(Shape, RefusesAnUnknownKindAndWrongSizes) {
  EXPECT_EQ(refusal_of(spec_of("ball", {1, 1, 1}, 1)),
            "shape \"rock\": kind = \"ball\", must be cuboid, eota, ellipsoid, octahedron, irregular, points or file");
  EXPECT_EQ(refusal_of(spec_of("cuboid", {1, 0, 2}, 1)),
            "shape \"rock\": size = [1, 0, 2], must be three lengths > 0 (m)");
  EXPECT_EQ(refusal_of(spec_of("eota", {1, 1, nan}, 1)),
            "shape \"rock\": size = [1, 1, nan], must be three lengths > 0 (m)");
  ShapeSpec spec = spec_of("cuboid", {1, 1, 1}, 1);
  spec.scale = 0;
  EXPECT_EQ(refusal_of(spec), "shape \"rock\": scale = 0, must be > 0");
}

TEST(Shape, RefusesAFlatBody) {
  EXPECT_EQ(refusal_of(spec_of("cuboid", {1, 1, 1e-9}, 1)),
            "shape \"rock\": is flat: 1e-09 m thick and 1 m long, a rock needs a volume");
  EXPECT_EQ(refusal_of(spec_of(Points{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}})),
            "shape \"rock\": is flat: 0 m thick and 2 m long, a rock needs a volume");
  const std::string along_a_line = refusal_of(spec_of(Points{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}));
  EXPECT_EQ(along_a_line.substr(0, 23), "shape \"rock\": is flat: ");
  const std::string one_point = refusal_of(spec_of(Points(4, Point{1, 2, 3})));
  EXPECT_EQ(one_point, "shape \"rock\": is flat: 0 m thick and 0 m long, a rock needs a volume");
}

TEST(Shape, RefusesTooFewPointsAndPointsThatAreNotFinite) {
  EXPECT_EQ(refusal_of(spec_of(Points{{0, 0, 0}})),
            "shape \"rock\": has 1 point, needs at least 4 that are not in one plane");
  EXPECT_EQ(refusal_of(spec_of(Points{{0, 0, 0}, {1, 0, 0}, {0, nan, 0}, {0, 0, 1}})),
            "shape \"rock\": point 3 = [0, nan, 0], must be finite numbers (m)");
}

TEST(Shape, KeepsTheCornersOfALargeHullThatCutOffLeast) {
  Points points;
  const int sides = 30;
  for (int i = 0; i < sides; ++i) {  // a drum of two 30-gons
    const double angle = 2 * std::acos(-1.0) * i / sides;
    points.push_back({std::cos(angle), std::sin(angle), 0});
    points.push_back({std::cos(angle), std::sin(angle), 1});
  }
  const Shape shape = make_shape(spec_of(points));
  ASSERT_EQ(shape.vertices.size(), 48u);
  // Volume and moments are those of the whole prism: A = n / 2 sin(2 pi / n), and about its axis the polygon's second
  // moment over its area, (2 + cos(2 pi / n)) / 6.
  const double turn = 2 * std::acos(-1.0) / sides, about_axis = (2 + std::cos(turn)) / 6;
  EXPECT_NEAR(shape.volume, sides / 2.0 * std::sin(turn), 1e-12);
  EXPECT_NEAR(shape.inertia[2], about_axis, 1e-12);
  EXPECT_NEAR(shape.inertia[0], about_axis / 2 + 1.0 / 12, 1e-12);
  // Every vertex is a corner of the hull.
  for (const Point& vertex : shape.vertices) {
    const Point x = in_given_axes(shape, vertex);
    EXPECT_NEAR(std::hypot(x[0], x[1]), 1, 1e-12);
    EXPECT_NEAR(std::fabs(x[2]), 0.5, 1e-12);
  }
  // A corner between two neighbours is 1 - cos(2 pi / 30) above their chord; 12 are left out, none beside another.
  EXPECT_THAT(shape.note, testing::HasSubstr("its convex hull has 60 corners, of which 48 are kept for contacts: up to "
                                             "0.02185 m are cut off; volume and moments are those of the whole hull"));
}

/// Fibonacci's spiral on the unit sphere: even to within a factor of 2 in spacing.
Points sphere(int count) {
  Points points;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, angle = i * std::acos(-1.0) * (3 - std::sqrt(5.0)),
                 r = std::sqrt(1 - z * z);
    points.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  return points;
}

/// Its hull would take seconds, that of a million points fifteen.
TEST(Shape, RefusesASphereOfTooManyCornersButNotABodyOfManyPoints) {
  EXPECT_EQ(
      refusal_of(spec_of(sphere(200001))),
      "shape \"rock\": has 200001 points, nearly all of them corners of its convex hull, and a rock keeps 48: give "
      "it a coarser mesh, of at most 200000 points");
  Points lattice;
  const int edge = 59;
  for (int i = 0; i < edge * edge * edge; ++i)
    lattice.push_back({1.0 * (i % edge), 1.0 * (i / edge % edge), 1.0 * (i / edge / edge)});
  ASSERT_GT(lattice.size(), 200001u);
  EXPECT_EQ(make_shape(spec_of(lattice)).vertices.size(), 8u);
}

TEST(Shape, ReadsASphereOfManyCorners) {
  // 48 of them cover the sphere with caps of solid angle 4 pi / 48, of height 1 / 24 if they were exact, the greedy
  // choice stays within three of that.
  const Shape shape = make_shape(spec_of(sphere(5000)));
  EXPECT_EQ(shape.vertices.size(), 48u);
  EXPECT_NEAR(shape.volume, 4 * std::acos(-1.0) / 3, 0.01);
  const std::size_t at = shape.note.find("up to ");
  ASSERT_NE(at, std::string::npos) << shape.note;
  const double cut_off = std::stod(shape.note.substr(at + 6));
  EXPECT_LT(cut_off, 3.0 / 24);
  EXPECT_GT(cut_off, 1.0 / 24 / 2);
}

TEST(Shape, RefusesAnInertiaThatNoBodyHas) {
  const auto refusal = [](const Point& inertia) {
    ShapeSpec spec = spec_of("cuboid", {1, 1, 1}, 1);
    spec.inertia = inertia;
    return refusal_of(spec);
  };
  const std::string rule = " kg m^2: each moment must be > 0 and at most the sum of the other two";
  EXPECT_EQ(refusal({1, 1, 2.5}), "shape \"rock\": inertia = [1, 1, 2.5]" + rule);
  EXPECT_EQ(refusal({0, 1, 1}), "shape \"rock\": inertia = [0, 1, 1]" + rule);
  EXPECT_EQ(refusal({1, nan, 1}), "shape \"rock\": inertia = [1, nan, 1]" + rule);
  EXPECT_EQ(refusal({1, 1, 2}), "accepted");  // a disc
}

// The tables.

TEST(Shape, IsLaidOutInTheTablesWithTheFirstVertexAsPadding) {
  const Shape shape = make_shape(spec_of("cuboid", {3, 2, 1}, 12));
  std::vector<double> tables = {7};
  append(shape, tables);
  append(shape, tables);
  ASSERT_EQ(tables.size(), 1u + 2 * ShapeLayout::size);
  const double* row = tables.data() + 1 + ShapeLayout::size;
  EXPECT_EQ(row[ShapeLayout::vertices], 8);
  EXPECT_EQ(row[ShapeLayout::radius], shape.radius);
  EXPECT_EQ(row[ShapeLayout::mass], 12);
  EXPECT_EQ(row[ShapeLayout::inertia + 2], shape.inertia[2]);
  EXPECT_EQ(row[ShapeLayout::axes], 1);
  EXPECT_EQ(row[ShapeLayout::axes + 3], 0);
  for (std::size_t i = 0; i < max_vertices; ++i) {
    const Point& vertex = shape.vertices[i < 8 ? i : 0];
    EXPECT_EQ(row[ShapeLayout::x + i], vertex[0]);
    EXPECT_EQ(row[ShapeLayout::y + i], vertex[1]);
    EXPECT_EQ(row[ShapeLayout::z + i], vertex[2]);
  }
}

}  // namespace
}  // namespace scree
