#include "scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace scree {
namespace {

using Place = std::array<double, 2>;

double distance(const Place& a, const Place& b) { return std::hypot(a[0] - b[0], a[1] - b[1]); }

/// The forecast of an observation.
struct Forecast {
  std::uint64_t samples = 0;
  std::vector<double> sorted;
  std::vector<Place> places;  // in the order of the samples
};

class Scorer {
 public:
  Scorer(const Run& run, const SummaryTable& table, const std::vector<int>& group)
      : observed_(run.observed), run_(run), table_(table), group_(group) {
    const Description& description = *table.description;
    column_ = description.column(observed_.column);
    if (!observed_.place.empty()) x_ = description.deposition_x, y_ = description.deposition_y;
  }

  std::vector<ForecastScore> each() const {
    std::vector<ForecastScore> scores;
    if (column_ >= 0)
      for (std::size_t k = 0; k < observed_.value.size(); ++k) scores.push_back(score(k));
    return scores;
  }

 private:
  /// Takes the sample into a forecast.
  void take(std::uint64_t sample, Forecast& forecast) const {
    ++forecast.samples;
    if (!enters(table_, column_, sample)) return;
    forecast.sorted.push_back(table_.at(column_, sample));
    if (x_ >= 0 && enters(table_, x_, sample))
      forecast.places.push_back({table_.at(x_, sample), table_.at(y_, sample)});
  }
  Forecast forecast_of(std::size_t k) const {
    Forecast forecast;
    if (observed_.rows > 0) {
      const std::uint64_t before = table_.first % observed_.rows;  // row of the first sample in the table of starts
      for (std::uint64_t i = (observed_.row[k] + observed_.rows - before) % observed_.rows; i < table_.samples;
           i += observed_.rows)
        take(i, forecast);
    } else {
      const int group = group_.empty() || observed_.group.empty() ? -1 : group_number(observed_.group[k]);
      for (std::uint64_t i = 0; i < table_.samples; ++i)
        if (group < 0 || group_[i] == group) take(i, forecast);
    }
    std::ranges::sort(forecast.sorted);
    return forecast;
  }
  int group_number(const std::string& name) const {
    return static_cast<int>(std::ranges::find(run_.shape_names, name) - run_.shape_names.begin());
  }
  Forecast others_of(std::size_t k) const {
    const bool splits = observed_.holdout == Observed::Holdout::some;
    const auto those = [&](bool of_group) {
      Forecast others;
      for (std::size_t i = 0; i < observed_.value.size(); ++i) {
        if (i == k || (splits && observed_.outside[i])) continue;
        if (of_group && !observed_.group.empty() && observed_.group[i] != observed_.group[k]) continue;
        others.sorted.push_back(observed_.value[i]);
        if (x_ >= 0) others.places.push_back(observed_.place[i]);
      }
      std::ranges::sort(others.sorted);
      return others;
    };
    const Forecast alike = those(true);
    return splits && alike.sorted.empty() ? those(false) : alike;
  }

  ForecastScore score(std::size_t k) const {
    const Forecast forecast = forecast_of(k), others = others_of(k);
    const double y = observed_.value[k];
    ForecastScore score;
    score.samples = forecast.samples;
    score.counted = forecast.sorted.size();
    score.others_crps = fair_crps(others.sorted, y);
    if (x_ >= 0) score.others_energy = fair_energy_score(others.places, observed_.place[k]);
    if (forecast.sorted.size() < 2) return score;
    score.bias = pairwise_sum(forecast.sorted) / static_cast<double>(forecast.sorted.size()) - y;
    score.crps = fair_crps(forecast.sorted, y);
    if (x_ >= 0) score.energy = fair_energy_score(forecast.places, observed_.place[k]);
    score.pit = probability_transform(forecast.sorted, y);
    score.in_half = in_central_interval(forecast.sorted, half_interval, y);
    score.in_most = in_central_interval(forecast.sorted, most_interval, y);
    return score;
  }

  const Observed& observed_;
  const Run& run_;
  const SummaryTable& table_;
  const std::vector<int>& group_;
  int column_ = -1, x_ = -1, y_ = -1;
};

ScoreRow row_of(const std::string& name, const std::string& part, const std::vector<ForecastScore>& each,
                const std::vector<std::size_t>& members) {
  ScoreRow row;
  row.group = name;
  row.part = part;
  row.observed = members.size();
  for (const std::size_t k : members) {
    row.samples += each[k].samples;
    row.counted += each[k].counted;
    if (each[k].counted >= 2) ++row.scored;
  }
  const auto mean = [&](double ForecastScore::*of, double ForecastScore::*where) {
    std::vector<double> values;
    for (const std::size_t k : members)
      if (!std::isnan(each[k].*of) && !std::isnan(each[k].*where)) values.push_back(each[k].*of);
    return mean_of(values);
  };
  const auto own = [&](double ForecastScore::*of) { return mean(of, of); };
  row.bias = own(&ForecastScore::bias);
  row.crps = own(&ForecastScore::crps);
  row.others_crps = mean(&ForecastScore::others_crps, &ForecastScore::crps);
  row.energy = own(&ForecastScore::energy);
  row.others_energy = mean(&ForecastScore::others_energy, &ForecastScore::energy);
  row.pit = own(&ForecastScore::pit);
  row.in_half = own(&ForecastScore::in_half);
  row.in_most = own(&ForecastScore::in_most);
  return row;
}

}  // namespace

double fair_crps(std::span<const double> sorted, double observed) {
  if (sorted.size() < 2) return no_score;
  const double m = static_cast<double>(sorted.size());
  std::vector<double> off, apart;  // of x_i the sum over j < i of x_i - x_j minus that over j > i of x_j - x_i
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    off.push_back(std::fabs(sorted[i] - observed));
    apart.push_back((2 * static_cast<double>(i) - (m - 1)) * (sorted[i] - observed));
  }
  return pairwise_sum(off) / m - pairwise_sum(apart) / (m * (m - 1));
}

double fair_energy_score(std::span<const Place> points, const Place& observed) {
  if (points.size() < 2) return no_score;
  std::vector<double> off, apart;
  for (const Place& point : points) off.push_back(distance(point, observed));
  const std::span<const Place> some = points.first(std::min(points.size(), most_points));
  for (std::size_t i = 0; i < some.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < i; ++j) sum += distance(some[i], some[j]);
    apart.push_back(sum);
  }
  const double m = static_cast<double>(some.size());
  return pairwise_sum(off) / static_cast<double>(points.size()) - pairwise_sum(apart) / (m * (m - 1));
}

double probability_transform(std::span<const double> sorted, double observed) {
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), observed);
  const double below = static_cast<double>(first - sorted.begin()), equal = static_cast<double>(last - first);
  return (below + 0.5 * equal + 0.5) / (static_cast<double>(sorted.size()) + 1);
}

double in_central_interval(std::span<const double> sorted, double probability, double observed) {
  const double m = static_cast<double>(sorted.size()), rank = (m + 1) * (1 - probability) / 2;
  // By a rounding less than 1 is 1: 19 values have 1/20 and 19/20.
  if (!(rank > 1 - 1e-9)) return no_score;
  const auto quantile = [&](double k) {  // the k-th value, between two of them linear
    const double whole = std::clamp(std::floor(k), 1.0, m), part = std::clamp(k - whole, 0.0, 1.0);
    const std::size_t i = static_cast<std::size_t>(whole) - 1, next = std::min(i + 1, sorted.size() - 1);
    return sorted[i] + part * (sorted[next] - sorted[i]);
  };
  return observed >= quantile(rank) && observed <= quantile(m + 1 - rank) ? 1 : 0;
}

const ScoreRow* Scores::all(const std::string& part) const {
  for (const ScoreRow& row : rows)
    if (row.of_all && row.part == part) return &row;
  return nullptr;
}

Chosen choose(const Observed& observed, std::span<const Scores* const> forecasts) {
  Chosen chosen;
  chosen.times.assign(forecasts.size(), 0);
  const auto crps_over = [&](const Scores& scores, const auto& is_in) {
    std::vector<double> values;
    for (std::size_t k = 0; k < scores.each.size(); ++k)
      if (is_in(k) && !std::isnan(scores.each[k].crps)) values.push_back(scores.each[k].crps);
    return mean_of(values);
  };
  const auto best = [&](const auto& is_inside) {
    std::size_t first = 0;
    Mean least = crps_over(*forecasts[0], is_inside);
    for (std::size_t f = 1; f < forecasts.size(); ++f) {
      const Mean other = crps_over(*forecasts[f], is_inside);
      if (other.n < least.n || (other.n == least.n && !(other.value < least.value))) continue;
      least = other;
      first = f;
    }
    ++chosen.times[first];
    return first;
  };
  if (observed.holdout == Observed::Holdout::some) {
    const auto outside = [&](std::size_t k) { return bool(observed.outside[k]); };
    const auto inside = [&](std::size_t k) { return !observed.outside[k]; };
    const Scores& taken = *forecasts[best(inside)];
    chosen.inside = crps_over(taken, inside);
    chosen.outside = crps_over(taken, outside);
  } else {
    std::vector<double> values;
    for (std::size_t k = 0; k < observed.value.size(); ++k) {
      const double crps = forecasts[best([&](std::size_t i) { return i != k; })]->each[k].crps;
      if (!std::isnan(crps)) values.push_back(crps);
    }
    chosen.inside = mean_of({});
    chosen.outside = mean_of(values);
  }
  return chosen;
}

Scores scores_of(const Run& run, std::vector<ForecastScore> each) {
  const Observed& observed = run.observed;
  Scores result{std::move(each), {}};
  if (result.each.empty()) return result;
  const bool splits = observed.holdout == Observed::Holdout::some;
  for (const std::string part : splits ? std::vector{"inside", "outside"} : std::vector{""}) {
    const auto row = [&](const std::string& name, const auto& is_in) {
      std::vector<std::size_t> members;
      for (std::size_t k = 0; k < result.each.size(); ++k)
        if (is_in(k) && (!splits || observed.outside[k] == (part == "outside"))) members.push_back(k);
      if (!members.empty()) result.rows.push_back(row_of(name, part, result.each, members));
      return !members.empty();
    };
    if (!observed.group.empty())
      for (const std::string& name : run.shape_names)
        row(name, [&](std::size_t k) { return observed.group[k] == name; });
    if (row("all", [](std::size_t) { return true; })) result.rows.back().of_all = true;
  }
  return result;
}

Scores scores(const Run& run, const SummaryTable& table, const std::vector<int>& group) {
  return scores_of(run, Scorer(run, table, group).each());
}

}  // namespace scree
