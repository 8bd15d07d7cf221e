#include "converge.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "compare.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "printer.hpp"
#include "report.hpp"
#include "short_report.hpp"

namespace scree {
namespace {

void print_cost(const Printer& printer, std::span<const Arm> arms) {
  printer.title("Cost");
  TextTable table(1, {"arm", "step (s)", "samples", "steps/sample", "core-s", "us/sample"});
  const auto row = [&](const Arm& arm, const std::string& name) {
    const double samples = static_cast<double>(arm.table.samples), core_s = arm.wall_s * arm.threads;
    table.row({name, number_text(arm.step), whole(arm.table.samples),
               short_number(static_cast<double>(arm.sample_steps) / samples), short_number(core_s),
               short_number(1e6 * core_s / samples)});
  };
  for (const Arm& arm : arms) {
    row(arm, arm.name);
    for (const Arm& finer : arm.finer) row(finer, "");
  }
  table.print(printer.out);
}

/// The rows of one arm: the mean at each step and how it changes.
void add_rows(TextTable& table, const Arm& arm, const ColumnSteps& s) {
  for (std::size_t k = 0; k < s.means.size(); ++k) {
    const Arm& at = k == 0 ? arm : arm.finer[k - 1];
    std::vector<std::string> cells{
        k == 0 ? arm.name : "", number_text(at.step),
        short_number(static_cast<double>(at.sample_steps) / static_cast<double>(at.table.samples))};
    const bool has_change = k < s.changes.size();
    const double width = s.changes[std::min(k, s.changes.size() - 1)].half_width();
    cells.push_back(number_within(s.means[k], width));
    cells.push_back(has_change ? number_within(s.changes[k].value, width) : "");
    cells.push_back(has_change ? error_text(width) : "");
    const bool has_order = k < s.orders.size() && std::isfinite(s.orders[k].value);
    cells.push_back(has_order ? order_text(s.orders[k]) : k < s.orders.size() ? "-" : "");
    cells.push_back(has_order ? error_text(s.orders[k].half_width()) : "");
    const bool last = k + 1 == s.means.size();
    cells.push_back(last && !s.order_seen ? "" : step_error_text(s.errors[k], s.order_seen));
    table.row(cells);
  }
}

}  // namespace

void print_converge(std::ostream& out, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation,
                    const Form& form) {
  if (!form.all) return print_short_converge(out, run, arms, evaluation, form);
  const Printer printer{out, form.colour};
  print_header(printer, run, arms);
  print_cost(printer, arms);
  const Description& description = *arms[0].table.description;
  for (const int c : evaluation.columns) {
    const std::size_t k = static_cast<std::size_t>(c);
    const Column& column = column_of(description, c);
    TextTable table(1, {"arm", "step (s)", "steps/sample", "mean", "change", "+-95 %", "order", "+-95 %", "error"});
    for (std::size_t a = 0; a < arms.size(); ++a)
      if (!evaluation.steps[a].empty() && evaluation.steps[a][k].n >= 1)
        add_rows(table, arms[a], evaluation.steps[a][k]);
    if (table.empty()) continue;
    printer.title(column.name + (unit_of(column).empty() ? "" : " (" + unit_of(column) + ")") +
                  ": mean by step, over the samples " + section_name(column.counted) + " at every step");
    table.print(out);
  }
  print_wrapped(out,
                "Change: to the next row's step, a paired difference. Order: log2 of this change over the next, where "
                "both are seen. Error: size of mean minus limit; the limit is extrapolated (Richardson) where the "
                "order is seen, else it is the finest step's mean and the error a lower bound (>=), or not seen and "
                "smaller than is said (<).",
                2);
  if (!evaluation.verdict.empty()) printer.title("Verdict");
  for (const std::string& text : evaluation.verdict) print_wrapped(out, "- " + text, 2);
}

}  // namespace scree
