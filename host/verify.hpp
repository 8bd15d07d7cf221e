// `scree verify`: what the literature claims, beside what this program finds, one row per claim.
#pragma once

#include <string>
#include <vector>

#include "error.hpp"
#include "execute.hpp"

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

/// The free rotor, Leine et al. 2021, section 4.3.
std::vector<Claim> verify_rotor();
/// The block on a slope of 45 degrees, Leine et al. 2014, section 5.1.
std::vector<Claim> verify_block();
/// The ramp study of Leine et al. 2021, section 6, with 1000 rocks. An interruption leaves it out.
std::vector<Claim> verify_ramp(const EngineOptions& options, bool quiet);

struct VerifyOptions {
  std::string only;  // rotor, block, ramp; empty: all
  EngineOptions engine;
  bool json = false, quiet = false;
};

/// Prints the rows on stdout. Exit::failed if one of them is.
Exit verify_command(const VerifyOptions& options);

}  // namespace scree
