#include "observed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "hdf5.hpp"

namespace scree {
namespace {

using h5::Handle;
using h5::write_attribute;

constexpr const char* holdouts[] = {"none", "some", "leave-one-out"};  // in the order of Observed::Holdout

/// f(name, member) for each number of a score.
template <class F>
void for_each_score(const F& f) {
  f("samples", &ForecastScore::samples);
  f("counted", &ForecastScore::counted);
  f("bias", &ForecastScore::bias);
  f("crps", &ForecastScore::crps);
  f("others_crps", &ForecastScore::others_crps);
  f("energy", &ForecastScore::energy);
  f("others_energy", &ForecastScore::others_energy);
  f("pit", &ForecastScore::pit);
  f("in_50", &ForecastScore::in_half);
  f("in_90", &ForecastScore::in_most);
}

/// Numbers that a damaged file may have anything in.
std::vector<double> read_numbers(hid_t group, const std::string& name, std::uint64_t size) {
  h5::require_size(h5::open_array(group, name), size);  // before memory is taken for it
  std::vector<double> values(size);
  h5::read_array(group, name, H5T_NATIVE_DOUBLE, size, values.data());
  return values;
}
std::vector<std::uint64_t> read_whole(hid_t group, const std::string& name, std::uint64_t size, double below) {
  std::vector<std::uint64_t> whole;
  for (const double value : read_numbers(group, name, size)) {
    if (!(value >= 0 && value < below && value == std::trunc(value)))
      throw std::runtime_error("dataset " + name + " of the observations has a value that cannot be");
    whole.push_back(static_cast<std::uint64_t>(value));
  }
  return whole;
}

}  // namespace

void write_observed(hid_t file, const Run& run) {
  const Observed& observed = run.observed;
  if (observed.value.empty()) return;
  const Handle group = h5::create_group(file, "observed");
  const hsize_t dims[] = {observed.value.size()};
  write_attribute(group, "column", observed.column);
  write_attribute(group, "note", observed.note);
  write_attribute(group, "observations", static_cast<std::uint64_t>(observed.value.size()));
  write_attribute(group, "start_rows", observed.rows);
  write_attribute(group, "holdout", std::string(holdouts[static_cast<std::size_t>(observed.holdout)]));
  const Handle along = h5::write_dimension(group, "observation", dims[0]);
  const auto numbers = [&](const char* name, const std::vector<double>& values) {
    if (!values.empty()) label(h5::write_array(group, name, dims, values), 0, along);
  };
  std::vector<double> groups, x, y;
  for (const std::string& name : observed.group)
    groups.push_back(static_cast<double>(std::ranges::find(run.shape_names, name) - run.shape_names.begin()));
  for (const auto& place : observed.place) {
    x.push_back(place[0]);
    y.push_back(place[1]);
  }
  numbers("value", observed.value);
  numbers("group", groups);
  numbers("start_row", {observed.row.begin(), observed.row.end()});
  numbers("x", x);
  numbers("y", y);
  numbers("outside", {observed.outside.begin(), observed.outside.end()});
}

void read_observed(hid_t file, const Description& description, Run& run) {
  if (!h5::has_link(file, "observed")) return;
  const Handle group = h5::open_group(file, "observed");
  Observed& observed = run.observed;
  observed.column = h5::read_text(group, "column");
  if (description.column(observed.column) < 0) throw std::runtime_error("attribute column of observed is no column");
  observed.note = h5::read_text(group, "note");
  const std::string holdout = h5::read_text(group, "holdout");
  const auto* const found = std::ranges::find(holdouts, holdout);
  if (found == std::end(holdouts)) throw std::runtime_error("attribute holdout is none that is known");
  observed.holdout = static_cast<Observed::Holdout>(found - holdouts);
  const std::uint64_t count = h5::read_uint(group, "observations");
  observed.rows = h5::read_uint(group, "start_rows");
  observed.value = read_numbers(group, "value", count);
  if (h5::has_link(group, "group"))
    for (const std::uint64_t number : read_whole(group, "group", count, static_cast<double>(run.shape_names.size())))
      observed.group.push_back(run.shape_names[number]);
  if (observed.rows > 0) observed.row = read_whole(group, "start_row", count, static_cast<double>(observed.rows));
  if (h5::has_link(group, "x")) {
    const std::vector<double> x = read_numbers(group, "x", count), y = read_numbers(group, "y", count);
    for (std::uint64_t k = 0; k < count; ++k) observed.place.push_back({x[k], y[k]});
    if (description.deposition_x < 0) throw std::runtime_error("observed places have no column to compare with");
  }
  if (observed.holdout == Observed::Holdout::some)
    for (const std::uint64_t held : read_whole(group, "outside", count, 2)) observed.outside.push_back(held != 0);
}

void write_scores(hid_t sensitivity, const Run& run, const std::vector<Variant>& variants) {
  if (std::ranges::any_of(variants, [](const Variant& variant) { return variant.arm.scores.each.empty(); })) return;
  const Handle group = h5::create_group(sensitivity, "scores");
  const hsize_t dims[] = {variants.size(), run.observed.value.size()};
  const Handle row = h5::write_dimension(group, "row", dims[0]),
               along = h5::write_dimension(group, "observation", dims[1]);
  for_each_score([&](const char* name, auto member) {
    std::vector<double> values;
    for (const Variant& variant : variants)
      for (const ForecastScore& score : variant.arm.scores.each) values.push_back(static_cast<double>(score.*member));
    const Handle array = h5::write_array(group, name, dims, values);
    label(array, 0, row);
    label(array, 1, along);
  });
}

void read_scores(hid_t sensitivity, const Run& run, std::vector<Variant>& variants) {
  if (!h5::has_link(sensitivity, "scores")) return;
  const Handle group = h5::open_group(sensitivity, "scores");
  const std::size_t count = run.observed.value.size();
  std::vector<std::vector<ForecastScore>> each(variants.size(), std::vector<ForecastScore>(count));
  for_each_score([&](const char* name, auto member) {
    const std::vector<double> values = read_numbers(group, name, variants.size() * count);
    for (std::size_t i = 0; i < values.size(); ++i) {
      using Number = std::remove_reference_t<decltype(each[0][0].*member)>;
      if (std::is_integral_v<Number> && !(values[i] >= 0 && values[i] < 0x1p64))
        throw std::runtime_error(std::string("dataset ") + name + " of the scores has a value that cannot be");
      each[i / count][i % count].*member = static_cast<Number>(values[i]);
    }
  });
  for (std::size_t i = 0; i < variants.size(); ++i) variants[i].arm.scores = scores_of(run, std::move(each[i]));
}

}  // namespace scree
