#include "page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "embedded.hpp"
#include "hillshade.hpp"
#include "host/common/error.hpp"
#include "host/common/markup.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/exports/image.hpp"
#include "host/exports/raster.hpp"
#include "host/report/beside.hpp"
#include "host/report/gates.hpp"
#include "host/report/maps.hpp"
#include "host/report/printer.hpp"
#include "host/report/verdict.hpp"
#include "host/results/maps.hpp"
#include "kernels/cpu_threads.hpp"
#include "packed.hpp"
#include "src/status.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

/// Numbers that a page holds for its dots.
constexpr std::size_t most_numbers = 200'000;
constexpr std::uint32_t most_cells = 512;  // of a raster, each way
constexpr int histogram_bins = 40;
/// That are shown where none are asked for.
const std::vector<std::string> first_layers{"reach_probability", "kinetic_energy_p95", "jump_p95"};

std::string element(const std::string& tag, const std::string& text) {
  return "<" + tag + ">" + escaped(text) + "</" + tag.substr(0, tag.find(' ')) + ">\n";
}

std::string list_of(const std::vector<std::string>& items) {
  std::string html = "<ul>\n";
  for (const std::string& item : items) html += element("li", item);
  return html + "</ul>\n";
}

std::string table_of(const TextTable& table) {
  std::string html = "<div class=\"wide\"><table>\n";
  for (std::size_t r = 0; r < table.rows().size(); ++r) {
    html += "<tr>";
    for (std::size_t c = 0; c < table.rows()[r].size(); ++c) {
      const std::string tag = r == 0 ? "th scope=\"col\"" : table.is_left(c) ? "td class=\"word\"" : "td";
      html += "<" + tag + ">" + escaped(table.rows()[r][c]) + (r == 0 ? "</th>" : "</td>");
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string details(const std::string& summary, const std::string& html) {
  return "<details><summary>" + escaped(summary) + "</summary>\n" + html + "</details>\n";
}

/// A place for a figure that the script draws, with what it shows in a sentence.
std::string figure(const std::string& id, const std::string& sentence, const std::string& table) {
  return "<figure id=\"figure-" + id + "\" class=\"figure\" data-sentence=\"" + escaped(sentence) + "\"></figure>\n" +
         "<p class=\"caption\">" + escaped(sentence) + "</p>\n" + details("The same as a table", table);
}

std::string axis_text(const PageAxis& axis) {
  return axis.name + (axis.unit.empty() || axis.unit == "1" ? "" : " (" + axis.unit + ")");
}
Json axis_json(const PageAxis& axis) { return {{"name", axis.name}, {"unit", axis.unit == "1" ? "" : axis.unit}}; }

class Page {
 public:
  explicit Page(const PageInput& input)
      : input_(input),
        stored_(input.stored),
        run_(stored_.run),
        arms_(stored_.arms),
        description_(*stored_.description) {
    for (const int c : shown_columns(run_, description_))
      if (std::ranges::any_of(arms_, [&](const Arm& arm) { return statistics(arm, c).n > 0; })) columns_.push_back(c);
  }

  std::string html() {
    if (embedded_d3.empty())
      throw Error(Exit::usage, "this program was built without what reports are made of: d3, libpng and zlib");
    std::string body = head();
    body += verdict_section();
    body += map_section();
    body += distributions();
    body += gates_section();
    body += paths_section();
    body += own_figure();
    body += tables();
    body += left_out();
    body += reproduce();
    const std::string title = description_.system + (run_.title.empty() ? "" : ": " + run_.title);
    std::string data = data_.dump();
    // Nothing in the data may end the element that it stands in.
    for (std::size_t at = 0; (at = data.find('<', at)) != std::string::npos;) data.replace(at, 1, "\\u003c");
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
           "style-src 'unsafe-inline'; img-src data: blob:\">\n" +
           element("title", title) + "<style>\n" + std::string(embedded_page_css) +
           "</style>\n</head>\n<body>\n<main>\n" + body + "</main>\n<!--\n" + std::string(embedded_licences) +
           "-->\n<script type=\"application/json\" id=\"data\">" + data + "</script>\n<script>" +
           std::string(embedded_d3) + "</script>\n<script>\n" + std::string(embedded_page_js) +
           "</script>\n</body>\n</html>\n";
  }

 private:
  static const ColumnStatistics& statistics(const Arm& arm, int c) {
    return arm.statistics.columns[static_cast<std::size_t>(c)];
  }
  const Column& column(int c) const { return column_of(description_, c); }
  std::string arms_text() const {
    std::vector<std::string> names;
    for (const Arm& arm : arms_) names.push_back(arm.name);
    return joined(names);
  }

  /// "Half of the 998 samples that stopped have a runout of at most 210 m; 2 % left_terrain."
  std::string in_words(const Arm& arm) const {
    std::string words = arms_.size() > 1 ? arm.name + ": " : "";
    if (!columns_.empty()) {
      const int c = columns_.front();
      const ColumnStatistics& s = statistics(arm, c);
      words += "half of the " + samples_text(s.n) + " " + section_name(column(c).counted) + " have a " +
               column(c).name + " of at most " + with_unit(column_texts(s).median, column(c)) + "; ";
    }
    return words + status_line(arm.table.samples, arm.statistics.status) + ".";
  }

  std::string head() {
    std::string html = element("h1", run_.title.empty() ? "Samples of " + description_.system : run_.title);
    const std::uint64_t samples = arms_[0].table.samples;
    html +=
        element("p", samples_text(samples) + " of " + description_.system + " (" + description_.meaning + "), under " +
                         arms_text() + ", step " + steps_text(run_) + ", seed " + std::to_string(run_.spec.seed) + "." +
                         (run_.terrain_name.empty() ? "" : " Terrain: " + terrain_text(run_) + "."));
    for (const Arm& arm : arms_) {
      std::string words = in_words(arm);
      words[0] = arms_.size() > 1 ? words[0] : static_cast<char>(std::toupper(words[0]));
      html += element("p class=\"lead\"", words);
      html += "<div class=\"statuses\" aria-hidden=\"true\">";
      for (int s = 0; s < status_count; ++s) {
        const std::uint64_t count = arm.statistics.status[static_cast<std::size_t>(s)];
        if (count == 0) continue;
        char width[32];
        std::snprintf(width, sizeof width, "%.4f", 100.0 * static_cast<double>(count) / static_cast<double>(samples));
        html += "<span class=\"s" + std::to_string(s) + "\" style=\"width:" + width + "%\">" + status_names[s] + " " +
                whole(count) + "</span>";
      }
      html += "</div>\n";
    }
    return html;
  }

  std::string verdict_section() {
    const bool compares = arms_.size() > 1;
    std::string html = element("h2", "What it says");
    if (!compares) return html + list_of(run_verdict(run_, arms_[0]));
    const Evaluation evaluation = evaluate_in_words(run_, arms_, scree_available_threads());
    html += list_of(short_verdict(arms_, evaluation));
    TextTable table(3, {"column", "unit", "arm", "pairs", "mean", "difference", "95 % from", "to", "judgement"});
    for (const int c : evaluation.columns)
      for (std::size_t a = 1; a < arms_.size(); ++a) {
        const ColumnComparison& of = evaluation.comparisons[a - 1].columns[static_cast<std::size_t>(c)];
        const PairedColumn& p = of.paired;
        if (p.n == 0) continue;
        const double half = half_width(p);
        table.row({column(c).name, unit_of(column(c)), arms_[a].name, whole(p.n), number_within(p.arm_mean, half),
                   number_within(p.difference, half), number_within(p.ci_low, half), number_within(p.ci_high, half),
                   judgement_name(of.judgement)});
        data_["differences"].push_back({{"column", column(c).name},
                                        {"arm", arms_[a].name},
                                        {"difference", p.difference},
                                        {"interval", {p.ci_low, p.ci_high}},
                                        {"margin", of.margin},
                                        {"sd", p.sd},
                                        {"judgement", judgement_name(of.judgement)}});
      }
    if (data_.contains("differences"))
      html += figure("differences",
                     "Differences from " + arms_[0].name +
                         " over the same samples, each with its 95 % interval, in "
                         "standard deviations of the differences; a grey bar is the margin.",
                     table_of(table));
    return html;
  }

  // Maps.

  /// A raster no larger than a page has room for.
  template <class T>
  static Image<T> small(Image<T> image, bool adds) {
    while (std::max(image.columns, image.rows) > most_cells) image = coarser(image, adds);
    return image;
  }
  std::string map_section() {
    const bool has_maps = arms_[0].map_facts.has_value();
    if (!input_.layers.empty() && !has_maps) throw Error(Exit::usage, "--layers: " + input_.file + " has no maps");
    if (!input_.ground) return "";
    const PageGround& ground = *input_.ground;
    std::string html = element("h2", "Map");
    std::vector<float> heights(ground.heights.begin(), ground.heights.end());
    const Image<float> whole_image = north_first(heights, ground.grid);
    const Image<float> terrain = small(whole_image, false);
    const double cell = ground.grid.cell * std::ceil(static_cast<double>(whole_image.columns) / terrain.columns);
    const std::vector<std::uint8_t> shades = hillshade(terrain, cell);
    const std::string relief = "Relief of the terrain, lit from the north-west";
    if (has_maps) {
      for (const Arm& arm : arms_) html += layers_of(arm, shades);
    } else {
      html += picture(relief, grey_png(terrain.columns, terrain.rows, shades));
    }
    TextTable table(2, {"layer", "what it shows", "unit", "least", "greatest"});
    if (has_maps)
      for (const MapFacts::Layer& layer : arms_[0].map_facts->layers)
        table.row({layer.name, layer.meaning, layer.unit == "1" ? "" : layer.unit, short_number(layer.least),
                   short_number(layer.greatest)});
    std::string sentence = relief + (run_.crs.empty() ? "" : ", " + run_.crs) + "; north is up, from west to east " +
                           number_text(ground.grid.columns * ground.grid.cell) + " m, from south to north " +
                           number_text(ground.grid.rows * ground.grid.cell) + " m.";
    if (has_maps)
      sentence +=
          " Shares are of the samples that count, conditional on the releases. A cell that no sample reached may still "
          "be reached: the layer reach_high says how often. `scree export` writes every layer for a GIS.";
    if (cell > ground.grid.cell)
      sentence +=
          " Cells are joined to " + number_text(cell) + " m: the largest value of each group, of deposits the sum.";
    TextTable places(1, {"arm", "mean x (m)", "mean y (m)", "samples that stopped"});
    for (const Arm& arm : arms_) {
      const Deposition& d = arm.statistics.deposition;
      places.row({arm.name, short_number(d.mean_x), short_number(d.mean_y), whole(d.n)});
    }
    return html + element("p class=\"caption\"", sentence) +
           details("The same as a table", (has_maps ? table_of(table) : "") + table_of(places));
  }

  static std::string picture(const std::string& what, const std::string& png) {
    return "<img class=\"still\" alt=\"" + escaped(what) + "\" src=\"data:image/png;base64," + base64(png) + "\">\n";
  }
  /// A picture of each layer over the relief, with its classes.
  std::string layers_of(const Arm& arm, const std::vector<std::uint8_t>& shades) const {
    if (!arm.map_facts) return "";
    std::vector<std::string> names, all;
    for (const MapFacts::Layer& layer : arm.map_facts->layers) all.push_back(layer.name);
    for (const std::string& name : input_.layers)
      if (std::ranges::find(all, name) == all.end())
        throw Error(Exit::usage, "--layers: " + input_.file + " has no layer \"" + name + "\"" + suggestion(name, all));
    for (const std::string& name : input_.layers.empty() ? first_layers : input_.layers)
      if (std::ranges::find(all, name) != all.end()) names.push_back(name);
    std::string html;
    for_each_stored_layer(
        input_.file, arms_.size() == 1 ? "/" : "/arms/" + arm.name, names, [&](const MapLayer& layer) {
          const MapGrid& grid = arm.map_facts->grid;
          html += layer.is_count
                      ? layer_picture(arm, layer, small(north_first(layer.counts, grid), adds_up(layer)), shades)
                      : layer_picture(arm, layer, small(north_first(layer.values, grid), false), shades);
        });
    return html;
  }
  template <class T>
  std::string layer_picture(const Arm& arm, const MapLayer& layer, const Image<T>& image,
                            const std::vector<std::uint8_t>& shades) const {
    constexpr double cover = 0.8;  // of the relief by the layer
    const LayerClasses classes = layer_classes(layer);
    std::vector<std::uint8_t> rgba;
    for (std::size_t k = 0; k < image.pixels.size(); ++k) {
      const double v = static_cast<double>(image.pixels[k]), grey = shades[2 * k];
      if (!(v > 0)) {
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
    std::string legend = "<p class=\"legend\">";
    for (std::size_t k = 0; k < classes.labels.size(); ++k)
      legend += "<span class=\"chip\" style=\"background:" + classes.colours[k] + "\"></span>" + whole(k + 1) + ": " +
                escaped(classes.labels[k]) + " ";
    return element("h3", what) + picture(what, colour_png(image.columns, image.rows, rgba)) + legend + "</p>\n";
  }

  // Samples.

  /// All, or those at even ranks of the first column.
  std::vector<std::uint64_t> samples_shown() const {
    const std::uint64_t all = arms_[0].table.samples;
    const std::size_t most = most_numbers / (2 * arms_.size());
    std::vector<std::uint64_t> numbers(all);
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
    if (all <= most) return numbers;
    const auto rank = [&](std::uint64_t i) {
      const double v = arms_[0].table.at(columns_.empty() ? 0 : columns_.front(), i);
      return std::isnan(v) ? std::numeric_limits<double>::infinity() : v;
    };
    std::ranges::stable_sort(numbers, {}, rank);
    std::vector<std::uint64_t> some;
    for (std::size_t k = 0; k < most; ++k) some.push_back(numbers[(2 * k + 1) * all / (2 * most)]);
    return some;
  }

  /// The arms' names, and of a figure of samples its dots.
  void add_arms() {
    const bool has_dots = !input_.figure.x.empty() && !input_.figure.of_paths;
    std::vector<std::uint64_t> shown;
    if (has_dots) shown = samples_shown();
    if (has_dots && shown.size() < arms_[0].table.samples)
      more_left_out_.push_back("Dots are " + whole(shown.size()) + " of the " + samples_text(arms_[0].table.samples) +
                               ", at even ranks; histograms, maps and tables are of all.");
    for (const Arm& arm : arms_) {
      Json json{{"name", arm.name}};
      if (has_dots)
        for (const std::string& name : {input_.figure.x, input_.figure.y}) {
          std::vector<float> numbers;
          for (const std::uint64_t i : shown)
            numbers.push_back(static_cast<float>(arm.table.at(description_.column(name), i)));
          json["values"][name] = packed(numbers);
        }
      data_["arms"].push_back(std::move(json));
    }
  }
  /// The command that replays one.
  std::string replay_of(const std::string& arm, const std::string& sample) const {
    return "scree replay " + input_.file + (arms_.size() > 1 ? " --scheme " + arm : "") + " --sample " + sample;
  }
  /// Cells of a table.
  static std::vector<std::string> with_statistics(std::vector<std::string> cells, const ColumnStatistics& s) {
    const ColumnTexts t = column_texts(s);
    cells.insert(cells.end(), {t.n, t.mean, t.half_width, t.sd, t.low, t.median, t.high, t.max});
    return cells;
  }

  std::string distributions() {
    add_arms();
    if (columns_.empty()) return "";
    TextTable table(3, {"column", "unit", "arm", "n", "mean", "+-95 %", "sd", "5 %", "50 %", "95 %", "max"});
    for (const int c : columns_) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const Arm& arm : arms_)
        if (const ColumnStatistics& s = statistics(arm, c); s.n > 0) {
          low = std::min(low, s.min);
          high = std::max(high, s.max);
        }
      if (!(high > low)) high = low + (low == 0 ? 1 : std::fabs(low));
      Json histogram{{"name", column(c).name}, {"unit", unit_of(column(c))}, {"low", low}, {"high", high}};
      for (const Arm& arm : arms_) {
        const ColumnStatistics& s = statistics(arm, c);
        std::array<std::uint64_t, histogram_bins> counts{};
        for (std::uint64_t i = 0; i < arm.table.samples; ++i)
          if (enters(arm.table, c, i))
            if (const double v = arm.table.at(c, i); std::isfinite(v))
              ++counts[static_cast<std::size_t>(
                  std::clamp(static_cast<int>((v - low) / (high - low) * histogram_bins), 0, histogram_bins - 1))];
        histogram["arms"].push_back({{"n", s.n}, {"mean", s.mean}, {"counts", counts}});
        table.row(with_statistics({column(c).name, unit_of(column(c)), arm.name}, s));
      }
      data_["histograms"].push_back(std::move(histogram));
    }
    return element("h2", "How the samples differ") +
           figure("distribution",
                  "How many samples have which value of each column, those that enter it; a dashed line is the mean.",
                  table_of(table));
  }

  std::string gates_section() {
    if (!have_gates(arms_)) return "";
    for (const Arm& arm : arms_)
      for (const GateFacts& gate : arm.gate_facts) {
        Json curve = Json::array();
        for (const Exceedance& e : gate.energy_curve)
          curve.push_back({e.above, e.share, e.interval.low, e.interval.high});
        data_["gates"].push_back(
            {{"arm", arm.name}, {"name", gate.name}, {"unit", gate.energy_unit}, {"energy", std::move(curve)}});
      }
    std::vector<std::string> warnings;
    for (const Arm& arm : arms_)
      for (const GateFacts& gate : arm.gate_facts)
        for (const std::string& warning : gate_warnings(gate)) warnings.push_back(gate.name + ": " + warning);
    return element("h2", "Gates") + table_of(gates_table(arms_)) + (warnings.empty() ? "" : list_of(warnings)) +
           figure(
               "gates",
               "The share of all samples that crosses a gate with more than an energy, with the 95 % interval of each "
               "point.",
               table_of(exceedances()));
  }
  TextTable exceedances() const {
    TextTable table(2, {"gate", "arm", "energy above", "share", "from", "to"});
    for (const Arm& arm : arms_)
      for (const GateFacts& gate : arm.gate_facts)
        for (std::size_t k = 0; k < gate.energy_curve.size();
             k += std::max<std::size_t>(1, gate.energy_curve.size() / 10)) {
          const Exceedance& e = gate.energy_curve[k];
          table.row({gate.name, arm.name, short_number(e.above) + " " + gate.energy_unit, short_number(e.share),
                     short_number(e.interval.low), short_number(e.interval.high)});
        }
    return table;
  }

  std::string paths_section() {
    if (input_.paths.empty()) return "";
    data_["along"] = axis_json(input_.along);
    data_["up"] = axis_json(input_.up);
    TextTable table(1, {"arm", "sample", "ended", "replay"});
    for (const PagePath& path : input_.paths) {
      Json lines = Json::array();
      for (const std::vector<float>& line : path.lines) lines.push_back(packed(std::span(line)));
      Json json{{"arm", path.arm}, {"lines", lines}};
      if (!path.figure.empty()) json["figure"] = packed(std::span(path.figure));
      data_["paths"].push_back(std::move(json));
      table.row({path.arm, whole(path.sample), status_names[path.status], replay_of(path.arm, whole(path.sample))});
    }
    return element("h2", "Paths") + figure("paths",
                                           whole(input_.paths.size()) + " paths, replayed, of samples at even ranks: " +
                                               axis_text(input_.up) + " by " + axis_text(input_.along) + ".",
                                           table_of(table));
  }

  std::string own_figure() {
    if (input_.figure.x.empty() || (input_.figure.of_paths && input_.paths.empty())) return "";
    data_["figure"] = {
        {"x", axis_json(input_.figure_x)}, {"y", axis_json(input_.figure_y)}, {"of_paths", input_.figure.of_paths}};
    TextTable table(1, {"arm", "column", "n", "least", "median", "greatest"});
    if (!input_.figure.of_paths)
      for (const Arm& arm : arms_)
        for (const std::string& name : {input_.figure.x, input_.figure.y}) {
          const ColumnStatistics& s = statistics(arm, description_.column(name));
          table.row(
              {arm.name, name, whole(s.n), short_number(s.min), short_number(s.quantiles[2]), short_number(s.max)});
        }
    else
      for (const PagePath& path : input_.paths)
        if (path.figure.size() > 1)
          table.row({path.arm + ", sample " + whole(path.sample), "last " + input_.figure.x + ", " + input_.figure.y,
                     "", short_number(static_cast<double>(path.figure[path.figure.size() - 2])), "",
                     short_number(static_cast<double>(path.figure.back()))});
    return element("h2", axis_text({input_.figure.y, ""}) + " by " + input_.figure.x) +
           figure("own",
                  axis_text(input_.figure_y) + " by " + axis_text(input_.figure_x) + ": " + input_.figure.meaning + ".",
                  table_of(table));
  }

  std::string tables() {
    std::string html = element("h2", "All numbers");
    for (const Arm& arm : arms_) {
      TextTable table(2, {"column", "unit", "n", "mean", "+-95 %", "sd", "5 %", "50 %", "95 %", "max"});
      for (int c = 0; c < static_cast<int>(description_.columns.size()); ++c) {
        const ColumnStatistics& s = statistics(arm, c);
        if (s.n == 0) continue;
        table.row(with_statistics({column(c).name, unit_of(column(c))}, s));
      }
      html += details("Every column of " + arm.name, table_of(table));
    }
    return html + details("All that scree info --all prints, tests among it", element("pre", input_.text));
  }

  std::string left_out() {
    std::vector<std::string> items = input_.left_out;
    for (const std::string& item : more_left_out_) items.push_back(item);
    for (const Arm& arm : arms_) {
      const std::string name = arms_.size() > 1 ? arm.name + ": " : "";
      if (const std::string left = left_out_samples(arm); !left.empty()) items.push_back(name + left);
      if (const std::uint64_t failed = failed_samples(arm); failed > 0)
        items.push_back(name + samples_text(failed) + " diverged or did not converge; maps and gates leave them out.");
      if (arm.map_facts)
        for (const std::string& warning : map_warnings(*arm.map_facts)) items.push_back(name + warning);
    }
    for (const std::string& warning : run_.warnings) items.push_back("Warning of the run: " + warning);
    items.push_back(
        "Intervals say what other samples would change. They cover neither the model, its step, the terrain and its "
        "ground, nor how often something is released: numbers are conditional on the releases unless a frequency is "
        "given, and those of maps hold for one cell, not for all at once.");
    items.push_back("This is a model's result, not an assessment of hazard.");
    return element("h2", "What is left out, and what the intervals do not cover") + list_of(items);
  }

  std::string reproduce() {
    std::vector<std::string> items;
    for (const Arm& arm : arms_) {
      items.push_back(arm.name + ": digest " + arm.digest +
                      (arm.map_facts ? ", maps digest " + arm.map_facts->digest : "") + ", " + arm.backend + ", " +
                      short_number(arm.wall_s) + " s");
    }
    items.push_back("scree " + stored_.program_version + ", commit " + stored_.commit + "; seed " +
                    std::to_string(run_.spec.seed));
    items.push_back("Config " + run_.config_path + ", XXH3 " + stored_.config_xxh3);
    for (const std::string& overlay : run_.overlays) items.push_back("Changed by " + overlay);
    for (const InputFile& file : run_.inputs) items.push_back("Input " + file.path + ", XXH3 " + file.xxh3);
    items.push_back("Again: scree " + std::string(arms_.size() > 1 ? "compare " : "run ") + run_.config_path);
    items.push_back("One sample: " + replay_of(arms_.back().name, "I") + " -o path.csv");
    return element("h2", "How to make it again") + list_of(items) +
           details("The config", element("pre", run_.config_text));
  }

  const PageInput& input_;
  const StoredResult& stored_;
  const Run& run_;
  const std::vector<Arm>& arms_;
  const Description& description_;
  std::vector<int> columns_;  // that are shown first
  std::vector<std::string> more_left_out_;
  Json data_ = Json::object();
};

}  // namespace

std::string page(const PageInput& input) { return Page(input).html(); }

}  // namespace scree
