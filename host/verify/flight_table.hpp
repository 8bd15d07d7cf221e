// Means and deviations of flight over all steps out of the soil, beside a paper's table of them.
#pragma once

#include <string>
#include <vector>

#include "verify.hpp"

namespace scree {

/// What a number of rocks may miss a published one by where its source does not say all that it rests on: 12 %, a
/// choice. 1 to 3 % of sampling are in it.
Criterion where_inferred(const std::string& what);

/// A claim for each mean and each deviation of the published rows, for each of which there is an arm of its scheme.
/// `what` was inferred; `note` says more of it.
void add_flight_table(Claims& claims, const Published& published, const std::vector<Arm>& arms, const char* source,
                      const std::string& what, const std::string& note);

}  // namespace scree
