// The digests of all configs under all schemes are those of tests/reference/digests.csv: no change of the program
// changes a bit of a study without saying so there. The file is made by tests/reference/digests.sh.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/common/error.hpp"
#include "study.hpp"
#include "tests/support/tree.hpp"

namespace scree {
namespace {

struct Row {
  std::string config, scheme, digest;
  std::uint64_t samples;
  const char* backend;
};
std::string title(const Row& row) { return row.config + "_" + row.scheme + "_" + row.backend; }
void PrintTo(const Row& row, std::ostream* out) { *out << title(row); }

std::vector<Row> rows() {
  std::ifstream file(SCREE_SOURCE_DIR "/tests/reference/digests.csv");
  std::vector<Row> all;
  std::string line, samples;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#' || line.rfind("config,", 0) == 0) continue;
    std::istringstream cells(line);
    Row row;
    std::getline(cells, row.config, ',');
    std::getline(cells, row.scheme, ',');
    std::getline(cells, samples, ',');
    std::getline(cells, row.digest);
    row.samples = std::stoull(samples);
    for (const char* backend : {"scalar", "pack", "cuda"}) {
      row.backend = backend;
      all.push_back(row);
    }
  }
  return all;
}

/// Of a config of the tree; null if this build leaves its system out (SCREE_SYSTEMS).
const Model* model_of(const std::string& config) {
  std::ifstream file(SCREE_SOURCE_DIR "/configs/" + config + ".toml");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("system")) {
      const std::size_t from = line.find('"') + 1;
      return find_model(line.substr(from, line.find('"', from) - from));
    }
  ADD_FAILURE() << config << " names no system";
  return nullptr;
}

class Golden : public testing::TestWithParam<Row> {};
INSTANTIATE_TEST_SUITE_P(Digests, Golden, testing::ValuesIn(rows()),
                         [](const auto& info) { return title(info.param); });

TEST_P(Golden, IsWhatItWas) {
  const Row& row = GetParam();
  if (model_of(row.config) == nullptr) GTEST_SKIP() << "this build leaves out the system of " << row.config;
  Overrides overrides;
  overrides.samples = row.samples;
  overrides.schemes = {row.scheme};
  scree::Run run;
  try {
    run = load_run(SCREE_SOURCE_DIR "/configs/" + row.config + ".toml", {}, overrides);
  } catch (const Error& error) {
    if (error.code == Exit::input) GTEST_SKIP() << error.what();
    EXPECT_EQ(row.digest, "refused") << error.what();
    return;
  }
  EngineOptions options;
  options.backend = row.backend;
  Engine engine;
  try {
    engine = choose_engine(run, options);
  } catch (const Error& error) {
    // Not there in this build or machine; or the system has no packs.
    if (error.code == Exit::device || (options.backend == "pack" && !run.model->kernels.has_packs()))
      GTEST_SKIP() << error.what();
    throw;
  }
  EXPECT_EQ(execute(run, row.scheme, engine).digest, row.digest);
}

TEST(GoldenFile, HasEveryConfigUnderEveryScheme) {
  const std::vector<Row> all = rows();
  std::size_t expected = 0;
  int configs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SCREE_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".toml") continue;
    ++configs;
    const std::string config = entry.path().stem().string();
    const auto rows_of = [&](const std::string& scheme) {
      return std::ranges::count_if(
          all, [&](const Row& row) { return row.config == config && (scheme.empty() || row.scheme == scheme); });
    };
    const Model* const model = model_of(config);
    if (model == nullptr) {
      expected += static_cast<std::size_t>(rows_of(""));
      continue;
    }
    for (const Scheme& scheme : model->description.schemes) {
      EXPECT_EQ(rows_of(scheme.name), 3) << config << ' ' << scheme.name << ": run tests/reference/digests.sh";
      expected += 3;
    }
  }
  EXPECT_EQ(configs, test::configs_in_the_tree);
  EXPECT_EQ(all.size(), expected) << "rows of configs or schemes that are not there";
}

}  // namespace
}  // namespace scree
