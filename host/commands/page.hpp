// `scree report`: a result as one HTML file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/common/caller.hpp"

namespace scree {

struct PageOptions {
  std::string result, output;  // empty: beside the result, with the ending .html
  std::vector<std::string> layers;
  std::uint64_t paths = 200;
  bool force = false;
  Caller caller;
};

/// Replays some samples and writes the page. Where the config cannot be run again, as without its terrain, the page
/// says so and has no paths.
void page_command(const PageOptions& options);

}  // namespace scree
