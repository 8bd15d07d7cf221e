// Text in XML and HTML.
#pragma once

#include <string>

namespace scree {

/// The text, with what XML and HTML give a meaning escaped.
std::string escaped(const std::string& text);

}  // namespace scree
