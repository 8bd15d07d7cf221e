#include "raster.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <utility>

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

/// Most edges of classes, with a colour each of what lies between them.
constexpr std::size_t most_edges = Colours{}.size() - 1;

/// digit 10^power as the nearest double, which is printed short.
double decimal(double digit, int power) {
  return power < 0 ? digit / std::pow(10.0, -power) : digit * std::pow(10.0, power);
}

/// 1, 2, 5, 10, ... below `most`, of large counts in longer steps.
std::vector<double> edges_of_counts(double most) {
  std::vector<double> edges;
  for (const std::vector<double>& digits : {std::vector<double>{1, 2, 5}, {1, 3}, {1}}) {
    edges.clear();
    for (int power = 0; decimal(1, power) < most; ++power)
      for (const double digit : digits)
        if (decimal(digit, power) < most) edges.push_back(decimal(digit, power));
    if (edges.size() <= most_edges) break;
  }
  edges.resize(std::min(edges.size(), most_edges));
  return edges;
}

/// A class that float32 alone makes, of 0.2 above 0.2, is none.
constexpr double rounding = 1e-6;

/// The largest of 1, 2, 5 times powers of ten that are below `most`.
std::vector<double> edges_below(double most) {
  std::vector<double> edges;
  if (!(most > 0)) return edges;
  for (int power = static_cast<int>(std::floor(std::log10(most))); edges.size() < most_edges; --power)
    for (const double digit : {5.0, 2.0, 1.0})
      if (decimal(digit, power) < (1 - rounding) * most && edges.size() < most_edges)
        edges.push_back(decimal(digit, power));
  std::ranges::reverse(edges);
  return edges;
}

/// Multiples of 1, 2 or 5 times a power of ten between two values.
std::vector<double> edges_between(double least, double most) {
  std::vector<double> edges;
  if (!(most > least)) return edges;
  const double margin = rounding * (most - least);
  const int first = static_cast<int>(std::floor(std::log10((most - least) / static_cast<double>(most_edges))));
  for (int power = first; power <= first + 1; ++power)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double step = decimal(digit, power);
      const double from = std::floor((least + margin) / step) + 1, to = std::ceil((most - margin) / step) - 1;
      if (to - from + 1 > static_cast<double>(most_edges)) continue;
      for (double k = from; k <= to; ++k) edges.push_back(power < 0 ? k * digit / std::pow(10.0, -power) : k * step);
      return edges;
    }
  return edges;
}

/// The least and the greatest finite value of a layer; of none infinite ones.
std::pair<double, double> range_of(const MapLayer& layer) {
  std::pair range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  const auto add = [&](double value) { range = {std::min(range.first, value), std::max(range.second, value)}; };
  for (const std::uint32_t count : layer.counts) add(static_cast<double>(count));
  for (const float value : layer.values)
    if (std::isfinite(value)) add(static_cast<double>(value));
  return range;
}

std::vector<double> edges_of(const MapLayer& layer) {
  const auto of = [&](std::string_view part) { return layer.name.find(part) != std::string::npos; };
  if (is_difference(layer)) return {-0.3, -0.1, -0.03, -0.01, 0.01, 0.03, 0.1, 0.3};
  if (of("significant")) return {0.5};
  if (of("intensity") || !layer.classes.empty()) {
    // Of results without names of classes those that there are.
    const auto classes = layer.classes.empty()
                             ? static_cast<std::size_t>(std::clamp(range_of(layer).second, 2.0, 100.0))
                             : layer.classes.size();
    std::vector<double> edges{1.5};
    for (std::size_t k = 2; k < classes; ++k) edges.push_back(static_cast<double>(k) + 0.5);
    return edges;
  }
  if (of("kinetic_energy")) {
    const double unit = layer.unit == "J" ? 1000.0 : 1.0;
    std::vector<double> edges{1, 3, 10, 30, 100, 300, 1000};
    for (double& edge : edges) edge *= unit;
    return edges;
  }
  if (layer.unit == "1" && !layer.is_count) return {1e-4, 1e-3, 1e-2, 3e-2, 0.1, 0.3};
  if (of("jump") || of("height")) return {0.5, 1, 2, 3, 5};
  if (of("speed")) return {5, 10, 15, 20, 30};
  if (of("rotation")) return {5, 10, 20, 40};
  if (of("return_period")) return {10, 30, 100, 300, 1000};
  const auto [least, most] = range_of(layer);
  std::vector<double> edges = layer.is_count                           ? edges_of_counts(most)
                              : layer.unit == "m" || layer.unit == "s" ? edges_between(least, most)
                                                                       : edges_below(most);
  return edges.empty() ? std::vector<double>{1} : edges;
}

/// Of class k of so many, in equal steps through the colours; of more than there are, between them.
std::string colour_of(const Colours& colours, std::size_t k, std::size_t classes) {
  if (classes <= colours.size()) return colours[k * (colours.size() - 1) / (classes - 1)];
  const double place = static_cast<double>(k * (colours.size() - 1)) / static_cast<double>(classes - 1);
  const auto before = std::min(static_cast<std::size_t>(place), colours.size() - 2);
  const auto part_of = [&](std::size_t i, int shift) {
    return static_cast<double>(std::stoul(colours[i] + 1, nullptr, 16) >> shift & 255);
  };
  std::string text = "#";
  for (const int shift : {16, 8, 0}) {
    char part[8];
    std::snprintf(part, sizeof part, "%02lx",
                  static_cast<unsigned long>(std::lround(std::lerp(part_of(before, shift), part_of(before + 1, shift),
                                                                   place - static_cast<double>(before)))));
    text += part;
  }
  return text;
}

std::string label_of(const MapLayer& layer, const std::vector<double>& edges, std::size_t k) {
  if (k < layer.classes.size()) return layer.classes[k];
  if (layer.name.starts_with("intensity")) return "class " + std::to_string(k + 1);
  const bool in_joules = layer.unit == "J";
  const std::string unit = in_joules ? " kJ" : layer.unit == "1" ? "" : " " + layer.unit;
  const auto text = [&](double edge) { return number_text(in_joules ? edge / 1000 : edge); };
  if (k == edges.size()) return "above " + text(edges[k - 1]) + unit;
  if (!layer.is_count) return (k == 0 ? "up to " : text(edges[k - 1]) + " to ") + text(edges[k]) + unit;
  const double first = k == 0 ? 1 : edges[k - 1] + 1;
  return (first == edges[k] ? "" : text(first) + " to ") + text(edges[k]);
}

}  // namespace

LayerClasses layer_classes(const MapLayer& layer) {
  LayerClasses classes{edges_of(layer), {}, {}};
  const bool is_share = layer.unit == "1" && !layer.is_count;
  const Colours& colours = is_difference(layer) ? red_blue : is_share ? viridis : cividis;
  const std::vector<double>& edges = classes.edges;
  for (std::size_t k = 0; k <= edges.size(); ++k) {
    classes.colours.push_back(k < layer.colours.size() ? layer.colours[k] : colour_of(colours, k, edges.size() + 1));
    classes.labels.push_back(label_of(layer, edges, k));
  }
  // Shares of round numbers of samples lie on edges: in whatever form they are kept, they belong to the class below.
  constexpr double beyond_roundings = 1 + 1e-4;
  if (is_share && !is_difference(layer) && layer.classes.empty())
    for (double& edge : classes.edges) edge *= beyond_roundings;
  return classes;
}

bool is_clear_at_0(const MapLayer& layer) {
  const bool is_share = layer.unit == "1" || layer.unit == "1/m^2" || layer.unit == "1/yr";
  // What is exceeded once in so many years is nothing where passages are fewer.
  return !is_difference(layer) && (layer.is_count || is_share || layer.name.starts_with("kinetic_energy_T"));
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
  // A class holds what is at most its value.
  if (is_clear_at_0(layer)) items += "          <item value=\"0\" label=\"0: none\" color=\"#ffffff\" alpha=\"0\"/>\n";
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
