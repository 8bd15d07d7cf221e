// Rocks: from a named kind with sizes, a list of points or a file to the vertices and the inertia that a run uses.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/shapes/shape.hpp"

namespace scree {

/// What a config says about one rock. Exactly one of mass and density is given (the other one is 0).
///
///   kind          size, m                        vertices
///   cuboid        three edges                    8
///   eota          the enclosing cuboid           24: edges chamfered at a quarter (ETAG 27 block; EOTA221, EOTA111)
///   ellipsoid     three axes (diameters)         42 on the ellipsoid: an icosahedron, subdivided once and scaled
///   octahedron    base x, base y, height         6: two pyramids on a common base (L14 5.1)
///   irregular     the enclosing cuboid           `corners` random ones on an ellipsoid, others for another `seed`
///   points        -                              corners of the hull of `points`
///   file          -                              corners of the hull of an .obj (v lines; its faces, if there are any,
///                                                must close) or a .pts, .xyz or .txt file (x y z per line, as RAMMS')
struct ShapeSpec {
  std::string name, kind;
  std::array<double, 3> size{};  // m
  int corners = 40;              // of an irregular one, from 4 to max_vertices
  std::uint64_t seed = 1;        // and which one
  int variants = 1;              // of the config: so many, of this seed and the next ones
  std::string file;
  std::vector<std::array<double, 3>> points;       // m; of a file, if they have been read
  double mesh_volume = 0;                          // of that file, m^3 before `scale`, see ShapePoints
  double scale = 1;                                // multiplies all lengths
  double mass = 0, density = 0;                    // kg, kg/m^3
  std::optional<std::array<double, 3>> inertia{};  // kg m^2 about the given axes, in place of the computed one
};

struct Shape {
  std::string name;
  double mass = 0, volume = 0, radius = 0;      // kg, m^3, m (largest distance of a vertex from the centre of mass)
  std::array<double, 3> inertia{};              // principal moments over mass, A <= B <= C, m^2
  std::array<double, 4> axes{1, 0, 0, 0};       // quaternion: principal axes -> the axes the shape was given in
  std::vector<std::array<double, 3>> vertices;  // m, about the centre of mass, in principal axes
  std::string note;                             // a warning in one line, or empty
};

/// The points of a file, m, and the volume within its faces, m^3; 0 where it has none, or none that close alike.
struct ShapePoints {
  std::vector<std::array<double, 3>> points;
  double volume = 0;
};

/// The rock of homogeneous density that a spec describes. Volume, mass and inertia are those of the polyhedron itself,
/// also for an ellipsoid. Of a hull with more corners than max_vertices so many are kept for contacts, and volume, mass
/// and inertia are those of the whole hull; the note says how much is cut off. Throws Error(Exit::input) with one line
/// that names the shape, or file and line number.
Shape make_shape(const ShapeSpec& spec);

/// The points of the file that a spec names, before they are scaled. Throws as make_shape does.
ShapePoints read_shape_points(const ShapeSpec& spec);
/// The same of the text of that file.
ShapePoints parse_shape_points(const ShapeSpec& spec, std::string_view text);

/// Appends one ShapeLayout, without other variants, to the run's tables.
void append(const Shape& shape, std::vector<double>& tables);

}  // namespace scree
