// Terrain as GeoTIFF: libtiff reads the pixels, libgeotiff where they lie.
#pragma once

#include <string>

#include "crs.hpp"
#include "terrain_file.hpp"

namespace scree {

/// Reads one band of heights in metres: whole numbers or floating point, any compression of libtiff, north up, square
/// pixels, PixelIsArea or PixelIsPoint; NODATA by its tag or NaN. Throws Error(Exit::input) with one line for all else,
/// by name: several bands, a rotated raster, degrees, a file that cannot be read. Of the pieces of a large file those
/// that have a part of the extent are read. The heights are not averaged.
Grid read_geotiff(const std::string& path, const GridPart& part = {});

/// Whether a file begins as a TIFF does.
bool is_tiff(const std::string& path);

}  // namespace scree
