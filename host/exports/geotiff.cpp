#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "host/common/error.hpp"
#include "host/common/markup.hpp"
#include "host/common/text_input.hpp"
#include "image.hpp"
#include "raster.hpp"

#if SCREE_HAS_GIS
#include <geovalues.h>

#include "host/inputs/tiff.hpp"
#endif

namespace scree {

#if SCREE_HAS_GIS

namespace {

constexpr std::uint32_t tile = 256;

class GeoTiffWriter {
 public:
  GeoTiffWriter(const std::string& path, const MapLayer& layer, const MapGrid& grid, const Crs& crs)
      : path_(path), layer_(layer), grid_(grid), crs_(crs) {
    const bool big = 4.0 * grid.columns * grid.rows > 3e9;
    tiff_ = open_tiff(path, big ? "w8" : "w");
    if (!tiff_) fail();
  }

  void write() {
    if (layer_.is_count) {
      pyramid(north_first(layer_.counts, grid_));
    } else {
      pyramid(north_first(layer_.values, grid_));
    }
    TIFF* const open = tiff_.release();
    const bool flushed = TIFFFlush(open) == 1;
    XTIFFClose(open);
    if (!flushed) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw Error(Exit::failed, path_ + ": cannot be written" + (tiff_mistake().empty() ? "" : ": " + tiff_mistake()));
  }

  template <class T>
  void pyramid(Image<T> image) {
    directory(image, false);
    while (std::max(image.columns, image.rows) > tile) {
      image = coarser(image, joining_of(layer_));
      directory(image, true);
    }
  }

  template <class T>
  void directory(const Image<T>& image, bool reduced) {
    TIFF* const tiff = tiff_.get();
    if (reduced) TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, image.columns);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, image.rows);
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, tile);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, layer_.is_count ? SAMPLEFORMAT_UINT : SAMPLEFORMAT_IEEEFP);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, layer_.is_count ? PREDICTOR_HORIZONTAL : PREDICTOR_FLOATINGPOINT);
    if (!layer_.is_count) TIFFSetField(tiff, gdal_nodata, "nan");
    if (!reduced) place();
    std::vector<T> piece(std::size_t{tile} * tile);
    for (std::uint32_t top = 0; top < image.rows; top += tile)
      for (std::uint32_t left = 0; left < image.columns; left += tile) {
        std::fill(piece.begin(), piece.end(), T{});
        for (std::uint32_t row = 0; row < std::min(tile, image.rows - top); ++row)
          for (std::uint32_t column = 0; column < std::min(tile, image.columns - left); ++column)
            piece[std::size_t{row} * tile + column] = image.at(left + column, top + row);
        if (TIFFWriteTile(tiff, piece.data(), left, top, 0, 0) < 0) fail();
      }
    if (TIFFWriteDirectory(tiff) != 1) fail();
  }

  void place() {
    TIFF* const tiff = tiff_.get();
    const double scale[] = {grid_.cell, grid_.cell, 0}, tie[] = {0, 0, 0, grid_.west, grid_.edge_y(grid_.rows), 0};
    TIFFSetField(tiff, TIFFTAG_GEOPIXELSCALE, 3, scale);
    TIFFSetField(tiff, TIFFTAG_GEOTIEPOINTS, 6, tie);
    const std::string metadata = "<GDALMetadata>\n  <Item name=\"DESCRIPTION\" sample=\"0\" role=\"description\">" +
                                 escaped(layer_.name + ": " + layer_.meaning) +
                                 "</Item>\n  <Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">" +
                                 (layer_.unit == "1" ? "" : escaped(layer_.unit)) + "</Item>\n</GDALMetadata>\n";
    TIFFSetField(tiff, gdal_metadata, metadata.c_str());
    const GeoKeys keys(GTIFNew(tiff));
    GTIFKeySet(keys.get(), GTRasterTypeGeoKey, TYPE_SHORT, 1, RasterPixelIsArea);
    if (crs_.epsg > 0 && crs_.epsg < KvUserDefined) {
      GTIFKeySet(keys.get(), GTModelTypeGeoKey, TYPE_SHORT, 1, ModelTypeProjected);
      GTIFKeySet(keys.get(), ProjectedCSTypeGeoKey, TYPE_SHORT, 1, crs_.epsg);
    } else if (crs_.known()) {
      // GDAL reads the text where the model is no other's. It is not in ESRI's own words, which lose what a datum
      // without a code is called, and so which it is.
      GTIFKeySet(keys.get(), GTModelTypeGeoKey, TYPE_SHORT, 1, KvUserDefined);
      GTIFKeySet(keys.get(), GTCitationGeoKey, TYPE_ASCII, 0, crs_.name.c_str());
      GTIFKeySet(keys.get(), PCSCitationGeoKey, TYPE_ASCII, 0, (crs_text_mark + crs_.wkt).c_str());
    } else {
      GTIFKeySet(keys.get(), GTModelTypeGeoKey, TYPE_SHORT, 1, ModelTypeProjected);
      GTIFKeySet(keys.get(), ProjectedCSTypeGeoKey, TYPE_SHORT, 1, KvUserDefined);
    }
    GTIFKeySet(keys.get(), ProjLinearUnitsGeoKey, TYPE_SHORT, 1, Linear_Meter);
    if (GTIFWriteKeys(keys.get()) != 1) fail();
  }

  std::string path_;
  const MapLayer& layer_;
  const MapGrid& grid_;
  const Crs& crs_;
  OwnedTiff tiff_;
};

}  // namespace

void write_geotiff(const std::string& path, const MapLayer& layer, const MapGrid& grid, const Crs& crs) {
  GeoTiffWriter(path, layer, grid, crs).write();
}

#else

void write_geotiff(const std::string&, const MapLayer&, const MapGrid&, const Crs&) {
  throw Error(Exit::usage, "this program was built without GeoTIFF: use --to asc");
}

#endif

}  // namespace scree
