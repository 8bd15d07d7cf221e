// A convex rock: its vertices about the centre of mass in principal axes, and its inertia per unit mass.
//
// Shapes live in the run's read-only tables; a sample holds an index. Vertices are padded to a multiple of four by
// repeating the first one, so that they are scanned four at a time. A shape may have variants, of which a sample has
// one by a draw of its own: the first is where the shape is, the others lie behind all shapes.
#pragma once

#include "../vec.hpp"

namespace scree {

inline constexpr int max_vertices = 48;  // hit masks are whole numbers below 2^48 held in doubles

/// Layout of one shape in the tables, in doubles. All lengths in metres, inertia in m^2 (per unit mass).
struct ShapeLayout {
  static constexpr int vertices = 0;                // how many
  static constexpr int radius = 1;                  // largest distance of a vertex from the centre of mass
  static constexpr int mass = 2;                    // kg
  static constexpr int inertia = 3;                 // principal moments over mass, A <= B <= C
  static constexpr int axes = 6;                    // quaternion: principal axes -> the axes the shape was given in
  static constexpr int volume = 10;                 // m^3
  static constexpr int variants = 11, others = 12;  // how many, and where the second one is, counted in shapes
  static constexpr int number = 13;                 // which variant this is, from 0 on; -1 where there is one alone
  static constexpr int x = 14, y = x + max_vertices, z = y + max_vertices;
  static constexpr int size = z + max_vertices;
};

/// Where the layout of a shape's variant `number`, 0 <= number, is in the tables; `shapes` is that of the first shape.
HOST_DEVICE inline double shape_variant(const double* tables, double shapes, double shape, double number) {
  const double first = fma(shape, static_cast<double>(ShapeLayout::size), shapes);
  if (!(number > 0.0)) return first;
  const double others = table_row(tables, first)[ShapeLayout::others];
  return fma(others + (number - 1.0), static_cast<double>(ShapeLayout::size), shapes);
}
HOST_DEVICE inline double variants_of_shape(const double* tables, double shapes, double shape) {
  return table_row(tables, fma(shape, static_cast<double>(ShapeLayout::size), shapes))[ShapeLayout::variants];
}

}  // namespace scree
