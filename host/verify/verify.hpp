// `scree verify`: what the literature claims, beside what this program finds, one row per claim.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "host/common/error.hpp"
#include "host/common/worst.hpp"
#include "host/engine/execute.hpp"

namespace scree {

struct Claim {
  std::string claim, source, published, measured, verdict;
  bool failed = false;  // a claim that this program should bear out, and does not
};

/// "agrees" or "FAILS".
Claim held(const std::string& claim, const std::string& source, const std::string& published,
           const std::string& measured, bool holds);
/// A claim that is known not to come out here, with the reason; never failed. If it does hold, that is said.
Claim known_to_differ(const std::string& claim, const std::string& source, const std::string& published,
                      const std::string& measured, bool holds, const std::string& reason);

/// A config of the rock system from the lines of its sections; further sections may follow in `start`.
struct RockStudy {
  const char *top, *rock, *terrain, *shape;
  std::string start;
};
std::string config_text(const RockStudy& study);

/// What one sample did under one scheme: the rows of `scree replay`, and its end.
struct Replayed {
  std::vector<std::string> names;         // of the track's columns, the time first
  std::vector<std::vector<double>> rows;  // at the start, every `every` steps and at the end
  std::uint32_t status = 0;
  std::map<std::string, double> summary;  // by the names of the summary's columns
  std::size_t column(const std::string& name) const;
  /// Largest value of f(row), where `row["x"]` is one number.
  template <class F>
  double largest(const F& f) const;
};
/// One row by the names of its columns.
struct NamedRow {
  const Replayed& of;
  const std::vector<double>& values;
  double operator[](const std::string& name) const { return values[of.column(name)]; }
};
Replayed replayed(const Run& run, const std::string& scheme, std::uint64_t every = 1, std::uint64_t sample = 0);
/// Sample 0 of the config `text`.
Replayed replayed(const std::string& text, const std::string& scheme, std::uint64_t every = 1);

/// Whether `measured` has the size of the number that a figure shows, which is read off an axis of decades: within
/// `factor` of it.
bool within(double measured, double published, double factor);

struct VerifyOptions {
  std::string only;  // the name of a group; empty: all
  EngineOptions engine;
  bool json = false, quiet = false;
  bool long_form = false;  // every claim in full, not one line each
};

/// The free rotor, Leine et al. 2021, section 4.3.
std::vector<Claim> verify_rotor();
/// The block on a slope of 45 degrees, Leine et al. 2014, section 5.1.
std::vector<Claim> verify_block();
/// The ramp study of Leine et al. 2021, section 6, with 1000 rocks. An interruption leaves it out.
std::vector<Claim> verify_ramp(const EngineOptions& options, bool quiet);
/// The single mass of Gallotti and Tinti 2019: cases 1 and 2, examples 1 and 2.
std::vector<Claim> verify_slider();
/// The coupled pair of Gallotti and Tinti 2019: case 3, examples 3 and 4.
std::vector<Claim> verify_pair();
/// The disc box of the gallery script, and 1000 of them. An interruption leaves the latter out.
std::vector<Claim> verify_disc_box(const EngineOptions& options, bool quiet);
/// Hard discs against kinetic theory and the microcanonical ensemble. An interruption leaves them out.
std::vector<Claim> verify_hard_discs(const VerifyOptions& options);
/// Balls on a line: the laboratory text's three, and Galperin's digits of pi.
std::vector<Claim> verify_balls();
/// The laboratory text's particle problems: a projectile with drag, a stream on a plane and a ball, central forces.
std::vector<Claim> verify_projectile();
std::vector<Claim> verify_scatter();
std::vector<Claim> verify_coulomb();
/// The expanding disk and the dam break: closed forms of the continuum, and what an independent code has measured.
std::vector<Claim> verify_disk();

/// The names of the groups of claims, in the order in which they are printed.
std::vector<std::string> verify_groups();

/// Prints the rows on stdout. Exit::failed if one of them is.
Exit verify_command(const VerifyOptions& options);

template <class F>
double Replayed::largest(const F& f) const {
  double worst = -std::numeric_limits<double>::infinity();
  for (const std::vector<double>& row : rows) worst = scree::worst(worst, f(NamedRow{*this, row}));
  return worst;
}

}  // namespace scree
