// The group `inputs` of a file: what its samples drew, one array per input along `sample`.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <span>
#include <vector>

#include "hdf5.hpp"
#include "host/model/run.hpp"

namespace scree {

/// More inputs than this are left to `replay --inputs`, beside samples and paths: the group then says so.
inline constexpr std::size_t most_stored_inputs = 64;

/// The array `sample` of a table.
h5::Chunked write_sample_numbers(hid_t group, const SummaryTable& table, int threads);

/// Writes the group for the samples of a table of the run, or these, or leads to them in other files, if anything
/// varies: draws them anew, block by block. Of more than `most` inputs it says how many there are. Nothing of a run
/// that was read from a result.
void write_inputs(hid_t parent, const Run& run, const SummaryTable& table, int threads,
                  std::span<const h5::Link> links = {});
void write_inputs(hid_t parent, const Run& run, std::span<const std::uint64_t> samples,
                  std::size_t most = most_stored_inputs);
/// What the group says of them, with their spreads, without their places; none of a file without it.
std::vector<Input> read_inputs(hid_t parent);

}  // namespace scree
