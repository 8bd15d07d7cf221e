// derive(): the run that loading a config with other values would give, without its text, its files or its samples.
#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "host/common/text_input.hpp"
#include "host/engine/execute.hpp"
#include "tests/support/config_fixture.hpp"
#include "tests/support/tree.hpp"

namespace scree::test {
namespace {

using Texts = std::vector<std::string>;

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> all;
  for (const double value : values) all.push_back(std::bit_cast<std::uint64_t>(value));
  return all;
}

/// What a run is given in its order; a field more does not compile.
void expect_same(const scree::Run& derived, const scree::Run& given) {
  const auto& [path, text, overlays, title, model, schemes, samples, first, samples_of_run, shard, sampling, strict,
               spec, step_scales, varied, preset, preset_note, terrain, note, crs, crs_wkt, grids, ground_map, shapes,
               facts, group_by, inputs, warnings, moved_end, maps, gates, barriers, forest, observed, published,
               sensitivity, margins, columns, loaded] = given;
  EXPECT_EQ(derived.config_path, path);
  EXPECT_EQ(derived.config_text, text);
  EXPECT_EQ(derived.overlays, overlays);
  EXPECT_EQ(derived.title, title);
  EXPECT_EQ(derived.model, model);
  EXPECT_EQ(derived.schemes, schemes);
  EXPECT_EQ(derived.samples, samples);
  EXPECT_EQ(derived.first, first);
  EXPECT_EQ(derived.samples_of_run, samples_of_run);
  EXPECT_EQ(derived.shard, shard);
  EXPECT_EQ(sampling_text(derived.sampling), sampling_text(sampling));
  EXPECT_EQ(derived.strict, strict);
  ASSERT_EQ(derived.varied.size(), varied.size());
  for (std::size_t i = 0; i < varied.size(); ++i) {
    const Input &one = derived.varied[i], &other = varied[i];
    EXPECT_EQ(one.name + one.unit + one.meaning, other.name + other.unit + other.meaning);
    EXPECT_EQ(one.places, other.places);
    EXPECT_EQ(one.choices, other.choices);
    EXPECT_EQ(one.values, other.values);
    EXPECT_FALSE(one.spread || other.spread);
  }
  EXPECT_EQ(derived.preset, preset);
  EXPECT_EQ(derived.preset_note, preset_note);
  EXPECT_EQ(derived.terrain_name, terrain);
  EXPECT_EQ(derived.terrain_note, note);
  EXPECT_EQ(derived.ground_map, ground_map);
  EXPECT_EQ(derived.crs, crs);
  EXPECT_EQ(derived.crs_wkt, crs_wkt);
  EXPECT_EQ(bits({derived.grids.heights, derived.grids.memory}), bits({grids.heights, grids.memory}));
  EXPECT_EQ(derived.maps.on, maps.on);
  EXPECT_EQ(derived.maps.quantities, maps.quantities);
  ASSERT_EQ(derived.gates.size(), gates.size());
  for (std::size_t i = 0; i < gates.size(); ++i) EXPECT_EQ(bits(derived.gates[i].line), bits(gates[i].line));
  ASSERT_EQ(derived.barriers.size(), barriers.size());
  for (std::size_t i = 0; i < barriers.size(); ++i)
    EXPECT_EQ(bits(derived.barriers[i].gate.line), bits(barriers[i].gate.line));
  ASSERT_EQ(derived.forest.size(), forest.size());
  for (std::size_t i = 0; i < forest.size(); ++i) EXPECT_EQ(derived.forest[i].text, forest[i].text);
  EXPECT_EQ(derived.shape_names, shapes);
  EXPECT_EQ(derived.step_scales, step_scales);
  EXPECT_EQ(derived.moved_end, moved_end);
  ASSERT_EQ(derived.shapes.size(), facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const ShapeFacts &one = derived.shapes[i], &other = facts[i];
    EXPECT_EQ(bits({one.mass, one.volume, one.size, one.moments[0], one.moments[1], one.moments[2]}),
              bits({other.mass, other.volume, other.size, other.moments[0], other.moments[1], other.moments[2]}));
    EXPECT_EQ(one.corners, other.corners);
  }
  EXPECT_EQ(derived.group_by, group_by);
  EXPECT_EQ(derived.warnings, warnings);
  EXPECT_EQ(derived.observed.column, observed.column);
  EXPECT_EQ(derived.observed.group, observed.group);
  EXPECT_EQ(derived.observed.value, observed.value);
  EXPECT_EQ(derived.observed.row, observed.row);
  EXPECT_EQ(derived.observed.place, observed.place);
  EXPECT_EQ(derived.observed.outside, observed.outside);
  EXPECT_EQ(derived.sensitivity.key, sensitivity.key);
  EXPECT_EQ(derived.sensitivity.values, sensitivity.values);
  EXPECT_EQ(bits(derived.margins), bits(margins));
  EXPECT_EQ(derived.columns, columns);
  EXPECT_TRUE(derived.loaded && loaded);
  ASSERT_EQ(derived.inputs.size(), inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ(derived.inputs[i].path, inputs[i].path);
    EXPECT_EQ(derived.inputs[i].xxh3, inputs[i].xxh3);
  }
  EXPECT_EQ(derived.published.source, published.source);
  EXPECT_EQ(derived.published.place, published.place);
  EXPECT_EQ(derived.published.samples, published.samples);
  ASSERT_EQ(derived.published.rows.size(), published.rows.size());
  for (std::size_t i = 0; i < published.rows.size(); ++i) {
    const Published::Row &one = derived.published.rows[i], &other = published.rows[i];
    EXPECT_EQ(one.column + one.scheme + one.unit + one.place, other.column + other.scheme + other.unit + other.place);
    EXPECT_EQ(bits({one.mean, one.sd, one.scale}), bits({other.mean, other.sd, other.scale}));
    EXPECT_EQ(one.over_steps, other.over_steps);
  }
  EXPECT_EQ(bits({derived.spec.tables.begin(), derived.spec.tables.end()}),
            bits({spec.tables.begin(), spec.tables.end()}));
  EXPECT_EQ(bits(derived.spec.params), bits(spec.params));
  EXPECT_EQ(bits(derived.spec.start), bits(spec.start));
  EXPECT_EQ(derived.spec.seed, spec.seed);
  EXPECT_EQ(derived.spec.points.offset, spec.points.offset);
  EXPECT_EQ(derived.spec.points.replicates, spec.points.replicates);
  EXPECT_EQ(derived.spec.world.step, spec.world.step);
  EXPECT_EQ(derived.spec.world.end, spec.world.end);
  EXPECT_EQ(derived.spec.world.set_down, spec.world.set_down);
  EXPECT_EQ(derived.spec.world.shapes, spec.world.shapes);
  EXPECT_EQ(derived.spec.world.shape_count, spec.world.shape_count);
  ASSERT_EQ(derived.spec.variations.size(), spec.variations.size());
  for (std::size_t i = 0; i < spec.variations.size(); ++i) {
    const Variation &one = derived.spec.variations[i], &other = spec.variations[i];
    EXPECT_EQ(one.law, other.law);
    EXPECT_EQ(bits({one.a, one.b, one.c, one.offset, one.count}),
              bits({other.a, other.b, other.c, other.offset, other.count}));
    EXPECT_EQ((std::vector<int>{one.target, one.repeats, one.stride, one.dimension, one.stream}),
              (std::vector<int>{other.target, other.repeats, other.stride, other.dimension, other.stream}));
  }
}

/// Either loads or derives; a mistake is its code and its line.
template <class Make>
std::pair<scree::Run, std::string> outcome(const Make& make) {
  try {
    return {make(), ""};
  } catch (const Error& error) {
    return {{}, std::to_string(static_cast<int>(error.code)) + ": " + error.what()};
  }
}

/// Expects the same of both ways to a run with these overlays, and gives the mistake, if there is one.
std::string expect_same_outcome(const scree::Run& run, const Texts& overlays, FindModel find = &find_model) {
  const auto [derived, mistake] = outcome([&] { return derive(run, overlays); });
  const auto [given, expected] =
      outcome([&] { return load_run_text(run.config_path, run.config_text, overlays, find); });
  EXPECT_EQ(mistake, expected);
  if (expected.empty() && mistake.empty()) expect_same(derived, given);
  return mistake;
}

Texts with(const scree::Run& run, const Texts& more) {
  Texts overlays = run.overlays;
  overlays.insert(overlays.end(), more.begin(), more.end());
  return overlays;
}

// ---------------------------------------------------------------------------------------------------------------------
// The same run, and the same bits

class DerivedConfig : public testing::TestWithParam<std::string> {};

TEST_P(DerivedConfig, IsWhatLoadingGives) {
  const std::string path = SCREE_SOURCE_DIR "/configs/" + GetParam() + ".toml";
  std::string system;
  std::ifstream file(path);
  while (std::getline(file, system) && !system.starts_with("system")) continue;
  system = system.substr(0, system.rfind('"')).substr(system.find('"') + 1);
  if (std::filesystem::exists(SCREE_SOURCE_DIR "/src/systems/" + system + ".hpp") && find_model(system) == nullptr)
    GTEST_SKIP() << "this build has no " << system;
  const auto [run, mistake] = outcome([&] { return load_run(path); });
  if (mistake.starts_with("3: ")) GTEST_SKIP() << "needs SCREE_DATA: " << mistake;
  ASSERT_EQ(mistake, "");
  const auto step = [&](double factor) { return "--steps:step=" + number_text(factor * run.spec.world.step); };
  EXPECT_EQ(expect_same_outcome(run, with(run, {step(0.5)})), "");
  // The heights of a terrain may take most of the memory that there is.
  EXPECT_EQ(derive(run, with(run, {step(0.5)})).spec.tables.data(), run.spec.tables.data());
  EXPECT_EQ(expect_same_outcome(run, with(run, {step(0.25), "the finer step:samples=7"})), "");
  EXPECT_EQ(expect_same_outcome(run, overlays_with_samples(run.overlays, run.samples + 3)), "");
  if (run.samples > 1) {
    EXPECT_EQ(expect_same_outcome(run, overlays_of_shard(run.overlays, {1, 2, 0})), "");
  }
  expect_same_outcome(run, with(run, {step(1e3)}));
  expect_same_outcome(run, with(run, {"--set:step=0"}));
  EXPECT_EQ(run.sensitivity.values.empty(), run.sensitivity.key.empty());
  for (const std::string& value : run.sensitivity.values)
    EXPECT_EQ(expect_same_outcome(run, with(run, {"[sensitivity]:" + run.sensitivity.key + "=" + value})), "");
  // A hundred steps of two samples: the arms of a comparison meet the same terrain, shapes and starts.
  const double h = 0.5 * run.spec.world.step, end = std::min(run.spec.world.end, 100 * h);
  const Texts few = {step(0.5), "--set:samples=2"};
  const scree::Run base = load_run(path, {"end=" + number_text(end)});
  const Engine engine = choose_engine(base, {.backend = "scalar"});
  ASSERT_FALSE(base.schemes.empty());
  for (const std::string& scheme : base.schemes)
    EXPECT_EQ(execute(derive(base, with(base, few)), scheme, engine).digest,
              execute(load_run_text(path, base.config_text, with(base, few)), scheme, engine).digest)
        << scheme;
}

Texts config_names() {
  Texts names;
  for (const auto& file : std::filesystem::directory_iterator(SCREE_SOURCE_DIR "/configs"))
    if (file.path().extension() == ".toml") names.push_back(file.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}
INSTANTIATE_TEST_SUITE_P(Configs, DerivedConfig, testing::ValuesIn(config_names()),
                         [](const auto& config) { return config.param; });

TEST(DerivedConfigs, AreAllOfTheTree) { EXPECT_EQ(config_names().size(), std::size_t{configs_in_the_tree}); }

// ---------------------------------------------------------------------------------------------------------------------
// What is not done again

/// Rocks whose samples are counted as they are drawn to be checked.
std::uint64_t draws = 0;
const Model* find_counting(std::string_view system) {
  static const Model counting = [] {
    Model model = *find_model("rock");
    model.draw = [](const void* ensemble, std::uint64_t sample, double* values) {
      ++draws;
      find_model("rock")->draw(ensemble, sample, values);
    };
    return model;
  }();
  return system == "rock" ? &counting : nullptr;
}

class Derive : public ConfigFixture {
 protected:
  Derive() : ConfigFixture(&find_counting) {}
  std::uint64_t draws_of(const Run& run, const Texts& overlays) {
    draws = 0;
    derive(run, overlays);
    return draws;
  }
};

/// Of every second rock or so the release is below the ground, and one of three shapes is rare.
const std::string rocks = R"(system = "rock"
scheme = ["explicit", "implicit"]
samples = 30
step = 0.01
end = 10.0
[rock]
ground = "medium"
[terrain]
kind = "plane"
slope = 30.0
[[shape]]
name = "a"
kind = "cuboid"
size = [1, 1, 1]
density = 2700.0
[[shape]]
name = "b"
kind = "cuboid"
size = [1, 1, 2]
density = 2700.0
[start]
position = [0.0, 0.0]
[vary]
"start.position.z" = { uniform = [-1.0, 1.0] }
"start.shape" = { choice = ["a", "a", "a", "a", "a", "b"] }
)";

TEST_F(Derive, DrawsNoSampleThatWasChecked) {
  draws = 0;
  const Run run = load(rocks);
  EXPECT_EQ(draws, 30u);
  EXPECT_EQ(draws_of(run, {"--steps:step=0.005"}), 0u);
  EXPECT_EQ(draws_of(run, {"the finer step:step=0.0025", "the finer step:samples=10"}), 0u);
  EXPECT_EQ(draws_of(run, {"--samples:samples=1"}), 0u);
  EXPECT_EQ(draws_of(run, {"--samples:samples=50"}), 20u) << "those that are more";
  EXPECT_EQ(draws_of(derive(run, {"--samples:samples=50"}), {"--samples:samples=40"}), 0u);
  EXPECT_EQ(draws_of(derive(run, {"--steps:step=0.005"}), {"--steps:step=0.001"}), 0u);
  EXPECT_EQ(draws_of(run, {"[sensitivity]:rock.ground=medium"}), 0u) << "its own value";
  EXPECT_EQ(draws_of(run, {"[sensitivity]:rock.ground=soft"}), 30u) << "other samples";
  EXPECT_EQ(draws_of(run, {"--seed:seed=2"}), 30u);
}

TEST_F(Derive, DrawsOfAShardItsOwnSamples) {
  const Run run = load(rocks);
  EXPECT_EQ(draws_of(run, {"--shard:0/3"}), 0u) << "the first ones, which were checked";
  EXPECT_EQ(draws_of(run, {"--shard:1/3"}), 10u);
  EXPECT_EQ(draws_of(run, {"--samples:samples=101", "--shard:2/3"}), 34u) << "67 to 100";
  EXPECT_EQ(draws_of(run, {"--shard:3/4 from 10"}), 5u) << "25 to 29";
}

TEST_F(Derive, GivesEverySampleToOneShard) {
  const Run run = load(rocks);
  for (const std::uint64_t of : {1, 2, 7, 13, 30})
    for (const std::uint64_t from : {0, 10}) {
      if (of > 30 - from) continue;
      std::uint64_t next = from;
      for (std::uint64_t number = 0; number < of; ++number) {
        const Run shard = derive(run, overlays_of_shard(run.overlays, {number, of, from}));
        EXPECT_EQ(shard.shard, (Shard{number, of, from}));
        EXPECT_EQ(shard.first, next);
        EXPECT_EQ(shard.first, from + (30 - from) * number / of);
        EXPECT_EQ(shard.samples_of_run, 30u);
        next += shard.samples;
      }
      EXPECT_EQ(next, 30u);
    }
}

TEST_F(Derive, WarnsOfEveryNumberOfSamplesWhatLoadingWarnsOf) {
  const Run run = load(rocks);
  Texts first, last;
  for (int samples = 1; samples <= 40; ++samples) {
    const Texts overlays{"--samples:samples=" + std::to_string(samples)};
    EXPECT_EQ(expect_same_outcome(run, overlays, &find_counting), "");
    (first.empty() ? first : last) = derive(run, overlays).warnings;
  }
  EXPECT_NE(first, last) << "a test of nothing";
}

TEST_F(Derive, ReadsNoConfigAndNoFileAgain) {
  write("grid.asc", "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 10\n5 5\n7 8\n");
  write("rock.pts", "0 0 0\n1 0 0\n0 1 0\n0 0 1\n");
  write("starts.csv", "x,y,z,q\n1,2,7,1\n3,4,8,2\n5,6,9,2\n");
  const std::string text = R"(system = "rock"
scheme = "explicit"
samples = 5
step = 0.01
end = 10.0
[rock]
ground = "medium"
[terrain]
kind = "grid"
file = "grid.asc"
[[shape]]
kind = "file"
file = "rock.pts"
density = 2700.0
[start]
table = "starts.csv"
set_down = true
[vary]
"start.speed" = { table = "starts.csv", column = "q" }
[observed]
table = "starts.csv"
column = "runout"
value = "q"
[sensitivity]
key = "rock.ground"
values = "all"
)";
  Run run = load(text);
  ASSERT_EQ(run.inputs.size(), 3u);
  EXPECT_EQ(run.warnings.size(), 2u) << "of five samples of three rows, and of heights";
  std::vector<Texts> changes{{"--steps:step=0.005"}, {"--samples:samples=2"}, {"--set:shape.density=2600"}};
  for (const std::string& value : run.sensitivity.values) changes.push_back({"[sensitivity]:rock.ground=" + value});
  ASSERT_EQ(changes.size(), 3u + 11u) << "all classes of ground";
  std::vector<Run> given;
  for (const Texts& overlays : changes)
    given.push_back(load_run_text(run.config_path, run.config_text, overlays, &find_counting));
  for (const char* name : {"grid.asc", "rock.pts", "starts.csv", "x.toml"}) std::filesystem::remove(folder_ / name);
  run.config_text = "no config";
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Run derived = derive(run, changes[i]);
    EXPECT_EQ(derived.config_text, "no config");
    derived.config_text = text;
    expect_same(derived, given[i]);
  }
  EXPECT_EQ(outcome([&] { return derive(run, {"--set:terrain.file=other.asc"}); }).second,
            "3: --set: terrain.file = \"other.asc\", there is no file " + (folder_ / "other.asc").string() +
                " (SCREE_DATA, the folder of data files, is not set)");
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps that are refused

TEST_F(Derive, RefusesAStepAsLoadingDoes) {
  const Run disk = load_run(write("disk.toml", R"(system = "disk"
scheme = ["rk4", "position_verlet"]
samples = 20
seed = 2
step = 0.0001
end = 1.0
[disk]
stepping = "fixed"
[start]
time = 0.03
[vary]
"start.speed" = { uniform = [1.0, 3.0] }
)"));
  const Run pair = load_run(write("pair.toml", R"(system = "pair"
scheme = "rk4"
samples = 20
seed = 2
step = 0.01
end = 1.0
[pair]
stabilise = "baumgarte"
[terrain]
kind = "plane"
slope = 20.0
[start]
position1 = [0.0, 0.0]
position2 = [0.0, 1.0]
[vary]
"pair.stabilise_rate" = { uniform = [1.0, 10.0] }
)"));
  const Run rock = load_run(write("rock.toml", "seed = 2\n" + rocks + "\"rock.drag\" = { uniform = [1.0, 10.0] }\n"));
  for (const Run* run : {&disk, &pair, &rock}) {
    int allowed = 0;
    std::set<std::string> samples_named;
    for (double step = run->spec.world.step; step < 2; step *= 1.25)
      for (const int samples : {1, 4, 20, 25}) {
        const std::string mistake = expect_same_outcome(
            *run, {"--steps:step=" + number_text(step), "--steps:samples=" + std::to_string(samples)});
        if (mistake.empty()) ++allowed;
        const std::size_t at = mistake.find("in sample ");
        if (at != std::string::npos) samples_named.insert(mistake.substr(at));
      }
    EXPECT_GT(allowed, 0);
    EXPECT_GE(samples_named.size(), 2u) << "of longer steps an earlier sample";
  }
  EXPECT_EQ(expect_same_outcome(pair, {"--steps:step=0.3"}),
            "2: --steps: pair: stabilise_rate times the step must be at most 0.3: the correction would overshoot, "
            "in sample 0");
  EXPECT_EQ(expect_same_outcome(rock, {"--steps:step=2"}),
            "2: --steps: rock: drag times half a step must stay below 1: the velocity would flip, in sample 0");
  EXPECT_EQ(expect_same_outcome(pair, {"--steps:step=2"}), "2: --steps: step = 2, must be <= end = 1 (s)");
  EXPECT_EQ(expect_same_outcome(pair, {"--steps:step=-1"}), "2: --steps: step = -1, must be > 0 (s)");
}

}  // namespace
}  // namespace scree::test
