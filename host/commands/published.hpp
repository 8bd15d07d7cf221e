// Published tables judged by themselves: a mean and a standard deviation per scheme are enough to test whether two
// schemes differ, if the number of samples is known. Nothing is run.
//
// What was published of a place and a column is one contrast per scheme: that scheme's mean (the arm) minus the
// baseline's, the scheme that the config names first. Means by Welch's test of independent groups, standard deviations
// by the F test, which holds for normal values only; both corrected by Holm's rule over all contrasts of the table.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "host/common/error.hpp"
#include "host/model/run.hpp"
#include "host/report/screen.hpp"
#include "host/statistics/inference.hpp"

namespace scree {

struct CompareOptions;

/// Arm minus baseline, in the unit of the published numbers.
struct PublishedContrast {
  std::string place, column, unit, baseline, arm;
  Moments of_baseline, of_arm;
  double difference;       // of the means
  Interval ci95;           // Welch
  double p, p_holm;        // of equal means: Welch's test; NaN if neither scheme has a spread
  double effect_size;      // difference over the pooled standard deviation, Cohen's d of independent groups
  double sd_ratio;         // arm over baseline
  double p_sd, p_sd_holm;  // of equal standard deviations: F test; NaN if one of them is 0
  std::string verdict;     // of the means, see published_verdict
};

struct PublishedJudgement {
  std::string source;
  std::uint64_t samples = 0;  // in each arm
  std::vector<PublishedContrast> contrasts;
  std::vector<std::string> alone;  // "ramp, slope_speed": published under one scheme only
  bool over_steps = false;         // some means are over the steps of all samples
};

/// "differs" if p_holm <= 0.05, else "not distinguishable from zero at n = 1000", with "after Holm's correction" if p
/// alone is <= 0.05; "not judged: neither scheme has a spread" for NaN.
std::string published_verdict(double p, double p_holm, std::uint64_t samples);

/// Places and columns in the order of the config. Throws Error(Exit::usage) where it has no [published], no
/// published.samples, two rows of one place, column and scheme, rows of one column in different units or scales, or no
/// column under two schemes.
PublishedJudgement judge_published(const Run& run);

/// Sentences: how many contrasts are distinguishable from zero, with and without correction, and what published means
/// cannot tell.
std::vector<std::string> verdict(const PublishedJudgement& judgement);

/// On one screen, or with form.all with the standard deviations and all that published means cannot tell.
void print_published_judgement(std::ostream& out, const Run& run, const PublishedJudgement& judgement,
                               const Form& form = {});
nlohmann::ordered_json published_json(const PublishedJudgement& judgement);

/// `scree compare CONFIG --published`: the judgement as text or, with --json, as an object, on stdout.
Exit compare_published(const CompareOptions& options);

}  // namespace scree
