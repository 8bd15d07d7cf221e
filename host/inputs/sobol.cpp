#include "sobol.hpp"

#include <boost/random/sobol.hpp>

#include "src/low_discrepancy.hpp"

namespace scree {

using SobolEngine = boost::random::sobol_engine<std::uint32_t, net_digits>;
static_assert(boost::random::default_sobol_table::max_dimension == most_sobol_dimensions);

std::vector<double> sobol_direction_numbers(int dimensions) {
  std::vector<double> numbers(static_cast<std::size_t>(dimensions) * net_digits);
  SobolEngine engine(static_cast<std::size_t>(dimensions));
  for (int k = 0; k < net_digits; ++k) {
    // Boost's point n, counted from 1, is the sum of the direction numbers at the ones of n's Gray code; that of
    // 2^(k+1) - 1 is 2^k.
    engine.seed(static_cast<std::uint32_t>((std::uint64_t{2} << k) - 2));
    for (int d = 0; d < dimensions; ++d) numbers[static_cast<std::size_t>(d * net_digits + k)] = engine();
  }
  return numbers;
}

}  // namespace scree
