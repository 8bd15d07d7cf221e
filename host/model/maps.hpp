// What the paths of all samples leave in the cells of a raster: the accumulators of maps. The layers that they come to
// are made in statistics/map_layers.hpp.
//
// Every accumulator is a whole number: a count, a maximum as the bits of a double >= 0 (which order as the doubles do),
// a sum of whole multiples of a unit, a count in a bin. So the result has the same bits for any order, number of
// threads, backend or batch, and for a run that is extended, and `digest` proves it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "description.hpp"
#include "kernels/visits.hpp"
#include "src/map_grid.hpp"

namespace scree {

/// [maps.danger] of a config: what guidelines make of intensities at return periods, each in its own way.
struct DangerMatrix {
  std::vector<std::string> names;        // of its levels, rising; empty: there is no such matrix
  std::vector<std::string> colours;      // of each, "#rrggbb"; empty: not given
  std::vector<std::vector<int>> matrix;  // by class of intensity and period: 0 none, k the level names[k - 1]
};

/// [maps] of a config, but for the raster (World::maps).
struct MapSettings {
  bool on = false;
  std::vector<int> quantities, percentiles;  // places in Description::map_quantities; those of `percentiles` are among
                                             // `quantities`
  std::vector<int> levels{500, 900, 950, 990};  // of percentiles, per mille
  int bins_per_octave = 16;                     // 8, 16, 32 or 64
  bool clopper_pearson = false;                 // intervals; else Wilson's
  bool sources = false;
  bool caught = false;                        // a layer of the samples that barriers caught
  double release_frequency = 0;               // 1/yr, of all releases together; 0: not given
  std::vector<double> periods{30, 100, 300};  // yr
  std::vector<double> classes{30e3, 300e3};   // J, between classes of intensity
  DangerMatrix danger;
  bool keep_store = true;
};

/// The bins that percentiles are taken from: `per_octave` to a factor of two, cut where the leading bits of the double
/// change. Bin 0 is all below 2^first_octave, the last one all from 2^(first_octave + octaves) on.
struct Bins {
  int first_octave, octaves, per_octave;

  int count() const { return octaves * per_octave + 2; }
  int of(double value) const;
  /// The edges of a bin; the last has none above, infinity.
  double low(int bin) const;
  double high(int bin) const { return low(bin + 1); }
};

/// A sorted array of keys with counts, into which more keys are counted in any order.
class SortedCounts {
 public:
  void add(std::uint64_t key) { waiting_.push_back(key); }
  /// Merges the waiting keys, if they are many enough to be worth it.
  void merge_if_many();
  void merge();
  /// Adds those of another one without waiting keys.
  void add(const SortedCounts& other);
  std::span<const std::uint64_t> keys() const { return keys_; }
  std::span<const std::uint32_t> counts() const { return counts_; }
  void take(std::vector<std::uint64_t> keys, std::vector<std::uint32_t> counts);
  std::size_t bytes() const;

 private:
  std::vector<std::uint64_t> waiting_, keys_;
  std::vector<std::uint32_t> counts_;
};

/// Replicates of low-discrepancy points that are counted each by itself; with more there are no intervals of shares.
inline constexpr int most_map_replicates = 64;

/// Whether samples that end so count: those that went where the equations take them.
bool counts_in_maps(std::uint32_t status);

class MapStore {
 public:
  /// Of these quantities, by their places in `description`. `replicates`: as SummaryTable's.
  MapStore(const MapGrid& grid, const MapSettings& settings, const Description& description, int replicates);

  /// What one cell has seen. Maxima and sums are those of each quantity, in the order of MapSettings::quantities.
  struct Cell {
    std::uint32_t cell = 0;
    std::uint32_t passages = 0, deposits = 0, caught = 0;
    std::uint64_t entries = 0;
    double arrival = 0;  // earliest, s since the release
  };

  void fold(const PassageBatch& batch);
  /// Adds what other samples left, of the same raster and settings; settled.
  void add(const MapStore& other);
  /// After the last batch, and before anything below is looked at: merges, and sorts by cell.
  void settle();

  const MapGrid& grid() const { return grid_; }
  const MapSettings& settings() const { return settings_; }
  const std::vector<MapQuantity>& quantities() const { return quantities_; }
  /// The samples that count; of them those that were outside of the raster at the end of a sample that stopped; how far
  /// all of them went outside, m.
  std::uint64_t counted() const { return counted_; }
  std::uint64_t deposits_outside() const { return deposits_outside_; }
  double way_outside() const;

  // By rising cell.
  std::size_t touched() const { return cells_.size(); }
  const Cell& cell(std::size_t row) const { return cells_[row]; }
  double largest(std::size_t row, std::size_t quantity) const;
  std::uint64_t sum(std::size_t row, std::size_t quantity) const;
  /// The mean of a quantity over passages; NaN where the sum may have wrapped.
  double mean(std::size_t row, std::size_t quantity) const;

  bool has_percentiles(std::size_t quantity) const { return percentile_[quantity]; }
  /// The bins of a quantity that has percentiles.
  Bins bins(std::size_t quantity) const;
  /// Of passages of a cell by the bin of their peak.
  static std::uint64_t bin_key(std::uint32_t cell, std::size_t quantity, int bin) {
    return std::uint64_t{cell} << 14 | static_cast<std::uint64_t>(quantity) << 11 | static_cast<std::uint64_t>(bin);
  }
  const SortedCounts& bin_counts() const { return bins_; }
  /// With `sources`: keys are cell * 2^32 + the cell of a release that led there; of releases, by their cell.
  const SortedCounts& sources() const { return sources_; }
  const SortedCounts& releases() const { return releases_; }
  /// Of samples in replicates: passages and deposits of each. Keys are those of replicate_key().
  const SortedCounts& by_replicate() const { return by_replicate_; }
  static std::uint64_t replicate_key(std::uint32_t cell, bool deposit, std::uint64_t replicate) {
    return (std::uint64_t{cell} * 2 + (deposit ? 1 : 0)) * most_map_replicates + replicate;
  }
  /// 0: independent samples, or too many replicates to count by.
  int replicates() const { return static_cast<int>(counted_in_.size()); }
  bool too_many_replicates() const { return too_many_replicates_; }
  std::uint64_t counted_in(int replicate) const { return counted_in_[static_cast<std::size_t>(replicate)]; }

  /// Bytes that all of it takes, the waiting keys included.
  std::size_t bytes() const;
  /// Of each cell that is passed, without its bins.
  static double cell_bytes(std::size_t quantities) {
    return static_cast<double>(sizeof(Cell) + 2 * sizeof(std::uint64_t) * quantities);
  }
  /// XXH3-128 of all that the layers are made of.
  std::string digest() const;

  // As arrays.
  std::uint64_t way_outside_units() const { return way_outside_; }  // of 2^-10 m
  std::span<const std::uint64_t> counted_in_each() const { return counted_in_; }
  std::span<const Cell> cells() const { return cells_; }
  /// [cell, quantity]. Made: they take memory of their own.
  std::vector<std::uint64_t> maxima() const { return every_other_number(0); }
  std::vector<std::uint64_t> sums() const { return every_other_number(1); }
  struct Stored {
    std::uint64_t counted, deposits_outside, way_outside;
    std::vector<std::uint64_t> counted_in;  // of each replicate
    std::vector<Cell> cells;
    std::vector<std::uint64_t> maxima, sums;  // [cell, quantity]
    SortedCounts bins, sources, releases, by_replicate;
  };
  /// Throws std::runtime_error where these are not those of a store with this one's grid, quantities and replicates.
  void restore(Stored stored);

 private:
  bool is_sound(const Stored& stored) const;
  std::vector<std::uint64_t> every_other_number(std::size_t first) const;
  void sort_by_cell();
  std::uint32_t row_of(std::uint32_t cell);

  MapGrid grid_;
  MapSettings settings_;
  std::vector<MapQuantity> quantities_;
  std::vector<double> per_unit_;  // of each quantity's sum
  std::vector<bool> percentile_;  // of each quantity, whether it has bins
  std::uint64_t counted_ = 0, deposits_outside_ = 0, way_outside_ = 0;
  bool too_many_replicates_;
  std::vector<std::uint64_t> counted_in_;
  std::vector<std::uint32_t> rows_;  // of each cell of the grid, 1 + its place in cells_; 0: untouched
  std::vector<Cell> cells_;
  std::vector<std::uint64_t> numbers_;  // [cell, 2 * quantity]: maximum and sum
  SortedCounts bins_, sources_, releases_, by_replicate_;
};

}  // namespace scree
