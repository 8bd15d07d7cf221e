// Forests: how far samples come, what stems take from them, and which stems they meet, in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "host/common/text_input.hpp"
#include "host/model/model.hpp"
#include "src/forest.hpp"
#include "tests/support/mapped.hpp"

namespace scree {
namespace {

using test::Json;
using test::map_case;
using test::mapped;
using test::mapped_engine;

class Forests : public test::MappedRun {
 protected:
  /// A file of stems, x, y and diameter each.
  void write_stems(const std::string& rows) const { std::ofstream(folder_ / "stems.csv") << "x,y,dbh\n" << rows; }
  /// A slider without friction on level ground that comes from (-5, y) at 10 m/s.
  static std::string slider(double y, const std::string& forest) {
    return "system = 'slider'\nscheme = 'rk4'\nsamples = 1\nstep = 0.1\nend = 4\n[terrain]\nkind = 'plane'\nslope = 0\n"
           "[start]\nposition = [-5, " +
           number_text(y) + "]\nvelocity = [10, 0]\n[[forest]]\n" + forest;
  }
};

/// The stems of areas that a sample goes through, in a run's world.
template <class F>
void for_all_stems(const scree::Run& run, double sample, const F& f) {
  std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  const World& world = world_of(ensemble);
  for_stems_near(world, sample, 0, {-1e6, -1e6, 1e6, 1e6}, [&](const ForestArea&, const Stem& stem) { f(stem); });
}

TEST_F(Forests, AreSurvivedAsPoissonStemsAre) {
  const Json& given = map_case("forest");
  const double n = 20000, radius = given["radius_m"], diameter = given["diameter_m"], reach = radius + diameter / 2;
  const double side = std::cbrt(4.0 / 3 * std::numbers::pi) * radius;  // of a cube of that sphere's volume
  for (const Json& row : given["survival"]) {
    // In flight from outside the forest. The circle at the end of the path holds half a disc beyond it.
    const double length = row["length"], end = 2 + length - std::numbers::pi * reach / 4;
    const scree::Run run =
        load("system = 'rock'\nscheme = 'implicit'\nsamples = " + number_text(n) + "\nstep = " + number_text(end / 70) +
             "\nend = " + number_text(end / 10) +
             "\n[terrain]\nkind = 'plane'\nslope = 0\n[[shape]]\nkind = 'cuboid'\nmass = 700\nsize = [" +
             number_text(side) + ", " + number_text(side) + ", " + number_text(side) +
             "]\n[start]\nposition = [-2, 0, 300]\nvelocity = [10, 0, 0]\n[[forest]]\n"
             "polygon = [[0, -50], [100, -50], [100, 50], [0, 50]]\nresample = true\ncapacity = 1e9\nstems = " +
             number_text(given["stems_per_ha"]) + "\ndiameter = " + number_text(diameter) + "\n");
    const Arm arm = mapped(run, mapped_engine(run));
    const double p = row["probability"], hit = static_cast<double>(arm.forest->counts.hitting);
    EXPECT_EQ(arm.forest->counts.counted, n);
    EXPECT_LE(std::fabs(n - hit - n * p), 4.5 * std::sqrt(n * p * (1 - p))) << length;
  }
}

TEST_F(Forests, HaveAsManyStemsAsTheirDensitySaysEachSampleOthers) {
  // A triangle that cuts most cells of its grid.
  const std::string area =
      "polygon = [[3, 2], [63, 12], [13, 72]]\nstems = 300\ndiameter = { uniform = [0.2, 0.5] }\ncapacity = 1\n";
  const double corners[] = {3, 2, 63, 12, 13, 72};
  const double doubled = std::fabs((corners[2] - corners[0]) * (corners[5] - corners[1]) -
                                   (corners[4] - corners[0]) * (corners[3] - corners[1]));
  const double expected = 300.0 / 1e4 * doubled / 2;
  const scree::Run run = load(slider(0, area + "resample = true\n"));
  constexpr int forests = 2000;
  double sum = 0, squares = 0, diameters = 0;
  for (int sample = 0; sample < forests; ++sample) {
    double count = 0;
    for_all_stems(run, sample, [&](const Stem& stem) {
      ++count;
      diameters += stem.diameter;
      EXPECT_TRUE(inside_polygon({stem.x, stem.y}, corners, 3));
      EXPECT_TRUE(stem.diameter >= 0.2 && stem.diameter < 0.5);
    });
    sum += count;
    squares += count * count;
  }
  // Of a Poisson number mean and variance are equal; the variance of their estimate is mean (1 + 2 mean) / n.
  EXPECT_LE(std::fabs(sum / forests - expected), 4.5 * std::sqrt(expected / forests));
  const double variance = squares / forests - sum / forests * sum / forests;
  EXPECT_LE(std::fabs(variance - expected), 4.5 * std::sqrt(expected * (1 + 2 * expected) / forests));
  EXPECT_LE(std::fabs(diameters / sum - 0.35), 4.5 * 0.3 / std::sqrt(12 * sum));

  // Anywhere in a cell: means, variances and the covariance of both coordinates.
  const scree::Run one = load(slider(20,
                                     "polygon = [[0, 0], [10, 0], [10, 10], [0, 10]]\nstems = 1000\n"
                                     "diameter = 0.2\ncapacity = 1\nresample = true\n"));
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (int sample = 0; sample < forests; ++sample)
    for_all_stems(one, sample, [&](const Stem& stem) {
      const double dx = stem.x / 10 - 0.5, dy = stem.y / 10 - 0.5;
      ++n;
      x += dx;
      y += dy;
      xx += dx * dx;
      yy += dy * dy;
      xy += dx * dy;
    });
  // Of the uniform law the square has the variance 1/80 - 1/144, the product of two 1/144.
  for (const double mean : {x, y}) EXPECT_LE(std::fabs(mean / n), 4.5 / std::sqrt(12 * n));
  for (const double square : {xx, yy}) EXPECT_LE(std::fabs(square / n - 1.0 / 12), 4.5 * std::sqrt(1.0 / 180 / n));
  EXPECT_LE(std::fabs(xy / n), 4.5 / (12 * std::sqrt(n)));

  // One forest is the same for all samples, and another for another seed.
  const auto first_stems = [](const scree::Run& of, double sample) {
    std::vector<double> places;
    for_all_stems(of, sample, [&](const Stem& stem) { places.insert(places.end(), {stem.x, stem.y, stem.diameter}); });
    return places;
  };
  const scree::Run same = load(slider(0, area));
  EXPECT_EQ(first_stems(same, 0), first_stems(same, 7));
  EXPECT_EQ(first_stems(same, 0), first_stems(run, 0));
  EXPECT_NE(first_stems(run, 0), first_stems(run, 7));
  EXPECT_NE(first_stems(same, 0), first_stems(load(slider(0, area), {"seed=2"}), 0));
}

TEST_F(Forests, AreWhereTheirFileSaysFromWhereverOneLooks) {
  std::string rows;
  std::vector<double> expected;
  for (int i = 0; i < 200; ++i) {
    const double x = std::fmod(37.7 * i, 95.0) - 20, y = std::fmod(61.3 * i, 45.0);
    rows += number_text(x) + "," + number_text(y) + ",0.3\n";
    expected.push_back(x);
  }
  write_stems(rows);
  const scree::Run run = load(slider(100, "file = 'stems.csv'\ncapacity = 1\n"));
  std::vector<double> found;
  for_all_stems(run, 0, [&](const Stem& stem) { found.push_back(stem.x); });
  std::ranges::sort(found);
  std::ranges::sort(expected);
  EXPECT_EQ(found, expected);
}

TEST_F(Forests, LetSlideOffWhatDoesNotBreakTheStem) {
  write_stems("10,0,0.4\n");
  for (const double b : {0.0, 0.05, 0.1, 0.15, 0.19, 0.21}) {
    SCOPED_TRACE(b);
    const double u = b / 0.2;
    for (const char* step : {"0.004", "0.1", "4"}) {
      const scree::Run run = load(slider(b, "file = 'stems.csv'\ncapacity = 50.1\n"), {std::string("step=") + step});
      const Arm arm = mapped(run, mapped_engine(run));
      // What is left is the speed along the stem's surface, v u, in its direction: off by the angle acos(u).
      const double speed = u < 1 ? 10 * u : 10, rest = 4 - (15 - std::sqrt(std::max(0.04 - b * b, 0.0))) / 10;
      EXPECT_EQ(arm.forest->counts.hits, u < 1 ? 1u : 0u);
      EXPECT_EQ(arm.forest->counts.broken, 0u);
      EXPECT_NEAR(at(arm, "energy_end"), speed * speed / 2, 1e-11);
      EXPECT_NEAR(at(arm, "energy_error"), 0, 1e-11);
      if (u < 1) {
        EXPECT_NEAR(at(arm, "final_y"), b + rest * speed * std::sqrt(1 - u * u), 1e-10);
      }
    }
  }
}

TEST_F(Forests, BreakWhereMoreEnergyComesThanTheyTake) {
  write_stems("10,0,0.4\n");
  for (const double b : {0.0, 0.1, 0.15}) {
    SCOPED_TRACE(b);
    const double towards = 100 * (1 - b * b / 0.04);  // v_n^2
    const scree::Run run = load(slider(b, "file = 'stems.csv'\ncapacity = 12\n"));
    const Arm arm = mapped(run, mapped_engine(run));
    EXPECT_EQ(arm.forest->counts.broken, 1u);
    EXPECT_GT(towards, 24);
    EXPECT_NEAR(at(arm, "energy_end"), 50 - 12, 1e-11);
    EXPECT_NEAR(at(arm, "friction_work"), 12, 1e-11);
  }
  // By their diameters: factor 40^exponent.
  const scree::Run run = load(slider(0, "file = 'stems.csv'\ncapacity = { factor = 0.01, exponent = 1.5 }\n"));
  EXPECT_NEAR(at(mapped(run, mapped_engine(run)), "energy_end"), 50 - 0.01 * std::pow(40, 1.5), 1e-11);
}

TEST_F(Forests, TakeSharesAsTheReferenceHasThem) {
  const Json& given = map_case("forest");
  ForestArea area{};
  area.shares = 1;
  const double share[] = {-0.046, 1.026, 8, 0.58};
  std::copy(std::begin(share), std::end(share), area.share);
  area.factor = 38.7;
  area.exponent = 2.31;
  const double mass = 2000;
  const Moving at{0, 0, 0, 0, {30, 0, 0}, mass, 1e5, 0};
  const double energy = mass * 450 + 1e5;
  for (const Json& stem : given["capacity_J"])
    for (const Json& row : given["share"]) {
      const StemHit hit{0, row["u"], -1, 0, {0, 0, static_cast<double>(stem["dbh_cm"]) / 100, 1}, &area};
      const AfterStem after = after_stem(hit, at);
      const double taken = static_cast<double>(row["share"]) * static_cast<double>(stem["energy"]);
      EXPECT_NEAR(energy * (1 - after.keep * after.keep), taken, 1e-9 * energy);
      EXPECT_EQ(after.velocity.x, after.keep * 30);
    }
  // One that has less than the share is held.
  const StemHit frontal{0, 0, -1, 0, {0, 0, 0.6, 1}, &area};
  const AfterStem held = after_stem(frontal, {0, 0, 0, 0, {20, 0, 0}, mass, 0, 0});
  EXPECT_EQ(held.keep, 0);
}

TEST_F(Forests, AreMetStemByStemAlsoFromTheNextCell) {
  // The grid begins at the first stem, with cells of 10 m: the path runs in the second row, two stems of one cell in
  // the first.
  write_stems("0,0,0.3\n23,9.95,0.4\n24.5,9.9,0.4\n50,30,0.3\n");
  for (const char* step : {"0.01", "4"}) {
    const scree::Run run = load(slider(10.05, "file = 'stems.csv'\ncapacity = 1\n"), {std::string("step=") + step});
    EXPECT_EQ(mapped(run, mapped_engine(run)).forest->counts.hits, 2u) << step;
  }
}

TEST_F(Forests, ArePassedAfterOneHit) {
  // Down a slope head-on into a stem that holds: from rest there it goes on, to another stem.
  write_stems("10,0,0.4\n20,0,0.4\n");
  const scree::Run run = load(slider(0, "file = 'stems.csv'\ncapacity = 1e6\n"), {"terrain.slope=30", "end=20"});
  const Arm arm = mapped(run, mapped_engine(run));
  EXPECT_EQ(arm.forest->counts.hits, 2u);
  EXPECT_GT(at(arm, "final_x"), 100);
  EXPECT_NEAR(at(arm, "energy_error"), 0, 1e-10 * at(arm, "energy_start"));
}

TEST_F(Forests, TakeFromARockWhatMovesItTowardsTheAxis) {
  write_stems("10,0.3,0.5\n");
  const auto rock = [](double capacity) {
    return "system = 'rock'\nscheme = 'implicit'\nsamples = 1\nstep = 0.01\nend = 2\n[terrain]\nkind = 'plane'\n"
           "slope = 0\n[[shape]]\nkind = 'cuboid'\nsize = [0.7, 0.7, 0.7]\nmass = 800\n[start]\n"
           "position = [0, 0, 100]\nvelocity = [20, 0, 0]\nomega = [1, -2, 3]\n[[forest]]\nfile = 'stems.csv'\n"
           "capacity = " +
           number_text(capacity) + "\n";
  };
  // A cube has three moments alike, so its spin stays.
  const double reach = 0.25 + 0.7 * std::cbrt(3 / (4 * std::numbers::pi)), u = 0.3 / reach;
  const double towards = 400 * (1 - u * u), spin = 0.5 * 800 * 0.49 / 6 * 14;
  for (const double capacity : {3e4, 1e6}) {
    const scree::Run run = load(rock(capacity));
    std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
    std::vector<double> last;
    const auto& track = run.model->description.track;
    run.model->replay(ensemble.data(), run.model->description.scheme("implicit"), 0, 1,
                      [&](std::span<const double> row) { last.assign(row.begin(), row.end()); });
    const auto column = [&](const std::string& name) {
      for (std::size_t k = 0; k < track.size(); ++k)
        if (track[k].name == name) return last[k + 1];
      throw std::logic_error(name);
    };
    const double taken = std::min(capacity, 400 * towards);
    const double level = column("vx") * column("vx") + column("vy") * column("vy");
    EXPECT_NEAR(400 * level, 400.0 * 400 - taken, 1e-6) << capacity;
    EXPECT_NEAR(column("kinetic_energy"), 400 * (level + column("vz") * column("vz")) + spin, 1e-6);
    // The clock went on to the end of the step, the rock did not.
    const double hit = (10 - std::sqrt(reach * reach - 0.09)) / 20, dropped = std::ceil(hit / 0.01) * 0.01 - hit;
    EXPECT_NEAR(column("vz"), -9.81 * (2 - dropped), 1e-11);
  }
}

/// Constant deceleration is followed exactly, however long the steps: to the stem, behind it and to rest.
TEST_F(Forests, AreMetByBrakedSlidersWhereTheyAreAtAnyStep) {
  write_stems("30,0,0.4\n");
  const double mu = 0.3, brake = mu * 9.81, way = 34.8, capacity = 40;
  const double before = 20 * 20 / 2.0 - brake * way, after = before - capacity;
  for (const char* step : {"0.001", "0.01", "0.1", "0.4", "0.7", "2.1"}) {
    SCOPED_TRACE(step);
    const scree::Run run =
        load(slider(0, "file = 'stems.csv'\ncapacity = " + number_text(capacity) + "\n"),
             {"slider.friction=" + number_text(mu), "start.velocity=[20, 0]", "end=60", std::string("step=") + step});
    const Arm arm = mapped(run, mapped_engine(run));
    EXPECT_EQ(arm.table.status[0], static_cast<std::uint32_t>(Status::stopped));
    EXPECT_EQ(arm.forest->counts.broken, 1u);
    // Round-off of up to 10^4 steps of places of some 50 m and times of some 5 s.
    EXPECT_NEAR(at(arm, "final_x"), 29.8 + after / brake, 50 * 1e4 * 0x1p-53);
    const double time = (20 - std::sqrt(2 * before) + std::sqrt(2 * after)) / brake;
    EXPECT_NEAR(at(arm, "stop_time"), time, 50 * 1e4 * 0x1p-53);
    EXPECT_NEAR(at(arm, "path_length"), way + after / brake, 50 * 1e4 * 0x1p-53);
  }
}

TEST_F(Forests, AreMetStemByStemWhereManyStandInOnePlace) {
  std::string rows;
  for (int k = 0; k < 30; ++k) rows += "10," + number_text(0.004 * (k - 15)) + ",0.4\n";
  write_stems(rows);
  for (const char* step : {"0.001", "0.1", "4"}) {
    const scree::Run run = load(slider(0, "file = 'stems.csv'\ncapacity = 0\n"), {std::string("step=") + step});
    const Arm arm = mapped(run, mapped_engine(run));
    EXPECT_EQ(arm.forest->counts.hits, 30u) << step;
    // Round-off of up to 4000 steps.
    EXPECT_NEAR(at(arm, "energy_end"), 50, 50 * 4000 * 0x1p-53) << step;
    EXPECT_NEAR(at(arm, "final_x"), 35, 35 * 4000 * 0x1p-53) << step;
  }
}

TEST_F(Forests, StandWhereTheyStoodWhenAnotherIsOff) {
  const auto area = [](const std::string& name, double x) {
    return "[[forest]]\nname = '" + name + "'\npolygon = [[" + number_text(x) + ", -20], [" + number_text(x + 30) +
           ", -20], [" + number_text(x + 30) + ", 20], [" + number_text(x) +
           ", 20]]\nstems = 500\ndiameter = 0.4\ncapacity = 1\n";
  };
  std::string text = slider(0, "");
  text.erase(text.find("[[forest]]"));
  const scree::Run both = load(text + area("far", 500) + area("near", 0)),
                   one = load(text + area("far", 500) + area("near", 0), {"forest.far.on=false"});
  const Arm first = mapped(both, mapped_engine(both)), second = mapped(one, mapped_engine(one));
  EXPECT_EQ(first.digest, second.digest);
  EXPECT_EQ(first.forest->counts.hits, second.forest->counts.hits);
  std::vector<double> there, here;
  for_all_stems(both, 0, [&](const Stem& stem) {
    if (stem.x < 400) there.push_back(stem.x);
  });
  for_all_stems(one, 0, [&](const Stem& stem) { here.push_back(stem.x); });
  EXPECT_GT(here.size(), 20u);
  EXPECT_EQ(here, there);
}

TEST_F(Forests, AreMetInTheirOrderAmongBarriers) {
  write_stems("10,0,0.4\n");
  for (const char* step : {"0.01", "0.1", "4"})
    for (const double x : {5.0, 9.8, 15.0}) {  // the circle of the stem begins at 9.8
      SCOPED_TRACE(std::string(step) + " x = " + number_text(x));
      const scree::Run run =
          load(slider(0, "file = 'stems.csv'\ncapacity = 12\n[[barrier]]\nname = 'net'\nline = [[" + number_text(x) +
                             ", 9], [" + number_text(x) + ", -9]]\nheight = 1\ncapacity = 20\n"),
               {std::string("step=") + step});
      const Arm arm = mapped(run, mapped_engine(run));
      EXPECT_EQ(arm.forest->counts.broken, 1u);
      EXPECT_EQ(arm.barrier_facts[0].breached.count, 1u);
      // 50 J/kg of some 10 m/s, with the round-off of up to 400 steps.
      EXPECT_NEAR(arm.barriers->tables()[0].column("kinetic_energy")[0], x < 10 ? 50 : 50 - 12, 50 * 400 * 0x1p-53);
      EXPECT_NEAR(at(arm, "energy_end"), 50 - 12 - 20, 50 * 400 * 0x1p-53);
    }
}

}  // namespace
}  // namespace scree
