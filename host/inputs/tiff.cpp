#if SCREE_HAS_GIS

#include "tiff.hpp"

#include <array>
#include <cstdarg>
#include <cstdio>

namespace scree {
namespace {

thread_local std::string last_mistake;

void take_mistake(const char*, const char* format, va_list arguments) {
  std::array<char, 256> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  last_mistake = text.data();
}

TIFFExtendProc other_tags = nullptr;

/// libtiff takes a tag that it does not know for an array.
void know_gdal_tags(TIFF* tiff) {
  static const TIFFFieldInfo fields[] = {
      {gdal_metadata, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, const_cast<char*>("GDALMetadata")},
      {gdal_nodata, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, const_cast<char*>("GDALNoDataValue")}};
  TIFFMergeFieldInfo(tiff, fields, 2);
  if (other_tags) other_tags(tiff);
}

}  // namespace

OwnedTiff open_tiff(const std::string& path, const char* mode) {
  static const bool known = [] {
    TIFFSetErrorHandler(take_mistake);
    TIFFSetWarningHandler(nullptr);
    other_tags = TIFFSetTagExtender(know_gdal_tags);
    return true;
  }();
  static_cast<void>(known);
  last_mistake.clear();
  return OwnedTiff(XTIFFOpen(path.c_str(), mode));
}

const std::string& tiff_mistake() { return last_mistake; }

}  // namespace scree

#endif
