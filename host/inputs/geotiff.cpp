#include "geotiff.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "host/common/error.hpp"
#include "host/common/text_input.hpp"

#if SCREE_HAS_GIS
#include <geo_normalize.h>
#include <geovalues.h>

#include <cstdlib>
#include <cstring>

#include "tiff.hpp"
#endif

namespace scree {

bool is_tiff(const std::string& path) {
  std::array<char, 4> start{};
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  const std::string_view magic(start.data(), start.size());
  using namespace std::string_view_literals;
  return magic == "II*\0"sv || magic == "MM\0*"sv || magic == "II+\0"sv || magic == "MM\0+"sv;
}

#if SCREE_HAS_GIS

namespace {

/// What files use for cells without data where they do not say what they use.
constexpr double usual_marks[] = {-9999, -99999, -32768, -32767, 32767, 65535};

/// What libgeotiff would print of keys that it does not understand; what is missing then is told where it is needed.
void keep_silent(struct gtiff*, int, const char*, ...) {}

class GeoTiffReader {
 public:
  GeoTiffReader(const std::string& path, const GridPart& part) : path_(path), part_(part) {
    tiff_ = open_tiff(path, "r");
    if (!tiff_) fail("cannot be read as a TIFF: " + tiff_mistake());
    keys_.reset(GTIFNewEx(tiff_.get(), keep_silent, nullptr));
  }

  Grid read() {
    refuse_mask();
    read_size();
    read_place();
    read_crs();
    if (part_.of_heights) refuse_other_heights();
    window_ = window_of(grid_, part_.extent, path_);
    read_heights();
    cut(grid_, window_);
    return std::move(grid_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(Exit::input, path_ + ": " + what); }
  template <class T>
  T field(ttag_t tag, T otherwise) const {
    T value{};
    return TIFFGetFieldDefaulted(tiff_.get(), tag, &value) == 1 ? value : otherwise;
  }

  void read_size() {
    const auto columns = field<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0),
               rows = field<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0);
    if (columns < 2 || rows < 2 || columns > 1000000 || rows > 1000000)
      fail("has " + std::to_string(columns) + " x " + std::to_string(rows) +
           " pixels, must be from 2 to 1000000 each way");
    grid_.columns = static_cast<int>(columns);
    grid_.rows = static_cast<int>(rows);
    const auto bands = field<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL, 1);
    if (bands != 1) fail("has " + std::to_string(bands) + " bands, must be one of heights");
    bits_ = field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE, 1);
    format_ = field<std::uint16_t>(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    const bool is_float = format_ == SAMPLEFORMAT_IEEEFP && (bits_ == 32 || bits_ == 64);
    const bool is_whole =
        (format_ == SAMPLEFORMAT_INT || format_ == SAMPLEFORMAT_UINT) && (bits_ == 8 || bits_ == 16 || bits_ == 32);
    if (!is_float && !is_whole)
      fail("has pixels of " + std::to_string(bits_) + " bits and format " + std::to_string(format_) +
           ", must be whole numbers of 8 to 32 bits or floating point of 32 or 64");
  }

  void read_place() {
    double *scale = nullptr, *tie = nullptr, *matrix = nullptr;
    std::uint16_t scales = 0, ties = 0, numbers = 0;
    double west = 0, north = 0, cell_x = 0, cell_y = 0;
    if (TIFFGetField(tiff_.get(), TIFFTAG_GEOTRANSMATRIX, &numbers, &matrix) == 1 && numbers == 16) {
      if (matrix[1] != 0 || matrix[4] != 0) fail("is rotated; resample it north up");
      cell_x = matrix[0];
      cell_y = -matrix[5];
      west = matrix[3];
      north = matrix[7];
    } else if (TIFFGetField(tiff_.get(), TIFFTAG_GEOPIXELSCALE, &scales, &scale) == 1 && scales >= 2 &&
               TIFFGetField(tiff_.get(), TIFFTAG_GEOTIEPOINTS, &ties, &tie) == 1 && ties >= 6) {
      cell_x = scale[0];
      cell_y = scale[1];
      west = tie[3] - tie[0] * cell_x;
      north = tie[4] + tie[1] * cell_y;
    } else {
      fail("has no place: neither a pixel scale with a tie point nor a matrix");
    }
    if (!(cell_x > 0 && cell_y > 0)) fail("must be north up, with pixels of a size > 0");
    // As of dx and dy in an ASCII grid.
    if (std::fabs(cell_x - cell_y) > 1e-9 * cell_x)
      fail("has pixels of " + number_text(cell_x) + " by " + number_text(cell_y) +
           " m: cells must be square, resample the grid first");
    unsigned short raster = RasterPixelIsArea;
    if (keys_) GTIFKeyGetSHORT(keys_.get(), GTRasterTypeGeoKey, &raster, 0, 1);
    const double half = raster == RasterPixelIsPoint ? 0.0 : 0.5 * cell_x;
    grid_.cell = cell_x;
    grid_.x0 = west + half;
    grid_.y0 = north - half - (grid_.rows - 1) * cell_x;
  }

  void read_crs() {
    if (!keys_) return;
    unsigned short code = 0;
    if (GTIFKeyGetSHORT(keys_.get(), ProjectedCSTypeGeoKey, &code, 0, 1) == 1 && code != KvUserDefined &&
        code != KvUndefined) {
      grid_.crs = crs_of("EPSG:" + std::to_string(code), path_);
      return;
    }
    if (const std::string citation = text_of_key(PCSCitationGeoKey); citation.starts_with(crs_text_mark)) {
      grid_.crs = crs_of(citation.substr(crs_text_mark.size()), path_);
      return;
    }
    GTIFDefn definition{};
    if (!GTIFGetDefn(keys_.get(), &definition)) return;
    if (definition.Model == ModelTypeGeographic) fail("is in degrees; reproject it to metres");
    if (!has_room_as_text(definition)) fail("has a coordinate reference system with a number beyond 10^9, as none has");
    const std::unique_ptr<char, void (*)(void*)> text(GTIFGetProj4Defn(&definition), [](void* p) { free(p); });
    if (text && *text) grid_.crs = crs_of(with_ellipsoid(text.get()) + " +type=crs", path_);
  }

  /// Of heights in another unit: by the keys, as EPSG numbers units and vertical systems, and by GDAL's own word.
  void refuse_other_heights() const {
    constexpr unsigned short metre = 9001;
    unsigned short code = 0;
    if (keys_ && GTIFKeyGetSHORT(keys_.get(), VerticalUnitsGeoKey, &code, 0, 1) == 1 && code != metre &&
        code != KvUserDefined && code != KvUndefined)
      fail("has heights in EPSG's unit " + std::to_string(code) + ", which is not the metre; convert them to metres");
    if (keys_ && GTIFKeyGetSHORT(keys_.get(), VerticalCSTypeGeoKey, &code, 0, 1) == 1 && code != KvUserDefined &&
        code != KvUndefined)
      if (const std::string why = why_no_heights(code); !why.empty()) fail(why);
    char* text = nullptr;
    if (TIFFGetField(tiff_.get(), gdal_metadata, &text) != 1 || !text) return;
    const std::string unit = metadata_of(text, "role=\"unittype\">").value_or("");
    if (!unit.empty() && !is_metre(unit)) fail("has heights in " + printable(unit) + "; convert them to metres");
  }
  /// "m a.s.l.", "Metres (EGM96)", "[m]"; not "1/10 m", "m*10", "m ft" or "Meilen".
  static bool is_metre(const std::string& unit) {
    std::vector<std::string> words;
    bool is_in_word = false, is_past_first = false;
    for (const char c : unit) {
      const auto byte = static_cast<unsigned char>(c);
      const bool is_letter = byte >= 0x80 || std::isalpha(byte) != 0;
      is_past_first = is_past_first || (c == ' ' && !words.empty());
      if (std::strchr(is_past_first ? "*^" : "*^/0123456789", c)) return false;
      if (is_letter && !is_in_word) words.emplace_back();
      if (is_letter) words.back() += static_cast<char>(std::tolower(byte));
      is_in_word = is_letter;
    }
    const auto is_one_of = [](const std::string& word, std::initializer_list<std::string_view> known) {
      return std::ranges::find(known, word) != known.end();
    };
    return !words.empty() && is_one_of(words[0], {"m", "metre", "metres", "meter", "meters"}) &&
           std::none_of(words.begin() + 1, words.end(), [&](const std::string& word) {
             return word.starts_with("ft") || is_one_of(word, {"foot", "feet", "x", "\u00d7", "times"});
           });
  }
  /// Of a vertical system by its code of EPSG; empty: it is in metres, or not known.
  static std::string why_no_heights(unsigned short code) {
    try {
      // With the x and y of any system in metres.
      return any_crs_of("EPSG:3857+" + std::to_string(code), "").not_in_metres;
    } catch (const Error&) {
      return "";
    }
  }
  /// An entry of GDAL's metadata.
  static std::optional<std::string> metadata_of(std::string_view metadata, std::string_view role) {
    const std::size_t at = metadata.find(role);
    if (at == std::string_view::npos) return std::nullopt;
    const std::size_t from = at + role.size();
    return std::string(metadata.substr(from, metadata.find('<', from) - from));
  }

  /// What it hides would be read as heights. It lies in the file, or in one beside it.
  void refuse_mask() const {
    const std::string advice = "; make NODATA of it with gdalwarp -dstnodata " +
                               std::string(part_.of_heights ? "-9999" : "and a number that is no code of its");
    std::error_code ignored;
    if (std::filesystem::exists(path_ + ".msk", ignored)) fail("has a mask, " + path_ + ".msk" + advice);
    do {
      if ((field<std::uint32_t>(TIFFTAG_SUBFILETYPE, 0) & FILETYPE_MASK) != 0) fail("has a mask" + advice);
    } while (TIFFReadDirectory(tiff_.get()) == 1);
    if (TIFFSetDirectory(tiff_.get(), 0) != 1) fail("cannot be read as a TIFF: " + tiff_mistake());
  }

  /// libgeotiff rounds half-axes to millimetres, which makes another ellipsoid of one that has a name.
  std::string with_ellipsoid(std::string text) const {
    double semi_major = 0, inverse_flattening = 0;
    const std::size_t a = text.find("+a="), b = text.find("+b=");
    if (a == std::string::npos || b == std::string::npos || b < a ||
        GTIFKeyGetDOUBLE(keys_.get(), GeogSemiMajorAxisGeoKey, &semi_major, 0, 1) != 1 ||
        GTIFKeyGetDOUBLE(keys_.get(), GeogInvFlatteningGeoKey, &inverse_flattening, 0, 1) != 1 ||
        !(inverse_flattening > 0))  // 0: a sphere
      return text;
    const std::size_t end = std::min(text.find(' ', b), text.size());
    return text.replace(a, end - a, "+a=" + number_text(semi_major) + " +rf=" + number_text(inverse_flattening));
  }

  /// Empty if there is none.
  std::string text_of_key(geokey_t key) const {
    tagtype_t type = TYPE_UNKNOWN;
    const int size = GTIFKeyInfo(keys_.get(), key, nullptr, &type);
    if (size <= 0 || type != TYPE_ASCII) return "";
    std::string text(static_cast<std::size_t>(size), '\0');  // with the null at its end
    if (GTIFKeyGetASCII(keys_.get(), key, text.data(), size) <= 0) return "";
    return text.c_str();
  }

  /// libgeotiff writes a system into 512 bytes without a look at their end, and numbers with all digits that they have.
  static bool has_room_as_text(const GTIFDefn& definition) {
    const auto is_short = [](double number) { return std::fabs(number) < 1e9; };
    const auto are_short = [&](const double* numbers, int count) {
      return std::all_of(numbers, numbers + std::max(count, 0), is_short);
    };
    return are_short(definition.ProjParm, std::min(definition.nParms, MAX_GTIF_PROJPARMS)) &&
           are_short(definition.TOWGS84, std::min<int>(definition.TOWGS84Count, std::size(definition.TOWGS84))) &&
           is_short(definition.SemiMajor) && is_short(definition.SemiMinor) && is_short(definition.UOMLengthInMeters) &&
           is_short(definition.PMLongToGreenwich);
  }

  /// Before memory is taken: there is enough, and a damaged file has its last piece.
  void require_room() {
    // A piece as it is in the file and unpacked.
    const double piece = 2.0 * static_cast<double>(size_of_piece());
    require_memory_for(grid_, window_, part_, std::numeric_limits<double>::infinity(), piece, 0, path_);
    const std::uint64_t written = TIFFIsTiled(tiff_.get())
                                      ? TIFFGetStrileByteCount(tiff_.get(), TIFFNumberOfTiles(tiff_.get()) - 1)
                                      : TIFFGetStrileByteCount(tiff_.get(), TIFFNumberOfStrips(tiff_.get()) - 1);
    if (written == 0) fail("cannot be read as a TIFF: its last piece is missing");
  }

  tmsize_t size_of_piece() const {
    return TIFFIsTiled(tiff_.get()) ? TIFFTileSize(tiff_.get()) : TIFFStripSize(tiff_.get());
  }

  /// GDAL's scale and offset of pixels.
  void refuse_scale() const {
    char* text = nullptr;
    if (TIFFGetField(tiff_.get(), gdal_metadata, &text) != 1 || !text) return;
    for (const auto& [role, plain] : {std::pair{"role=\"scale\">", 1.0}, {"role=\"offset\">", 0.0}}) {
      const std::optional<std::string> given = metadata_of(text, role);
      if (!given) continue;
      const auto number = parse_number(*given);
      if (!number || *number != plain)
        fail("has pixels with a scale or an offset; make plain heights of it with gdal_translate -unscale");
    }
  }

  double height(const unsigned char* pixel) const {
    const auto as = [&]<class T>(T value) {
      std::memcpy(&value, pixel, sizeof value);
      return static_cast<double>(value);
    };
    if (format_ == SAMPLEFORMAT_IEEEFP) return bits_ == 32 ? as(float{}) : as(double{});
    if (format_ == SAMPLEFORMAT_INT)
      return bits_ == 8 ? as(std::int8_t{}) : bits_ == 16 ? as(std::int16_t{}) : as(std::int32_t{});
    return bits_ == 8 ? as(std::uint8_t{}) : bits_ == 16 ? as(std::uint16_t{}) : as(std::uint32_t{});
  }

  /// Whether a number of float is this mark, which may be written with more digits than those have; the largest, which
  /// is no height and no code, with fewer, or as that of double.
  static bool rounds_to(double value, double mark) {
    constexpr double most = std::numeric_limits<float>::max(), nearly = 0.99 * most;
    if (std::fabs(value) == most) return std::fabs(mark) >= nearly && std::signbit(mark) == std::signbit(value);
    return std::fabs(mark) <= most && value == static_cast<double>(static_cast<float>(mark));
  }
  /// Whether this can be none of what is read, but what a file that does not say so may use where it has none. Of
  /// codes, which are whole numbers, the outermost of types and the negative ones.
  bool is_unlikely(double value, bool marked) const {
    const bool is_usual = std::ranges::find(usual_marks, value) != std::end(usual_marks);
    if (part_.of_heights) return !(std::fabs(value) < 1e6) || (!marked && is_usual);
    constexpr double outermost[] = {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(),
                                    std::numeric_limits<std::uint32_t>::max()};
    const bool is_outermost = std::ranges::find(outermost, value) != std::end(outermost);
    return !(std::fabs(value) < static_cast<double>(std::numeric_limits<float>::max())) ||
           (!marked && (is_outermost || (is_usual && value < 0)));
  }

  void read_heights() {
    refuse_scale();
    char* text = nullptr;
    const bool marked = TIFFGetField(tiff_.get(), gdal_nodata, &text) == 1 && text;
    const auto mark =
        marked ? parse_number(std::string_view(text).substr(0, std::string_view(text).find_last_not_of(' ') + 1))
               : std::nullopt;
    const double nodata = mark.value_or(std::numeric_limits<double>::quiet_NaN());
    const bool narrow = format_ == SAMPLEFORMAT_IEEEFP && bits_ == 32;
    const double none = std::numeric_limits<double>::quiet_NaN();
    require_room();
    const auto wide_wanted = static_cast<std::size_t>(window_.columns);
    grid_.heights.assign(wide_wanted * static_cast<std::size_t>(window_.rows), none);
    const std::size_t bytes = bits_ / 8u;
    // From the north-west corner of the file.
    const auto first_column = static_cast<std::uint32_t>(window_.column),
               first_row = static_cast<std::uint32_t>(grid_.rows - window_.row - window_.rows),
               end_column = first_column + static_cast<std::uint32_t>(window_.columns),
               end_row = first_row + static_cast<std::uint32_t>(window_.rows);
    const auto put = [&](std::uint32_t column, std::uint32_t row, const unsigned char* pixel) {
      const double value = height(pixel);
      const bool missing = std::isnan(value) || value == nodata || (narrow && rounds_to(value, nodata));
      if (missing) {
        ++grid_.nodata;
        return;
      }
      if (is_unlikely(value, mark.has_value()))
        fail("has the " + (part_.of_heights ? "height " + number_text(value) + " m" : "code " + number_text(value)) +
             " in column " + std::to_string(column + 1) + ", row " + std::to_string(row + 1) +
             ", which is none; is it its NODATA? gdal_translate -a_nodata says so");
      grid_.heights[std::size_t{end_row - 1 - row} * wide_wanted + (column - first_column)] = value;
    };
    const auto columns = static_cast<std::uint32_t>(grid_.columns), rows = static_cast<std::uint32_t>(grid_.rows);
    std::uint32_t wide = columns, high = 0;
    const bool tiled = TIFFIsTiled(tiff_.get()) != 0;
    if (tiled) {
      wide = field<std::uint32_t>(TIFFTAG_TILEWIDTH, 0);
      high = field<std::uint32_t>(TIFFTAG_TILELENGTH, 0);
    } else {
      high = std::min(field<std::uint32_t>(TIFFTAG_ROWSPERSTRIP, rows), rows);
    }
    const tmsize_t size = size_of_piece();
    if (wide == 0 || high == 0 || size <= 0 || static_cast<std::size_t>(size) < std::size_t{wide} * high * bytes)
      fail("cannot be read as a TIFF: its tiles have no size");
    std::vector<unsigned char> piece(static_cast<std::size_t>(size));
    for (std::uint32_t top = 0; top < rows; top += high)
      for (std::uint32_t left = 0; left < columns; left += wide) {
        if (top >= end_row || top + high <= first_row || left >= end_column || left + wide <= first_column) continue;
        const tmsize_t got =
            tiled ? TIFFReadEncodedTile(tiff_.get(), TIFFComputeTile(tiff_.get(), left, top, 0, 0), piece.data(), size)
                  : TIFFReadEncodedStrip(tiff_.get(), TIFFComputeStrip(tiff_.get(), top, 0), piece.data(), size);
        const std::uint32_t here = std::min(high, rows - top);
        if (got < 0 || static_cast<std::size_t>(got) < std::size_t{here} * wide * bytes)
          fail("cannot be read as a TIFF: " + tiff_mistake());
        for (std::uint32_t row = std::max(top, first_row); row < std::min(top + here, end_row); ++row)
          for (std::uint32_t column = std::max(left, first_column); column < std::min(left + wide, end_column);
               ++column)
            put(column, row, piece.data() + (std::size_t{row - top} * wide + (column - left)) * bytes);
      }
  }

  std::string path_;
  GridPart part_;
  OwnedTiff tiff_;
  GeoKeys keys_;  // before tiff_ goes
  std::uint16_t bits_ = 0, format_ = 0;
  Grid grid_;
  Window window_;
};

}  // namespace

Grid read_geotiff(const std::string& path, const GridPart& part) { return GeoTiffReader(path, part).read(); }

#else

Grid read_geotiff(const std::string& path, const GridPart&) {
  throw Error(Exit::input,
              path + ": is a TIFF, which this program was built without; convert it to an ESRI ASCII grid");
}

#endif

}  // namespace scree
