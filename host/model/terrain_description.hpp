// What a kind of terrain's `describe()` says, as data: the config reader, `scree init`, `scree list` and the table
// of docs/terrain.md read it.
#pragma once

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "description.hpp"
#include "src/terrain/terrain.hpp"

namespace scree {

/// A key of [terrain], which gives one or several of the doubles in the kind's Keys.
struct TerrainKey {
  // of_heights: says what to make of the heights; spline: no key of its own, but coefficients through the heights
  enum class Gives { number, heights, of_heights, spline };

  std::string name, unit, meaning;
  int offset = 0;
  Range range = any_value;
  std::optional<double> standard;  // the value without it; must be given if there is none
  Gives gives = Gives::number;
};

struct TerrainDescription {
  std::string name, meaning;
  std::string label;     // as `scree check` and reports name it, see `kind` below
  std::string extent;    // where a release must be; empty if everywhere, or on the rectangle of a grid
  std::string need_one;  // what is missing where none of the keys is given that have a default; empty: nothing
  std::vector<TerrainKey> keys;
  std::vector<std::pair<std::string, double>> example;  // what `scree init` writes; empty if it writes another kind
  bool rough = false, smooth = false;                   // suits bodies that collide with it; suits what slides on it
  std::size_t doubles = 0;

  bool suits(Ground ground) const {
    return ground == Ground::rough ? rough : ground == Ground::smooth ? smooth : false;
  }
};

/// The Table that `Kind::describe(Table&)` fills in.
template <class Kind>
class TerrainBuilder {
 public:
  TerrainDescription description;

  /// In the label, {key} is the value of a key, [ ... ] is left out where a key in it is not given, and {+key rest} is
  /// a term of a sum, which is left out likewise.
  void kind(const char* name, const char* meaning, const char* label) {
    description.name = name;
    description.meaning = meaning;
    description.label = label;
  }
  template <class Keys>
  void key(const char* name, double Keys::*member, const char* unit, Range range, const char* meaning,
           std::optional<double> standard = std::nullopt) {
    description.keys.push_back({name, unit, meaning, offset_of(member), range, standard});
  }
  /// The file of a grid, whose heights the run's tables hold, and what is done to them.
  template <class Keys>
  void heights(const char* name, GridHeights Keys::*member) {
    using Gives = TerrainKey::Gives;
    constexpr double none = std::numeric_limits<double>::infinity();
    const int at = offset_of(member);
    description.keys.push_back(
        {name, "", "a GeoTIFF or an ESRI ASCII grid (.asc)", at, any_value, std::nullopt, Gives::heights});
    const auto of_heights = [&](const char* key, const char* unit, const char* meaning) {
      description.keys.push_back({key, unit, meaning, at, any_value, none, Gives::of_heights});
    };
    of_heights("extent", "m", "[west, south, east, north]: the part of them that is read");
    of_heights("cell", "m", "they are averaged to larger cells of this size");
    of_heights("floor", "m", "lower heights are raised to it");
    of_heights("mask", "", "such a grid that is 0 or NODATA where the heights are not to be used");
    of_heights("crs", "", "its coordinate reference system, as \"EPSG:31287\"; else what the file says");
  }
  /// The coefficients of the spline through these heights.
  template <class Keys>
  void spline(double Keys::*member) {
    description.keys.push_back({"", "", "", offset_of(member), any_value, std::nullopt, TerrainKey::Gives::spline});
  }
  void need_one(const char* what) { description.need_one = what; }
  void extent(const char* where) { description.extent = where; }
  void suggest(std::initializer_list<std::pair<std::string, double>> values) { description.example = values; }

 private:
  template <class Keys, class M>
  static int offset_of(M Keys::*member) {
    static const Keys keys{};
    return static_cast<int>((reinterpret_cast<const char*>(&(keys.*member)) - reinterpret_cast<const char*>(&keys)) /
                            static_cast<std::ptrdiff_t>(sizeof(double)));
  }
};

/// A kind of the list that Terrain is one of, and how to make it of the doubles of its Keys.
template <class Terrain>
struct TerrainKindOf : TerrainDescription {
  Terrain (*make)(const double* keys, bool for_sliding);
};

template <class... Kinds>
std::vector<TerrainKindOf<OneOf<Kinds...>>> describe_kinds(const OneOf<Kinds...>*) {
  using Terrain = OneOf<Kinds...>;
  const auto of = []<class Kind>(const Kind*) -> TerrainKindOf<Terrain> {
    using Keys = typename Kind::Keys;
    TerrainBuilder<Kind> table;
    Kind::describe(table);
    table.description.rough = IsRough<Kind>::value;
    table.description.smooth = IsSmooth<Kind>::value || requires(const Kind& kind) { kind.smooth(); };
    table.description.doubles = sizeof(Keys) / sizeof(double);
    return {table.description, [](const double* values, bool for_sliding) {
              Keys keys;
              std::memcpy(&keys, values, sizeof keys);
              const Kind kind = Kind::of(keys);
              if constexpr (requires { kind.smooth(); })
                if (for_sliding) return Terrain::of(kind.smooth());
              (void)for_sliding;
              return Terrain::of(kind);
            }};
  };
  return {of(static_cast<const Kinds*>(nullptr))...};
}
/// Of each kind in the list.
template <class Terrain>
std::vector<TerrainKindOf<Terrain>> describe_kinds() {
  return describe_kinds(static_cast<const Terrain*>(nullptr));
}

}  // namespace scree
