#include "terrain_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>

#include "geotiff.hpp"
#include "host/common/available_memory.hpp"
#include "host/common/text_input.hpp"
#include "host/common/while_reading.hpp"

namespace scree {
namespace {

enum Key { ncols, nrows, xllcorner, yllcorner, xllcenter, yllcenter, cellsize, dx, dy, nodata_value, key_count };

constexpr std::array<const char*, key_count> key_names = {
    "ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "dx", "dy", "nodata_value"};

/// Larger than any height on Earth in any unit in use: such a number is a NODATA mark.
constexpr double not_a_height = 1e6;
constexpr int most_cells_per_side = 1000000;

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string text_in_memory(const std::string& path) {
  std::error_code error;
  const auto size = static_cast<double>(std::filesystem::file_size(path, error));
  if (!error && size > memory_available())
    throw Error(Exit::device, path + ": is a text of " + bytes_text(size) + ", more than the " +
                                  bytes_text(memory_available()) +
                                  " of memory that there are; as a GeoTIFF it can be read in parts");
  return read_text_file(path);
}

void require_a_height(const Grid& grid, bool is_part, const std::string& path) {
  if (grid.nodata == grid.heights.size())
    throw Error(Exit::input, path + ": all " + std::to_string(grid.nodata) + " heights " +
                                 (is_part ? "of the extent " : "") + "are NODATA");
}

class AsciiGridReader {
 public:
  AsciiGridReader(std::string_view text, const std::string& path, const GridPart& part)
      : path_(path), part_(part), text_(text), lines_(text_) {}

  Grid read() {
    std::string_view line;
    bool more = lines_.next(line);
    while (more && read_header_line(line)) more = lines_.next(line);
    check_header();
    while (more) {
      read_heights(line);
      more = lines_.next(line);
    }
    check_count();
    put_south_first();
    cut(grid_, window_);
    return std::move(grid_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(Exit::input, path_ + ": " + what); }
  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw Error(Exit::input, path_ + ":" + std::to_string(line) + ": " + what);
  }
  bool has(Key key) const { return line_of_[key] != 0; }

  /// False if the line is the first line of heights.
  bool read_header_line(std::string_view line) {
    const std::string_view word = take_word(line);
    if (word.empty()) return true;
    if (parse_number(word)) return false;
    const auto found = std::find(key_names.begin(), key_names.end(), lower(word));
    if (found == key_names.end())
      fail(lines_.number(), "'" + std::string(word) + "' is neither a number nor a header key (ncols, nrows, " +
                                "xllcorner, yllcorner, xllcenter, yllcenter, cellsize, dx, dy, NODATA_value)");
    const Key key = static_cast<Key>(found - key_names.begin());
    const std::string name(word);
    if (has(key)) fail(lines_.number(), name + " is given twice, first in line " + std::to_string(line_of_[key]));
    const std::string_view value = take_word(line);
    if (value.empty() || !take_word(line).empty()) fail(lines_.number(), name + " needs exactly one value");
    const auto number = parse_number(value);
    if (key == nodata_value && number && std::isnan(*number))
      value_[key] = *number;
    else
      value_[key] = finite_number(value, path_, lines_.number());
    line_of_[key] = lines_.number();
    return true;
  }

  int whole_number(Key key) const {
    const double value = value_[key];
    if (!(value >= 2 && value <= most_cells_per_side && value == std::floor(value)))
      fail(line_of_[key], std::string(key_names[key]) + " = " + number_text(value) +
                              ", must be a whole number from 2 to " + std::to_string(most_cells_per_side));
    return static_cast<int>(value);
  }
  double positive_length(Key key) const {
    if (!(value_[key] > 0))
      fail(line_of_[key], std::string(key_names[key]) + " = " + number_text(value_[key]) + ", must be > 0 (m)");
    return value_[key];
  }

  void check_header() {
    for (const Key key : {ncols, nrows})
      if (!has(key)) fail(std::string("the header has no ") + key_names[key]);
    if (!has(xllcorner) && !has(xllcenter)) fail("the header has no xllcorner or xllcenter");
    if (!has(yllcorner) && !has(yllcenter)) fail("the header has no yllcorner or yllcenter");
    const bool corner = has(xllcorner) || has(yllcorner), centre = has(xllcenter) || has(yllcenter);
    if (corner && centre)
      fail(std::max({line_of_[xllcorner], line_of_[yllcorner], line_of_[xllcenter], line_of_[yllcenter]}),
           "the header mixes corner and center: give xllcorner and yllcorner, or xllcenter and yllcenter");
    grid_.columns = whole_number(ncols);
    grid_.rows = whole_number(nrows);
    grid_.cell = cell();
    grid_.x0 = corner ? value_[xllcorner] + 0.5 * grid_.cell : value_[xllcenter];
    grid_.y0 = corner ? value_[yllcorner] + 0.5 * grid_.cell : value_[yllcenter];
    expected_ = static_cast<std::size_t>(grid_.columns) * static_cast<std::size_t>(grid_.rows);
    window_ = window_of(grid_, part_.extent, path_);
    // A number and its separator take at least two characters: a wrong header cannot ask for more memory than that.
    const std::size_t most = text_.size() / 2 + 1;
    const auto text = static_cast<double>(text_.size());
    require_memory_for(grid_, window_, part_, static_cast<double>(most), text, text, path_);
    const std::size_t wanted = static_cast<std::size_t>(window_.columns) * static_cast<std::size_t>(window_.rows);
    grid_.heights.reserve(std::min(wanted, most));
  }

  double cell() const {
    if (has(cellsize)) {
      if (has(dx) || has(dy)) fail(line_of_[has(dx) ? dx : dy], "the header has both cellsize and dx or dy: give one");
      return positive_length(cellsize);
    }
    if (!has(dx) && !has(dy)) fail("the header has no cellsize");
    if (!has(dx) || !has(dy)) fail(std::string("the header has no ") + (has(dx) ? "dy" : "dx"));
    const double size_x = positive_length(dx), size_y = positive_length(dy);
    // Writers round the two differently in the last digits: 1e-9 is a thousandth of a cell over the largest grid.
    if (std::abs(size_x - size_y) > 1e-9 * size_x)
      fail(std::max(line_of_[dx], line_of_[dy]), "dx = " + number_text(size_x) + " and dy = " + number_text(size_y) +
                                                     ": cells must be square, resample the grid first");
    return size_x;
  }

  void read_heights(std::string_view line) {
    const double nodata = has(nodata_value) ? value_[nodata_value] : -9999.0;
    std::size_t count = 0;
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      ++count;
      if (++total_ > expected_) {
        if (line_of_extra_ == 0) line_of_extra_ = lines_.number();
        finite_number(word, path_, lines_.number());
        continue;
      }
      const double value = height(word, nodata);
      if (!is_wanted(total_ - 1)) continue;
      if (std::isnan(value)) ++grid_.nodata;
      grid_.heights.push_back(value);
    }
    if (count == 0) return;
    ++data_lines_;
    last_count_ = count;
    if (data_lines_ == 1) first_count_ = count;
    if (count != static_cast<std::size_t>(grid_.columns)) {
      ++ragged_lines_;
      if (ragged_lines_ == 1) ragged_ = {lines_.number(), data_lines_, count};
    }
  }

  /// Of the k-th height of the file.
  bool is_wanted(std::size_t k) const {
    const auto columns = static_cast<std::size_t>(grid_.columns);
    const auto column = static_cast<int>(k % columns), row = grid_.rows - 1 - static_cast<int>(k / columns);
    return column >= window_.column && column < window_.column + window_.columns && row >= window_.row &&
           row < window_.row + window_.rows;
  }

  double height(std::string_view word, double nodata) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const auto value = parse_number(word);
    // Writers of float grids round a mark like -3.4028234663852886e+38 differently in header and body.
    const bool huge = std::abs(nodata) > 1e30 && value && std::abs(*value / nodata - 1) < 1e-5;
    if (value && (*value == nodata || huge || (std::isnan(nodata) && std::isnan(*value)))) return none;
    const double result = finite_number(word, path_, lines_.number());
    if (std::abs(result) > not_a_height)
      fail(lines_.number(), "height " + number_text(result) +
                                " m: if it marks missing data, the header needs NODATA_value " + number_text(result));
    return result;
  }

  void check_count() const {
    const std::size_t columns = static_cast<std::size_t>(grid_.columns), rows = static_cast<std::size_t>(grid_.rows);
    const std::string size = std::to_string(rows) + " rows of " + std::to_string(columns);
    const bool only_last_is_short = ragged_lines_ == 0 || (ragged_lines_ == 1 && last_count_ < columns);
    const bool row_is_line = first_count_ == columns || data_lines_ == rows;
    const bool truncated = total_ < expected_ && (only_last_is_short || !row_is_line);
    if (truncated)
      fail("the file is truncated: it has " + std::to_string(total_) + " of " + std::to_string(expected_) +
           " heights (" + size + ")");
    if (row_is_line && ragged_lines_ > 0)
      fail(ragged_.line, "row " + std::to_string(ragged_.row) + " has " + std::to_string(ragged_.count) +
                             " heights, expected " + std::to_string(columns));
    if (total_ > expected_)
      fail(line_of_extra_, "the file has " + std::to_string(total_) + " heights, expected " +
                               std::to_string(expected_) + " (" + size + ")");
    require_a_height(grid_, part_.extent.has_value(), path_);
  }

  void put_south_first() {
    const auto begin = grid_.heights.begin();
    for (std::ptrdiff_t south = window_.rows - 1, north = 0; north < south; ++north, --south)
      std::swap_ranges(begin + north * window_.columns, begin + (north + 1) * window_.columns,
                       begin + south * window_.columns);
  }

  struct RaggedLine {
    std::size_t line, row, count;
  };

  const std::string path_;
  const GridPart part_;
  const std::string_view text_;
  LineReader lines_;
  Grid grid_;
  Window window_;
  std::array<double, key_count> value_{};
  std::array<std::size_t, key_count> line_of_{};  // 0: not given
  std::size_t expected_ = 0, total_ = 0, line_of_extra_ = 0;
  std::size_t data_lines_ = 0, first_count_ = 0, last_count_ = 0, ragged_lines_ = 0;
  RaggedLine ragged_{};
};

}  // namespace

std::string text_of(const Rectangle& r) {
  return "[" + number_text(r.west) + ", " + number_text(r.south) + ", " + number_text(r.east) + ", " +
         number_text(r.north) + "]";
}

Window window_of(const Grid& grid, const std::optional<Rectangle>& extent, const std::string& path) {
  if (!extent) return {0, 0, grid.columns, grid.rows};
  const auto range = [&](double from, double to, double first, int count) {
    const double low = std::max(std::floor((from - first) / grid.cell), 0.0);
    const double high = std::min(std::ceil((to - first) / grid.cell), count - 1.0);
    if (!(high - low >= 1))
      throw Error(Exit::usage, "terrain.extent = " + text_of(*extent) + " (m), must be on the heights of " + path +
                                   ", " + extent_text(grid));
    return std::pair{static_cast<int>(low), static_cast<int>(high - low) + 1};
  };
  const auto [column, columns] = range(extent->west, extent->east, grid.x0, grid.columns);
  const auto [row, rows] = range(extent->south, extent->north, grid.y0, grid.rows);
  return {column, row, columns, rows};
}

void cut(Grid& grid, const Window& window) {
  grid.column += window.column;
  grid.row += window.row;
  grid.x0 += window.column * grid.cell;
  grid.y0 += window.row * grid.cell;
  grid.columns = window.columns;
  grid.rows = window.rows;
}

void require_memory_for(Grid& grid, const Window& window, const GridPart& part, double most_heights, double beside,
                        double there, const std::string& path) {
  constexpr double of_a_height = 8, much = 1e8;
  const double heights = std::min(static_cast<double>(window.columns) * window.rows, most_heights);
  // Of larger cells a sum and an area, beside the heights that they are made of.
  const double larger = part.cell > 0 ? heights * std::pow(std::min(1.0, grid.cell / part.cell), 2) : 0.0;
  const double reading = of_a_height * (heights + 2 * larger) + beside,
               copies = of_a_height * part.copies * (part.cell > 0 ? larger : heights);
  grid.read_heights = heights;
  grid.memory = std::max(reading, copies);
  const double needed = grid.memory - there, available = memory_available();
  const std::string what = path + ": " + std::to_string(window.columns) + " x " + std::to_string(window.rows) +
                           " heights take " + bytes_text(needed) + " of memory";
  if (needed > available)
    throw Error(Exit::device, what + ", of which there are " + bytes_text(available) +
                                  "; of terrain.file extent = [west, south, east, north] reads a part");
  if (needed >= much) tell_before_reading(what);
}

namespace {
/// Leaves the window of a grid that has all its heights.
void cut_heights(Grid& grid, const Window& window) {
  if (window.columns == grid.columns && window.rows == grid.rows) return;
  std::vector<double> heights;
  heights.reserve(static_cast<std::size_t>(window.columns) * static_cast<std::size_t>(window.rows));
  for (int row = window.row; row < window.row + window.rows; ++row) {
    const auto first = grid.heights.begin() + static_cast<std::ptrdiff_t>(row) * grid.columns + window.column;
    heights.insert(heights.end(), first, first + window.columns);
  }
  grid.nodata = static_cast<std::size_t>(std::ranges::count_if(heights, [](double z) { return std::isnan(z); }));
  grid.heights = std::move(heights);
  cut(grid, window);
}
}  // namespace

Grid averaged(const Grid& grid, double cell, const std::string& path) {
  // From where the first larger cell begins that the grid fills, but for roundings, in cells of the grid.
  const double ratio = cell / grid.cell, nearly = 1e-9;
  const auto begin = [&](int first) { return std::max(0.0, std::ceil(first / ratio - nearly) * ratio - first); };
  const double west = begin(grid.column), south = begin(grid.row);
  const auto whole = [&](int count, double from) { return std::floor((count - from) / ratio + nearly); };
  if (!(ratio >= 1) || whole(grid.columns, west) < 2 || whole(grid.rows, south) < 2)
    throw Error(Exit::usage, "terrain.cell = " + number_text(cell) + " (m), must be from " + number_text(grid.cell) +
                                 ", the cells of " + path + ", to " +
                                 number_text(std::min(grid.columns, grid.rows) * grid.cell / 2) +
                                 ", of which there are two");
  Grid coarse{static_cast<int>(whole(grid.columns, west)),
              static_cast<int>(whole(grid.rows, south)),
              grid.x0 + (west - 0.5) * grid.cell + cell / 2,
              grid.y0 + (south - 0.5) * grid.cell + cell / 2,
              cell,
              {},
              0,
              grid.crs};
  const auto columns = static_cast<std::size_t>(coarse.columns), rows = static_cast<std::size_t>(coarse.rows);
  /// Which larger cells a cell shares its width with, and how much of it.
  struct Share {
    std::size_t cell;
    double part;
  };
  const auto shares = [&](int i, double begin_of_first, std::size_t count) {
    std::vector<Share> found;
    const double from = std::max(0.0, (i - begin_of_first) / ratio), to = (i + 1 - begin_of_first) / ratio;
    for (auto k = static_cast<std::size_t>(from); k < count && static_cast<double>(k) < to; ++k) {
      const double part = std::min(to, static_cast<double>(k + 1)) - std::max(from, static_cast<double>(k));
      if (part > 1e-12) found.push_back({k, part});
    }
    return found;
  };
  std::vector<std::vector<Share>> across;
  for (int i = 0; i < grid.columns; ++i) across.push_back(shares(i, west, columns));
  std::vector<double> area(columns * rows, 0.0);
  coarse.heights.assign(columns * rows, 0.0);
  for (int j = 0; j < grid.rows; ++j)
    for (const Share& down : shares(j, south, rows))
      for (int i = 0; i < grid.columns; ++i) {
        const double height = grid.heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.columns) +
                                           static_cast<std::size_t>(i)];
        if (std::isnan(height)) continue;
        for (const Share& side : across[static_cast<std::size_t>(i)]) {
          coarse.heights[down.cell * columns + side.cell] += down.part * side.part * height;
          area[down.cell * columns + side.cell] += down.part * side.part;
        }
      }
  for (std::size_t k = 0; k < area.size(); ++k) {
    const bool known = area[k] >= 0.5;
    coarse.heights[k] = known ? coarse.heights[k] / area[k] : std::numeric_limits<double>::quiet_NaN();
    if (!known) ++coarse.nodata;
  }
  return coarse;
}

Grid parse_ascii_grid(std::string_view text, const std::string& path, const GridPart& part) {
  return AsciiGridReader(text, path, part).read();
}

Grid read_ascii_grid(const std::string& path, const GridPart& part) {
  Grid grid = parse_ascii_grid(text_in_memory(path), path, part);
  grid.crs = crs_beside(path);
  return grid;
}

Grid read_grid(const std::string& path) { return read_part(path, {}); }

Grid read_part(const std::string& path, const GridPart& part) {
  GridPart wide = part;
  // Larger cells that lie around it have to be filled.
  if (wide.extent && part.cell > 0)
    wide.extent = Rectangle{part.extent->west - 2 * part.cell, part.extent->south - 2 * part.cell,
                            part.extent->east + 2 * part.cell, part.extent->north + 2 * part.cell};
  Grid grid = is_tiff(path) ? read_geotiff(path, wide) : read_ascii_grid(path, wide);
  if (part.cell > 0) {
    Grid larger = averaged(grid, part.cell, path);
    larger.read_heights = grid.read_heights;
    larger.memory = grid.memory;
    grid = std::move(larger);
  }
  if (part.extent) cut_heights(grid, window_of(grid, part.extent, path));
  require_a_height(grid, part.extent.has_value(), path);
  return grid;
}

std::size_t raise_to_floor(Grid& grid, double floor) {
  std::size_t raised = 0;
  for (double& height : grid.heights)
    if (height < floor) {
      height = floor;
      ++raised;
    }
  return raised;
}

std::size_t leave_out(Grid& grid, const Grid& mask) {
  const auto shows = [&](double x, double y) {
    const double i = std::floor((x - mask.x0) / mask.cell + 0.5), j = std::floor((y - mask.y0) / mask.cell + 0.5);
    if (!(i >= 0 && i < mask.columns && j >= 0 && j < mask.rows)) return false;
    const double value = mask.heights[static_cast<std::size_t>(j * mask.columns + i)];
    return !std::isnan(value) && value != 0;
  };
  std::size_t left_out = 0;
  for (int j = 0; j < grid.rows; ++j)
    for (int i = 0; i < grid.columns; ++i) {
      double& height = grid.heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.columns) +
                                    static_cast<std::size_t>(i)];
      if (std::isnan(height) || shows(grid.x0 + i * grid.cell, grid.y0 + j * grid.cell)) continue;
      height = std::numeric_limits<double>::quiet_NaN();
      ++left_out;
    }
  grid.nodata += left_out;
  return left_out;
}

GridHeights grid_heights(const Grid& grid, std::vector<double>& tables) {
  const double offset = static_cast<double>(tables.size());
  // With room for small tables after it: to grow copies all of it.
  constexpr std::size_t room = 1 << 16;
  tables.reserve(tables.size() + grid.heights.size() + room);
  tables.insert(tables.end(), grid.heights.begin(), grid.heights.end());
  return {grid.x0, grid.y0, Divisor::of(grid.cell), static_cast<double>(grid.columns), static_cast<double>(grid.rows),
          offset};
}

std::string grid_text(const Grid& grid) {
  const double cells = static_cast<double>(grid.columns) * grid.rows;
  const double percent = std::round(1000.0 * static_cast<double>(grid.nodata) / cells) / 10;
  return std::to_string(grid.columns) + " x " + std::to_string(grid.rows) + " cells of " + number_text(grid.cell) +
         " m" + (grid.nodata > 0 ? ", " + number_text(percent) + " % NODATA" : "");
}

std::string extent_text(const Grid& grid) {
  const Rectangle area = area_of(grid);
  return "x from " + number_text(area.west) + " to " + number_text(area.east) + ", y from " + number_text(area.south) +
         " to " + number_text(area.north) + " (m)";
}

Rectangle area_of(const Grid& grid) {
  return {grid.x0, grid.y0, grid.x0 + (grid.columns - 1) * grid.cell, grid.y0 + (grid.rows - 1) * grid.cell};
}

const GridHeights* heights_of(const Terrain& terrain) {
  if (terrain.is<BilinearGrid>()) return &terrain.get<BilinearGrid>();
  if (terrain.is<Spline>()) return &terrain.get<Spline>();
  return nullptr;
}

Rectangle area_of(const GridHeights& heights, double rim) {
  const double cell = heights.cell.value;
  return {heights.x0 - rim, heights.y0 - rim, heights.x0 + (heights.columns - 1) * cell + rim,
          heights.y0 + (heights.rows - 1) * cell + rim};
}

}  // namespace scree
