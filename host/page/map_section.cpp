#include "map_section.hpp"

#include <algorithm>
#include <cmath>

#include "hillshade.hpp"
#include "host/common/base64.hpp"
#include "host/common/error.hpp"
#include "host/common/markup.hpp"
#include "host/common/text_table.hpp"
#include "host/exports/image.hpp"
#include "host/exports/raster.hpp"
#include "host/report/gates.hpp"
#include "host/results/maps.hpp"
#include "html.hpp"
#include "packed.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

/// That are shown where none are asked for, those that there are.
const std::vector<std::string> first_layers{
    "reach_probability", "danger", "kinetic_energy_p95", "jump_p95", "deposits", "caught", "passages"};

Json codes_json(const Codes& codes) {
  return {{"low", codes.low},
          {"step", codes.step},
          {"log", codes.logarithmic},
          {"bits", codes.bits},
          {"codes", codes.text}};
}

/// The layers that hold the ends of a layer's interval.
std::pair<std::string, std::string> ends_of(const std::string& name) {
  const std::size_t share = name.find("_probability");
  const std::string stem = share == std::string::npos ? name : name.substr(0, share);
  return {stem + "_low", stem + "_high"};
}

class MakingMap {
 public:
  MakingMap(const PageInput& input, Detail detail)
      : input_(input), detail_(detail), arms_(input.stored.arms), ground_(*input.ground) {}

  MapSection section() {
    while (std::max(ground_.grid.columns, ground_.grid.rows) / joined_ > detail_.most_cells) joined_ *= 2;
    cell_ = ground_.grid.cell * joined_;
    const std::vector<float> heights(ground_.heights.begin(), ground_.heights.end());
    const Image<float> terrain = means(north_first(heights, ground_.grid));
    const std::vector<std::uint8_t> shades = hillshade(terrain, cell_);
    const std::string relief = grey_png(terrain.columns, terrain.rows, shades);
    // Rows are joined from the north.
    const double north = ground_.grid.south + ground_.grid.cell * ground_.grid.rows;
    Json data{{"west", ground_.grid.west},
              {"north", north},
              {"cell", cell_},
              {"columns", terrain.columns},
              {"rows", terrain.rows},
              {"origin", {input_.origin_x, input_.origin_y}},
              {"crs", input_.crs},
              {"joined", joined_ > 1},
              {"relief", base64(relief)},
              {"heights", codes_json(coded(terrain.pixels, Scale::linear, detail_.bits))},
              {"layers", Json::array()},
              {"gates", Json::array()},
              {"forest", Json::array()}};
    std::string still = picture("Relief of the terrain, lit from the north-west", relief);
    for (const Arm& arm : arms_)
      for (const std::string& name : wanted(arm)) add_layer(arm, name, data, shades, still);
    for (const Arm& arm : arms_) {
      for (const GateFacts& gate : arm.gate_facts)
        add_once(data["gates"], {{"name", gate.name}, {"line", gate.line}}, arm);
      for (const BarrierFacts& barrier : arm.barrier_facts)
        add_once(data["gates"], {{"name", barrier.arrivals.name}, {"line", barrier.arrivals.line}, {"barrier", true}},
                 arm);
      // Of a file of stems there is no outline.
      if (arm.forest)
        for (const ForestStand& stand : arm.forest->stands)
          if (!stand.corners.empty()) add_once(data["forest"], {{"corners", stand.corners}}, arm);
    }
    std::vector<std::string> names;
    for (const Json& gate : data["gates"]) names.push_back(gate["name"]);
    names = distinct_within(names, figure_name_width);
    for (std::size_t k = 0; k < names.size(); ++k) data["gates"][k]["label"] = names[k];
    return {element("h2", "Map") + figure("map", sentence(), table(), still), std::move(data)};
  }

 private:
  /// Adds what an arm has, which others may have too: "arms" says which.
  static void add_once(Json& all, const Json& what, const Arm& arm) {
    for (Json& known : all) {
      Json alone = known;
      alone.erase("arms");
      if (alone == what) return known["arms"].push_back(arm.name);
    }
    all.push_back(what);
    all.back()["arms"] = Json::array({arm.name});
  }
  /// Calls f(place of the joined cell, places of those that it is made of) for all cells of a page.
  template <class T, class F>
  void for_each_joined(const Image<T>& fine, const F& f) const {
    const auto size = static_cast<std::uint32_t>(joined_);
    std::vector<std::size_t> parts;
    std::size_t place = 0;
    for (std::uint32_t top = 0; top < fine.rows; top += size)
      for (std::uint32_t left = 0; left < fine.columns; left += size) {
        parts.clear();
        for (std::uint32_t row = top; row < std::min(top + size, fine.rows); ++row)
          for (std::uint32_t column = left; column < std::min(left + size, fine.columns); ++column)
            parts.push_back(std::size_t{row} * fine.columns + column);
        f(place++, parts);
      }
  }
  Image<float> room_for(const Image<float>& fine) const {
    const auto count = [&](std::uint32_t n) { return static_cast<std::uint32_t>(std::ceil(n / joined_)); };
    Image<float> image{count(fine.columns), count(fine.rows), {}};
    image.pixels.resize(std::size_t{image.columns} * image.rows);
    return image;
  }
  Image<float> means(const Image<float>& fine) const {
    Image<float> image = room_for(fine);
    for_each_joined(fine, [&](std::size_t place, const std::vector<std::size_t>& parts) {
      double sum = 0, count = 0;
      for (const std::size_t part : parts)
        if (const auto v = static_cast<double>(fine.pixels[part]); !std::isnan(v)) {
          sum += v;
          ++count;
        }
      image.pixels[place] = static_cast<float>(sum / count);  // NaN: of none
    });
    return image;
  }
  Image<float> sums(const Image<float>& fine) const {
    Image<float> image = room_for(fine);
    for_each_joined(fine, [&](std::size_t place, const std::vector<std::size_t>& parts) {
      for (const std::size_t part : parts) image.pixels[place] += fine.pixels[part];
    });
    return image;
  }
  /// The cells that stand for the joined ones.
  std::vector<std::size_t> standing(const Image<float>& fine, Joining joining) const {
    std::vector<std::size_t> chosen;
    for_each_joined(fine, [&](std::size_t, const std::vector<std::size_t>& parts) {
      std::size_t best = parts.front();
      for (const std::size_t part : parts)
        if (stands_before(joining, fine.pixels[part], fine.pixels[best])) best = part;
      chosen.push_back(best);
    });
    return chosen;
  }
  Image<float> at(const Image<float>& fine, const std::vector<std::size_t>& chosen) const {
    Image<float> image = room_for(fine);
    for (std::size_t k = 0; k < chosen.size(); ++k) image.pixels[k] = fine.pixels[chosen[k]];
    return image;
  }
  static Image<float> whole_image(const MapLayer& layer, const MapGrid& grid) {
    if (!layer.is_count) return north_first(layer.values, grid);
    return north_first(std::vector<float>(layer.counts.begin(), layer.counts.end()), grid);
  }

  std::vector<std::string> wanted(const Arm& arm) const {
    if (!arm.map_facts || !same_cells(arm.map_facts->grid, ground_.grid)) return {};
    std::vector<std::string> names = input_.layers;
    if (names.empty()) {
      names = first_layers;
      names.push_back("difference_" + arm.name);
    }
    const std::vector<std::string> known = layer_names(arms_, arm);
    std::erase_if(names, [&](const std::string& name) { return std::ranges::find(known, name) == known.end(); });
    return names;
  }

  void add_layer(const Arm& arm, const std::string& name, Json& data, const std::vector<std::uint8_t>& shades,
                 std::string& still) {
    const bool is_signed = name.starts_with("difference_");
    const std::pair<std::string, std::string> ends = ends_of(name);
    const std::string &low = ends.first, &high = ends.second;
    std::vector<std::string> names{name};
    const std::vector<std::string> known = layer_names(arms_, arm);
    for (const std::string& more : {low, high, "significant_" + arm.name})
      if (std::ranges::find(known, more) != known.end() && (is_signed || !more.starts_with("significant_")))
        names.push_back(more);
    Json json;
    std::vector<std::size_t> chosen;  // whose interval stands beside the value
    // The value comes before what belongs to it.
    for_each_layer(input_.file, arms_, arm, names, [&](const MapLayer& layer) {
      const Image<float> fine = whole_image(layer, arm.map_facts->grid);
      if (layer.name == name) chosen = standing(fine, joining_of(layer));
      const Image<float> image = joining_of(layer) == Joining::sum ? sums(fine) : at(fine, chosen);
      const bool has_class_names = !layer.classes.empty();
      const Scale scale = layer.is_count || has_class_names ? Scale::whole
                          : is_signed                       ? Scale::symmetric
                          : layer.name == "terrain"         ? Scale::linear
                                                            : Scale::logarithmic;
      const Json codes = codes_json(coded(image.pixels, scale, detail_.bits));
      if (layer.name != name) {
        json[layer.name == low ? "interval_low" : layer.name == high ? "interval_high" : "significant"] = codes;
        return;
      }
      const LayerClasses classes = layer_classes(layer);
      json["name"] = layer.name;
      json["arm"] = arm.name;
      json["unit"] = layer.unit == "1" ? "" : layer.unit;
      json["meaning"] = layer.meaning;
      json["counted"] = arm.map_facts->counted;
      json["independent"] = arm.table.replicates == 0;
      json["is_share"] = layer.name.ends_with("_probability");
      json["is_signed"] = is_signed;
      json["is_clear_at_0"] = is_clear_at_0(layer);
      json["has_class_names"] = has_class_names;
      json["edges"] = classes.edges;
      json["colours"] = classes.colours;
      json["labels"] = classes.labels;
      json["values"] = codes;
      if (data["layers"].empty()) still = still_of(layer, classes, image, shades, arm);
    });
    data["layers"].push_back(std::move(json));
  }

  /// A picture of a layer over the relief with its classes, for where no script runs.
  std::string still_of(const MapLayer& layer, const LayerClasses& classes, const Image<float>& image,
                       const std::vector<std::uint8_t>& shades, const Arm& arm) const {
    constexpr double cover = 0.8;  // of the relief by the layer
    std::vector<std::uint8_t> rgba;
    for (std::size_t k = 0; k < image.pixels.size(); ++k) {
      const double v = static_cast<double>(image.pixels[k]), grey = shades[2 * k];
      if (std::isnan(v) || (v == 0 && is_clear_at_0(layer))) {
        for (int c = 0; c < 3; ++c) rgba.push_back(shades[2 * k]);
        rgba.push_back(shades[2 * k + 1]);
        continue;
      }
      const auto place = static_cast<std::size_t>(std::ranges::lower_bound(classes.edges, v) - classes.edges.begin());
      const unsigned long colour = std::stoul(classes.colours[place].substr(1), nullptr, 16);
      for (const int shift : {16, 8, 0})
        rgba.push_back(
            static_cast<std::uint8_t>(cover * static_cast<double>(colour >> shift & 255) + (1 - cover) * grey));
      rgba.push_back(255);
    }
    const std::string what = layer.name + (arms_.size() > 1 ? " of " + arm.name : "") + ": " + layer.meaning;
    std::string legend = "<p class=\"still\">" + escaped(what) + ". ";
    for (std::size_t k = 0; k < classes.labels.size(); ++k)
      legend += "<span class=\"chip\" style=\"background:" + classes.colours[k] + "\"></span>" + std::to_string(k + 1) +
                ": " + escaped(classes.labels[k]) + " ";
    return picture(what, colour_png(image.columns, image.rows, rgba)) + legend + "</p>\n";
  }

  std::string sentence() const {
    const MapGrid& grid = ground_.grid;
    const std::string& crs = input_.crs;
    std::string text = "Relief of the terrain, lit from the north-west" + (crs.empty() ? "" : ", " + crs) +
                       "; north is up, from west to east " + short_number(grid.columns * grid.cell) +
                       " m, from south to north " + short_number(grid.rows * grid.cell) + " m.";
    if (have_barriers(arms_))
      text +=
          " Barriers are black and broken lines" + std::string(have_gates(arms_) ? ", gates are red and whole." : ".");
    const auto has_area = [](const ForestStand& stand) { return !stand.corners.empty(); };
    if (std::ranges::any_of(
            arms_, [&](const Arm& arm) { return arm.forest && std::ranges::any_of(arm.forest->stands, has_area); }))
      text += " Forest is green, with a broken edge.";
    if (arms_[0].map_facts)
      text += std::string(" Shares are of the samples that count, conditional on the releases.") +
              (arms_[0].table.replicates == 0
                   ? " A cell that no sample reached may still be reached: the layer reach_high says how often."
                   : "") +
              " scree export writes every layer for a GIS.";
    if (cell_ > grid.cell)
      text +=
          " Cells are joined to " + short_number(cell_) +
          " m: of each group the largest value and its interval, of differences the one furthest from 0, of times and "
          "return periods the least, of deposits " +
          std::string(!have_barriers(arms_) ? "" : "and caught samples ") + "the sum, of the ground the mean.";
    for (const Arm& arm : arms_)
      if (arm.map_facts && !same_cells(arm.map_facts->grid, grid))
        text += " The maps of " + arm.name + " have other cells and are not shown.";
    if (detail_.bits < 16) text += " Values are rounded to one of 254, so that the page is smaller.";
    return text;
  }

  std::string table() const {
    TextTable layers(3, {"layer", "arm", "what it shows", "unit", "least", "greatest"});
    for (const Arm& arm : arms_)
      if (arm.map_facts)
        for (const MapFacts::Layer& layer : arm.map_facts->layers)
          layers.row({layer.name, arm.name, layer.meaning, layer.unit == "1" ? "" : layer.unit,
                      short_number(layer.least), short_number(layer.greatest)});
    TextTable places(1, {"arm", "mean x (m)", "mean y (m)", "samples that stopped"});
    for (const Arm& arm : arms_) {
      const Deposition& d = arm.statistics.deposition;
      places.row({arm.name, short_number(d.mean_x), short_number(d.mean_y), std::to_string(d.n)});
    }
    return (layers.empty() ? "" : table_of(layers)) + table_of(places);
  }

  const PageInput& input_;
  const Detail detail_;
  const std::vector<Arm>& arms_;
  const PageGround& ground_;
  double joined_ = 1;  // cells each way that are one of the page's
  double cell_ = 0;    // m, of the page's rasters
};

}  // namespace

MapSection map_section(const PageInput& input, Detail detail) {
  const std::vector<Arm>& arms = input.stored.arms;
  if (!input.layers.empty() && !arms[0].map_facts) throw Error(Exit::usage, "--layers: " + input.file + " has no maps");
  for (const std::string& name : input.layers)
    if (std::ranges::none_of(arms, [&](const Arm& arm) {
          const std::vector<std::string> known = layer_names(arms, arm);
          return std::ranges::find(known, name) != known.end();
        }))
      check_layers(input.file, arms, arms.back(), {name});
  if (!input.ground) return {};
  return MakingMap(input, detail).section();
}

}  // namespace scree
