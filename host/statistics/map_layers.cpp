#include "map_layers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "distributions.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/inputs/terrain_file.hpp"
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

/// The energy whose percentiles are known; null: there is none.
const MapQuantity* energy_of(const Description& description, const MapSettings& settings) {
  for (const int place : settings.percentiles) {
    const MapQuantity& quantity = description.map_quantities[static_cast<std::size_t>(place)];
    if (quantity.name == "kinetic_energy") return &quantity;
  }
  return nullptr;
}
/// Classes of intensity are of energies in J.
bool has_intensity(const MapQuantity& energy) { return energy.unit == "J"; }

/// Of the energy that is exceeded at most once in a period.
std::string few_exceed_in(std::uint64_t n, const MapSettings& settings, double period) {
  return few_exceed(exceedances_allowed(n, settings.release_frequency, period), n);
}

/// The same, with the name of the layer; empty: enough may exceed it.
std::string doubt_of(std::uint64_t n, const MapSettings& settings, double period) {
  const std::string few = few_exceed_in(n, settings, period);
  return few.empty() ? "" : "kinetic_energy_T" + year_text(period) + " has " + few;
}

/// What the intervals of shares are.
std::string interval_text(const MapStore& store) {
  if (store.too_many_replicates()) return "none: more than " + std::to_string(most_map_replicates) + " replicates";
  if (store.replicates() > 0) return "Student's t over " + std::to_string(store.replicates()) + " replicates";
  return store.settings().clopper_pearson ? "Clopper and Pearson" : "Wilson";
}
bool are_independent(const MapStore& store) { return store.replicates() == 0 && !store.too_many_replicates(); }

/// Fills the layers of one run in.
class Filler {
 public:
  Filler(const MapStore& store, const Description& description, std::span<const double> terrain,
         const std::function<void(const MapLayer&)>& f)
      : store_(store),
        settings_(store.settings()),
        layers_(map_layers(description, settings_, are_independent(store) ? "" : interval_text(store))),
        terrain_(terrain),
        f_(f),
        n_(static_cast<double>(store.counted())),
        none_(store.counted() > 0 ? 0.0f : no_value),
        energy_(energy_of(description, settings_)) {}

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
    values(none_, [&](std::size_t row) { return n_ > 0 ? store_.cell(row).deposits / (n_ * area) : std::nan(""); });
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
    values(none_, [&](std::size_t row) { return n_ > 0 ? of(row) / n_ : std::nan(""); });
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
    const auto keys = store_.by_replicate().keys();
    const auto counts = store_.by_replicate().counts();
    std::vector<double> came(static_cast<std::size_t>(store_.replicates()));
    const std::uint64_t first = MapStore::replicate_key(store_.cell(row).cell, deposits, 0);
    for (auto at = std::ranges::lower_bound(keys, first); at != keys.end() && *at < first + most_map_replicates; ++at)
      came[*at - first] = counts[static_cast<std::size_t>(at - keys.begin())];
    return replicated_share_interval(came, store_.counted_in_each());
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
    values(none_, [&](std::size_t row) { return released[row] > 0 ? came[row] / released[row] : std::nan(""); });
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
    values(none_, [&](std::size_t row) { return f * store_.cell(row).passages / n_; });
    values(no_value, [&](std::size_t row) { return passed(row, n_ / (f * store_.cell(row).passages)); });
    for (const double period : settings_.periods)
      values(none_, [&](std::size_t row) { return -std::expm1(-f * period * store_.cell(row).passages / n_); });
    if (!energy_) return;
    std::size_t energy = 0;
    while (store_.quantities()[energy].name != "kinetic_energy") ++energy;
    const Bins edges = store_.bins(energy);
    if (has_intensity(*energy_))
      for (const double above : settings_.classes) {
        std::vector<double> exceeding(store_.touched());
        with_bins(energy, [&](std::size_t row, std::span<const BinCount> bins) {
          if (!(store_.largest(row, energy) > above)) return;
          for (const auto& [bin, count] : bins)
            if (edges.high(bin) > above) exceeding[row] += count;
        });
        values(none_, [&](std::size_t row) { return f * exceeding[row] / n_; });
      }
    std::vector<int> danger(settings_.danger.names.empty() ? 0 : store_.touched());
    for (std::size_t p = 0; p < settings_.periods.size(); ++p) {
      const double period = settings_.periods[p];
      const std::uint64_t allowed = exceedances_allowed(store_.counted(), f, period);
      std::vector<double> exceeded(store_.touched());
      std::vector<Interval> bounds(store_.touched(), {0, 0});
      with_bins(energy, [&](std::size_t row, std::span<const BinCount> bins) {
        const std::uint64_t passages = store_.cell(row).passages;
        if (allowed >= passages) return;
        const std::uint64_t rank = passages - allowed;
        const double largest = store_.largest(row, energy);
        exceeded[row] = value_of_rank(bins, edges, rank, largest);
        bounds[row] = interval_of_bins(bins, edges, {rank, rank}, largest);
      });
      if (const std::string few = few_exceed_in(store_.counted(), settings_, period); !few.empty())
        layers_[at_].meaning += " (" + few + ")";
      values(none_, [&](std::size_t row) { return exceeded[row]; });
      values(none_, [&](std::size_t row) { return bounds[row].low; });
      values(none_, [&](std::size_t row) { return bounds[row].high; });
      if (!has_intensity(*energy_)) continue;
      const auto intensity = [&](std::size_t row) {
        if (!(exceeded[row] > 0)) return 0;
        return static_cast<int>(std::ranges::upper_bound(settings_.classes, exceeded[row]) -
                                settings_.classes.begin()) +
               1;
      };
      values(none_, [&](std::size_t row) { return intensity(row); });
      for (std::size_t row = 0; row < danger.size(); ++row)
        if (const int c = intensity(row); c > 0)
          danger[row] = std::max(danger[row], settings_.danger.matrix[static_cast<std::size_t>(c) - 1][p]);
    }
    if (settings_.danger.names.empty()) return;
    if (const std::string doubt = doubt_of(store_.counted(), settings_, settings_.periods.back()); !doubt.empty())
      layers_[at_].meaning += " (" + doubt + ")";
    values(none_, [&](std::size_t row) { return danger[row]; });
  }

  const MapStore& store_;
  const MapSettings& settings_;
  std::vector<MapLayer> layers_;
  std::span<const double> terrain_;
  const std::function<void(const MapLayer&)>& f_;
  double n_;
  float none_;  // where no sample came: 0 of those that count, if there are any
  const MapQuantity* energy_;
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

std::vector<MapLayer> map_layers(const Description& description, const MapSettings& settings,
                                 const std::string& interval) {
  std::vector<MapLayer> layers;
  const auto count = [&](const std::string& name, const std::string& meaning) {
    layers.push_back({name, "1", meaning, true});
  };
  const auto value = [&](const std::string& name, const std::string& unit, const std::string& meaning) {
    layers.push_back({name, unit, meaning});
  };
  const std::string by = " (" +
                         (!interval.empty()          ? interval
                          : settings.clopper_pearson ? "Clopper and Pearson"
                                                     : "Wilson") +
                         ")";
  const std::string by_bins = interval.empty() ? ", edges of bins" : ", edges of bins, as of independent samples";
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
      bounds(name, q.unit, by_bins);
    }
  }
  value("arrival_time_min", "s", "when the first sample came, since its release");
  if (settings.release_frequency > 0) {
    value("passage_frequency", "1/yr", "passages a year, on the frequency of releases");
    value("return_period", "yr", "mean time between passages, on the frequency of releases");
    for (const double period : settings.periods)
      value("passage_probability_T" + year_text(period), "1",
            "probability of a passage or more in " + year_text(period) +
                " years, on the frequency of releases, if these come independently (Poisson)");
    if (const MapQuantity* energy = energy_of(description, settings)) {
      if (has_intensity(*energy))
        for (const double above : settings.classes)
          value("frequency_above_" + number_text(above / 1000) + "kJ", "1/yr",
                "passages a year with more than " + number_text(above / 1000) +
                    " kJ, with all of the bin that this is in");
      for (const double period : settings.periods) {
        const std::string years = year_text(period), name = "kinetic_energy_T" + years;
        value(name, energy->unit, "kinetic energy that is exceeded at most once in " + years + " years");
        value(name + "_low", energy->unit, "lower edge of the bin that it is in");
        value(name + "_high", energy->unit, "upper edge of the bin that it is in");
        if (has_intensity(*energy)) {
          value("intensity_T" + years, "1", "class of that energy, from 1 on; 0: no passage so often");
          layers.back().classes = intensity_classes(settings.classes);
        }
      }
      if (!settings.danger.names.empty()) {
        value("danger", "1", "level of danger by maps.danger: the highest of all return periods, from 1 on; 0: none");
        layers.back().classes = settings.danger.names;
        layers.back().colours = settings.danger.colours;
      }
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
  const double allowed = static_cast<double>(n) / (frequency * period) * (1 + 1e-12);
  return allowed < static_cast<double>(n) ? static_cast<std::uint64_t>(allowed) : n;
}

std::string few_exceed(std::uint64_t allowed, std::uint64_t n) {
  constexpr std::uint64_t enough = 10;
  if (allowed >= enough) return "";
  return "too few: " + std::to_string(allowed) + " of " + std::to_string(n) + " samples may exceed it, fewer than " +
         std::to_string(enough);
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

/// How large the largest body is across among the first samples, m; 0 of points.
double size_of_bodies(const Run& run, const SummaryTable& table) {
  const Description& description = run.model->description;
  const auto place_of = [&](const std::string& name) {
    for (const Quantity& quantity : description.starts)
      if (quantity.name == name) return static_cast<int>(description.param_doubles) + static_cast<int>(quantity.offset);
    return -1;
  };
  const int shape = place_of("shape"), scale = place_of("scale"), volume = place_of("volume");
  if (run.shapes.empty() || shape < 0) return 0;
  constexpr std::uint64_t enough = 1000;
  const auto ensemble = run.model->ensemble(run.spec);
  std::vector<double> values(description.param_doubles + description.start_doubles);
  const auto at = [&](int place, double otherwise) {
    return place < 0 ? otherwise : values[static_cast<std::size_t>(place)];
  };
  double largest = 0;
  for (std::uint64_t i = 0; i < std::min(table.samples, enough); ++i) {
    run.model->draw(ensemble.data(), table.first + i, values.data());
    const ShapeFacts& of = run.shapes[static_cast<std::size_t>(at(shape, 0))];
    largest = std::max(largest, of.size * shape_factor(of.volume, at(scale, 1), at(volume, 0)));
  }
  return largest;
}

/// Whether the raster has cells at the rim of a terrain that samples leave at the centres of its outermost cells.
bool has_half_seen_rim(const MapGrid& grid, const Terrain& terrain) {
  const GridHeights* heights = heights_of(terrain);
  if (heights == nullptr) return false;
  const Rectangle seen = area_of(*heights);
  return grid.west < seen.west || grid.south < seen.south || grid.edge_x(grid.columns) > seen.east ||
         grid.edge_y(grid.rows) > seen.north;
}

std::vector<std::string> notes_on(const MapStore& store, const Run& run, const SummaryTable& table) {
  std::vector<std::string> notes;
  const MapSettings& settings = store.settings();
  if (const double size = size_of_bodies(run, table); store.grid().cell < size)
    notes.push_back("cells of " + number_text(store.grid().cell) + " m are smaller than a body of " +
                    short_number(size) + " m across: they see its centre of mass alone");
  if (!are_independent(store) && !settings.percentiles.empty())
    notes.push_back("intervals of percentiles are those of independent samples, which these are not");
  if (has_half_seen_rim(store.grid(), run.spec.world.terrain))
    notes.push_back("the rim is half seen: samples leave the terrain at the centres of its outermost cells");
  if (settings.release_frequency > 0 && energy_of(run.model->description, settings))
    for (const double period : settings.periods)
      if (const std::string doubt = doubt_of(store.counted(), settings, period); !doubt.empty()) notes.push_back(doubt);
  return notes;
}

}  // namespace

MapFacts map_facts(const MapStore& store, const Run& run, const SummaryTable& table, std::span<const double> terrain) {
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
    for (std::size_t q = 0; q < store.quantities().size(); ++q) {
      if (!std::isnan(store.mean(row, q)) || ++facts.wrapped > 1) continue;
      const MapGrid& grid = store.grid();
      const double row_of_grid = std::floor(store.cell(row).cell / grid.columns),
                   column = store.cell(row).cell - row_of_grid * grid.columns;
      facts.first_wrapped = store.quantities()[q].name + " in the cell around [" +
                            number_text(grid.west + (column + 0.5) * grid.cell) + ", " +
                            number_text(grid.south + (row_of_grid + 0.5) * grid.cell) + "]";
    }
  }
  facts.notes = notes_on(store, run, table);
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
    lines.push_back(std::to_string(facts.wrapped) + " sums over passages may be too large for 64 bits: no means there" +
                    (facts.first_wrapped.empty() ? "" : ", first of " + facts.first_wrapped));
  lines.insert(lines.end(), facts.notes.begin(), facts.notes.end());
  return lines;
}

}  // namespace scree
