#include "verify.hpp"

#include <algorithm>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "host/common/suggest.hpp"
#include "host/common/text_table.hpp"
#include "host/config/config.hpp"
#include "host/engine/interrupt.hpp"

namespace scree {
namespace {

struct Group {
  std::string name;
  std::function<std::vector<Claim>(const VerifyOptions&)> claims;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"rotor", [](const VerifyOptions&) { return verify_rotor(); }},
      {"block", [](const VerifyOptions&) { return verify_block(); }},
      {"ramp", [](const VerifyOptions& options) { return verify_ramp(options.engine, options.quiet); }},
      {"slider", [](const VerifyOptions&) { return verify_slider(); }},
      {"pair", [](const VerifyOptions&) { return verify_pair(); }},
      {"hard_discs", [](const VerifyOptions& options) { return verify_hard_discs(options); }},
      {"balls", [](const VerifyOptions&) { return verify_balls(); }},
      {"disc_box", [](const VerifyOptions& options) { return verify_disc_box(options.engine, options.quiet); }},
      {"projectile", [](const VerifyOptions&) { return verify_projectile(); }},
      {"scatter", [](const VerifyOptions&) { return verify_scatter(); }},
      {"coulomb", [](const VerifyOptions&) { return verify_coulomb(); }},
      {"disk", [](const VerifyOptions&) { return verify_disk(); }}};
  return all;
}

void print(const Claim& claim) {
  std::cout << "  " << claim.claim << '\n';
  for (const auto& [name, text] : {std::pair{"published", &claim.published}, std::pair{"measured", &claim.measured},
                                   std::pair{"verdict", &claim.verdict}}) {
    std::cout << "    ";
    print_wrapped(std::cout, std::string(name) + ": " + *text, 6);
  }
}

}  // namespace

Claim held(const std::string& claim, const std::string& source, const std::string& published,
           const std::string& measured, bool holds) {
  return {claim, source, published, measured, holds ? "agrees" : "FAILS", !holds};
}

Claim known_to_differ(const std::string& claim, const std::string& source, const std::string& published,
                      const std::string& measured, bool holds, const std::string& reason) {
  return {claim, source, published, measured, holds ? "agrees" : "differs: " + reason, false};
}

std::string config_text(const RockStudy& study) {
  return std::string("system = \"rock\"\n") + study.top + "[rock]\n" + study.rock + "[terrain]\n" + study.terrain +
         "[[shape]]\n" + study.shape + "[start]\nposition = [0.0, 0.0]\n" + study.start;
}

std::size_t Replayed::column(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::logic_error("the track has no " + name);
  return static_cast<std::size_t>(found - names.begin());
}

Replayed replayed(const std::string& text, const std::string& scheme, std::uint64_t every) {
  return replayed(load_run_text("verify", text, {}), scheme, every);
}

Replayed replayed(const Run& run, const std::string& scheme, std::uint64_t every, std::uint64_t sample) {
  const Description& description = run.model->description;
  Replayed result;
  result.names.push_back("time");
  for (const Column& column : description.track) result.names.push_back(column.name);
  const auto ensemble = run.model->ensemble(run.spec);
  const ReplayResult end =
      run.model->replay(ensemble.data(), description.scheme(scheme), sample, every,
                        [&](std::span<const double> row) { result.rows.emplace_back(row.begin(), row.end()); });
  result.status = end.status;
  for (std::size_t c = 0; c < end.summary.size(); ++c) result.summary[description.columns[c].name] = end.summary[c];
  return result;
}

bool within(double measured, double published, double factor) {
  return measured >= published / factor && measured <= published * factor;
}

std::vector<std::string> verify_groups() {
  std::vector<std::string> names;
  for (const Group& group : groups()) names.push_back(group.name);
  return names;
}

Exit verify_command(const VerifyOptions& options) {
  const std::vector<std::string> names = verify_groups();
  if (!options.only.empty() && std::find(names.begin(), names.end(), options.only) == names.end())
    throw Error(Exit::usage, "verify --only " + options.only + suggestion(options.only, names));

  const Interruptible interruptible;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::size_t count = 0, failed = 0;
  std::string source;
  for (const Group& group : groups()) {
    if (!options.only.empty() && group.name != options.only) continue;
    for (const Claim& claim : group.claims(options)) {
      ++count;
      failed += claim.failed;
      rows.push_back({{"claim", claim.claim},
                      {"source", claim.source},
                      {"published", claim.published},
                      {"measured", claim.measured},
                      {"verdict", claim.verdict}});
      if (options.json) continue;
      if (claim.source != source) std::cout << (source.empty() ? "" : "\n") << claim.source << '\n';
      source = claim.source;
      print(claim);
    }
  }
  if (options.json) std::cout << rows.dump(2) << '\n';
  if (Interruptible::asked()) return Exit::interrupted;
  if (failed > 0)
    throw Error(Exit::failed, "verify: " + std::to_string(failed) + " of " + std::to_string(count) + " claims fail");
  return Exit::ok;
}

}  // namespace scree
