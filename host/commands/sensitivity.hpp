// [sensitivity]: the run again for each of several values of one key.
#pragma once

#include <vector>

#include "host/engine/execute.hpp"
#include "keeping.hpp"
#include "host/report/sensitivity.hpp"

namespace scree {

/// How many variants the table has; 0 without [sensitivity].
inline std::size_t all_variants(const Run& run) { return run.sensitivity.values.size() * run.schemes.size(); }

/// One variant per value and scheme, without the samples. Ends early if an end is asked for, with the variants that are
/// complete. Nothing if the config has no [sensitivity]. `course` and `keeping` are the command's.
std::vector<Variant> run_sensitivity(const Run& run, const Engine& engine, const Caller& caller, Course& course,
                                     Keeping& keeping);

}  // namespace scree
