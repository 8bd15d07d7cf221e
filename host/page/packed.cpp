#include "packed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/common/base64.hpp"
#include "host/common/error.hpp"

#if SCREE_HAS_PAGE
#include <png.h>
#include <zlib.h>
#endif

namespace scree {

#if SCREE_HAS_PAGE

namespace {

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int gzip_window = 15 + 16;  // zlib.h, deflateInit2
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error(Exit::device, "out of memory");
  std::string zipped(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(zipped.data());
  stream.avail_out = static_cast<uInt>(zipped.size());
  const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  zipped.resize(stream.total_out);
  deflateEnd(&stream);
  if (!whole) throw Error(Exit::device, "out of memory");
  return zipped;
}

std::string png(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& pixels,
                png_uint_32 format) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = format;
  png_alloc_size_t size = 0;
  std::string bytes;
  if (png_image_write_get_memory_size(image, size, 0, pixels.data(), 0, nullptr) != 0) {
    bytes.resize(size);
    if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr) != 0) return bytes;
  }
  throw Error(Exit::failed, std::string("a picture cannot be made: ") + image.message);
}

}  // namespace

std::string packed(std::span<const float> values) {
  return base64(gzip({reinterpret_cast<const char*>(values.data()), values.size_bytes()}));
}

namespace {
template <class Whole>
std::string packed_codes(std::span<const float> values, const Codes& codes) {
  std::vector<Whole> whole;
  whole.reserve(values.size());
  for (const float value : values) {
    const double v = static_cast<double>(value);
    if (std::isnan(v) || (codes.logarithmic && v < 0))
      whole.push_back(0);
    else if (codes.logarithmic)
      whole.push_back(v == 0 ? Whole{1} : static_cast<Whole>(2 + std::lround(std::log(v / codes.low) / codes.step)));
    else
      whole.push_back(static_cast<Whole>(1 + std::lround((v - codes.low) / codes.step)));
  }
  return base64(gzip({reinterpret_cast<const char*>(whole.data()), whole.size() * sizeof(Whole)}));
}
}  // namespace

Codes coded(std::span<const float> values, Scale scale, int bits) {
  // Beside the code of none.
  const double linear_steps = std::ldexp(1.0, bits) - 2;
  const bool whole = scale == Scale::whole &&
                     std::ranges::none_of(values, [&](float v) { return static_cast<double>(v) > linear_steps; });
  if (scale == Scale::whole) scale = whole ? Scale::linear : Scale::logarithmic;
  Codes codes;
  codes.bits = bits;
  codes.logarithmic = scale == Scale::logarithmic;
  const double steps = codes.logarithmic ? linear_steps - 1 : linear_steps;  // and beside that of 0
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const float value : values)
    if (codes.logarithmic ? value > 0 : !std::isnan(value)) {
      low = std::min(low, static_cast<double>(value));
      high = std::max(high, static_cast<double>(value));
    }
  if (scale == Scale::symmetric) low = -(high = std::max(high, -low));
  if (high >= low) {
    codes.low = low;
    codes.step = (codes.logarithmic ? std::log(high / low) : high - low) / steps;
    if (whole) codes.step = 1;
    if (!(codes.step > 0)) codes.step = 1;
    // So that one code is 0 to the last bit.
    if (scale == Scale::symmetric) codes.low = -steps / 2 * codes.step;
  }
  codes.text = bits == 8 ? packed_codes<std::uint8_t>(values, codes) : packed_codes<std::uint16_t>(values, codes);
  return codes;
}

std::string grey_png(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& grey_and_opacity) {
  return png(width, height, grey_and_opacity, PNG_FORMAT_GA);
}
std::string colour_png(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& rgba) {
  return png(width, height, rgba, PNG_FORMAT_RGBA);
}

#else

namespace {
[[noreturn]] void refuse() {
  throw Error(Exit::usage, "this program was built without what reports are made of: d3, libpng and zlib");
}
}  // namespace
std::string packed(std::span<const float>) { refuse(); }
Codes coded(std::span<const float>, Scale, int) { refuse(); }
std::string grey_png(std::uint32_t, std::uint32_t, const std::vector<std::uint8_t>&) { refuse(); }
std::string colour_png(std::uint32_t, std::uint32_t, const std::vector<std::uint8_t>&) { refuse(); }

#endif

}  // namespace scree
