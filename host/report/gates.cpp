#include "gates.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "host/common/text_input.hpp"

namespace scree {
namespace {

Json interval_json(const Interval& interval) {
  const auto end = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  return Json::array({end(interval.low), end(interval.high)});
}

Json percentiles_json(const std::vector<GatePercentile>& percentiles) {
  Json json = Json::object();
  for (const GatePercentile& p : percentiles)
    json[number_text(p.level)] = {{"value", p.value}, {"ci95", interval_json(p.interval)}};
  return json;
}

Json curve_json(const std::vector<Exceedance>& curve, double frequency) {
  Json json = Json::array();
  for (const Exceedance& e : curve) {
    json.push_back({{"above", e.above}, {"share", e.share}, {"ci95", interval_json(e.interval)}});
    if (frequency > 0) json.back()["per_year"] = frequency * e.share;
  }
  return json;
}

bool in_joules(std::span<const Arm> arms) {
  return std::ranges::all_of(arms, [](const Arm& arm) {
    return std::ranges::all_of(arm.gate_facts, [](const GateFacts& facts) { return facts.energy_unit == "J"; });
  });
}

/// Three digits, which is what percentiles of some hundred samples have.
std::string three_digits(double x) {
  char text[32];
  std::snprintf(text, sizeof text, std::fabs(x) < 1e5 && std::fabs(x) >= 100 ? "%.0f" : "%.3g", x);
  return text;
}

/// At most so many characters.
std::string short_name(const std::string& name) {
  constexpr std::size_t most = 24;
  return name.size() <= most ? name : name.substr(0, most - 2) + "..";
}

/// "512.3 (480.1 to 530.2)" of a percentile over `scale`; ? is an end that does not exist.
std::string percentile_text(const std::vector<GatePercentile>& percentiles, double level, double scale = 1) {
  const auto p = std::ranges::find(percentiles, level, &GatePercentile::level);
  if (p == percentiles.end() || std::isnan(p->value)) return "-";
  const auto end = [&](double x) { return std::isfinite(x) ? three_digits(x / scale) : std::string("?"); };
  return end(p->value) + " (" + end(p->interval.low) + " to " + end(p->interval.high) + ")";
}

Json design_json(const GateFacts& facts) {
  const GateDesign& f = facts.factors;
  const FenceDesign& d = *facts.design;
  return {{"rule", "uni11211"},
          {"note", "the arithmetic of the standard, not a design"},
          {"factors",
           {{"g_dp", f.g_dp},
            {"g_vol", f.g_vol},
            {"g_tr", f.g_tr},
            {"g_gamma", f.g_gamma},
            {"g_r", f.g_r},
            {"g_e", f.g_e}}},
          {"block_mass", f.mass},
          {"block_radius", f.radius},
          {"speed", d.speed},
          {"energy", d.energy},
          {"height", d.height},
          {"required_energy", d.required_energy},
          {"required_height", d.required_height},
          {"class", d.fence_class}};
}

void print_design(std::ostream& out, const GateFacts& facts) {
  const GateDesign& f = facts.factors;
  const FenceDesign& d = *facts.design;
  const auto text = [](double x) { return short_number(x); };
  print_wrapped(out,
                "  arithmetic of UNI 11211-4, not a design: block of " + text(f.mass) + " kg and radius " +
                    text(f.radius) + " m, g_dp " + text(f.g_dp) + ", g_vol " + text(f.g_vol) + ", g_tr " +
                    text(f.g_tr) + ", g_gamma " + text(f.g_gamma) + ", g_r " + text(f.g_r) + ", g_e " + text(f.g_e) +
                    ": " + text(d.speed) + " m/s, " + text(d.energy / 1000) + " kJ; a fence of " +
                    text(d.required_energy / 1000) + " kJ (class " + std::to_string(d.fence_class) + ") and " +
                    text(d.required_height) + " m",
                4);
}

}  // namespace

bool have_gates(std::span<const Arm> arms) {
  return std::ranges::any_of(arms, [](const Arm& arm) { return !arm.gate_facts.empty(); });
}

Json gates_json(const Arm& arm) {
  Json json = Json::object();
  for (const GateFacts& facts : arm.gate_facts) {
    Json statistics = Json::object();
    for (std::size_t c = 0; c < gate_column_count; ++c)
      statistics[gate_columns[c].name] =
          statistics_json(facts.columns[c], gate_unit(c, facts.energy_unit), arm.table.replicates > 0);
    Json& gate = json[facts.name] = {
        {"n", facts.n},
        {"crossed", facts.crossed},
        {"probability", facts.probability},
        {"ci95", interval_json(facts.interval)},
        {"statistics", statistics},
        {"percentiles",
         {{"kinetic_energy", percentiles_json(facts.energy)}, {"height", percentiles_json(facts.height)}}},
        {"exceedance",
         {{"kinetic_energy", curve_json(facts.energy_curve, facts.release_frequency)},
          {"height", curve_json(facts.height_curve, facts.release_frequency)}}},
        {"warnings", gate_warnings(facts)}};
    if (facts.design) gate["design"] = design_json(facts);
    if (facts.release_frequency > 0) gate["per_year"] = facts.release_frequency * facts.probability;
  }
  return json;
}

TextTable gates_table(std::span<const Arm> arms) {
  const bool joules = in_joules(arms);
  // Sliders have no height above their surface.
  std::vector<std::string> heads{"gate", "crossed", "share (95 %)",
                                 std::string("energy, ") + (joules ? "kJ" : "J/kg") + ": p95 (95 %)"};
  if (joules) heads.push_back("height, m: p95 (95 %)");
  TextTable table(1, heads);
  for (const Arm& arm : arms)
    for (const GateFacts& facts : arm.gate_facts) {
      std::vector<std::string> cells{short_name(arms.size() == 1 ? facts.name : facts.name + ", " + arm.name),
                                     whole(facts.crossed) + " of " + whole(facts.n),
                                     facts.n == 0
                                         ? "-"
                                         : three_digits(facts.probability) + " (" + three_digits(facts.interval.low) +
                                               " to " + three_digits(facts.interval.high) + ")",
                                     percentile_text(facts.energy, 0.95, joules ? 1000 : 1)};
      if (joules) cells.push_back(percentile_text(facts.height, 0.95));
      table.row(cells);
    }
  return table;
}

void print_gates(const Printer& printer, std::span<const Arm> arms) {
  if (!have_gates(arms)) return;
  printer.title("Gates, at the first crossing of each sample");
  gates_table(arms).print(printer.out);
  for (const Arm& arm : arms)
    for (const GateFacts& facts : arm.gate_facts) {
      for (const std::string& warning : gate_warnings(facts)) printer.out << "  warning: " << warning << '\n';
      if (facts.crossed == 0) continue;
      if (facts.design) print_design(printer.out, facts);
      printer.out << "\n  " << facts.name << (arms.size() == 1 ? "" : ", " + arm.name) << '\n';
      TextTable table(2, {"column", "unit", "n", "mean", "sd", "5 %", "50 %", "95 %", "max"});
      for (std::size_t c = 0; c < gate_column_count; ++c) {
        const ColumnStatistics& s = facts.columns[c];
        const ColumnTexts texts = column_texts(s);
        const std::string unit = gate_unit(c, facts.energy_unit);
        table.row({gate_columns[c].name, unit == "1" ? "" : unit, texts.n, texts.mean, short_number(s.sd), texts.low,
                   texts.median, texts.high, texts.max});
      }
      table.print(printer.out);
    }
  printer.out << "Percentiles are over the samples that crossed, with the order statistics that they lie between; ? is "
                 "an end that so few do not tell.\n";
}

}  // namespace scree
