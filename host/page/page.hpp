// What a result says as one HTML file that needs nothing else: words first, then figures, tables, and how to make it
// again. Its scripts (page.js, figures.js, map.js, view.js) draw what lies in the file as data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bands.hpp"
#include "host/results/result_file.hpp"
#include "host/statistics/evaluation.hpp"

namespace scree {

/// The path of a sample, thinned.
struct PagePath {
  std::string arm;
  std::uint64_t sample = 0;
  std::uint32_t status = 0;
  std::vector<std::vector<float>> lines;  // of each body: along, up, along, up, ... in the units of PageInput
  std::vector<float> points;              // in their place where there is a ground: x, y, z, ... (m), from the origin
  std::vector<float> figure;              // as a line, of Description::figure, where that is of paths
};

struct PageAxis {
  std::string name, unit;
};

/// A column of the track over the paths of an arm, against their horizontal length.
struct PageBands {
  std::string arm;
  PageAxis of;
  Bands bands;
};

/// Names in figures have at most so many characters; tables have all of them.
inline constexpr std::size_t figure_name_width = 34;

struct PageGround {
  MapGrid grid;
  std::vector<double> heights;  // at the centres of its cells, by rows from the south-west corner, m; NaN: no data
};

struct PageInput {
  const StoredResult& stored;
  std::string file = {};                      // the result, as a command names it
  std::vector<std::string> layers = {};       // of maps; empty: a few
  std::optional<Evaluation> evaluation = {};  // of several arms
  std::vector<PagePath> paths = {};
  std::string paths_are = {};         // which samples they are of
  PageAxis along = {}, up = {};       // of the paths' lines
  std::string crs = {};               // of the ground; empty: not known
  double origin_x = 0, origin_y = 0;  // m, of the paths' points: float32 cannot hold the coordinates of a country
  std::vector<PageBands> bands = {};
  Figure figure = {};  // the system's own; empty: it has none
  PageAxis figure_x = {}, figure_y = {};
  std::optional<PageGround> ground = {};
  std::vector<std::string> left_out = {};  // what the page cannot show, and why
  std::string text = {};                   // all that a terminal shows of the result
};

/// The file's text, of at most 5 MB where maps of fewer codes and cells allow that; the page says which it has. Throws
/// Error(Exit::usage) where a layer does not exist or the program was built without d3.
std::string page(const PageInput& input);

}  // namespace scree
