#include "raster.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

#include "host/common/error.hpp"
#include "host/common/markup.hpp"
#include "host/common/text_input.hpp"

namespace scree {
namespace {

using Colours = std::array<const char*, 9>;
/// Colours of cividis (Nunez, Anderton and Renslow, PLoS ONE 13 (2018) e0199239) at equal distances.
constexpr Colours cividis = {"#00224e", "#123570", "#3b496c", "#575d6d", "#707173",
                             "#8a8678", "#a59c74", "#c3b369", "#e1cc55"};
/// Colours of viridis (Smith and van der Walt, SciPy 2015) at equal distances.
constexpr Colours viridis = {"#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c",
                             "#28ae80", "#5ec962", "#addc30", "#fde725"};

/// RdBu of ColorBrewer (Harrower and Brewer, The Cartographic Journal 40 (2003) 27), blue first; white: no difference.
constexpr Colours red_blue = {"#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7",
                              "#fddbc7", "#f4a582", "#d6604d", "#b2182b"};

bool is_difference(const MapLayer& layer) { return layer.name.starts_with("difference_"); }

std::vector<double> edges_of(const MapLayer& layer) {
  const auto of = [&](std::string_view part) { return layer.name.find(part) != std::string::npos; };
  if (is_difference(layer)) return {-0.3, -0.1, -0.03, -0.01, 0.01, 0.03, 0.1, 0.3};
  if (of("significant")) return {0.5};
  if (of("kinetic_energy")) {
    const double unit = layer.unit == "J" ? 1000.0 : 1.0;
    std::vector<double> edges{1, 3, 10, 30, 100, 300, 1000};
    for (double& edge : edges) edge *= unit;
    return edges;
  }
  if (layer.unit == "1" && !layer.is_count && !of("intensity")) return {1e-4, 1e-3, 1e-2, 3e-2, 0.1, 0.3};
  if (of("intensity")) return {0.5, 1.5, 2.5};
  if (of("jump") || of("height")) return {0.5, 1, 2, 3, 5};
  if (of("speed")) return {5, 10, 15, 20, 30};
  if (of("rotation")) return {5, 10, 20, 40};
  if (of("return_period")) return {10, 30, 100, 300, 1000};
  double most = 0;
  for (const std::uint32_t count : layer.counts) most = std::max(most, static_cast<double>(count));
  for (const float value : layer.values)
    if (!std::isnan(value)) most = std::max(most, static_cast<double>(value));
  std::vector<double> edges;
  for (double edge = layer.is_count ? 1 : most / 1000; edge < most && edges.size() < 8; edge *= 3)
    edges.push_back(edge);
  return edges.empty() ? std::vector<double>{1} : edges;
}

}  // namespace

LayerClasses layer_classes(const MapLayer& layer) {
  LayerClasses classes{edges_of(layer), {}, {}};
  const bool is_share = layer.unit == "1" && !layer.is_count;
  const bool in_joules = layer.unit == "J";
  const std::string unit = in_joules ? " kJ" : layer.unit == "1" ? "" : " " + layer.unit;
  const auto text = [&](double edge) { return number_text(in_joules ? edge / 1000 : edge); };
  const std::vector<double>& edges = classes.edges;
  for (std::size_t k = 0; k <= edges.size(); ++k) {
    const Colours& colours = is_difference(layer) ? red_blue : is_share ? viridis : cividis;
    classes.colours.push_back(colours[k * (colours.size() - 1) / edges.size()]);
    classes.labels.push_back((k == 0              ? "up to " + text(edges[0])
                              : k == edges.size() ? "above " + text(edges[k - 1])
                                                  : text(edges[k - 1]) + " to " + text(edges[k])) +
                             unit);
  }
  return classes;
}

void write_ascii_grid(const std::string& path, const MapLayer& layer, const MapGrid& grid, double factor) {
  std::ofstream file(path);
  file << "ncols " << number_text(grid.columns) << "\nnrows " << number_text(grid.rows) << "\nxllcorner "
       << number_text(grid.west) << "\nyllcorner " << number_text(grid.south) << "\ncellsize " << number_text(grid.cell)
       << "\nNODATA_value -9999\n";
  const auto columns = static_cast<std::size_t>(grid.columns), rows = static_cast<std::size_t>(grid.rows);
  std::string line;
  for (std::size_t row = rows; row-- > 0;) {
    line.clear();
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t cell = row * columns + column;
      const double value =
          factor * (layer.is_count ? static_cast<double>(layer.counts[cell]) : static_cast<double>(layer.values[cell]));
      std::array<char, 32> text{};
      std::snprintf(text.data(), text.size(), "%s%.9g", column == 0 ? "" : " ", std::isnan(value) ? -9999.0 : value);
      line += text.data();
    }
    file << line << '\n';
  }
  file.close();
  if (!file) throw Error(Exit::failed, path + ": cannot be written");
}

std::string qgis_style(const MapLayer& layer) {
  const LayerClasses classes = layer_classes(layer);
  std::string items;
  for (std::size_t k = 0; k < classes.labels.size(); ++k)
    items += "          <item value=\"" +
             (k == classes.edges.size() ? std::string("inf") : number_text(classes.edges[k])) + "\" label=\"" +
             escaped(std::to_string(k + 1) + ": " + classes.labels[k]) + "\" color=\"" + classes.colours[k] +
             "\" alpha=\"255\"/>\n";
  return "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n<qgis version=\"3.22\">\n  <pipe>\n"
         "    <rasterrenderer type=\"singlebandpseudocolor\" band=\"1\" opacity=\"0.8\" alphaBand=\"-1\">\n"
         "      <rastershader>\n        <colorrampshader colorRampType=\"DISCRETE\" classificationMode=\"1\" "
         "clip=\"0\">\n" +
         items + "        </colorrampshader>\n      </rastershader>\n    </rasterrenderer>\n  </pipe>\n</qgis>\n";
}

PeerName rockyfor3d_name(const std::string& layer) {
  static const std::vector<std::pair<std::string, PeerName>> names = {
      {"passages", {"Nr_passages", 1}},
      {"deposits", {"Nr_deposited", 1}},
      {"reach_given_sources", {"Reach_probability", 0.01}},  // in %
      {"sources", {"Nr_sourcecells", 1}},
      {"kinetic_energy_mean", {"E_mean", 1000}},  // in kJ
      {"kinetic_energy_max", {"E_max", 1000}},
      {"kinetic_energy_p50", {"E_50", 1000}},
      {"kinetic_energy_p90", {"E_90", 1000}},
      {"kinetic_energy_p95", {"E_95", 1000}},
      {"kinetic_energy_p99", {"E_99", 1000}},
      {"jump_mean", {"Ph_mean", 1}},
      {"jump_max", {"Ph_max", 1}},
      {"jump_p50", {"Ph_50", 1}},
      {"jump_p90", {"Ph_90", 1}},
      {"jump_p95", {"Ph_95", 1}},
      {"jump_p99", {"Ph_99", 1}}};
  for (const auto& [name, peer] : names)
    if (name == layer) return peer;
  return {};
}

}  // namespace scree
