// Numbers and pictures as text in a page.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

std::string base64(std::string_view bytes);

/// float32, little-endian, gzip, base64: what the page's script takes apart. Throws Error(Exit::device)
/// where memory is short.
std::string packed(std::span<const float> values);

/// A picture in shades of grey, 0 black to 255 white, with the part that is seen through (0: all of it), by rows from
/// the top: the bytes of a PNG.
std::string grey_png(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& grey_and_opacity);
/// The same in colours: red, green, blue, opacity.
std::string colour_png(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& rgba);

}  // namespace scree
