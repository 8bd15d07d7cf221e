// Disks from a config: lists of numbers, the longest step, mistakes, and the same bits from every backend.
#include <algorithm>
#include <cmath>

#include "host/commands/init.hpp"
#include "host/engine/execute.hpp"
#include "host/model/digest.hpp"
#include "src/systems/disk.hpp"
#include "tests/support/config_fixture.hpp"
#include "tests/support/rocks.hpp"

namespace scree {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string disk_top = "system = 'disk'\nscheme = 'rk4'\nsamples = 10\nstep = 1e-3\nend = 1.0\n";
const std::string fixed = disk_top + "[disk]\nstepping = 'fixed'\n";

class DiskConfig : public test::ConfigFixture {
 protected:
  static SummaryTable run_with(const Run& run, Kernel kernel, int scheme = 0) {
    SummaryTable table;
    table.description = &run.model->description;
    table.samples = run.samples;
    table.values.resize(run.samples * table.description->columns.size());
    table.status.resize(run.samples);
    const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
    Control control;
    kernel({ensemble.data(), run.spec.tables.size(), scheme, 0, run.samples, table.values.data(), run.samples,
            table.status.data(), 2, 0, 0, &control});
    return table;
  }
  /// The fastest kernel that can run here.
  static Kernel best(const SystemKernels& kernels) { return kernels.pack[best_isa(kernels.pack)]; }
};

// ---------------------------------------------------------------------------------------------------------------------
// Lists of any length

TEST_F(DiskConfig, ListsOfNumbersLieInTheTables) {
  const Run run =
      load(disk_top + "[disk]\nnodes = 3\nrefinement = 1\ncells = [0.5, 2, 3.5]\nvelocities = [0, -1, 2]\n");
  const DiskParams<double>& params = *reinterpret_cast<const DiskParams<double>*>(run.spec.params.data());
  const double* tables = run.spec.tables.data();
  ASSERT_EQ(params.cells.count, 3);
  EXPECT_EQ(params.cells.at(tables, 0), 0.5);
  EXPECT_EQ(params.cells.at(tables, 2), 3.5);
  EXPECT_EQ(params.velocities.at(tables, 1), -1);
  EXPECT_EQ(params.positions.count, 0);
  const SummaryTable table = run_with(run, run.model->kernels.scalar[0]);
  EXPECT_EQ(table.at(table.description->column("mass"), 0), 6);
}

TEST_F(DiskConfig, ListsOfNumbersAreCheckedAndCannotVary) {
  EXPECT_EQ(mistake(disk_top + "[disk]\ncells = 3.0\n"), "2: x.toml:7: disk.cells = 3, must be a list in [ ]");
  EXPECT_EQ(mistake(disk_top + "[disk]\ncells = [1.0, -2.0]\n"),
            "2: x.toml:7: disk.cells = -2, must be > 0 (dimensionless)");
  EXPECT_EQ(mistake(disk_top + "[disk]\ncells = [1.0, 2.0]\n"),
            "2: x.toml: disk: cells must have one number for each of the nodes, that is 101, in sample 0");
  EXPECT_EQ(mistake(disk_top + "[disk]\nnodes = 2\nrefinement = 1\npositions = [1.5, 1.0]\n"),
            "2: x.toml: disk: positions must be at most start.radius + 2 start.speed start.time unless cells and "
            "velocities are given, that is 1.2 (m), in sample 0");
  EXPECT_THAT(mistake(disk_top + "[vary]\n'disk.cells' = { uniform = [1, 2] }\n"),
              HasSubstr("unknown key vary.disk.cells"));
}

TEST_F(DiskConfig, ListsOfNumbersAreShownByInit) {
  const std::string text = init_text(find_model("disk")->description);
  EXPECT_THAT(text, AllOf(HasSubstr("\n# cells = []"), HasSubstr("\n# velocities = []")));
  EXPECT_EQ(mistake(text), "no mistake found");
}

// ---------------------------------------------------------------------------------------------------------------------
// The longest step

/// w/c = Dx / V in the undisturbed interior: 1.2 / 98 s, times sqrt 2 for RK4.
TEST_F(DiskConfig, AStepThatIsUnstableIsRefusedWithTheLargestAllowed) {
  EXPECT_EQ(mistake(fixed, {"step=0.02"}),
            "2: --set: step = 0.02, must be <= 0.0173169 (s), beyond which rk4 is unstable, in sample 0");
  EXPECT_EQ(mistake(fixed, {"step=0.0173169"}), "no mistake found");
  EXPECT_EQ(mistake(fixed, {"step=0.013", "scheme='position_verlet'"}),
            "2: --set: step = 0.013, must be <= 0.0122448 (s), beyond which position_verlet is unstable, in sample 0");
  EXPECT_EQ(mistake(fixed, {"step=0.013"}), "no mistake found");
  EXPECT_EQ(mistake(fixed, {"scheme=['rk4', 'leapfrog']"}),
            "2: --set: scheme = \"leapfrog\" is called \"position_verlet\"");
  EXPECT_EQ(mistake(fixed, {"step=0.013", "scheme=['rk4', 'position_verlet']"}),
            "2: --set: step = 0.013, must be <= 0.0122448 (s), beyond which position_verlet is unstable, in sample 0");
  EXPECT_EQ(mistake(fixed + "mesh = 'centre'\n", {"step=0.01"}),
            "2: --set: step = 0.01, must be <= 0.00432922 (s), beyond which rk4 is unstable, in sample 0");
  EXPECT_EQ(mistake(disk_top, {"step=0.5"}), "no mistake found") << "adaptive steps are never longer than they may be";
  // Cells so full that sound crosses them in no time would have no longest step to be shown.
  EXPECT_EQ(mistake(fixed + "nodes = 2\nrefinement = 1\ncells = [1e299, 1e299]\ng_over_m = 1e10\n"),
            "2: x.toml:10: disk.cells = 1e+299, must be a number of at most 1e60 in size (dimensionless)");
}

/// Each sample is asked: the limit is proportional to R0 / V. Noise fills a cell to 1 + 8.3 times its size at most.
TEST_F(DiskConfig, TheLongestStepIsThatOfEverySample) {
  const std::string varied = fixed + "[start]\ntime = 0.03\n[vary]\n'start.speed' = { choice = [1.0, 3.0] }\n";
  const Run run = load(varied);
  const auto ensemble = run.model->ensemble(run.spec);
  std::uint64_t fast = run.samples;
  for (std::uint64_t i = 0; i < run.samples; ++i) {
    const double speed = drawn(run, i)[run.model->description.param_doubles + 1];
    const double limit = run.model->largest_step(ensemble.data(), 0, i, drawn(run, i).data());
    EXPECT_NEAR(limit, std::sqrt(2) * (1 + 2 * speed * 0.03) / 98 / speed, 1e-14);
    if (speed == 3) fast = std::min(fast, i);
  }
  EXPECT_EQ(mistake(varied, {"step=0.01"}),
            "2: --set: step = 0.01, must be <= 0.00567609 (s), beyond which rk4 is unstable, in sample " +
                std::to_string(fast));
  const Run noisy = load(fixed + "[start]\ncell_noise = 0.05\n");
  EXPECT_NEAR(noisy.model->largest_step(noisy.model->ensemble(noisy.spec).data(), 0, 0, drawn(noisy, 0).data()),
              std::sqrt(2 / (1 + 8.3 * 0.05)) * 1.2 / 98, 1e-14);
  EXPECT_EQ(find_model("rotor")->largest_step, nullptr);
}

// ---------------------------------------------------------------------------------------------------------------------
// Mistakes

TEST_F(DiskConfig, RefusesWhatMakesNoSenseInOneLine) {
  const auto with = [&](const std::string& what) { return mistake(disk_top, {what}); };
  EXPECT_EQ(with("disk.refinement=101"),
            "2: --set: disk: refinement must be at most N = nodes - 1, that is 100, in sample 0");
  EXPECT_EQ(mistake(disk_top, {"start.time=1.0", "end=2.0"}),
            "2: --set: disk: start.time must be below start.radius / start.speed, when the fan reaches the centre, "
            "that is 1 (s), in sample 0");
  EXPECT_EQ(with("end=0.1"), "2: x.toml: disk: end must be above start.time, that is 0.1 (s), in sample 0");
  EXPECT_EQ(with("disk.nodes=2002"), "2: --set: disk.nodes = 2002, must be a whole number >= 1 and <= 2001");
  EXPECT_EQ(with("disk.geometry=3"), "2: --set: disk.geometry = 3, must be one of slab, disk");
  EXPECT_EQ(with("disk.dimension=2"), "2: --set: disk.dimension is called disk.geometry, 1 is \"slab\", 2 \"disk\"");
  EXPECT_EQ(with("start.cell_noise=0.2"), "2: --set: start.cell_noise = 0.2, must be >= 0 and <= 0.1 (dimensionless)");
  EXPECT_EQ(with("disk.mesh='middle'"), "2: --set: disk.mesh = \"middle\", must be one of front, centre");
}

// ---------------------------------------------------------------------------------------------------------------------
// Ensembles and backends

/// Both schemes, fixed and adaptive, one dimension and two in the lanes of one pack; samples end at different steps.
/// tests/suites/ has all capacities and instruction sets.
TEST_F(DiskConfig, HasTheSameBitsInPacksWhereLanesDiffer) {
  for (const int nodes : {15, 101})
    for (const char* stepping : {"fixed", "adaptive"})
      for (const int scheme : {0, 1}) {
        Run run = load(disk_top + "[disk]\nnodes = " + std::to_string(nodes) + "\nstepping = '" + stepping +
                       "'\n[start]\ncell_noise = 0.05\nvelocity_noise = 0.01\n[vary]\n"
                       "'start.speed' = { normal = [1.0, 0.05] }\n'disk.geometry' = { choice = ['slab', 'disk'] }\n");
        run.samples = 19;
        run.spec.world.end = 0.12;
        const SystemKernels& kernels = run.model->kernels;
        const std::string expected = digest(run_with(run, kernels.scalar[0], scheme));
        EXPECT_EQ(digest(run_with(run, best(kernels), scheme)), expected) << nodes << stepping;
      }
}

/// An uneven filling widens what it should, and no sample is like another.
TEST_F(DiskConfig, NoiseMakesSamplesDiffer) {
  const Run run = load(disk_top + "[start]\ncell_noise = 0.02\n", {"samples=200", "step=0.1"});
  const SummaryTable table = run_with(run, best(run.model->kernels));
  const Description& d = *table.description;
  double sum = 0, square = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const double mass = table.at(d.column("mass"), i);
    sum += mass;
    square += mass * mass;
    EXPECT_EQ(table.at(d.column("crossed"), i), 0);
  }
  // Var of sum N_k (1 + 0.02 xi_k) = 0.02^2 sum N_k^2; some 85 cells of the interior and the fan have 1.2 / 98 = 0.0122
  // particles or fewer: at most 0.02 sqrt(1 0.0122) = 0.0022, and at least that of the 73 full cells, 0.0021.
  const double deviation = std::sqrt(square / 200 - sum / 200 * (sum / 200));
  EXPECT_GT(deviation, 0.0021 * (1 - 4 / std::sqrt(400)));
  EXPECT_LT(deviation, 0.0022 * (1 + 4 / std::sqrt(400)));
}

TEST_F(DiskConfig, TracksTheNodesThatThereAre) {
  const Run run = load(disk_top + "[disk]\nnodes = 2\nrefinement = 1\n");
  const Description& d = run.model->description;
  std::vector<std::string> names;
  for (const std::size_t place : d.track_of(d.bodies(run.spec.params))) names.push_back(d.track[place].name);
  EXPECT_THAT(names, ElementsAre("front", "energy", "kinetic_share", "width_min", "x0", "x1", "v0", "v1", "n0", "n1"));
}

}  // namespace
}  // namespace scree
