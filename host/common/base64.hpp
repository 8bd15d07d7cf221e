// Bytes as text.
#pragma once

#include <string>
#include <string_view>

namespace scree {

/// RFC 4648, section 4.
std::string base64(std::string_view bytes);

}  // namespace scree
