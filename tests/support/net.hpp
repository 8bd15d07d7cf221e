// Scrambled Sobol points, replicate by replicate.
#pragma once

#include <cstdint>
#include <vector>

#include "host/inputs/sobol.hpp"
#include "src/low_discrepancy.hpp"

namespace scree::test {

/// The points of an ensemble that has nothing else.
struct Net {
  std::uint64_t seed;
  std::uint32_t replicates;
  std::vector<double> table;
  Net(std::uint64_t seed_of_net, std::uint32_t count, int dimensions)
      : seed(seed_of_net), replicates(count), table(sobol_direction_numbers(dimensions)) {}

  std::uint64_t sample(int replicate, std::uint64_t number) const {
    return number * replicates + static_cast<std::uint64_t>(replicate);
  }
  std::uint32_t digits(int replicate, std::uint64_t number, int d) const {
    return net_point({0, replicates}, table.data(), seed, sample(replicate, number)).digits(d);
  }
  double operator()(int replicate, std::uint64_t number, int d) const {
    return coordinate(digits(replicate, number, d),
                      random_bits(seed, sample(replicate, number), static_cast<std::uint64_t>(d) << 16));
  }
};

}  // namespace scree::test
