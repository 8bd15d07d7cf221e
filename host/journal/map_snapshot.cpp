#include "map_snapshot.hpp"

#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>

#include "bytes.hpp"
#include "host/common/durable.hpp"

namespace scree {
namespace {

constexpr std::string_view snapshot_mark = "SCREEMAP";
constexpr std::uint32_t snapshot_version = 2;
constexpr std::size_t snapshot_id = 8 + 4, id_size = 16, snapshot_part = snapshot_id + id_size,
                      snapshot_bytes = snapshot_part + 4, snapshot_head = snapshot_bytes + 8, snapshot_tail = 8;

using Cell = MapStore::Cell;

/// Writes a file, and its checksum behind it.
class SnapshotWriter : public PutsNumbers<SnapshotWriter> {
 public:
  explicit SnapshotWriter(const std::string& file) : file_(file), sum_(XXH3_createState(), &XXH3_freeState) {
    if (!sum_) throw std::bad_alloc();
    XXH3_64bits_reset(sum_.get());
  }
  void append(std::string_view bytes) {
    XXH3_64bits_update(sum_.get(), bytes.data(), bytes.size());
    write(bytes);
  }
  void finish() {
    const std::uint64_t sum = XXH3_64bits_digest(sum_.get());
    write({reinterpret_cast<const char*>(&sum), sizeof sum});
    flush();
    file_.close();
  }

 private:
  void write(std::string_view bytes) {
    constexpr std::size_t most = std::size_t{1} << 20;
    if (waiting_.size() + bytes.size() > most) flush();
    if (bytes.size() > most)
      file_.append(bytes.data(), bytes.size());
    else
      waiting_ += bytes;
  }
  void flush() {
    file_.append(waiting_.data(), waiting_.size());
    waiting_.clear();
  }

  std::string waiting_;  // of small writes
  FileWriter file_;
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> sum_;
};

template <class T>
void put(SnapshotWriter& to, std::span<const Cell> cells, T Cell::*member) {
  constexpr std::size_t most = std::size_t{1} << 16;
  to.put<std::uint64_t>(cells.size());
  std::vector<T> values;
  for (std::size_t first = 0; first < cells.size(); first += most) {
    values.clear();
    for (const Cell& cell : cells.subspan(first, std::min(most, cells.size() - first))) values.push_back(cell.*member);
    to.put_each(std::span<const T>(values));
  }
}
template <class T>
void get(ByteReader& from, std::vector<Cell>& cells, T Cell::*member) {
  const std::vector<T> values = from.get_all<T>();
  if (cells.empty()) cells.resize(values.size());
  if (cells.size() != values.size()) throw std::runtime_error("the cells of its maps are not what was written");
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i].*member = values[i];
}

void put(SnapshotWriter& to, const SortedCounts& counts) {
  to.put_all(counts.keys());
  to.put_all(counts.counts());
}
SortedCounts get(ByteReader& from) {
  std::vector<std::uint64_t> keys = from.get_all<std::uint64_t>();
  std::vector<std::uint32_t> counts = from.get_all<std::uint32_t>();
  if (keys.size() != counts.size()) throw std::runtime_error("the counts of its maps are not what was written");
  SortedCounts sorted;
  sorted.take(std::move(keys), std::move(counts));
  return sorted;
}

}  // namespace

void write_map_snapshot(const MapStore& maps, const std::string& id, std::uint32_t part, std::uint64_t journal_bytes,
                        const std::string& file) {
  SnapshotWriter to(file);
  to.append(snapshot_mark);
  to.put(snapshot_version);
  to.append(id);
  to.put(part);
  to.put(journal_bytes);
  for (const std::uint64_t number : {maps.counted(), maps.deposits_outside(), maps.way_outside_units()}) to.put(number);
  to.put_all(maps.counted_in_each());
  for (std::uint32_t Cell::*member : {&Cell::cell, &Cell::passages, &Cell::deposits, &Cell::caught})
    put(to, maps.cells(), member);
  put(to, maps.cells(), &Cell::entries);
  put(to, maps.cells(), &Cell::arrival);
  for (std::vector<std::uint64_t> (MapStore::*numbers)() const : {&MapStore::maxima, &MapStore::sums})
    to.put_all(std::span<const std::uint64_t>((maps.*numbers)()));
  for (const SortedCounts* counts : {&maps.bin_counts(), &maps.sources(), &maps.releases(), &maps.by_replicate()})
    put(to, *counts);
  to.finish();
}

bool is_map_snapshot(const std::string& bytes) {
  if (bytes.size() < snapshot_head + snapshot_tail || !bytes.starts_with(snapshot_mark)) return false;
  const std::string_view all(bytes);
  return ByteReader(all.substr(snapshot_mark.size())).get<std::uint32_t>() == snapshot_version &&
         ByteReader(all.substr(all.size() - snapshot_tail)).get<std::uint64_t>() ==
             XXH3_64bits(all.data(), all.size() - snapshot_tail);
}

std::string id_of(const std::string& snapshot) { return snapshot.substr(snapshot_id, id_size); }
std::uint32_t part_number_of(const std::string& snapshot) {
  return ByteReader(std::string_view(snapshot).substr(snapshot_part)).get<std::uint32_t>();
}
std::uint64_t journal_bytes_of(const std::string& snapshot) {
  return ByteReader(std::string_view(snapshot).substr(snapshot_bytes)).get<std::uint64_t>();
}

std::shared_ptr<MapStore> maps_of(const std::string& snapshot, const Run& run) {
  ByteReader from(std::string_view(snapshot).substr(snapshot_head));
  MapStore::Stored stored{};
  for (std::uint64_t* number : {&stored.counted, &stored.deposits_outside, &stored.way_outside})
    *number = from.get<std::uint64_t>();
  stored.counted_in = from.get_all<std::uint64_t>();
  for (std::uint32_t Cell::*member : {&Cell::cell, &Cell::passages, &Cell::deposits, &Cell::caught})
    get(from, stored.cells, member);
  get(from, stored.cells, &Cell::entries);
  get(from, stored.cells, &Cell::arrival);
  stored.maxima = from.get_all<std::uint64_t>();
  stored.sums = from.get_all<std::uint64_t>();
  for (SortedCounts* counts : {&stored.bins, &stored.sources, &stored.releases, &stored.by_replicate})
    *counts = get(from);
  auto store =
      std::make_shared<MapStore>(run.spec.world.maps, run.maps, run.model->description, run.sampling.replicates);
  store->restore(std::move(stored));
  return store;
}

}  // namespace scree
