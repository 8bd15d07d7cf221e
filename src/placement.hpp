// Random starts for discs: where they lie in a circle or a box without touching.
//
// Random sequential addition: each disc takes a uniform place of the enclosure, tried again until it touches none of
// those already there. The larger discs go first, of equal ones that of lower index, so that the small fill the gaps
// that the large leave. Where a disc finds no place all are placed anew, a bounded number of times. The places are a
// function of the draws, and every number of draws has a bound, so a sample's start is the same on every backend.
//
// Equal discs added so jam at a fraction of 0.547 of a large area; near it the tries run out, above it there is no
// hope. The places are not those of a gas in equilibrium (they lack its order at high density); a hard-disc gas forgets
// the difference after a few collisions of each disc.
//
// Source: Hinrichsen, Feder and Jossang, J. Stat. Phys. 44 (1986) 793 (jamming fraction 0.547 +- 0.002).
#pragma once

#include "ensemble.hpp"
#include "mistake.hpp"
#include "range.hpp"

namespace scree {

/// A circle or a rectangle, its centre at the origin.
template <class Real>
struct Enclosure {
  Real circle;                   // 1: the circle of `radius`; 0: the rectangle
  Real radius;                   // m
  Real half_width, half_height;  // m, along x and y
};

/// Fraction of the area that equal discs cover when no further one finds room.
inline constexpr double jamming_fraction = 0.547;

/// Tries for one disc, and times that all discs are placed anew.
inline constexpr int placement_tries = 1000, placement_restarts = 100;

/// The most discs that `place_discs` takes: it remembers those placed as bits of one word.
inline constexpr int most_placed_discs = 64;

enum class Placement { possible, disc_too_large, too_dense };

/// What rules out a placement before the first try.
///   count     number of discs, 1 to 64
///   radius    m, `count` numbers > 0
///   gap       m, least distance of two discs, and of a disc and the wall, >= 0
/// A disc that, with its gap, has no room to move even alone; equal discs beyond jamming; discs of any size that cover
/// more than the area. To the area counts a margin of one radius along the walls, which nothing beyond them takes room
/// from: so a single disc always fits, and the margin does not matter to a large box.
template <class Real>
HOST_DEVICE Placement possible_placement(int count, const Real* radius, const Enclosure<Real>& enclosure,
                                         const Real& gap) {
  const Real pi = Real(3.14159265358979323846), half = Real(0.5);
  const bool circle = any(enclosure.circle > half);
  Real covered = Real(0.0), largest = Real(0.0), smallest = radius[0];
  for (int i = 0; i < count; ++i) {
    const Real reach = fma(half, gap, radius[i]);  // half of each gap counts to each side
    covered = fma(pi * reach, reach, covered);
    largest = larger(largest, radius[i]);
    smallest = smaller(smallest, radius[i]);
  }
  const Real within = largest + gap;
  const bool fits =
      circle ? any(within < enclosure.radius) : any((within < enclosure.half_width) & (within < enclosure.half_height));
  if (!fits) return Placement::disc_too_large;
  const Real area = circle ? pi * ((enclosure.radius + largest) * (enclosure.radius + largest))
                           : Real(4.0) * ((enclosure.half_width + largest) * (enclosure.half_height + largest));
  const Real limit = any(smallest == largest) ? Real(jamming_fraction) : Real(1.0);
  return any(covered > limit * area) ? Placement::too_dense : Placement::possible;
}

/// Whether a disc of `reach` about `at` lies in the enclosure.
template <class Real>
HOST_DEVICE bool inside_enclosure(const Enclosure<Real>& enclosure, const Vec2<Real>& at, const Real& reach) {
  if (any(enclosure.circle > Real(0.5))) {
    const Real room = enclosure.radius - reach;
    return any((room >= Real(0.0)) & (fma(at.x, at.x, at.y * at.y) <= room * room));
  }
  return any((abs(at.x) <= enclosure.half_width - reach) & (abs(at.y) <= enclosure.half_height - reach));
}

/// Places `count` discs at random; arguments as above.
///   draws     advanced by two for each try
///   position  m, the centres; `count` of them
/// False if there is no placement, or none was found: `position` then means nothing.
template <class Real>
HOST_DEVICE bool place_discs(DrawStream& draws, int count, const Real* radius, const Enclosure<Real>& enclosure,
                             const Real& gap, Vec2<Real>* position) {
  if (count > most_placed_discs) return false;
  if (possible_placement(count, radius, enclosure, gap) != Placement::possible) return false;
  const bool circle = any(enclosure.circle > Real(0.5));
  const auto bit = [](int i) { return std::uint64_t{1} << i; };
  for (int restart = 0; restart < placement_restarts; ++restart) {
    std::uint64_t placed = 0;
    bool complete = true;
    for (int k = 0; k < count && complete; ++k) {
      int next = -1;
      for (int i = 0; i < count; ++i)
        if (!(placed & bit(i)) && (next < 0 || any(radius[i] > radius[next]))) next = i;
      const Real reach = radius[next] + gap;
      const Real x_most = (circle ? enclosure.radius : enclosure.half_width) - reach;
      const Real y_most = (circle ? enclosure.radius : enclosure.half_height) - reach;
      bool found = false;
      for (int attempt = 0; attempt < placement_tries && !found; ++attempt) {
        const Real u = Real(draws.uniform()), v = Real(draws.uniform());
        const Vec2<Real> at{fma(u + u, x_most, -x_most), fma(v + v, y_most, -y_most)};
        found = !circle || inside_enclosure(enclosure, at, reach);
        for (int i = 0; i < count && found; ++i) {
          if (!(placed & bit(i))) continue;
          const Real dx = at.x - position[i].x, dy = at.y - position[i].y, apart = reach + radius[i];
          found = any(fma(dx, dx, dy * dy) >= apart * apart);
        }
        if (found) position[next] = at;
      }
      placed |= bit(next);
      complete = found;
    }
    if (complete) return true;
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Of systems of discs, whose parameters are circle, wall_radius, width, height, random_placement and gap

template <class Real, class Params>
HOST_DEVICE Enclosure<Real> enclosure_of(const Params& p) {
  return {p.circle, p.wall_radius, Real(0.5) * p.width, Real(0.5) * p.height};
}

/// What rules out the enclosure and the way to place `count` discs in it; whether places that are given touch or lie
/// outside is for the system to say. Of random places those of the first eight samples are tried, once for all samples:
/// others without luck are counted as not_placed, but where eight have none, hardly one will.
///   radius, position  of each disc
///   draws             of the sample
template <class Params>
Mistake placement_mistake(const Params& p, int count, const double* radius, const Vec2<double>* position,
                          const DrawStream& draws) {
  if (p.random_placement == 0 && p.gap != 0)
    return "gap has no use where places are given: set placement = \"random\"";
  const Enclosure<double> enclosure = enclosure_of<double>(p);
  const Placement possible = possible_placement(count, radius, enclosure, p.gap);
  if (possible == Placement::disc_too_large) {
    const bool by_gap = possible_placement(count, radius, enclosure, 0.0) != Placement::disc_too_large;
    if (p.circle == 1)
      return {by_gap ? "gap: it leaves a disc no room to move in the circle of wall_radius"
                     : "radius: a disc has no room to move in the circle of wall_radius",
              p.wall_radius, "m"};
    return {by_gap ? "gap: it leaves a disc no room to move in the rectangle, whose lesser side is"
                   : "radius: a disc has no room to move in the rectangle, whose lesser side is",
            smaller(p.width, p.height), "m"};
  }
  if (p.random_placement == 0) return nullptr;
  for (int i = 0; i < count; ++i)
    if (position[i].x != 0 || position[i].y != 0)
      return "start.position has no use where places are random: set placement = \"given\"";
  if (possible == Placement::too_dense)
    return "radius: the discs are too dense for random places, which equal discs find up to a covered fraction of "
           "0.547";
  if (draws.sample != 0) return nullptr;
  Vec2<double> place[most_placed_discs];
  for (std::uint64_t attempt = 0; attempt < 8; ++attempt) {
    DrawStream stream{draws.seed, attempt, draws.next};
    if (place_discs(stream, count, radius, enclosure, p.gap, place)) return nullptr;
  }
  return "radius: no random places without overlap were found in eight attempts";
}

/// Lines of describe(), with the defaults of the enclosure and of `wall_radius` and half the sides.
template <class Params, class Table>
void describe_enclosure(Table& table, double circle, double wall_radius) {
  table.choice("enclosure", &Params::circle, {{"rectangle", 0.0}, {"circle", 1.0}}, circle, "of the discs");
  table.renamed_key("circle", "enclosure", "0 is \"rectangle\", 1 \"circle\"");
  table.param("wall_radius", &Params::wall_radius, "m", wall_radius, positive, "of the circle");
  table.param("width", &Params::width, "m", 2 * wall_radius, positive, "of the rectangle, along its first axis");
  table.param("height", &Params::height, "m", 2 * wall_radius, positive, "of the rectangle, along its second axis");
}
template <class Params, class Table>
void describe_placement(Table& table) {
  table.choice("placement", &Params::random_placement, {{"given", 0.0}, {"random", 1.0}}, 1.0,
               "given as start.position, or drawn at random, without overlap");
  table.renamed_key("random_placement", "placement", "0 is \"given\", 1 \"random\"");
  table.param("gap", &Params::gap, "m", 0.0, non_negative,
              "of random places: least distance between discs, and between a disc and the wall");
}

}  // namespace scree
