// Parts of maps: cells along a chord, bins, ranks, intervals, sums, against tests/reference/maps.json.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <vector>

#include "host/engine/path_stores.hpp"
#include "host/model/maps.hpp"
#include "host/statistics/distributions.hpp"
#include "host/statistics/map_layers.hpp"
#include "kernels/cpu_watch.hpp"
#include "kernels/visits.hpp"
#include "tests/support/mapped.hpp"

namespace scree {
namespace {

using test::Json;
using test::map_case;

/// A sample that is wherever a test says.
struct Moved {
  struct Lane {
    double steps, status, x, y, time, value;
  };
  struct Passage {
    double value;
  };
  static PathPoint<double, Passage> passage(const World&, const Lane& lane) {
    return {lane.x, lane.y, 0, lane.time, {lane.value}, {0, 0, 0}, 1, 0, 0};
  }
  static constexpr bool takes_back = true;
  // It meets nothing.
  static bool put_back(const World&, Lane&, const Moving&) { std::abort(); }
  static void strike(const World&, Lane&, const Vec3<double>&, double) { std::abort(); }
  static double radius_of(const World&, const Lane&) { return 0; }
};

MapGrid grid_of(double west, double south, double cell, double columns, double rows) {
  return {west, south, cell, 1 / cell, columns, rows};
}

/// The passages of one sample along these points.
PassageBatch passages_along(const MapGrid& grid, std::vector<Moved::Lane> points) {
  PassageBatch all;
  VisitCollector collector([&](const PassageBatch& batch) { all = batch; });
  World world{};
  world.maps = grid;
  world.visits = &collector;
  Watching<Moved> sink{};
  sink.release(world, points.front(), 0);
  for (std::size_t i = 1; i < points.size(); ++i) sink.step(world, points[i]);
  sink.end(world, points.back(), 0);
  collector.finish();
  return all;
}

TEST(Maps, FollowAChordThroughItsCells) {
  const Json& given = map_case("segments");
  const double cell = given["cell"];
  const int columns = 20, rows = 20, before = 8;  // cells west and south of the reference's origin
  const MapGrid grid = grid_of(-before * cell, -before * cell, cell, columns, rows);
  for (const Json& row : given["rows"]) {
    SCOPED_TRACE(row.dump());
    const PassageBatch seen =
        passages_along(grid, {{0, -1, row["from"][0], row["from"][1], 0, 0}, {1, 1, row["to"][0], row["to"][1], 1, 0}});
    std::map<std::uint32_t, double> expected;
    for (const Json& visit : row["cells"])
      expected[static_cast<std::uint32_t>((static_cast<int>(visit["cell"][1]) + before) * columns +
                                          static_cast<int>(visit["cell"][0]) + before)] = visit["enter"];
    std::map<std::uint32_t, double> found;
    for (const PassageOfCell& passage : seen.passages) {
      EXPECT_EQ(passage.entries, 1u);
      found[passage.cell] = passage.entered;
    }
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [number, entered] : expected) {
      ASSERT_TRUE(found.contains(number)) << number;
      EXPECT_NEAR(found[number], entered, 4e-16);
    }
  }
}

/// The part of a chord in a cell, by clipping it with the cell's edges.
std::pair<double, double> clipped(const MapGrid& grid, double column, double row, double x0, double y0, double x1,
                                  double y1) {
  double from = 0, to = 1;
  const auto clip = [&](double start, double change, double low, double high) {
    double a = (low - start) / change, b = (high - start) / change;
    if (a > b) std::swap(a, b);
    from = std::max(from, a);
    to = std::min(to, b);
  };
  clip(x0, x1 - x0, grid.edge_x(column), grid.edge_x(column + 1));
  clip(y0, y1 - y0, grid.edge_y(row), grid.edge_y(row + 1));
  return {from, to};
}

TEST(Maps, SkipNoCellAndInventNone) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> place(-4, 14);
  const MapGrid grid = grid_of(0.3, -0.2, 0.7, 13, 11);
  int cells = 0;
  for (int k = 0; k < 600; ++k) {
    const double x0 = place(random), y0 = place(random), x1 = place(random), y1 = place(random);
    // The value falls along the chord, so its largest in a cell is that where the chord enters.
    const PassageBatch seen = passages_along(grid, {{0, -1, x0, y0, 0, 5}, {1, 1, x1, y1, 2, 1}});
    std::map<std::uint32_t, PassageOfCell> found;
    for (const PassageOfCell& passage : seen.passages) found[passage.cell] = passage;
    double inside = 0;
    for (double row = 0; row < grid.rows; ++row)
      for (double column = 0; column < grid.columns; ++column) {
        const auto [from, to] = clipped(grid, column, row, x0, y0, x1, y1);
        if (std::fabs(to - from) < 1e-9) continue;  // by a corner
        const std::uint32_t number = grid.number(column, row);
        ASSERT_EQ(found.contains(number), to > from) << k << ' ' << column << ' ' << row;
        if (!(to > from)) continue;
        ++cells;
        inside += to - from;
        EXPECT_NEAR(found[number].entered, 2 * from, 1e-13);
        EXPECT_NEAR(found[number].peaks[0], 5 - 4 * from, 1e-13);
      }
    EXPECT_NEAR(seen.samples[0].way_outside, (1 - inside) * std::hypot(x1 - x0, y1 - y0), 1e-7);
  }
  EXPECT_GT(cells, 3000);
}

TEST(Maps, MergeTheVisitsOfACell) {
  const MapGrid grid = grid_of(0, 0, 1, 4, 1);
  // East and back twice: cell 1 is entered at 0.25 and again at 1.75, and so on.
  const PassageBatch seen = passages_along(
      grid, {{0, -1, 0.5, 0.5, 0, 3}, {1, -1, 2.5, 0.5, 1, 7}, {2, -1, 0.5, 0.5, 2, 4}, {3, 1, 1.5, 0.5, 3, 9}});
  ASSERT_EQ(seen.passages.size(), 3u);
  EXPECT_EQ(seen.passages[0].entries, 2u);
  EXPECT_EQ(seen.passages[1].entries, 3u);
  EXPECT_EQ(seen.passages[2].entries, 1u);
  EXPECT_EQ(seen.passages[1].entered, 0.25);
  EXPECT_EQ(seen.passages[0].peaks[0], 6.5);  // halfway through the third chord
  EXPECT_EQ(seen.passages[1].peaks[0], 9);
  EXPECT_EQ(seen.passages[2].peaks[0], 7);
  EXPECT_EQ(seen.samples[0].last_cell, 1u);
}

TEST(Maps, UndoAStepThatIsTakenBack) {
  const MapGrid grid = grid_of(0, 0, 1, 6, 1);
  // To x = 2.5 with the largest value of all, and back: the last step ended at 1.25 and nothing else was.
  const PassageBatch once = passages_along(
      grid, {{0, -1, 0.25, 0.5, 0, 3}, {1, -1, 0.5, 0.5, 1, 2}, {2, 1, 2.5, 0.5, 3, 80}, {3, 1, 1.25, 0.5, 2, 5}});
  ASSERT_EQ(once.passages.size(), 2u);
  EXPECT_EQ(once.passages[0].entries, 1u);
  EXPECT_DOUBLE_EQ(once.passages[0].peaks[0], 4);  // at the edge, after two thirds of the step
  EXPECT_EQ(once.passages[1].cell, 1u);
  EXPECT_EQ(once.passages[1].entries, 1u);
  EXPECT_DOUBLE_EQ(once.passages[1].entered, 1 + 2.0 / 3);
  EXPECT_EQ(once.passages[1].peaks[0], 5);
  EXPECT_EQ(once.samples[0].last_cell, 1u);
  // On from there and back again.
  const PassageBatch twice = passages_along(grid, {{0, -1, 0.25, 0.5, 0, 3},
                                                   {1, -1, 0.5, 0.5, 1, 2},
                                                   {2, -1, 2.5, 0.5, 3, 80},
                                                   {3, -1, 1.25, 0.5, 2, 5},
                                                   {4, -1, 5.25, 0.5, 5, 90},
                                                   {5, 1, 3.5, 0.5, 2.5, 4}});
  ASSERT_EQ(twice.passages.size(), 4u);
  for (const PassageOfCell& passage : twice.passages) EXPECT_EQ(passage.entries, 1u) << passage.cell;
  EXPECT_EQ(twice.passages[1].peaks[0], 5);
  EXPECT_DOUBLE_EQ(twice.passages[2].entered, 2 + 0.5 / 3);
  EXPECT_DOUBLE_EQ(twice.passages[2].peaks[0], 5 - 1.0 / 3);
  EXPECT_EQ(twice.passages[3].cell, 3u);
  EXPECT_DOUBLE_EQ(twice.passages[3].peaks[0], 5 - 7.0 / 9);
  // Within a cell.
  const PassageBatch within =
      passages_along(grid, {{0, -1, 0.25, 0.5, 0, 3}, {1, -1, 0.75, 0.5, 2, 80}, {2, 1, 0.5, 0.5, 1, 4}});
  ASSERT_EQ(within.passages.size(), 1u);
  EXPECT_EQ(within.passages[0].peaks[0], 4);
  // From outside, and what was outside is undone too.
  const PassageBatch outside =
      passages_along(grid, {{0, -1, -0.5, 0.5, 0, 3}, {1, 1, 9.5, 0.5, 2, 70}, {2, 1, 0.5, 0.5, 0.25, 4}});
  ASSERT_EQ(outside.passages.size(), 1u);
  EXPECT_EQ(outside.passages[0].cell, 0u);
  EXPECT_EQ(outside.passages[0].entries, 1u);
  EXPECT_EQ(outside.passages[0].entered, 0.125);
  EXPECT_EQ(outside.passages[0].peaks[0], 4);
  EXPECT_EQ(outside.samples[0].way_outside, 0.5);
}

/// However many visits there are, westward too, where cells are met against their order.
TEST(Maps, UndoAStepOfManyVisits) {
  const MapGrid grid = grid_of(0, 0, 1, 20000, 1);
  for (const double begin : {19990.5, 11.5}) {
    const double way = begin > 10000 ? -1 : 1;
    std::vector<Moved::Lane> points{{0, -1, begin, 0.5, 0, 1}};
    // Back by half of each second step.
    for (int k = 0; k < 30; ++k) {
      const double x = begin + 250 * k * way;
      points.push_back({1, -1, x + 100 * way, 0.5, 4.0 * k + 2, 1});
      points.push_back({1, -1, x + 400 * way, 0.5, 4.0 * k + 5, 50});
      points.push_back({1, -1, x + 250 * way, 0.5, 4.0 * k + 4, 2});
    }
    points.back().status = 1;
    const PassageBatch seen = passages_along(grid, points);
    EXPECT_EQ(seen.passages.size(), 30 * 250u + 1);
    for (const PassageOfCell& passage : seen.passages) {
      ASSERT_EQ(passage.entries, 1u) << passage.cell;
      ASSERT_LE(passage.peaks[0], 2) << passage.cell;
    }
  }
}

TEST(Maps, MergeASampleThatComesBackForEver) {
  const MapGrid grid = grid_of(0, 0, 1, 3, 1);
  std::vector<Moved::Lane> points;
  for (int k = 0; k <= 20000; ++k)
    points.push_back({static_cast<double>(k), -1, k % 2 == 0 ? 0.5 : 1.5, 0.5, static_cast<double>(k), 1.0 + k % 7});
  const PassageBatch seen = passages_along(grid, points);
  ASSERT_EQ(seen.passages.size(), 2u);
  EXPECT_EQ(seen.passages[0].entries, 10001u);
  EXPECT_EQ(seen.passages[1].entries, 10000u);
  EXPECT_EQ(seen.passages[0].peaks[0], 7);
}

TEST(Maps, PlaceWhatIsOnAnEdgeEastAndNorthOfIt) {
  const MapGrid grid = grid_of(-3, 2, 0.5, 6, 4);
  EXPECT_EQ(grid.column_of(-3.0), 0);
  EXPECT_EQ(grid.column_of(-2.5), 1);
  EXPECT_EQ(grid.column_of(std::nextafter(-2.5, -9.0)), 0);
  EXPECT_EQ(grid.column_of(std::nextafter(-3.0, -9.0)), -1);
  EXPECT_EQ(grid.column_of(-1e300), -1);
  EXPECT_EQ(grid.column_of(0.0), 6);
  EXPECT_EQ(grid.column_of(1e300), 6);
  EXPECT_EQ(grid.row_of(3.99), 3);
  EXPECT_EQ(grid.row_of(std::nan("")), 4);
  EXPECT_EQ(grid.number(5, 3), 23u);
  EXPECT_EQ(grid.number(6, 3), no_map_cell);
  EXPECT_EQ(grid.number(-1, 3), no_map_cell);
}

TEST(MapBins, AreThoseOfTheReference) {
  const Json& given = map_case("bins");
  const Bins bins{given["low_octave"], given["octaves"], 1 << static_cast<int>(given["bits"])};
  for (const Json& row : given["rows"]) {
    const int bin = bins.of(row["value"]);
    EXPECT_EQ(bin, row["bin"]) << row.dump();
    EXPECT_EQ(bins.low(bin), row["low"]);
    if (row["high"].is_null())
      EXPECT_TRUE(std::isinf(bins.high(bin)));
    else
      EXPECT_EQ(bins.high(bin), row["high"]);
  }
}

TEST(MapBins, HoldEveryValueBetweenTheirEdges) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-12, 14);
  for (const int per_octave : {8, 16, 32, 64}) {
    const Bins bins{-6, 16, per_octave};
    for (int k = 0; k < 2000; ++k) {
      const double value = std::exp2(exponent(random));
      const int bin = bins.of(value);
      EXPECT_LE(bins.low(bin), value);
      EXPECT_GT(bins.high(bin), value);
      EXPECT_LT(bin, bins.count());
      if (bin == 0 || bin + 1 == bins.count()) continue;
      EXPECT_LE(bins.high(bin) / bins.low(bin), 1 + 1.0 / per_octave);
    }
  }
}

TEST(MapQuantiles, AreThoseOfTheReference) {
  const Json& given = map_case("quantiles");
  const Bins edges{given["low_octave"], given["octaves"], 1 << static_cast<int>(given["bits"])};
  for (const Json& set : given["sets"]) {
    const std::uint64_t n = set["n"];
    std::map<int, std::uint32_t> counts;
    double largest = 0;
    for (std::uint64_t k = 0; k < n; ++k) {
      const double value =
          static_cast<double>(set["scale"]) * std::pow(1.0 + static_cast<double>(k), static_cast<double>(set["power"]));
      ++counts[edges.of(value)];
      largest = std::max(largest, value);
    }
    std::vector<BinCount> bins;
    for (const auto& [bin, count] : counts) bins.push_back({bin, count});
    for (const Json& row : set["rows"]) {
      SCOPED_TRACE(row.dump());
      const int level = static_cast<int>(std::lround(1000 * static_cast<double>(row["q"])));
      EXPECT_EQ(rank_of(n, level), row["rank"]);
      EXPECT_DOUBLE_EQ(value_of_rank(bins, edges, rank_of(n, level), largest), row["estimate"]);
      const QuantileRanks ranks = quantile_ranks(n, level / 1000.0, 0.05);
      const Interval interval = interval_of_bins(bins, edges, ranks, largest);
      const auto compare = [](const Json& rank, std::uint64_t found, const Json& end, double value) {
        if (rank.is_null()) {
          EXPECT_EQ(found, 0u);
          EXPECT_TRUE(std::isnan(value));
        } else {
          EXPECT_EQ(found, rank);
          EXPECT_DOUBLE_EQ(value, end);
        }
      };
      compare(row["ci95_ranks"][0], ranks.low, row["ci95"][0], interval.low);
      compare(row["ci95_ranks"][1], ranks.high, row["ci95"][1], interval.high);
    }
  }
}

TEST(MapIntervals, AreThoseOfTheReference) {
  const Json& given = map_case("intervals");
  for (const Json& row : given["rows"]) {
    const Interval wilson = wilson_interval(row["n"], row["k"]), exact = clopper_pearson(row["n"], row["k"], 0.05);
    EXPECT_NEAR(wilson.low, row["wilson"][0], 1e-12) << row.dump();
    EXPECT_NEAR(wilson.high, row["wilson"][1], 1e-12);
    EXPECT_NEAR(exact.low, row["clopper_pearson"][0], 1e-12);
    EXPECT_NEAR(exact.high, row["clopper_pearson"][1], 1e-12);
  }
  for (const auto& [level, least] : given["passes_for_bounded_interval"].items()) {
    const std::uint64_t enough = least;
    EXPECT_GT(quantile_ranks(enough, std::stod(level), 0.05).high, 0u);
    EXPECT_EQ(quantile_ranks(enough - 1, std::stod(level), 0.05).high, 0u);
  }
}

/// One passage of cell 0 with these energies, by as many samples.
PassageBatch batch_of(const std::vector<double>& energies) {
  PassageBatch batch;
  for (const double energy : energies) {
    batch.samples.push_back(
        {batch.samples.size(), static_cast<std::uint32_t>(Status::stopped), 0, 0, 0, batch.passages.size(), 1});
    batch.passages.push_back({0, 1, 0, {energy, 0, 0, 0, 0, 0}});
  }
  return batch;
}

Description with_energy() {
  Description description;
  description.system = "thrown";
  description.map_quantities = {{"kinetic_energy", "J", "kinetic energy", false, 6, 24, -6}};
  return description;
}
MapSettings energies_of_maps() {
  MapSettings settings;
  settings.on = true;
  settings.quantities = settings.percentiles = {0};
  return settings;
}

TEST(MapMeans, AreThoseOfTheReference) {
  const Json& given = map_case("means");
  const Description description = with_energy();
  MapStore store(grid_of(0, 0, 1, 1, 1), energies_of_maps(), description, 0);
  store.fold(batch_of(given["values"]));
  store.settle();
  EXPECT_EQ(store.sum(0, 0), given["sum"]);
  EXPECT_DOUBLE_EQ(store.mean(0, 0), given["mean"]);
}

TEST(MapMeans, AreNoneWhereASumMayHaveWrapped) {
  const Description description = with_energy();
  MapStore store(grid_of(0, 0, 1, 1, 1), energies_of_maps(), description, 0);
  store.fold(batch_of({0x1p57, 0x1p56}));  // 2 (2^57 2^6 + 1) > 2^64
  store.settle();
  EXPECT_TRUE(std::isnan(store.mean(0, 0)));
  EXPECT_EQ(store.largest(0, 0), 0x1p57);
}

TEST(MapMeans, AreNoneWhereOneValueIsBeyondWholeNumbers) {
  const Description description = with_energy();
  MapStore store(grid_of(0, 0, 1, 1, 1), energies_of_maps(), description, 0);
  store.fold(batch_of({1e30, 1.0}));
  store.settle();
  EXPECT_TRUE(std::isnan(store.mean(0, 0)));
  EXPECT_EQ(store.largest(0, 0), 1e30);
  EXPECT_EQ(store.sum(0, 0), 64u) << "of what could be counted";
}

TEST(MapMeans, SayWhichSumMayHaveWrapped) {
  const Description description = with_energy();
  MapStore store(grid_of(10, 20, 2, 3, 2), energies_of_maps(), description, 0);
  PassageBatch batch = batch_of({0x1p57, 0x1p56});
  for (PassageOfCell& passage : batch.passages) passage.cell = 4;
  for (SampleOfMap& sample : batch.samples) sample.last_cell = 4;
  store.fold(batch);
  store.settle();
  scree::Run run;
  run.model = find_model("slider");
  SummaryTable table;
  table.description = &description;
  const std::vector<std::string> warnings = map_warnings(map_facts(store, run, table, std::vector<double>(6, 1.0)));
  EXPECT_THAT(warnings, testing::Contains("1 sums over passages may be too large for 64 bits: no means there, first "
                                          "of kinetic_energy in the cell around [13, 23]"));
}

std::map<std::string, double> layers_at_0(const MapStore& store, const Description& description) {
  std::map<std::string, double> values;
  const std::vector<double> terrain(static_cast<std::size_t>(store.grid().columns * store.grid().rows), 1.0);
  for_each_map_layer(store, description, terrain, [&](const MapLayer& layer) {
    values[layer.name] = layer.is_count ? static_cast<double>(layer.counts[0]) : static_cast<double>(layer.values[0]);
  });
  return values;
}

TEST(MapFrequencies, AreThoseOfTheReference) {
  const Json& given = map_case("hazard");
  const Description description = with_energy();
  MapSettings settings = energies_of_maps();
  settings.release_frequency = given["release_frequency"];
  settings.bins_per_octave = 64;
  settings.periods = {30, 50, 100, 300};
  const std::uint64_t n = given["samples"];
  const std::vector<double> energies = given["energies"];
  PassageBatch batch = batch_of(energies);
  while (batch.samples.size() < n)  // those that do not come here
    batch.samples.push_back({batch.samples.size(), static_cast<std::uint32_t>(Status::stopped), no_map_cell,
                             no_map_cell, 0, batch.passages.size(), 0});
  MapStore store(grid_of(0, 0, 1, 1, 1), settings, description, 0);
  store.fold(batch);
  store.settle();
  const std::map<std::string, double> values = layers_at_0(store, description);
  EXPECT_NEAR(values.at("passage_frequency"), given["passage_frequency"], 1e-8);
  EXPECT_NEAR(values.at("return_period"), given["return_period"], 1e-5);
  EXPECT_NEAR(values.at("passage_probability_T50"), given["probability_50_years"], 1e-7);
  for (const Json& row : given["frequency_above"])
    EXPECT_NEAR(values.at("frequency_above_" + std::to_string(std::lround(row["energy"].get<double>() / 1000)) + "kJ"),
                row["frequency"], 1e-8);
  for (const Json& row : given["energy_at_period"]) {
    const double period = row["period"], energy = row["energy"];
    EXPECT_EQ(exceedances_allowed(n, settings.release_frequency, period), row["allowed"]);
    const std::string name = std::to_string(static_cast<int>(period));
    // A bin of 64 to an octave is within 1/64 of any value in it.
    EXPECT_NEAR(values.at("kinetic_energy_T" + name), energy, energy / 64);
    EXPECT_LE(values.at("kinetic_energy_T" + name + "_low"), energy);
    EXPECT_GE(values.at("kinetic_energy_T" + name + "_high"), energy);
    EXPECT_NEAR(values.at("kinetic_energy_T" + name + "_high"), energy, energy / 64);
    EXPECT_EQ(values.at("intensity_T" + name), energy == 0 ? 0 : energy < 30e3 ? 1 : energy < 300e3 ? 2 : 3);
  }
}

/// Of 1000 samples, 20 released a year, 25 may exceed the energy at 2 years, and 2 that at 25.
TEST(MapFrequencies, MakeTheHighestDangerOfAllPeriods) {
  MapSettings settings = energies_of_maps();
  settings.release_frequency = 20;
  settings.periods = {2, 25};
  settings.danger = {{"low", "high"}, {}, {{0, 1}, {2, 0}, {0, 0}}};
  const Description description = with_energy();
  const auto at_0 = [&](std::vector<double> energies) {
    MapStore store(grid_of(0, 0, 1, 1, 1), settings, description, 0);
    store.fold(batch_of(energies));
    store.settle();
    return layers_at_0(store, description);
  };
  const auto danger_of = [&](double often, double seldom) {
    std::vector<double> energies(1000, often);
    std::fill_n(energies.begin(), 20, seldom);
    const std::map<std::string, double> values = at_0(energies);
    const auto intensity = [](double energy) { return energy < 30e3 ? 1 : energy < 300e3 ? 2 : 3; };
    EXPECT_EQ(values.at("intensity_T2"), intensity(often));
    EXPECT_EQ(values.at("intensity_T25"), intensity(seldom));
    return values.at("danger");
  };
  EXPECT_EQ(danger_of(1e3, 1e3), 1);  // weak, weak: none, low
  EXPECT_EQ(danger_of(1e3, 1e5), 0);  // weak, medium: none, none
  EXPECT_EQ(danger_of(1e5, 1e5), 2);  // medium, medium: high, none
  EXPECT_EQ(danger_of(1e5, 1e6), 2);  // medium, strong: high, none
  EXPECT_EQ(danger_of(1e6, 1e6), 0);  // strong, strong: none, none
  settings.danger = {};
  EXPECT_FALSE(at_0({1e6}).contains("danger"));
}

TEST(MapFrequencies, SayWhereTheyHangOnAFewSamples) {
  MapSettings settings = energies_of_maps();
  settings.release_frequency = 0.2;
  settings.periods = {50, 51};
  settings.danger = {{"low", "high"}, {}, {{1, 1}, {1, 1}, {2, 2}}};
  const Description description = with_energy();
  MapStore store(grid_of(0, 0, 1, 1, 1), settings, description, 0);
  store.fold(batch_of(std::vector<double>(100, 1000.0)));
  store.settle();
  std::map<std::string, std::string> meanings;
  for_each_map_layer(store, description, std::vector<double>{1},
                     [&](const MapLayer& layer) { meanings[layer.name] = layer.meaning; });
  EXPECT_EQ(meanings["kinetic_energy_T50"], "kinetic energy that is exceeded at most once in 50 years");
  EXPECT_EQ(meanings["kinetic_energy_T51"],
            "kinetic energy that is exceeded at most once in 51 years (too few: 9 of 100 samples may exceed it, fewer "
            "than 10)");
  EXPECT_EQ(meanings["danger"],
            "level of danger by maps.danger: the highest of all return periods, from 1 on; 0: none (kinetic_energy_T51 "
            "has too few: 9 of 100 samples may exceed it, fewer than 10)");
}

/// Classes of intensity are of energies in J.
TEST(MapFrequencies, HaveTheUnitOfTheSystem) {
  MapSettings settings = energies_of_maps();
  settings.release_frequency = 0.2;
  Description description = with_energy();
  const auto layers = [&] {
    std::map<std::string, std::string> units;
    for (const MapLayer& layer : map_layers(description, settings)) units[layer.name] = layer.unit;
    return units;
  };
  EXPECT_EQ(layers().at("kinetic_energy_T30"), "J");
  EXPECT_TRUE(layers().contains("intensity_T30"));
  description.map_quantities[0].unit = "J/kg";
  EXPECT_EQ(layers().at("kinetic_energy_T30"), "J/kg");
  EXPECT_EQ(layers().at("kinetic_energy_T30_high"), "J/kg");
  EXPECT_FALSE(layers().contains("intensity_T30"));
  EXPECT_FALSE(layers().contains("frequency_above_30kJ"));
  MapStore store(grid_of(0, 0, 1, 1, 1), settings, description, 0);
  store.fold(batch_of(std::vector<double>(300, 1000.0)));
  store.settle();
  EXPECT_EQ(layers_at_0(store, description).size(), layers().size());
  EXPECT_EQ(layers_at_0(store, description).at("terrain"), 1);
}

TEST(MapStore, LeavesOutSamplesThatFailed) {
  const Description description = with_energy();
  MapStore store(grid_of(0, 0, 1, 1, 1), energies_of_maps(), description, 0);
  PassageBatch batch = batch_of({100, 200, 400});
  batch.samples[1].status = static_cast<std::uint32_t>(Status::diverged);
  store.fold(batch);
  store.settle();
  EXPECT_EQ(store.counted(), 2u);
  EXPECT_EQ(store.cell(0).passages, 2u);
  EXPECT_EQ(store.largest(0, 0), 400);
  EXPECT_EQ(store.mean(0, 0), 250);
  EXPECT_NEAR(layers_at_0(store, description).at("reach_probability"), 1, 1e-7);
}

TEST(MapStore, ThatMemoryDoesNotHoldEndsTheRunAndSaysSo) {
  scree::Run run;
  run.model = find_model("slider");
  run.maps.on = true;
  run.maps.quantities = run.maps.percentiles = {0};
  run.spec.world.maps = grid_of(0, 0, 1, 4, 1);
  Control control;
  PathStores stores(run, Arm{}, control, false, [] { return 1.0; });
  World world{};
  world.maps = run.spec.world.maps;
  world.visits = stores.collector();
  Watching<Moved> sink{};
  Moved::Lane lane{0, -1, 0.5, 0.5, 0, 3};
  sink.release(world, lane, 0);
  lane = {1, 1, 2.5, 0.5, 1, 7};
  sink.step(world, lane);
  sink.end(world, lane, 0);
  Arm arm;
  stores.finish(run, arm);
  EXPECT_TRUE(control.cancel.load());
  EXPECT_FALSE(arm.maps);
  EXPECT_THAT(arm.failure, testing::MatchesRegex(
                               "maps: 3 cells were passed, with [0-9]+ bins they take [0-9.]+ B, and no more memory is "
                               "available: take a larger maps.cell, a smaller maps.bins_per_octave or fewer "
                               "maps.percentiles"));
}

/// Passages of many samples in many cells, in an order of their own.
std::vector<PassageBatch> many_batches(std::uint64_t order, std::size_t of_a_batch) {
  std::mt19937_64 random(11);
  std::vector<PassageBatch> single;
  for (std::uint64_t sample = 0; sample < 500; ++sample) {
    PassageBatch batch;
    const std::uint32_t from = static_cast<std::uint32_t>(random() % 50);
    for (std::uint32_t cell = from; cell < from + 40; ++cell)
      batch.passages.push_back({cell,
                                1 + static_cast<std::uint32_t>(random() % 3),
                                std::ldexp(1.0 + cell, -3),
                                {std::exp2(static_cast<double>(random() % 1000) / 50), 0, 0, 0, 0, 0}});
    const std::uint32_t status = static_cast<std::uint32_t>(random() % 10 == 0 ? Status::end_time : Status::stopped);
    batch.samples.push_back({sample, status, from, from + 39, static_cast<double>(random() % 100), 0, 40});
    single.push_back(batch);
  }
  std::mt19937_64 shuffle(order);
  std::shuffle(single.begin(), single.end(), shuffle);
  std::vector<PassageBatch> batches(1);
  for (const PassageBatch& one : single) {
    if (batches.back().samples.size() == of_a_batch) batches.emplace_back();
    PassageBatch& batch = batches.back();
    batch.samples.push_back(one.samples[0]);
    batch.samples.back().first = batch.passages.size();
    batch.passages.insert(batch.passages.end(), one.passages.begin(), one.passages.end());
  }
  return batches;
}

MapStore::Stored stored_of(const MapStore& store) {
  return {store.counted(),
          store.deposits_outside(),
          store.way_outside_units(),
          {store.counted_in_each().begin(), store.counted_in_each().end()},
          {store.cells().begin(), store.cells().end()},
          store.maxima(),
          store.sums(),
          store.bin_counts(),
          store.sources(),
          store.releases(),
          store.by_replicate()};
}

TEST(MapStore, IsTheSameInAnyOrderAndAfterItWasStored) {
  const Description description = with_energy();
  MapSettings settings = energies_of_maps();
  settings.sources = true;
  const auto fresh = [&] { return MapStore(grid_of(0, 0, 1, 100, 1), settings, description, 8); };
  std::vector<std::string> digests;
  for (const auto& [order, of_a_batch] : {std::pair{1, 500}, {2, 1}, {3, 33}}) {
    MapStore store = fresh();
    for (const PassageBatch& batch :
         many_batches(static_cast<std::uint64_t>(order), static_cast<std::size_t>(of_a_batch)))
      store.fold(batch);
    store.settle();
    digests.push_back(store.digest());
  }
  EXPECT_EQ(digests[1], digests[0]);
  EXPECT_EQ(digests[2], digests[0]);
  MapStore half = fresh(), rest = fresh();
  const std::vector<PassageBatch> batches = many_batches(1, 50);
  for (int i = 0; i < 5; ++i) half.fold(batches[static_cast<std::size_t>(i)]);
  half.settle();
  rest.restore(stored_of(half));
  for (int i = 5; i < 10; ++i) rest.fold(batches[static_cast<std::size_t>(i)]);
  rest.settle();
  EXPECT_EQ(rest.digest(), digests[0]);
  EXPECT_NE(half.digest(), digests[0]);
}

/// Found by libFuzzer: of a journal's maps a release that is none was looked up behind the last.
TEST(MapStore, IsNotRestoredFromWhatNoneHas) {
  const Description description = with_energy();
  MapSettings settings = energies_of_maps();
  settings.sources = true;
  MapStore store(grid_of(0, 0, 1, 100, 1), settings, description, 8);
  for (const PassageBatch& batch : many_batches(1, 50)) store.fold(batch);
  store.settle();
  const auto refuses = [&](const std::function<void(MapStore::Stored&)>& change) {
    MapStore::Stored stored = stored_of(store);
    change(stored);
    MapStore other(grid_of(0, 0, 1, 100, 1), settings, description, 8);
    try {
      other.restore(std::move(stored));
    } catch (const std::runtime_error&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refuses([](MapStore::Stored&) {}));
  EXPECT_TRUE(refuses([](MapStore::Stored& s) { s.cells.back().cell = 100; }));
  EXPECT_TRUE(refuses([](MapStore::Stored& s) { std::swap(s.cells[0], s.cells[1]); }));
  EXPECT_TRUE(refuses([](MapStore::Stored& s) { s.sums.pop_back(); }));
  EXPECT_TRUE(refuses([](MapStore::Stored& s) { s.counted_in.push_back(1); }));
  const auto with_key = [](SortedCounts& counts, std::uint64_t last) {
    std::vector<std::uint64_t> keys(counts.keys().begin(), counts.keys().end());
    keys.back() = last;
    counts.take(std::move(keys), {counts.counts().begin(), counts.counts().end()});
  };
  EXPECT_TRUE(refuses([&](MapStore::Stored& s) { with_key(s.sources, std::uint64_t{99} << 32 | 12345); }));
  EXPECT_TRUE(refuses([&](MapStore::Stored& s) { with_key(s.by_replicate, MapStore::replicate_key(99, true, 8)); }));
  EXPECT_TRUE(refuses([&](MapStore::Stored& s) { with_key(s.bins, MapStore::bin_key(99, 0, 2047)); }));
  EXPECT_TRUE(refuses([&](MapStore::Stored& s) { with_key(s.bins, 0); }));
}

TEST(MapStore, KnowsWhereSamplesCameFrom) {
  const Description description = with_energy();
  MapSettings settings = energies_of_maps();
  settings.sources = true;
  MapStore store(grid_of(0, 0, 1, 3, 1), settings, description, 0);
  PassageBatch batch;
  // Three are released in cell 2, two of them come to cell 0; one in cell 1 does, and one there does not.
  const auto add = [&](std::uint32_t from, bool comes) {
    batch.samples.push_back({batch.samples.size(), static_cast<std::uint32_t>(Status::stopped), from, from, 0,
                             batch.passages.size(), comes ? 2u : 1u});
    if (comes) batch.passages.push_back({0, 1, 1, {100, 0, 0, 0, 0, 0}});
    batch.passages.push_back({from, 1, 0, {100, 0, 0, 0, 0, 0}});
  };
  add(2, true);
  add(2, true);
  add(2, false);
  add(1, true);
  add(1, false);
  store.fold(batch);
  store.settle();
  const std::map<std::string, double> values = layers_at_0(store, description);
  EXPECT_EQ(values.at("sources"), 2);
  EXPECT_NEAR(values.at("reach_given_sources"), 0.6, 1e-7);
  EXPECT_NEAR(values.at("reach_probability"), 0.6, 1e-7);
}

/// How many were released outside of the raster in a place is not known, so that those who come from there are no part.
TEST(MapStore, DoesNotCountThoseFromOutsideAmongThoseFromItsCells) {
  const Description description = with_energy();
  MapSettings settings = energies_of_maps();
  settings.sources = true;
  MapStore store(grid_of(0, 0, 1, 3, 1), settings, description, 0);
  PassageBatch batch;
  const auto add = [&](std::uint32_t from, bool comes) {
    batch.samples.push_back({batch.samples.size(), static_cast<std::uint32_t>(Status::stopped), from, no_map_cell, 0,
                             batch.passages.size(), comes ? 1u : 0u});
    if (comes) batch.passages.push_back({0, 1, 1, {100, 0, 0, 0, 0, 0}});
  };
  for (int k = 0; k < 10; ++k) add(2, k < 4);
  for (int k = 0; k < 1000; ++k) add(no_map_cell, k < 400);
  store.fold(batch);
  store.settle();
  const std::map<std::string, double> values = layers_at_0(store, description);
  EXPECT_EQ(values.at("passages"), 404);
  EXPECT_EQ(values.at("sources"), 1);
  EXPECT_NEAR(values.at("reach_given_sources"), 0.4, 1e-7);
}

/// Of no samples nothing is known; that none comes would be.
TEST(MapLayers, HaveNoValueWhereNoSampleCounts) {
  const Description description = with_energy();
  MapSettings settings = energies_of_maps();
  settings.sources = true;
  settings.release_frequency = 0.1;
  const std::vector<double> terrain(3, 1.0);
  MapStore store(grid_of(0, 0, 1, 3, 1), settings, description, 0);
  store.settle();
  std::size_t layers = 0;
  for_each_map_layer(store, description, terrain, [&](const MapLayer& layer) {
    if (layer.is_count || layer.name == "terrain") return;
    ++layers;
    for (const float value : layer.values) EXPECT_TRUE(std::isnan(value)) << layer.name;
  });
  EXPECT_GT(layers, 20u);
}

TEST(MapLayers, HaveAnUpperBoundWhereNobodyCameAndNoneWithoutTerrain) {
  const Description description = with_energy();
  MapStore store(grid_of(0, 0, 1, 3, 1), energies_of_maps(), description, 0);
  store.fold(batch_of(std::vector<double>(10, 100.0)));
  store.settle();
  const std::vector<double> terrain{1, 2, std::nan("")};
  std::map<std::string, std::vector<float>> values;
  for_each_map_layer(store, description, terrain, [&](const MapLayer& layer) { values[layer.name] = layer.values; });
  EXPECT_EQ(values["reach_probability"][1], 0);
  EXPECT_EQ(values["reach_low"][1], 0);
  const double z = 1.959963984540054;
  EXPECT_FLOAT_EQ(values["reach_high"][1], static_cast<float>(z * z / (10 + z * z)));
  EXPECT_TRUE(std::isnan(values["reach_high"][2]));
  EXPECT_TRUE(std::isnan(values["kinetic_energy_max"][1]));
  EXPECT_EQ(values["kinetic_energy_max"][0], 100);
}

}  // namespace
}  // namespace scree
