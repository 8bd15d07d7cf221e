// `scree verify` as a user runs it: what it prints, and when it fails.
#include <gmock/gmock.h>

#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Verify : public Cli {
 protected:
  /// The program's baseline of a group, in baseline.csv, with one text in the place of another.
  void doctor(const std::string& group, const std::string& before, const std::string& after) const {
    ASSERT_EQ(scree({"verify", "--only", group, "--quiet", "--write-baseline", "baseline.csv", "--force"}).code, 0);
    std::string text = read("baseline.csv");
    const std::size_t found = text.find(before);
    ASSERT_NE(found, std::string::npos) << before;
    write("baseline.csv", text.replace(found, before.size(), after));
  }
  Outcome block() const { return scree({"verify", "--only", "block", "--baseline", "baseline.csv"}); }
};

const std::string repeats = "\"it detaches, lands, and repeats: flights above 1 cm in 10 s\"";

TEST_F(Verify, FailsWhereAClaimThatAgreedDiffers) {
  doctor("slider", "\"figure 1: error of the radius, RK4\",differs", "\"figure 1: error of the radius, RK4\",agrees");
  const Outcome slider = scree({"verify", "--only", "slider", "--baseline", "baseline.csv"});
  EXPECT_EQ(slider.code, 1);
  EXPECT_EQ(slider.err,
            "scree: verify: 1 claim that agreed differs now: \"slider: figure 1: error of the radius, RK4\"\n");
  EXPECT_THAT(slider.out, HasSubstr(" (step 0.02 s,   now differs\n"));
  EXPECT_THAT(slider.out,
              HasSubstr("\nagreed in the baseline, and differ now\n  slider: figure 1: error of the radius, "
                        "RK4\n"));
  EXPECT_THAT(slider.out, EndsWith(" 4 differ as before, 1 newly disagree. --long: each in full\n"));
}

TEST_F(Verify, SaysWhatAgreesNowAndPasses) {
  doctor("block", repeats + ",agrees", repeats + ",differs");
  const Outcome mended = block();
  EXPECT_EQ(mended.code, 0) << mended.err;
  EXPECT_THAT(mended.out, HasSubstr("each with a landing   now agrees\n"));
  EXPECT_THAT(mended.out,
              HasSubstr("\ndiffered in the baseline, and agree now\n  block: it detaches, lands, and repeats"));
}

TEST_F(Verify, FailsWhereClaimsAndBaselineDoNotMatch) {
  doctor("block", repeats, "\"it detaches\"");
  const Outcome unmatched = block();
  EXPECT_EQ(unmatched.code, 1);
  EXPECT_EQ(
      unmatched.err,
      "scree: verify: 1 claim is not in the baseline: \"block: it detaches, lands, and repeats: flights above 1 cm "
      "in 10 s\"; 1 row of the baseline has no claim: \"block: it detaches\"\n");
}

TEST_F(Verify, JudgesNoGroupThatDoesNotRun) {
  doctor("block", "rotor,", "rotors,");
  EXPECT_EQ(block().code, 0);
}

TEST_F(Verify, RefusesABaselineThatIsNone) {
  write("baseline.csv", "group,claim,verdict\nblock,\"it detaches\",perhaps\n");
  expect_refusal({"verify", "--only", "block", "--baseline", "baseline.csv"}, 3,
                 "baseline.csv:2: verdict = 'perhaps', must be agrees or differs");
  expect_refusal({"verify", "--only", "block", "--write-baseline", "baseline.csv"}, 2,
                 "baseline.csv: exists already; give another name, or --force to replace it");
}

TEST_F(Verify, GivesEachRowCriterionSourceAndNumbersAsJson) {
  const json rows = object({"verify", "--only", "rotor", "--json"})["claims"];
  EXPECT_EQ(rows.size(), 11u);
  for (const json& row : rows) {
    EXPECT_EQ(row["group"], "rotor");
    EXPECT_TRUE(row["agrees"].get<bool>()) << row;
    EXPECT_EQ(row["verdict"], "agrees");
    EXPECT_EQ(row["baseline"], "agrees");
    EXPECT_FALSE(row["timed"].get<bool>());
    EXPECT_EQ(row["measured_numbers"].size(), row["allowed"].size());
    EXPECT_THAT(row["criterion"].get<std::string>(), HasSubstr(": "));
    EXPECT_THAT(row["source"].get<std::string>(),
                testing::AnyOf(StartsWith("L21 "), StartsWith("closed form: "), StartsWith("independent code: ")));
  }
  const json& leaves = rows[0];
  EXPECT_EQ(leaves["claim"], "(a) the explicit rotor leaves rotation about e3");
  EXPECT_EQ(leaves["source"], "L21 section 4.3");
  EXPECT_EQ(leaves["published"], "10 s (about)");
  EXPECT_EQ(leaves["published_numbers"], json({10.0}));
  EXPECT_EQ(leaves["unit"], "s");
  EXPECT_EQ(leaves["allowed"], json::parse("[[8.0, 12.0]]"));
}

TEST_F(Verify, JudgesMeansAndStandardDeviationsOfTable2Apart) {
  const json rows = object({"verify", "--only", "ramp", "--json", "--quiet"})["claims"];
  EXPECT_EQ(rows.size(), 25u);
  int means = 0, spreads = 0, timed = 0;
  for (const json& row : rows) {
    const std::string claim = row["claim"];
    means += claim.starts_with("mean of the ");
    spreads += claim.starts_with("SD of the ");
    timed += row["timed"].get<bool>();
    EXPECT_EQ(row["timed"].get<bool>(), row["baseline"].is_null()) << row;
  }
  EXPECT_EQ(means, 8);
  EXPECT_EQ(spreads, 8);
  EXPECT_EQ(timed, 1);
}

TEST_F(Verify, SaysWhichGroupWantsDataThatAreNotThere) {
  const Outcome outcome = scree({"verify", "--only", "tschamut"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\ntschamut: run-outs at Tschamut"));
  EXPECT_THAT(outcome.out, HasSubstr("  not run: configs/rock_tschamut.toml"));
  EXPECT_THAT(outcome.out, HasSubstr("\n0 claims: 0 agree, 0 differ as before, 0 newly disagree; not run: tschamut"));
  const json verified = object({"verify", "--only", "tschamut", "--json"});
  EXPECT_EQ(verified["claims"].size(), 0u);
  EXPECT_EQ(verified["not_run"][0]["group"], "tschamut");
  EXPECT_THAT(verified["not_run"][0]["why"].get<std::string>(), HasSubstr("SCREE_DATA"));
}

/// Impacts of Lu et al. 2019: their simulation is ours to within what the phase of the wheel changes.
TEST_F(Verify, ComparesFourImpactsWithSimulationAndField) {
  const json rows = object({"verify", "--only", "scar", "--json", "--quiet"})["claims"];
  ASSERT_EQ(rows.size(), 24u);
  int agree = 0;
  for (const json& row : rows) {
    EXPECT_THAT(row["source"].get<std::string>(), StartsWith("Lu19"));
    EXPECT_EQ(row["verdict"], row["baseline"]) << row;
    agree += row["agrees"].get<bool>();
  }
  EXPECT_GT(agree, 12);
}

TEST_F(Verify, PrintsWhatWasFinishedWhenItIsInterrupted) {
  const Outcome outcome = interrupted({"verify"});
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\nrotor: the free rotor"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\ndisk: ")));
  EXPECT_THAT(outcome.err, Not(HasSubstr("scree: verify")));
  EXPECT_LT(outcome.computed, 5) << "s; the whole command takes more than ten";
}

}  // namespace
}  // namespace scree
