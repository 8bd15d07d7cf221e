#include "page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "embedded.hpp"
#include "host/common/error.hpp"
#include "host/common/json_text.hpp"
#include "host/common/markup.hpp"
#include "host/common/shell.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/config/config.hpp"
#include "host/report/beside.hpp"
#include "host/report/forest.hpp"
#include "host/report/gates.hpp"
#include "host/report/maps.hpp"
#include "host/report/printer.hpp"
#include "host/report/targets.hpp"
#include "host/report/verdict.hpp"
#include "host/statistics/intervals.hpp"
#include "host/statistics/ranked.hpp"
#include "html.hpp"
#include "map_section.hpp"
#include "packed.hpp"
#include "src/status.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

/// Numbers of single samples that a page holds, and of bytes it should have at most.
constexpr std::size_t most_numbers = 250'000, most_bytes = 5'000'000;
constexpr int histogram_bins = 40;
std::string axis_text(const PageAxis& axis) {
  return axis.name + (axis.unit.empty() || axis.unit == "1" ? "" : " (" + axis.unit + ")");
}
/// Figures have energies in kJ, and so have their tables.
std::string figure_unit(const std::string& unit) { return unit == "J" ? "kJ" : unit; }
double in_figure_unit(double x, const std::string& unit) { return unit == "J" ? x / 1000 : x; }
PageAxis figure_axis(const PageAxis& axis) { return {axis.name, figure_unit(axis.unit)}; }
/// What a table shows of them, in a unit so many times as large.
ColumnStatistics over(ColumnStatistics s, double scale) {
  for (double* const x : {&s.mean, &s.sd, &s.ci_low, &s.ci_high, &s.max}) *x /= scale;
  for (double& quantile : s.quantiles) quantile /= scale;
  return s;
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
    const std::string before = head() + verdict_section();
    std::string after = distributions();
    after += groups_section();
    after += gates_section();
    after += forest_section();
    after += along_section();
    after += paths_section();
    after += view_section();
    after += own_figure();
    after += tables();
    after += left_out();
    after += reproduce();
    std::string html;
    for (const Detail detail : {Detail{16, 512}, Detail{8, 512}, Detail{8, 256}}) {
      MapSection map = map_section(input_, detail);
      if (input_.ground) data_["map"] = std::move(map.data);
      html = document(before + map.html + after);
      if (html.size() <= most_bytes || !input_.ground) break;
    }
    return html;
  }

 private:
  std::string document(const std::string& body) const {
    const std::string title = description_.system + (run_.title.empty() ? "" : ": " + run_.title);
    std::string data = json_text(data_);
    // Nothing in the data may end the element that it stands in.
    for (std::size_t at = 0; (at = data.find('<', at)) != std::string::npos;) data.replace(at, 1, "\\u003c");
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
           "style-src 'unsafe-inline'; img-src data: blob:\">\n" +
           element("title", title) + "<style>\n" + std::string(embedded_page_css) +
           "</style>\n</head>\n<body>\n<main>\n" + body + "</main>\n<!--\n" + std::string(embedded_licences) +
           "-->\n<script type=\"application/json\" id=\"data\">" + data + "</script>\n" + script(embedded_d3) +
           (has_view() ? script(embedded_three) : "") + script(embedded_page_js) + "</body>\n</html>\n";
  }
  static std::string script(std::string_view text) { return "<script>\n" + std::string(text) + "</script>\n"; }
  static const ColumnStatistics& statistics(const Arm& arm, int c) {
    return arm.statistics.columns[static_cast<std::size_t>(c)];
  }
  const Column& column(int c) const { return column_of(description_, c); }
  std::string arms_text() const {
    std::vector<std::string> names;
    for (const Arm& arm : arms_) names.push_back(arm.name);
    return joined(names);
  }

  /// "Half of the 998 samples that stopped have a runout of at most 210 m; the others: 2 left_terrain.", "Half of the
  /// 300 samples, all landed, have a range of at most 8 m."
  std::string in_words(const Arm& arm) const {
    const std::string words = arms_.size() > 1 ? arm.name + ": " : "";
    const std::uint64_t samples = arm.table.samples;
    const StatusCounts& status = arm.statistics.status;
    if (columns_.empty() || statistics(arm, columns_.front()).n == 0) return words + status_line(samples, status) + ".";
    const Column& first = column(columns_.front());
    const ColumnStatistics& s = statistics(arm, columns_.front());
    const auto only = std::ranges::find(status, samples);
    const bool are_alike = only != status.end() && s.n == samples;
    const std::string rest = status_list(
        status, [&](std::uint32_t k) { return first.counted == Counted::all || !counts(first.counted, k); });
    return words + "half of the " + samples_text(s.n) +
           (are_alike ? std::string(", all ") + status_names[only - status.begin()] + ","
                      : " " + section_name(first.counted)) +
           " have a " + first.name + " of at most " + with_unit(column_texts(s).median, first) +
           (are_alike || rest.empty() ? "" : (first.counted == Counted::all ? "; " : "; the others: ") + rest) + ".";
  }

  std::string head() {
    std::string html = element("h1", run_.title.empty() ? "Samples of " + description_.system : run_.title);
    const std::uint64_t samples = arms_[0].table.samples;
    html += element("p", samples_text(samples) + shard_text(run_, arms_[0].table) + " of " + description_.system +
                             " (" + description_.meaning + "), under " + arms_text() + ", step " + steps_text(run_) +
                             ", seed " + std::to_string(run_.spec.seed) + "." +
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
    if (!compares) return html + targets() + list_of_sentences(run_verdict(run_, arms_[0]));
    const Evaluation& evaluation = *input_.evaluation;
    html += list_of_sentences(short_verdict(arms_, evaluation));
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

  /// Whether those of --until were met, and by what.
  std::string targets() const {
    const Until& until = arms_[0].until;
    if (until.looks.empty()) return "";
    std::string html = element("p", targets_title(until) + ":") + table_of(targets_table(until));
    if (const std::string unmet = unmet_targets(until); !unmet.empty()) html += element("p", unmet + ".");
    std::string notes;
    for (const std::string& note : targets_notes(arms_[0])) notes += element("p", note);
    return html + details("What these intervals are", notes);
  }

  // Samples.

  /// All, or those at even ranks.
  std::vector<std::uint64_t> samples_shown(std::size_t most) const {
    const SummaryTable& table = arms_[0].table;
    if (table.samples > most) return samples_at_even_ranks(description_, table, most);
    std::vector<std::uint64_t> numbers(table.samples);
    std::iota(numbers.begin(), numbers.end(), table.first);
    return numbers;
  }

  /// The arms' names, and what is drawn of single samples: their statuses and columns.
  void add_arms() {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    for (const int c : columns_) add(column(c).name);
    if (!input_.figure.x.empty() && !input_.figure.of_paths)
      for (const std::string& name : {input_.figure.x, input_.figure.y}) add(name);
    const std::uint64_t all = arms_[0].table.samples;
    const std::vector<std::uint64_t> shown = samples_shown(most_numbers / (names.size() + 1) / arms_.size());
    if (shown.size() < all || arms_[0].table.first > 0) data_["samples"] = shown;
    if (shown.size() < all) {
      more_left_out_.push_back("Dots and selections are of " + whole(shown.size()) + " of the " + samples_text(all) +
                               ", at even ranks; histograms, maps and tables are of all.");
    }
    data_["count"] = shown.size();
    data_["first"] = arms_[0].table.first;
    data_["of"] = all;
    for (const std::string_view status : status_names) data_["statuses"].push_back(status);
    std::vector<std::uint64_t> rows;
    for (const std::uint64_t number : shown) rows.push_back(arms_[0].table.row(number));
    for (const Arm& arm : arms_) {
      Json json{{"name", arm.name}, {"replay", replay_of(arm.name, "")}};
      std::vector<float> numbers;
      for (const std::uint64_t i : rows) numbers.push_back(static_cast<float>(arm.table.status[i]));
      json["status"] = packed(numbers);
      // Without those that a column does not count.
      for (const std::string& name : names) {
        const int c = description_.column(name);
        numbers.clear();
        for (const std::uint64_t i : rows)
          numbers.push_back(enters(arm.table, c, i) ? static_cast<float>(arm.table.at(c, i)) : std::nanf(""));
        json["values"][name] = packed(numbers);
      }
      if (input_.ground) {
        numbers.clear();
        for (const std::uint64_t i : rows)
          for (const auto& [c, origin] :
               {std::pair{description_.deposition_x, input_.origin_x}, {description_.deposition_y, input_.origin_y}})
            numbers.push_back(arm.table.status[i] == static_cast<std::uint32_t>(Status::stopped) ||
                                      arm.table.status[i] == static_cast<std::uint32_t>(Status::caught)
                                  ? static_cast<float>(arm.table.at(c, i) - origin)
                                  : std::nanf(""));
        json["stops"] = packed(numbers);
      }
      data_["arms"].push_back(std::move(json));
    }
  }
  /// The command that replays one.
  std::string replay_of(const std::string& arm, const std::string& sample) const {
    return "scree replay " + shell_word(input_.file) + (arms_.size() > 1 ? " --scheme " + shell_word(arm) : "") +
           " --sample " + sample;
  }
  /// Cells of a table.
  static std::vector<std::string> with_statistics(std::vector<std::string> cells, const ColumnStatistics& s) {
    const ColumnTexts t = column_texts(s);
    cells.insert(cells.end(), {t.n, t.mean, t.half_width, t.sd, t.low, t.median, t.high, t.max});
    return cells;
  }

  /// "64.6 (61.2 to 68.1)" of 5, 50 and 95 % of the values that enter a column, over `scale`, with the order statistics
  /// that each lies between with 95 %; ? is an end that so few do not tell.
  static std::vector<std::string> quantiles_with_intervals(const Arm& arm, int c, double scale) {
    const SummaryTable* const tables[] = {&arm.table};
    Matched matched = matched_values(tables, c);
    std::vector<double>& values = matched.values[0];
    if (arm.table.replicates == 0) std::ranges::sort(values);
    std::vector<std::string> texts;
    for (const std::size_t k : {0, 2, 5}) {
      constexpr double miss = 0.05;
      const double p = quantile_levels[k];
      const Interval ends = arm.table.replicates == 0
                                ? quantile_interval(values, p, miss)
                                : replicated_quantile_interval(values, matched.replicate_of, p, miss);
      const double quantile = statistics(arm, c).quantiles[k] / scale;
      // To the digits that the interval leaves them.
      const double error = std::isfinite(ends.low) && std::isfinite(ends.high) ? (ends.high - ends.low) / 2
                           : std::isfinite(ends.low)                           ? quantile * scale - ends.low
                                                                               : ends.high - quantile * scale;
      const auto text = [&](double x) { return std::isfinite(x) ? number_within(x / scale, error / scale) : "?"; };
      const bool is_known = std::isfinite(ends.low) || std::isfinite(ends.high);
      texts.push_back(is_known ? number_within(quantile, error / scale) + " (" + text(ends.low) + " to " +
                                     text(ends.high) + ")"
                               : short_number(quantile));
    }
    return texts;
  }

  std::string distributions() {
    add_arms();
    if (columns_.empty()) return "";
    TextTable table(
        3, {"column", "unit", "arm", "n", "mean", "+-95 %", "sd", "5 % (95 %)", "50 % (95 %)", "95 % (95 %)", "max"});
    for (const int c : columns_) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const Arm& arm : arms_)
        if (const ColumnStatistics& s = statistics(arm, c); s.n > 0) {
          low = std::min(low, s.min);
          high = std::max(high, s.max);
        }
      // What differs by roundings alone is one value.
      if (const double size = std::max(std::fabs(low), std::fabs(high)); !(high - low > 1e-9 * size))
        high = low + (size > 0 ? size : 1);
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
        const std::string unit = unit_of(column(c));
        const double scale = 1 / in_figure_unit(1, unit);
        const ColumnTexts t = column_texts(over(s, scale));
        std::vector<std::string> cells{column(c).name, figure_unit(unit), arm.name, t.n, t.mean, t.half_width, t.sd};
        for (std::string& text : quantiles_with_intervals(arm, c, scale)) cells.push_back(std::move(text));
        cells.push_back(t.max);
        table.row(std::move(cells));
      }
      data_["histograms"].push_back(std::move(histogram));
    }
    return element("h2", "How the samples differ") +
           figure("distribution",
                  "How many samples have which value of each column, those that enter it; a dashed line is the mean. "
                  "The table has quantiles with their 95 % intervals; ? is an end that so few do not tell.",
                  table_of(table));
  }

  /// What each group comes to, as the samples of each shape.
  std::string groups_section() const {
    if (columns_.empty() || arms_[0].statistics.groups.empty()) return "";
    TextTable table(
        4, {"column", "unit", run_.group_by, "arm", "n", "mean", "+-95 %", "sd", "5 %", "50 %", "95 %", "max"});
    for (const int c : columns_)
      for (std::size_t g = 0; g < run_.shape_names.size(); ++g)
        for (const Arm& arm : arms_) {
          const ColumnStatistics& s = arm.statistics.groups[g].columns[static_cast<std::size_t>(c)];
          if (s.n > 0)
            table.row(with_statistics({column(c).name, unit_of(column(c)), run_.shape_names[g], arm.name}, s));
        }
    // A screen full is shown at once.
    const bool is_long = columns_.size() * run_.shape_names.size() * arms_.size() > 40;
    return element("h2", "By " + run_.group_by) +
           (is_long ? details("Every " + run_.group_by, table_of(table)) : table_of(table));
  }

  /// Gates, and barriers at first arrivals.
  struct Line {
    const Arm* arm;
    const GateFacts* facts;
  };
  std::vector<Line> lines() const {
    std::vector<Line> all;
    for (const Arm& arm : arms_)
      for (const GateFacts& gate : arm.gate_facts) all.push_back({&arm, &gate});
    for (const Arm& arm : arms_)
      for (const BarrierFacts& barrier : arm.barrier_facts) all.push_back({&arm, &barrier.arrivals});
    return all;
  }
  std::string gates_section() {
    const std::vector<Line> all = lines();
    if (all.empty()) return "";
    std::vector<std::string> names;
    for (const Line& line : all) names.push_back(line.facts->name + (arms_.size() > 1 ? ", " + line.arm->name : ""));
    names = distinct_within(names, figure_name_width);
    for (const Line& line : all) {
      const GateFacts& gate = *line.facts;
      const auto curve_json = [](const std::vector<Exceedance>& curve) {
        Json points = Json::array();
        for (const Exceedance& e : curve) points.push_back({e.above, e.share, e.interval.low, e.interval.high});
        return points;
      };
      Json json{{"arm", line.arm->name},
                {"name", gate.name},
                {"label", names[data_["gates"].size()]},
                {"unit", gate.energy_unit},
                {"energy", curve_json(gate.energy_curve)},
                {"height", curve_json(gate.height_curve)},
                {"length", length_of(gate.line)}};
      if (const ColumnStatistics& offset = gate.columns[gate_column("offset")]; offset.n > 0)
        json["offset"] = {offset.quantiles[0], offset.quantiles[1], offset.quantiles[2], offset.quantiles[3],
                          offset.quantiles[5]};
      data_["gates"].push_back(std::move(json));
    }
    const bool gates = have_gates(arms_), barriers = have_barriers(arms_);
    // "crosses a gate or arrives at a barrier"
    const auto either = [&](const std::string& of_gate, const std::string& of_barrier) {
      return (gates ? of_gate : "") + (gates && barriers ? " or " : "") + (barriers ? of_barrier : "");
    };
    std::string html = element("h2", !barriers ? "Gates" : gates ? "Gates and barriers" : "Barriers");
    if (gates) html += table_of(gates_table(arms_, {0.95, 0.99})) + element("p", percentiles_note(arms_)) + design();
    if (barriers) html += barriers_text();
    if (have_frequencies(arms_))
      html += element("p", frequencies_title(arms_) + ":") + table_of(frequencies_table(arms_)) +
              element("p", frequencies_note);
    std::vector<std::string> warnings;
    const auto warn = [&](const Arm& arm, const std::vector<std::string>& lines) {
      for (const std::string& line : lines) warnings.push_back((arms_.size() > 1 ? arm.name + ": " : "") + line);
    };
    for (const Arm& arm : arms_) {
      for (const GateFacts& gate : arm.gate_facts) warn(arm, gate_warnings(gate));
      for (const BarrierFacts& barrier : arm.barrier_facts) warn(arm, barrier_warnings(barrier));
    }
    if (!warnings.empty()) html += list_of(warnings);
    const std::string share = "The share of all samples that " + either("crosses a gate", "arrives at a barrier");
    const std::string interval = ", with the 95 % interval of each point (" + interval_name(*all.front().facts) + ").";
    html += figure("gates", share + " with more than an energy" + interval,
                   table_of(exceedances(&GateFacts::energy_curve, "energy above", nullptr)));
    const auto any_of_lines = [&](const auto& is) {
      return std::ranges::any_of(all, [&](const Line& line) { return is(*line.facts); });
    };
    if (any_of_lines([](const GateFacts& gate) { return gate.height_curve.size() > 1; }))
      html += figure("heights", share + " with the centre of mass higher than this above the ground" + interval,
                     table_of(exceedances(&GateFacts::height_curve, "height above", "m")));
    if (any_of_lines([](const GateFacts& gate) { return gate.crossed > 0; }))
      html += figure("offsets",
                     "Where along its line " + either("a gate is crossed", "a barrier is reached") +
                         ": 5, 25, 50, 75 and 95 % of the samples that " + either("cross", "arrive") +
                         ", from its first point at the left to its last.",
                     table_of(offsets()));
    return html;
  }
  std::string forest_section() const {
    const std::vector<std::string> lines = forest_lines(arms_);
    return lines.empty() ? "" : element("h2", "Forest") + list_of(lines);
  }
  /// The table, and what it does not say of itself.
  std::string barriers_text() const {
    std::vector<std::string> items;
    for (const Arm& arm : arms_)
      for (const BarrierFacts& barrier : arm.barrier_facts)
        items.push_back(barrier.arrivals.name + (arms_.size() > 1 ? ", " + arm.name : "") + ": " +
                        barrier_text(barrier.barrier, barrier.arrivals.energy_unit) + ".");
    items.push_back(std::string("Energy and height are those of first arrivals. ") + barriers_note);
    return list_of(items) + table_of(barriers_table(arms_));
  }
  static double length_of(const std::vector<double>& line) {
    double length = 0;
    for (std::size_t k = 2; k + 1 < line.size(); k += 2)
      length += std::hypot(line[k] - line[k - 2], line[k + 1] - line[k - 1]);
    return length;
  }
  std::string lines_name() const {
    return !have_barriers(arms_) ? "gate" : have_gates(arms_) ? "gate or barrier" : "barrier";
  }
  TextTable offsets() const {
    TextTable table(2, {lines_name(), "arm", "length (m)", "5 %", "25 %", "50 %", "75 %", "95 %"});
    for (const Line& line : lines()) {
      const ColumnStatistics& offset = line.facts->columns[gate_column("offset")];
      std::vector<std::string> cells{line.facts->name, line.arm->name, short_number(length_of(line.facts->line))};
      for (const std::size_t q : {0, 1, 2, 3, 5}) cells.push_back(short_number(offset.quantiles[q]));
      table.row(std::move(cells));
    }
    return table;
  }
  std::string design() const {
    TextTable table(
        2, {"gate", "arm", "speed (m/s)", "energy (kJ)", "height (m)", "fence: energy (kJ)", "class", "height (m)"});
    std::vector<std::string> factors;
    for (const Arm& arm : arms_)
      for (const GateFacts& gate : arm.gate_facts)
        if (gate.design) {
          factors.push_back(gate.name + (arms_.size() > 1 ? ", " + arm.name : "") + ": " +
                            design_factors_text(gate.factors));
          const FenceDesign& d = *gate.design;
          table.row({gate.name, arm.name, short_number(d.speed), short_number(d.energy / 1000), short_number(d.height),
                     short_number(d.required_energy / 1000), std::to_string(d.fence_class),
                     short_number(d.required_height)});
        }
    if (table.empty()) return "";
    return element("p", "The arithmetic of UNI 11211-4, not a design:") + table_of(table) + list_of(factors);
  }
  /// Some ten points of each curve; the energy's unit is the gate's.
  TextTable exceedances(std::vector<Exceedance> GateFacts::*curve, const std::string& above, const char* unit) const {
    TextTable table(2, {lines_name(), "arm", above, "share", "from", "to"});
    // Of replicates that are all alike, as where none of them has such a sample, there is no interval.
    const auto end = [](double x) { return std::isfinite(x) ? short_number(x) : std::string("?"); };
    for (const Line& line : lines()) {
      const std::vector<Exceedance>& all = line.facts->*curve;
      for (std::size_t k = 0; k < all.size(); k += std::max<std::size_t>(1, all.size() / 10)) {
        const Exceedance& e = all[k];
        table.row({line.facts->name, line.arm->name,
                   short_number(in_figure_unit(e.above, unit ? unit : line.facts->energy_unit)) + " " +
                       figure_unit(unit ? unit : line.facts->energy_unit),
                   short_number(e.share), end(e.interval.low), end(e.interval.high)});
      }
    }
    return table;
  }

  std::string along_section() {
    if (input_.bands.empty()) return "";
    TextTable table(2, {"column", "arm", "from (m)", "to (m)", "paths", "5 %", "25 %", "50 %", "75 %", "95 %"});
    std::vector<std::string> names;
    for (const PageBands& bands : input_.bands) {
      Json stretches = Json::array();
      const std::vector<Bands::Stretch>& all = bands.bands.stretches;
      for (const Bands::Stretch& stretch : all)
        stretches.push_back({stretch.paths, stretch.quantiles[0], stretch.quantiles[1], stretch.quantiles[2],
                             stretch.quantiles[3], stretch.quantiles[4]});
      data_["bands"].push_back({{"arm", bands.arm},
                                {"of", axis_json(bands.of)},
                                {"length", bands.bands.length},
                                {"stretches", std::move(stretches)}});
      for (std::size_t k = 0; k < all.size(); k += std::max<std::size_t>(1, all.size() / 10)) {
        std::vector<std::string> cells{
            axis_text(figure_axis(bands.of)), bands.arm, short_number(static_cast<double>(k) * bands.bands.length),
            short_number(static_cast<double>(k + 1) * bands.bands.length), whole(all[k].paths)};
        for (const double value : all[k].quantiles) cells.push_back(short_number(in_figure_unit(value, bands.of.unit)));
        table.row(std::move(cells));
      }
      if (std::ranges::find(names, bands.of.name) == names.end()) names.push_back(bands.of.name);
    }
    return element("h2", "Along the way") +
           figure("bands",
                  "The largest " + joined(names, " and ") +
                      " of each path in each stretch of its way (horizontal length from the release): median, from 25 "
                      "to 75 % and from 5 to 95 % of the replayed paths at even ranks that come so far.",
                  table_of(table));
  }

  std::string paths_section() {
    if (input_.paths.empty()) return "";
    data_["along"] = axis_json(input_.along);
    data_["up"] = axis_json(input_.up);
    TextTable table(1, {"arm", "sample", "ended", "replay"});
    for (const PagePath& path : input_.paths) {
      Json json{{"arm", path.arm}, {"sample", path.sample}, {"lines", Json::array()}};
      for (const std::vector<float>& line : path.lines) json["lines"].push_back(packed(line));
      if (!path.points.empty()) json["points"] = packed(path.points);
      if (!path.figure.empty()) json["figure"] = packed(path.figure);
      data_["paths"].push_back(std::move(json));
      table.row({path.arm, whole(path.sample), status_names[path.status], replay_of(path.arm, whole(path.sample))});
    }
    return element("h2", "Paths") + figure("paths",
                                           whole(input_.paths.size()) + " paths, replayed, " + input_.paths_are + ": " +
                                               axis_text(input_.up) + " by " + axis_text(input_.along) + ".",
                                           table_of(table));
  }

  /// The terrain in three dimensions.
  std::string view_section() {
    if (!has_view()) return "";
    TextTable table(2, {"arm", "sample", "x (m)", "y (m)", "z (m)"});
    for (const PagePath& path : input_.paths)
      if (path.points.size() >= 3) {
        std::vector<std::string> cells{path.arm, whole(path.sample)};
        std::size_t k = path.points.size() - 3;
        for (const double origin : {input_.origin_x, input_.origin_y, 0.0})
          cells.push_back(number_text(std::round(100 * (origin + static_cast<double>(path.points[k++]))) / 100));
        table.row(std::move(cells));
      }
    return element("h2", "In three dimensions") +
           figure(
               "view",
               "The terrain, with the layer that the map shows, and the paths, heights to scale. The table has where "
               "they end.",
               table_of(table));
  }
  bool has_view() const {
    return input_.ground && std::ranges::any_of(input_.paths, [](const PagePath& p) { return !p.points.empty(); });
  }

  std::string own_figure() {
    if (input_.figure.x.empty() || (input_.figure.of_paths && input_.paths.empty())) return "";
    data_["figure"] = {
        {"x", axis_json(input_.figure_x)}, {"y", axis_json(input_.figure_y)}, {"of_paths", input_.figure.of_paths}};
    TextTable table(1, {"arm", "column", "n", "least", "median", "greatest"});
    if (!input_.figure.of_paths)
      for (const Arm& arm : arms_)
        for (const PageAxis& axis : {input_.figure_x, input_.figure_y}) {
          const ColumnStatistics& s = statistics(arm, description_.column(axis.name));
          const auto text = [&](double x) { return short_number(in_figure_unit(x, axis.unit)); };
          table.row(
              {arm.name, axis_text(figure_axis(axis)), whole(s.n), text(s.min), text(s.quantiles[2]), text(s.max)});
        }
    else
      for (const PagePath& path : input_.paths) {
        const auto last = [&](std::size_t k, const PageAxis& axis) {
          return short_number(in_figure_unit(static_cast<double>(path.figure[k]), axis.unit));
        };
        if (path.figure.size() > 1)
          table.row({path.arm + ", sample " + whole(path.sample),
                     "last " + axis_text(figure_axis(input_.figure_x)) + ", " + axis_text(figure_axis(input_.figure_y)),
                     "", last(path.figure.size() - 2, input_.figure_x), "",
                     last(path.figure.size() - 1, input_.figure_y)});
      }
    return element("h2", axis_text({input_.figure.y, ""}) + " by " + input_.figure.x) +
           figure("own",
                  axis_text(figure_axis(input_.figure_y)) + " by " + axis_text(figure_axis(input_.figure_x)) + ": " +
                      input_.figure.meaning + ".",
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
        items.push_back(name + samples_text(failed) + " diverged or did not converge; maps" +
                        (arm.barrier_facts.empty() ? "" : ", barriers") + " and gates leave them out.");
      if (arm.map_facts)
        for (const std::string& warning : map_warnings(*arm.map_facts)) items.push_back(name + warning);
    }
    if (have_barriers(arms_))
      items.push_back(
          "A barrier is a surface without depth, sag or posts, which holds the same wherever it is hit and meets each "
          "sample whole; the centre of mass, raised by the margin, decides whether a sample overtops it. At a "
          "breach the rest of that step is dropped.");
    if (std::ranges::any_of(arms_, [](const Arm& arm) { return arm.forest.has_value(); }))
      items.push_back(
          "Stems are upright cylinders without an end, which a sample meets at most once, as a sphere of its volume; "
          "no angle of deflection is drawn, and at a hit the rest of that step is dropped.");
    for (const std::string& warning : run_.warnings) items.push_back("Warning of the run: " + warning);
    items.push_back(
        "Intervals say what other samples would change. They cover neither the model, its step, the terrain and its "
        "ground, nor how often something is released: numbers are conditional on the releases unless a frequency is "
        "given, and those of maps hold for one cell, not for all at once.");
    items.push_back("This is a model's result, not an assessment of hazard.");
    return element("h2", "What is left out, and what the intervals do not cover") + list_of_sentences(items);
  }

  /// The command that makes an arm again. A shard is written as a part of a result; that of an extension is made by a
  /// run of all samples.
  std::string command_of(const Arm& arm) const {
    std::string text = "scree run " + shell_word(run_.config_path) + " --scheme " + shell_word(arm.scheme);
    const bool is_first = run_.shard && run_.shard->from == 0;
    std::vector<std::string> changes = is_first ? run_.overlays : overlays_without_shard(run_.overlays);
    changes.insert(changes.end(), arm.changes.begin(), arm.changes.end());
    for (const std::string& change : changes)
      if (!change.substr(change.find(':') + 1).starts_with("scheme=")) text += " " + option_of(change);
    return text + (is_first ? " -o again.h5" : "");
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
    for (const std::string& overlay : run_.overlays) items.push_back("Changed by " + option_of(overlay));
    for (const InputFile& file : run_.inputs) items.push_back("Input " + file.path + ", XXH3 " + file.xxh3);
    for (const Arm& arm : arms_) items.push_back("Again: " + command_of(arm));
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
