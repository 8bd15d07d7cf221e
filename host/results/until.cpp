#include "until.hpp"

#include <algorithm>
#include <stdexcept>

#include "hdf5.hpp"

namespace scree {

using h5::Handle;

void write_until(hid_t parent, const Until& until) {
  const Handle group = h5::create_group(parent, "until");
  h5::write_attribute(group, "description",
                      std::string("the run looked at planned numbers of samples and ended when every target was met; "
                                  "the intervals of all looks and targets together miss with 5 % at most"));
  h5::write_attribute(group, "looks_taken", static_cast<std::uint64_t>(until.taken));
  h5::write_attribute(group, "looks_planned", static_cast<std::uint64_t>(until.looks.size()));
  h5::write_attribute(group, "miss", until.miss);
  const hsize_t planned[] = {until.looks.size()};
  const std::vector<std::int64_t> looks(until.looks.begin(), until.looks.end());
  const Handle look = h5::write_array(group, "looks", planned, looks);
  h5::write_attribute(look, "long_name", std::string("numbers of samples at which the run was to look"));

  std::vector<std::string> names;
  for (const Reached& reached : until.targets) names.push_back(reached.target.text);
  h5::write_attribute(group, "targets", names);
  const Handle target = h5::write_array(group, "target", names);
  h5::make_coordinate(target, "target");
  const hsize_t dims[] = {until.targets.size()};
  const auto labelled = [&](const Handle& dataset, const char* meaning) {
    h5::label(dataset, 0, target);
    h5::write_attribute(dataset, "long_name", std::string(meaning));
  };
  const auto numbers = [&](const char* name, const char* meaning, auto value) {
    std::vector<double> values;
    for (const Reached& reached : until.targets) values.push_back(value(reached));
    labelled(h5::write_array(group, name, dims, values), meaning);
  };
  std::vector<std::int64_t> n, met;
  std::vector<std::string> why;
  for (const Reached& reached : until.targets) {
    n.push_back(static_cast<std::int64_t>(reached.n));
    met.push_back(reached.met);
    why.push_back(reached.why);
  }
  h5::write_attribute(group, "why", why);
  labelled(h5::write_array(group, "n", dims, n), "samples that entered");
  numbers("estimate", "the statistic", [](const Reached& r) { return r.estimate; });
  numbers("low", "lower end of its interval, which misses it with `miss`",
          [](const Reached& r) { return r.interval.low; });
  numbers("high", "upper end of its interval", [](const Reached& r) { return r.interval.high; });
  numbers("half_width", "the larger distance from the estimate to an end",
          [](const Reached& r) { return r.half_width; });
  numbers("allowed", "the largest half width that meets the target", [](const Reached& r) { return r.allowed; });
  labelled(h5::write_array(group, "met", dims, met), "1 if the target is met");
}

Until read_until(hid_t parent, const Description& description) {
  Until until;
  if (!h5::has_link(parent, "until")) return until;
  const Handle group = h5::open_group(parent, "until");
  until.taken = h5::read_uint(group, "looks_taken");
  until.miss = h5::read_double(group, "miss");
  const std::uint64_t planned = h5::read_uint(group, "looks_planned");
  h5::require_size(h5::open_array(group, "looks"), planned);  // before memory is taken for what a damaged file asks
  until.looks.resize(planned);
  h5::read_array(group, "looks", H5T_NATIVE_UINT64, planned, until.looks.data());
  if (until.taken > planned) throw std::runtime_error("attribute looks_taken exceeds the looks");
  const std::vector<PrecisionTarget> targets = parse_targets(h5::read_texts(group, "targets"), description);
  const auto numbers = [&](const char* name) {
    std::vector<double> values(targets.size());
    h5::read_array(group, name, H5T_NATIVE_DOUBLE, targets.size(), values.data());
    return values;
  };
  std::vector<std::string> why(targets.size());
  if (h5::has_attribute(group, "why")) why = h5::read_texts(group, "why");
  if (why.size() != targets.size()) throw std::runtime_error("attribute why has not as many texts as targets");
  std::vector<std::int64_t> n(targets.size());
  h5::read_array(group, "n", H5T_NATIVE_INT64, targets.size(), n.data());
  if (std::any_of(n.begin(), n.end(), [](std::int64_t count) { return count < 0; }))
    throw std::runtime_error("numbers n of samples below 0");
  const std::vector<double> estimate = numbers("estimate"), low = numbers("low"), high = numbers("high"),
                            half_width = numbers("half_width"), allowed = numbers("allowed"), met = numbers("met");
  for (std::size_t i = 0; i < targets.size(); ++i)
    until.targets.push_back({targets[i],
                             static_cast<std::uint64_t>(n[i]),
                             estimate[i],
                             {low[i], high[i]},
                             half_width[i],
                             allowed[i],
                             met[i] != 0,
                             why[i]});
  return until;
}

}  // namespace scree
