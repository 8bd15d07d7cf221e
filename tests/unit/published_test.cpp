// Published means judged by themselves: against scipy, what is said of them, and what is refused.
#include "host/commands/published.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "../support/reference.hpp"
#include "fake_result.hpp"
#include "host/config/config.hpp"
#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using test::nan;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A Run of the cart with two studies of one source: "near", which is this config's, and "far".
scree::Run cart_run() {
  static const Model model = [] {
    Model m{};
    m.description = fake::plain();
    return m;
  }();
  scree::Run run = fake::run();
  run.title = "how far it rolls";
  run.model = &model;
  run.schemes = {"explicit", "implicit"};
  run.published.source = "Somebody 2021";
  run.published.place = "near";
  run.published.samples = 50;
  run.published.rows = {{"reach", "explicit", "km", 10, 2, 1000, ""},
                        {"reach", "implicit", "km", 12.5, 3, 1000, ""},
                        {"speed", "explicit", "m/s", 5, 1, 1, "far"},
                        {"speed", "implicit", "m/s", 5.1, 1, 1, "far"}};
  return run;
}

void expect_refusal(const scree::Run& run, const std::string& line) {
  try {
    judge_published(run);
    ADD_FAILURE() << "not refused: " << line;
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Exit::usage);
    EXPECT_EQ(error.what(), line);
  }
}

TEST(Published, TablesOfLeine2021AreJudgedAsByScipy) {
  const test::Json stored = test::reference("published.json");
  const PublishedJudgement ours = judge_published(load_run(SCREE_SOURCE_DIR "/configs/rock_ramp_100m.toml"));
  EXPECT_EQ(ours.samples, stored["n"]);
  EXPECT_THAT(ours.alone, IsEmpty());
  ASSERT_EQ(ours.contrasts.size(), 8u);
  ASSERT_EQ(stored["contrasts"].size(), 8u);
  for (std::size_t i = 0; i < ours.contrasts.size(); ++i) {
    const PublishedContrast& c = ours.contrasts[i];
    const test::Json& scipy = stored["contrasts"][i];
    SCOPED_TRACE(c.place + ", " + c.column);
    EXPECT_EQ(c.place, scipy["place"].get<std::string>());
    EXPECT_EQ(c.column, scipy["column"].get<std::string>());
    EXPECT_EQ(c.baseline, "explicit");
    EXPECT_EQ(c.arm, "implicit");
    EXPECT_EQ(c.of_baseline.mean, scipy["baseline"][0]);
    EXPECT_EQ(c.of_baseline.sd, scipy["baseline"][1]);
    EXPECT_EQ(c.of_arm.mean, scipy["arm"][0]);
    EXPECT_EQ(c.of_arm.sd, scipy["arm"][1]);
    const auto equal = [&](double value, const test::Json& theirs) {
      EXPECT_NEAR(value, theirs.get<double>(), 1e-10 * std::fabs(theirs.get<double>()));
    };
    equal(c.difference, scipy["difference"]);
    equal(c.ci95.low, scipy["ci95"][0]);
    equal(c.ci95.high, scipy["ci95"][1]);
    equal(c.p, scipy["p"]);
    equal(c.p_holm, scipy["p_holm"]);
    equal(c.effect_size, scipy["effect_size"]);
    equal(c.sd_ratio, scipy["sd_ratio"]);
    equal(c.p_sd, scipy["p_sd"]);
    equal(c.p_sd_holm, scipy["p_sd_holm"]);
  }
}

TEST(Published, TwoOfTheEightContrastsOfLeine2021AreNotDistinguishableFromZero) {
  const PublishedJudgement judgement = judge_published(load_run(SCREE_SOURCE_DIR "/configs/rock_ramp_100m.toml"));
  std::vector<std::string> verdicts;
  for (const PublishedContrast& c : judgement.contrasts) verdicts.push_back(c.verdict);
  const std::string not_seen = "not distinguishable from zero at n = 1000";
  EXPECT_THAT(verdicts,
              ElementsAre("differs", not_seen, "differs", "differs", "differs", "differs", "differs", not_seen));
  EXPECT_THAT(
      verdict(judgement),
      ElementsAre(
          "Distinguishable from zero at the 5 % level: 6 of 8 differences of means, with n = 1000 in each arm and "
          "Holm's correction for 8 tests; without the correction the same.",
          "Not distinguishable from zero: ramp, slope_speed; Chant Sura, jump_mean.",
          "Standard deviations that differ at the 5 % level: 3 of 8, by the F test with Holm's correction for 8 tests; "
          "it is valid for normal values only, and of values with longer tails its p is too small.",
          "Published means allow no pairing: if both arms hold the same samples and their values correlate positively, "
          "paired differences would have narrower intervals.",
          "That each mean is over n = 1000 independent samples is an assumption: where an observation is a time step "
          "or a cell, observations depend on one another and these p are too small."));
}

TEST(Published, VerdictsAreOfTheCorrectedP) {
  EXPECT_EQ(published_verdict(0.01, 0.05, 1000), "differs");
  EXPECT_EQ(published_verdict(0.01, 0.0501, 1000), "not distinguishable from zero at n = 1000 after Holm's correction");
  EXPECT_EQ(published_verdict(0.2, 0.4, 30), "not distinguishable from zero at n = 30");
  EXPECT_EQ(published_verdict(nan, nan, 30), "not judged: neither scheme has a spread");
}

TEST(Published, ArePrintedAsTwoTablesAndAVerdict) {
  const scree::Run run = cart_run();
  std::ostringstream out;
  print_published_judgement(out, run, judge_published(run), {.all = true});
  EXPECT_EQ(out.str(), R"(cart: how far it rolls
cart.toml, its published numbers; nothing was run
source: Somebody 2021; n = 50 in each arm

Means, implicit minus explicit: Welch's t test of independent groups
  place  column  unit  difference  95 % from    to          p   p (Holm)     d
  near   reach   km           2.5        1.5   3.5  4.454e-06  8.909e-06  0.98  differs
  far    speed   m/s         0.10      -0.30  0.50     0.6182     0.6182  0.10
d: the difference over the pooled standard deviation (Cohen's). differs: p (Holm) <= 0.05.

Standard deviations, implicit over explicit: F test, valid for normal values only
  place  column  unit  explicit: mean (sd)  implicit: mean (sd)  sd / sd         p  p (Holm)
  near   reach   km                 10 (2)             12.5 (3)     1.50  0.005325   0.01065
  far    speed   m/s                 5 (1)              5.1 (1)     1.00     1.000     1.000

Verdict
- Distinguishable from zero at the 5 % level: 1 of 2 differences of means, with n = 50 in each arm and Holm's
  correction for 2 tests; without the correction the same.
- Not distinguishable from zero: far, speed.
- Standard deviations that differ at the 5 % level: 1 of 2, by the F test with Holm's correction for 2 tests;
  it is valid for normal values only, and of values with longer tails its p is too small.
- Published means allow no pairing: if both arms hold the same samples and their values correlate positively,
  paired differences would have narrower intervals.
- That each mean is over n = 50 independent samples is an assumption: where an observation is a time step or a
  cell, observations depend on one another and these p are too small.
)");
}

TEST(Published, AreWrittenAsJson) {
  const nlohmann::ordered_json json = published_json(judge_published(cart_run()));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json["published"][0].items()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("place", "column", "unit", "baseline", "arm", "n", "difference", "ci95", "p", "p_holm",
                                "effect_size", "sd_ratio", "p_sd", "p_sd_holm", "verdict"));
  EXPECT_EQ(json["published"][0]["place"], "near");
  EXPECT_EQ(json["published"][1]["place"], "far");
  EXPECT_EQ(json["published"][0]["unit"], "km");
  EXPECT_EQ(json["published"][0]["n"], 50);
  EXPECT_EQ(json["published"][0]["difference"], 2.5);
  EXPECT_EQ(json["published"][0]["ci95"].size(), 2u);
  EXPECT_EQ(json["verdict"].size(), 5u);
}

TEST(Published, TheConfigsFirstSchemeIsTheBaseline) {
  scree::Run run = cart_run();
  run.schemes = {"implicit", "explicit"};
  const PublishedContrast c = judge_published(run).contrasts[0];
  EXPECT_EQ(c.baseline, "implicit");
  EXPECT_EQ(c.difference, -2.5);
  // Schemes that the config does not run come last.
  run.schemes = {"explicit"};
  EXPECT_EQ(judge_published(run).contrasts[0].baseline, "explicit");
}

TEST(Published, SeveralArmsHaveOneBaseline) {
  scree::Run run = cart_run();
  run.published.rows.push_back({"reach", "rk4", "km", 10.1, 2, 1000, ""});
  const PublishedJudgement judgement = judge_published(run);
  ASSERT_EQ(judgement.contrasts.size(), 3u);
  EXPECT_EQ(judgement.contrasts[1].arm, "rk4");
  EXPECT_EQ(judgement.contrasts[1].baseline, "explicit");
  EXPECT_THAT(verdict(judgement)[1],
              "Not distinguishable from zero: near, reach (rk4 - explicit); far, speed (implicit - explicit).");
  std::ostringstream out;
  print_published_judgement(out, run, judgement, {.all = true});
  EXPECT_THAT(out.str(), HasSubstr("\nMeans, rk4 minus explicit: Welch's t test of independent groups\n"));
}

TEST(Published, AColumnUnderOneSchemeIsNamed) {
  scree::Run run = cart_run();
  run.published.rows.pop_back();
  const PublishedJudgement judgement = judge_published(run);
  EXPECT_THAT(judgement.alone, ElementsAre("far, speed"));
  EXPECT_EQ(verdict(judgement)[2], "Published under one scheme only, so that nothing can be compared: far, speed.");
}

TEST(Published, WithoutASpreadNothingIsJudged) {
  scree::Run run = cart_run();
  run.published.rows[0].sd = run.published.rows[1].sd = 0;
  const PublishedJudgement judgement = judge_published(run);
  EXPECT_EQ(judgement.contrasts[0].verdict, "not judged: neither scheme has a spread");
  EXPECT_TRUE(std::isnan(judgement.contrasts[0].p_holm));
  EXPECT_EQ(published_json(judgement)["published"][0]["p"].dump(), "null");
  EXPECT_THAT(verdict(judgement)[0], HasSubstr("0 of 2 differences of means, with n = 50 in each arm and Holm's "
                                               "correction for 1 test;"));
}

TEST(Published, SaysWhatItNeeds) {
  scree::Run run = cart_run();
  run.published.samples = 0;
  expect_refusal(run,
                 "cart.toml: published.samples is missing, must be a whole number >= 2: how many samples each "
                 "mean is of");
  run = cart_run();
  run.published = {};
  expect_refusal(run, "cart.toml: has no [published] section, whose means --published judges");
  run = cart_run();
  run.published.rows.erase(run.published.rows.begin());
  run.published.rows.pop_back();
  expect_refusal(run, "cart.toml: [published] has no column under two schemes, so nothing to compare");
  run = cart_run();
  run.published.rows.push_back(run.published.rows[1]);
  expect_refusal(run, "cart.toml: [published] has two rows of near, reach under implicit");
  run = cart_run();
  run.published.rows[3].unit = "km/s";
  expect_refusal(run, "cart.toml: [published] has rows of far, speed with different units or scales");
}

}  // namespace
}  // namespace scree
