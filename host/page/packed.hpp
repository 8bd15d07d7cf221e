// Numbers and pictures as text in a page.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// float32, little-endian, gzip, base64: what the page's script takes apart. Throws Error(Exit::device)
/// where memory is short.
std::string packed(std::span<const float> values);

/// Numbers as whole ones of 8 or 16 bits, 0 standing for none and c > 0 for low + (c - 1) step, or, logarithmic, 1 for
/// 0 and c > 1 for low exp((c - 2) step); the text as that of `packed`.
struct Codes {
  double low = 0, step = 1;
  bool logarithmic = false;
  int bits = 16;
  std::string text;
};
enum class Scale {
  linear,
  symmetric,   // linear, as far below 0 as above it
  whole,       // counts, as they are where there are enough codes, else logarithmic
  logarithmic  // of 0 and what is larger, the rest is none
};
/// NaN is none. The codes divide what lies between the least and the greatest value, of logarithmic ones above 0.
Codes coded(std::span<const float> values, Scale scale, int bits);

/// A picture in shades of grey, 0 black to 255 white, with the part that is seen through (0: all of it), by rows from
/// the top: the bytes of a PNG.
std::string grey_png(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& grey_and_opacity);
/// The same in colours: red, green, blue, opacity.
std::string colour_png(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& rgba);

}  // namespace scree
