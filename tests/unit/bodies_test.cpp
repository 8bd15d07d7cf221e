// Systems of several bodies: lists in the config, capacities, draws of the system's own, samples without a start.
#include <cmath>
#include <vector>

#include "host/commands/init.hpp"
#include "host/engine/execute.hpp"
#include "host/model/make_model.hpp"
#include "kernels/cpu_pack.hpp"
#include "kernels/cpu_replay.hpp"
#include "kernels/cpu_scalar.hpp"
#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int most_marbles = 6;

template <class Real>
struct MarblesParams {
  Real marbles, noise;
  List<Real, most_marbles> mass;
};
template <class Real>
struct MarblesStart {
  List<Vec2<Real>, most_marbles> position;
  List<Real, most_marbles> spin;
};
template <class Real>
struct MarblesSummary {
  Real momentum, capacity, noise, steps;
};
template <class Real>
struct MarblesTrack {
  Real time;
  List<Real, most_marbles> x;
};

struct Drift {
  static constexpr const char* name = "drift";
  static constexpr const char* meaning = "each marble moves by its spin";
};

/// Marbles that do not meet: x_i moves at the rate spin_i.
template <class Real, int most>
struct MarblesOf {
  using Capacities = CapacityList<2, most_marbles>;
  template <int n>
  struct Sized {
    template <class R>
    using System = MarblesOf<R, n>;
  };
  static int bodies(const MarblesParams<double>& params) { return static_cast<int>(params.marbles); }

  using Schemes = SchemeList<Drift>;
  using Params = MarblesParams<Real>;
  using Start = MarblesStart<Real>;
  using Summary = MarblesSummary<Real>;
  using Track = MarblesTrack<Real>;

  template <class Table>
  static void describe(Table& table) {
    table.system("marbles", "marbles that do not meet");
    table.count("marbles", &Params::marbles, 2.0, most_marbles, "how many");
    table.param("noise", &Params::noise, "m", 0.0, non_negative, "largest shift of the first marble");
    table.param("mass", &Params::mass, "kg", 1.0, positive, "of a marble");
    table.start("position", &Start::position, "m", Vec2<double>{1, 2}, any_value, "of a marble");
    table.start("spin", &Start::spin, "m/s", 0.5, any_value, "of a marble");
    table.column("momentum", &Summary::momentum, "kg m/s", "sum of mass times spin");
    table.column("capacity", &Summary::capacity, "1", "marbles that a lane has room for");
    table.column("noise", &Summary::noise, "m", "shift of the first marble");
    table.column("steps", &Summary::steps, "1", "steps taken");
    table.track("time", &Track::time, "s", "now");
    table.track("x", &Track::x, "m", "place");
  }
  static Mistake mistake(const World&, const Sample<MarblesOf>& sample) {
    if (sample.params.noise > 5) return {"noise must be <=", 5, "m"};
    return nullptr;
  }

  struct Lane {
    Real marbles, shift, steps, status;
    Real x[most], mass[most], spin[most];
  };
  static Lane prepare(const World&, const Sample<MarblesOf>& sample) {
    Lane lane{};
    lane.marbles = sample.params.marbles;
    DrawStream draws = sample.draws;
    lane.shift = sample.params.noise * Real(draws.uniform());
    for (int i = 0; i < highest(lane.marbles); ++i) {
      lane.x[i] = sample.start.position[i].x + (i == 0 ? lane.shift : Real(0.0));
      lane.mass[i] = sample.params.mass[i];
      lane.spin[i] = sample.start.spin[i];
    }
    lane.status = select(lane.shift > Real(4.5), Real(static_cast<double>(Status::not_placed)), Real(running));
    return lane;
  }
  template <class Scheme>
  static void begin(const World& world, Lane& lane) {
    for (int i = 0; i < highest(lane.marbles); ++i) lane.x[i] = fma(Real(world.step), lane.spin[i], lane.x[i]);
  }
  template <class Scheme>
  static void finish(const World& world, Lane& lane) {
    lane.steps = lane.steps + Real(1.0);
    end_where<Real>(lane, Status::end_time, time_is_up(world, lane.steps));
  }
  static Summary summarize(const World&, const Lane& lane) {
    Real momentum = Real(0.0);
    for (int i = 0; i < highest(lane.marbles); ++i) momentum = fma(lane.mass[i], lane.spin[i], momentum);
    return {momentum, Real(static_cast<double>(most)), lane.shift, lane.steps};
  }
  static Track track(const World& world, const Lane& lane) {
    Track row{Real(world.step) * lane.steps, {}};
    for (int i = 0; i < highest(lane.marbles); ++i) row.x[i] = lane.x[i];
    return row;
  }
};
template <class Real>
using Marbles = MarblesOf<Real, most_marbles>;

/// The same, kept out of packs.
template <class Real>
struct Loners : MarblesOf<Real, most_marbles> {
  static constexpr bool packs = false;
  template <int n>
  struct Sized {
    template <class R>
    using System = Loners<R>;
  };
};

void never(const Job&) { FAIL() << "asked for a kernel that should not be offered"; }

const Model& marbles() {
  static const Model model =
      make_model<Marbles>({"marbles", {&run_scalar<Marbles>}, {&run_pack<Marbles>}, nullptr, {&replay<Marbles>}});
  return model;
}
const Model& loners() {
  static const Model model = make_model<Loners>({"loners", {&run_scalar<Loners>}, {&never, &never, &never}, nullptr});
  return model;
}
const Model* find_marbles(std::string_view system) { return system == "marbles" ? &marbles() : find_model(system); }

const std::string marbles_top = "system = 'marbles'\nscheme = 'drift'\nsamples = 10\nstep = 0.1\nend = 1.0\n";

class Bodies : public test::ConfigFixture {
 protected:
  Bodies() : ConfigFixture(&find_marbles) {}

  /// What describe() calls `name`, in sample `sample`: of a list all that there is room for.
  static std::vector<double> value(const Run& run, const std::string& name, std::uint64_t sample = 0) {
    const Description& d = run.model->description;
    const std::vector<double> values = drawn(run, sample);
    const auto find = [&](const std::vector<Quantity>& quantities, std::size_t first) {
      for (const Quantity& q : quantities)
        if (q.name == name) {
          const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first) + q.offset;
          return std::vector<double>(begin, begin + q.width * std::max(q.most, 1));
        }
      return std::vector<double>{};
    };
    const std::vector<double> param = find(d.params, 0);
    return param.empty() ? find(d.starts, d.param_doubles) : param;
  }

  SummaryTable run_with(const Run& run, Kernel kernel) {
    SummaryTable table;
    table.description = &run.model->description;
    table.samples = run.samples;
    table.values.resize(run.samples * table.description->columns.size());
    table.status.resize(run.samples);
    const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
    Control control;
    kernel({ensemble.data(), run.spec.tables.size(), 0, 0, run.samples, table.values.data(), run.samples,
            table.status.data(), 2, 0, 0, &control});
    return table;
  }
};

TEST_F(Bodies, HaveOneValueForAllOrAListOfTheirOwn) {
  const Run standard = load(marbles_top);
  EXPECT_THAT(value(standard, "mass"), ElementsAre(1, 1, 1, 1, 1, 1));
  EXPECT_THAT(value(standard, "position"), ElementsAre(1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2));
  const Run run =
      load(marbles_top +
           "[marbles]\nmarbles = 3\nmass = 2\n[start]\nspin = [7, 8, 9]\nposition = [[3, 4], [5, 6], [7, 8]]\n");
  EXPECT_THAT(value(run, "mass"), ElementsAre(2, 2, 2, 1, 1, 1));
  EXPECT_THAT(value(run, "spin"), ElementsAre(7, 8, 9, 0.5, 0.5, 0.5));
  EXPECT_THAT(value(run, "position"), ElementsAre(3, 4, 5, 6, 7, 8, 1, 2, 1, 2, 1, 2));
  EXPECT_THAT(value(load(marbles_top + "[start]\nposition = [3, 4]\n"), "position"),
              ElementsAre(3, 4, 3, 4, 1, 2, 1, 2, 1, 2, 1, 2));
}

TEST_F(Bodies, AreDrawnEachAnew) {
  const Run run =
      load(marbles_top +
           "[marbles]\nmarbles = 3\n[vary]\n'start.spin' = { uniform = [0, 1] }\n"
           "'start.position' = { polygon = [[0, 0], [1, 0], [1, 1]] }\n'marbles.mass[2]' = { choice = [5, 6] }\n");
  const std::vector<double> spin = value(run, "spin", 4), position = value(run, "position", 4);
  // Draw d of variation v is number 2^16 v + d; variations count in the order of what they set.
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(spin[static_cast<std::size_t>(i)], uniform(1, 4, (2u << 16) + static_cast<unsigned>(i)));
  EXPECT_NE(position[0], position[2]);
  EXPECT_NE(position[2], position[4]);
  EXPECT_GE(value(run, "mass", 4)[2], 5);
  EXPECT_EQ(value(run, "mass", 4)[1], 1);
  const Run one = load(
      marbles_top + "[vary]\n'start.spin[1]' = { uniform = [3, 4] }\n'start.position[0].y' = { uniform = [8, 9] }\n");
  EXPECT_EQ(value(one, "spin", 2)[0], 0.5);
  EXPECT_GE(value(one, "spin", 2)[1], 3);
  EXPECT_GE(value(one, "position", 2)[1], 8);
  EXPECT_EQ(value(one, "position", 2)[3], 2);
  const Run along = load(marbles_top + "[vary]\n'start.position.y' = { uniform = [8, 9] }\n");
  EXPECT_GE(value(along, "position", 2)[3], 8);
  EXPECT_EQ(value(along, "position", 2)[2], 1);
}

TEST_F(Bodies, OfAWrongNumberAreRefused) {
  EXPECT_EQ(mistake(marbles_top + "[marbles]\nmarbles = 3\nmass = [1, 2]\n"),
            "2: x.toml:8: marbles.mass = [1, 2], must be a number for all bodies, or a list of 3 of them (kg)");
  EXPECT_EQ(mistake(marbles_top + "[start]\nposition = [1, 2, 3]\n"),
            "2: x.toml:7: start.position = [1, 2, 3], must be a list of 2 numbers (m)");
  EXPECT_EQ(mistake(marbles_top + "[start]\nposition = [[1, 2]]\n"),
            "2: x.toml:7: start.position = [[1, 2]], must be a list of 2 numbers for all bodies, or a list of 2 of "
            "them (m)");
  EXPECT_EQ(mistake(marbles_top + "[marbles]\nmass = [1, -2]\n"), "2: x.toml:7: marbles.mass = -2, must be > 0 (kg)");
  EXPECT_EQ(mistake(marbles_top + "[marbles]\nmarbles = 7\n"),
            "2: x.toml:7: marbles.marbles = 7, must be a whole number >= 1 and <= 6");
  EXPECT_EQ(mistake(marbles_top + "[marbles]\nmarbles = 0\n"),
            "2: x.toml:7: marbles.marbles = 0, must be a whole number >= 1");
  EXPECT_EQ(mistake(marbles_top + "[vary]\n'marbles.marbles' = { choice = [1, 2] }\n"),
            "2: x.toml:7: marbles.marbles is the number of bodies, which is the same in all samples: it cannot vary");
  EXPECT_EQ(mistake(marbles_top + "[vary]\n'start.spin[2]' = { uniform = [1, 2] }\n"),
            "2: x.toml:7: unknown key vary.start.spin[2], did you mean start.spin?");
  EXPECT_EQ(mistake(marbles_top + "[marbles]\nnoise = 6.5\n"),
            "2: x.toml:7: marbles: noise must be <= 5 (m), in sample 0");
  write("s.csv", "spin\n1\n");
  EXPECT_EQ(mistake(marbles_top + "[vary]\nspin = { table = 's.csv' }\n"),
            "2: x.toml:7: start.spin has a value for each body, and a table gives one per sample: name a body, as "
            "spin[0]");
}

TEST_F(Bodies, TakeColumnsOfATableOfStartsOneByOne) {
  write("s.csv", "spin[0],a\n3,4\n5,6\n");
  const Run run = load(marbles_top + "[start]\ntable = 's.csv'\n");
  EXPECT_EQ(value(run, "spin", 1)[0], 5);
  EXPECT_EQ(value(run, "spin", 1)[1], 0.5);
}

TEST_F(Bodies, UseTheSmallestCapacityThatHoldsThem) {
  for (const auto& [count, capacity] : {std::pair{1, 2}, {2, 2}, {3, most_marbles}, {6, most_marbles}}) {
    const Run run = load(marbles_top + "[marbles]\nmarbles = " + std::to_string(count) +
                         "\nmass = 2.0\n[vary]\n'start.spin' = { normal = [0, 1] }\n");
    const SummaryTable scalar = run_with(run, &run_scalar<Marbles>), pack = run_with(run, &run_pack<Marbles>);
    EXPECT_EQ(scalar.values, pack.values);
    EXPECT_EQ(scalar.at(1, 0), capacity) << count;
    double momentum = 0;
    for (int i = 0; i < count; ++i)
      momentum = std::fma(2, value(run, "spin", 9)[static_cast<std::size_t>(i)], momentum);
    EXPECT_EQ(scalar.at(0, 9), momentum);
  }
}

TEST_F(Bodies, MayHaveNoStartAndEndAtOnce) {
  const Run run = load(marbles_top + "[marbles]\nnoise = 5.0\n", {"samples=200"});
  const SummaryTable scalar = run_with(run, &run_scalar<Marbles>), pack = run_with(run, &run_pack<Marbles>);
  EXPECT_EQ(scalar.status, pack.status);
  EXPECT_EQ(scalar.values, pack.values);
  int without = 0;
  for (std::uint64_t i = 0; i < run.samples; ++i) {
    // The system's own draws do not collide with those of variations, which are below 2^16 times their largest number.
    EXPECT_EQ(scalar.at(2, i), 5 * uniform(1, i, std::uint64_t{1} << 32));
    const bool none = scalar.at(2, i) > 4.5;
    EXPECT_EQ(scalar.at(3, i), none ? 0 : 10);
    EXPECT_EQ(static_cast<Status>(scalar.status[i]), none ? Status::not_placed : Status::end_time);
    without += none;
  }
  EXPECT_GT(without, 0);
}

TEST_F(Bodies, ShowTheTrackOfThoseThatThereAre) {
  const Run run = load(marbles_top + "[marbles]\nmarbles = 3\n");
  const Description& d = run.model->description;
  std::vector<std::string> names;
  for (const std::size_t place : d.track_of(d.bodies(run.spec.params))) names.push_back(d.track[place].name);
  EXPECT_THAT(names, ElementsAre("time", "x0", "x1", "x2"));
  const auto ensemble = run.model->ensemble(run.spec);
  std::vector<double> last;
  run.model->replay(ensemble.data(), 0, 0, 1,
                    [&](std::span<const double> row) { last.assign(row.begin(), row.end()); });
  EXPECT_NEAR(last[2], 1.5, 1e-14) << "x0 after 1 s at 0.5 m/s";
}

TEST_F(Bodies, AreShownByInit) {
  const std::string text = init_text(marbles().description);
  EXPECT_THAT(text, HasSubstr("mass = 1.0   # kg, > 0; of a marble; one for all bodies, or a list of each one's\n"));
  EXPECT_EQ(mistake(text), "no mistake found");
}

TEST_F(Bodies, KeptOutOfPacksRunOnTheScalarBackend) {
  Run run = load(marbles_top);
  run.model = &loners();
  EXPECT_EQ(choose_engine(run, {}).backend, "scalar");
  EngineOptions pack;
  pack.backend = "pack";
  try {
    choose_engine(run, pack);
    FAIL() << "pack should be refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Exit::usage);
    EXPECT_STREQ(error.what(),
                 "--backend pack: marbles is not compiled for packs, its samples have too little in common; "
                 "scalar runs it");
  }
}

}  // namespace
}  // namespace scree
