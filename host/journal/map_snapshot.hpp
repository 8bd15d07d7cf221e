// The maps of a part of a journal as bytes.
//
//   "SCREEMAP", version u32, id of the journal that it goes with, 16 letters, of which part u32, and how many bytes of
//   it u64; counted, deposits_outside, way_outside u64; then arrays, each with its count u64 before it: counted_in u64,
//   of each cell its number, passages, deposits and caught u32, entries u64 and arrival f64, maxima and sums u64, and
//   of bins, sources, releases and by_replicate the keys u64 and counts u32; XXH3-64 of all that
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "host/model/run.hpp"

namespace scree {

/// Of a store that is settled, of a part of a journal, with so many bytes of that, to a file that is there. It goes
/// there piece by piece: the store may be most of the memory. Throws std::runtime_error with the system's reason.
void write_map_snapshot(const MapStore& maps, const std::string& id, std::uint32_t part, std::uint64_t journal_bytes,
                        const std::string& file);
/// Whether it is all there.
bool is_map_snapshot(const std::string& bytes);
std::string id_of(const std::string& snapshot);
std::uint32_t part_number_of(const std::string& snapshot);
std::uint64_t journal_bytes_of(const std::string& snapshot);
/// The store of a run. Throws std::runtime_error where it is that of another.
std::shared_ptr<MapStore> maps_of(const std::string& snapshot, const Run& run);

}  // namespace scree
