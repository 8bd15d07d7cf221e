// Barriers: what becomes of samples there in closed form, and the same bits from every backend.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "host/common/text_input.hpp"
#include "host/results/gates.hpp"
#include "host/results/stored_run.hpp"
#include "host/statistics/gates.hpp"
#include "src/status.hpp"
#include "tests/support/mapped.hpp"

namespace scree {
namespace {

using test::Json;
using test::map_case;
using test::mapped;
using test::mapped_engine;

class Barriers : public test::MappedRun {
 protected:
  static Status ended(const Arm& arm, std::uint64_t sample) { return static_cast<Status>(arm.table.status[sample]); }
};

std::string fence(const std::string& name, const std::string& line, const std::string& more) {
  return "[[barrier]]\nname = '" + name + "'\nline = " + line + "\n" + more + "\n";
}

// Sliders on level ground, by the reference: start, friction and table of the case.

class BarrierBeforeSliders : public Barriers {
 protected:
  static std::string config(const std::string& more = "") {
    const Json& given = map_case("friction_fan_east");
    const Json& net = given["barrier"]["barrier"];
    return test::fan_config(given, given["friction"], 0.01, 30, "") +
           fence("net", net["line"].dump(), "height = 2\ncapacity = " + number_text(net["specific_capacity"])) + more;
  }
  void SetUp() override {
    Barriers::SetUp();
    write_table(map_case("friction_fan_east")["table"]);
  }
};

TEST_F(BarrierBeforeSliders, CatchesAndIsBrokenThroughAsTheReferenceSaysAtAnyStep) {
  const Json& given = map_case("friction_fan_east")["barrier"];
  // Under all schemes of order 2 or more, which are exact here.
  for (const auto& [scheme, step] : {std::pair{"rk4", "0.01"},
                                     {"rk4", "0.25"},
                                     {"rk4", "4"},
                                     {"rk2_midpoint", "0.01"},
                                     {"rk2_heun", "0.25"},
                                     {"rk3", "0.25"},
                                     {"implicit_midpoint", "0.01"},
                                     {"implicit_midpoint", "0.25"}}) {
    SCOPED_TRACE(std::string(scheme) + ' ' + step);
    const scree::Run run = load(config(), {std::string("step=") + step, std::string("scheme=") + scheme});
    const Arm arm = mapped(run, mapped_engine(run));
    const BarrierFacts& facts = arm.barrier_facts[0];
    const GateTable& table = arm.barriers->tables()[0];
    const std::uint64_t caught = given["caught"], breached = given["breached"];
    EXPECT_EQ(facts.arrivals.crossed, caught + breached);
    EXPECT_EQ(facts.arrivals.n, run.samples);
    EXPECT_EQ(facts.caught.count, caught);
    EXPECT_EQ(facts.breached.count, breached);
    EXPECT_EQ(facts.overtopped.count, 0u);
    const StatusCounts& status = arm.statistics.status;
    EXPECT_EQ(status[static_cast<std::size_t>(Status::caught)], caught);
    EXPECT_EQ(status[static_cast<std::size_t>(Status::stopped)],
              given["stopped_before_or_beside"].get<std::uint64_t>() + breached);
    // Caught samples have no runout.
    EXPECT_EQ(arm.statistics.columns[static_cast<std::size_t>(arm.table.description->column("runout"))].n,
              run.samples - caught);

    // Places of some 20 m after at most 3000 steps, and a stop where the speed, a root of the energy left, is 0.
    for (const Json& row : given["after_breach"]) {
      const std::uint64_t sample = row["row"];
      EXPECT_EQ(ended(arm, sample), Status::stopped) << sample;
      EXPECT_NEAR(at(arm, "final_x", sample), row["final"][0], 1e-9) << sample;
      EXPECT_NEAR(at(arm, "final_y", sample), row["final"][1], 1e-9) << sample;
    }
    for (const Json& row : given["first_caught"]) {
      const std::uint64_t sample = row["row"];
      EXPECT_EQ(ended(arm, sample), Status::caught) << sample;
      const auto found = std::ranges::find(table.sample, sample);
      ASSERT_NE(found, table.sample.end()) << sample;
      const auto k = static_cast<std::size_t>(found - table.sample.begin());
      EXPECT_TRUE(table.has_passed(k, Passing::caught));
      EXPECT_EQ(table.column("crossings")[k], 1);
      EXPECT_NEAR(table.column("kinetic_energy")[k], row["specific_energy"], 1e-9) << sample;
      for (const auto& [axis, place] : {std::pair{"x", 0}, {"y", 1}}) {
        EXPECT_NEAR(table.column(axis)[k], row["at"][static_cast<std::size_t>(place)], 1e-9) << sample;
        // It is put behind the line by more than roundings, and no more.
        EXPECT_NEAR(at(arm, std::string("final_") + axis, sample), table.column(axis)[k], 1e-12) << sample;
      }
    }
    const auto first = std::ranges::find(arm.table.status, static_cast<std::uint32_t>(Status::caught));
    EXPECT_EQ(first - arm.table.status.begin(), given["first_caught"][0]["row"].get<std::ptrdiff_t>());
    // What the net takes is work that is done, of energies of some 100 J/kg.
    for (std::uint64_t sample = 0; sample < run.samples; ++sample)
      ASSERT_NEAR(at(arm, "energy_error", sample), 0, 1e-11) << sample;
    EXPECT_EQ(std::ranges::count(caught_by(arm), 0), static_cast<std::ptrdiff_t>(caught));
  }
}

/// Down a slope the energies of a straight way are those of the mechanics too.
TEST_F(Barriers, LeaveTheEnergyOfSlidersComplete) {
  const scree::Run run = load(
      "system = 'slider'\nscheme = 'rk4'\nsamples = 200\nstep = 0.05\nend = 60\n[terrain]\nkind = 'plane'\n"
      "slope = 20\n[slider]\nfriction = 0.6\n[start]\nposition = [0, 0]\n[vary]\nspeed = { uniform = [3, 15] }\n" +
      fence("a", "[[3, -5], [3, 5]]", "height = 1\ncapacity = 10") +
      fence("b", "[[6, 5], [6, -5]]", "height = 1\ncapacity = 20"));
  const Arm arm = mapped(run, mapped_engine(run));
  EXPECT_GT(arm.barrier_facts[0].caught.count, 10u);
  EXPECT_GT(arm.barrier_facts[1].caught.count, 10u);
  EXPECT_GT(arm.barrier_facts[1].breached.count, 10u);
  for (std::uint64_t sample = 0; sample < run.samples; ++sample)
    ASSERT_NEAR(at(arm, "energy_error", sample), 0, 1e-11) << sample;
}

TEST_F(BarrierBeforeSliders, IsInMapsThatAddUp) {
  const scree::Run run = load(config("[maps]\ncell = 1.5\nextent = [-1, -18, 26, 18]\n"));
  const Arm arm = mapped(run, mapped_engine(run));
  double deposits = 0, caught = 0;
  std::vector<std::string> names;
  for_each_map_layer(*arm.maps, *arm.table.description, terrain_of_maps(run), [&](const MapLayer& layer) {
    names.push_back(layer.name);
    for (const std::uint32_t count : layer.counts) {
      deposits += layer.name == "deposits" ? count : 0;
      caught += layer.name == "caught" ? count : 0;
    }
  });
  const StatusCounts& status = arm.statistics.status;
  EXPECT_EQ(caught, status[static_cast<std::size_t>(Status::caught)]);
  EXPECT_EQ(deposits + static_cast<double>(arm.maps->deposits_outside()),
            status[static_cast<std::size_t>(Status::stopped)]);
  EXPECT_EQ(deposits + caught + static_cast<double>(arm.maps->deposits_outside()), arm.maps->counted());
  EXPECT_EQ(*(std::ranges::find(names, "caught") - 1), "deposit_density");
  // Only where there are barriers.
  const scree::Run open = load(test::fan_config(map_case("friction_fan_east"), 0.31, 0.01, 30, "") +
                               "[maps]\ncell = 1.5\nextent = [-1, -18, 26, 18]\n");
  for (const MapLayer& layer : map_layers(open.model->description, open.maps)) EXPECT_NE(layer.name, "caught");
}

// Rocks in free flight, a parabola: a cube of 800 kg, which turns at a constant rate.

constexpr double mass = 800, edge = 0.7, gravity = 9.81;
constexpr double vx = 12, vy = 3, vz = 5, z0 = 50, spin_square = 1 + 4 + 0.25;
// Round-off of up to 1600 steps, see Gates.LocateFlightsOverABentLineAtAnyStep.
constexpr double round_off = 1600 * 0x1p-53;

/// Where it crosses a plane at x.
struct Flight {
  double time, y, z, vz, energy;
};
Flight flight_to(double x) {
  const double time = x / vx, fallen = vz - gravity * time;
  return {time, vy * time, z0 + vz * time - gravity * time * time / 2, fallen,
          mass * (vx * vx + vy * vy + fallen * fallen) / 2 + mass * edge * edge / 6 * spin_square / 2};
}
std::string rock_text(const std::string& more) {
  return "system = 'rock'\nscheme = 'implicit'\nsamples = 1\nstep = 0.01\nend = 3\n[terrain]\nkind = 'plane'\n"
         "slope = 0\n[[shape]]\nkind = 'cuboid'\nsize = [0.7, 0.7, 0.7]\nmass = 800\n[start]\nposition = [0, 0, 50]\n"
         "velocity = [12, 3, 5]\nomega = [1, 2, 0.5]\n" +
         more;
}
const std::string across = "[[10, 20], [10, -20]]";

class BarrierBeforeRocks : public Barriers {
 protected:
  /// Of the only sample, what became of it at the barriers.
  Arm flown(const std::string& more, const std::string& step = "0.01", const std::string& scheme = "implicit") const {
    const scree::Run run = load(rock_text(more), {"step=" + step, "scheme=" + scheme});
    return mapped(run, mapped_engine(run));
  }
  static std::string passed(const Arm& arm, std::size_t barrier) {
    std::string text;
    const GateTable& table = arm.barriers->tables()[barrier];
    for (const PassingName& passing : passing_names)
      if (!table.sample.empty() && table.has_passed(0, passing.passing)) text += std::string(passing.name) + ' ';
    return text;
  }
};

TEST_F(BarrierBeforeRocks, LetsPassWhatIsHigherByTheMargin) {
  const Flight here = flight_to(10);
  for (const char* step : {"0.002", "0.01", "0.16"})
    for (const double margin : {0.0, 0.5, -0.5})
      for (const double foot : {std::nan(""), 48.0})
        for (const bool higher : {false, true}) {
          SCOPED_TRACE(std::string(step) + ' ' + number_text(margin) + ' ' + number_text(foot));
          const double above = (std::isnan(foot) ? here.z : here.z - foot) + margin;
          const Arm arm = flown(
              fence("net", across,
                    "height = " + number_text(above + (higher ? -1e-9 : 1e-9)) + "\nmargin = " + number_text(margin) +
                        (std::isnan(foot) ? "" : "\nbase = " + number_text(foot))),
              step);
          EXPECT_EQ(passed(arm, 0), higher ? "overtopped " : "caught ");
          EXPECT_EQ(ended(arm, 0), higher ? Status::end_time : Status::caught);
          const GateTable& table = arm.barriers->tables()[0];
          EXPECT_NEAR(table.column("z")[0], here.z, 300 * round_off);
          EXPECT_NEAR(table.column("height")[0], here.z, 300 * round_off);
          EXPECT_NEAR(table.column("kinetic_energy")[0], here.energy, 4e5 * round_off);
          if (higher) continue;
          EXPECT_NEAR(at(arm, "final_x", 0), 10, 300 * round_off);
          EXPECT_NEAR(at(arm, "final_y", 0), here.y, 300 * round_off);
          EXPECT_NEAR(at(arm, "final_z", 0), here.z, 300 * round_off);
        }
}

TEST_F(BarrierBeforeRocks, TakesItsCapacityAndTheRestOfTheStep) {
  const Flight here = flight_to(10);
  const double keep = 0.6;
  const std::string net =
      fence("net", across, "height = 90\ncapacity = " + number_text((1 - keep * keep) * here.energy));
  for (const auto& [scheme, step] : {std::pair{"implicit", "0.002"},
                                     {"implicit", "0.01"},
                                     {"implicit", "0.16"},
                                     {"implicit_cay", "0.01"},
                                     {"explicit", "0.01"},
                                     {"rk4", "0.16"}}) {
    SCOPED_TRACE(std::string(scheme) + ' ' + step);
    const Arm arm = flown(net + "[[gate]]\nname = 'behind'\nline = [[16, 20], [16, -20]]\n", step, scheme);
    EXPECT_EQ(passed(arm, 0), "breached ");
    EXPECT_EQ(ended(arm, 0), Status::end_time);
    const double h = std::stod(step), on = 6 / (keep * vx), fallen = keep * here.vz - gravity * on;
    const GateTable& gate = arm.gates->tables()[0];
    ASSERT_EQ(gate.sample.size(), 1u);
    // The clock is that of the end of the step in which the net gave way.
    EXPECT_NEAR(gate.column("time")[0], std::ceil(here.time / h) * h + on, 3 * round_off);
    EXPECT_NEAR(gate.column("y")[0], here.y + keep * vy * on, 300 * round_off);
    EXPECT_NEAR(gate.column("z")[0], here.z + keep * here.vz * on - gravity * on * on / 2, 300 * round_off);
    EXPECT_NEAR(gate.column("vx")[0], keep * vx, 30 * round_off);
    EXPECT_NEAR(gate.column("vy")[0], keep * vy, 30 * round_off);
    EXPECT_NEAR(gate.column("vz")[0], fallen, 30 * round_off);
    EXPECT_NEAR(gate.column("rotation")[0], keep * std::sqrt(spin_square), 30 * round_off);
  }
}

/// What the barrier holds exactly it holds, and nothing less.
TEST_F(BarrierBeforeRocks, HoldsUpToItsCapacity) {
  const double energy = flight_to(10).energy;
  for (const double more : {-1e-3, 1e-3})
    EXPECT_EQ(passed(flown(fence("net", across, "height = 90\ncapacity = " + number_text(energy + more))), 0),
              more > 0 ? "caught " : "breached ");
  EXPECT_EQ(passed(flown(fence("wall", across, "height = 90")), 0), "caught ");
  EXPECT_EQ(passed(flown(fence("paper", across, "height = 90\ncapacity = 0")), 0), "breached ");
}

TEST_F(BarrierBeforeRocks, MayStandOnAnother) {
  const Flight here = flight_to(10);
  const std::string weak = "capacity = " + number_text(here.energy / 2);
  const auto wall = [&](double top) { return fence("wall", across, "height = " + number_text(top)); };
  const auto net = [&](double top) { return fence("net", across, "height = " + number_text(top) + '\n' + weak); };
  for (const char* step : {"0.01", "0.16"}) {
    SCOPED_TRACE(step);
    // Over the wall and through the net, whichever is named first.
    for (const bool wall_first : {true, false}) {
      const Arm arm = flown(wall_first ? wall(here.z - 1) + net(here.z + 1) : net(here.z + 1) + wall(here.z - 1), step);
      EXPECT_EQ(passed(arm, wall_first ? 0 : 1), "overtopped ");
      EXPECT_EQ(passed(arm, wall_first ? 1 : 0), "breached ");
      EXPECT_EQ(ended(arm, 0), Status::end_time);
      EXPECT_NEAR(arm.barriers->tables()[wall_first ? 1 : 0].column("kinetic_energy")[0], here.energy, 4e5 * round_off);
    }
    // Below the top of the wall it is met first that is named first.
    const Arm first = flown(wall(here.z + 1) + net(here.z + 2), step),
              last = flown(net(here.z + 2) + wall(here.z + 1), step);
    EXPECT_EQ(passed(first, 0), "caught ");
    EXPECT_EQ(passed(first, 1), "");
    EXPECT_EQ(passed(last, 0), "breached ");
    EXPECT_EQ(passed(last, 1), "caught ");
    EXPECT_EQ(ended(last, 0), Status::caught);
    EXPECT_NEAR(last.barriers->tables()[1].column("kinetic_energy")[0], here.energy / 2, 4e5 * round_off);
    EXPECT_EQ(caught_by(last), std::vector<std::int32_t>{1});
    // Neither is as high as it flies.
    const Arm over = flown(wall(here.z - 2) + net(here.z - 1), step);
    EXPECT_EQ(passed(over, 0), "overtopped ");
    EXPECT_EQ(passed(over, 1), "overtopped ");
    EXPECT_EQ(caught_by(over), std::vector<std::int32_t>{-1});
  }
}

/// The line goes around the release like a U, so that a rock that passes above its one side falls against the other;
/// with a step of 1 s within one.
TEST_F(BarrierBeforeRocks, MayBeMetAgain) {
  const Flight there = flight_to(10), back = flight_to(20);
  const std::string around = "[[10, 20], [10, -20], [20, -20], [20, 20]]";
  const double between = (there.z + back.z) / 2;
  ASSERT_GT(there.z, between + 1);
  for (const char* step : {"0.01", "0.16", "1"}) {
    SCOPED_TRACE(step);
    const Arm arm = flown(fence("net", around, "height = " + number_text(between)), step);
    EXPECT_EQ(passed(arm, 0), "overtopped caught ");
    EXPECT_EQ(ended(arm, 0), Status::caught);
    const GateTable& table = arm.barriers->tables()[0];
    EXPECT_EQ(table.column("crossings")[0], 2);
    EXPECT_NEAR(table.column("z")[0], there.z, 300 * round_off);
    EXPECT_NEAR(table.column("kinetic_energy_max")[0], back.energy, 4e5 * round_off);
    EXPECT_NEAR(at(arm, "final_x", 0), 20, 300 * round_off);
    EXPECT_NEAR(at(arm, "final_z", 0), back.z, 300 * round_off);
    const BarrierFacts& facts = arm.barrier_facts[0];
    EXPECT_EQ(facts.arrivals.crossed, 1u);
    EXPECT_EQ(facts.caught.count, 1u);
    EXPECT_EQ(facts.overtopped.count, 1u);
  }
  // Once it is down it is so on both sides.
  const Arm arm = flown(fence("net", around, "height = 90\ncapacity = 1"));
  EXPECT_EQ(passed(arm, 0), "breached ");
  EXPECT_EQ(arm.barriers->tables()[0].column("crossings")[0], 1);
}

/// With what is behind it in the same step or without: the way there is the same.
TEST_F(BarrierBeforeRocks, LeavesAGateBeforeItWhatItSees) {
  const std::string gate =
      "[[gate]]\nname = 'g'\nline = [[9.9, 20], [9.9, -20]]\n[maps]\ncell = 0.5\nextent = [-1, -9, 40, 9]\n";
  for (const char* step : {"0.01", "0.16", "3"}) {
    SCOPED_TRACE(step);
    const Arm with = flown(fence("net", across, "height = 90\ncapacity = 3e4") + gate, step),
              without = flown(gate, step);
    for (std::size_t c = 0; c < gate_column_count; ++c)
      EXPECT_NEAR(with.gates->tables()[0].columns[c][0], without.gates->tables()[0].columns[c][0], 4e5 * round_off)
          << gate_columns[c].name;
    EXPECT_NEAR(with.gates->tables()[0].column("time")[0], 9.9 / vx, 3 * round_off);
  }
}

/// Whichever way either line is drawn.
TEST_F(BarrierBeforeRocks, ShowsLinesInItsPlaceWhatArrives) {
  const std::string line = "[[10.3, 20], [9.6, -20]]", back = "[[9.6, -20], [10.3, 20]]";
  for (const std::string& of_barrier : {line, back})
    for (const char* step : {"0.01", "0.16", "3"}) {
      SCOPED_TRACE(of_barrier + " step " + step);
      const Arm arm = flown(fence("net", of_barrier, "height = 90\ncapacity = 3e4") + fence("low", line, "height = 1") +
                                fence("also low", back, "height = 1") + "[[gate]]\nname = 'a'\nline = " + line +
                                "\n[[gate]]\nname = 'b'\nline = " + back + "\n",
                            step);
      const double energy = arm.barriers->tables()[0].column("kinetic_energy")[0];
      EXPECT_EQ(passed(arm, 0), "breached ");
      for (const GateTable* table : {&arm.gates->tables()[0], &arm.gates->tables()[1], &arm.barriers->tables()[0],
                                     &arm.barriers->tables()[1], &arm.barriers->tables()[2]}) {
        ASSERT_EQ(table->sample.size(), 1u);
        EXPECT_EQ(table->column("crossings")[0], 1);
        const bool is_low = table == &arm.barriers->tables()[1] || table == &arm.barriers->tables()[2];
        // Which of lines in one place is met first, of which the later ones have what it has left, roundings may say.
        if (!is_low) {
          EXPECT_NEAR(table->column("kinetic_energy")[0], energy, 4e5 * round_off);
        }
      }
    }
}

/// On a dome the velocity does not change evenly within a step: energy is no further off than the scheme itself is.
TEST_F(Barriers, HaveTheEnergyOfSlidersOnCurvedGround) {
  for (const char* step : {"0.1", "0.05", "0.01"}) {
    const scree::Run run = load(
        "system = 'slider'\nscheme = 'rk4'\nsamples = 1\nstep = 0.1\nend = 20\n[terrain]\nkind = 'dome'\nradius = 10\n"
        "[start]\nposition = [0.5, 0.1]\n" +
            fence("net", "[[6, 9], [6.3, -9]]", "height = 1"),
        {std::string("step=") + step});
    const Arm arm = mapped(run, mapped_engine(run));
    const GateTable& table = arm.barriers->tables()[0];
    ASSERT_EQ(table.sample.size(), 1u);
    const double x = table.column("x")[0], y = table.column("y")[0], z = table.column("z")[0];
    // The level is the top of the dome.
    EXPECT_NEAR(z, std::sqrt(100 - x * x - y * y) - 10, 1e-13);
    const double energy = table.column("kinetic_energy")[0] + gravity * z;
    EXPECT_LE(std::fabs(energy - at(arm, "energy_start", 0)), std::fabs(at(arm, "energy_error", 0)) + 1e-12) << step;
    // Of a scheme of order 4.
    EXPECT_LT(std::fabs(at(arm, "energy_error", 0)), 2 * std::pow(run.spec.world.step, 4)) << step;
  }
}

/// Also where a step ends on the line, to the last bit, and for lines of very different lengths.
TEST_F(Barriers, InOnePlaceAreAllMet) {
  const std::string up = "[[10, -20], [10, 20]]", down = "[[10, 20], [10, -20]]", far = "[[10, -2e5], [10, 2e5]]",
                    tiny = "[[10, -0.5], [10, 0.5]]", cross = "[[9.5, -0.5], [10.5, 0.5]]";
  const std::string lines[] = {up, down, far, tiny, cross};
  for (const std::string& one : lines)
    for (const std::string& other : lines)
      for (const char* step : {"0.1", "0.125", "0.25", "0.5", "0.07", "4"}) {
        SCOPED_TRACE(one + " and " + other + ", step " + step);
        const scree::Run run = load(
            "system = 'slider'\nscheme = 'rk4'\nsamples = 1\nstep = 0.1\nend = 4\n[terrain]\nkind = 'plane'\n"
            "slope = 0\n[start]\nposition = [0, 0]\nvelocity = [10, 0]\n" +
                fence("a", one, "height = 1\ncapacity = 5") + fence("b", other, "height = 1\ncapacity = 7"),
            {std::string("step=") + step});
        const Arm arm = mapped(run, mapped_engine(run));
        EXPECT_EQ(arm.barrier_facts[0].breached.count, 1u);
        EXPECT_EQ(arm.barrier_facts[1].breached.count, 1u);
        for (const GateTable& table : arm.barriers->tables()) EXPECT_EQ(table.column("crossings")[0], 1);
        EXPECT_NEAR(at(arm, "energy_end", 0), 50 - 5 - 7, 50 * 400 * 0x1p-53);
      }
}

/// Places whose coordinates are 0 have no roundings of their own.
TEST_F(Barriers, ShowAGateInTheirPlaceWhatArrivesAtTheOriginToo) {
  const std::string slider =
      "system = 'slider'\nscheme = 'rk4'\nsamples = 1\nstep = 0.1\nend = 4\n[terrain]\nkind = 'plane'\nslope = 0\n"
      "[start]\nposition = [-5, 0]\nvelocity = [10, 0]\n";
  for (const char* line :
       {"[[0, 9], [0, -9]]", "[[0, -9], [0, 9]]", "[[3, 9], [-3, -9]]", "[[-3, -9], [3, 9]]", "[[-1, 0.3], [1, -0.3]]"})
    for (const char* step : {"0.1", "0.07", "4"}) {
      const scree::Run run =
          load(slider + fence("net", line, "height = 1\ncapacity = 20") + "[[gate]]\nname = 'g'\nline = " + line + "\n",
               {std::string("step=") + step});
      const Arm arm = mapped(run, mapped_engine(run));
      ASSERT_EQ(arm.gates->tables()[0].sample.size(), 1u) << line << " step " << step;
      EXPECT_EQ(arm.gates->tables()[0].column("crossings")[0], 1) << line;
      EXPECT_NEAR(arm.gates->tables()[0].column("kinetic_energy")[0], 50, 1e-12) << line;
      EXPECT_NEAR(at(arm, "energy_end", 0), 30, 1e-12) << line;
    }
}

// A dome of 10 m holds no slider from rest beyond sqrt(5) / 3 of its radius, 7.45 m; these start up to 45 degrees off
// x.

TEST_F(Barriers, AreNotReachedByAMassThatLiftsOffBefore) {
  const std::string dome =
      "system = 'slider'\nscheme = 'rk4'\nsamples = 200\nstep = 0.05\nend = 20\n[terrain]\nkind = 'dome'\nradius = 10\n"
      "[slider]\nmode = 'unilateral_stop'\n[vary]\n'position.x' = { uniform = [0.5, 2] }\n"
      "'position.y' = { uniform = [-0.5, 0.5] }\n";
  for (const char* step : {"0.05", "0.005"}) {
    SCOPED_TRACE(step);
    const scree::Run beyond = load(dome + fence("net", "[[7.6, 9], [7.6, -9]]", "height = 1"),
                                   {std::string("step=") + step}),
                     before =
                         load(dome + fence("net", "[[4, 9], [4, -9]]", "height = 1"), {std::string("step=") + step});
    const Arm off = mapped(beyond, mapped_engine(beyond)), caught = mapped(before, mapped_engine(before));
    for (std::uint64_t i = 0; i < 200; ++i) {
      EXPECT_EQ(ended(off, i), Status::lifted_off) << i;
      EXPECT_LT(at(off, "final_x", i), 7.6) << i;
      EXPECT_EQ(ended(caught, i), Status::caught) << i;
    }
  }
}

// The same bits.

/// Rocks that bounce down a ramp through or over a low net, against a wall that some pass above, between two gates.
const std::string barred_rocks =
    "system = 'rock'\nscheme = 'implicit'\nsamples = 120\nstep = 0.005\nend = 12.0\n[terrain]\nkind = 'ramp'\n"
    "slope = 40\nheight = 40\n[rock]\nground = 'medium'\n[[shape]]\nkind = 'eota'\nsize = [1, 1, 1]\nmass = 700\n"
    "[start]\nposition = [0, 0]\ngap = 2\n[vary]\norientation = 'uniform'\n[[gate]]\nname = 'bent'\n"
    "line = [[20, 30], [24, 0], [20, -30]]\n[[barrier]]\nname = 'net'\nline = [[26, -20], [26.5, 0], [26, 20]]\n"
    "height = 1\ncapacity = 30e3\n[[barrier]]\nname = 'wall'\nline = [[40, -20], [40, 20]]\nheight = 2\n"
    "margin = 0.5\n[[gate]]\nname = 'behind'\nline = [[45, 30], [45, -30]]\n";
/// Sliders that cross the middle of a bowl again and again, and break through a net there once.
const std::string barred_sliders =
    "system = 'slider'\nscheme = 'rk4'\nsamples = 60\nstep = 0.02\nend = 30.0\n[terrain]\nkind = 'bowl'\n"
    "radius = 20\n[slider]\nfriction = 0.01\n[vary]\n'position.x' = { uniform = [-8, -2] }\n"
    "'position.y' = { uniform = [-3, 3] }\n[[barrier]]\nname = 'middle'\nline = [[0, 9], [0, -9]]\nheight = 1\n"
    "capacity = 4\n[[barrier]]\nname = 'east'\nline = [[2.5, 9], [2.5, -9]]\nheight = 1\ncapacity = 3\n";
const std::string maps = "[maps]\ncell = 1\nextent = [-10, -10, 50, 10]\n";

class EveryBarrier : public Barriers, public testing::WithParamInterface<const std::string*> {};

TEST_P(EveryBarrier, HasTheSameBitsFromEveryBackend) {
  const scree::Run run = load(*GetParam() + maps);
  const Arm first = mapped(run, mapped_engine(run, "scalar"));
  for (const BarrierFacts& facts : first.barrier_facts) EXPECT_GT(facts.arrivals.crossed, 10u);
  EXPECT_GT(first.barrier_facts[0].breached.count, 10u);
  EXPECT_GT(first.statistics.status[static_cast<std::size_t>(Status::caught)], 10u);
  const auto expect_same = [&](const Arm& arm, const std::string& name) {
    EXPECT_EQ(arm.digest, first.digest) << name;
    EXPECT_EQ(arm.barriers->digest(), first.barriers->digest()) << name;
    EXPECT_EQ(arm.maps->digest(), first.maps->digest()) << name;
    if (first.gates) {
      EXPECT_EQ(arm.gates->digest(), first.gates->digest()) << name;
    }
  };
  test::on_every_cpu_backend(run, {1, 2, 7}, expect_same);
  // From the samples that a shorter run had finished.
  const scree::Run part = load(*GetParam() + maps, {"samples=17"});
  expect_same(mapped(run, mapped_engine(run), mapped(part, mapped_engine(part))), "extended");
  // Without maps, and without gates: they only look.
  const scree::Run bare = load(*GetParam());
  const Arm unseen = mapped(bare, mapped_engine(bare));
  EXPECT_EQ(unseen.digest, first.digest);
  EXPECT_EQ(unseen.barriers->digest(), first.barriers->digest());
  scree::Run without = bare;
  without.gates.clear();
  const Arm alone = mapped(without, mapped_engine(without));
  EXPECT_EQ(alone.digest, first.digest);
  EXPECT_EQ(alone.barriers->digest(), first.barriers->digest());
}

TEST_P(EveryBarrier, StopsReplayedSamplesWhereItStopsThoseOfTheRun) {
  const scree::Run run = load(*GetParam());
  const Arm arm = mapped(run, mapped_engine(run));
  const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  const Description& description = run.model->description;
  const std::vector<std::int32_t> by = caught_by(arm);
  for (std::uint64_t sample = 0; sample < run.samples; ++sample) {
    EXPECT_EQ(by[sample] >= 0, ended(arm, sample) == Status::caught) << sample;
    const ReplayResult again = run.model->replay(ensemble.data(), description.scheme(run.schemes[0]), sample, 1,
                                                 [](std::span<const double>) {});
    EXPECT_EQ(differences(arm, sample, description, again), "") << sample;
  }
}

/// What breaks through has lost the capacity, and meets the barrier no more.
TEST_P(EveryBarrier, IsArrivedAtOnceByWhatDoesNotPassAbove) {
  const scree::Run run = load(*GetParam());
  const Arm arm = mapped(run, mapped_engine(run));
  for (std::size_t b = 0; b < run.barriers.size(); ++b) {
    const GateTable& table = arm.barriers->tables()[b];
    const Barrier& barrier = run.barriers[b].barrier;
    for (std::size_t row = 0; row < table.sample.size(); ++row) {
      const double energy = table.column("kinetic_energy")[row], height = table.column("height")[row];
      EXPECT_EQ(table.has_passed(row, Passing::overtopped), height + barrier.margin > barrier.height) << row;
      if (table.has_passed(row, Passing::overtopped)) continue;
      EXPECT_EQ(table.has_passed(row, Passing::caught), energy <= barrier.capacity) << row;
      EXPECT_NE(table.has_passed(row, Passing::caught), table.has_passed(row, Passing::breached)) << row;
      EXPECT_EQ(table.column("crossings")[row], 1) << row;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, EveryBarrier, testing::Values(&barred_rocks, &barred_sliders),
                         [](const auto& info) { return std::string(info.index == 0 ? "rock" : "slider"); });

}  // namespace
}  // namespace scree
