// Layers of maps as files of GIS programs: GeoTIFF and ESRI ASCII, each with a style for QGIS.
#pragma once

#include <string>
#include <vector>

#include "host/inputs/crs.hpp"
#include "host/statistics/map_layers.hpp"

namespace scree {

/// A GeoTIFF in tiles of 256, deflated, with overviews in the file: of the largest of four cells, or of deposits and
/// caught samples their sum. float32 with NaN for no value, counts as uint32. Throws Error(Exit::failed), as where a
/// disk is full, and Error(Exit::usage) in a program without libtiff.
void write_geotiff(const std::string& path, const MapLayer& layer, const MapGrid& grid, const Crs& crs);

/// An ESRI ASCII grid of 9 digits, -9999 for no value, times `factor`. Throws Error(Exit::failed).
void write_ascii_grid(const std::string& path, const MapLayer& layer, const MapGrid& grid, double factor = 1);

/// Classes that a map of a layer is drawn in.
struct LayerClasses {
  std::vector<double> edges;         // upper ones, rising; the last class has none
  std::vector<std::string> colours;  // of each class, "#rrggbb": viridis for shares, of differences blue to red, else
                                     // cividis
  std::vector<std::string> labels;   // "up to 1 kJ"
};
LayerClasses layer_classes(const MapLayer& layer);

/// Whether a 0 of the layer says that nothing came, so that the ground is seen there.
bool is_clear_at_0(const MapLayer& layer);

/// The style that QGIS takes for a raster of the same name: classes of the layer, by number and colour.
std::string qgis_style(const MapLayer& layer);

/// The name that Rockyfor3D gives a layer, and what its value is divided by for that; empty: it has none.
struct PeerName {
  std::string name;
  double divisor = 1;
};
PeerName rockyfor3d_name(const std::string& layer);

}  // namespace scree
