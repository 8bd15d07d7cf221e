// The samples that two arms treat most differently: what to replay to see why they differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/model/run.hpp"

namespace scree {

/// One sample in both arms, in one column.
struct DifferingSample {
  int column = 0;            // a position in description.columns
  std::uint64_t sample = 0;  // its number, as `scree replay --sample` takes it
  double a, b;               // its values, in the column's unit
  std::uint32_t status_a, status_b;
};

/// For each of `columns`, one after another, the samples with the largest |b - a|, the largest first, ties by sample
/// number: at most `count` of those that enter the column with a finite value in both arms and differ. The tables hold
/// the same samples in the same order; throws std::invalid_argument if their shapes differ or there is no such column.
std::vector<DifferingSample> most_different(const SummaryTable& a, const SummaryTable& b,
                                            const std::vector<int>& columns, std::size_t count);

}  // namespace scree
