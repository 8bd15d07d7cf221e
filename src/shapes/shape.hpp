// A convex rock: its vertices about the centre of mass in principal axes, and its inertia per unit mass.
//
// Shapes live in the run's read-only tables; a sample holds an index. Vertices are padded to a multiple of four by
// repeating the first one, so that they are scanned four at a time.
#pragma once

#include "../vec.hpp"

namespace scree {

inline constexpr int max_vertices = 48;  // hit masks are whole numbers below 2^48 held in doubles

/// Layout of one shape in the tables, in doubles. All lengths in metres, inertia in m^2 (per unit mass).
struct ShapeLayout {
  static constexpr int vertices = 0;  // how many
  static constexpr int radius = 1;    // largest distance of a vertex from the centre of mass
  static constexpr int mass = 2;      // kg
  static constexpr int inertia = 3;   // principal moments over mass, A <= B <= C
  static constexpr int axes = 6;      // quaternion: principal axes -> the axes the shape was given in
  static constexpr int volume = 10;   // m^3
  static constexpr int x = 11, y = x + max_vertices, z = y + max_vertices;
  static constexpr int size = z + max_vertices;
};

}  // namespace scree
