// Variants of a shape: which of them a sample has, and that it is this shape in all that follows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "host/engine/execute.hpp"
#include "src/systems/rock.hpp"
#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

/// Rocks of two shapes, one of which has variants, that fall on a slope.
std::string rocks(const std::string& more) {
  return R"(system = "rock"
scheme = "implicit"
samples = 60
step = 0.004
end = 3.0
[terrain]
kind = "plane"
slope = 35.0
[[shape]]
name = "plain"
kind = "cuboid"
size = [1.0, 0.8, 0.6]
mass = 900.0
[[shape]]
name = "some"
kind = "irregular"
size = [1.0, 0.8, 0.6]
corners = 21
density = 2500.0
)" + more +
         "[start]\nshape = 'some'\n[vary]\norientation = 'uniform'\n";
}

class Variants : public test::ConfigFixture {
 protected:
  SummaryTable table(const Run& run) const { return execute(run, "implicit", choose_engine(run, {})).table; }
  /// Where in the tables the shape of a sample is, counted in shapes.
  static int shape_of(const Run& run, std::uint64_t sample) {
    const std::vector<std::byte> bytes = run.model->ensemble(run.spec);
    const auto& ensemble = *reinterpret_cast<const Ensemble<Rock<double>>*>(bytes.data());
    const double at = Rock<double>::prepare(ensemble.world, draw(ensemble, sample)).shape - ensemble.world.shapes;
    return static_cast<int>(at / ShapeLayout::size);
  }
};

/// Each with the probability 1/4: of 4000 draws within 4 standard deviations of 1000.
TEST_F(Variants, AreDrawnAlikeOften) {
  const Run run = load(rocks("seed = 5\nvariants = 4\n"), {"samples=4000"});
  std::map<int, int> counts;
  for (std::uint64_t i = 0; i < 4000; ++i) ++counts[shape_of(run, i)];
  ASSERT_EQ(counts.size(), 4u);
  for (const auto& [shape, count] : counts) EXPECT_NEAR(count, 1000, 4 * std::sqrt(4000 * .25 * .75)) << shape;
  // The first variant is where the shape is, behind `plain`; the others lie behind both.
  EXPECT_EQ(counts.begin()->first, 1);
  EXPECT_EQ(counts.rbegin()->first, 4);
}

/// A sample moves as one of the run whose only shape is its variant.
TEST_F(Variants, AreThoseOfTheFollowingSeeds) {
  const Run run = load(rocks("seed = 5\nvariants = 3\n"));
  const SummaryTable all = table(run);
  std::vector<SummaryTable> alone;
  for (const char* seed : {"5", "6", "7"}) alone.push_back(table(load(rocks("seed = " + std::string(seed) + "\n"))));
  std::map<int, int> counts;
  for (std::uint64_t i = 0; i < all.samples; ++i) {
    const int shape = shape_of(run, i), variant = shape == 1 ? 0 : shape - 1;
    ++counts[variant];
    ASSERT_EQ(all.at(run.model->description.column("variant"), i), variant);
    for (int c = 0; c < static_cast<int>(run.model->description.columns.size()); ++c) {
      if (run.model->description.columns[static_cast<std::size_t>(c)].name == "variant") continue;
      const double here = all.at(c, i), there = alone[static_cast<std::size_t>(variant)].at(c, i);
      ASSERT_TRUE(here == there || (std::isnan(here) && std::isnan(there))) << i << ' ' << c;
    }
  }
  EXPECT_EQ(counts.size(), 3u);
}

TEST_F(Variants, AreToldByTheirMeans) {
  const Run run = load(rocks("variants = 3\n"));
  double mass = 0;
  for (const char* seed : {"1", "2", "3"}) mass += load(rocks("seed = " + std::string(seed) + "\n")).shapes[1].mass / 3;
  EXPECT_NEAR(run.shapes[1].mass, mass, 1e-12 * mass);
  EXPECT_EQ(run.shapes[1].variants, 3);
  EXPECT_THAT(shapes_text(run, 9)[1], testing::StartsWith("some: 3 variants, in the mean "));
}

TEST_F(Variants, AreAtLeastOneAndAtMostAThousand) {
  EXPECT_EQ(mistake(rocks("variants = 0\n")),
            "2: x.toml:20: shape.variants = 0, must be a whole number from 1 to 1000");
  EXPECT_EQ(mistake(rocks("variants = 1001\n")),
            "2: x.toml:20: shape.variants = 1001, must be a whole number from 1 to 1000");
  EXPECT_EQ(mistake(rocks("[[shape]]\nkind = 'cuboid'\nsize = [1, 1, 1]\nmass = 3\nvariants = 2\n")),
            "2: x.toml:24: shape.variants belongs to kind = \"irregular\", not to \"cuboid\"");
}

}  // namespace
}  // namespace scree
