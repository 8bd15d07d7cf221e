// The direction numbers that src/low_discrepancy.hpp reads.
#pragma once

#include <vector>

namespace scree {

/// Dimensions for which there are direction numbers.
inline constexpr int most_sobol_dimensions = 3667;

/// Direction numbers [dimensions, net_digits] of Sobol points as whole numbers below 2^32, the first binary digit
/// highest: Joe and Kuo, SIAM J. Sci. Comput. 30, 2635 (2008), from Boost.Random. 1 <= dimensions <=
/// most_sobol_dimensions.
std::vector<double> sobol_direction_numbers(int dimensions);

}  // namespace scree
