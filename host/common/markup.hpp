// Text and colours in XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace scree {

/// The text, with what XML and HTML give a meaning escaped.
std::string escaped(const std::string& text);

/// Whether a text is a colour, "#rrggbb".
bool is_colour(std::string_view text);

}  // namespace scree
