#include "beside.hpp"

#include <cmath>
#include <numeric>

#include "host/common/text_input.hpp"

namespace scree {

std::string status_list(const StatusCounts& status, const std::function<bool(std::uint32_t)>& listed) {
  std::string text;
  for (std::uint32_t s = 1; s <= status_count; ++s) {
    const std::uint32_t k = s % status_count;  // not_run last
    if (status[k] > 0 && listed(k)) text += (text.empty() ? "" : ", ") + whole(status[k]) + " " + status_names[k];
  }
  return text;
}

std::vector<double> observed_in(const Observed& observed, const std::string& group) {
  std::vector<double> values;
  for (std::size_t i = 0; i < observed.group.size(); ++i)
    if (observed.group[i] == group) values.push_back(observed.value[i]);
  return values;
}

std::string why_no_total(const Run& run, const Statistics& statistics, const Column& column, std::size_t number) {
  constexpr double most = 0.05;
  const std::vector<GroupStatistics>& groups = statistics.groups;
  const bool observed = !run.observed.group.empty();
  std::vector<double> entered, expected;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    entered.push_back(static_cast<double>(groups[g].columns[number].n));
    expected.push_back(observed ? static_cast<double>(observed_in(run.observed, run.shape_names[g]).size())
                                : static_cast<double>(groups[g].samples));
    if (entered[g] == 0 && expected[g] > 0)
      return "no sample of " + run.shape_names[g] + (column.counted == Counted::stopped ? " stopped" : " has a value");
  }
  const double all_entered = std::accumulate(entered.begin(), entered.end(), 0.0),
               all_expected = std::accumulate(expected.begin(), expected.end(), 0.0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double here = entered[g] / all_entered, there = expected[g] / all_expected;
    if (std::fabs(here - there) > most)
      return run.shape_names[g] + " is " + short_number(100 * here) + " % of the samples " +
             section_name(column.counted) + ", but " + short_number(100 * there) + " % of " +
             (observed ? "the observations" : "all samples");
  }
  return "";
}

bool is_censored(Counted counted, const StatusCounts& status) {
  if (counted != Counted::stopped) return false;
  std::uint64_t n = 0;
  for (const Status s : {Status::end_time, Status::left_terrain, Status::no_data})
    n += status[static_cast<std::size_t>(s)];
  return n > 0;
}

std::string status_line(std::uint64_t samples, const StatusCounts& status) {
  const std::string list = status_list(status, [](std::uint32_t) { return true; });
  return samples_text(samples) + (list.empty() ? "" : ": " + list);
}

namespace {

/// "17.88 (7.4)"
std::string with_sd(const std::string& mean, const std::string& sd) {
  return sd == "-" ? mean : mean + " (" + sd + ")";
}

}  // namespace

TextTable published_table(const Run& run, std::span<const Arm> arms) {
  TextTable table(3, {"column", "unit", "scheme", "n", "here: mean (sd)", "published: mean (sd)", "ratio"});
  for (const Published::Row& row : run.published.rows)
    for (const Arm& arm : arms) {
      const int c = arm.table.description->column(row.column);
      if (c < 0 || !row.place.empty() || (!row.scheme.empty() && row.scheme != arm.scheme)) continue;
      ColumnStatistics scaled = arm.statistics.columns[static_cast<std::size_t>(c)];
      if (row.over_steps) {
        const OverSteps all = over_steps(arm.table, c);
        scaled.n = all.n;
        scaled.mean = all.mean;
        scaled.sd = all.sd;
        scaled.ci_low = all.ci_low;
        scaled.ci_high = all.ci_high;
      }
      for (double* x : {&scaled.mean, &scaled.sd, &scaled.ci_low, &scaled.ci_high}) *x /= row.scale;
      const ColumnTexts texts = column_texts(scaled);
      table.row({row.column + (row.over_steps ? ", steps" : ""), row.unit == "1" ? "" : row.unit, arm.name,
                 whole(scaled.n), with_sd(texts.mean, texts.sd),
                 with_sd(number_text(row.mean), std::isnan(row.sd) ? "-" : number_text(row.sd)),
                 row.mean == 0 ? "-" : number_within(scaled.mean / row.mean, half_width(scaled) / row.mean)});
    }
  return table;
}

std::string published_title(const Published& published) {
  return "Beside published means: " + published.source + (published.place.empty() ? "" : ", " + published.place);
}

namespace {

/// The table of observed beside simulated, and what its footnotes need.
class ObservedTable {
 public:
  ObservedTable(const Run& run, const Column& column, std::size_t number)
      : run_(run),
        column_(column),
        number_(number),
        table_(2, {"scheme", run.group_by.empty() ? "group" : run.group_by, "observed", "mean", "+-95 %", "sd",
                   column.counted == Counted::stopped ? "stopped" : "finished", "of", "mean", "+-95 %", "sd",
                   "sim - obs"}) {}

  void add(const Arm& arm) {
    const Statistics& all = arm.statistics;
    const bool by_group = !all.groups.empty() && run_.observed.group.size() == run_.observed.value.size();
    for (std::size_t g = 0; by_group && g < all.groups.size(); ++g) {
      const GroupStatistics& group = all.groups[g];
      const std::vector<double> values = observed_in(run_.observed, run_.shape_names[g]);
      if (!values.empty()) row(arm, run_.shape_names[g], values, group.samples, group.status, group.columns[number_]);
    }
    if (const std::string why = by_group ? why_no_total(run_, all, column_, number_) : ""; !why.empty())
      notes_.push_back(arm.name + ", all: not shown, " + why + ".");
    else
      row(arm, "all", run_.observed.value, arm.table.samples, all.status, all.columns[number_]);
  }

  ObservedBeside result() const {
    return {"", table_, left_out_.empty() ? "" : "Left out: " + left_out_ + ".", notes_, censored_};
  }

 private:
  void row(const Arm& arm, const std::string& name, const std::vector<double>& values, std::uint64_t samples,
           const StatusCounts& status, const ColumnStatistics& simulated) {
    const ColumnStatistics seen = column_statistics(values);
    const ColumnTexts there = column_texts(seen), here = column_texts(simulated);
    table_.row({arm.name, name, whole(seen.n), there.mean, there.half_width, there.sd, whole(simulated.n),
                whole(samples), here.mean, here.half_width, here.sd,
                number_within(simulated.mean - seen.mean, std::hypot(half_width(seen), half_width(simulated)))});
    std::string rest = status_list(status, [&](std::uint32_t s) { return !counts(column_.counted, s); });
    if (simulated.undefined > 0) rest += (rest.empty() ? "" : ", ") + whole(simulated.undefined) + " without a value";
    if (!rest.empty()) left_out_ += (left_out_.empty() ? "" : "; ") + arm.name + ", " + name + ": " + rest;
    censored_ = censored_ || is_censored(column_.counted, status);
  }

  const Run& run_;
  const Column& column_;
  std::size_t number_;
  TextTable table_;
  std::string left_out_;
  std::vector<std::string> notes_;
  bool censored_ = false;
};

}  // namespace

std::optional<ObservedBeside> observed_beside(const Run& run, std::span<const Arm> arms) {
  const Observed& observed = run.observed;
  if (observed.value.empty()) return {};
  const Description& description = *arms[0].table.description;
  const int c = description.column(observed.column);
  if (c < 0) return {};
  const Column& column = column_of(description, c);
  ObservedTable table(run, column, static_cast<std::size_t>(c));
  for (const Arm& arm : arms) table.add(arm);
  ObservedBeside beside = table.result();
  beside.title = "Observed beside simulated: " + observed.column + " (" + column.unit +
                 "), simulated over the samples " + section_name(column.counted);
  return beside;
}

}  // namespace scree
