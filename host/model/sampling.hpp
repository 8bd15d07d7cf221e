// How the samples of a run are placed: at random, or at scrambled low-discrepancy points in replicates.
#pragma once

#include <string>

namespace scree {

inline constexpr int most_replicates = 1024;

/// `sampling` and `replicates` of the config. Of the run's points sample i is point i div replicates of replicate
/// i mod replicates.
struct Sampling {
  bool sobol = false;
  int replicates = 0;  // 0: samples are independent
  int dimensions = 0;  // coordinates that a sample takes
};

inline std::string sampling_name(const Sampling& sampling) { return sampling.sobol ? "sobol" : "random"; }

/// "random", or "sobol, 16 scrambled replicates, 3 dimensions"
inline std::string sampling_text(const Sampling& sampling) {
  if (!sampling.sobol) return "random";
  return "sobol, " + std::to_string(sampling.replicates) + " scrambled replicates, " +
         std::to_string(sampling.dimensions) + (sampling.dimensions == 1 ? " dimension" : " dimensions");
}

}  // namespace scree
