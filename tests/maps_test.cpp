// Maps of whole runs: counts that are known exactly, laws that are known in closed form, and the same bits from every
// backend, from any number of threads, and from runs that go on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "host/common/text_input.hpp"
#include "host/statistics/map_layers.hpp"
#include "kernels/visits.hpp"
#include "tests/support/mapped.hpp"

namespace scree {
namespace {

using test::Json;
using test::map_case;
using test::mapped;
using test::mapped_engine;

class Maps : public test::MappedRun {};

/// Every layer as doubles.
std::map<std::string, std::vector<double>> layers_of(const scree::Run& run, const Arm& arm) {
  std::map<std::string, std::vector<double>> layers;
  for_each_map_layer(*arm.maps, run.model->description, terrain_of_maps(run), [&](const MapLayer& layer) {
    std::vector<double>& values = layers[layer.name];
    values.assign(layer.values.begin(), layer.values.end());
    if (layer.is_count) values.assign(layer.counts.begin(), layer.counts.end());
  });
  return layers;
}

std::string extent_of(const Json& grid) {
  const double west = grid["origin"][0], south = grid["origin"][1], cell = grid["cell"];
  const double columns = grid["columns"], rows = grid["rows"];
  return "cell = " + number_text(cell) + "\nextent = [" + number_text(west) + ", " + number_text(south) + ", " +
         number_text(west + columns * cell) + ", " + number_text(south + rows * cell) + "]\n";
}

void expect_counts(const Json& rows, const std::vector<double>& layer, const char* name) {
  std::size_t cell = 0, different = 0;
  for (const Json& row : rows)
    for (const Json& count : row) different += layer[cell++] != static_cast<double>(count);
  EXPECT_EQ(cell, layer.size());
  EXPECT_EQ(different, 0u) << name;
}

TEST_F(Maps, CountStraightLinesOfAFanExactly) {
  const Json& given = map_case("line_fan_east");
  write_table(given["table"]);
  const std::string config = test::fan_config(given, 0, 0.05, given["end"], "[maps]\n" + extent_of(given["grid"]));
  for (const char* step : {"0.05", "4"}) {  // 0.5 m, 40 m
    SCOPED_TRACE(step);
    const scree::Run run = load(config, {std::string("step=") + step});
    const Arm arm = mapped(run, mapped_engine(run));
    const auto layers = layers_of(run, arm);
    expect_counts(given["passages"], layers.at("passages"), "passages");
    expect_counts(given["entries"], layers.at("entries"), "entries");
    double deposits = 0, least = 1e300, greatest = 0;
    for (const double count : layers.at("deposits")) deposits += count;
    EXPECT_EQ(deposits, given["deposits"]);
    for (const double energy : layers.at("kinetic_energy_max"))
      if (!std::isnan(energy)) {
        least = std::min(least, energy);
        greatest = std::max(greatest, energy);
      }
    EXPECT_GE(least, static_cast<double>(given["specific_energy"][0]) - 1e-5);  // rounded to f4 in a layer
    EXPECT_NEAR(greatest, given["specific_energy"][1], 1e-5);
  }
}

TEST_F(Maps, ShareLinesAmongCellsByTheirLaw) {
  const Json& given = map_case("line_fan_east");
  const Json& law = given["law"];
  const int n = 20000;
  const scree::Run run =
      load("system = 'slider'\nscheme = 'rk4'\nsamples = " + std::to_string(n) +
           "\nstep = 2\nend = " + number_text(given["end"]) +
           "\n[terrain]\nkind = 'plane'\nslope = 0\n[start]\nposition = [" + number_text(given["start"][0]) + ", " +
           number_text(given["start"][1]) + "]\nvelocity = [" + number_text(law["along"]) +
           ", 0]\n[vary]\n'velocity.y' = { uniform = [" + number_text(law["across_uniform"][0]) + ", " +
           number_text(law["across_uniform"][1]) + "] }\n[maps]\n" + extent_of(given["grid"]));
  const Arm arm = mapped(run, mapped_engine(run));
  const auto layers = layers_of(run, arm);
  for (const Json& cell : given["cells_by_law"]) {
    const double p = cell["probability"];
    const std::size_t place =
        static_cast<std::size_t>(static_cast<int>(cell["cell"][1]) * static_cast<int>(given["grid"]["columns"]) +
                                 static_cast<int>(cell["cell"][0]));
    // 4.5 standard deviations: 7e-6 for each of five cells.
    EXPECT_LE(std::fabs(layers.at("passages")[place] - n * p), 4.5 * std::sqrt(n * p * (1 - p))) << cell.dump();
  }
}

TEST_F(Maps, CountAndWeighSlidersThatStop) {
  const Json& given = map_case("friction_fan_east");
  write_table(given["table"]);
  const scree::Run run =
      load(test::fan_config(given, given["friction"], 0.01, 30,
                            "[maps]\n" + extent_of(given["grid"]) + "percentiles = ['kinetic_energy']\n"));
  const Arm arm = mapped(run, mapped_engine(run));
  const auto layers = layers_of(run, arm);
  expect_counts(given["passages"], layers.at("passages"), "passages");
  expect_counts(given["entries"], layers.at("entries"), "entries");
  expect_counts(given["deposits"], layers.at("deposits"), "deposits");
  EXPECT_EQ(arm.maps->deposits_outside(), given["off_grid"]);
  std::vector<double> largest;
  for (const Json& row : given["specific_energy_max"])
    for (const Json& energy : row) largest.push_back(energy);
  const MapStore& store = *arm.maps;
  std::map<std::uint32_t, std::size_t> row_of;
  for (std::size_t row = 0; row < store.touched(); ++row) {
    row_of[store.cell(row).cell] = row;
    // v^2 / 2 - mu g s falls linearly along a chord, so what is left is round-off of some thousand steps.
    EXPECT_NEAR(store.largest(row, 0), largest[store.cell(row).cell], 1e-9);
  }
  const int columns = given["grid"]["columns"];
  for (const Json& cell : given["cells"]) {
    SCOPED_TRACE(cell["cell"].dump());
    const std::uint32_t number =
        static_cast<std::uint32_t>(static_cast<int>(cell["cell"][1]) * columns + static_cast<int>(cell["cell"][0]));
    ASSERT_TRUE(row_of.contains(number));
    const std::size_t row = row_of[number];
    EXPECT_EQ(store.cell(row).passages, cell["passages"]);
    EXPECT_NEAR(store.largest(row, 0), cell["max"], 1e-9);
    EXPECT_NEAR(store.mean(row, 0), cell["mean"], 0x1p-20);
    EXPECT_NEAR(layers.at("reach_probability")[number], cell["reach_probability"], 1e-7);
    EXPECT_NEAR(layers.at("reach_low")[number], cell["wilson"][0], 1e-7);
    EXPECT_NEAR(layers.at("reach_high")[number], cell["wilson"][1], 1e-7);
    for (const Json& row_of_level : cell["quantiles"]) {
      const std::string name = "kinetic_energy_p" + number_text(100 * static_cast<double>(row_of_level["q"]));
      const auto expect = [&](const std::string& layer, const Json& value) {
        if (value.is_null())
          EXPECT_TRUE(std::isnan(layers.at(layer)[number])) << layer;
        else
          EXPECT_NEAR(layers.at(layer)[number], value, 1e-5) << layer;
      };
      expect(name, row_of_level["estimate"]);
      expect(name + "_low", row_of_level["ci95"][0]);
      expect(name + "_high", row_of_level["ci95"][1]);
    }
  }
}

TEST_F(Maps, DepositSlidersOnASlopeByTheirLaw) {
  const Json& given = map_case("slope_line");
  const int n = 20000;
  const scree::Run run =
      load("system = 'slider'\nscheme = 'rk4'\nsamples = " + std::to_string(n) +
           "\nstep = 0.05\nend = 60\n[terrain]\n" + "kind = 'plane'\nslope = " + number_text(given["slope_degrees"]) +
           "\n[slider]\nfriction = " + number_text(given["friction"]) +
           "\n[start]\nposition = [0, 0]\n[vary]\nspeed = { uniform = [" + number_text(given["speed_uniform"][0]) +
           ", " + number_text(given["speed_uniform"][1]) + "] }\n[maps]\ncell = " + number_text(given["cell"]) +
           "\nextent = [0, -2, 60, 2]\n");
  const auto layers = layers_of(run, mapped(run, mapped_engine(run)));
  for (const Json& cell : given["deposit_probability"]) {
    const double p = cell["probability"], reach = cell["reach"];
    // All go along y = 0, which belongs to the second row of cells.
    const std::size_t place = 30 + static_cast<std::size_t>(static_cast<int>(cell["cell"][0]));
    EXPECT_LE(std::fabs(layers.at("deposits")[place] - n * p), 4.5 * std::sqrt(n * p * (1 - p)) + 1e-6) << cell.dump();
    EXPECT_LE(std::fabs(layers.at("passages")[place] - n * reach), 4.5 * std::sqrt(n * reach * (1 - reach)) + 1e-6)
        << cell.dump();
  }
}

/// Rocks of two shapes on a ramp, some of which leave the raster, and sliders in a bowl that come back.
const std::string mapped_rocks =
    "system = 'rock'\nscheme = 'implicit'\nsamples = 120\nstep = 0.005\nend = 12.0\n[terrain]\nkind = 'ramp'\n"
    "slope = 40\nheight = 40\n[rock]\nground = 'medium'\n[[shape]]\nkind = 'eota'\nsize = [1, 1, 1]\nmass = 700\n"
    "name = 'a'\n[[shape]]\nkind = 'cuboid'\nsize = [0.8, 0.6, 0.5]\nmass = 400\nname = 'b'\n[start]\n"
    "position = [0, 0]\ngap = 2\n[vary]\norientation = 'uniform'\nshape = { choice = ['a', 'b'] }\n"
    "'position.y' = { uniform = [-4, 4] }\n[maps]\ncell = 1.5\nextent = [-5, -20, 90, 20]\nsources = true\n";
const std::string mapped_sliders =
    "system = 'slider'\nscheme = 'rk4'\nsamples = 200\nstep = 0.02\nend = 30.0\n[terrain]\nkind = 'bowl'\n"
    "radius = 20\n[slider]\nfriction = 0.02\n[vary]\n'position.x' = { uniform = [-8, 8] }\n"
    "'position.y' = { uniform = [-8, 8] }\nspeed = { uniform = [0, 4] }\nheading = { uniform = [0, 6] }\n[maps]\n"
    "cell = 0.5\nextent = [-12, -12, 12, 12]\n";

class EveryMap : public Maps, public testing::WithParamInterface<const std::string*> {};

TEST_P(EveryMap, HasTheSameBitsFromEveryBackend) {
  const scree::Run run = load(*GetParam());
  const Arm first = mapped(run, mapped_engine(run, "scalar"));
  scree::Run unmapped = run;
  unmapped.maps.on = false;
  const Arm without = mapped(unmapped, mapped_engine(run, "scalar"));
  EXPECT_EQ(first.digest, without.digest);
  EXPECT_FALSE(without.maps);
  EXPECT_GT(first.maps->touched(), 500u);
  test::on_every_cpu_backend(run, {1, 2, 7}, [&](const Arm& arm, const std::string& name) {
    EXPECT_EQ(arm.digest, first.digest) << name;
    EXPECT_EQ(arm.maps->digest(), first.maps->digest()) << name;
  });
}

TEST_P(EveryMap, HasTheSameBitsInBlocksOfAnySize) {
  const scree::Run run = load(*GetParam());
  std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  std::vector<std::string> digests;
  for (const char* backend : {"scalar", "pack"})
    for (const int block : {1, 3, 1024}) {
      MapStore store(run.spec.world.maps, run.maps, run.model->description, 0);
      VisitCollector collector([&](const PassageBatch& batch) { store.fold(batch); });
      world_of(ensemble).visits = &collector;
      std::vector<double> columns(run.samples * run.model->description.columns.size());
      std::vector<std::uint32_t> status(run.samples);
      Control control;
      mapped_engine(run, backend)
          .kernel(Job{ensemble.data(), run.spec.tables.size(), run.model->description.scheme(run.schemes[0]), 0,
                      run.samples, columns.data(), run.samples, status.data(), 2, block, 0, &control});
      collector.finish();
      store.settle();
      digests.push_back(store.digest());
      EXPECT_EQ(digests.back(), digests.front()) << block;
    }
}

TEST_P(EveryMap, GoesOnFromFinishedSamples) {
  const scree::Run run = load(*GetParam());
  const Arm whole = mapped(run, mapped_engine(run));
  const scree::Run part = load(*GetParam(), {"samples=70"});
  const Arm grown = mapped(run, mapped_engine(run), mapped(part, mapped_engine(part)));
  EXPECT_EQ(grown.digest, whole.digest);
  EXPECT_EQ(grown.maps->digest(), whole.maps->digest());
}

/// Sums, bounds and orders that hold for any run.
TEST_P(EveryMap, ObeysWhatHoldsForAllMaps) {
  const scree::Run run = load(*GetParam());
  const Arm arm = mapped(run, mapped_engine(run));
  const auto layers = layers_of(run, arm);
  const auto stopped =
      std::count(arm.table.status.begin(), arm.table.status.end(), static_cast<std::uint32_t>(Status::stopped));
  double deposits = 0;
  for (std::size_t cell = 0; cell < layers.at("passages").size(); ++cell) {
    deposits += layers.at("deposits")[cell];
    EXPECT_LE(layers.at("deposits")[cell], layers.at("passages")[cell]);
    EXPECT_LE(layers.at("passages")[cell], layers.at("entries")[cell]);
    if (layers.at("passages")[cell] == 0) continue;
    for (const char* quantity : {"kinetic_energy", "jump"}) {
      if (!layers.contains(std::string(quantity) + "_p50")) continue;
      const auto at = [&](const char* part) { return layers.at(std::string(quantity) + part)[cell]; };
      EXPECT_LE(at("_p50"), at("_p90"));
      EXPECT_LE(at("_p90"), at("_p95"));
      EXPECT_LE(at("_p95"), at("_p99"));
      EXPECT_LE(at("_p99"), at("_max"));
      EXPECT_LE(at("_mean"), at("_max") + 0x1p-7);
      EXPECT_FALSE(at("_p95_low") > at("_p95"));
      EXPECT_FALSE(at("_p95_high") < at("_p95"));
    }
  }
  EXPECT_EQ(deposits + static_cast<double>(arm.maps->deposits_outside()), static_cast<double>(stopped));
  // The largest of a map is the largest of all samples, in a raster that all of them stay in.
  if (arm.maps->way_outside() == 0) {
    const auto column = arm.table.column(run.model->description.column("speed_max"));
    double fastest = 0, on_map = 0;
    for (const double speed : column) fastest = std::max(fastest, speed);
    for (const double speed : layers.at("speed_max")) on_map = std::isnan(speed) ? on_map : std::max(on_map, speed);
    EXPECT_NEAR(on_map, fastest, 1e-3 * fastest);
  }
}

TEST_P(EveryMap, CountsInACellAtMostWhatItsQuartersCount) {
  const scree::Run run = load(*GetParam());
  const double cell = run.spec.world.maps.cell;
  const scree::Run fine = load(*GetParam(), {"maps.cell=" + number_text(cell / 2)});
  const std::vector<double> coarse = layers_of(run, mapped(run, mapped_engine(run))).at("passages"),
                            quarters = layers_of(fine, mapped(fine, mapped_engine(fine))).at("passages");
  const auto columns = static_cast<std::size_t>(run.spec.world.maps.columns),
             fine_columns = static_cast<std::size_t>(fine.spec.world.maps.columns),
             fine_rows = static_cast<std::size_t>(fine.spec.world.maps.rows);
  double seen = 0;
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    const std::size_t x = 2 * (i % columns), y = 2 * (i / columns);
    if (x + 1 >= fine_columns || y + 1 >= fine_rows) continue;
    const double four[] = {quarters[y * fine_columns + x], quarters[y * fine_columns + x + 1],
                           quarters[(y + 1) * fine_columns + x], quarters[(y + 1) * fine_columns + x + 1]};
    EXPECT_LE(coarse[i], four[0] + four[1] + four[2] + four[3]);
    EXPECT_GE(coarse[i], *std::max_element(four, four + 4));
    seen += coarse[i];
  }
  EXPECT_GT(seen, 0);
}

INSTANTIATE_TEST_SUITE_P(Systems, EveryMap, testing::Values(&mapped_rocks, &mapped_sliders),
                         [](const auto& info) { return std::string(info.index == 0 ? "rock" : "slider"); });

/// A slider leaves a dome at cos psi = 2/3 cos psi0 of its release, and is put back there from where its step had led.
TEST_F(Maps, EndWhereASliderLiftsOff) {
  const scree::Run run = load(
      "system = 'slider'\nscheme = 'rk4'\nsamples = 1\nstep = 0.05\nend = 20\n[terrain]\nkind = 'dome'\nradius = 10\n"
      "[slider]\nmode = 'unilateral_stop'\n[start]\nposition = [1, 0]\n[maps]\ncell = 0.05\n"
      "extent = [0, -0.5, 10, 0.5]\n");
  const Arm arm = mapped(run, mapped_engine(run));
  ASSERT_EQ(arm.table.status[0], static_cast<std::uint32_t>(Status::lifted_off));
  const double psi0 = std::asin(0.1), liftoff = 10 * std::sin(std::acos(2.0 / 3 * std::cos(psi0)));
  const auto layers = layers_of(run, arm);
  const MapGrid& grid = run.spec.world.maps;
  for (double column = 0; column < grid.columns; ++column) {
    const std::size_t cell = grid.number(column, grid.row_of(0.0));
    const bool reached = grid.edge_x(column + 1) > 1 && grid.edge_x(column) <= liftoff;
    EXPECT_EQ(layers.at("passages")[cell], reached ? 1 : 0) << column;
    EXPECT_EQ(layers.at("entries")[cell], reached ? 1 : 0) << column;
  }
}

/// What a step beyond the lift-off would have had is nowhere, at any step.
TEST_F(Maps, HaveNothingOfBeyondALiftOff) {
  for (const char* step : {"0.02", "0.1", "0.5"}) {
    const scree::Run run = load(
        "system = 'slider'\nscheme = 'rk4'\nsamples = 40\nstep = 0.05\nend = 20\n[terrain]\nkind = 'dome'\n"
        "radius = 10\n[slider]\nmode = 'unilateral_stop'\n[vary]\n"
        "'start.position.x' = { uniform = [-1, 1] }\n'start.position.y' = { uniform = [-1, 1] }\n[maps]\ncell = "
        "2\nextent = [-10, -10, 10, 10]\n",
        {std::string("step=") + step});
    const Arm arm = mapped(run, mapped_engine(run));
    double fastest = 0;
    const int column = run.model->description.column("speed_max");
    for (std::uint64_t i = 0; i < run.samples; ++i) {
      ASSERT_EQ(arm.table.status[i], static_cast<std::uint32_t>(Status::lifted_off));
      fastest = std::max(fastest, arm.table.at(column, i));
    }
    const auto layers = layers_of(run, arm);
    double largest = 0;
    for (const double value : layers.at("speed_max"))
      if (!std::isnan(value)) largest = std::max(largest, value);
    EXPECT_FLOAT_EQ(static_cast<float>(largest), static_cast<float>(fastest)) << step;
  }
}

TEST_F(Maps, ReachTheCellOfAReleaseWithCertainty) {
  const scree::Run run = load(mapped_rocks, {"vary.position.y={ uniform = [0.1, 0.2] }"});
  const Arm arm = mapped(run, mapped_engine(run));
  const MapGrid& grid = run.spec.world.maps;
  const auto layers = layers_of(run, arm);
  const std::size_t release = grid.number(grid.column_of(0.0), grid.row_of(0.15));
  EXPECT_EQ(layers.at("reach_probability")[release], 1);
  EXPECT_EQ(layers.at("reach_high")[release], 1);
  EXPECT_EQ(layers.at("arrival_time_min")[release], 0);
  EXPECT_EQ(layers.at("sources")[release], 1);
  EXPECT_EQ(layers.at("reach_given_sources")[release], 1);
}

TEST_F(Maps, TakeIntervalsFromReplicatesOfPoints) {
  const scree::Run run = load(mapped_sliders, {"sampling=sobol", "replicates=8", "samples=256"});
  const Arm arm = mapped(run, mapped_engine(run));
  const auto layers = layers_of(run, arm);
  EXPECT_EQ(arm.map_facts->interval, "Student's t over 8 replicates");
  // What layers say of themselves: those of percentiles are not of the replicates.
  const auto meaning = [](const Arm& of, const std::string& name) {
    const auto layer = std::ranges::find(of.map_facts->layers, name, &MapFacts::Layer::name);
    return layer == of.map_facts->layers.end() ? "" : layer->meaning;
  };
  EXPECT_EQ(meaning(arm, "reach_low"), "lower end of its 95 % interval (Student's t over 8 replicates)");
  EXPECT_EQ(meaning(arm, "kinetic_energy_p95_high"),
            "upper end of its 95 % interval, edges of bins, as of independent samples");
  const std::vector<std::string> warnings = map_warnings(*arm.map_facts);
  const std::string warning = "intervals of percentiles are those of independent samples, which these are not";
  EXPECT_EQ(std::ranges::count(warnings, warning), 1);
  const scree::Run plain = load(mapped_sliders, {"samples=16"});
  const Arm of_plain = mapped(plain, mapped_engine(plain));
  EXPECT_EQ(meaning(of_plain, "reach_low"), "lower end of its 95 % interval (Wilson)");
  EXPECT_EQ(meaning(of_plain, "kinetic_energy_p95_high"), "upper end of its 95 % interval, edges of bins");
  EXPECT_EQ(std::ranges::count(map_warnings(*of_plain.map_facts), warning), 0);
  int narrower = 0, with = 0;
  for (std::size_t cell = 0; cell < layers.at("passages").size(); ++cell) {
    const double low = layers.at("reach_low")[cell], high = layers.at("reach_high")[cell],
                 share = layers.at("reach_probability")[cell];
    if (std::isnan(low)) continue;
    ++with;
    EXPECT_LE(low, share + 1e-6);
    EXPECT_GE(high, share - 1e-6);
    const Interval independent = wilson_interval(256, layers.at("passages")[cell]);
    narrower += high - low < independent.high - independent.low;
  }
  EXPECT_GT(with, 100);
  EXPECT_GT(narrower, with / 3);
}

}  // namespace
}  // namespace scree
