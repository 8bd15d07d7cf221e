// `scree bench` as a user sees it: its list, its JSON and its CSV, its mistakes. Few samples, so that each takes
// seconds.
#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "program.hpp"

namespace scree {
namespace {

using testing::HasSubstr;

class Bench : public Cli {
 protected:
  /// Why this machine has no CUDA device; empty if it has one.
  std::string why_no_device() const {
    const nlohmann::json listed = object({"list", "--devices", "--json"});
    return listed["devices"].empty() ? listed["why"].get<std::string>() : "";
  }
  bool has_device() const { return why_no_device().empty(); }
};

const std::vector<std::string> cases{"slider",    "cap",         "pair",         "rotor",     "projectile", "coulomb",
                                     "disk",      "rock_flight", "rock_contact", "rock_soil", "rock_grid",  "rock_maps",
                                     "grid_maps", "hard_discs",  "balls",        "scatter",   "disc_box",   "lorenz"};

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

TEST_F(Bench, ListsItsCases) {
  const Outcome text = scree({"bench", "--list"});
  EXPECT_EQ(text.code, 0) << text.err;
  const nlohmann::json list = nlohmann::json::parse(scree({"bench", "--list", "--json"}).out)["cases"];
  std::vector<std::string> names;
  for (const nlohmann::json& entry : list) {
    names.push_back(entry["case"]);
    EXPECT_THAT(text.out, HasSubstr(entry["meaning"].get<std::string>()));
  }
  EXPECT_EQ(names, cases);
}

TEST_F(Bench, SaysWhatLimitsADeviceOrThatThereIsNone) {
  const Outcome run = scree({"bench", "--device"});
  if (const std::string why = why_no_device(); !why.empty()) {
    expect_refusal({"bench", "--device"}, 4, "bench --device: no device: " + why);
    expect_refusal({"bench", "--device", "--json"}, 4, "bench --device: no device: " + why);
    return;
  }
  const nlohmann::json listed = object({"list", "--devices", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  for (const nlohmann::json& device : listed["devices"])
    EXPECT_THAT(run.out, HasSubstr(device["name"].get<std::string>()));
  const nlohmann::json limits = nlohmann::json::parse(scree({"bench", "--device", "--json"}).out)["devices"];
  ASSERT_EQ(limits.size(), listed["devices"].size());
  for (const nlohmann::json& device : limits) {
    EXPECT_GT(device["fp64_flops"], 1e11) << device;
    EXPECT_GT(device["rocks_in_flight"], 1000) << device;
    EXPECT_LE(device["free_memory"], device["memory"]) << device;
  }
}

TEST_F(Bench, RunsNoCaseWhereTheLimitsAreAskedFor) {
  expect_refusal({"bench", "--device", "--only", "slider"}, 2,
                 "bench: --device runs no case, so --only has no meaning; see scree bench --help");
  expect_refusal({"bench", "--device", "--list"}, 2,
                 "bench: --device runs no case, so --list has no meaning; see scree bench --help");
}

TEST_F(Bench, KeepsItsOwnSystemsOutOfTheListOfSystems) {
  EXPECT_THAT(scree({"list"}).out, testing::Not(HasSubstr("lorenz")));
  std::vector<std::string> systems;
  const nlohmann::json list = nlohmann::json::parse(scree({"list", "--json"}).out)["systems"];
  for (const nlohmann::json& system : list) systems.push_back(system["name"]);
  EXPECT_EQ(systems.size(), std::size_t{SCREE_SYSTEM_COUNT});
  expect_refusal({"init", "lorenz"}, 2, "init: unknown system \"lorenz\", must be one of " + joined(systems));
}

TEST_F(Bench, SuggestsACase) {
  expect_refusal({"bench", "--only", "slidr"}, 2, "bench --only slidr, did you mean \"slider\"?");
  expect_refusal({"bench", "--only", "xyzzyplugh"}, 2, "bench --only xyzzyplugh, must be one of " + joined(cases));
}

TEST_F(Bench, TakesWholeNumbersOfSamples) {
  for (const char* typed : {"0", "1.5", "-3", "many", "1e13"})
    expect_refusal({"bench", "--samples", typed}, 2,
                   std::string("bench: --samples ") + typed +
                       ", must be a whole number from 1 to 1e12, as 1000 or 1e3; see scree bench --help");
}

TEST_F(Bench, RefusesToReplaceAFile) {
  write("old.csv", "mine\n");
  expect_refusal({"bench", "--only", "lorenz", "--csv", "old.csv"}, 2,
                 "old.csv: exists already; give another name, or --force to replace it");
  EXPECT_EQ(read("old.csv"), "mine\n");
}

/// The rows of a case at few samples; every one must carry its keys, and backends the same digest.
void expect_rows(const nlohmann::json& rows, const std::string& name) {
  ASSERT_FALSE(rows.empty());
  std::map<std::string, std::set<std::string>> digests;  // by scheme
  std::set<std::string> backends;
  for (const nlohmann::json& row : rows) {
    SCOPED_TRACE(row.dump());
    EXPECT_EQ(row["case"], name);
    EXPECT_GE(row["threads"], 1);
    EXPECT_GT(row["steps_per_s"], 0);
    // Nothing can be faster than the peak.
    EXPECT_GT(row["share_of_peak"], 0);
    EXPECT_LT(row["share_of_peak"], 1);
    EXPECT_LE(row["check_value"].get<double>(), row["check_bound"].get<double>());
    const std::string backend = row["backend"];
    backends.insert(backend);
    const bool ours = backend == "scalar" || backend == "pack" || backend == "cuda";
    if (ours) digests[row["scheme"]].insert(row["digest"].get<std::string>());
    if (backend == "naive" || backend == "odeint") {
      EXPECT_TRUE(row["digest"].is_null());
    }
  }
  for (const auto& [scheme, of_scheme] : digests) EXPECT_EQ(of_scheme.size(), 1u) << scheme;
  EXPECT_TRUE(backends.count("scalar"));
  EXPECT_EQ(backends.count("pack"), name == "hard_discs" || name == "balls" || name == "scatter" ? 0u : 1u);
}

TEST_F(Bench, MeasuresEveryCase) {
  for (const std::string& name : cases) {
    if (name.starts_with("rock_c") || name == "rock_soil" || name == "rock_grid") continue;  // see below
    if (name.ends_with("_maps")) continue;
    SCOPED_TRACE(name);
    const Outcome run = scree({"bench", "--only", name, "--samples", "40", "--rounds", "1", "--json", "--quiet"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const nlohmann::json rows = nlohmann::json::parse(run.out)["rows"];
    expect_rows(rows, name);
    for (const nlohmann::json& row : rows) {
      EXPECT_EQ(row["samples"], 40);
      EXPECT_EQ(row["sample_steps"], 40 * 1000);
      EXPECT_EQ(row["contact_share"].is_null(), true);
    }
  }
}

TEST_F(Bench, MeasuresTheRampsSchemeByScheme) {
  for (const std::string name : {"rock_contact", "rock_soil"}) {
    if (name == "rock_soil" && tries(0, 1) == 0) continue;
    SCOPED_TRACE(name);
    const Outcome run =
        scree({"bench", "--only", name, "--samples", "2", "--rounds", "1", "--json", "--quiet", "--threads", "1"});
    ASSERT_EQ(run.code, 0) << run.err;
    std::map<std::string, nlohmann::json> by_scheme;
    const nlohmann::json measured = nlohmann::json::parse(run.out)["rows"];
    for (const nlohmann::json& row : measured) {
      by_scheme[row["scheme"]].push_back(row);
      EXPECT_GT(row["contact_share"], 0);
      EXPECT_GE(row["sweeps_per_contact_step"], 1);
      EXPECT_EQ(row["threads"], 1);
    }
    EXPECT_EQ(by_scheme.size(), 4u);
    for (const auto& [scheme, rows] : by_scheme) expect_rows(rows, name);
  }
}

/// The rows of a case with maps: the same samples and maps whoever makes them, and a cost where there are some.
void expect_maps(const nlohmann::json& rows) {
  std::map<std::string, std::map<double, std::set<std::string>>> maps;  // by scheme and the size of their cells
  for (const nlohmann::json& row : rows) {
    SCOPED_TRACE(row.dump());
    EXPECT_EQ(row["threads"], 1);
    EXPECT_EQ(row["map_cell"].is_null(), row["over_no_maps"].is_null());
    EXPECT_EQ(row["map_cell"].is_null(), row["maps_digest"].is_null());
    if (row["map_cell"].is_null()) continue;
    EXPECT_GT(row["over_no_maps"], 0);
    maps[row["scheme"]][row["map_cell"]].insert(row["maps_digest"].get<std::string>());
  }
  ASSERT_FALSE(maps.empty());
  for (auto& [scheme, of_scheme] : maps) {
    std::set<std::string> different;
    for (const double cell : {1.0, 2.0, 5.0}) {
      ASSERT_EQ(of_scheme[cell].size(), 1u) << scheme << ", " << cell << " m";
      different.insert(*of_scheme[cell].begin());
    }
    EXPECT_EQ(different.size(), 3u);
  }
}

TEST_F(Bench, MeasuresWhatMapsCostBesideTheSameSamplesWithout) {
  const std::vector<std::string> arguments{"bench", "--only", "rock_maps", "--samples", "2", "--rounds", "1"};
  const nlohmann::json rows = nlohmann::json::parse(scree(arguments + Words{"--json", "--quiet"}).out)["rows"];
  expect_rows(rows, "rock_maps");
  expect_maps(rows);
  const Outcome text = scree(arguments);
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, testing::ContainsRegex("digest +maps, m +of none\n"));
}

TEST_F(Bench, MeasuresWhatMapsCostOnOneBackend) {
  const nlohmann::json rows = object({"bench", "--only", "rock_maps", "--schemes", "implicit", "--backends", "pack",
                                      "--samples", "2", "--rounds", "1", "--json"})["rows"];
  EXPECT_EQ(rows.size(), 4u);
  expect_maps(rows);
}

TEST_F(Bench, MeasuresRocksOnAGridWithItsData) {
  const std::vector<std::string> arguments{"bench",  "--only",   "rock_grid", "--samples", "2",
                                           "--json", "--rounds", "1",         "--quiet"};
  EXPECT_EQ(scree(arguments).code, 3) << "without its data";
  const char* data = std::getenv("SCREE_DATA");
  if (data == nullptr) GTEST_SKIP() << "SCREE_DATA is not set";
  data_ = data;
  const Outcome run = scree(arguments);
  ASSERT_EQ(run.code, 0) << run.err;
  expect_rows(nlohmann::json::parse(run.out)["rows"], "rock_grid");
  const nlohmann::json rows = object({"bench", "--only", "grid_maps", "--samples", "2", "--rounds", "1", "--json"});
  expect_rows(rows["rows"], "grid_maps");
  expect_maps(rows["rows"]);
}

TEST_F(Bench, WritesEveryCountToItsCsv) {
  const Outcome run =
      scree({"bench", "--only", "lorenz", "--samples", "10,1e2", "--rounds", "1", "--csv", "out.csv", "--quiet"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("10 samples"));
  EXPECT_THAT(run.out, HasSubstr("best CPU row"));
  const std::string text = read("out.csv");
  EXPECT_EQ(text.rfind("case,scheme,samples,backend,isa,threads,sample_steps,steps_per_s,", 0), 0u) << text;
  EXPECT_THAT(text, HasSubstr("\nlorenz,rk4,10,pack,"));
  EXPECT_THAT(text, HasSubstr("\nlorenz,rk4,100,naive,native,1,100000,"));
}

TEST_F(Bench, MeasuresTheSchemesAndBackendsThatAreNamed) {
  const Outcome run = scree({"bench", "--only", "rock_contact", "--samples", "1", "--rounds", "1", "--schemes",
                             "implicit,rk4", "--backends", "pack", "--json", "--quiet"});
  ASSERT_EQ(run.code, 0) << run.err;
  std::set<std::string> schemes, backends;
  const nlohmann::json rows = nlohmann::json::parse(run.out)["rows"];
  for (const nlohmann::json& row : rows) {
    schemes.insert(row["scheme"]);
    backends.insert(row["backend"]);
  }
  EXPECT_EQ(schemes, (std::set<std::string>{"implicit", "rk4"}));
  EXPECT_EQ(backends, std::set<std::string>{"pack"});
}

TEST_F(Bench, RefusesSchemesAndBackendsThatACaseHasNot) {
  expect_refusal({"bench", "--only", "rock_contact", "--schemes", "imlicit"}, 2,
                 "bench --schemes imlicit, did you mean \"implicit\"? (case rock_contact)");
  const std::string cuda = SCREE_HAS_CUDA ? ", cuda" : "";
  expect_refusal({"bench", "--only", "balls", "--backends", "pack"}, 2,
                 "bench --backends pack, must be one of scalar" + cuda + " (case balls)");
  expect_refusal({"bench", "--only", "lorenz", "--backends", "naive"}, 2,
                 "bench --backends naive: needs one of scalar, pack" + cuda + ", to check the others against");
  if (!SCREE_HAS_CUDA) {
    expect_refusal({"bench", "--only", "lorenz", "--backends", "cuda"}, 2,
                   "bench --backends cuda, must be one of scalar, pack, naive, odeint (case lorenz)");
  } else if (!has_device()) {
    expect_refusal({"bench", "--only", "lorenz", "--backends", "cuda"}, 4,
                   "bench --backends cuda: no device: " + why_no_device());
  }
}

TEST_F(Bench, EndsWithinItsBudget) {
  // 1e9 steps of three bodies on one thread: 20 s would need 20 ns each.
  const Outcome run =
      scree({"bench", "--only", "coulomb", "--samples", "10,1e6", "--rounds", "1", "--backends", "scalar", "--threads",
             "1", "--limit", "1e9", "--budget", "20", "--quiet", "--csv", "out.csv"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\n1000000 samples\n"));
  EXPECT_THAT(run.out, HasSubstr("left out, a call would take longer than --limit or --budget allow: "));
  const std::string text = read("out.csv");
  EXPECT_THAT(text, HasSubstr(",10,scalar,"));
  EXPECT_THAT(text, testing::Not(HasSubstr(",1000000,scalar,")));
}

TEST_F(Bench, LeavesOutWhatTakesTooLong) {
  const Outcome run =
      scree({"bench", "--only", "lorenz", "--samples", "1e3", "--rounds", "1", "--limit", "1e-9", "--quiet", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const nlohmann::json rows = nlohmann::json::parse(run.out)["rows"];
  EXPECT_FALSE(rows.empty());
  for (const nlohmann::json& row : rows) EXPECT_TRUE(row["backend"] == "pack" || row["backend"] == "cuda") << row;
}

}  // namespace
}  // namespace scree
