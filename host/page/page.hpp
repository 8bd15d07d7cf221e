// What a result says as one HTML file that needs nothing else: words first, then figures, tables, and how to make it
// again. Its script (page.js) draws what lies in the file as data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/results/result_file.hpp"

namespace scree {

/// The path of a sample: thinned lines, one of each body.
struct PagePath {
  std::string arm;
  std::uint64_t sample = 0;
  std::uint32_t status = 0;
  std::vector<std::vector<float>> lines;  // along, up, along, up, ... in the units of PageInput
  std::vector<float> figure;              // the same of Description::figure, where that is of paths
};

struct PageAxis {
  std::string name, unit;
};

struct PageGround {
  MapGrid grid;
  std::vector<double> heights;  // at the centres of its cells, by rows from the south-west corner, m; NaN: no data
};

struct PageInput {
  const StoredResult& stored;
  std::string file = {};                 // the result, as a command names it
  std::vector<std::string> layers = {};  // of maps; empty: a few
  std::vector<PagePath> paths = {};
  PageAxis along = {}, up = {};  // of the paths' lines
  Figure figure = {};            // the system's own; empty: it has none
  PageAxis figure_x = {}, figure_y = {};
  std::optional<PageGround> ground = {};
  std::vector<std::string> left_out = {};  // what the page cannot show, and why
  std::string text = {};                   // all that a terminal shows of the result
};

/// The file's text. Throws Error(Exit::usage) where a layer does not exist or the program was built without d3.
std::string page(const PageInput& input);

}  // namespace scree
