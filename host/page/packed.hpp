// Numbers and pictures as text in a page.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree {

std::string base64(std::string_view bytes);

/// Little-endian numbers of their width, gzip, base64: what the page's script takes apart. Throws Error(Exit::device)
/// where memory is short.
std::string packed(std::span<const float> values);
std::string packed(std::span<const std::uint16_t> values);
std::string packed(std::span<const std::uint32_t> values);

/// A picture in shades of grey, 0 black to 255 white, with the part that is seen through (0: all of it), by rows from
/// the top: the bytes of a PNG.
std::string grey_png(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& grey_and_opacity);
/// The same in colours: red, green, blue, opacity.
std::string colour_png(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& rgba);

}  // namespace scree
