// What reading a terrain takes, as it is told and as it is.
#include <gmock/gmock.h>

#include "program.hpp"

namespace scree {
namespace {

using testing::HasSubstr;
using testing::Not;

class TerrainCli : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("small.asc", grid_of(3, "50 40 30 "));
    write(
        "x.toml",
        "system = 'rock'\nscheme = 'implicit'\nsamples = 4\nstep = 0.01\nend = 2.0\n[terrain]\nkind = 'grid'\nfile = "
        "'small.asc'\n[[shape]]\nkind = 'cuboid'\nsize = [1, 0.8, 0.6]\nmass = 900\n[start]\nposition = [1.5, 1.5]\n");
    write("s.toml",
          "system = 'slider'\nscheme = 'rk4'\nsamples = 4\nstep = 0.01\nend = 2.0\n[terrain]\nkind = 'grid'\nfile = "
          "'small.asc'\n[slider]\nfriction = 0.5\n[start]\nposition = [1.5, 1.5]\n");
    for (const char* config : {"x.toml", "s.toml"}) {
      const Outcome small = scree({"check", config});
      ASSERT_EQ(small.code, 0) << small.err;
      without_ = std::max(without_, small.peak);
    }
  }

  /// A grid of cells of 1 m whose rows are this line.
  static std::string grid_of(int rows, const std::string& row) {
    std::istringstream words(row);
    const auto columns = std::distance(std::istream_iterator<std::string>(words), {});
    std::string text = "ncols " + std::to_string(columns) + "\nnrows " + std::to_string(rows) +
                       "\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
    for (int j = 0; j < rows; ++j) text += row + "\n";
    return text;
  }

  static std::vector<std::string> with_sets(std::vector<std::string> arguments, const std::vector<std::string>& sets) {
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    return arguments;
  }
  /// Bytes told and, beyond those of a small grid, taken by `check`; the second is at most the first, and not much
  /// less.
  double told_and_taken(const std::string& config, const std::vector<std::string>& sets) const {
    const Outcome outcome = scree(with_sets({"check", config, "--json"}, sets));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    if (outcome.code != 0) return 0;
    const double told = nlohmann::json::parse(outcome.out)["grids_bytes"], taken = outcome.peak - without_;
    EXPECT_LE(taken, told + pages_);
    EXPECT_GE(taken + pages_, 0.8 * told);
    return told;
  }

  // Of the program that a small grid does not touch; of the heap, which keeps a text.
  static constexpr double pages_ = 8e6;
  double without_ = 0;  // bytes that a check of a small grid has at most
};

TEST_F(TerrainCli, OfAHundredMillionHeightsTakesTheMemoryThatIsTold) {
  if (std::system("gdal_create --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no gdal_create";
  ASSERT_EQ(shell("gdal_create -q -ot Float32 -outsize 10000 10000 -burn 100 -a_ullr 0 10000 10000 0 -co TILED=YES -co "
                  "COMPRESS=DEFLATE large.tif"),
            "");
  EXPECT_NEAR(told_and_taken("x.toml", {"terrain.file=large.tif"}), 1.6e9, 1e6);
  // A part, and cells that are averages: all heights once, and of these cells three numbers.
  EXPECT_NEAR(told_and_taken("x.toml", {"terrain.file=large.tif", "terrain.extent=[0, 0, 1999, 999]"}), 32e6, 1e6);
  EXPECT_NEAR(told_and_taken("x.toml", {"terrain.file=large.tif", "terrain.extent=[0, 0, 3999, 999]", "terrain.cell=4",
                                        "start.position=[9, 9]"}),
              8 * 4008 * 1008 * (1 + 2.0 / 16), 1e6);
  // Before it is read, unless it is little.
  EXPECT_EQ(scree({"check", "x.toml", "--set", "terrain.file=large.tif"}).err,
            "large.tif: 10000 x 10000 heights take 1.600 GB of memory\n");
  const Outcome run = scree(
      {"run", "x.toml", "--dry-run", "--set", "terrain.file=large.tif", "--set", "terrain.extent=[0, 0, 1999, 999]"});
  EXPECT_THAT(run.out, HasSubstr("\nheights   2000000 read, which takes 32.00 MB of memory\n"));
  EXPECT_THAT(run.err, Not(HasSubstr("heights take")));
  EXPECT_THAT(scree({"check", "x.toml"}).out, HasSubstr("    heights   9 read, which takes "));
}

/// Those that run have one table of heights, however many arms or steps there are.
TEST_F(TerrainCli, IsOnceInMemoryForAllThatRun) {
  std::string row;
  for (int i = 0; i < 2000; ++i) row += "7 ";
  write("t.asc", grid_of(2500, row));
  const std::vector<std::string> sets{"terrain.file=t.asc", "start.position=[900, 900]"};
  const double told = nlohmann::json::parse(scree(with_sets({"check", "x.toml", "--json"}, sets)).out)["grids_bytes"];
  EXPECT_NEAR(told, 80e6, 1e6);
  for (const std::vector<std::string>& command : {std::vector<std::string>{"run", "x.toml"},
                                                  {"converge", "x.toml", "--halvings", "4"},
                                                  {"compare", "x.toml", "--arms", "rock.friction_max=0.7,0.8,0.9,1"}}) {
    std::vector<std::string> small = command, large = with_sets(command, sets);
    for (std::vector<std::string>* words : {&small, &large}) words->insert(words->end(), {"--threads", "1", "--quiet"});
    const Outcome without = scree(small), with = scree(large);
    ASSERT_EQ(without.code, 0) << without.err;
    ASSERT_EQ(with.code, 0) << with.err;
    // One table more while a run is made of another one.
    EXPECT_LE(with.peak - without.peak, told + told / 2 + 2 * pages_) << command[0];
  }
}

TEST_F(TerrainCli, OfTextTakesTheTextToo) {
  std::string row;
  for (int i = 0; i < 2000; ++i) row += "1200.123456 ";
  write("t.asc", grid_of(2000, row));
  EXPECT_NEAR(told_and_taken("x.toml", {"terrain.file=t.asc"}), 48e6 + 32e6, 1e6);
  // What is read of it is less; the text is all of it.
  EXPECT_NEAR(told_and_taken("x.toml", {"terrain.file=t.asc", "terrain.extent=[0.5, 0.5, 199.5, 1999.5]"}),
              48e6 + 3.2e6, 1e6);
}

TEST_F(TerrainCli, WithAFloorAMaskOrASplineHasMoreCopies) {
  std::string row, shown;
  for (int i = 0; i < 2000; ++i) row += "7 ";
  for (int i = 0; i < 2000; ++i) shown += "1 ";
  write("t.asc", grid_of(1500, row));
  write("mask.asc", grid_of(1500, shown));
  const double text = 6e6, copy = 24e6;  // of the file, of all heights
  EXPECT_NEAR(told_and_taken("x.toml", {"terrain.file=t.asc", "terrain.floor=1"}), 3 * copy, 1e6);
  EXPECT_NEAR(told_and_taken("x.toml", {"terrain.file=t.asc", "terrain.mask=mask.asc"}), 4 * copy + text, 1e6);
  EXPECT_NEAR(told_and_taken("s.toml", {"terrain.file=t.asc"}), 5 * copy, 1e6);
}

}  // namespace
}  // namespace scree
