// `scree verify`: what the literature claims, beside what this program finds, one row per claim.
//
// Each group of claims runs studies of configs/ and adds a Claim for each thing it measured. Where the published number
// comes from is said of each, in one of these ways:
//
//   L21 table 2               a paper's own number, with the table or section
//   GT19, read off figure 3   the same, from a curve on an axis of decades
//   closed form: Ritter 1892  a formula, evaluated beside the claim or in src/systems/<name>_cases.hpp
//   independent code: DOP853  computed by other programs for the same equations; nobody has printed it
//
//   observed: ...             measured in the field, from a table that is not part of the program
//
// L21 and L14: Leine et al., Multibody Syst. Dyn. 52 (2021) 431 and 32 (2014) 241. Lu19: Lu et al., Landslides 16 (2019)
// 2353. GT19: Gallotti and Tinti, Theor. Appl. Mech. Lett. 2019.
#pragma once

#include <string>
#include <vector>

#include "claim.hpp"
#include "host/common/error.hpp"
#include "host/engine/execute.hpp"
#include "study.hpp"

namespace scree {

inline constexpr double gravity = 9.81;      // m/s^2; Leine et al., and it fits the figures of Gallotti and Tinti
inline constexpr double text_gravity = 9.8;  // m/s^2; the laboratory text

struct VerifyOptions {
  std::string only;  // the name of a group; empty: all
  EngineOptions engine;
  std::string baseline;        // a file to judge by; empty: the one that the program carries along
  std::string write_baseline;  // a file to write, instead of judging
  bool force = false;          // replace it
  bool json = false;
  Caller caller;
  bool long_form = false;  // every claim in full, not a row each
};

/// Thrown by a group that cannot run here, as for want of field data.
struct NotRun {
  std::string why;
};

/// The claims of a group, as far as it has come: an interruption leaves those that were finished.
class Claims {
 public:
  /// `step` heads the progress: "3 of 12: ramp".
  Claims(const VerifyOptions& options, std::string step) : options_(options), step_(std::move(step)) {}
  /// Throws std::logic_error for a claim that cannot be judged, see check, or that is there already. What is measured
  /// has to be there before the braces of a Claim begin: g++ 12 destroys parts of them twice where a later one throws,
  /// as a run does when it is interrupted.
  void add(Claim claim);
  const std::vector<Claim>& all() const { return all_; }

  /// All samples of a run under one of its schemes, whose progress has the group's step and `part` before it. Throws
  /// Interrupted if an end is asked for.
  Arm arm(const Run& run, const std::string& scheme, const std::string& part = "") const;

 private:
  const VerifyOptions& options_;
  std::string step_;
  std::vector<Claim> all_;
};

/// What Gallotti and Tinti's figures show, on axes of decades: the source, and how well a number is read off one that
/// lies at a mark, 1e-5, and between marks, 8e-5.
std::string figure(int number);
Criterion at_a_mark();
Criterion between_marks();

/// The free rotor, Leine et al. 2021, section 4.3.
void verify_rotor(Claims& claims);
/// The block on a slope of 45 degrees, Leine et al. 2014, section 5.1.
void verify_block(Claims& claims);
/// The ramp study of Leine et al. 2021, section 6, with 1000 rocks.
void verify_ramp(Claims& claims);
/// Four impacts of a wheel in soil, Lu et al. 2019, and rocks down the slope of Chant Sura, there and in Leine et al.
/// 2021, table 3.
void verify_scar(Claims& claims);
void verify_chant_sura(Claims& claims);
/// Forecasts of where rocks stop at Tschamut, by the runs that were surveyed there.
void verify_tschamut(Claims& claims);
/// The single mass of Gallotti and Tinti 2019: cases 1 and 2, examples 1 and 2.
void verify_slider(Claims& claims);
/// The coupled pair of Gallotti and Tinti 2019: case 3, examples 3 and 4.
void verify_pair(Claims& claims);
/// Hard discs against kinetic theory and the microcanonical ensemble.
void verify_hard_discs(Claims& claims);
/// Balls on a line: the laboratory text's three, and Galperin's digits of pi.
void verify_balls(Claims& claims);
/// The disc box of the gallery script, and 1000 of them.
void verify_disc_box(Claims& claims);
/// The laboratory text's particle problems: a projectile with drag, a stream on a plane and a ball, central forces.
void verify_projectile(Claims& claims);
void verify_scatter(Claims& claims);
void verify_coulomb(Claims& claims);
/// The expanding disk and the dam break: closed forms of the continuum, and what an independent code has measured.
void verify_disk(Claims& claims);

/// The names of the groups of claims, in the order in which they are printed.
std::vector<std::string> verify_groups();

/// Prints the rows on stdout. Throws Error(Exit::failed) if one that agreed in the baseline differs, or if claims and
/// baseline do not match one to one. Where an end was asked for, what was finished is printed and Exit::interrupted
/// returned.
Exit verify_command(const VerifyOptions& options);

}  // namespace scree
