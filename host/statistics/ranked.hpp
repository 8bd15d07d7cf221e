// Some samples that stand for all.
#pragma once

#include <cstdint>
#include <vector>

#include "host/model/run.hpp"

namespace scree {

/// At most so many samples that count in maps, at even ranks of the first headline column, so that short and long paths
/// are among them; those without a value, as a run-out that did not end, rank last.
std::vector<std::uint64_t> samples_at_even_ranks(const Description& description, const SummaryTable& table,
                                                 std::uint64_t most);

}  // namespace scree
