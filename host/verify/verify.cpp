#include "verify.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "host/common/suggest.hpp"
#include "host/common/text_table.hpp"
#include "host/engine/interrupt.hpp"

namespace scree {
namespace {

struct Group {
  std::string name;
  std::vector<Claim> (*claims)(const VerifyOptions&);
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"rotor", verify_rotor},     {"block", verify_block},       {"ramp", verify_ramp},
      {"slider", verify_slider},   {"pair", verify_pair},         {"hard_discs", verify_hard_discs},
      {"balls", verify_balls},     {"disc_box", verify_disc_box}, {"projectile", verify_projectile},
      {"scatter", verify_scatter}, {"coulomb", verify_coulomb},   {"disk", verify_disk}};
  return all;
}

/// The table: claim, published, ours and the verdict, each as wide as this.
constexpr std::size_t claim_width = 40, value_width = 23;

/// Words in at most two lines of a cell.
std::vector<std::string> cell(const std::string& text, std::size_t width) {
  std::vector<std::string> lines = wrapped(text, 0, width);
  if (lines.size() > 2) {
    lines.resize(2);
    while (lines[1].size() + 3 > width && lines[1].find(' ') != std::string::npos) lines[1].resize(lines[1].rfind(' '));
    lines[1] += " ..";
  }
  for (std::string& line : lines) line = shortened(line, width);
  return lines;
}

void print_row(const std::string& claim, const std::string& published, const std::string& measured,
               const std::string& verdict) {
  const std::vector<std::string> cells[] = {
      cell(claim, claim_width), cell(published, value_width), cell(measured, value_width), {verdict}};
  const std::size_t widths[] = {claim_width, value_width, value_width, 0};
  for (std::size_t k = 0; k < 2; ++k) {
    std::string line = " ";
    for (std::size_t c = 0; c < 4; ++c) {
      const std::string text = k < cells[c].size() ? cells[c][k] : "";
      line += " " + text + std::string(widths[c] - std::min(widths[c], text.size()), ' ');
    }
    if (const std::size_t end = line.find_last_not_of(' '); end != std::string::npos)
      std::cout << line.substr(0, end + 1) << '\n';
  }
}

/// Under a claim that does not come out, or does so with a remark, lines that say why.
void print_line(const Claim& claim) {
  const std::size_t word = claim.verdict.find_first_of(": ");
  print_row(claim.claim, claim.published, claim.measured, claim.verdict.substr(0, word));
  if (word == std::string::npos) return;
  const std::string reason = claim.verdict.substr(claim.verdict.find_first_not_of(": ", word));
  for (const std::string& line : wrapped(reason, 0, screen_width - 6)) std::cout << "      " << line << '\n';
}

void print_block(const Claim& claim) {
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

bool within(double measured, double published, double factor) {
  return measured >= published / factor && measured <= published * factor;
}

std::string number(double value, int digits) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr};
}

std::string fixed(double value, int decimals) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals).ptr};
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
  std::size_t agree = 0;
  std::string source;
  if (!options.json && !options.long_form) print_row("claim", "published", "ours", "verdict");
  for (const Group& group : groups()) {
    if (!options.only.empty() && group.name != options.only) continue;
    for (const Claim& claim : group.claims(options)) {
      ++count;
      failed += claim.failed;
      agree += claim.verdict.starts_with("agrees");
      rows.push_back({{"claim", claim.claim},
                      {"source", claim.source},
                      {"published", claim.published},
                      {"measured", claim.measured},
                      {"verdict", claim.verdict}});
      if (options.json) continue;
      if (claim.source != source)
        std::cout << (source.empty() && options.long_form ? "" : "\n") << claim.source << '\n';
      source = claim.source;
      options.long_form ? print_block(claim) : print_line(claim);
    }
  }
  if (options.json)
    std::cout << rows.dump(2) << '\n';
  else if (!options.long_form)
    std::cout << '\n'
              << count << " claims: " << agree << " agree, " << count - agree - failed
              << " differ for the reason given, " << failed << " fail. --long: each in full\n";
  if (Interruptible::asked()) return Exit::interrupted;
  if (failed > 0)
    throw Error(Exit::failed, "verify: " + std::to_string(failed) + " of " + std::to_string(count) + " claims fail");
  return Exit::ok;
}

}  // namespace scree
