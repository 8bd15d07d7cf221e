// Coordinate reference systems: what the metres of a terrain's x and y count from. PROJ knows them.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace scree {

/// Empty: not known.
struct Crs {
  std::string name;  // "EPSG:31287", or its title where it has no code
  std::string wkt;   // WKT 1 as GDAL writes it; without PROJ the text that was given
  int epsg = 0;      // 0: none
  std::string not_in_metres = {};  // "is in WGS 84, whose unit is the degree; ..." of one that is not; else empty

  bool known() const { return !wkt.empty(); }
};

/// Of "EPSG:31287", WKT or a PROJ string; `where` begins the line of Error(Exit::input): a system that is not known, is
/// none of a map, or has x and y or heights in a unit other than the metre.
Crs crs_of(const std::string& text, const std::string& where);
/// The same with those that are none or in other units, of which `not_in_metres` says so.
Crs any_crs_of(const std::string& text, const std::string& where);

/// Why a system is taken as its text says, in a program without PROJ; empty: PROJ knows it, or none is given.
std::string why_unchecked(const Crs& crs);

/// How long a metre on the ground is on the map of a known system at a place, m: along its axes or their diagonals,
/// whichever is furthest from 1; 1 where that is not known.
double scale_at(const Crs& crs, double x, double y);

/// Whether two known systems have the same datum, projection and unit, whatever they are called.
bool are_same(const Crs& one, const Crs& other);

/// What the CF conventions call the projection of a system, as "lambert_conformal_conic"; empty: they have no name, or
/// none that is known here.
std::string cf_grid_mapping(const std::string& wkt);

/// The way from a system to longitude and latitude (degrees, WGS 84).
class ToWgs84 {
 public:
  /// Throws Error(Exit::usage) where PROJ knows no way.
  explicit ToWgs84(const Crs& crs);
  ~ToWgs84();
  /// In points x, y, z, x, y, z, ...; heights stay. Throws Error(Exit::usage), naming a point that has no place there.
  void operator()(std::vector<double>& points) const;

 private:
  struct Way;
  std::string from_;
  std::unique_ptr<Way> way_;
};

/// The system that the .prj file beside a data file gives (as dem.prj beside dem.asc); none where there is no such
/// file.
Crs crs_beside(const std::string& path);

}  // namespace scree
