// What `scree verify` makes of a claim and of its baseline: every criterion comes out either way.
#include "host/verify/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "host/verify/baseline.hpp"

namespace scree {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A claim that publishes and measures these numbers.
Claim claim_of(std::vector<double> published, std::vector<double> measured, Criterion criterion) {
  return {.claim = "a length",
          .source = "closed form: a rule",
          .published = {.numbers = std::move(published), .unit = "m", .words = "(once)"},
          .measured = {.numbers = std::move(measured), .unit = "m"},
          .criterion = std::move(criterion)};
}
bool agree(std::vector<double> published, std::vector<double> measured, const Criterion& criterion) {
  const Claim claim = claim_of(std::move(published), std::move(measured), criterion);
  check(claim);
  return claim.agrees();
}

TEST(Criterion, HoldsInsideItsToleranceAndNotOutside) {
  const Criterion tight = within(0.5, "a test");
  EXPECT_TRUE(agree({2}, {2.5}, tight));
  EXPECT_TRUE(agree({2}, {1.5}, tight));
  EXPECT_FALSE(agree({2}, {2.51}, tight));
  EXPECT_FALSE(agree({2}, {1.49}, tight));
  EXPECT_EQ(tight.text("m"), "within 0.5 m: a test");
  EXPECT_EQ(tight.text(""), "within 0.5: a test");
}

TEST(Criterion, HoldsEachNumberToItsOwnTolerance) {
  const Criterion each = within({0.5, 0.01}, "a test");
  EXPECT_TRUE(agree({2, 3}, {2.4, 3.005}, each));
  EXPECT_FALSE(agree({2, 3}, {2.005, 3.4}, each));
  EXPECT_EQ(each.text("m"), "within 0.5, 0.01 m: a test");
}

TEST(Criterion, TakesPercentOfNegativeNumbersToo) {
  const Criterion tenth = within_percent(10, "a test");
  EXPECT_TRUE(agree({-2}, {-2.19}, tenth));
  EXPECT_FALSE(agree({-2}, {-2.21}, tenth));
  EXPECT_FALSE(agree({-2}, {2}, tenth));
  EXPECT_EQ(tenth.text("m"), "within 10 %: a test");
}

TEST(Criterion, TakesAFactorBothWaysAndOfOneSign) {
  const Criterion thrice = within_factor(3, "a test");
  for (const double sign : {1.0, -1.0}) {
    EXPECT_TRUE(agree({sign * 1e-5}, {sign * 2.9e-5}, thrice));
    EXPECT_TRUE(agree({sign * 1e-5}, {sign * 3.4e-6}, thrice));
    EXPECT_FALSE(agree({sign * 1e-5}, {sign * 3.1e-5}, thrice));
    EXPECT_FALSE(agree({sign * 1e-5}, {sign * 3.3e-6}, thrice));
    EXPECT_FALSE(agree({sign * 1e-5}, {-sign * 1e-5}, thrice));
  }
  EXPECT_EQ(thrice.text("m"), "within a factor of 3: a test");
}

TEST(Criterion, BoundsOneSideAlone) {
  EXPECT_TRUE(agree({}, {1e-12, -5}, at_most(1e-12, "a test")));
  EXPECT_FALSE(agree({}, {0, 2e-12}, at_most(1e-12, "a test")));
  EXPECT_TRUE(agree({}, {1, 3}, at_most({2, 4}, "a test")));
  EXPECT_FALSE(agree({}, {3, 1}, at_most({2, 4}, "a test")));
  EXPECT_TRUE(agree({}, {7}, at_least(7, "a test")));
  EXPECT_FALSE(agree({}, {6.99}, at_least(7, "a test")));
  EXPECT_FALSE(agree({44}, {45}, equal("a count")));
  EXPECT_TRUE(agree({44}, {44}, equal("a count")));
}

TEST(Criterion, AsksThatAnIntervalLeavesZeroOut) {
  EXPECT_TRUE(agree({}, {1, 0.1, 1.9}, interval_above_zero("a test")));
  EXPECT_FALSE(agree({}, {1, -0.1, 2.1}, interval_above_zero("a test")));
  EXPECT_FALSE(agree({}, {-1, -1.9, -0.1}, interval_above_zero("a test")));
  EXPECT_TRUE(agree({}, {-1, -1.9, -0.1}, interval_below_zero("a test")));
  EXPECT_FALSE(agree({}, {-1, -2.1, 0.1}, interval_below_zero("a test")));
  EXPECT_FALSE(agree({}, {1, 0, 2}, interval_above_zero("a test")));
}

TEST(Claim, NeverAgreesOnWhatIsNotANumber) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(agree({1}, {nan}, within(1, "a test")));
  EXPECT_FALSE(agree({1}, {nan}, within_factor(2, "a test")));
  EXPECT_FALSE(agree({}, {nan}, at_most(1, "a test")));
  EXPECT_FALSE(agree({1, 1}, {1, nan}, within(1, "a test")));
  EXPECT_FALSE(agree({}, {nan, 1, 2}, interval_above_zero("a test")));
  EXPECT_FALSE(agree({1}, {infinity}, within(1, "a test")));
}

TEST(Claim, IsRefusedUnlessItMayComeOutEitherWay) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto refused = [](const Claim& claim, const std::string& why) {
    try {
      check(claim);
      ADD_FAILURE() << "not refused: " << why;
    } catch (const std::logic_error& error) {
      EXPECT_EQ(error.what(), "claim \"" + claim.claim + "\" " + why);
    }
  };
  refused(claim_of({}, {1}, at_most(infinity, "a test")), "cannot differ");
  refused(claim_of({1}, {1}, within(-1, "a test")), "cannot agree");
  refused(claim_of({std::nan("")}, {1}, within(1, "a test")), "cannot agree");
  refused(claim_of({1}, {}, within(1, "a test")), "measures nothing");
  refused(claim_of({1, 2}, {1}, within(1, "a test")), "measures other numbers than were published");
  Claim nameless = claim_of({1}, {1}, within(1, "a test"));
  nameless.source = "";
  refused(nameless, "has no words or no source");
  nameless = claim_of({1}, {1}, within(1, "a test"));
  nameless.published = {};
  refused(nameless, "says nothing of what was published");
  EXPECT_THROW(within(1, ""), std::logic_error);
}

TEST(Claim, IsThereOnceInItsGroup) {
  const VerifyOptions options;
  Claims claims(options, "1 of 1: rule");
  claims.add(claim_of({1}, {1}, within(1, "a test")));
  EXPECT_THROW(claims.add(claim_of({2}, {2}, within(1, "a test"))), std::logic_error);
  EXPECT_EQ(claims.all().size(), 1u);
}

TEST(Amounts, AreWrittenWithUnitAndWords) {
  EXPECT_EQ((Amounts{.numbers = {1.25, 3}, .unit = "m", .words = "(once)"}.text()), "1.25, 3 m (once)");
  EXPECT_EQ((Amounts{.numbers = {2.0 / 3}, .digits = 2}.text()), "0.67");
  EXPECT_EQ((Amounts{.words = "longer"}.text()), "longer");
  EXPECT_EQ((Amounts{.numbers = {1, 0, 2}, .unit = "m", .digits = 0, .words = "1 (0 to 2) m"}.text()), "1 (0 to 2) m");
}

TEST(Claims, OfGroupsThatComputeLittleAgreeAsTheBaselineSays) {
  const VerifyOptions options;
  const Baseline baseline = Baseline::embedded();
  const std::tuple<const char*, void (*)(Claims&), std::size_t> groups[] = {{"rotor", verify_rotor, 11},
                                                                            {"block", verify_block, 5}};
  for (const auto& [name, verify, count] : groups) {
    Claims claims(options, "");
    verify(claims);
    EXPECT_EQ(claims.all().size(), count) << name;
    for (const Claim& claim : claims.all())
      EXPECT_EQ(baseline.agreed(name, claim.claim), claim.agrees()) << claim.claim;
  }
}

// ---------------------------------------------------------------------------------------------------------------------

const std::vector<JudgedClaim> three{{"a", "one", true}, {"a", "two", false}, {"b", "one", true}};

TEST(Baseline, SaysWhatChanged) {
  const Changes same = changes(Baseline(three), {"a", "b"}, three);
  EXPECT_THAT(same.broken, IsEmpty());
  EXPECT_THAT(same.mended, IsEmpty());
  EXPECT_EQ(same.failure(), "");

  const Changes other = changes(Baseline(three), {"a", "b"},
                                {{"a", "one", false}, {"a", "two", true}, {"a", "three", true}, {"b", "two", false}});
  EXPECT_THAT(other.broken, ElementsAre("a: one"));
  EXPECT_THAT(other.mended, ElementsAre("a: two"));
  EXPECT_THAT(other.missing, ElementsAre("a: three", "b: two"));
  EXPECT_THAT(other.stale, ElementsAre("b: one"));
  EXPECT_EQ(other.failure(),
            "1 claim that agreed differs now: \"a: one\"; 2 claims are not in the baseline: \"a: three\", \"b: two\"; "
            "1 row of the baseline has no claim: \"b: one\"");
}

TEST(Baseline, FailsNothingThatAgreesNowOrDiffersAsBefore) {
  const Changes mended = changes(Baseline(three), {"a"}, {{"a", "one", true}, {"a", "two", true}});
  EXPECT_THAT(mended.mended, ElementsAre("a: two"));
  EXPECT_EQ(mended.failure(), "");
}

TEST(Baseline, MissesNoClaimOfAGroupThatDidNotRun) {
  EXPECT_EQ(changes(Baseline(three), {"b"}, {{"b", "one", true}}).failure(), "");
  EXPECT_EQ(changes(Baseline(three), {}, {{"a", "one", true}}).failure(), "") << "a group that was interrupted";
}

TEST(Baseline, ReadsBackWhatItWrites) {
  const std::vector<JudgedClaim> odd{{"a", "one, \"two\" and three", true}, {"b", "2 / sqrt(3)", false}};
  const std::string text = Baseline(odd).csv();
  EXPECT_EQ(text, "group,claim,verdict\na,\"one, \"\"two\"\" and three\",agrees\nb,\"2 / sqrt(3)\",differs\n");
  const Baseline again = Baseline::parse(text, "a file");
  EXPECT_EQ(again.csv(), text);
  EXPECT_EQ(again.agreed("a", "one, \"two\" and three"), true);
  EXPECT_EQ(again.agreed("b", "2 / sqrt(3)"), false);
  EXPECT_EQ(again.agreed("b", "one, \"two\" and three"), std::nullopt);
}

TEST(Baseline, ReplacesTheGroupsThatRan) {
  EXPECT_EQ(Baseline(three).with({"a", "c"}, {{"a", "four", true}, {"c", "one", false}}).csv(),
            "group,claim,verdict\na,\"four\",agrees\nb,\"one\",agrees\nc,\"one\",differs\n");
}

TEST(Baseline, RefusesATextThatIsNone) {
  const auto refused = [](const std::string& text, const std::string& line) {
    try {
      Baseline::parse(text, "b.csv");
      ADD_FAILURE() << "not refused: " << line;
    } catch (const Error& error) {
      EXPECT_EQ(error.code, Exit::input);
      EXPECT_EQ(error.what(), line);
    }
  };
  refused("group,claim\na,one\n", "b.csv: has other columns than group,claim,verdict");
  refused("group,claim,verdict\na,one,agreed\n", "b.csv:2: verdict = 'agreed', must be agrees or differs");
  refused("group,claim,verdict\na,one,agrees\na,one,differs\n", "b.csv:3: a: one, is there twice");
}

TEST(Baseline, IsCarriedAlongAsItStandsInTheTreeWithRowsOfEveryGroup) {
  const Baseline embedded = Baseline::embedded();
  EXPECT_EQ(embedded.csv(), read_text_file(SCREE_SOURCE_DIR "/host/verify/baseline.csv"));
  std::vector<std::string> groups;
  for (const JudgedClaim& row : embedded.rows())
    if (groups.empty() || groups.back() != row.group) groups.push_back(row.group);
  EXPECT_EQ(groups, verify_groups());
}

}  // namespace
}  // namespace scree
