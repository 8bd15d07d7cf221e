// Terrain grids: the ESRI ASCII reader, and the way of its heights to a run's tables.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crs.hpp"
#include "src/terrain/terrain.hpp"

namespace scree {

/// Heights at the nodes (x0 + i cell, y0 + j cell), which are the centres of the file's cells. All in metres.
struct Grid {
  int columns = 0, rows = 0;
  double x0 = 0, y0 = 0;  // centre of the south-west cell
  double cell = 0;
  std::vector<double> heights;  // [rows, columns], row 0 southernmost, NaN where there are no data
  std::size_t nodata = 0;       // how many heights are NaN
  Crs crs = {};                 // as the file says, or the .prj file beside it
  int column = 0, row = 0;      // of the first in the whole file, from the south-west
  double read_heights = 0;      // of the file, to make this grid
  double memory = 0;            // bytes at most at once to read it and make all copies (GridPart)
};

struct Rectangle {
  double west, south, east, north;  // m
};
/// "[0, -150, 400, 150]"
std::string text_of(const Rectangle& rectangle);

/// What of a file's heights is wanted.
struct GridPart {
  std::optional<Rectangle> extent = {};  // the nodes whose facets cover it; all if not given
  double cell = 0;                       // m: averaged to cells of this size; 0: as they are
  int copies = 2;                        // of the result that there will be at once: the grid, and the tables of a run
  bool of_heights = true;                // else of codes, whose unit and size mean nothing
};

/// Columns and rows of a grid, counted from its south-west corner.
struct Window {
  int column = 0, row = 0, columns = 0, rows = 0;
};
/// Of a grid of which all but the heights is known, those of which the facets cover the rectangle as far as the grid
/// does. Throws Error(Exit::usage), naming the grid's own rectangle, where less than two nodes each way are left.
Window window_of(const Grid& grid, const std::optional<Rectangle>& extent, const std::string& path);
/// Makes of the grid of a whole file that of its window; the heights are those of the window already.
void cut(Grid& grid, const Window& window);
/// Notes in `grid`, of which all but the heights is known, what reading this window takes, of a file that has at most
/// so many heights and beside bytes that are taken while it is read; those that are `there` already are no more of what
/// is available. Throws Error(Exit::device) where there is not so much memory; what is 100 MB or more is told
/// (tell_before_reading).
void require_memory_for(Grid& grid, const Window& window, const GridPart& part, double most_heights, double beside,
                        double there, const std::string& path);

/// The heights averaged over larger cells, which begin at multiples of their size from the south-west corner of the
/// whole file, so that each has the same height in any part of it: means weighted by the area that cells share, over
/// those that have a height; NODATA where these cover less than half. Cells that the grid does not fill are left out.
/// Throws Error(Exit::usage), naming `path`, where `cell` is smaller than the grid's or leaves less than two each way.
Grid averaged(const Grid& grid, double cell, const std::string& path);

/// Reads an ESRI ASCII grid (.asc), strictly.
///
///   ncols, nrows            whole numbers >= 2
///   xllcorner, yllcorner    the outer corner of the south-west cell, or
///   xllcenter, yllcenter    its centre; one kind for both
///   cellsize, or dx and dy  > 0, dx = dy
///   NODATA_value            optional, -9999 if not given; `nan` is allowed
///   nrows ncols heights     northernmost row first
///
/// Header keys come one to a line, in any order and case. Heights are separated by any white space; usually a row is a
/// line, but rows may be wrapped. Throws Error(Exit::input) with one line: file, line number, what is wrong and what
/// was expected.
/// Of `part` the nodes are read that its extent needs; they are not averaged.
Grid read_ascii_grid(const std::string& path, const GridPart& part = {});
/// The same of a text that is there already, without a system of coordinates; `path` is what messages call it.
Grid parse_ascii_grid(std::string_view text, const std::string& path, const GridPart& part = {});

/// Reads a GeoTIFF (geotiff.hpp) or an ESRI ASCII grid, by what the file begins with.
Grid read_grid(const std::string& path);
/// Throws Error(Exit::usage) as window_of and averaged do.
Grid read_part(const std::string& path, const GridPart& part);

/// Raises what is below `floor`, m, to it; how many heights that were.
std::size_t raise_to_floor(Grid& grid, double floor);
/// Makes NODATA of the nodes that `mask` does not show: its nearest cell is 0 or NODATA, or it has none there. How many
/// heights that were.
std::size_t leave_out(Grid& grid, const Grid& mask);

/// Appends the heights to `tables` and says where they are.
GridHeights grid_heights(const Grid& grid, std::vector<double>& tables);

/// "600 x 400 cells of 2 m, 3.1 % NODATA"
std::string grid_text(const Grid& grid);
/// "x from 5 to 35, y from 5 to 25 (m)"
std::string extent_text(const Grid& grid);
/// From node to node.
Rectangle area_of(const Grid& grid);

/// The heights of a terrain that is a grid; null: it is none.
const GridHeights* heights_of(const Terrain& terrain);
/// From its outermost heights, and so much beyond them, m.
Rectangle area_of(const GridHeights& heights, double rim = 0);

}  // namespace scree
