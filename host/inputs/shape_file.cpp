#include "shape_file.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "convex_hull.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "mass_properties.hpp"
#include "src/elementary.hpp"
#include "src/random.hpp"

namespace scree {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Thickness over length below which a body counts as flat: round-off of the hull is far below, any rock far above.
constexpr double flatness = 1e-6;

/// A homogeneous convex body in the axes it was given in.
struct Body {
  std::vector<Vector3d> vertices;
  double volume;
  Vector3d centre;
  Matrix3d inertia;  // about the centre, over mass
  std::string note;
};

std::string where(const ShapeSpec& spec) {
  return "shape \"" + spec.name + "\"" + (spec.kind == "file" && !spec.file.empty() ? " (" + spec.file + ")" : "");
}
[[noreturn]] void fail(const ShapeSpec& spec, const std::string& what) {
  throw Error(Exit::input, where(spec) + ": " + what);
}
[[noreturn]] void fail(const std::string& path, std::size_t line, const std::string& what) {
  throw Error(Exit::input, path + ":" + std::to_string(line) + ": " + what);
}
std::string list_text(const std::array<double, 3>& a) {
  return "[" + number_text(a[0]) + ", " + number_text(a[1]) + ", " + number_text(a[2]) + "]";
}
bool all_finite(const std::array<double, 3>& a) {
  return std::isfinite(a[0]) && std::isfinite(a[1]) && std::isfinite(a[2]);
}
void check_thickness(const ShapeSpec& spec, double thickness, double length) {
  if (!(thickness > flatness * length))
    fail(spec, "is flat: " + number_text(thickness) + " m thick and " + number_text(length) +
                   " m long, a rock needs a volume");
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies by formula: with the enclosing sizes L, volume = v Lx Ly Lz, and the second moment over mass is diagonal with
// k L^2 on each axis.

struct Formula {
  std::vector<Vector3d> vertices;  // of the body with L = (1, 1, 1), lexicographically ascending
  double volume;
  Vector3d second;
};

void sort_lexicographically(std::vector<Vector3d>& points) {
  std::sort(points.begin(), points.end(), [](const Vector3d& a, const Vector3d& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  });
}

/// All vectors that differ from the given ones in the signs of their components.
std::vector<Vector3d> with_all_signs(const std::vector<Vector3d>& points) {
  std::vector<Vector3d> result;
  for (const auto& point : points)
    for (int signs = 0; signs < 8; ++signs) {
      Vector3d image = point;
      bool again = false;  // a zero has one sign
      for (int k = 0; k < 3; ++k)
        if ((signs >> k & 1) != 0) {
          image[k] = -image[k];
          again = again || point[k] == 0;
        }
      if (!again) result.push_back(image);
    }
  sort_lexicographically(result);
  return result;
}

Formula cuboid() { return {with_all_signs({{0.5, 0.5, 0.5}}), 1, Vector3d::Constant(1.0 / 12)}; }

/// ETAG 27 block: a cube with its edges chamfered at a quarter.
Formula eota() {
  return {with_all_signs({{0.5, 0.25, 0.25}, {0.25, 0.5, 0.25}, {0.25, 0.25, 0.5}}), 17.0 / 24,
          Vector3d::Constant(21.0 / 340)};
}

/// Two pyramids: cross-sections shrink linearly from the base, so the second moments are integrals of (1 - z)^4 / 12
/// and (1 - z)^2 z^2 over (1 - z)^2.
Formula octahedron() { return {with_all_signs({{0.5, 0.5, 0}, {0, 0, 0.5}}), 1.0 / 3, {1.0 / 20, 1.0 / 20, 1.0 / 40}}; }

/// The 12 corners of an icosahedron and the middles of its 30 edges, all on the sphere of radius 1/2: 20 triangles of
/// three middles and 60 of a corner with two. Isotropic like the icosahedron, so a trace gives the second moment.
Formula ellipsoid() {
  const double golden = 0.5 * (1 + std::sqrt(5.0)), s = 0.5 / std::sqrt(1 + golden * golden), l = golden * s;
  const double half = 0.25, more = half * golden, less = half / golden;
  Formula result;
  result.vertices = with_all_signs({{0, s, l},
                                    {s, l, 0},
                                    {l, 0, s},
                                    {0.5, 0, 0},
                                    {0, 0.5, 0},
                                    {0, 0, 0.5},
                                    {half, less, more},
                                    {more, half, less},
                                    {less, more, half}});
  // One triangle of each sort, at the face with the corners (0, s, l), (0, -s, l), (l, 0, s).
  const Vector3d corner(0, s, l), middle1(0, 0, 0.5), middle2(half, less, more), middle3(half, -less, more);
  result.volume = 0;
  double trace = 0;
  const auto add = [&](double count, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    const double det = count * std::abs(a.dot(b.cross(c)));
    result.volume += det / 6;
    trace += det / 120 * ((a + b + c).squaredNorm() + 0.75);  // |a|^2 = |b|^2 = |c|^2 = 1/4
  };
  add(20, middle1, middle2, middle3);
  add(60, corner, middle1, middle2);
  result.second = Vector3d::Constant(trace / 3 / result.volume);
  return result;
}

/// The enclosing sizes, m.
Vector3d sizes_of(const ShapeSpec& spec) {
  for (const double length : spec.size)
    if (!(std::isfinite(length) && length > 0))
      fail(spec, "size = " + list_text(spec.size) + ", must be three lengths > 0 (m)");
  const Vector3d size = spec.scale * Vector3d(spec.size[0], spec.size[1], spec.size[2]);
  check_thickness(spec, size.minCoeff(), size.maxCoeff());
  return size;
}

Body by_formula(const ShapeSpec& spec, const Formula& formula) {
  const Vector3d size = sizes_of(spec);
  Body body{{}, formula.volume * size.prod(), Vector3d::Zero(), Matrix3d::Zero(), {}};
  for (const auto& vertex : formula.vertices) body.vertices.push_back(vertex.cwiseProduct(size));
  const Vector3d second = formula.second.cwiseProduct(size.cwiseProduct(size));
  body.inertia.diagonal() = Vector3d(second.y() + second.z(), second.x() + second.z(), second.x() + second.y());
  return body;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies from points: the convex hull.

/// Some of the corners of a hull, and how far the others reach beyond the hull of these, m.
struct Reduced {
  std::vector<Vector3d> corners;
  double cut_off;
};

/// At most `most` of the corners: first the farthest along three axes, the columns of `axes`, both ways, then again and
/// again the one that reaches farthest beyond the hull of those that are there. (The greedy refinement of M. Garland
/// and P. Heckbert, Fast polygonal approximation of terrains and height fields, 1995, for a hull.)
Reduced reduced_to(std::size_t most, const std::vector<Vector3d>& corners, const Matrix3d& axes) {
  std::vector<bool> taken(corners.size());
  Reduced reduced;
  const auto take = [&](std::size_t i) {
    if (!taken[i]) reduced.corners.push_back(corners[i]);
    taken[i] = true;
  };
  for (int k = 0; k < 3; ++k)
    for (const double way : {-1.0, 1.0}) {
      const auto along = [&](const Vector3d& a, const Vector3d& b) {
        return way * axes.col(k).dot(a) < way * axes.col(k).dot(b);
      };
      take(static_cast<std::size_t>(std::max_element(corners.begin(), corners.end(), along) - corners.begin()));
    }
  // Where these lie in a plane, what is farthest from two of them and then from three.
  const auto take_simplex = [&] {
    const Vector3d a = reduced.corners[0], b = reduced.corners[reduced.corners.size() - 1];
    const auto take_most = [&](const auto& distance) {
      const auto nearer = [&](const Vector3d& p, const Vector3d& q) { return distance(p) < distance(q); };
      const auto most = std::max_element(corners.begin(), corners.end(), nearer);
      take(static_cast<std::size_t>(most - corners.begin()));
      return *most;
    };
    const Vector3d c = take_most([&](const Vector3d& p) { return (p - a).cross(b - a).norm(); });
    take_most([&](const Vector3d& p) { return std::abs((p - a).dot((b - a).cross(c - a))); });
  };
  const auto hull_of_taken = [&] {
    try {
      return convex_hull(reduced.corners);
    } catch (const std::runtime_error&) {
      take_simplex();
      return convex_hull(reduced.corners);
    }
  };
  while (true) {
    const ConvexHull hull = hull_of_taken();
    std::size_t farthest = 0;
    reduced.cut_off = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (taken[i]) continue;
      const double height = height_above(hull, corners[i]);
      if (height <= reduced.cut_off) continue;
      reduced.cut_off = height;
      farthest = i;
    }
    if (reduced.corners.size() == most || reduced.cut_off == 0) return reduced;
    take(farthest);
  }
}

/// Refuses a smooth surface of so many points that their hull takes many seconds, for the few corners that a rock
/// keeps. A part of the points tells: where nearly all of these are corners of their own hull, the surface is convex.
/// Points within a hull of few corners cost next to nothing.
void check_fineness(const ShapeSpec& spec, const std::vector<Vector3d>& points) {
  constexpr std::size_t most = 200'000, part = 20'000;  // a hull of as many corners takes 2 s
  if (points.size() <= most) return;
  std::vector<Vector3d> some;
  for (std::size_t i = 0; i < points.size(); i += points.size() / part) some.push_back(points[i]);
  std::size_t corners = 0;
  try {
    corners = convex_hull(some).vertices.size();
  } catch (const std::runtime_error&) {
    return;  // these may lie in a plane where all do not
  }
  if (10 * corners > 9 * some.size())
    fail(spec, "has " + std::to_string(points.size()) +
                   " points, nearly all of them corners of its convex hull, and a " + "rock keeps " +
                   std::to_string(max_vertices) + ": give it a coarser mesh, of at most " + std::to_string(most) +
                   " points");
}

Body from_points(const ShapeSpec& spec, std::vector<Vector3d> points) {
  if (points.size() < 4)
    fail(spec, "has " + std::to_string(points.size()) + (points.size() == 1 ? " point" : " points") +
                   ", needs at least 4 that are not in one plane");
  // Coordinates may be a map's: taken from the first point, differences keep their digits.
  const Vector3d origin = points[0];
  for (auto& point : points) point = spec.scale * (point - origin);
  const Vector3d middle =
      std::accumulate(points.begin(), points.end(), Vector3d(Vector3d::Zero())) / static_cast<double>(points.size());
  Matrix3d spread = Matrix3d::Zero();
  for (auto& point : points) {
    point -= middle;
    spread += point * point.transpose();
  }
  const Matrix3d directions = Eigen::SelfAdjointEigenSolver<Matrix3d>(spread).eigenvectors();
  Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();
  for (const auto& point : points) {
    low = low.cwiseMin(directions.transpose() * point);
    high = high.cwiseMax(directions.transpose() * point);
  }
  check_thickness(spec, (high - low).minCoeff(), (high - low).maxCoeff());

  check_fineness(spec, points);
  const auto checked = [&](const auto& hull_of) {
    try {
      return hull_of();
    } catch (const std::runtime_error& error) {
      fail(spec, std::string("its convex hull failed: ") + error.what());
    }
  };
  const ConvexHull hull = checked([&] { return convex_hull(points); });
  const MassProperties properties = mass_properties(points, hull.triangles, Vector3d::Zero());
  Body body{{}, properties.volume, properties.centre, properties.inertia, {}};
  for (const int i : hull.vertices) body.vertices.push_back(points[static_cast<std::size_t>(i)]);
  const auto note = [&](const std::string& text) {
    body.note += (body.note.empty() ? where(spec) + ": " : "; ") + text;
  };
  const double mesh_volume = spec.mesh_volume * std::pow(spec.scale, 3);
  if (mesh_volume > 0 && body.volume > 1.02 * mesh_volume)
    note("what rolls is its convex hull, of " + short_number(body.volume / mesh_volume) +
         " times the volume of its surface");
  else if (hull.inside > 0)
    note(std::to_string(hull.inside) + " of " + std::to_string(points.size()) +
         " points lie inside the convex hull and are left out");
  if (body.vertices.size() > max_vertices) {
    const Reduced reduced = checked([&] { return reduced_to(max_vertices, body.vertices, directions); });
    note("its convex hull has " + std::to_string(body.vertices.size()) + " corners, of which " +
         std::to_string(reduced.corners.size()) + " are kept for contacts: up to " + short_number(reduced.cut_off) +
         " m are cut off; volume and moments are those of the whole hull");
    body.vertices = reduced.corners;
  }
  return body;
}

std::vector<Vector3d> listed_points(const ShapeSpec& spec) {
  std::vector<Vector3d> points;
  for (const auto& point : spec.points) {
    points.emplace_back(point[0], point[1], point[2]);
    if (!all_finite(point))
      fail(spec, "point " + std::to_string(points.size()) + " = " + list_text(point) + ", must be finite numbers (m)");
  }
  return points;
}

std::array<double, 3> to_array(const Vector3d& a) { return {a.x(), a.y(), a.z()}; }

std::vector<std::array<double, 3>> arrays_of(const std::vector<Vector3d>& points) {
  std::vector<std::array<double, 3>> arrays;
  for (const Vector3d& point : points) arrays.push_back(to_array(point));
  return arrays;
}

/// A line of a file without its comment.
std::string_view without_comment(std::string_view line) { return line.substr(0, line.find('#')); }

Vector3d take_point(std::string_view& line, const std::string& path, std::size_t number) {
  Vector3d point;
  for (double& coordinate : point) {
    const std::string_view word = take_word(line);
    if (word.empty()) fail(path, number, "a point needs three numbers x y z");
    coordinate = finite_number(word, path, number);
  }
  return point;
}

ShapePoints parse_points(std::string_view text, const std::string& path) {
  LineReader lines(text);
  std::vector<Vector3d> points;
  for (std::string_view line; lines.next(line);) {
    line = without_comment(line);
    if (std::string_view rest = line; take_word(rest).empty()) continue;
    points.push_back(take_point(line, path, lines.number()));
    if (!take_word(line).empty()) fail(path, lines.number(), "a point needs three numbers x y z");
  }
  return {arrays_of(points), 0};
}

struct ObjFace {
  std::size_t line;
  std::vector<std::size_t> corners;  // from 0
};

ObjFace read_face(std::string_view line, std::size_t vertex_count, const std::string& path, std::size_t number) {
  ObjFace face{number, {}};
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    const std::string_view index = word.substr(0, word.find('/'));
    const double given = finite_number(index, path, number), count = static_cast<double>(vertex_count);
    const double corner = given < 0 ? count + given : given - 1;  // negative: counted back from the last vertex
    if (!(corner >= 0 && corner < count && corner == std::floor(corner)))
      fail(path, number,
           "a face uses vertex " + std::string(index) + ", but there are " + std::to_string(vertex_count) + " so far");
    face.corners.push_back(static_cast<std::size_t>(corner));
  }
  if (face.corners.size() < 3) fail(path, number, "a face needs at least three vertices");
  return face;
}

/// Refuses a surface with an edge that does not belong to exactly two faces. Vertices at the same place are one: many
/// programs write each face with vertices of its own.
void check_closed(const std::vector<Vector3d>& points, const std::vector<ObjFace>& faces, const std::string& path) {
  std::map<std::array<double, 3>, std::size_t> first_at;
  const auto welded = [&](std::size_t i) {
    return first_at.try_emplace({points[i].x(), points[i].y(), points[i].z()}, i).first->second;
  };
  struct Edge {
    std::size_t line, faces;
  };
  std::map<std::pair<std::size_t, std::size_t>, Edge> edges;
  for (const auto& face : faces) {
    std::vector<std::size_t> corners;
    for (const std::size_t i : face.corners)
      if (const std::size_t at = welded(i); corners.empty() || corners.back() != at) corners.push_back(at);
    while (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
    if (corners.size() < 3) continue;  // without area
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const auto ends = std::minmax(corners[k], corners[(k + 1) % corners.size()]);
      ++edges.try_emplace({ends.first, ends.second}, Edge{face.line, 0}).first->second.faces;
    }
  }
  for (const auto& [ends, edge] : edges)
    if (edge.faces != 2)
      fail(path, edge.line,
           "the surface is not closed: the edge between vertices " + std::to_string(ends.first + 1) + " and " +
               std::to_string(ends.second + 1) + " belongs to " + std::to_string(edge.faces) +
               (edge.faces == 1 ? " face" : " faces") + ", must be 2");
}

/// Volume within the faces, m^3: the sum of the tetrahedra that their triangles make with the first point, signed. 0
/// where there are no faces, or they do not all turn the same way round: an edge then is not run through once each way.
double volume_within(const std::vector<Vector3d>& points, const std::vector<ObjFace>& faces) {
  std::map<std::array<double, 6>, int> runs;
  double volume = 0;
  for (const ObjFace& face : faces) {
    const std::size_t count = face.corners.size();
    for (std::size_t k = 0; k < count; ++k) {
      const Vector3d &a = points[face.corners[k]], &b = points[face.corners[(k + 1) % count]];
      const std::array<double, 6> there{a.x(), a.y(), a.z(), b.x(), b.y(), b.z()},
          back{b.x(), b.y(), b.z(), a.x(), a.y(), a.z()};
      if (a == b) continue;
      there < back ? ++runs[there] : --runs[back];
    }
    const Vector3d origin = points[0], first = points[face.corners[0]] - origin;
    for (std::size_t k = 1; k + 1 < count; ++k)
      volume += first.dot((points[face.corners[k]] - origin).cross(points[face.corners[k + 1]] - origin)) / 6;
  }
  return std::all_of(runs.begin(), runs.end(), [](const auto& run) { return run.second == 0; }) ? std::abs(volume) : 0;
}

ShapePoints parse_obj(std::string_view text, const std::string& path) {
  constexpr std::string_view others[] = {"vn", "vt", "vp", "o", "g", "s", "usemtl", "mtllib", "l", "p"};
  LineReader lines(text);
  std::vector<Vector3d> points;
  std::vector<ObjFace> faces;
  for (std::string_view line; lines.next(line);) {
    line = without_comment(line);
    const std::string_view record = take_word(line);
    if (record == "v")
      points.push_back(take_point(line, path, lines.number()));  // a weight or a colour may follow
    else if (record == "f")
      faces.push_back(read_face(line, points.size(), path, lines.number()));
    else if (!record.empty() && std::find(std::begin(others), std::end(others), record) == std::end(others))
      fail(path, lines.number(), "unknown OBJ record '" + std::string(record) + "'");
  }
  check_closed(points, faces, path);
  return {arrays_of(points), volume_within(points, faces)};
}

using ParsePoints = ShapePoints (*)(std::string_view text, const std::string& path);

ParsePoints parser_of(const ShapeSpec& spec) {
  std::string extension = spec.file.substr(std::min(spec.file.rfind('.'), spec.file.size()));
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".obj") return parse_obj;
  if (extension == ".pts" || extension == ".xyz" || extension == ".txt") return parse_points;
  fail(spec, "the name of its file must end in .obj, .pts, .xyz or .txt");
}

/// Corners on the ellipsoid of these axes, each in that of ten random directions which is farthest from all before
/// (Mitchell, Spectrally optimal sampling for distribution ray tracing, SIGGRAPH 1991, p. 157), so that there are
/// neither clusters nor large facets; then stretched until they reach from end to end of each axis.
std::vector<Vector3d> irregular_points(const ShapeSpec& spec) {
  constexpr std::uint64_t candidates = 10;
  const Vector3d size = sizes_of(spec);
  std::vector<Vector3d> points;
  Vector3d low = Vector3d::Constant(1), high = -low;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(spec.corners); ++i) {
    Vector3d best;
    double farthest = -1;
    for (std::uint64_t k = 0; k < candidates; ++k) {
      const auto normal = [&](std::uint64_t n) { return inverse_normal(uniform(spec.seed, i, 3 * k + n)); };
      const double x = normal(0), y = normal(1), z = normal(2), r = sqrt(fma(x, x, fma(y, y, z * z)));
      const Vector3d direction(x / r, y / r, z / r);
      double nearest = 4;
      for (const Vector3d& point : points) nearest = smaller((direction - point).squaredNorm(), nearest);
      if (!(nearest > farthest)) continue;
      farthest = nearest;
      best = direction;
    }
    points.push_back(best);
    low = low.cwiseMin(best);
    high = high.cwiseMax(best);
  }
  for (Vector3d& point : points)
    point = size.cwiseProduct((point - low).cwiseQuotient(high - low) - Vector3d::Constant(0.5));
  return points;
}

// ---------------------------------------------------------------------------------------------------------------------

Body make_body(const ShapeSpec& spec) {
  if (!(std::isfinite(spec.scale) && spec.scale > 0))
    fail(spec, "scale = " + number_text(spec.scale) + ", must be > 0");
  if (spec.kind == "cuboid") return by_formula(spec, cuboid());
  if (spec.kind == "eota") return by_formula(spec, eota());
  if (spec.kind == "ellipsoid") return by_formula(spec, ellipsoid());
  if (spec.kind == "octahedron") return by_formula(spec, octahedron());
  if (spec.kind == "irregular") return from_points(spec, irregular_points(spec));
  if (spec.kind == "points") return from_points(spec, listed_points(spec));
  if (spec.kind == "file") return from_points(spec, listed_points(spec));
  fail(spec, "kind = \"" + spec.kind + "\", must be cuboid, eota, ellipsoid, octahedron, irregular, points or file");
}

/// Before any file is read: what the body cannot change.
void check_mass(const ShapeSpec& spec) {
  const auto check = [&](const char* key, double value, const char* unit) {
    if (!(std::isfinite(value) && value >= 0))
      fail(spec, std::string(key) + " = " + number_text(value) + ", must be > 0 (" + unit + ")");
  };
  check("mass", spec.mass, "kg");
  check("density", spec.density, "kg/m^3");
  if (spec.mass > 0 && spec.density > 0) fail(spec, "has both mass and density: give one");
  if (spec.mass == 0 && spec.density == 0) fail(spec, "needs a mass (kg) or a density (kg/m^3) > 0");
  if (spec.inertia) {
    const auto& I = *spec.inertia;
    const double largest = std::max({I[0], I[1], I[2]}), sum = I[0] + I[1] + I[2];
    // 1e-12: a rod or a disc may sit on the bound, rounded.
    if (!all_finite(I) || !(std::min({I[0], I[1], I[2]}) > 0) || 2 * largest > sum * (1 + 1e-12))
      fail(spec, "inertia = " + list_text(I) + " kg m^2: each moment must be > 0 and at most the sum of the other two");
  }
}

}  // namespace

Shape make_shape(const ShapeSpec& given) {
  check_mass(given);
  ShapeSpec spec = given;
  if (spec.kind == "file" && spec.points.empty()) {
    ShapePoints read = read_shape_points(spec);
    spec.points = std::move(read.points);
    spec.mesh_volume = read.volume;
  }
  Body body = make_body(spec);
  Shape shape;
  shape.name = spec.name;
  shape.note = body.note;
  shape.volume = body.volume;
  shape.mass = spec.mass > 0 ? spec.mass : spec.density * body.volume;
  if (spec.inertia) {
    const auto& I = *spec.inertia;
    body.inertia = (Vector3d(I[0], I[1], I[2]) / shape.mass).asDiagonal();
  }
  const PrincipalAxes principal = principal_axes(body.inertia);
  shape.inertia = to_array(principal.moments);
  Eigen::Quaterniond axes(principal.axes);
  axes.normalize();
  const double sign = axes.w() < 0 ? -1.0 : 1.0;
  shape.axes = {sign * axes.w(), sign * axes.x(), sign * axes.y(), sign * axes.z()};
  for (const auto& given : body.vertices) {
    const Vector3d vertex = principal.axes.transpose() * (given - body.centre);
    shape.radius = std::max(shape.radius, vertex.norm());
    shape.vertices.push_back(to_array(vertex));
  }
  return shape;
}

ShapePoints read_shape_points(const ShapeSpec& spec) {
  const ParsePoints parse = parser_of(spec);
  return parse(read_text_file(spec.file), spec.file);
}

ShapePoints parse_shape_points(const ShapeSpec& spec, std::string_view text) {
  return parser_of(spec)(text, spec.file);
}

void append(const Shape& shape, std::vector<double>& tables) {
  const std::size_t at = tables.size();
  tables.resize(at + ShapeLayout::size);
  double* const row = tables.data() + at;
  row[ShapeLayout::vertices] = static_cast<double>(shape.vertices.size());
  row[ShapeLayout::radius] = shape.radius;
  row[ShapeLayout::mass] = shape.mass;
  row[ShapeLayout::volume] = shape.volume;
  row[ShapeLayout::variants] = 1;
  row[ShapeLayout::number] = -1;
  std::copy(shape.inertia.begin(), shape.inertia.end(), row + ShapeLayout::inertia);
  std::copy(shape.axes.begin(), shape.axes.end(), row + ShapeLayout::axes);
  for (std::size_t i = 0; i < max_vertices; ++i) {
    const auto& vertex = shape.vertices[i < shape.vertices.size() ? i : 0];
    row[ShapeLayout::x + i] = vertex[0];
    row[ShapeLayout::y + i] = vertex[1];
    row[ShapeLayout::z + i] = vertex[2];
  }
}

}  // namespace scree
