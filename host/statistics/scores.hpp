// How good a forecast by an ensemble was, by what was observed.
//
// The forecast of an observation y is the values x_1 ... x_m of its samples:
//
//   CRPS          mean |x_i - y| - sum over i < j of |x_i - x_j| / (m (m - 1))                                     (1)
//   energy score  the same for points, with the distance for | |                                                   (2)
//   PIT           (number of x_i < y + half the number of x_i = y + 1/2) / (m + 1)                                 (3)
//   interval      central, of probability p: between the quantiles (1 - p) / 2 and (1 + p) / 2, the k-th of m values
//                 being the quantile k / (m + 1); there is none if it reaches beyond them                           (4)
//
// (1) and (2), in the unit of y, are smaller for a better forecast, and fair: their mean does not depend on m. Of a
// forecast that is right (3) is uniform and (4) holds y with the probability p.
//
// Sources: Gneiting and Raftery, Journal of the American Statistical Association 102 (2007) 359; Ferro, Quarterly
// Journal of the Royal Meteorological Society 140 (2014) 1917, of fair scores.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "host/model/run.hpp"
#include "statistics.hpp"

namespace scree {

inline constexpr double no_score = std::numeric_limits<double>::quiet_NaN();

/// (1), of one observation, in its unit. `sorted` in rising order; NaN of fewer than two values.
double fair_crps(std::span<const double> sorted, double observed);
/// (2), in the unit of the points; of many values the second sum is over the first `most_points` alone, so that it does
/// not take their square. NaN of fewer than two points.
double fair_energy_score(std::span<const std::array<double, 2>> points, const std::array<double, 2>& observed);
inline constexpr std::size_t most_points = 4096;
/// (3), between 0 and 1.
double probability_transform(std::span<const double> sorted, double observed);
/// Whether the observation is in the interval (4), ends included: 1 or 0, NaN if there is no such interval.
double in_central_interval(std::span<const double> sorted, double probability, double observed);

/// What the forecast of one observation came to. NaN where it has none.
struct ForecastScore {
  std::uint64_t samples = 0, counted = 0;              // of the forecast, and those of them that have a value
  double bias = no_score;                              // mean of the forecast minus observed
  double crps = no_score, others_crps = no_score;      // and of the other observations, as a forecast
  double energy = no_score, others_energy = no_score;  // NaN without observed places
  double pit = no_score;
  double in_half = no_score, in_most = no_score;  // in the central intervals of 50 and 90 %
};
inline constexpr double half_interval = 0.5, most_interval = 0.9;

/// Of some observations.
struct ScoreRow {
  std::string group;                       // "all" where it is of all
  bool of_all = false;                     // groups; a shape may be called so too
  std::string part;                        // "inside" or "outside" of what is held out; empty where nothing is
  std::uint64_t observed = 0, scored = 0;  // observations, and those with a forecast of two values or more
  std::uint64_t samples = 0, counted = 0;  // of all their forecasts
  Mean bias, crps, energy, pit, in_half, in_most;
  Mean others_crps, others_energy;  // over the observations that `crps` and `energy` are over
};

struct Scores {
  std::vector<ForecastScore> each;  // in the order of the observations
  std::vector<ScoreRow> rows;       // of each group that was observed, in the order of run.shape_names, and of all
  /// The row of all observations, or of all in a part; null if there is none.
  const ScoreRow* all(const std::string& part = "") const;
};

/// The rows over these scores of the observations.
Scores scores_of(const Run& run, std::vector<ForecastScore> each);

/// Of the observed column by what samples have in `table`; `group` gives the group of each sample, empty if none has
/// one. The forecast of an observation is the samples that start from its row of the table of starts, where it is
/// known; else those of its group; else all. Only samples that enter the column count, and places of those that came to
/// rest. That of the other observations is of those of its group; where some are held out, of those that are not, and
/// where these are none, of all that are not. Empty without observations.
Scores scores(const Run& run, const SummaryTable& table, const std::vector<int>& group);

/// What comes of choosing the forecast with the least CRPS over the observations that are not held out: its score over
/// those that are. With Holdout::each that is done for each observation by all others. Chosen among those that score
/// most of the observations by which they are chosen.
struct Chosen {
  std::vector<std::uint64_t> times;  // that each of the forecasts was chosen
  Mean inside, outside;              // CRPS; inside: of the one that was chosen, NaN of Holdout::each
};
Chosen choose(const Observed& observed, std::span<const Scores* const> forecasts);

}  // namespace scree
