#include "maps.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>

#include "hdf5.hpp"
#include "host/common/error.hpp"
#include "host/common/markup.hpp"
#include "host/common/suggest.hpp"
#include "host/inputs/crs.hpp"
#include "host/statistics/reach_difference.hpp"
#include "untrusted.hpp"

namespace scree {
namespace {

using h5::Handle;
using h5::write_array;
using h5::write_attribute;

Handle write_centres(hid_t group, const std::string& name, double first, double cell, double count) {
  std::vector<double> centres;
  for (double i = 0; i < count; ++i) centres.push_back(std::fma(i + 0.5, cell, first));
  const hsize_t dims[] = {centres.size()};
  Handle coordinate = write_array(group, name, dims, centres);
  h5::make_coordinate(coordinate, name);
  write_attribute(coordinate, "units", std::string("m"));
  write_attribute(coordinate, "standard_name", "projection_" + name + "_coordinate");
  write_attribute(coordinate, "long_name", name + " of the centres of cells");
  return coordinate;
}

void write_layers(hid_t group, const Run& run, const Arm& arm) {
  const MapGrid& grid = arm.maps->grid();
  const Handle y = write_centres(group, "y", grid.south, grid.cell, grid.rows),
               x = write_centres(group, "x", grid.west, grid.cell, grid.columns);
  const hsize_t dims[] = {static_cast<hsize_t>(grid.rows), static_cast<hsize_t>(grid.columns)};
  const std::vector<double> terrain = terrain_of_maps(run);
  if (!run.crs_wkt.empty()) {
    const std::int64_t nothing = 0;
    const Handle crs = write_array(group, "crs", {}, std::span(&nothing, 1));
    if (const std::string name = cf_grid_mapping(run.crs_wkt); !name.empty())
      write_attribute(crs, "grid_mapping_name", name);
    write_attribute(crs, "crs_wkt", run.crs_wkt);
    write_attribute(crs, "spatial_ref", run.crs_wkt);
  }
  for_each_map_layer(*arm.maps, *arm.table.description, terrain, [&](const MapLayer& layer) {
    const Handle dataset =
        layer.is_count ? write_array(group, layer.name, dims, H5T_STD_U32LE, H5T_NATIVE_UINT32, layer.counts.data())
                       : write_array(group, layer.name, dims, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, layer.values.data());
    std::string long_name = layer.name;
    std::replace(long_name.begin(), long_name.end(), '_', ' ');
    if (!layer.is_count) write_attribute(dataset, "_FillValue", std::numeric_limits<float>::quiet_NaN());
    write_attribute(dataset, "units", layer.unit);
    write_attribute(dataset, "long_name", long_name);
    write_attribute(dataset, "description", layer.meaning);
    const auto facts = std::ranges::find(arm.map_facts->layers, layer.name, &MapFacts::Layer::name);
    const double range[] = {facts->least, facts->greatest};
    write_attribute(dataset, "actual_range", std::span<const double>(range));
    write_attribute(dataset, "classes", layer.classes);
    if (!layer.colours.empty()) write_attribute(dataset, "colours", layer.colours);
    if (!run.crs_wkt.empty()) write_attribute(dataset, "grid_mapping", std::string("crs"));
    h5::label(dataset, 0, y);
    h5::label(dataset, 1, x);
  });
}

void write_facts(hid_t group, const MapFacts& facts) {
  std::vector<std::string> names;
  std::vector<double> counts;
  for (const auto& [name, count] : facts.excluded) {
    names.push_back(name);
    counts.push_back(static_cast<double>(count));
  }
  write_attribute(
      group, "description",
      std::string("what the paths of the samples did in the cells of a raster; shares are of n samples, and "
                  "conditional on the releases"));
  write_attribute(group, "cell", facts.grid.cell);
  write_attribute(group, "west", facts.grid.west);
  write_attribute(group, "south", facts.grid.south);
  write_attribute(group, "columns", static_cast<std::uint64_t>(facts.grid.columns));
  write_attribute(group, "rows", static_cast<std::uint64_t>(facts.grid.rows));
  write_attribute(group, "n", facts.counted);
  write_attribute(group, "excluded", names);
  if (!counts.empty()) write_attribute(group, "excluded_count", std::span<const double>(counts));
  write_attribute(group, "touched", facts.touched);
  write_attribute(group, "bytes", facts.bytes);
  write_attribute(group, "deposits_outside", facts.deposits_outside);
  write_attribute(group, "way_outside", facts.way_outside);
  write_attribute(group, "interval", facts.interval);
  write_attribute(group, "too_few", facts.too_few);
  write_attribute(group, "wrapped", facts.wrapped);
  write_attribute(group, "first_wrapped", facts.first_wrapped);
  write_attribute(group, "notes", facts.notes);
  write_attribute(group, "maps_digest", facts.digest);
}

bool is_layer(const std::string& link) { return link != "x" && link != "y" && link != "crs" && link != "store"; }

/// Files are called by it.
bool is_name_of_a_layer(const std::string& name) {
  return !name.starts_with('.') && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == '-' || c == '+';
  });
}

template <class T>
void write_numbers(hid_t group, const std::string& name, std::span<const T> values) {
  const hsize_t dims[] = {values.size()};
  if constexpr (sizeof(T) == 4)
    write_array(group, name, dims, H5T_STD_U32LE, H5T_NATIVE_UINT32, values.data());
  else
    write_array(group, name, dims, H5T_STD_U64LE, H5T_NATIVE_UINT64, values.data());
}
void write_numbers(hid_t group, const std::string& name, const SortedCounts& counts) {
  if (counts.keys().empty()) return;
  write_numbers(group, name + "_key", counts.keys());
  write_numbers(group, name + "_count", counts.counts());
}

template <class T, class F>
std::vector<T> each(std::span<const MapStore::Cell> cells, const F& of) {
  std::vector<T> values;
  values.reserve(cells.size());
  for (const MapStore::Cell& cell : cells) values.push_back(of(cell));
  return values;
}

std::vector<std::string> names_of(const std::vector<MapQuantity>& quantities) {
  std::vector<std::string> names;
  for (const MapQuantity& quantity : quantities) names.push_back(quantity.name);
  return names;
}

void write_percentiles(hid_t group, const MapStore& store) {
  std::vector<std::string> names;
  for (std::size_t q = 0; q < store.quantities().size(); ++q)
    if (store.has_percentiles(q)) names.push_back(store.quantities()[q].name);
  std::vector<double> levels;
  for (const int per_mille : store.settings().levels) levels.push_back(per_mille / 1000.0);
  write_attribute(group, "percentiles", names);
  if (!names.empty()) write_attribute(group, "levels", std::span<const double>(levels));
}

void write_store(hid_t maps, const MapStore& store) {
  const Handle group = h5::create_group(maps, "store");
  write_attribute(group, "counted", store.counted());
  write_attribute(group, "deposits_outside", store.deposits_outside());
  write_attribute(group, "way_outside", store.way_outside_units());
  write_attribute(group, "quantities", names_of(store.quantities()));
  write_attribute(group, "bins_per_octave", store.settings().bins_per_octave);
  const std::span<const MapStore::Cell> cells = store.cells();
  using Cell = MapStore::Cell;
  using U32 = std::uint32_t;
  const auto write = [&]<class T>(const char* name, const std::vector<T>& values) {
    write_numbers(group, name, std::span<const T>(values));
  };
  write_numbers(group, "counted_in", store.counted_in_each());
  write("cell", each<U32>(cells, [](const Cell& c) { return c.cell; }));
  write("passages", each<U32>(cells, [](const Cell& c) { return c.passages; }));
  write("deposits", each<U32>(cells, [](const Cell& c) { return c.deposits; }));
  write("caught", each<U32>(cells, [](const Cell& c) { return c.caught; }));
  write("entries", each<std::uint64_t>(cells, [](const Cell& c) { return c.entries; }));
  const hsize_t dims[] = {cells.size()};
  write_array(group, "arrival", dims, each<double>(cells, [](const Cell& c) { return c.arrival; }));
  write("maxima", store.maxima());
  write("sums", store.sums());
  write_numbers(group, "bins", store.bin_counts());
  write_numbers(group, "sources", store.sources());
  write_numbers(group, "releases", store.releases());
  write_numbers(group, "by_replicate", store.by_replicate());
}

template <class T>
std::vector<T> read_numbers(hid_t group, const std::string& name) {
  const Handle array = h5::open_array(group, name);
  const std::uint64_t size = h5::size_of(array);
  std::vector<T> values(size);
  h5::read_array(group, name, sizeof(T) == 4 ? H5T_NATIVE_UINT32 : H5T_NATIVE_UINT64, size, values.data());
  return values;
}
SortedCounts read_counts(hid_t group, const std::string& name) {
  SortedCounts counts;
  if (!h5::has_link(group, name + "_key")) return counts;
  auto keys = read_numbers<std::uint64_t>(group, name + "_key");
  auto of = read_numbers<std::uint32_t>(group, name + "_count");
  if (keys.size() != of.size() || !std::ranges::is_sorted(keys))
    throw std::runtime_error("the counts " + name + " of the maps are not what was written");
  counts.take(std::move(keys), std::move(of));
  return counts;
}

MapStore::Stored read_store(hid_t group, double cells, std::size_t quantities) {
  MapStore::Stored stored;
  stored.counted = h5::read_uint(group, "counted");
  stored.deposits_outside = h5::read_uint(group, "deposits_outside");
  stored.way_outside = h5::read_uint(group, "way_outside");
  stored.counted_in = read_numbers<std::uint64_t>(group, "counted_in");
  const auto number = read_numbers<std::uint32_t>(group, "cell"),
             passages = read_numbers<std::uint32_t>(group, "passages"),
             deposits = read_numbers<std::uint32_t>(group, "deposits"),
             caught = read_numbers<std::uint32_t>(group, "caught");
  const auto entries = read_numbers<std::uint64_t>(group, "entries");
  std::vector<double> arrival(number.size());
  h5::read_array(group, "arrival", H5T_NATIVE_DOUBLE, arrival.size(), arrival.data());
  stored.maxima = read_numbers<std::uint64_t>(group, "maxima");
  stored.sums = read_numbers<std::uint64_t>(group, "sums");
  const bool whole = passages.size() == number.size() && deposits.size() == number.size() &&
                     caught.size() == number.size() && entries.size() == number.size() &&
                     stored.maxima.size() == number.size() * quantities && stored.sums.size() == stored.maxima.size();
  if (!whole || !std::ranges::is_sorted(number) || (!number.empty() && number.back() >= cells))
    throw std::runtime_error("the cells of the maps are not what was written");
  for (std::size_t i = 0; i < number.size(); ++i)
    stored.cells.push_back({number[i], passages[i], deposits[i], caught[i], entries[i], arrival[i]});
  stored.bins = read_counts(group, "bins");
  stored.sources = read_counts(group, "sources");
  stored.releases = read_counts(group, "releases");
  stored.by_replicate = read_counts(group, "by_replicate");
  return stored;
}

/// Whether the maps of an arm can be compared with those of the first.
bool is_compared(std::span<const Arm> arms, const Arm& arm) {
  return &arm != &arms[0] && arm.map_facts && arms[0].map_facts &&
         same_cells(arms[0].map_facts->grid, arm.map_facts->grid);
}

/// Without their cells. Where samples are not independent, as in Sobol replicates, without what rests on that.
std::vector<MapLayer> difference_layers(const Arm& baseline, const Arm& own) {
  const std::string &arm = own.name, name = "difference_" + arm,
                    of = "reach probability of " + arm + " less that of " + baseline.name;
  if (baseline.table.replicates > 0 || own.table.replicates > 0) return {{name, "1", of}};
  return {{name, "1", of},
          {name + "_low", "1", "lower end of the 95 % interval of that (Newcombe), as if the arms were independent"},
          {name + "_high", "1", "upper end of the 95 % interval of that (Newcombe), as if the arms were independent"},
          {"significant_" + arm, "1",
           "1: reach differs between " + arm + " and " + baseline.name +
               ", false discovery rate 5 % over the cells reached",
           true}};
}

/// Layers that the file has, in its order.
void for_each_stored_layer(const std::string& path, const std::string& of,
                           const std::function<bool(const std::string&)>& is_asked,
                           const std::function<void(const MapLayer&)>& f) {
  const h5::Session session;
  try {
    const Handle file = h5::open_file(path);
    require_harmless(file);
    const Handle group = h5::open_group(h5::open_group(file, of), "maps");
    const double cells =
        static_cast<double>(h5::read_uint(group, "columns")) * static_cast<double>(h5::read_uint(group, "rows"));
    for (const std::string& name : h5::link_names(group)) {
      if (!is_layer(name) || !is_asked(name)) continue;
      const Handle array = h5::open_array(group, name);
      const std::uint64_t size = h5::size_of(array);
      if (static_cast<double>(size) != cells) throw std::runtime_error("the layer " + name + " has another size");
      MapLayer layer{name, h5::read_text(array, "units"), h5::read_text(array, "description")};
      layer.is_count = h5::is_whole(array);
      layer.classes = h5::read_texts(array, "classes");
      layer.colours = h5::read_texts(array, "colours");
      for (const std::string& colour : layer.colours)
        if (!is_colour(colour))
          throw std::runtime_error("the layer " + name + " has the colour \"" + colour + "\", must be \"#rrggbb\"");
      if (layer.is_count) {
        layer.counts.resize(size);
        h5::read_array(group, name, H5T_NATIVE_UINT32, size, layer.counts.data());
      } else {
        layer.values.resize(size);
        h5::read_array(group, name, H5T_NATIVE_FLOAT, size, layer.values.data());
      }
      f(layer);
    }
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw Error(Exit::input, path + ": " + error.what());
  }
}

}  // namespace

void write_maps(hid_t parent, const Run& run, const Arm& arm) {
  const Handle group = h5::create_group(parent, "maps");
  write_facts(group, *arm.map_facts);
  write_percentiles(group, *arm.maps);
  write_layers(group, run, arm);
  // Shards are merged by it.
  if (run.maps.keep_store || run.shard) write_store(group, *arm.maps);
}

std::optional<MapFacts> read_maps(hid_t parent) {
  if (!h5::has_link(parent, "maps")) return std::nullopt;
  const Handle group = h5::open_group(parent, "maps");
  MapFacts facts;
  facts.grid.cell = h5::read_double(group, "cell");
  facts.grid.per_metre = 1 / facts.grid.cell;
  facts.grid.west = h5::read_double(group, "west");
  facts.grid.south = h5::read_double(group, "south");
  facts.grid.columns = static_cast<double>(h5::read_uint(group, "columns"));
  facts.grid.rows = static_cast<double>(h5::read_uint(group, "rows"));
  facts.counted = h5::read_uint(group, "n");
  const std::vector<std::string> names = h5::read_texts(group, "excluded");
  if (!names.empty()) {
    const std::vector<double> counts = h5::read_doubles(group, "excluded_count", names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
      facts.excluded.emplace_back(names[i], static_cast<std::uint64_t>(counts[i]));
  }
  facts.touched = h5::read_uint(group, "touched");
  facts.bytes = h5::read_uint(group, "bytes");
  facts.deposits_outside = h5::read_uint(group, "deposits_outside");
  facts.way_outside = h5::read_double(group, "way_outside");
  facts.interval = h5::read_text(group, "interval");
  facts.too_few = h5::read_uint(group, "too_few");
  facts.wrapped = h5::read_uint(group, "wrapped");
  // Earlier results have neither.
  if (h5::has_attribute(group, "first_wrapped")) facts.first_wrapped = h5::read_text(group, "first_wrapped");
  facts.notes = h5::read_texts(group, "notes");
  facts.digest = h5::read_text(group, "maps_digest");
  for (const std::string& name : h5::link_names(group)) {
    if (!is_layer(name)) continue;
    if (!is_name_of_a_layer(name))
      throw std::runtime_error("has a map with a layer \"" + name + "\", which is no name");
    const Handle layer = h5::open_array(group, name);
    const std::vector<double> range = h5::read_doubles(layer, "actual_range", 2);
    facts.layers.push_back(
        {name, h5::read_text(layer, "units"), h5::read_text(layer, "description"), range[0], range[1]});
  }
  return facts;
}

bool same_cells(const MapGrid& a, const MapGrid& b) {
  return a.west == b.west && a.south == b.south && a.cell == b.cell && a.columns == b.columns && a.rows == b.rows;
}

std::vector<std::string> layer_names(std::span<const Arm> arms, const Arm& arm) {
  std::vector<std::string> names;
  if (!arm.map_facts) return names;
  for (const MapFacts::Layer& layer : arm.map_facts->layers) names.push_back(layer.name);
  if (is_compared(arms, arm))
    for (const MapLayer& layer : difference_layers(arms[0], arm)) names.push_back(layer.name);
  return names;
}

void check_layers(const std::string& path, std::span<const Arm> arms, const Arm& arm,
                  const std::vector<std::string>& names) {
  const std::vector<std::string> known = layer_names(arms, arm);
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end())
      throw Error(Exit::usage, "--layers: " + (path.empty() ? "there is" : path + " has") + " no layer \"" + name +
                                   "\"" + suggestion(name, known));
}

void for_each_layer(const std::string& path, std::span<const Arm> arms, const Arm& arm,
                    const std::vector<std::string>& names, const std::function<void(const MapLayer&)>& f) {
  check_layers(path, arms, arm, names);
  const auto is_asked = [&](const std::string& name) {
    return names.empty() || std::ranges::find(names, name) != names.end();
  };
  const auto for_each_of = [&](const Arm& of, const std::function<bool(const std::string&)>& wanted,
                               const std::function<void(const MapLayer&)>& take) {
    if (!of.maps) return for_each_stored_layer(path, arms.size() == 1 ? "/" : "/arms/" + of.name, wanted, take);
    for_each_map_layer(*of.maps, *of.table.description, terrain_of_maps(*of.run), [&](const MapLayer& layer) {
      if (wanted(layer.name)) take(layer);
    });
  };
  for_each_of(arm, is_asked, f);
  if (!is_compared(arms, arm)) return;
  std::vector<MapLayer> layers = difference_layers(arms[0], arm);
  if (std::ranges::none_of(layers, is_asked, &MapLayer::name)) return;
  const auto passages = [&](const Arm& of) {
    std::vector<std::uint32_t> counts;
    for_each_of(
        of, [](const std::string& name) { return name == "passages"; },
        [&](const MapLayer& layer) { counts = layer.counts; });
    return counts;
  };
  const std::vector<std::uint32_t> baseline = passages(arms[0]), own = passages(arm);
  if (baseline.empty() || own.empty()) throw Error(Exit::input, path + ": a map has no layer passages");
  ReachDifference cells = reach_difference(baseline, arms[0].map_facts->counted, own, arm.map_facts->counted);
  layers[0].values = std::move(cells.difference);
  if (layers.size() > 1) {
    layers[1].values = std::move(cells.low);
    layers[2].values = std::move(cells.high);
    layers[3].counts = std::move(cells.significant);
  }
  for (const MapLayer& layer : layers)
    if (is_asked(layer.name)) f(layer);
}

std::shared_ptr<const MapStore> read_map_store(const std::string& path, const std::string& of, const Run& run) {
  const h5::Session session;
  try {
    const Handle whole = h5::open_file(path);
    require_harmless(whole);
    const Handle file = h5::open_group(whole, of);
    const bool there = h5::has_link(file, "maps");
    if (there != run.maps.on)
      throw Error(Exit::usage, path + (there ? ": has maps, which this run does not make"
                                             : ": has no maps, so that a run with maps cannot go on from it"));
    if (!there) return nullptr;
    const Handle maps = h5::open_group(file, "maps");
    if (!h5::has_link(maps, "store"))
      throw Error(Exit::usage, path + ": cannot be extended, maps.keep_store = false left out what maps go on from");
    const Handle group = h5::open_group(maps, "store");
    auto store =
        std::make_shared<MapStore>(run.spec.world.maps, run.maps, run.model->description, run.sampling.replicates);
    const MapGrid& grid = store->grid();
    if (h5::read_texts(group, "quantities") != names_of(store->quantities()) ||
        h5::read_uint(group, "bins_per_octave") != static_cast<std::uint64_t>(run.maps.bins_per_octave) ||
        !same_cells(read_maps(file)->grid, grid))
      throw Error(Exit::input, path + ": cannot be extended, its maps are not those of its config");
    store->restore(read_store(group, grid.columns * grid.rows, store->quantities().size()));
    if (store->digest() != h5::read_text(maps, "maps_digest"))
      throw Error(Exit::input, path + ": its maps do not give their digest: they were changed after they were written");
    return store;
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw Error(Exit::input, path + ": " + error.what());
  }
}

}  // namespace scree
