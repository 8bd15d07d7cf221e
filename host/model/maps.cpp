#include "maps.hpp"

#include <algorithm>
#include <bit>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "digest.hpp"
#include "src/status.hpp"

namespace scree {
namespace {

constexpr int mantissa_bits = 52, exponent_bias = 1023;
/// Keys that are worth a merge.
constexpr std::size_t many_keys = std::size_t{1} << 20;
/// Of paths outside of the raster, m.
constexpr double way_unit = 0x1p-10;

/// 0 where a sum could not hold it: it is not known then (MapStore::mean).
std::uint64_t rounded_to_whole(double value) { return value < 0x1p64 ? static_cast<std::uint64_t>(value + 0.5) : 0; }

}  // namespace

int Bins::of(double value) const {
  const int bits = std::countr_zero(static_cast<unsigned>(per_octave));
  const std::int64_t first = static_cast<std::int64_t>(exponent_bias + first_octave) << bits,
                     leading = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(value) >> (mantissa_bits - bits));
  if (leading < first) return 0;
  return static_cast<int>(std::min<std::int64_t>(leading - first, std::int64_t{octaves} * per_octave)) + 1;
}

double Bins::low(int bin) const {
  if (bin <= 0) return 0;
  if (bin >= count()) return std::numeric_limits<double>::infinity();
  const int step = bin - 1;
  return std::ldexp(1.0 + static_cast<double>(step % per_octave) / per_octave, first_octave + step / per_octave);
}

void SortedCounts::merge_if_many() {
  if (waiting_.size() >= std::max(many_keys, keys_.size() / 2)) merge();
}

void SortedCounts::merge() {
  if (waiting_.empty()) return;
  boost::sort::spreadsort::integer_sort(waiting_.begin(), waiting_.end());
  // Room for no more than there will be: both sets of keys are in memory at once.
  std::size_t all = keys_.size();
  for (std::size_t i = 0, known = 0; i < waiting_.size(); ++i) {
    if (i > 0 && waiting_[i] == waiting_[i - 1]) continue;
    while (known < keys_.size() && keys_[known] < waiting_[i]) ++known;
    all += known == keys_.size() || keys_[known] != waiting_[i];
  }
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> counts;
  keys.reserve(all);
  counts.reserve(all);
  std::size_t known = 0;
  for (std::size_t i = 0; i < waiting_.size();) {
    const std::uint64_t key = waiting_[i];
    std::uint32_t count = 0;
    for (; i < waiting_.size() && waiting_[i] == key; ++i) ++count;
    for (; known < keys_.size() && keys_[known] < key; ++known) {
      keys.push_back(keys_[known]);
      counts.push_back(counts_[known]);
    }
    if (known < keys_.size() && keys_[known] == key) count += counts_[known++];
    keys.push_back(key);
    counts.push_back(count);
  }
  keys.insert(keys.end(), keys_.begin() + static_cast<std::ptrdiff_t>(known), keys_.end());
  counts.insert(counts.end(), counts_.begin() + static_cast<std::ptrdiff_t>(known), counts_.end());
  keys_ = std::move(keys);
  counts_ = std::move(counts);
  // Cleared they would keep their memory.
  std::vector<std::uint64_t>().swap(waiting_);
}

void SortedCounts::add(const SortedCounts& other) {
  merge();
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> counts;
  keys.reserve(std::max(keys_.size(), other.keys_.size()));
  counts.reserve(keys.capacity());
  for (std::size_t a = 0, b = 0; a < keys_.size() || b < other.keys_.size();) {
    const bool mine = b == other.keys_.size() || (a < keys_.size() && keys_[a] <= other.keys_[b]),
               theirs = a == keys_.size() || (b < other.keys_.size() && other.keys_[b] <= keys_[a]);
    keys.push_back(mine ? keys_[a] : other.keys_[b]);
    counts.push_back((mine ? counts_[a] : 0) + (theirs ? other.counts_[b] : 0));
    a += mine;
    b += theirs;
  }
  take(std::move(keys), std::move(counts));
}

void SortedCounts::take(std::vector<std::uint64_t> keys, std::vector<std::uint32_t> counts) {
  waiting_.clear();
  keys_ = std::move(keys);
  counts_ = std::move(counts);
}

std::size_t SortedCounts::bytes() const {
  return (waiting_.size() + keys_.size()) * sizeof(std::uint64_t) + counts_.size() * sizeof(std::uint32_t);
}

bool counts_in_maps(std::uint32_t status) {
  switch (static_cast<Status>(status)) {
    case Status::stopped:
    case Status::end_time:
    case Status::left_terrain:
    case Status::no_data:
    case Status::lifted_off:
    case Status::caught:
      return true;
    default:
      return false;
  }
}

MapStore::MapStore(const MapGrid& grid, const MapSettings& settings, const Description& description, int replicates)
    : grid_(grid),
      settings_(settings),
      too_many_replicates_(replicates > most_map_replicates),
      counted_in_(replicates <= most_map_replicates ? static_cast<std::size_t>(replicates) : 0),
      rows_(static_cast<std::size_t>(grid.columns * grid.rows)) {
  for (const int place : settings.quantities) {
    quantities_.push_back(description.map_quantities[static_cast<std::size_t>(place)]);
    per_unit_.push_back(std::ldexp(1.0, -quantities_.back().sum_exponent));
    percentile_.push_back(std::ranges::count(settings.percentiles, place) > 0);
  }
}

std::uint32_t MapStore::row_of(std::uint32_t cell) {
  std::uint32_t& row = rows_[cell];
  if (row == 0) {
    cells_.push_back({cell, 0, 0, 0, 0, std::numeric_limits<double>::infinity()});
    numbers_.resize(numbers_.size() + 2 * quantities_.size());
    row = static_cast<std::uint32_t>(cells_.size());
  }
  return row - 1;
}

void MapStore::fold(const PassageBatch& batch) {
  const std::size_t stride = 2 * quantities_.size();
  std::vector<Bins> bins;
  for (std::size_t q = 0; q < quantities_.size(); ++q) bins.push_back(this->bins(q));
  for (const SampleOfMap& sample : batch.samples) {
    if (!counts_in_maps(sample.status)) continue;
    ++counted_;
    way_outside_ += rounded_to_whole(std::min(sample.way_outside, 1e9) / way_unit);
    const std::uint64_t replicate = replicates() > 0 ? sample.sample % static_cast<std::uint64_t>(replicates()) : 0;
    if (replicates() > 0) ++counted_in_[replicate];
    if (settings_.sources && sample.release_cell != no_map_cell) releases_.add(sample.release_cell);
    for (std::size_t i = sample.first; i < sample.first + sample.count; ++i) {
      const PassageOfCell& passage = batch.passages[i];
      const std::uint32_t row = row_of(passage.cell);
      Cell& cell = cells_[row];
      ++cell.passages;
      cell.entries += passage.entries;
      cell.arrival = std::min(cell.arrival, passage.entered);
      std::uint64_t* number = numbers_.data() + row * stride;
      for (std::size_t q = 0; q < quantities_.size(); ++q) {
        const double peak = passage.peaks[settings_.quantities[q]];
        const double value = quantities_[q].squared ? std::sqrt(peak) : peak;
        number[2 * q] = std::max(number[2 * q], std::bit_cast<std::uint64_t>(value));
        number[2 * q + 1] += rounded_to_whole(value * per_unit_[q]);
        if (percentile_[q]) bins_.add(bin_key(passage.cell, q, bins[q].of(value)));
      }
      if (settings_.sources && sample.release_cell != no_map_cell)
        sources_.add(std::uint64_t{passage.cell} << 32 | sample.release_cell);
      if (replicates() > 0) by_replicate_.add(replicate_key(passage.cell, false, replicate));
    }
    if (sample.status == static_cast<std::uint32_t>(Status::caught) && sample.last_cell != no_map_cell)
      ++cells_[row_of(sample.last_cell)].caught;
    if (sample.status != static_cast<std::uint32_t>(Status::stopped)) continue;
    if (sample.last_cell == no_map_cell) {
      ++deposits_outside_;
    } else {
      ++cells_[row_of(sample.last_cell)].deposits;
      if (replicates() > 0) by_replicate_.add(replicate_key(sample.last_cell, true, replicate));
    }
  }
  for (SortedCounts* counts : {&bins_, &sources_, &releases_, &by_replicate_}) counts->merge_if_many();
}

void MapStore::add(const MapStore& other) {
  counted_ += other.counted_;
  deposits_outside_ += other.deposits_outside_;
  way_outside_ += other.way_outside_;
  for (std::size_t r = 0; r < counted_in_.size(); ++r) counted_in_[r] += other.counted_in_[r];
  const std::size_t stride = 2 * quantities_.size();
  for (std::size_t k = 0; k < other.cells_.size(); ++k) {
    const Cell& from = other.cells_[k];
    const std::uint32_t row = row_of(from.cell);
    Cell& cell = cells_[row];
    cell.passages += from.passages;
    cell.deposits += from.deposits;
    cell.caught += from.caught;
    cell.entries += from.entries;
    cell.arrival = std::min(cell.arrival, from.arrival);
    const std::uint64_t* const added = other.numbers_.data() + k * stride;
    std::uint64_t* const number = numbers_.data() + row * stride;
    for (std::size_t i = 0; i < stride; i += 2) {
      number[i] = std::max(number[i], added[i]);
      number[i + 1] += added[i + 1];
    }
  }
  bins_.add(other.bins_);
  sources_.add(other.sources_);
  releases_.add(other.releases_);
  by_replicate_.add(other.by_replicate_);
}

void MapStore::settle() {
  for (SortedCounts* counts : {&bins_, &sources_, &releases_, &by_replicate_}) counts->merge();
  sort_by_cell();
  for (std::size_t row = 0; row < cells_.size(); ++row) rows_[cells_[row].cell] = static_cast<std::uint32_t>(row + 1);
}

/// In place, as they may be most of the memory: row order[k] comes to k, each cycle of these one after the other.
void MapStore::sort_by_cell() {
  if (std::ranges::is_sorted(cells_, {}, &Cell::cell)) return;
  std::vector<std::uint32_t> order(cells_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t row) { return cells_[row].cell; });
  const std::size_t stride = 2 * quantities_.size();
  const auto numbers_of = [&](std::size_t row) { return numbers_.begin() + static_cast<std::ptrdiff_t>(row * stride); };
  std::vector<std::uint64_t> numbers(stride);
  for (std::uint32_t first = 0; first < order.size(); ++first) {
    if (order[first] == first) continue;
    const Cell cell = cells_[first];
    std::copy_n(numbers_of(first), stride, numbers.begin());
    std::uint32_t to = first;
    while (order[to] != first) {
      const std::uint32_t from = std::exchange(order[to], to);
      cells_[to] = cells_[from];
      std::copy_n(numbers_of(from), stride, numbers_of(to));
      to = from;
    }
    order[to] = to;
    cells_[to] = cell;
    std::copy_n(numbers.begin(), stride, numbers_of(to));
  }
}

double MapStore::way_outside() const { return static_cast<double>(way_outside_) * way_unit; }
double MapStore::largest(std::size_t row, std::size_t quantity) const {
  return std::bit_cast<double>(numbers_[2 * (row * quantities_.size() + quantity)]);
}
std::uint64_t MapStore::sum(std::size_t row, std::size_t quantity) const {
  return numbers_[2 * (row * quantities_.size() + quantity) + 1];
}
double MapStore::mean(std::size_t row, std::size_t quantity) const {
  const double passages = cells_[row].passages, unit = std::ldexp(1.0, quantities_[quantity].sum_exponent);
  // Each peak is at most the largest, so that the sum cannot have wrapped unless this is as large.
  if (!(passages * (largest(row, quantity) / unit + 1) < 0x1p64)) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(sum(row, quantity)) * unit / passages;
}

Bins MapStore::bins(std::size_t quantity) const {
  const MapQuantity& of = quantities_[quantity];
  return {of.first_octave, of.octaves, settings_.bins_per_octave};
}

std::size_t MapStore::bytes() const {
  return rows_.size() * sizeof(std::uint32_t) + cells_.size() * sizeof(Cell) + numbers_.size() * sizeof(std::uint64_t) +
         bins_.bytes() + sources_.bytes() + releases_.bytes() + by_replicate_.bytes();
}

std::string MapStore::digest() const {
  Checksum sum;
  const auto add = [&](const auto& value) { sum.add(&value, sizeof value); };
  add(counted_);
  add(deposits_outside_);
  add(way_outside_);
  sum.add(counted_in_.data(), counted_in_.size() * sizeof(std::uint64_t));
  const std::size_t stride = 2 * quantities_.size();
  for (std::size_t row = 0; row < cells_.size(); ++row) {
    const Cell& cell = cells_[row];
    add(cell.cell);
    add(cell.passages);
    add(cell.deposits);
    add(cell.caught);
    add(cell.entries);
    add(cell.arrival);
    sum.add(numbers_.data() + row * stride, stride * sizeof(std::uint64_t));
  }
  for (const SortedCounts* counts : {&bins_, &sources_, &releases_, &by_replicate_}) {
    sum.add(counts->keys().data(), counts->keys().size_bytes());
    sum.add(counts->counts().data(), counts->counts().size_bytes());
  }
  return sum.hex();
}

std::vector<std::uint64_t> MapStore::every_other_number(std::size_t first) const {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(numbers_.size() / 2);
  for (std::size_t i = first; i < numbers_.size(); i += 2) numbers.push_back(numbers_[i]);
  return numbers;
}

bool MapStore::is_sound(const Stored& stored) const {
  const auto rises = [](const auto& keys, auto... key) {
    return std::ranges::is_sorted(keys, std::less_equal{}, key...);
  };
  const std::size_t numbers = stored.cells.size() * quantities_.size();
  const auto is_bin = [&](std::uint64_t key) {
    const std::size_t quantity = key >> 11 & 7;
    return quantity < quantities_.size() && static_cast<int>(key & 2047) < bins(quantity).count();
  };
  const std::span<const std::uint64_t> released = stored.releases.keys();
  return rises(stored.cells, &Cell::cell) && (stored.cells.empty() || stored.cells.back().cell < rows_.size()) &&
         stored.maxima.size() == numbers && stored.sums.size() == numbers &&
         stored.counted_in.size() == counted_in_.size() && rises(stored.bins.keys()) &&
         std::ranges::all_of(stored.bins.keys(), is_bin) && rises(released) && rises(stored.sources.keys()) &&
         std::ranges::all_of(
             stored.sources.keys(),
             [&](std::uint64_t key) { return std::ranges::binary_search(released, key & 0xffffffff); }) &&
         rises(stored.by_replicate.keys()) && std::ranges::all_of(stored.by_replicate.keys(), [&](std::uint64_t key) {
           return key % most_map_replicates < counted_in_.size();
         });
}

void MapStore::restore(Stored stored) {
  if (!is_sound(stored)) throw std::runtime_error("its maps are damaged, or those of another run");
  counted_ = stored.counted;
  deposits_outside_ = stored.deposits_outside;
  way_outside_ = stored.way_outside;
  counted_in_ = std::move(stored.counted_in);
  cells_ = std::move(stored.cells);
  numbers_.clear();
  numbers_.reserve(2 * stored.maxima.size());
  for (std::size_t i = 0; i < stored.maxima.size(); ++i) {
    numbers_.push_back(stored.maxima[i]);
    numbers_.push_back(stored.sums[i]);
  }
  std::ranges::fill(rows_, 0u);
  for (std::size_t row = 0; row < cells_.size(); ++row) rows_[cells_[row].cell] = static_cast<std::uint32_t>(row + 1);
  bins_ = std::move(stored.bins);
  sources_ = std::move(stored.sources);
  releases_ = std::move(stored.releases);
  by_replicate_ = std::move(stored.by_replicate);
}

}  // namespace scree
