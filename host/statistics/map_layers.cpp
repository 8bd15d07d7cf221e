#include "map_layers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "distributions.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/model/run.hpp"
#include "intervals.hpp"
#include "src/status.hpp"
#include "statistics.hpp"

namespace scree {
namespace {

constexpr double miss = 0.05;
constexpr float no_value = std::numeric_limits<float>::quiet_NaN();

/// "p95", "p99.5"
std::string level_name(int per_mille) { return "p" + number_text(per_mille / 10.0); }

std::string year_text(double years) { return number_text(years); }

bool has_energy(const Description& description, const MapSettings& settings) {
  return std::ranges::any_of(settings.percentiles, [&](int place) {
    return description.map_quantities[static_cast<std::size_t>(place)].name == "kinetic_energy";
  });
}

/// Fills the layers of one run in.
class Filler {
 public:
  Filler(const MapStore& store, const Description& description, std::span<const double> terrain,
         const std::function<void(const MapLayer&)>& f)
      : store_(store),
        settings_(store.settings()),
        layers_(map_layers(description, settings_)),
        terrain_(terrain),
        f_(f),
        n_(static_cast<double>(store.counted())),
        with_energy_(has_energy(description, settings_)) {}

  void all() {
    counts([](const MapStore::Cell& cell) { return cell.passages; });
    counts([](const MapStore::Cell& cell) {
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(cell.entries, 0xffffffff));
    });
    shares(false);
    if (settings_.sources) sources();
    counts([](const MapStore::Cell& cell) { return cell.deposits; });
    shares(true);
    const double area = store_.grid().cell * store_.grid().cell;
    values(0, [&](std::size_t row) { return n_ > 0 ? store_.cell(row).deposits / (n_ * area) : std::nan(""); });
    if (settings_.caught) counts([](const MapStore::Cell& cell) { return cell.caught; });
    for (std::size_t q = 0; q < store_.quantities().size(); ++q) {
      values(no_value, [&](std::size_t row) { return passed(row, store_.largest(row, q)); });
      values(no_value, [&](std::size_t row) { return passed(row, store_.mean(row, q)); });
    }
    for (std::size_t q = 0; q < store_.quantities().size(); ++q)
      if (store_.has_percentiles(q)) percentiles(q);
    values(no_value, [&](std::size_t row) { return passed(row, store_.cell(row).arrival); });
    if (settings_.release_frequency > 0) frequencies();
    MapLayer& layer = next();
    layer.values.assign(terrain_.begin(), terrain_.end());
    give(layer);
  }

 private:
  MapLayer& next() { return layers_[at_++]; }
  void give(MapLayer& layer) {
    f_(layer);
    // Assigned {} they would keep their memory, which the other layers need.
    std::vector<float>().swap(layer.values);
    std::vector<std::uint32_t>().swap(layer.counts);
  }
  double passed(std::size_t row, double value) const { return store_.cell(row).passages > 0 ? value : std::nan(""); }

  template <class F>
  void counts(const F& of) {
    MapLayer& layer = next();
    layer.counts.assign(terrain_.size(), 0);
    for (std::size_t row = 0; row < store_.touched(); ++row) layer.counts[store_.cell(row).cell] = of(store_.cell(row));
    give(layer);
  }
  /// `elsewhere` where no sample came; where the terrain has no data, and no sample came, there is no value.
  template <class F>
  void values(float elsewhere, const F& of) {
    MapLayer& layer = next();
    layer.values.assign(terrain_.size(), elsewhere);
    for (std::size_t cell = 0; cell < terrain_.size(); ++cell)
      if (std::isnan(terrain_[cell])) layer.values[cell] = no_value;
    for (std::size_t row = 0; row < store_.touched(); ++row)
      layer.values[store_.cell(row).cell] = static_cast<float>(of(row));
    give(layer);
  }

  /// A probability with its interval: of passages, or of deposits.
  void shares(bool deposits) {
    const auto of = [&](std::size_t row) -> double {
      return deposits ? store_.cell(row).deposits : store_.cell(row).passages;
    };
    values(n_ > 0 ? 0.0f : no_value, [&](std::size_t row) { return n_ > 0 ? of(row) / n_ : std::nan(""); });
    std::vector<Interval> intervals(store_.touched());
    for (std::size_t row = 0; row < intervals.size(); ++row) intervals[row] = interval(row, of(row), deposits);
    const Interval elsewhere =
        store_.touched() < terrain_.size() ? interval(store_.touched(), 0, deposits) : Interval{};
    values(static_cast<float>(elsewhere.low), [&](std::size_t row) { return intervals[row].low; });
    values(static_cast<float>(elsewhere.high), [&](std::size_t row) { return intervals[row].high; });
  }
  Interval interval(std::size_t row, double successes, bool deposits) {
    if (!(n_ > 0) || store_.too_many_replicates()) return {std::nan(""), std::nan("")};
    if (store_.replicates() > 0) return replicated(row, deposits);
    const auto [known, is_new] = intervals_.try_emplace(successes);
    if (is_new)
      known->second = settings_.clopper_pearson ? clopper_pearson(n_, successes, miss) : wilson_interval(n_, successes);
    return known->second;
  }
  Interval replicated(std::size_t row, bool deposits) const {
    if (row >= store_.touched()) return {std::nan(""), std::nan("")};
    const int replicates = store_.replicates();
    const auto keys = store_.by_replicate().keys();
    const auto counts = store_.by_replicate().counts();
    std::vector<double> shares(static_cast<std::size_t>(replicates));
    const std::uint64_t first = MapStore::replicate_key(store_.cell(row).cell, deposits, 0);
    for (auto at = std::ranges::lower_bound(keys, first); at != keys.end() && *at < first + most_map_replicates; ++at)
      shares[*at - first] = counts[static_cast<std::size_t>(at - keys.begin())];
    for (int r = 0; r < replicates; ++r)
      shares[static_cast<std::size_t>(r)] /= static_cast<double>(store_.counted_in(r));
    return replicated_share_interval(shares);
  }

  /// Release cells that led to each cell, and the share of what was released there that came. Samples from outside of
  /// the raster are in neither: how many were released where they were is not known.
  void sources() {
    std::vector<double> number(store_.touched()), came(store_.touched()), released(store_.touched());
    const auto releases = store_.releases().keys();
    const auto keys = store_.sources().keys();
    const auto counts = store_.sources().counts();
    std::size_t at = 0;
    for (std::size_t row = 0; row < store_.touched(); ++row) {
      const std::uint64_t cell = store_.cell(row).cell;
      for (; at < keys.size() && keys[at] >> 32 == cell; ++at) {
        const auto from = std::ranges::lower_bound(releases, keys[at] & 0xffffffff);
        number[row] += 1;
        came[row] += counts[at];
        released[row] += store_.releases().counts()[static_cast<std::size_t>(from - releases.begin())];
      }
    }
    MapLayer& layer = next();
    layer.counts.assign(terrain_.size(), 0);
    for (std::size_t row = 0; row < number.size(); ++row)
      layer.counts[store_.cell(row).cell] = static_cast<std::uint32_t>(number[row]);
    give(layer);
    // Where samples came from releases outside of the raster alone there is no such share.
    values(0, [&](std::size_t row) { return released[row] > 0 ? came[row] / released[row] : std::nan(""); });
  }

  /// Calls f(row, the bins of a quantity there) for the cells that were passed.
  template <class F>
  void with_bins(std::size_t quantity, const F& f) const {
    const auto keys = store_.bin_counts().keys();
    const auto counts = store_.bin_counts().counts();
    std::vector<BinCount> bins;
    std::size_t at = 0;
    for (std::size_t row = 0; row < store_.touched(); ++row) {
      const std::uint64_t first = MapStore::bin_key(store_.cell(row).cell, quantity, 0),
                          end = MapStore::bin_key(store_.cell(row).cell, quantity + 1, 0);
      bins.clear();
      while (at < keys.size() && keys[at] < first) ++at;
      for (; at < keys.size() && keys[at] < end; ++at) bins.push_back({static_cast<int>(keys[at] - first), counts[at]});
      if (!bins.empty()) f(row, std::span<const BinCount>(bins));
    }
  }
  void percentiles(std::size_t quantity) {
    const Bins edges = store_.bins(quantity);
    for (const int level : settings_.levels) {
      std::map<std::uint64_t, QuantileRanks> known;
      const auto ranks_of = [&](std::uint64_t n) {
        const auto [found, is_new] = known.try_emplace(n);
        if (is_new) found->second = quantile_ranks(n, level / 1000.0, miss);
        return found->second;
      };
      std::vector<double> estimate(store_.touched(), std::nan(""));
      std::vector<Interval> interval(store_.touched(), {std::nan(""), std::nan("")});
      with_bins(quantity, [&](std::size_t row, std::span<const BinCount> bins) {
        const std::uint64_t n = store_.cell(row).passages;
        const double largest = store_.largest(row, quantity);
        estimate[row] = value_of_rank(bins, edges, rank_of(n, level), largest);
        interval[row] = interval_of_bins(bins, edges, ranks_of(n), largest);
      });
      values(no_value, [&](std::size_t row) { return estimate[row]; });
      values(no_value, [&](std::size_t row) { return interval[row].low; });
      values(no_value, [&](std::size_t row) { return interval[row].high; });
    }
  }

  void frequencies() {
    const double f = settings_.release_frequency;
    values(0, [&](std::size_t row) { return f * store_.cell(row).passages / n_; });
    values(no_value, [&](std::size_t row) { return passed(row, n_ / (f * store_.cell(row).passages)); });
    if (!with_energy_) return;
    std::size_t energy = 0;
    while (store_.quantities()[energy].name != "kinetic_energy") ++energy;
    const Bins edges = store_.bins(energy);
    for (const double period : settings_.periods) {
      const std::uint64_t allowed = exceedances_allowed(store_.counted(), f, period);
      std::vector<double> exceeded(store_.touched());
      with_bins(energy, [&](std::size_t row, std::span<const BinCount> bins) {
        const std::uint64_t passages = store_.cell(row).passages;
        if (allowed < passages)
          exceeded[row] = value_of_rank(bins, edges, passages - allowed, store_.largest(row, energy));
      });
      values(0, [&](std::size_t row) { return exceeded[row]; });
      values(0, [&](std::size_t row) {
        if (!(exceeded[row] > 0)) return 0.0;
        const auto above = std::ranges::upper_bound(settings_.classes, exceeded[row]);
        return static_cast<double>(above - settings_.classes.begin() + 1);
      });
    }
  }

  const MapStore& store_;
  const MapSettings& settings_;
  std::vector<MapLayer> layers_;
  std::span<const double> terrain_;
  const std::function<void(const MapLayer&)>& f_;
  double n_;
  bool with_energy_;
  std::size_t at_ = 0;
  std::map<double, Interval> intervals_;
};

}  // namespace

std::vector<std::string> intensity_classes(std::span<const double> limits) {
  constexpr const char* of_guidelines[] = {"weak, ", "medium, ", "strong, "};
  std::vector<std::string> names;
  for (std::size_t k = 0; k <= limits.size(); ++k) {
    const auto limit = [&](std::size_t i) { return number_text(limits[i] / 1000); };
    names.push_back((limits.size() == 2 ? of_guidelines[k] : "") +
                    (k == 0               ? "below " + limit(k)
                     : k == limits.size() ? "from " + limit(k - 1)
                                          : limit(k - 1) + " to " + limit(k)) +
                    " kJ" + (k > 0 && k == limits.size() ? " on" : ""));
  }
  return names;
}

std::vector<MapLayer> map_layers(const Description& description, const MapSettings& settings) {
  std::vector<MapLayer> layers;
  const auto count = [&](const std::string& name, const std::string& meaning) {
    layers.push_back({name, "1", meaning, true});
  };
  const auto value = [&](const std::string& name, const std::string& unit, const std::string& meaning) {
    layers.push_back({name, unit, meaning});
  };
  const std::string by = settings.clopper_pearson ? " (Clopper and Pearson)" : " (Wilson)";
  const auto bounds = [&](const std::string& name, const std::string& unit, const std::string& how) {
    value(name + "_low", unit, "lower end of its 95 % interval" + how);
    value(name + "_high", unit, "upper end of its 95 % interval" + how);
  };
  count("passages", "samples that were in the cell");
  count("entries", "visits of all samples");
  value("reach_probability", "1", "passages over all samples that count");
  bounds("reach", "1", by);
  if (settings.sources) {
    count("sources", "cells of release of the samples that came here");
    value("reach_given_sources", "1", "share of the samples that were released in those cells that came here");
  }
  count("deposits", "samples that stopped in the cell");
  value("deposit_probability", "1", "deposits over all samples that count");
  bounds("deposit", "1", by);
  value("deposit_density", "1/m^2", "deposit_probability over the area of the cell");
  if (settings.caught) count("caught", "samples that a barrier caught in the cell");
  for (const int place : settings.quantities) {
    const MapQuantity& q = description.map_quantities[static_cast<std::size_t>(place)];
    value(q.name + "_max", q.unit, q.meaning + ": the largest of all passages");
    value(q.name + "_mean", q.unit, q.meaning + ": mean over passages of the largest in each");
  }
  for (const int place : settings.quantities) {
    if (std::ranges::count(settings.percentiles, place) == 0) continue;
    const MapQuantity& q = description.map_quantities[static_cast<std::size_t>(place)];
    for (const int level : settings.levels) {
      const std::string name = q.name + "_" + level_name(level);
      value(name, q.unit, q.meaning + ": not exceeded in " + number_text(level / 10.0) + " % of passages");
      bounds(name, q.unit, ", edges of bins");
    }
  }
  value("arrival_time_min", "s", "when the first sample came, since its release");
  if (settings.release_frequency > 0) {
    value("passage_frequency", "1/yr", "passages a year, on the frequency of releases");
    value("return_period", "yr", "mean time between passages, on the frequency of releases");
    if (has_energy(description, settings))
      for (const double period : settings.periods) {
        const std::string years = year_text(period);
        value("kinetic_energy_T" + years, "J", "kinetic energy that is exceeded at most once in " + years + " years");
        value("intensity_T" + years, "1", "class of that energy, from 1 on; 0: no passage so often");
        layers.back().classes = intensity_classes(settings.classes);
      }
  }
  value("terrain", "m", "height at the cell's centre");
  return layers;
}

void for_each_map_layer(const MapStore& store, const Description& description, std::span<const double> terrain,
                        const std::function<void(const MapLayer&)>& f) {
  Filler(store, description, terrain, f).all();
}

double value_of_rank(std::span<const BinCount> bins, const Bins& edges, std::uint64_t rank, double largest) {
  std::uint64_t before = 0;
  for (const auto& [bin, count] : bins) {
    if (before + count < rank) {
      before += count;
      continue;
    }
    const double low = edges.low(bin), high = std::isinf(edges.high(bin)) ? largest : edges.high(bin);
    const double within = (static_cast<double>(rank - before) - 0.5) / count;
    return std::min(low + (high - low) * within, largest);
  }
  return largest;
}

std::uint64_t rank_of(std::uint64_t n, int per_mille) {
  return (n * static_cast<std::uint64_t>(per_mille) + 999) / 1000;
}

Interval interval_of_bins(std::span<const BinCount> bins, const Bins& edges, const QuantileRanks& ranks,
                          double largest) {
  const auto bin_of = [&](std::uint64_t rank) {
    std::uint64_t before = 0;
    for (const auto& [bin, count] : bins)
      if ((before += count) >= rank) return bin;
    return bins.back().bin;
  };
  return {ranks.low == 0 ? std::nan("") : edges.low(bin_of(ranks.low)),
          ranks.high == 0 ? std::nan("") : std::min(edges.high(bin_of(ranks.high)), largest)};
}

std::uint64_t exceedances_allowed(std::uint64_t n, double frequency, double period) {
  // A whole number stays one, whatever its roundings.
  return static_cast<std::uint64_t>(static_cast<double>(n) / (frequency * period) * (1 + 1e-12));
}

namespace {

/// Below so many passages no value is above the p95 with 95 % confidence.
constexpr std::uint32_t enough_for_p95 = 72;

/// The length of all paths that count, m; NaN where the system does not tell.
double length_of_paths(const SummaryTable& table) {
  const int column = table.description->column("path_length");
  if (column < 0) return std::nan("");
  std::vector<double> lengths;
  for (std::uint64_t i = 0; i < table.samples; ++i)
    if (counts_in_maps(table.status[i])) lengths.push_back(table.at(column, i));
  return pairwise_sum(lengths);
}

std::string interval_text(const MapStore& store) {
  if (store.too_many_replicates()) return "none: more than " + std::to_string(most_map_replicates) + " replicates";
  if (store.replicates() > 0) return "Student's t over " + std::to_string(store.replicates()) + " replicates";
  return store.settings().clopper_pearson ? "Clopper and Pearson" : "Wilson";
}

}  // namespace

MapFacts map_facts(const MapStore& store, const SummaryTable& table, std::span<const double> terrain) {
  MapFacts facts;
  facts.grid = store.grid();
  facts.counted = store.counted();
  std::vector<std::uint64_t> ended(status_count);
  for (const std::uint32_t status : table.status) ++ended[status];
  for (std::uint32_t status = 0; status < status_count; ++status)
    if (ended[status] > 0 && !counts_in_maps(status)) facts.excluded.emplace_back(status_names[status], ended[status]);
  facts.touched = store.touched();
  facts.bytes = store.bytes();
  facts.deposits_outside = store.deposits_outside();
  facts.way_outside = store.way_outside() > 0 ? store.way_outside() / length_of_paths(table) : 0;
  facts.interval = interval_text(store);
  facts.digest = store.digest();
  for (std::size_t row = 0; row < store.touched(); ++row) {
    const std::uint32_t passages = store.cell(row).passages;
    if (passages < enough_for_p95 && passages >= 0.01 * static_cast<double>(store.counted())) ++facts.too_few;
    for (std::size_t q = 0; q < store.quantities().size(); ++q)
      if (std::isnan(store.mean(row, q))) ++facts.wrapped;
  }
  for_each_map_layer(store, *table.description, terrain, [&](const MapLayer& layer) {
    double least = std::nan(""), greatest = std::nan("");
    const auto look = [&](double value) {
      if (!(value >= least)) least = std::isnan(value) ? least : value;
      if (!(value <= greatest)) greatest = std::isnan(value) ? greatest : value;
    };
    for (const float value : layer.values) look(value);
    for (const std::uint32_t value : layer.counts) look(value);
    facts.layers.push_back({layer.name, layer.unit, layer.meaning, least, greatest});
  });
  return facts;
}

std::vector<std::string> map_warnings(const MapFacts& facts) {
  std::vector<std::string> lines;
  if (facts.way_outside > 0)
    lines.push_back(short_number(100 * facts.way_outside) + " % of the path length lies outside maps.extent" +
                    (facts.deposits_outside == 0
                         ? ""
                         : ", and " + std::to_string(facts.deposits_outside) + " samples stopped there"));
  if (facts.too_few > 0)
    lines.push_back(std::to_string(facts.too_few) + " cells that at least 1 % of the samples reach have fewer than " +
                    std::to_string(enough_for_p95) + " passages: no upper end of the interval of their p95");
  if (facts.wrapped > 0)
    lines.push_back(std::to_string(facts.wrapped) + " sums over passages may be too large for 64 bits: no means there");
  return lines;
}

}  // namespace scree
