// `scree verify`: what the literature claims, beside what this program finds, one row per claim.
#pragma once

#include <string>
#include <vector>

#include "host/common/error.hpp"
#include "host/engine/execute.hpp"
#include "study.hpp"

namespace scree {

inline constexpr double gravity = 9.81;      // m/s^2; Leine et al., and it fits the figures of Gallotti and Tinti
inline constexpr double text_gravity = 9.8;  // m/s^2; the laboratory text

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

/// Whether `measured` has the size of the number that a figure shows, which is read off an axis of decades: within
/// `factor` of it.
bool within(double measured, double published, double factor);

/// As printf's %.*g and %.*f.
std::string number(double value, int digits);
std::string fixed(double value, int decimals);
/// Numbers by commas.
template <class List>
std::string numbers(const List& values, int digits) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + number(value, digits);
  return text;
}

struct VerifyOptions {
  std::string only;  // the name of a group; empty: all
  EngineOptions engine;
  bool json = false, quiet = false;
  bool long_form = false;  // every claim in full, not a row each
};

/// The free rotor, Leine et al. 2021, section 4.3.
std::vector<Claim> verify_rotor(const VerifyOptions& options);
/// The block on a slope of 45 degrees, Leine et al. 2014, section 5.1.
std::vector<Claim> verify_block(const VerifyOptions& options);
/// The ramp study of Leine et al. 2021, section 6, with 1000 rocks. An interruption leaves it out.
std::vector<Claim> verify_ramp(const VerifyOptions& options);
/// The single mass of Gallotti and Tinti 2019: cases 1 and 2, examples 1 and 2.
std::vector<Claim> verify_slider(const VerifyOptions& options);
/// The coupled pair of Gallotti and Tinti 2019: case 3, examples 3 and 4.
std::vector<Claim> verify_pair(const VerifyOptions& options);
/// The disc box of the gallery script, and 1000 of them. An interruption leaves the latter out.
std::vector<Claim> verify_disc_box(const VerifyOptions& options);
/// Hard discs against kinetic theory and the microcanonical ensemble. An interruption leaves them out.
std::vector<Claim> verify_hard_discs(const VerifyOptions& options);
/// Balls on a line: the laboratory text's three, and Galperin's digits of pi.
std::vector<Claim> verify_balls(const VerifyOptions& options);
/// The laboratory text's particle problems: a projectile with drag, a stream on a plane and a ball, central forces.
std::vector<Claim> verify_projectile(const VerifyOptions& options);
std::vector<Claim> verify_scatter(const VerifyOptions& options);
std::vector<Claim> verify_coulomb(const VerifyOptions& options);
/// The expanding disk and the dam break: closed forms of the continuum, and what an independent code has measured.
std::vector<Claim> verify_disk(const VerifyOptions& options);

/// The names of the groups of claims, in the order in which they are printed.
std::vector<std::string> verify_groups();

/// Prints the rows on stdout. Throws Error(Exit::failed) if one of them is.
Exit verify_command(const VerifyOptions& options);

}  // namespace scree
