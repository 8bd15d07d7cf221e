// The sentences of a verdict, from numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_result.hpp"
#include "host/evaluation.hpp"

namespace scree {
namespace {

using namespace fake;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string not_measured =
    "How much of this is time-step error was not measured; --step-error or `scree converge` does.";

std::vector<Arm> two_arms() {
  return {arm("explicit", table(plain(), {{10, 11, 12, 99}, {5, 6, 7, 8}}, {stopped, stopped, stopped, end_time})),
          arm("implicit", table(plain(), {{20, 22, 21, 30}, {5, 6.5, 6.5, 8}}))};
}

std::vector<std::string> sentences(const std::vector<Arm>& arms, std::vector<double> margins = {}) {
  scree::Run r = run();
  r.margins = std::move(margins);
  return evaluate(r, arms, 1).verdict;
}

TEST(Verdict, SaysEachHeadlineColumnInASentence) {
  EXPECT_THAT(
      sentences(two_arms()),
      ElementsAre("reach: implicit exceeds explicit by 10 m, 91 % of the mean of explicit (95 % confidence interval 8 "
                  "to 12 m (t; bootstrap 9 to 11), p = 0.0066 after Holm, 3 pairs, effect size 10).",
                  "speed: no difference between implicit and explicit is shown: 0 m/s (95 % confidence interval -0.6 "
                  "to 0.6 m/s (t; bootstrap -0.4 to 0.4), p = 1.000 after Holm, 4 pairs); means that differ by more "
                  "than 0.65 m/s are ruled out at this level.",
                  "Of 4 samples 1 did not stop in both explicit and implicit (0 only in explicit, 1 only in implicit); "
                  "what is said of resting places leaves them out.",
                  not_measured));
}

TEST(Verdict, SaysSoWhenThereIsNothingToCompare) {
  const Arm a = arm("explicit", table(plain(), {{1, 2}, {5, 6}}, {stopped, end_time}));
  EXPECT_THAT(
      sentences({a, arm("rk4", a.table)}),
      ElementsAre("reach: 1 pair is too few to compare rk4 and explicit.",
                  "speed: rk4 and explicit are equal in all 2 pairs.",
                  "Of 2 samples 1 did not stop in both explicit and rk4 (0 only in explicit, 0 only in rk4); what is "
                  "said of resting places leaves them out.",
                  not_measured));
}

/// Thirty pairs that differ by `shift` and +-0.5 in turn; reach of the baseline 100.
std::vector<Arm> shifted(double shift) {
  std::vector<double> a(30, 100.0), b;
  for (int i = 0; i < 30; ++i) b.push_back(100 + shift + (i % 2 ? 0.5 : -0.5));
  return {arm("explicit", table(plain(), {a, a})), arm("implicit", table(plain(), {b, a}))};
}

TEST(Verdict, AnswersTheQuestionOfTheMargin) {
  EXPECT_THAT(sentences(shifted(3), {2, 0})[0],
              HasSubstr("reach: implicit exceeds explicit by 3.00 m, 3.00 % of the mean of explicit, more than the "
                        "margin of 2.000 m (p < 0.0001; "));
  EXPECT_THAT(sentences(shifted(1), {2, 0})[0],
              HasSubstr("reach: implicit exceeds explicit by 1.00 m, 1.00 % of the mean of explicit, which is less "
                        "than the margin of 2.000 m (two one-sided tests, p < 0.0001; "));
  EXPECT_THAT(sentences(shifted(0.1), {2, 0})[0],
              HasSubstr("reach: implicit and explicit are equivalent within 2.000 m (two one-sided tests, p < 0.0001; "
                        "difference 0.10 m, "));
  EXPECT_THAT(sentences(shifted(2.1), {2, 0})[0],
              HasSubstr("reach: not decided whether implicit and explicit differ by more than 2.000 m: 2.10 m ("));
  EXPECT_THAT(sentences(shifted(2.1), {2, 0})[0], HasSubstr(" samples would decide (power 90 %), were the true "
                                                            "difference and spread as seen."));
}

/// Arms at 0.01 and 0.005 s; the baseline moves by `change` of the difference of 10.
std::vector<Arm> with_steps(double change) {
  std::vector<Arm> arms = shifted(10);
  std::vector<double> moved;
  for (int i = 0; i < 30; ++i) moved.push_back(100 + change + (i % 3 ? 0.2 : -0.4));
  arms[0].finer.push_back(arm("explicit 0.005 s", table(plain(), {moved, moved})));
  arms[1].finer.push_back(arms[1]);
  arms[1].finer[0].finer.clear();
  for (Arm& a : arms) a.finer[0].step = 0.005;
  return arms;
}

TEST(Verdict, SaysWhatPartIsTimeStepError) {
  const std::vector<std::string> little = sentences(with_steps(3)), most = sentences(with_steps(8));
  EXPECT_EQ(little[2],
            "reach, time-step error: the difference goes from 10.00 m to 7.00 m between steps of 0.01 and 0.005 s; at "
            "least 30 % (29 to 31 %) of it is time-step error of explicit.");
  EXPECT_EQ(most[2],
            "reach, time-step error: the difference goes from 10.00 m to 2.00 m between steps of 0.01 and 0.005 s; at "
            "least 80 % (78 to 82 %) of it is time-step error of explicit: most of the difference is time-step error "
            "of explicit.");
}

}  // namespace
}  // namespace scree
