// The map of a page: relief, layers, gates, and what the script makes a live figure of.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "page.hpp"

namespace scree {

/// How finely a page holds its rasters.
struct Detail {
  int bits = 16;                   // of a value
  std::uint32_t most_cells = 512;  // each way
};

struct MapSection {
  std::string html;
  nlohmann::ordered_json data;  // null: there is no map
};

/// Throws Error(Exit::usage) where a layer does not exist.
MapSection map_section(const PageInput& input, Detail detail);

}  // namespace scree
