// Maps in a result: the group `maps` of a run with one arm, or of /arms/<name>.
//
//   maps/         coordinates x, y (centres of cells, ascending); layers [y, x] of f4, counts of u4, with units,
//                 long_name, description, where values are numbers of classes their names from 1 on as classes; NaN:
//                 no value, of f4 their _FillValue; where the system of x and y is known a scalar `crs` with crs_wkt,
//                 spatial_ref and, where CF has a name for the projection, grid_mapping_name, which layers name as
//                 grid_mapping. Attributes: cell, west, south, n (samples that count), excluded (names) and
//                 excluded_count, touched, bytes, deposits_outside, way_outside, interval, percentiles (quantities) and
//                 their levels, too_few, wrapped, first_wrapped, notes, maps_digest
//   maps/store/   what the layers were made from, for a run that is extended; without it no such run is possible.
//                 Attributes counted, deposits_outside, way_outside, quantities, counted_in; along the cells that were
//                 passed: cell, passages, deposits, caught, entries, arrival; maxima and sums [cell, quantity]; sorted
//                 keys and their counts: bins, sources, releases, by_replicate (model/maps.hpp says what keys are)
#pragma once

#include <hdf5.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/statistics/arm.hpp"

namespace scree {

/// Of an arm that has maps.
void write_maps(hid_t parent, const Run& run, const Arm& arm);

/// Whether two rasters have the same cells.
bool same_cells(const MapGrid& a, const MapGrid& b);

/// The names of the layers that a result has of an arm, and of another arm than the first those that say how its reach
/// differs (statistics/reach_difference.hpp), where both have maps of the same cells: difference_<arm>, the ends of its
/// interval difference_<arm>_low and _high, significant_<arm>; the last three of independent samples only.
std::vector<std::string> layer_names(std::span<const Arm> arms, const Arm& arm);

/// Throws Error(Exit::usage) where --layers names one that does not exist.
void check_layers(const std::string& path, std::span<const Arm> arms, const Arm& arm,
                  const std::vector<std::string>& names);

/// Calls f with these layers of an arm of a result; all if no name is given. The file was read before (read_result); of
/// a journal the arms have their maps.
/// Throws Error(Exit::input), and what check_layers does.
void for_each_layer(const std::string& path, std::span<const Arm> arms, const Arm& arm,
                    const std::vector<std::string>& names, const std::function<void(const MapLayer&)>& f);

/// What a group says of its maps; nothing where it has none. Throws std::runtime_error as the functions of hdf5.hpp.
std::optional<MapFacts> read_maps(hid_t parent);

/// The accumulators of the maps of an arm of a result, whose group is `of`, to be gone on with by `run`. Throws
/// Error(Exit::usage) where the file does not keep them or has others than the run makes.
std::shared_ptr<const MapStore> read_map_store(const std::string& path, const std::string& of, const Run& run);

}  // namespace scree
