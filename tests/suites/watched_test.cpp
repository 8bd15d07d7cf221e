// The same maps and gates on each backend with each instruction set, and the samples that a run without them has, also
// where barriers and stems change their paths: in any number in flight, however little room a device has for what is
// seen, and from a run that goes on. What this machine or build lacks is skipped, with the reason.
#include <array>
#include <map>

#include "host/model/gates.hpp"
#include "host/model/maps.hpp"
#include "kernels/visits.hpp"
#include "study.hpp"

namespace scree {
namespace {

using test::Backend;

struct Watched {
  const char* name;
  std::string text;
};

/// Rocks that bounce down a ramp; `seen` begins with what are keys of the top.
std::string down_a_ramp(const std::string& scheme, const std::string& end, const std::string& seen) {
  return "scheme = \"" + scheme + "\"\nend = " + end + R"(
system = "rock"
samples = 40
step = 0.005
terrain = { kind = "ramp", slope = 40, height = 40 }
start = { position = [0, 0], gap = 0.5, velocity = [6, 0, 0] }
vary = { orientation = "uniform" }
shape = [{ kind = "eota", size = [1, 1, 1], mass = 700 }]
)" + seen;
}
/// Rocks that bounce down a ramp over two lines, one of them bent, the other along their way.
const Watched ramp{"ramp", down_a_ramp("implicit", "2.0", R"(
maps = { cell = 0.1, extent = [0, -1, 12, 1], sources = true }
[[gate]]
name = "bent"
line = [[3, 30], [4, 0], [3, -30]]
[[gate]]
name = "along"
line = [[2, 0.1], [90, 0.1]]
)")};
/// Rocks half sunk in the flat, which wait for the kernels of several contacts and of slow solves.
const Watched crowd{"crowd", R"(
system = "rock"
scheme = "implicit"
samples = 40
step = 0.002
end = 0.2
terrain = { kind = "plane", slope = 0 }
start = { position = [0, 0, 0.05], velocity = [2, 0.3, 0], omega = [0.2, 1, 0.1] }
vary = { orientation = "uniform" }
maps = { cell = 0.01, extent = [-0.1, -0.2, 0.4, 0.2] }
[[shape]]
kind = "eota"
size = [1, 1, 1]
mass = 700
[[gate]]
name = "near"
line = [[0.1, 1], [0.1, -1]]
)"};
std::string in_a_bowl(const std::string& scheme, const std::string& seen) {
  return "scheme = \"" + scheme + "\"" + R"(
system = "slider"
samples = 40
step = 0.02
end = 12.0
terrain = { kind = "bowl", radius = 20 }
slider = { friction = 0.01 }
vary = { "position.x" = { uniform = [-8, -2] }, "position.y" = { uniform = [-3, 3] } }
)" + seen;
}
/// Sliders that come back to the middle of a bowl, and leave the raster in between.
const Watched bowl{"bowl", in_a_bowl("rk4", R"(
maps = { cell = 0.25, extent = [-5, -3, 5, 3] }
[[gate]]
name = "middle"
line = [[0, 9], [0, -9]]
)")};
/// Sliders that leave a dome within a step, and are put back over cells and lines that the step had led across.
const Watched dome{"dome", R"(
system = "slider"
scheme = "rk4"
samples = 40
step = 0.05
end = 20
terrain = { kind = "dome", radius = 10 }
slider = { mode = "unilateral_stop" }
vary = { "position.x" = { uniform = [0.5, 2] }, "position.y" = { uniform = [-0.5, 0.5] } }
maps = { cell = 0.05, extent = [0, -4, 10, 4] }
[[gate]]
name = "a"
line = [[7.40, 9], [7.40, -9]]
[[gate]]
name = "b"
line = [[7.45, 9], [7.45, -9]]
[[gate]]
name = "c"
line = [[7.50, 9], [7.50, -9]]
)"};
/// Steps over more than 50 cells, the last of them too; some lead out of the raster.
const Watched leaps{"leaps", R"(
system = "slider"
scheme = "rk4"
samples = 40
step = 4
end = 12
terrain = { kind = "plane", slope = 0 }
slider = { friction = 0.02 }
start = { position = [0, 0] }
vary = { "velocity.x" = { uniform = [9, 12] }, "velocity.y" = { uniform = [-0.6, 0.6] } }
maps = { cell = 0.75, extent = [-3, -3, 120, 3] }
)"};
/// Lines without a raster.
const Watched lines{"lines", in_a_bowl("implicit_midpoint", R"(
[[gate]]
name = "middle"
line = [[0, 9], [0, -9]]
[[gate]]
name = "zigzag"
line = [[-3, 9], [3, 4], [-3, 0], [3, -4], [-3, -9]]
)")};

/// Rocks that come against barriers: above one, through another on the same line, into a wall; and what is seen of them
/// before and behind.
const Watched fences{"fences", down_a_ramp("implicit", "2.5", R"(
maps = { cell = 0.1, extent = [0, -1, 14, 1] }
[[gate]]
name = "behind"
line = [[7, 30], [7, -30]]
[[gate]]
name = "at the wall"
line = [[10, 30], [10.5, 0], [10, -30]]
[[barrier]]
name = "low"
line = [[6.4, 30], [6.6, 0], [6.4, -30]]
height = 1.0
capacity = 10e3
[[barrier]]
name = "on top"
line = [[6.4, 30], [6.6, 0], [6.4, -30]]
height = 1.6
capacity = 3e3
margin = 0.5
[[barrier]]
name = "wall"
line = [[10, 30], [10, 0], [11, -30]]
height = 1.3
)")};
/// Rocks in a forest of their own each, and in one of stems that all of them meet, before a fence.
const Watched wood{"wood", down_a_ramp("explicit", "2.5", R"(
maps = { cell = 0.1, extent = [0, -1, 14, 1] }
[[gate]]
name = "in it"
line = [[6, 30], [6, -30]]
[[forest]]
polygon = [[2, -20], [12, -20], [9, 20], [2, 20]]
stems = 1500
diameter = { normal = [0.3, 0.08], min = 0.05 }
capacity = { factor = 40.0, exponent = 2.0 }
resample = true
[[forest]]
polygon = [[2, -20], [40, -20], [40, 20], [2, 20]]
stems = 900
diameter = { choice = [0.2, 0.4], weights = [2, 1] }
law = "dorren"
share = [-0.05, 1.03, 8, 0.6]
capacity = 8e3
[[barrier]]
name = "fence"
line = [[12, 30], [12, -30]]
height = 0.9
capacity = 32e3
)")};
/// Sliders that come against barriers from both sides, some of them again.
const Watched nets{"nets", in_a_bowl("rk4", R"(
maps = { cell = 0.25, extent = [-5, -3, 5, 3] }
[[barrier]]
name = "middle"
line = [[0, 9], [0, -9]]
height = 1
capacity = 4
[[barrier]]
name = "east"
line = [[2.5, 9], [2.5, -9]]
height = 1
capacity = 3
)")};
/// Sliders whose steps lead over barriers, stems and 50 cells.
const Watched strides{"strides", R"(
system = "slider"
scheme = "rk4"
samples = 40
step = 4
end = 16
terrain = { kind = "plane", slope = 0 }
slider = { friction = 0.02 }
start = { position = [0, 0] }
vary = { "velocity.x" = { uniform = [9, 12] }, "velocity.y" = { uniform = [-0.6, 0.6] } }
maps = { cell = 0.75, extent = [-3, -3, 150, 3] }
[[gate]]
name = "before"
line = [[40, 9], [40, -9]]
[[barrier]]
name = "wall"
line = [[55, 9], [55, -9]]
height = 1
capacity = 30
[[forest]]
polygon = [[60, -20], [300, -20], [300, 20], [60, 20]]
stems = 400
diameter = 0.4
capacity = 5
)"};

struct Case {
  Watched what;
  Backend backend;
  const Model* model() const { return find_model(what.text.find("\"rock\"") != std::string::npos ? "rock" : "slider"); }
};
std::string title(const Case& c) { return std::string(c.what.name) + "_" + c.backend.title(); }
void PrintTo(const Case& c, std::ostream* out) { *out << title(c); }

std::vector<Case> every_case() {
  std::vector<Case> cases;
  for (const Watched& what : {ramp, crowd, bowl, dome, leaps, lines, fences, nets, wood, strides})
    for (const Backend& backend : test::all_backends()) cases.push_back({what, backend});
  return cases;
}
std::vector<Case> every_case_on_a_device() {
  std::vector<Case> cases = every_case();
  std::erase_if(cases, [](const Case& c) { return !c.backend.is_cuda(); });
  return cases;
}

/// What a run leaves.
struct Left {
  std::string samples, maps, gates, barriers;
  std::size_t cells, crossings;
  std::array<std::size_t, 4> passings;  // of barriers, by Passing
  std::uint64_t hits, broken;           // of stems
  bool operator==(const Left&) const = default;
};
void PrintTo(const Left& left, std::ostream* out) {
  *out << left.samples << ", " << left.cells << " cells " << left.maps << ", " << left.crossings << " on lines "
       << left.gates << ", above " << left.passings[1] << ", caught " << left.passings[2] << ", broke "
       << left.passings[3] << " barriers " << left.barriers << ", " << left.hits << " stems hit, " << left.broken
       << " broken";
}

Left left_by(const Kernel kernel, const Run& run, test::Schedule how = {}, std::size_t sights = 0) {
  MapStore maps(run.spec.world.maps, run.maps, run.model->description, 0);
  GateStore gates(run.lines_of_gates(), 0);
  GateStore barriers(run.lines_of_barriers(), 0);
  ForestCounts forest;
  VisitCollector collector([&](const PassageBatch& batch) {
    if (run.maps.on) maps.fold(batch);
    gates.fold(batch);
    barriers.fold(batch);
    forest.fold(batch);
  });
  std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  world_of(ensemble).visits = &collector;
  SummaryTable table;
  table.description = &run.model->description;
  table.samples = run.samples;
  table.values.assign(table.description->columns.size() * run.samples, 0.0);
  table.status.assign(run.samples, static_cast<std::uint32_t>(Status::not_run));
  Control control;
  kernel({ensemble.data(), run.spec.tables.size(), run.model->description.scheme(run.schemes[0]), how.first,
          run.samples, table.values.data(), run.samples, table.status.data(), how.threads, how.block, 0, &control,
          sights});
  collector.finish();
  maps.settle();
  gates.settle();
  barriers.settle();
  std::array<std::size_t, 4> passings{};
  for (const GateTable& barrier : barriers.tables())
    for (const std::uint32_t bits : barrier.passings)
      for (std::size_t p = 0; p < passings.size(); ++p) passings[p] += bits >> p & 1;
  std::size_t crossings = 0;
  for (const GateTable& gate : gates.tables()) crossings += gate.sample.size();
  return {digest(table), maps.digest(), gates.digest(), barriers.digest(), maps.touched(),
          crossings,     passings,      forest.hits,    forest.broken};
}

struct Known {
  Run run;
  Left left;
};
const Known& known(const Case& c) {
  static std::map<std::string, Known> all;
  const auto found = all.find(c.what.name);
  if (found != all.end()) return found->second;
  Run run = load_run_text("watched.toml", c.what.text, {});
  const Left left = left_by(run.model->kernels.scalar[0], run);
  return all.emplace(c.what.name, Known{std::move(run), left}).first->second;
}

class WatchedOnEveryBackend : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (GetParam().model() == nullptr) GTEST_SKIP() << "this build leaves its system out";
    if (const std::string why = GetParam().backend.obstacle(*GetParam().model()); !why.empty()) GTEST_SKIP() << why;
  }
  Kernel kernel() const { return GetParam().backend.kernel_of(*GetParam().model()); }
};

/// Where a CPU has lists without an end.
class WatchedOnADevice : public WatchedOnEveryBackend {};
class WatchedByTwoThreads : public WatchedOnEveryBackend {};

INSTANTIATE_TEST_SUITE_P(Watched, WatchedOnEveryBackend, testing::ValuesIn(every_case()),
                         [](const auto& info) { return title(info.param); });
INSTANTIATE_TEST_SUITE_P(Watched, WatchedOnADevice, testing::ValuesIn(every_case_on_a_device()),
                         [](const auto& info) { return title(info.param); });
INSTANTIATE_TEST_SUITE_P(Watched, WatchedByTwoThreads, testing::Values(Case{leaps, {"cuda"}}),
                         [](const auto& info) { return title(info.param); });

TEST_P(WatchedOnEveryBackend, HasTheBitsOfScalarForAnyThreadsAndBlocks) {
  const Known& of = known(GetParam());
  EXPECT_EQ(of.left.cells > 0, of.run.maps.on);
  EXPECT_EQ(of.left.crossings > 0, !of.run.gates.empty());
  // The mass of a slider slides on the ground, so that it overtops no barrier.
  const bool flies = of.run.model->description.uses_shapes;
  for (const Passing passing : {Passing::overtopped, Passing::caught, Passing::breached})
    EXPECT_EQ(of.left.passings[static_cast<std::size_t>(passing)] > 0,
              !of.run.barriers.empty() && (flies || passing != Passing::overtopped))
        << static_cast<int>(passing);
  EXPECT_EQ(of.left.hits > of.left.broken && of.left.broken > 0, !of.run.forest.empty());
  SummaryTable unwatched = test::reference(of.run, of.run.model->description.scheme(of.run.schemes[0]));
  unwatched.description = &of.run.model->description;
  EXPECT_EQ(of.left.samples, digest(unwatched));
  for (const int block : {0, 1, 7}) EXPECT_EQ(left_by(kernel(), of.run, {2, block}), of.left) << block;
}

/// Of what a device has room for, one step may need all: then samples wait, most of the time.
TEST_P(WatchedOnADevice, HasTheBitsOfScalarHoweverLittleRoomThereIs) {
  const Known& of = known(GetParam());
  for (const std::size_t sights : {1u, 300u}) EXPECT_EQ(left_by(kernel(), of.run, {}, sights), of.left) << sights;
}

/// Each with a stream and half of the slots. Samples that end at different times leave theirs to others.
TEST_P(WatchedByTwoThreads, HasTheBitsOfScalar) {
  const scree::Run run = load_run_text("watched.toml", GetParam().what.text, overlays_with_samples({}, 3 << 11));
  const Left scalar = left_by(run.model->kernels.scalar[0], run, {2});
  for (const std::size_t sights : {0u, 5000u})
    EXPECT_EQ(left_by(kernel(), run, {.block = 2 << 11}, sights), scalar) << sights;
}

TEST_P(WatchedOnEveryBackend, GoesOnFromFinishedSamples) {
  const Known& of = known(GetParam());
  Engine engine;
  engine.kernel = kernel();
  engine.backend = GetParam().backend.name;
  engine.threads = 2;
  const scree::Run part = load_run_text("watched.toml", GetParam().what.text, overlays_with_samples({}, 13));
  const std::string& scheme = of.run.schemes[0];
  const Arm grown = execute(of.run, scheme, engine, {}, "", execute(part, scheme, engine));
  EXPECT_EQ(grown.digest, of.left.samples);
  if (of.run.maps.on) {
    EXPECT_EQ(grown.maps->digest(), of.left.maps);
  }
  if (!of.run.gates.empty()) {
    EXPECT_EQ(grown.gates->digest(), of.left.gates);
  }
  if (!of.run.barriers.empty()) {
    EXPECT_EQ(grown.barriers->digest(), of.left.barriers);
  }
  if (!of.run.forest.empty()) {
    EXPECT_EQ(grown.forest->counts.hits, of.left.hits);
    EXPECT_EQ(grown.forest->counts.broken, of.left.broken);
  }
}

}  // namespace
}  // namespace scree
