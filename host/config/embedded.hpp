// The studies of configs/, which the program carries along, so that it runs them from anywhere.
#pragma once

#include <string_view>

namespace scree {

/// The text of configs/NAME.toml when the program was built.
const char* embedded_config(std::string_view name);

}  // namespace scree
