#include "compare.hpp"

#include <cmath>

namespace scree {
namespace {

using h5::Handle;
using h5::label;
using h5::write_array;
using h5::write_attribute;

/// Writes arrays of one group, each labelled with the same coordinates.
struct Labelled {
  hid_t group;
  std::vector<hsize_t> dims;
  std::vector<hid_t> coordinates;

  Handle finish(Handle dataset, const std::string& meaning) const {
    for (unsigned d = 0; d < coordinates.size(); ++d) label(dataset, d, coordinates[d]);
    write_attribute(dataset, "long_name", meaning);
    return dataset;
  }
  Handle write(const std::string& name, const std::string& meaning, const std::vector<double>& values) const {
    return finish(write_array(group, name, dims, values), meaning);
  }
  Handle write(const std::string& name, const std::string& meaning, const std::vector<std::int64_t>& values) const {
    return finish(write_array(group, name, dims, values), meaning);
  }
  /// A number and its interval.
  void write(const std::string& name, const std::string& meaning, const std::vector<Estimate>& values) const {
    std::vector<double> value, low, high;
    for (const Estimate& e : values) {
      value.push_back(e.value);
      low.push_back(e.low);
      high.push_back(e.high);
    }
    write(name, meaning, value);
    write(name + "_low", "lower end of the 95 % interval", low);
    write(name + "_high", "upper end of the 95 % interval", high);
  }
};

std::vector<std::string> judgement_names() {
  std::vector<std::string> names;
  for (int j = 0; j <= static_cast<int>(Judgement::undecided); ++j)
    names.push_back(judgement_name(static_cast<Judgement>(j)));
  return names;
}

/// One value per comparison and column.
template <class Value>
auto over_columns(const std::vector<Comparison>& comparisons, Value value) {
  std::vector<decltype(value(comparisons[0].columns[0]))> values;
  for (const Comparison& comparison : comparisons)
    for (const ColumnComparison& c : comparison.columns) values.push_back(value(c));
  return values;
}

std::int64_t count(std::uint64_t n) { return static_cast<std::int64_t>(n); }

/// How much of each difference goes with the step, where that was seen; NaN elsewhere.
void write_shares(const Labelled& both, const Evaluation& evaluation) {
  const Estimate none{std::nan(""), std::nan(""), std::nan("")};
  std::vector<Estimate> of_baseline(both.dims[0] * both.dims[1], none), of_arm = of_baseline;
  bool some = false;
  for (std::size_t a = 0; a < evaluation.shares.size(); ++a)
    for (std::size_t h = 0; h < evaluation.shares[a].size(); ++h) {
      const std::size_t at = a * both.dims[1] + static_cast<std::size_t>(evaluation.columns[h]);
      of_baseline[at] = evaluation.shares[a][h].baseline;
      of_arm[at] = evaluation.shares[a][h].arm;
      some = true;
    }
  if (!some) return;
  both.write("step_share_baseline", "share of the difference that is time-step error of the baseline", of_baseline);
  both.write("step_share_arm", "share of the difference that is time-step error of the arm", of_arm);
}

void write_compare(hid_t file, const Run& run, const std::vector<Arm>& arms, const Evaluation& evaluation) {
  using C = ColumnComparison;
  const Handle group = h5::create_group(file, "compare");
  const Description& description = *arms[0].table.description;
  write_attribute(group, "baseline", arms[0].name);
  write_attribute(group, "verdict", std::span<const std::string>(evaluation.verdict));
  write_attribute(group, "wilcoxon_rules", std::string(wilcoxon_rules));
  write_attribute(group, "permutations", permutations);
  write_attribute(group, "bootstrap_resamples", bootstrap_resamples);
  std::vector<std::string> names;
  for (const Comparison& comparison : evaluation.comparisons) names.push_back(comparison.arm);
  const Handle arm = h5::write_coordinate(group, "arm", names), column = column_coordinate(group, description);
  const Labelled by_arm{group, {names.size()}, {arm}}, by_column{group, {description.columns.size()}, {column}},
      both{group, {names.size(), description.columns.size()}, {arm, column}};

  const auto counts = [&](const char* name, const char* meaning, std::uint64_t PairedColumn::*member) {
    both.write(name, meaning,
               over_columns(evaluation.comparisons, [member](const C& c) { return count(c.paired.*member); }));
  };
  counts("n", "pairs: samples that entered in both arms", &PairedColumn::n);
  counts("left_out", "samples that did not enter in both arms", &PairedColumn::left_out);
  counts("only_baseline", "samples that entered in the baseline only", &PairedColumn::only_baseline);
  counts("only_arm", "samples that entered in the arm only", &PairedColumn::only_arm);
  const auto numbers = [&](const std::string& name, const std::string& meaning, auto value) {
    both.write(name, meaning, over_columns(evaluation.comparisons, value));
  };
  const auto paired = [&](const char* name, const char* meaning, double PairedColumn::*member) {
    numbers(name, meaning, [member](const C& c) { return c.paired.*member; });
  };
  paired("difference", "mean of arm minus baseline", &PairedColumn::difference);
  paired("sd", "standard deviation of the differences, with n - 1", &PairedColumn::sd);
  paired("standard_error", "of the mean difference", &PairedColumn::standard_error);
  paired("freedom", "degrees of freedom of the standard error", &PairedColumn::freedom);
  paired("ci95_low", "lower end of the 95 % interval of the mean difference (Student's t)", &PairedColumn::ci_low);
  paired("ci95_high", "upper end of the 95 % interval of the mean difference (Student's t)", &PairedColumn::ci_high);
  numbers("bca95_low", "lower end of the 95 % BCa bootstrap interval of the mean difference",
          [](const C& c) { return c.bootstrap.interval.low; });
  numbers("bca95_high", "upper end of the 95 % BCa bootstrap interval of the mean difference",
          [](const C& c) { return c.bootstrap.interval.high; });
  if (arms[0].table.replicates > 0)
    paired("gain", "variance of the mean difference of n independent pairs over that between the replicates",
           &PairedColumn::gain);
  paired("effect_size", "mean difference / sd of the differences", &PairedColumn::effect_size);
  numbers("sd_ratio", "standard deviation of the arm / that of the baseline", [](const C& c) { return c.sd_ratio; });
  for (std::size_t t = 0; t < column_tests; ++t) {
    const std::string name = column_test_names[t];
    numbers(name, "statistic", [t](const C& c) { return c.tests[t].statistic; });
    numbers(name + "_p", "two-sided p-value", [t](const C& c) { return c.tests[t].p; });
    numbers(name + "_p_holm", "after Holm's adjustment over the columns",
            [t](const C& c) { return c.tests[t].p_holm; });
  }
  by_column.write("margin", "difference that matters, in the column's unit; 0: none given",
                  run.margins.empty() ? std::vector<double>(description.columns.size()) : run.margins);
  both.write(
      "intervals_disagree", "1 where t and bootstrap interval say different things",
      over_columns(evaluation.comparisons, [](const C& c) { return static_cast<std::int64_t>(c.intervals_disagree); }));
  both.write("bootstrap_units", "values, or block means, that the bootstrap draws from",
             over_columns(evaluation.comparisons, [](const C& c) { return count(c.bootstrap.units); }));
  both.write("permuted_pairs", "pairs that the permutation tests took",
             over_columns(evaluation.comparisons, [](const C& c) { return count(c.permuted); }));
  write_shares(both, evaluation);
  numbers("p_equivalent", "two one-sided t tests, after Holm's adjustment", [](const C& c) { return c.p_equivalent; });
  numbers("p_beyond", "one t test beyond the margin, after Holm's adjustment", [](const C& c) { return c.p_beyond; });
  numbers("samples_needed", "to decide with a power of 90 %, where undecided",
          [](const C& c) { return c.samples_needed; });
  const Handle judgement = both.write(
      "judgement", "at the level of 5 %",
      over_columns(evaluation.comparisons, [](const C& c) { return static_cast<std::int64_t>(c.judgement); }));
  h5::write_flags(judgement, judgement_names());

  const auto endings = [&](const char* name, const char* meaning, std::uint64_t Comparison::*member) {
    std::vector<std::int64_t> values;
    for (const Comparison& comparison : evaluation.comparisons) values.push_back(count(comparison.*member));
    by_arm.write(name, meaning, values);
  };
  std::vector<double> mcnemar;
  for (const Comparison& comparison : evaluation.comparisons) mcnemar.push_back(comparison.stopping.p);
  by_arm.write("stopping_p", "exact McNemar test that as many samples stop in one arm as in the other", mcnemar);
  endings("stopped_both", "samples that stopped in both arms", &Comparison::stopped_both);
  endings("stopped_baseline", "samples that stopped in the baseline only", &Comparison::stopped_baseline);
  endings("stopped_arm", "samples that stopped in the arm only", &Comparison::stopped_arm);
}

/// An arm at its step, then at its finer ones.
std::vector<const Arm*> ladder(const Arm& arm) {
  std::vector<const Arm*> arms{&arm};
  for (const Arm& finer : arm.finer) arms.push_back(&finer);
  return arms;
}

void write_converge(hid_t file, const std::vector<Arm>& arms, const Evaluation& evaluation) {
  const Estimate none{std::nan(""), std::nan(""), std::nan("")};
  std::vector<std::string> names;
  std::size_t levels = 0;
  for (const Arm& arm : arms) {
    names.push_back(arm.name);
    levels = std::max(levels, ladder(arm).size());
  }
  if (levels < 2) return;
  const Description& description = *arms[0].table.description;
  const std::size_t columns = description.columns.size();
  const Handle group = h5::create_group(file, "converge");
  const Handle arm = h5::write_coordinate(group, "arm", names), column = column_coordinate(group, description);
  const Labelled by_level{group, {names.size(), levels}, {arm}},
      by_column{group, {names.size(), columns}, {arm, column}}, all{group, {names.size(), levels, columns}, {arm}};

  std::vector<double> step, core_s;
  std::vector<std::int64_t> samples, sample_steps;
  for (const Arm& one : arms) {
    const std::vector<const Arm*> at = ladder(one);
    for (std::size_t k = 0; k < levels; ++k) {
      const bool run = k < at.size();
      step.push_back(run ? at[k]->step : std::nan(""));
      core_s.push_back(run ? at[k]->wall_s * at[k]->threads : std::nan(""));
      samples.push_back(run ? count(at[k]->table.samples) : 0);
      sample_steps.push_back(run ? count(at[k]->sample_steps) : 0);
    }
  }
  by_level.write("step", "time step, s", step);
  by_level.write("samples", "samples that were run", samples);
  by_level.write("sample_steps", "steps of all samples", sample_steps);
  by_level.write("core_s", "seconds, times threads", core_s);

  std::vector<double> means;
  std::vector<Estimate> changes, orders, errors, sd_errors;
  std::vector<std::int64_t> n, seen;
  for (const std::vector<ColumnSteps>& steps : evaluation.steps) {
    for (std::size_t k = 0; k < levels; ++k)
      for (std::size_t c = 0; c < columns; ++c) {
        const ColumnSteps* s = steps.empty() ? nullptr : &steps[c];
        means.push_back(s && k < s->means.size() ? s->means[k] : std::nan(""));
        changes.push_back(s && k < s->changes.size() ? s->changes[k] : none);
        orders.push_back(s && k < s->orders.size() ? s->orders[k] : none);
        errors.push_back(s && k < s->errors.size() ? s->errors[k] : none);
      }
    for (std::size_t c = 0; c < columns; ++c) {
      n.push_back(steps.empty() ? 0 : count(steps[c].n));
      seen.push_back(!steps.empty() && steps[c].order_seen);
      sd_errors.push_back(steps.empty() ? none : steps[c].sd_error);
    }
  }
  all.write("mean", "over the samples with a value at every step", means);
  all.write("change", "of the mean, to the next level", changes);
  all.write("order", "log2 of the quotient of this level's change and the next", orders);
  by_column.write("n", "samples with a value at every step", n);
  all.write("error", "time-step error of the mean; a lower bound unless order_seen", errors);
  by_column.write("order_seen", "1 where the scheme's order has been seen", seen);
  by_column.write("sd_error", "standard deviation at the first level minus that at the last", sd_errors);
}

}  // namespace

void write_comparisons(hid_t file, const Run& run, const std::vector<Arm>& arms, const Evaluation& evaluation) {
  if (!evaluation.comparisons.empty()) write_compare(file, run, arms, evaluation);
  write_converge(file, arms, evaluation);
}

std::vector<double> read_margins(hid_t file, const Description& description) {
  std::vector<double> margins(description.columns.size());
  const Handle group = h5::open_group(file, "compare");
  h5::read_array(group, "margin", H5T_NATIVE_DOUBLE, margins.size(), margins.data());
  return margins;
}

Handle column_coordinate(hid_t group, const Description& description) {
  Handle coordinate = h5::write_coordinate(group, "column", description.column_names());
  std::vector<std::string> units;
  for (const Column& column : description.columns) units.push_back(column.unit);
  label(write_array(group, "unit", units), 0, coordinate);
  return coordinate;
}

}  // namespace scree
