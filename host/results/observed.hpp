// Observations in a result, and the scores of forecasts by them that cannot be computed again, for want of samples.
//
//   /observed              what [observed] gave, along `observation`: value, and where they are given group (a position
//                          in group_names), start_row, x, y and outside (1: held out); attributes column, note,
//                          observations, start_rows (of the table of starts) and holdout (none, some or leave-one-out)
//   /sensitivity/scores    of each value, [row, observation], see scores.hpp: samples, counted, bias, crps,
//   others_crps,
//                          energy, others_energy, pit, in_50, in_90
#pragma once

#include <hdf5.h>

#include <vector>

#include "host/model/run.hpp"
#include "host/statistics/arm.hpp"

namespace scree {

/// Nothing without observations.
void write_observed(hid_t file, const Run& run);
/// Into run.observed, whose shape_names are there; nothing of a result without.
void read_observed(hid_t file, const Description& description, Run& run);

/// Into the group of the sensitivity.
void write_scores(hid_t sensitivity, const Run& run, const std::vector<Variant>& variants);
void read_scores(hid_t sensitivity, const Run& run, std::vector<Variant>& variants);

}  // namespace scree
