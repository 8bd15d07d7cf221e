// The stems of a forest: upright cylinders, each of which a sample meets at most once.
//
// In an area, stems are a Poisson process of so many per area, each with a diameter D by a law. They are drawn cell by
// cell of a grid, of (seed, area, cell) and nothing else, where a sample comes near; so none is stored, and all samples
// go through the same forest. Or each sample goes through one of its own (`resampled`): then intervals of what comes
// out cover the positions that nobody knows. Or stems are given one by one.
//
// A sample is a sphere of its volume, of radius r, and hits a stem where the chord of a step comes to a distance of
// R = D/2 + r from its axis while it moves towards it. The rest of the step is dropped, as at a barrier. With the mass
// m, the kinetic energy E, the horizontal speed v_n towards the axis, the distance b of the chord's line from the axis,
// and the energy C = factor (D / cm)^exponent that the stem can take:
//   plastic   m v_n^2 / 2 <= C: v_n becomes 0 and the rest stays, so that the sample slides off; else the stem breaks,
//             and v_n becomes sqrt(v_n^2 - 2 C / m). The spin stays.
//   dorren    E becomes E - min(E, s C), s = a + b' / (1 + 10^(-c (d - b / R))) within 0 and 1: velocity and spin keep
//             their directions. It says nothing of stems that break. The form is ascribed to Dorren and Berger (2006);
//             its numbers are the user's.
// After that the stem is gone for this sample, so that one that has come to rest against it goes on past it; one that
// comes back after `remembered_stems` others finds it there again. One whose circle the release is in is not hit until
// the sample has left it.
#pragma once

#include "ensemble.hpp"

namespace scree {

/// As it lies in the tables.
struct ForestArea {
  double number;                 // among those of the config, from 0: draws go by it
  double corners, corner_count;  // offset of its polygon in the tables
  double x0, y0, columns, rows;  // south-west corner of its grid of cells, m
  double numbers, most;          // offset of P(a cell has no more than k stems), k = 0, 1, ...; how many such k
  double starts, stems;          // of stems that are given: offsets of the first of each cell, and of x, y, D by cell
  double given, resampled;       // 1: they are; each sample has stems of its own
  double law, a, b, c, offset, count;  // of D, as of a Variation
  double largest;                      // D, m
  double shares;                       // 1: by `dorren`; 0: plastic
  double factor, exponent;             // of C; factor: J, of energies per mass J/kg
  double share[4];                     // a, b', c and d of s
};

inline constexpr double forest_cell = 10.0;  // side, m
inline constexpr double most_cells_of_an_area = 0x1p31, most_forest_areas = 1000.0;
/// How far around a sample stems are looked for, beyond their and its own radius, m.
inline constexpr double stem_outlook = 0.3 * forest_cell;

/// Number of the first of the draws of stems, beyond those that scramble points.
inline constexpr std::uint64_t first_stem_draw = std::uint64_t{3} << 62;
static_assert(first_stem_draw > first_scramble_draw + (std::uint64_t{1} << 32));
/// Each cell has 2^10 draws: 0 for the number of stems, from 1 on for their places, from `first_diameter_draw` on for
/// their diameters. A config may ask for 100 stems in a cell on average: 300 are 20 standard deviations more.
inline constexpr int most_stems_of_a_cell = 300, first_diameter_draw = 512;

/// The column or row that a place is in, of `count` cells from `first`, m, on; the first or last for one outside.
HOST_DEVICE inline double forest_cell_of(double x, double first, double count) {
  return truncate(smaller(larger((x - first) * (1.0 / forest_cell), 0.0), count - 1.0));
}

HOST_DEVICE inline const ForestArea& area_of(const World& world, int i) {
  return reinterpret_cast<const ForestArea*>(world.tables + static_cast<std::int64_t>(world.forest.first))[i];
}

struct Stem {
  double x, y, diameter;  // m
  double number;          // of all stems of a forest, from 1; a whole number
};

struct Box {
  double west, south, east, north;

  HOST_DEVICE bool holds(double x, double y) const { return x >= west && x <= east && y >= south && y <= north; }
  HOST_DEVICE Box grown(double by) const { return {west - by, south - by, east + by, north + by}; }
  /// The distance of a point from it, m; 0 inside.
  HOST_DEVICE double distance(double x, double y) const {
    const double dx = larger(larger(west - x, x - east), 0.0), dy = larger(larger(south - y, y - north), 0.0);
    return sqrt(fma(dx, dx, dy * dy));
  }
};
HOST_DEVICE inline Box extent_of(const ForestArea& area) {
  return {area.x0, area.y0, fma(area.columns, forest_cell, area.x0), fma(area.rows, forest_cell, area.y0)};
}

namespace detail {

template <class F>
HOST_DEVICE void for_stems_given(const World& world, const ForestArea& area, double cell, const F& f) {
  const double* starts = world.tables + static_cast<std::int64_t>(area.starts + cell);
  for (double k = starts[0]; k < starts[1]; k += 1.0) {
    const double* stem = world.tables + static_cast<std::int64_t>(area.stems + 3.0 * k);
    f(Stem{stem[0], stem[1], stem[2], fma(area.number, 0x1p40, k + 1.0)});
  }
}

template <class F>
HOST_DEVICE void for_stems_drawn(const World& world, const ForestArea& area, double sample, double column, double row,
                                 double cell, const Box& near, const F& f) {
  const std::uint64_t whose = area.resampled > 0.0 ? static_cast<std::uint64_t>(sample) : 0;
  const std::uint64_t first =
      first_stem_draw + (static_cast<std::uint64_t>(area.number) << 41) + (static_cast<std::uint64_t>(cell) << 10);
  const double* numbers = world.tables + static_cast<std::int64_t>(area.numbers);
  const double first_number = fma(area.number, 0x1p40, cell * 0x1p9), u = uniform(world.forest.seed, whose, first);
  int stems = 0;
  while (stems < static_cast<int>(area.most) && u >= numbers[stems]) ++stems;
  const Variation law{0, static_cast<Law>(static_cast<int>(area.law)), area.a, area.b, area.c, area.offset, area.count};
  for (int k = 0; k < stems; ++k) {
    const TwoUniforms place = two_uniforms(world.forest.seed, whose, first + static_cast<std::uint64_t>(1 + k));
    Stem stem;
    stem.x = fma(column + place.first, forest_cell, area.x0);
    stem.y = fma(row + place.second, forest_cell, area.y0);
    if (!near.holds(stem.x, stem.y)) continue;
    const double* corners = world.tables + static_cast<std::int64_t>(area.corners);
    if (!inside_polygon({stem.x, stem.y}, corners, static_cast<std::int64_t>(area.corner_count))) continue;
    VariationStream stream{
        {world.forest.seed, whose, first + static_cast<std::uint64_t>(first_diameter_draw + k)}, {}, -1};
    draw_variation(law, world.tables, stream, &stem.diameter);
    stem.number = first_number + k + 1.0;
    if (stem.diameter > 0.0) f(stem);
  }
}

}  // namespace detail

/// f(area, its stem) of all stems whose axes are in `box`, grown for each area by the largest R there; and of some more
/// of those that are given.
template <class F>
HOST_DEVICE void for_stems_near(const World& world, double sample, double radius, const Box& box, const F& f) {
  for (int number = 0; number < static_cast<int>(world.forest.areas); ++number) {
    const ForestArea& area = area_of(world, number);
    const Box near = box.grown(fma(0.5, area.largest, radius));
    const double first_column = forest_cell_of(near.west, area.x0, area.columns + 1.0);
    const double first_row = forest_cell_of(near.south, area.y0, area.rows + 1.0);
    for (double row = first_row; row < area.rows && fma(row, forest_cell, area.y0) <= near.north; row += 1.0)
      for (double column = first_column; column < area.columns && fma(column, forest_cell, area.x0) <= near.east;
           column += 1.0) {
        const double cell = fma(row, area.columns, column);
        const auto take = [&](const Stem& stem) { f(area, stem); };
        if (area.given > 0.0)
          detail::for_stems_given(world, area, cell, take);
        else
          detail::for_stems_drawn(world, area, sample, column, row, cell, near, take);
      }
  }
}

/// Stems that a sample met last, by their numbers; 0: none.
inline constexpr int remembered_stems = 8;
template <class Real>
struct StemsMet {
  Real last[remembered_stems];
  Real hits, broken;  // how many; of them, how many broke
};
HOST_DEVICE inline bool has_met(const StemsMet<double>& met, const Stem& stem) {
  bool found = false;
  for (int k = 0; k < remembered_stems; ++k) found = found || met.last[k] == stem.number;
  return found;
}
HOST_DEVICE inline void remember(StemsMet<double>& met, const Stem& stem, bool broke) {
  for (int k = remembered_stems - 1; k > 0; --k) met.last[k] = met.last[k - 1];
  met.last[0] = stem.number;
  met.hits += 1.0;
  if (broke) met.broken += 1.0;
}

inline constexpr double no_stem = 2.0;
/// A sample at a stem.
struct StemHit {
  double t = no_stem;  // where on the chord, 0 to 1; no_stem: nowhere
  double off_axis;     // b / R
  double nx, ny;       // horizontal unit vector away from the axis
  Stem stem;
  const ForestArea* area;
};

/// A part of the chord of a step that is longer than the roundings of places on it, so that what is in one place is
/// told from what is not.
HOST_DEVICE inline double part_above_rounding(const Moving& from, const Moving& to, double radius) {
  const double dx = to.x - from.x, dy = to.y - from.y;
  const double size = (abs(from.x) + abs(from.y)) + (abs(to.x) + abs(to.y)) + radius;
  return smaller(0x1p-44 * size / sqrt(fma(dx, dx, dy * dy)), 0.5);
}

/// f(hit) of the stems that the chord of a step comes to, in any order. A circle is entered from outside alone.
template <class F>
HOST_DEVICE void for_hits(const World& world, const StemsMet<double>& met, double sample, double radius,
                          const Moving& from, const Moving& to, const F& f) {
  const double dx = to.x - from.x, dy = to.y - from.y, square = fma(dx, dx, dy * dy);
  if (!(square > 0.0)) return;
  const double last = 1.0 + part_above_rounding(from, to, radius);
  const Box chord{smaller(from.x, to.x), smaller(from.y, to.y), larger(from.x, to.x), larger(from.y, to.y)};
  for_stems_near(world, sample, radius, chord, [&](const ForestArea& area, const Stem& stem) {
    const double reach = fma(0.5, stem.diameter, radius), x = from.x - stem.x, y = from.y - stem.y;
    const double along = fma(x, dx, y * dy), beyond = fma(x, x, fma(y, y, -reach * reach));
    const double root = fma(along, along, -square * beyond);
    if (!(along < 0.0) || !(root > 0.0) || !(beyond > 0.0)) return;
    // The next step begins inside of a circle that this one ends on.
    const double t = (-along - sqrt(root)) / square;
    if (!(t <= last) || has_met(met, stem)) return;
    const double nx = fma(t, dx, x), ny = fma(t, dy, y), length = sqrt(fma(nx, nx, ny * ny));
    const double off = difference_of_products(dx, y, dy, x) / sqrt(square);
    f(StemHit{smaller(t, 1.0), abs(off) / reach, nx / length, ny / length, stem, &area});
  });
}

/// The first stem that the step comes to.
SCREE_COLD HOST_DEVICE inline StemHit first_stem(const World& world, const StemsMet<double>& met, double sample,
                                                 double radius, const Moving& from, const Moving& to) {
  StemHit first{};
  for_hits(world, met, sample, radius, from, to, [&](const StemHit& hit) {
    if (hit.t < first.t) first = hit;
  });
  return first;
}

/// Within this distance no stem is met that was not met before, m: so far a path may go before it is looked at again.
SCREE_COLD HOST_DEVICE inline double distance_to_stems(const World& world, const StemsMet<double>& met, double sample,
                                                       double radius, double x, double y) {
  double distance = 1e300;
  for (int number = 0; number < static_cast<int>(world.forest.areas); ++number) {
    const ForestArea& area = area_of(world, number);
    const double away = extent_of(area).distance(x, y) - fma(0.5, area.largest, radius);
    distance = smaller(larger(away, stem_outlook), distance);
  }
  const Box here{x - stem_outlook, y - stem_outlook, x + stem_outlook, y + stem_outlook};
  if (distance > stem_outlook) return distance;
  for_stems_near(world, sample, radius, here, [&](const ForestArea&, const Stem& stem) {
    const double dx = x - stem.x, dy = y - stem.y;
    const double away = sqrt(fma(dx, dx, dy * dy)) - fma(0.5, stem.diameter, radius);
    if (away < distance && !has_met(met, stem)) distance = away;
  });
  return distance;
}

/// What a hit leaves.
struct AfterStem {
  Vec3<double> velocity;
  double keep;  // factor of the spin
  bool broke;   // the stem
};
HOST_DEVICE inline AfterStem after_stem(const StemHit& hit, const Moving& at) {
  const ForestArea& area = *hit.area;
  const Vec3<double>& v = at.velocity;
  const double centimetres = 100.0 * hit.stem.diameter;
  const double capacity = area.exponent != 0.0 ? area.factor * exp(area.exponent * log(centimetres)) : area.factor;
  if (area.shares > 0.0) {
    const double* s = area.share;
    const double ten = 2.302585092994046, steep = exp(-ten * s[2] * (s[3] - hit.off_axis));
    const double share = smaller(larger(s[0] + s[1] / (1.0 + steep), 0.0), 1.0);
    const double energy = fma(0.5 * at.mass, dot(v, v), at.rotational_energy), taken = share * capacity;
    const double keep = energy > taken ? sqrt((energy - taken) / energy) : 0.0;
    return {keep * v, keep, false};
  }
  const double towards = larger(-fma(v.x, hit.nx, v.y * hit.ny), 0.0),
               left = fma(towards, towards, -2.0 * capacity / at.mass);
  const double after = left > 0.0 ? sqrt(left) : 0.0, change = towards - after;
  return {{fma(change, hit.nx, v.x), fma(change, hit.ny, v.y), v.z}, 1.0, left > 0.0};
}

/// The stem within R of which a sphere lies; none: number 0.
HOST_DEVICE inline Stem stem_at(const World& world, double sample, double x, double y, double radius) {
  Stem found{};
  for_stems_near(world, sample, radius, {x, y, x, y}, [&](const ForestArea&, const Stem& stem) {
    const double dx = x - stem.x, dy = y - stem.y, reach = fma(0.5, stem.diameter, radius);
    if (fma(dx, dx, dy * dy) < reach * reach) found = stem;
  });
  return found;
}
/// What is wrong with the release of a sample: nonsense if all samples have it.
inline Mistake mistake_at_stems(const World& world, double sample, double x, double y, double radius) {
  const Stem stem = stem_at(world, sample, x, y, radius);
  if (!(stem.number > 0.0)) return nullptr;
  return Mistake("inside a stem of the forest").of_all_at(stem.x, stem.y);
}

}  // namespace scree
