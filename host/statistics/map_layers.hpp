// The layers of maps, from what the paths of the samples left in the cells (model/maps.hpp).
//
// They are conditional on the releases: shares of the samples that count (counts_in_maps), unless the config gives a
// frequency of releases. Percentiles are over samples, of the largest value that each has in the cell, and of type 1 of
// Hyndman and Fan (The American Statistician 50 (1996) 361): the r-th smallest of N with r = ceil(q N).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/model/run.hpp"
#include "inference.hpp"
#include "intervals.hpp"

namespace scree {

/// One value per cell of the raster, by rows from the south-west corner.
struct MapLayer {
  std::string name, unit, meaning;
  bool is_count = false;
  std::vector<float> values = {};          // NaN where there is none
  std::vector<std::uint32_t> counts = {};  // in place of `values`
  std::vector<std::string> classes = {};   // their names, from 1 on, where values are numbers of classes
  std::vector<std::string> colours = {};   // of these, "#rrggbb", where the config gives them
};

/// "weak, below 30 kJ", "medium, 30 to 300 kJ", "strong, from 300 kJ on": classes of intensity between limits (J),
/// which guidelines give these names where there are two.
std::vector<std::string> intensity_classes(std::span<const double> limits);

/// The names, units and meanings of all layers that a run with these settings has, in order. `interval`: what those of
/// shares are, in words, where samples are not independent.
std::vector<MapLayer> map_layers(const Description& description, const MapSettings& settings,
                                 const std::string& interval = "");

/// Calls f with each layer, filled in, in that order. `terrain` are the heights at the cells' centres, m, NaN without
/// data.
void for_each_map_layer(const MapStore& store, const Description& description, std::span<const double> terrain,
                        const std::function<void(const MapLayer&)>& f);

/// Peaks of the passages of one cell by their bins, in rising order.
struct BinCount {
  int bin;
  std::uint32_t count;
};

/// An estimate of the r-th smallest of values of which only their bins are known, and the largest: by rank within the
/// bin, and at most the largest.
double value_of_rank(std::span<const BinCount> bins, const Bins& edges, std::uint64_t rank, double largest);
/// ceil(q N) of a level in per mille.
std::uint64_t rank_of(std::uint64_t n, int per_mille);
/// From the outer edges of the bins of two order statistics, so that it holds as often as these do or more. NaN: an end
/// that does not exist for so few values.
Interval interval_of_bins(std::span<const BinCount> bins, const Bins& edges, const QuantileRanks& ranks,
                          double largest);

/// How many of n samples may exceed what is exceeded at most once in `period` years, where `frequency` are released in
/// one: floor(n / (f T)).
std::uint64_t exceedances_allowed(std::uint64_t n, double frequency, double period);
/// "too few: 6 of 1000 samples may exceed it, fewer than 10": why such a value is uncertain; empty: enough may.
std::string few_exceed(std::uint64_t allowed, std::uint64_t n);

/// What a result says of its maps, without their cells.
struct MapFacts {
  MapGrid grid{};
  std::uint64_t counted = 0;                                    // samples: n, of which shares are
  std::vector<std::pair<std::string, std::uint64_t>> excluded;  // those that do not count, by how they ended
  std::uint64_t touched = 0, bytes = 0;                         // cells that were passed; of memory
  std::uint64_t deposits_outside = 0;
  double way_outside = 0;  // share of the length of all paths outside of the raster; NaN: not known
  std::string interval;    // of shares, in words
  std::string digest;
  /// Cells that 1 % of the samples or more reach, with fewer passages than the interval of a p95 needs; cells with a
  /// sum that may have wrapped.
  std::uint64_t too_few = 0, wrapped = 0;
  std::string first_wrapped;       // "kinetic_energy in the cell around [3, 4]"; empty: none, or not known
  std::vector<std::string> notes;  // what else a reader has to know, a line each
  struct Layer {
    std::string name, unit, meaning;
    double least, greatest;  // over cells; NaN where no cell has a value
  };
  std::vector<Layer> layers;
};
MapFacts map_facts(const MapStore& store, const Run& run, const SummaryTable& table, std::span<const double> terrain);
/// "12 % of the path length lies outside maps.extent", one line for each thing that a reader has to know.
std::vector<std::string> map_warnings(const MapFacts& facts);

}  // namespace scree
