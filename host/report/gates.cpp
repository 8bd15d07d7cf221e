#include "gates.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"

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

/// "periods": energies that are exceeded at most once in so many years, and by how many samples.
Json periods_json(const GateFacts& facts) {
  Json json = Json::object();
  for (const EnergyAtPeriod& at : facts.at_periods)
    json[number_text(at.years)] = {{"kinetic_energy", at.energy}, {"allowed", at.allowed}};
  return json;
}

/// What is kept of crossings, or of arrivals.
Json statistics_of(const GateFacts& facts, bool replicated) {
  Json statistics = Json::object();
  for (std::size_t c = 0; c < gate_column_count; ++c)
    statistics[gate_columns[c].name] = statistics_json(facts.columns[c], gate_unit(c, facts.energy_unit), replicated);
  Json json{
      {"interval", interval_name(facts)},
      {"statistics", statistics},
      {"percentiles", {{"kinetic_energy", percentiles_json(facts.energy)}, {"height", percentiles_json(facts.height)}}},
      {"exceedance",
       {{"kinetic_energy", curve_json(facts.energy_curve, facts.release_frequency)},
        {"height", curve_json(facts.height_curve, facts.release_frequency)}}}};
  if (facts.release_frequency > 0) {
    const double per_year = facts.release_frequency * facts.probability;
    json["return_period"] = per_year > 0 ? Json(1 / per_year) : Json(nullptr);
    json["periods"] = periods_json(facts);
  }
  return json;
}

bool in_joules(std::span<const Arm> arms) {
  return std::ranges::all_of(arms, [](const Arm& arm) {
    return std::ranges::all_of(arm.gate_facts, [](const GateFacts& facts) { return facts.energy_unit == "J"; }) &&
           std::ranges::all_of(arm.barrier_facts,
                               [](const BarrierFacts& facts) { return facts.arrivals.energy_unit == "J"; });
  });
}

/// Three digits, which is what percentiles of some hundred samples have.
std::string three_digits(double x) {
  char text[32];
  std::snprintf(text, sizeof text, std::fabs(x) < 1e5 && std::fabs(x) >= 100 ? "%.0f" : "%.3g", x);
  return text;
}

/// "road", or of several arms "road, implicit".
std::string line_name(std::span<const Arm> arms, const Arm& arm, const std::string& name) {
  return arms.size() == 1 ? name : name + ", " + arm.name;
}

/// "512.3 (480.1 to 530.2)" of a percentile over `scale`; ? is an end that does not exist.
std::string percentile_text(const std::vector<GatePercentile>& percentiles, double level, double scale = 1) {
  const auto p = std::ranges::find(percentiles, level, &GatePercentile::level);
  if (p == percentiles.end() || std::isnan(p->value)) return "-";
  const auto end = [&](double x) { return std::isfinite(x) ? three_digits(x / scale) : std::string("?"); };
  return end(p->value) + " (" + end(p->interval.low) + " to " + end(p->interval.high) + ")";
}

/// "0.162 (0.132 to 0.197)"
std::string share_text(double share, const Interval& interval) {
  if (!std::isfinite(interval.low)) return three_digits(share);  // of replicates that are all alike
  return three_digits(share) + " (" + three_digits(interval.low) + " to " + three_digits(interval.high) + ")";
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

/// "a fence of 1471 kJ (class 4) and 7.004 m"
std::string fence_text(const FenceDesign& d) {
  return "a fence of " + short_number(d.required_energy / 1000) + " kJ (class " + std::to_string(d.fence_class) +
         ") and " + short_number(d.required_height) + " m";
}

void print_design(std::ostream& out, const GateFacts& facts) {
  const FenceDesign& d = *facts.design;
  out << "  ";
  print_wrapped(out,
                "arithmetic of UNI 11211-4, not a design: " + design_factors_text(facts.factors) + ": design speed " +
                    short_number(d.speed) + " m/s, design energy " + short_number(d.energy / 1000) + " kJ; " +
                    fence_text(d),
                4);
}

void print_statistics(const Printer& printer, const GateFacts& facts) {
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

}  // namespace

bool have_gates(std::span<const Arm> arms) {
  return std::ranges::any_of(arms, [](const Arm& arm) { return !arm.gate_facts.empty(); });
}

Json gates_json(const Arm& arm) {
  Json json = Json::object();
  for (const GateFacts& facts : arm.gate_facts) {
    Json& gate = json[facts.name] = {{"n", facts.n},
                                     {"crossed", facts.crossed},
                                     {"probability", facts.probability},
                                     {"ci95", interval_json(facts.interval)}};
    gate.update(statistics_of(facts, arm.table.replicates > 0));
    gate["warnings"] = gate_warnings(facts);
    if (facts.design) gate["design"] = design_json(facts);
    if (facts.release_frequency > 0) gate["per_year"] = facts.release_frequency * facts.probability;
  }
  return json;
}

std::string design_factors_text(const GateDesign& f) {
  std::string text = "block of " + short_number(f.mass) + " kg and radius " + short_number(f.radius) + " m";
  for (const auto& [name, factor] : {std::pair{"g_dp", f.g_dp},
                                     {"g_vol", f.g_vol},
                                     {"g_tr", f.g_tr},
                                     {"g_gamma", f.g_gamma},
                                     {"g_r", f.g_r},
                                     {"g_e", f.g_e}})
    text += std::string(", ") + name + " " + short_number(factor);
  return text;
}

namespace {

/// Heads and cells of what is said of crossings. Sliders have no height above their surface.
std::vector<std::string> crossing_heads(bool joules, const std::vector<double>& levels) {
  std::vector<std::string> heads{"share (95 %)"};
  for (const double level : levels)
    heads.push_back(std::string("energy, ") + (joules ? "kJ" : "J/kg") + ": p" + number_text(100 * level) + " (95 %)");
  if (joules) heads.push_back("height, m: p95 (95 %)");
  return heads;
}
std::vector<std::string> crossing_cells(const GateFacts& facts, bool joules, const std::vector<double>& levels) {
  std::vector<std::string> cells{facts.n == 0 ? "-" : share_text(facts.probability, facts.interval)};
  for (const double level : levels) cells.push_back(percentile_text(facts.energy, level, joules ? 1000 : 1));
  if (joules) cells.push_back(percentile_text(facts.height, 0.95));
  return cells;
}

/// A row for each arm under each gate.
TextTable gates_of_arms(std::span<const Arm> arms, std::size_t width) {
  const bool joules = in_joules(arms);
  std::vector<std::string> names, labels, heads{"gate", "arm"};
  for (const Arm& arm : arms) {
    labels.push_back(arm.name);
    for (const GateFacts& facts : arm.gate_facts)
      if (std::ranges::find(names, facts.name) == names.end()) names.push_back(facts.name);
  }
  const std::vector<std::string> short_names = distinct_within(names, width),
                                 short_labels = distinct_within(labels, width);
  for (const std::string& head : crossing_heads(joules, {0.95})) heads.push_back(head);
  TextTable table(2, heads);
  for (std::size_t n = 0; n < names.size(); ++n) {
    std::string name = short_names[n];
    for (std::size_t a = 0; a < arms.size(); ++a)
      for (const GateFacts& facts : arms[a].gate_facts)
        if (facts.name == names[n]) {
          std::vector<std::string> cells{std::exchange(name, ""), short_labels[a]};
          for (const std::string& cell : crossing_cells(facts, joules, {0.95})) cells.push_back(cell);
          table.row(cells);
        }
  }
  return table;
}

}  // namespace

TextTable gates_table(std::span<const Arm> arms, const std::vector<double>& levels, std::size_t width) {
  const bool joules = in_joules(arms);
  std::vector<std::string> names, heads{"gate", "crossed"};
  for (const Arm& arm : arms)
    for (const GateFacts& facts : arm.gate_facts) names.push_back(line_name(arms, arm, facts.name));
  names = distinct_within(names, width);
  for (const std::string& head : crossing_heads(joules, levels)) heads.push_back(head);
  TextTable table(1, heads);
  std::size_t place = 0;
  for (const Arm& arm : arms)
    for (const GateFacts& facts : arm.gate_facts) {
      std::vector<std::string> cells{names[place++], whole(facts.crossed) + " of " + whole(facts.n)};
      for (const std::string& cell : crossing_cells(facts, joules, levels)) cells.push_back(cell);
      table.row(cells);
    }
  return table;
}

GatesShown gates_shown(std::span<const Arm> arms) {
  const TextTable table = within_screen([&](std::size_t width) {
    return arms.size() == 1 ? gates_table(arms, {0.95}, width) : gates_of_arms(arms, width);
  });
  GatesShown shown{table.lines(screen_width), 0};
  std::vector<std::string> names;
  std::vector<const FenceDesign*> fences;
  for (const Arm& arm : arms)
    for (const GateFacts& facts : arm.gate_facts)
      if (facts.design) {
        names.push_back(line_name(arms, arm, facts.name));
        fences.push_back(&*facts.design);
      }
  constexpr std::size_t beside_fence = 22, most = 16;  // characters; lines
  names = distinct_within(names, beside_fence);
  for (std::size_t i = 0; i < names.size(); ++i)
    shown.lines.push_back("  " + names[i] + ": " + fence_text(*fences[i]) + " by the arithmetic of UNI 11211-4");
  shown.least = std::min(shown.lines.size(), most);
  if (in_joules(arms)) shown.lines.push_back("  " + std::string(heights_note));
  return shown;
}

void print_gates(const Printer& printer, std::span<const Arm> arms) {
  if (!have_gates(arms)) return;
  printer.title("Gates, at the first crossing of each sample");
  gates_table(arms).print(printer.out);
  for (const Arm& arm : arms)
    for (const GateFacts& facts : arm.gate_facts) {
      for (const std::string& warning : gate_warnings(facts)) printer.out << "  warning: " << warning << '\n';
      if (facts.crossed == 0) continue;
      printer.out << "\n  " << line_name(arms, arm, facts.name) << '\n';
      if (facts.design) print_design(printer.out, facts);
      print_statistics(printer, facts);
    }
  print_wrapped(printer.out, percentiles_note(arms) + (in_joules(arms) ? std::string(" ") + heights_note : ""), 0);
}

bool have_frequencies(std::span<const Arm> arms) {
  return std::ranges::any_of(arms, [](const Arm& arm) {
    const auto has = [](const GateFacts& facts) { return facts.release_frequency > 0; };
    return std::ranges::any_of(arm.gate_facts, has) ||
           std::ranges::any_of(arm.barrier_facts, has, &BarrierFacts::arrivals);
  });
}

std::string frequencies_title(std::span<const Arm> arms) {
  const Arm& arm = arms[0];
  const double frequency =
      arm.gate_facts.empty() ? arm.barrier_facts[0].arrivals.release_frequency : arm.gate_facts[0].release_frequency;
  return "Of " + number_text(frequency) + (frequency == 1 ? " release" : " releases") + " a year";
}

TextTable frequencies_table(std::span<const Arm> arms, std::size_t width) {
  const bool joules = in_joules(arms);
  const std::string lines = !have_barriers(arms) ? "gate" : have_gates(arms) ? "gate or barrier" : "barrier";
  std::vector<std::string> heads{lines, "a year (95 %)", "once in, yr"};
  const GateFacts& first = arms[0].gate_facts.empty() ? arms[0].barrier_facts[0].arrivals : arms[0].gate_facts[0];
  for (const EnergyAtPeriod& at : first.at_periods)
    heads.push_back(std::string(joules ? "kJ" : "J/kg") + ", " + number_text(at.years) + " yr");
  TextTable table(1, heads);
  std::vector<std::string> names;
  std::vector<const GateFacts*> all;
  for (const Arm& arm : arms) {
    for (const GateFacts& facts : arm.gate_facts) all.push_back(&facts);
    for (const BarrierFacts& facts : arm.barrier_facts) all.push_back(&facts.arrivals);
    while (names.size() < all.size()) names.push_back(line_name(arms, arm, all[names.size()]->name));
  }
  names = distinct_within(names, width);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const GateFacts& facts = *all[i];
    const double f = facts.release_frequency, p = facts.probability;
    std::vector<std::string> cells{
        names[i], facts.n == 0 ? "-" : share_text(f * p, {f * facts.interval.low, f * facts.interval.high}),
        p > 0 ? three_digits(1 / (f * p)) : "-"};
    for (const EnergyAtPeriod& at : facts.at_periods)
      cells.push_back(three_digits(at.energy / (joules ? 1000 : 1)) +
                      (few_exceed(at.allowed, facts.n).empty() ? "" : " (?)"));
    cells.resize(heads.size());
    table.row(cells);
  }
  return table;
}

void print_frequencies(const Printer& printer, std::span<const Arm> arms) {
  if (!have_frequencies(arms)) return;
  printer.title(frequencies_title(arms));
  frequencies_table(arms).print(printer.out);
  printer.out << frequencies_note << '\n';
}

std::string percentiles_note(std::span<const Arm> arms) {
  const GateFacts& first = arms[0].gate_facts.empty() ? arms[0].barrier_facts[0].arrivals : arms[0].gate_facts[0];
  const std::string end = "; ? is an end that so few do not tell.";
  return first.replicates > 0
             ? "Intervals are " + interval_name(first) +
                   "; percentiles are over the samples that crossed, and theirs are by the counts of the replicates" +
                   end
             : "Percentiles are over the samples that crossed, with the order statistics that they lie between" + end;
}

std::string barrier_text(const Barrier& barrier, const std::string& energy_unit) {
  const bool joules = energy_unit == "J";
  std::string text = number_text(barrier.height) + " m high, holds ";
  text += std::isinf(barrier.capacity)
              ? "all"
              : number_text(barrier.capacity / (joules ? 1000 : 1)) + (joules ? " kJ" : " " + energy_unit);
  if (barrier.margin != 0) text += ", margin " + number_text(barrier.margin) + " m";
  if (!std::isnan(barrier.base)) text += ", base at z = " + number_text(barrier.base) + " m";
  return text;
}

bool have_barriers(std::span<const Arm> arms) {
  return std::ranges::any_of(arms, [](const Arm& arm) { return !arm.barrier_facts.empty(); });
}

Json barriers_json(const Arm& arm) {
  Json json = Json::object();
  for (const BarrierFacts& facts : arm.barrier_facts) {
    const GateFacts& arrivals = facts.arrivals;
    const Barrier& given = facts.barrier;
    const auto share_json = [&](const CountedShare& share) {
      Json of{{"count", share.count}, {"probability", share.share}, {"ci95", interval_json(share.interval)}};
      if (arrivals.release_frequency > 0) of["per_year"] = arrivals.release_frequency * share.share;
      return of;
    };
    Json& barrier =
        json[arrivals.name] = {{"n", arrivals.n},
                               {"arrived", share_json({arrivals.crossed, arrivals.probability, arrivals.interval})},
                               {"caught", share_json(facts.caught)},
                               {"breached", share_json(facts.breached)},
                               {"overtopped", share_json(facts.overtopped)},
                               {"height", given.height},
                               {"capacity", std::isinf(given.capacity) ? Json(nullptr) : Json(given.capacity)},
                               {"margin", given.margin},
                               {"base", std::isnan(given.base) ? Json("ground") : Json(given.base)}};
    barrier.update(statistics_of(arrivals, arm.table.replicates > 0));
    barrier["warnings"] = barrier_warnings(facts);
  }
  return json;
}

TextTable barriers_table(std::span<const Arm> arms, std::size_t width) {
  const bool joules = in_joules(arms);
  std::vector<std::string> heads{"barrier", "", "samples", "share (95 %)",
                                 std::string("energy p95, ") + (joules ? "kJ" : "J/kg")};
  if (joules) heads.push_back("height p95, m");
  TextTable table(2, heads);
  std::vector<std::string> names;
  for (const Arm& arm : arms)
    for (const BarrierFacts& facts : arm.barrier_facts) names.push_back(line_name(arms, arm, facts.arrivals.name));
  names = distinct_within(names, width);
  std::size_t place = 0;
  for (const Arm& arm : arms)
    for (const BarrierFacts& facts : arm.barrier_facts) {
      const GateFacts& arrivals = facts.arrivals;
      const auto p95 = [](const std::vector<GatePercentile>& percentiles, double scale) {
        const auto p = std::ranges::find(percentiles, 0.95, &GatePercentile::level);
        return p == percentiles.end() || std::isnan(p->value) ? std::string("-") : three_digits(p->value / scale);
      };
      std::vector<std::string> cells{names[place++], "arrived", whole(arrivals.crossed) + " of " + whole(arrivals.n),
                                     arrivals.n == 0 ? "-" : share_text(arrivals.probability, arrivals.interval),
                                     p95(arrivals.energy, joules ? 1000 : 1)};
      if (joules) cells.push_back(p95(arrivals.height, 1));
      table.row(std::move(cells));
      for (const auto& [text, share] :
           {std::pair{"caught", &facts.caught}, {"breached", &facts.breached}, {"overtopped", &facts.overtopped}}) {
        std::vector<std::string> of{"", text, whole(share->count),
                                    arrivals.n == 0 ? "-" : share_text(share->share, share->interval), ""};
        of.resize(heads.size());
        table.row(std::move(of));
      }
    }
  return table;
}

std::vector<std::string> barriers_lines(std::span<const Arm> arms) {
  std::vector<std::string> lines =
      within_screen([&](std::size_t width) { return barriers_table(arms, width); }).lines(screen_width);
  lines.push_back("  " + std::string(barriers_note));
  return lines;
}

void print_barriers(const Printer& printer, std::span<const Arm> arms) {
  if (!have_barriers(arms)) return;
  printer.title("Barriers; energy and height at the first arrival of each sample");
  barriers_table(arms).print(printer.out);
  for (const Arm& arm : arms)
    for (const BarrierFacts& facts : arm.barrier_facts) {
      const GateFacts& arrivals = facts.arrivals;
      for (const std::string& warning : barrier_warnings(facts)) printer.out << "  warning: " << warning << '\n';
      printer.out << "\n  " << line_name(arms, arm, arrivals.name) << ": "
                  << barrier_text(facts.barrier, arrivals.energy_unit) << '\n';
      if (arrivals.crossed > 0) print_statistics(printer, arrivals);
    }
  printer.out << barriers_note << '\n';
}

}  // namespace scree
