// The ESRI ASCII reader: what it accepts, and the full text of each refusal.
#include "host/inputs/terrain_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>

#include "host/common/error.hpp"
#include "temporary_file.hpp"
#include "tests/support/grids.hpp"

namespace scree {
namespace {

using test::grid_height;
using testing::ElementsAre;
using testing::IsNan;

constexpr const char* header = "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\nNODATA_value -9999\n";

Grid grid_of(const std::string& text) {
  const TemporaryFile file("grid.asc", text);
  return read_ascii_grid(file.path);
}

/// The refusal's line, with the path replaced by "FILE"; also checks the exit code.
std::string refusal_of(const std::string& text) {
  const TemporaryFile file("grid.asc", text);
  try {
    read_ascii_grid(file.path);
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Exit::input);
    const std::string line = error.what();
    EXPECT_EQ(line.find(file.path), 0u) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    return "FILE" + line.substr(file.path.size());
  }
  return "accepted";
}

TEST(AsciiGrid, PutsTheSouthernmostRowFirst) {
  const Grid grid = grid_of(std::string(header) + "1 2 3\n4 5 -9999\n");
  EXPECT_EQ(grid.columns, 3);
  EXPECT_EQ(grid.rows, 2);
  EXPECT_EQ(grid.cell, 10);
  ASSERT_EQ(grid.heights.size(), 6u);
  EXPECT_EQ(grid.heights[0], 4);
  EXPECT_EQ(grid.heights[1], 5);
  EXPECT_TRUE(std::isnan(grid.heights[2]));
  EXPECT_EQ(grid.heights[3], 1);
  EXPECT_EQ(grid.heights[5], 3);
  EXPECT_EQ(grid.nodata, 1u);
}

TEST(AsciiGrid, MovesACornerToTheCentreOfItsCellAndTakesACentreAsItIs) {
  const Grid corner = grid_of(std::string(header) + "1 2 3\n4 5 6\n");
  EXPECT_EQ(corner.x0, 105);
  EXPECT_EQ(corner.y0, 205);
  const Grid centre = grid_of("ncols 2\nnrows 2\nxllcenter 100\nyllcenter 200\ncellsize 10\n1 2\n3 4\n");
  EXPECT_EQ(centre.x0, 100);
  EXPECT_EQ(centre.y0, 200);
}

TEST(AsciiGrid, TakesKeysInAnyOrderAndCaseAndAnyWhiteSpace) {
  const Grid grid = grid_of(
      "\xEF\xBB\xBF  CELLSIZE\t10\r\n\r\nYLLCorner   200\r\nnodata_VALUE -1\r\nXllCorner +100\r\nNROWS 2\r\n"
      "NCols\t3\r\n\t1  2\t3 \r\n\r\n 4e0 5.0 -1\r\n\r\n");
  EXPECT_EQ(grid.x0, 105);
  EXPECT_EQ(grid.y0, 205);
  EXPECT_EQ(grid.heights[0], 4);
  EXPECT_EQ(grid.nodata, 1u);
}

TEST(AsciiGrid, TakesRowsThatAreWrappedOverLines) {
  for (const char* body : {"1 2\n3 4\n5 6\n", "1 2 3 4 5 6", "1\n2\n3\n4\n5\n6\n", "1\n2 3 4 5\n6\n"}) {
    const Grid grid = grid_of(std::string(header) + body);
    EXPECT_EQ(grid.heights, (std::vector<double>{4, 5, 6, 1, 2, 3})) << body;
  }
}

TEST(AsciiGrid, TakesDxAndDyIfTheyAreEqual) {
  EXPECT_EQ(grid_of("ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ndx 2.5\ndy 2.5\n1 2\n3 4\n").cell, 2.5);
}

TEST(AsciiGrid, TakesMinus9999AsNoDataIfTheHeaderIsSilent) {
  EXPECT_EQ(grid_of("ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n1 2\n3 -9999.0\n").nodata, 1u);
}

TEST(AsciiGrid, TakesNanAsNoDataOnlyIfTheHeaderSaysSo) {
  const std::string start = "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n";
  EXPECT_EQ(grid_of(start + "NODATA_value nan\n1 2\n3 nan\n").nodata, 1u);
  EXPECT_EQ(refusal_of(start + "1 2\n3 nan\n"), "FILE:7: 'nan' is not a finite number");
  EXPECT_EQ(refusal_of(start + "nan 2\n3 4\n"), "FILE:6: 'nan' is not a finite number");
}

TEST(AsciiGrid, TakesAFloatMarkThatIsRoundedDifferentlyInHeaderAndBody) {
  EXPECT_EQ(grid_of("ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\nNODATA_value -3.4028234663852886e+38\n"
                    "1 2\n3 -3.40282e+38\n")
                .nodata,
            1u);
}

TEST(AsciiGrid, RefusesAMissingFileAndADirectory) {
  try {
    read_ascii_grid("no/such/grid.asc");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "no/such/grid.asc: cannot be read: No such file or directory");
    EXPECT_EQ(error.code, Exit::input);
  }
  try {
    read_ascii_grid("tests");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "tests: cannot be read: Is a directory");
  }
}

TEST(AsciiGrid, RefusesAnIncompleteHeader) {
  EXPECT_EQ(refusal_of(""), "FILE: the header has no ncols");
  EXPECT_EQ(refusal_of("ncols 2\n1 2\n3 4\n"), "FILE: the header has no nrows");
  EXPECT_EQ(refusal_of("ncols 2\nnrows 2\n1 2\n"), "FILE: the header has no xllcorner or xllcenter");
  EXPECT_EQ(refusal_of("ncols 2\nnrows 2\nxllcorner 0\n1 2\n"), "FILE: the header has no yllcorner or yllcenter");
  const std::string start = "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\n";
  EXPECT_EQ(refusal_of(start + "1 2\n3 4\n"), "FILE: the header has no cellsize");
  EXPECT_EQ(refusal_of(start + "dx 1\n1 2\n3 4\n"), "FILE: the header has no dy");
}

TEST(AsciiGrid, RefusesAWrongHeader) {
  const std::string start = "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\n", body = "1 2\n3 4\n";
  EXPECT_EQ(refusal_of("ncols 2\nncols 3\n"), "FILE:2: ncols is given twice, first in line 1");
  EXPECT_EQ(refusal_of("ncols\n"), "FILE:1: ncols needs exactly one value");
  EXPECT_EQ(refusal_of(start + "cellsize 5 6\n"), "FILE:5: cellsize needs exactly one value");
  EXPECT_EQ(refusal_of("ncols two\n"), "FILE:1: 'two' is not a finite number");
  EXPECT_EQ(refusal_of(start + "cellsize inf\n" + body), "FILE:5: 'inf' is not a finite number");
  EXPECT_EQ(refusal_of("ncols 2\nwidth 3\n"),
            "FILE:2: 'width' is neither a number nor a header key (ncols, nrows, xllcorner, yllcorner, xllcenter, "
            "yllcenter, cellsize, dx, dy, NODATA_value)");
  EXPECT_EQ(refusal_of("ncols 1\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n1\n2\n"),
            "FILE:1: ncols = 1, must be a whole number from 2 to 1000000");
  EXPECT_EQ(refusal_of("ncols 2\nnrows 2.5\nxllcenter 0\nyllcenter 0\ncellsize 1\n"),
            "FILE:2: nrows = 2.5, must be a whole number from 2 to 1000000");
  EXPECT_EQ(refusal_of(start + "cellsize 0\n" + body), "FILE:5: cellsize = 0, must be > 0 (m)");
  EXPECT_EQ(refusal_of(start + "cellsize 1\ndx 1\n" + body),
            "FILE:6: the header has both cellsize and dx or dy: give one");
  EXPECT_EQ(refusal_of("ncols 2\nnrows 2\nxllcorner 0\nyllcenter 0\ncellsize 1\n" + body),
            "FILE:4: the header mixes corner and center: give xllcorner and yllcorner, or xllcenter and yllcenter");
}

TEST(AsciiGrid, RefusesCellsThatAreNotSquare) {
  EXPECT_EQ(refusal_of("ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ndx 5\ndy 6\n1 2\n3 4\n"),
            "FILE:6: dx = 5 and dy = 6: cells must be square, resample the grid first");
}

TEST(AsciiGrid, RefusesATruncatedFile) {
  EXPECT_EQ(refusal_of(std::string(header) + "1 2 3\n"),
            "FILE: the file is truncated: it has 3 of 6 heights (2 rows of 3)");
  EXPECT_EQ(refusal_of(std::string(header) + "1 2 3\n4 5"),
            "FILE: the file is truncated: it has 5 of 6 heights (2 rows of 3)");
  EXPECT_EQ(refusal_of(header), "FILE: the file is truncated: it has 0 of 6 heights (2 rows of 3)");
  EXPECT_EQ(refusal_of("ncols 1000000\nnrows 1000000\nxllcenter 0\nyllcenter 0\ncellsize 1\n1 2\n"),
            "FILE: the file is truncated: it has 2 of 1000000000000 heights (1000000 rows of 1000000)");
}

TEST(AsciiGrid, RefusesARaggedRow) {
  EXPECT_EQ(refusal_of(std::string(header) + "1 2\n3 4 5\n"), "FILE:7: row 1 has 2 heights, expected 3");
  EXPECT_EQ(refusal_of(std::string(header) + "1 2 3 4\n5 6\n"), "FILE:7: row 1 has 4 heights, expected 3");
  EXPECT_EQ(refusal_of(std::string(header) + "1 2 3\n4 5 6 7\n"), "FILE:8: row 2 has 4 heights, expected 3");
  EXPECT_EQ(refusal_of("ncols 2\nnrows 3\nxllcenter 0\nyllcenter 0\ncellsize 1\n1 2\n3\n4 5\n"),
            "FILE:7: row 2 has 1 heights, expected 2");
}

TEST(AsciiGrid, RefusesExtraNumbers) {
  EXPECT_EQ(refusal_of(std::string(header) + "1 2 3\n4 5 6\n7 8 9\n"),
            "FILE:9: the file has 9 heights, expected 6 (2 rows of 3)");
}

TEST(AsciiGrid, RefusesWhatIsNotANumber) {
  EXPECT_EQ(refusal_of(std::string(header) + "1 2 3\n4 x 6\n"), "FILE:8: 'x' is not a finite number");
  EXPECT_EQ(refusal_of(std::string(header) + "1 2 3\n4 5,5 6\n"), "FILE:8: '5,5' is not a finite number");
  EXPECT_EQ(refusal_of(std::string(header) + "1 2 3\n4 inf 6\n"), "FILE:8: 'inf' is not a finite number");
  EXPECT_EQ(refusal_of(std::string(header) + "1 2 3\n4 1e400 6\n"), "FILE:8: '1e400' is not a finite number");
  EXPECT_EQ(refusal_of(std::string(header) + "1 2 3\n4 5 6\nend\n"), "FILE:9: 'end' is not a finite number");
}

TEST(AsciiGrid, RefusesAMarkThatTheHeaderDoesNotDeclare) {
  EXPECT_EQ(refusal_of(std::string(header) + "1 2 3\n4 -3.4e+38 6\n"),
            "FILE:8: height -3.4e+38 m: if it marks missing data, the header needs NODATA_value -3.4e+38");
}

TEST(AsciiGrid, RefusesAGridWithoutHeights) {
  EXPECT_EQ(refusal_of(std::string(header) + "-9999 -9999 -9999\n-9999 -9999 -9999\n"),
            "FILE: all 6 heights are NODATA");
}

// The real grids, where they are.

std::string data_file(const std::string& name) {
  const char* root = std::getenv("SCREE_DATA");
  return root == nullptr ? "" : std::string(root) + "/" + name;
}

TEST(AsciiGrid, IsRaisedToAFloor) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Grid grid{3, 2, 0, 0, 10, {5, 7, none, 6, 9, 7.5}, 1};
  EXPECT_EQ(raise_to_floor(grid, 7), 2u);
  EXPECT_THAT(grid.heights, ElementsAre(7, 7, IsNan(), 7, 9, 7.5));
  EXPECT_EQ(grid.nodata, 1u);
}

TEST(AsciiGrid, LosesWhatAMaskDoesNotShow) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  // Cells of the mask: x from 2 to 10 and to 18, y from -2 to 6 and to 14. Nodes at x = 0 and 20 are beyond them.
  const Grid mask{2, 2, 6, 2, 8, {1, 0, none, -2.5}, 1};
  Grid grid{3, 2, 0, 0, 10, {1, 2, 3, none, 5, 6}, 1};
  EXPECT_EQ(leave_out(grid, mask), 4u);
  EXPECT_THAT(grid.heights, ElementsAre(IsNan(), IsNan(), IsNan(), IsNan(), 5, IsNan()));
  EXPECT_EQ(grid.nodata, 5u);
  Grid shown{2, 2, 4, 4, 2, {1, 2, 3, 4}, 0};
  EXPECT_EQ(leave_out(shown, mask), 2u);  // both at y = 6, where the next cell begins, that has no data
  EXPECT_THAT(shown.heights, ElementsAre(1, 2, IsNan(), IsNan()));
}

TEST(AsciiGrid, ReadsTheTschamutTerrain) {
  const std::string path = data_file("tschamut2014/terrain.asc");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "SCREE_DATA does not lead to tschamut2014/terrain.asc";
  const Grid grid = read_ascii_grid(path);
  EXPECT_EQ(grid.columns, 43);
  EXPECT_EQ(grid.rows, 46);
  EXPECT_EQ(grid.cell, 5);
  EXPECT_EQ(grid.x0, -32.5);
  EXPECT_EQ(grid.y0, 87.5);
  EXPECT_EQ(grid.nodata, 0u);
  EXPECT_EQ(grid_height(grid, grid.x0, grid.y0 + 45 * grid.cell), 125.494105);  // first number of the file
}

/// 6 x 5 cells of 10 m whose heights are 100 row + column, rows from the south.
std::string numbered() {
  std::string text = "ncols 6\nnrows 5\nxllcenter 0\nyllcenter 0\ncellsize 10\nNODATA_value -1\n";
  for (int row = 4; row >= 0; --row)
    for (int column = 0; column < 6; ++column) text += std::to_string(100 * row + column) + (column == 5 ? "\n" : " ");
  return text;
}

TEST(GridPart, HasTheNodesThatCoverTheExtent) {
  const TemporaryFile file("grid.asc", numbered());
  const Grid part = read_part(file.path, {Rectangle{12, 20, 30, 31}, 0});
  // From 10 to 30 and from 20 to 40: the facets between these nodes cover it.
  EXPECT_EQ(part.columns, 3);
  EXPECT_EQ(part.rows, 3);
  EXPECT_EQ(part.x0, 10);
  EXPECT_EQ(part.y0, 20);
  EXPECT_THAT(part.heights, ElementsAre(201, 202, 203, 301, 302, 303, 401, 402, 403));
  // As far as the file goes.
  const Grid all = read_part(file.path, {Rectangle{-1e6, -1e6, 1e6, 1e6}, 0});
  EXPECT_EQ(all.heights, read_grid(file.path).heights);
  for (const Rectangle& off : {Rectangle{60, 0, 90, 40}, Rectangle{-30, 0, -5, 40}, Rectangle{0, 41, 50, 99}}) try {
      read_part(file.path, {off, 0});
      ADD_FAILURE() << text_of(off);
    } catch (const Error& error) {
      EXPECT_EQ(error.code, Exit::usage);
      EXPECT_EQ(std::string(error.what()), "terrain.extent = " + text_of(off) + " (m), must be on the heights of " +
                                               file.path + ", x from 0 to 50, y from 0 to 40 (m)");
    }
}

TEST(GridPart, CountsTheNodataOfThePartAndRefusesOneWithoutHeights) {
  const std::string text =
      "ncols 4\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 10\nNODATA_value -1\n-1 -1 3 4\n-1 -1 7 -1\n";
  const TemporaryFile file("grid.asc", text);
  EXPECT_EQ(read_part(file.path, {Rectangle{20, 0, 30, 10}, 0}).nodata, 1u);
  try {
    read_part(file.path, {Rectangle{0, 0, 10, 10}, 0});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), file.path + ": all 4 heights of the extent are NODATA");
  }
}

TEST(Averaged, IsTheMeanOfWhatLargerCellsHold) {
  const Grid grid = grid_of(numbered());
  // Means of 2 x 2: of a linear surface its value at their centre. The fifth row fills no cell.
  const Grid halves = averaged(grid, 20, "g");
  EXPECT_EQ(halves.columns, 3);
  EXPECT_EQ(halves.rows, 2);
  EXPECT_EQ(halves.x0, 5);
  EXPECT_EQ(halves.y0, 5);
  EXPECT_THAT(halves.heights, ElementsAre(50.5, 52.5, 54.5, 250.5, 252.5, 254.5));
  EXPECT_EQ(averaged(grid, 10, "g").heights, grid.heights);
  // Cells of 15 m: the first has all of a cell, half of two and a quarter of the fourth.
  const Grid odd = averaged(grid, 15, "g");
  EXPECT_EQ(odd.columns, 4);
  EXPECT_NEAR(odd.heights[0], (0 + 0.5 * 1 + 0.5 * 100 + 0.25 * 101) / 2.25, 1e-12);
  // Four columns and three rows hold 60 m by 45 m of the grid: the volume is that of the cells there.
  double volume = 0, expected = 0;
  for (const double height : odd.heights) volume += 225 * height;
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 6; ++column) expected += (row == 4 ? 50 : 100) * (100 * row + column);
  EXPECT_NEAR(volume, expected, 1e-9 * expected);
}

TEST(Averaged, HasNoHeightWhereLessThanHalfIsKnown) {
  const Grid grid = grid_of(
      "ncols 4\nnrows 4\nxllcenter 0\nyllcenter 0\ncellsize 10\nNODATA_value -1\n-1 -1 5 5\n-1 6 5 5\n2 -1 -1 -1\n-1 "
      "4 -1 -1\n");
  const Grid halves = averaged(grid, 20, "g");
  // From the south-west: two of four known, none, one of four, all.
  EXPECT_THAT(halves.heights, ElementsAre(3, IsNan(), IsNan(), 5));
  EXPECT_EQ(halves.nodata, 2u);
}

TEST(GridPart, HasTheSameLargerCellsAsTheWhole) {
  const TemporaryFile file("grid.asc", numbered());
  const Grid whole = read_part(file.path, {std::nullopt, 20});
  // Centres at 5, 25 and 45: those that enclose 26 to 40, and all that there are of 12 to 28.
  const Grid part = read_part(file.path, {Rectangle{26, 12, 40, 28}, 20});
  EXPECT_EQ(part.x0, 25);
  EXPECT_EQ(part.y0, 5);
  EXPECT_EQ(part.columns, 2);
  EXPECT_EQ(part.rows, 2);
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t column = 0; column < 2; ++column)
      EXPECT_EQ(part.heights[2 * row + column], whole.heights[3 * row + column + 1]);
}

TEST(Averaged, RefusesCellsThatAreSmallerOrTooFew) {
  const Grid grid = grid_of(numbered());
  for (const double cell : {9.0, 26.0}) try {
      averaged(grid, cell, "g.asc");
      ADD_FAILURE() << cell;
    } catch (const Error& error) {
      EXPECT_EQ(error.code, Exit::usage);
      EXPECT_EQ(std::string(error.what()),
                "terrain.cell = " + std::string(cell == 9 ? "9" : "26") +
                    " (m), must be from 10, the cells of g.asc, to 25, of which there are two");
    }
}

TEST(AsciiGrid, ReadsTheTyrolTerrain) {
  const std::string path = data_file("tyrol_gar/dem.asc");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "SCREE_DATA does not lead to tyrol_gar/dem.asc";
  const Grid grid = read_ascii_grid(path);
  EXPECT_EQ(grid.columns, 520);
  EXPECT_EQ(grid.rows, 387);
  EXPECT_EQ(grid.cell, 4.997678230579);
  EXPECT_EQ(grid.x0, 247323.244194263);
  EXPECT_EQ(grid.y0, 350705.852927772);
  EXPECT_NEAR(static_cast<double>(grid.nodata) / static_cast<double>(grid.heights.size()), 0.41, 0.005);
  ASSERT_EQ(grid.heights.size(), std::size_t{520 * 387});
  double low = 1e300, high = -1e300;
  for (const double height : grid.heights)
    if (!std::isnan(height)) {
      low = std::min(low, height);
      high = std::max(high, height);
    }
  EXPECT_NEAR(low, 1234, 0.5);
  EXPECT_NEAR(high, 2672, 0.5);
  // Heights at the ends of the release line and at the bench below, by an interpolation of its own in another language;
  // round-off at 2600 m is 4.5e-13 m a time. A turned or mirrored grid would be hundreds of metres off.
  EXPECT_NEAR(grid_height(grid, 247703.07, 352485.03), 2594.7781033298234, 1e-9);
  EXPECT_NEAR(grid_height(grid, 247723.06, 352425.05), 2535.68386299785, 1e-9);
  EXPECT_NEAR(grid_height(grid, 249072, 351270), 1269.1541610848126, 1e-9);
}

}  // namespace
}  // namespace scree
