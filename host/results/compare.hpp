// The groups of a result file that several arms have in common: /compare and /converge (result_file.hpp).
#pragma once

#include <string>
#include <vector>

#include "hdf5.hpp"
#include "host/statistics/evaluation.hpp"

namespace scree {

void write_comparisons(hid_t file, const Run& run, const std::vector<Arm>& arms, const Evaluation& evaluation);

/// Run::margins of a result with several arms.
std::vector<double> read_margins(hid_t file, const Description& description);

/// The coordinate `column`, with the columns' units beside it.
h5::Handle column_coordinate(hid_t group, const Description& description);

}  // namespace scree
