#include "verify.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "baseline.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/engine/memory.hpp"
#include "host/report/json.hpp"
#include "host/results/output.hpp"

namespace scree {
namespace {

struct Group {
  std::string name, title;
  void (*verify)(Claims&);
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"rotor", "the free rotor of Leine et al. 2021 (L21), section 4.3", verify_rotor},
      {"block", "the sliding block of Leine et al. 2014 (L14), section 5.1", verify_block},
      {"ramp", "the ramp study of Leine et al. 2021 (L21), section 6", verify_ramp},
      {"scar", "single impacts in soil at Chant Sura, Lu et al. 2019 (Lu19)", verify_scar},
      {"chant_sura", "the slope of Chant Sura, Lu19 and L21 table 3", verify_chant_sura},
      {"tschamut", "run-outs at Tschamut, Volkwein and Gerber 2018, and what forecasts of them are worth",
       verify_tschamut},
      {"slider", "the single mass of Gallotti and Tinti 2019 (GT19)", verify_slider},
      {"pair", "the coupled pair of Gallotti and Tinti 2019 (GT19)", verify_pair},
      {"hard_discs", "hard discs in a box, by kinetic theory and statistical mechanics", verify_hard_discs},
      {"balls", "balls on a line", verify_balls},
      {"disc_box", "the disc box of the sympy gallery (Colliding discs)", verify_disc_box},
      {"projectile", "the laboratory text's projectile with linear drag", verify_projectile},
      {"scatter", "the laboratory text's stream on an inclined plane and a ball", verify_scatter},
      {"coulomb", "the laboratory text's bodies under central forces", verify_coulomb},
      {"disk", "the expanding disk and the dam break", verify_disk}};
  return all;
}

/// A group that ran, to its end or up to an interruption, or did not.
struct Done {
  const Group& group;
  std::vector<Claim> claims;
  bool to_its_end;
  std::string not_run = {};  // why
};

// ---------------------------------------------------------------------------------------------------------------------

/// The table: claim, published, ours and the verdict, the first three as wide as this.
constexpr std::size_t claim_width = 38, value_width = 23;

/// Lines of a row at most.
constexpr std::size_t cell_lines = 3;

/// Words in the lines of a cell.
std::vector<std::string> cell(const std::string& text, std::size_t width) {
  std::vector<std::string> lines = wrapped(text, 0, width);
  if (lines.size() > cell_lines) {
    lines.resize(cell_lines);
    std::string& last = lines.back();
    while (last.size() + 3 > width && last.find(' ') != std::string::npos) last.resize(last.rfind(' '));
    last += " ..";
  }
  for (std::string& line : lines) line = shortened(line, width);
  return lines;
}

void print_row(const std::string& claim, const std::string& published, const std::string& measured,
               const std::string& verdict) {
  const std::vector<std::string> cells[] = {
      cell(claim, claim_width), cell(published, value_width), cell(measured, value_width), {verdict}};
  const std::size_t widths[] = {claim_width, value_width, value_width, 0};
  for (std::size_t k = 0; k < cell_lines; ++k) {
    std::string line = " ";
    for (std::size_t c = 0; c < 4; ++c) {
      const std::string text = k < cells[c].size() ? cells[c][k] : "";
      line += " " + text + std::string(widths[c] - std::min(widths[c], text.size()), ' ');
    }
    if (const std::size_t end = line.find_last_not_of(' '); end != std::string::npos)
      std::cout << line.substr(0, end + 1) << '\n';
  }
}

/// "agrees" and "differs", with "now" before it where the baseline says otherwise.
std::string verdict_now(const Claim& claim, std::optional<bool> agreed) {
  const std::string verdict = verdict_of(claim.agrees());
  return !claim.timed && agreed && *agreed != claim.agrees() ? "now " + verdict : verdict;
}

constexpr const char* of_a_clock = "by the clock, so not in the baseline";

/// The row; below it the criterion, the source and, where they differ, why.
void print_line(const Claim& claim, std::optional<bool> agreed) {
  print_row(claim.claim, claim.published.text(), claim.measured.text(), verdict_now(claim, agreed));
  std::vector<std::string> below{claim.criterion.text(claim.measured.unit) + "; source: " + claim.source +
                                 (claim.timed ? std::string("; ") + of_a_clock : "")};
  if (!claim.agrees() && !claim.note.empty()) below.push_back("differs: " + claim.note);
  for (const std::string& text : below)
    for (const std::string& line : wrapped(text, 0, screen_width - 6)) std::cout << "      " << line << '\n';
}

void print_block(const Claim& claim, std::optional<bool> agreed) {
  std::cout << "  " << claim.claim << '\n';
  const auto print = [](const char* name, const std::string& text) {
    if (text.empty()) return;
    std::cout << "    ";
    print_wrapped(std::cout, std::string(name) + ": " + text, 6);
  };
  print("published", claim.published.text());
  print("source", claim.source);
  print("measured", claim.measured.text());
  print("criterion", claim.criterion.text(claim.measured.unit));
  print("verdict", verdict_now(claim, agreed) + (claim.timed ? std::string(", ") + of_a_clock : ""));
  print("note", claim.note);
}

void print_claims(const Done& done, const Baseline& baseline, const VerifyOptions& options) {
  std::cout << '\n' << done.group.name << ": " << done.group.title << '\n';
  if (!done.not_run.empty())
    for (const std::string& line : wrapped("not run: " + done.not_run, 0, screen_width - 2))
      std::cout << "  " << line << '\n';
  for (const Claim& claim : done.claims) {
    const std::optional<bool> agreed = baseline.agreed(done.group.name, claim.claim);
    options.long_form ? print_block(claim, agreed) : print_line(claim, agreed);
  }
  std::cout.flush();
}

// ---------------------------------------------------------------------------------------------------------------------

Json claim_json(const Done& done, const Claim& claim, std::optional<bool> agreed) {
  // Infinity, for an interval that is open there, becomes null.
  Json allowed = Json::array();
  for (const Interval& interval : claim.allowed()) allowed.push_back({interval.low, interval.high});
  Json row{{"group", done.group.name},
           {"claim", claim.claim},
           {"source", claim.source},
           {"published", claim.published.text()},
           {"measured", claim.measured.text()},
           {"criterion", claim.criterion.text(claim.measured.unit)},
           {"verdict", verdict_of(claim.agrees())},
           {"agrees", claim.agrees()},
           {"baseline", nullptr},
           {"timed", claim.timed},
           {"note", claim.note},
           {"unit", claim.measured.unit},
           {"published_numbers", claim.published.numbers},
           {"measured_numbers", claim.measured.numbers},
           {"allowed", allowed}};
  if (agreed && !claim.timed) row["baseline"] = verdict_of(*agreed);
  return row;
}

// ---------------------------------------------------------------------------------------------------------------------

/// What the claims of all groups came to, the groups that ran to their end beside the baseline.
struct Summary {
  std::vector<std::string> ran, not_run;
  std::vector<JudgedClaim> found;
  std::size_t count = 0, agree = 0, as_before = 0, timed = 0;

  void add(const Done& done, const Baseline& baseline) {
    if (done.to_its_end) ran.push_back(done.group.name);
    if (!done.not_run.empty()) not_run.push_back(done.group.name);
    for (const Claim& claim : done.claims) {
      timed += claim.timed;
      if (claim.timed) continue;
      ++count;
      agree += claim.agrees();
      as_before += !claim.agrees() && baseline.agreed(done.group.name, claim.claim) == false;
      found.push_back({done.group.name, claim.claim, claim.agrees()});
    }
  }

  void print(const Changes& changes, const VerifyOptions& options) const {
    const auto list = [](const char* title, const std::vector<std::string>& claims) {
      if (claims.empty()) return;
      std::cout << '\n' << title << '\n';
      for (const std::string& claim : claims)
        for (const std::string& line : wrapped(claim, 2, screen_width - 2)) std::cout << "  " << line << '\n';
    };
    list("agreed in the baseline, and differ now", changes.broken);
    list("differed in the baseline, and agree now", changes.mended);
    list("not in the baseline", changes.missing);
    list("in the baseline, and no claim", changes.stale);
    std::string text = std::to_string(count) + " claims: " + std::to_string(agree) + " agree, " +
                       std::to_string(as_before) + " differ as before, " + std::to_string(changes.broken.size()) +
                       " newly disagree";
    if (timed > 0) text += "; " + std::to_string(timed) + " by the clock";
    if (!not_run.empty()) text += "; not run: " + joined(not_run);
    if (!options.long_form) text += ". --long: each in full";
    std::cout << '\n';
    for (const std::string& line : wrapped(text, 2, screen_width)) std::cout << line << '\n';
  }
};

void write_baseline(const VerifyOptions& options, const Baseline& baseline) {
  const auto write = [&](const std::string& temporary) {
    std::ofstream file(temporary);
    file << baseline.csv();
    if (!file.flush()) throw Error(Exit::failed, options.write_baseline + ": cannot be written");
  };
  write_renamed(options.write_baseline, write);
}

}  // namespace

void Claims::add(Claim claim) {
  check(claim);
  if (std::any_of(all_.begin(), all_.end(), [&](const Claim& other) { return other.claim == claim.claim; }))
    throw std::logic_error("claim \"" + claim.claim + "\" is there twice");
  all_.push_back(std::move(claim));
}

Arm Claims::arm(const Run& run, const std::string& scheme, const std::string& part) const {
  Engine engine = choose_engine(run, options_.engine, options_.caller);
  engine.grace = 0;  // of an ensemble that was interrupted nothing is said
  require_memory(run, work_of(run));
  Arm arm = execute(run, scheme, engine, options_.caller, step_ + (part.empty() ? "" : ", " + part));
  if (!arm.failure.empty()) throw Error(Exit::device, arm.failure);
  if (options_.caller.asks_for_end()) throw Interrupted{};
  return arm;
}

std::string figure(int number) { return "GT19, read off figure " + std::to_string(number); }
Criterion at_a_mark() { return within_factor(3.16, "half a decade, read off an axis of decades"); }
Criterion between_marks() { return within_factor(1.5, "read off between the marks of an axis of decades"); }

std::vector<std::string> verify_groups() {
  std::vector<std::string> names;
  for (const Group& group : groups()) names.push_back(group.name);
  return names;
}

Exit verify_command(const VerifyOptions& options) {
  const std::vector<std::string> names = verify_groups();
  if (!options.only.empty() && std::find(names.begin(), names.end(), options.only) == names.end())
    throw Error(Exit::usage, "verify --only " + options.only + suggestion(options.only, names));
  if (!options.write_baseline.empty()) check_output(options.write_baseline, options.force);
  const Baseline baseline = options.baseline.empty()
                                ? Baseline::embedded()
                                : Baseline::parse(read_text_file(options.baseline), options.baseline);

  std::vector<const Group*> chosen;
  for (const Group& group : groups())
    if (options.only.empty() || group.name == options.only) chosen.push_back(&group);

  const Stop::Accepting accepting(*options.caller.stop);
  replays_end_with(options.caller.stop);
  Json rows = Json::array(), not_run = Json::array();
  Summary summary;
  if (!options.json && !options.long_form) print_row("claim", "published", "ours", "verdict");
  for (std::size_t k = 0; k < chosen.size() && !options.caller.asks_for_end(); ++k) {
    Claims claims(options, std::to_string(k + 1) + " of " + std::to_string(chosen.size()) + ": " + chosen[k]->name);
    Done done{*chosen[k], {}, true};
    try {
      done.group.verify(claims);
    } catch (const Interrupted&) {
      done.to_its_end = false;
    } catch (const NotRun& reason) {
      done.to_its_end = false;
      done.not_run = reason.why;
    }
    done.claims = claims.all();
    summary.add(done, baseline);
    if (!options.json && !(done.claims.empty() && done.not_run.empty())) print_claims(done, baseline, options);
    if (!done.not_run.empty()) not_run.push_back({{"group", done.group.name}, {"why", done.not_run}});
    for (const Claim& claim : done.claims)
      rows.push_back(claim_json(done, claim, baseline.agreed(done.group.name, claim.claim)));
  }
  const Changes changes = scree::changes(baseline, summary.ran, summary.found);
  if (options.json) {
    Json object = json_of("verify");
    object["claims"] = rows;
    object["not_run"] = not_run;
    std::cout << object.dump(2) << '\n';
  } else {
    summary.print(changes, options);
  }
  if (options.caller.asks_for_end()) return Exit::interrupted;
  if (!options.write_baseline.empty())
    write_baseline(options, baseline.with(summary.ran, summary.found));
  else if (const std::string failure = changes.failure(); !failure.empty())
    throw Error(Exit::failed, "verify: " + failure);
  return Exit::ok;
}

}  // namespace scree
