// What every command prints with --json is what docs/json.schema.json says, no more and no less.
#include <gmock/gmock.h>

#include <algorithm>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "host/report/devices.hpp"
#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using valijson::adapters::NlohmannJsonAdapter;

json whole_schema() {
  std::ifstream file(SCREE_SOURCE_DIR "/docs/json.schema.json");
  return json::parse(file);
}

/// Whether the schema has this for one of its definitions.
bool is_a(const json& schema, const std::string& definition, const json& object) {
  const json one{
      {"$schema", schema["$schema"]}, {"$ref", "#/definitions/" + definition}, {"definitions", schema["definitions"]}};
  valijson::Schema parsed;
  valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(one), parsed);
  return valijson::Validator().validate(parsed, NlohmannJsonAdapter(object), nullptr);
}

class JsonSchema : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("study.toml", small_study);
    write("shots.toml", small_shots);
    schema_ = whole_schema();
  }
  /// Of the schema's kinds the one that the output is of.
  void expect_only(const std::string& definition, std::vector<std::string> arguments) {
    SCOPED_TRACE(definition + ": " + testing::PrintToString(arguments));
    arguments.push_back("--json");
    const json printed = object(arguments);
    ASSERT_FALSE(printed.is_null());
    expect_only(definition, arguments[0], printed);
  }
  void expect_only(const std::string& definition, const std::string& command, const json& printed) {
    EXPECT_TRUE(is_a(schema_, definition, printed)) << printed.dump(1).substr(0, 3000);
    EXPECT_EQ(printed["schema"], 1);
    EXPECT_EQ(printed["command"], command);
    ASSERT_EQ(schema_["oneOf"].size(), 14u);
    for (const json& kind : schema_["oneOf"]) {
      const std::string name = kind["$ref"].get<std::string>().substr(14);
      if (name != definition) {
        EXPECT_FALSE(is_a(schema_, name, printed)) << name;
      }
    }
    printed_ = printed;
    seen_.push_back(definition);
  }

  json schema_, printed_;
  std::vector<std::string> seen_;
};

TEST_F(JsonSchema, HoldsOfWhatIsCompleteAlready) {
  for (const char* command : {"run", "compare", "converge"}) {
    const std::string kind = command == std::string("run") ? "of_run" : "of_compare";
    std::vector<std::string> words{command, "shots.toml", "--samples", "20", "-o", "r.h5", "--resume"};
    if (command == std::string("compare")) words.insert(words.end(), {"--steps", "0.05,0.1"});
    expect_only(kind, words);
    expect_only(kind, words);
    EXPECT_EQ(printed_["result"]["path"], "r.h5");
    std::filesystem::remove(path("r.h5"));
  }
}

TEST_F(JsonSchema, DescribesWhatEveryCommandPrints) {
  expect_only("of_run", {"run", "study.toml", "-o", "run.h5", "--quiet"});
  EXPECT_EQ(printed_["run"]["step"], 0.002);
  EXPECT_EQ(printed_["run"]["seed"], 1);
  EXPECT_EQ(printed_["run"]["shapes"][0]["mass"], 780.0);
  expect_only("of_run", {"run", "study.toml", "--set", "group_by=shape", "--set",
                         "sensitivity={ key = \"rock.ground\", values = [\"soft\"] }", "--quiet"});
  expect_only("of_run", {"run", "shots.toml", "--set", "sampling=sobol", "--quiet"});
  expect_only("of_run",
              {"run", "study.toml", "--set", "vary.\"rock.ground\"={ choice = [\"soft\", \"hard\"] }", "--quiet"});
  EXPECT_EQ(printed_["run"]["varied"][0]["choices"]["soft"].get<int>() +
                printed_["run"]["varied"][0]["choices"]["hard"].get<int>(),
            20);
  const std::string line = "line = [[20, -90], [20, 90]]";
  expect_only("of_run", {"run", "study.toml", "--set", "gate=[{ name = 'a', " + line + " }]", "--set",
                         "barrier=[{ name = 'b', height = 4, " + line +
                             " }, { name = 'c', height = 2, base = 1, capacity = 1e3, " + line + " }]",
                         "--set", "maps={ cell = 2, extent = [-9, -9, 99, 9], release_frequency = 0.1 }", "--quiet"});
  EXPECT_TRUE(printed_["barriers"]["b"]["capacity"].is_null());
  EXPECT_EQ(printed_["barriers"]["c"]["base"], 1.0);
  expect_only("of_run", {"run", "shots.toml", "--until", "mean(range) +- 50 %", "--quiet"});
  expect_only("of_compare", {"compare", "shots.toml", "--schemes", "euler,rk4", "--step-error", "--set",
                             "margin.range=1", "-o", "both.h5", "--quiet"});
  expect_only("of_compare", {"compare", "shots.toml", "--schemes", "euler,rk4,exact", "--quiet"});
  expect_only("of_compare", {"converge", "shots.toml", "--quiet"});
  expect_only("of_run", {"run", "shots.toml", "-o", "parts.h5", "--shard", "1/2", "--quiet"});
  EXPECT_EQ(printed_["run"]["shard"]["first"], 100);
  expect_only("of_run", {"merge", "run.h5", "-o", "merged.h5", "--quiet"});
  expect_only("of_compare", {"merge", "both.h5", "-o", "merged.h5", "--force", "--quiet"});
  expect_only("of_dry_run", {"run", "study.toml", "--dry-run", "--until", "mean(runout) +- 5 %"});
  EXPECT_EQ(printed_["dry_run"]["steps_of_a_sample"], 15000);
  expect_only("of_dry_run", {"compare", "shots.toml", "--schemes", "euler,rk4", "--dry-run"});
  expect_only("of_published", {"compare", config("rock_ramp.toml"), "--published"});
  expect_only("of_info_of_a_run", {"info", "run.h5"});
  expect_only("of_info_of_a_comparison", {"info", "both.h5"});
  expect_only("of_check", {"check", "study.toml"});
  expect_only("of_verify", {"verify", "--only", "balls", "--quiet"});
  expect_only("of_bench", {"bench", "--only", "rotor", "--samples", "10", "--rounds", "1", "--quiet"});
  expect_only("of_bench_list", {"bench", "--list"});
  expect_only("of_list", {"list"});
  expect_only("of_version", "version", object({"--version", "--json"}));
  expect_only("of_list_devices", {"list", "--devices"});
  if (printed_["devices"].empty()) {
    // Nothing is printed where there is no device: what would be of one.
    json limits = json_of("bench");
    limits.update(json(limits_json(std::vector<DeviceLimits>(1))));
    expect_only("of_bench_device", "bench", limits);
  } else {
    expect_only("of_bench_device", {"bench", "--device"});
  }
  // And the schema has nothing that no command prints.
  for (const json& kind : schema_["oneOf"])
    EXPECT_THAT(seen_, testing::Contains(kind["$ref"].get<std::string>().substr(14)));
}

TEST_F(JsonSchema, VersionSaysWhatTheProgramWasMadeWith) {
  const json version = object({"--version", "--json"});
  EXPECT_EQ(scree({"--version"}).out, "scree " + version["program"]["version"].get<std::string>() + " (commit " +
                                          version["program"]["commit"].get<std::string>() + ")\n");
  EXPECT_THAT(version["compiler"].get<std::string>(), testing::MatchesRegex("(g\\+\\+|clang) [0-9]+\\..*"));
  EXPECT_EQ(version["cuda"].is_null(), !SCREE_HAS_CUDA);
  EXPECT_FALSE(version["parts"]["mpi"]);
  // What a run takes that is not told which.
  const std::string chosen = version["isas"]["chosen"];
  EXPECT_THAT(version["isas"]["compiled"], testing::Contains(chosen));
  const json run = object({"run", "shots.toml", "--backend", "pack", "--json", "--quiet"}),
             told = object({"run", "shots.toml", "--backend", "pack", "--isa", chosen, "--json", "--quiet"});
  EXPECT_EQ(run["device"], told["device"]);
}

TEST_F(JsonSchema, RefusesWhatItDoesNotDescribe) {
  json printed = object({"run", "shots.toml", "--json", "--quiet"});
  ASSERT_TRUE(is_a(schema_, "of_run", printed));
  printed["more"] = 1;
  EXPECT_FALSE(is_a(schema_, "of_run", printed));
  printed.erase("more");
  printed["samples"] = "200";
  EXPECT_FALSE(is_a(schema_, "of_run", printed));
  printed["samples"] = 200;
  printed.erase("digest");
  EXPECT_FALSE(is_a(schema_, "of_run", printed));
}

TEST_F(JsonSchema, InfoSaysWhatTheRunSaid) {
  const json run = object({"run", "study.toml", "-o", "r.h5", "--quiet", "--json"}),
             info = object({"info", "r.h5", "--json"});
  for (const char* key : {"statistics", "status", "digest", "deposition", "sample_steps", "wall_s"})
    EXPECT_EQ(run[key], info[key]) << key;
  for (const char* key : {"system", "seed", "step", "end", "shapes", "varied", "config_xxh3", "preset"})
    EXPECT_EQ(run["run"][key], info["run"][key]) << key;
}

}  // namespace
}  // namespace scree
