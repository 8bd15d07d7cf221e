// JSON of texts that nobody has checked: names in a result, paths of files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace scree {

/// A value as JSON, on one line without `indent`. What is no UTF-8 in its texts becomes U+FFFD.
template <class Json>
std::string json_text(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace scree
