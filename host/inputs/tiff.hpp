// A TIFF file of libtiff that closes itself, says what went wrong, and knows the tags of GDAL. For sources that are
// compiled with SCREE_HAS_GIS alone.
#pragma once

#include <geotiff.h>
#include <tiffio.h>
#include <xtiffio.h>

#include <memory>
#include <string>

namespace scree {

struct CloseTiff {
  void operator()(TIFF* tiff) const { XTIFFClose(tiff); }
  void operator()(GTIF* keys) const { GTIFFree(keys); }
};
using OwnedTiff = std::unique_ptr<TIFF, CloseTiff>;
using GeoKeys = std::unique_ptr<GTIF, CloseTiff>;

/// Texts: XML of name, unit and meaning; the number that stands for no value.
inline constexpr ttag_t gdal_metadata = 42112, gdal_nodata = 42113;

/// What the citation of a system begins with that is given as a text, behind it.
inline const std::string crs_text_mark = "ESRI PE String = ";

/// "r", "w" or "w8" (BigTIFF); null if it cannot be opened.
OwnedTiff open_tiff(const std::string& path, const char* mode);
/// What libtiff complained of last on this thread, since a file was opened.
const std::string& tiff_mistake();

}  // namespace scree
