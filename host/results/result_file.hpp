// Result files (HDF5). With one arm (one scheme, one step) the groups below lie at the root, with several under
// /arms/<name>/; what an arm gave at finer steps lies in its group finer/<name>/, arranged likewise.
//
//   /                      attributes: schema_version, program_version, commit, study, system, schemes, arms (their
//                          names), samples, seed, sampling, replicates (0: independent samples), dimensions (of
//                          low-discrepancy points), step, end, config_path (absolute), config_text, config_overlays
//                          (changes by --set and flags), config_xxh3, input_files, input_xxh3, preset, preset_note,
//                          terrain, terrain_note, ground_map, crs, crs_wkt (of x and y; may be empty), group_by,
//                          group_names, warnings, columns (in `describe` order), headline, why_columns and
//                          deposition_columns (some of them, by name), digest (of each arm, in the order of `arms`,
//                          with a blank between), backend, device, threads
//   samples/               one 1-D array per summary column, along the coordinate `sample`; attributes units,
//                          long_name, description, samples_counted, `optional` and `late` (digest.hpp) where it is so,
//                          and of a mean over a part of the time `mean_over` and `rms`, which name the columns of that
//                          time and of the root mean square over it; `status` as an enumeration; where statistics are
//                          grouped, the group of each sample; and of a run with barriers `caught_by`, the number of
//                          the barrier that caught it. NaN where a sample was not run.
//   counted/               of a merge of some parts: first and end of each range of rows that statistics rest on; else
//                          these are the rows before the first that is not_run
//   inputs/                what each sample drew, one array per input along `sample`, see inputs.hpp; at the root, but
//                          in /arms/<name> where arms draw from configs of their own
//   statistics/            along `column`: n, undefined, mean, sd, ci95_low, ci95_high, gain (where samples come in
//                          replicates), min, max, unit; quantiles [column, quantile]; status_samples [status],
//                          status_mean and status_sd [status, column]
//   groups/                the same along `group`: n, mean, ... [group, column], quantiles [group, column, quantile]
//   maps/, gates/          of a run with maps, gates, barriers or a forest, see maps.hpp, gates.hpp and forest.hpp
//   barriers/, forest/
//   until/                 of a run with targets, along `target`: estimate, low, high, half_width, allowed, n, met;
//                          attributes looks_taken and miss (the error of each interval); looks: planned numbers of
//                          samples
//   deposition             attributes: mean point, covariance, 95 % ellipse, lateral width and its definition
//   /compare               attributes: baseline (the first arm), verdict (sentences), wilcoxon_rules, ...; along
//                          [arm, column], arm minus baseline over the same samples: n, left_out, only_baseline,
//                          only_arm, difference, sd, standard_error, freedom, ci95_low, ci95_high, bca95_low,
//                          bca95_high, gain, effect_size, sd_ratio, of each test its statistic, p and p_holm (welch,
//                          welch_p, welch_p_holm, ...), margin (along column alone), p_equivalent, p_beyond,
//                          samples_needed, judgement, ...; along arm: stopped_both, stopped_baseline, stopped_arm,
//                          stopping_p
//   /sensitivity           of the values of [sensitivity], without their samples; attributes key, values and schemes
//                          (of each row), group_column (which the table by group shows); along row: samples,
//                          status_samples [row, status], and what statistics/ has [row, column]; groups/ the same
//                          [row, group, ...]; scores/ and /observed: see observed.hpp
//   /converge              where arms were run at finer steps, along [arm, level]: step, samples, sample_steps, core_s;
//                          [arm, level, column]: mean, change (to the next level), order, error, each but the mean with
//                          its 95 % interval; [arm, column]: n, order_seen, sd_error; see step_error.hpp
//
// /arms/<name> and, with one arm, the root carry name, scheme, step, samples, digest, backend, device, threads, wall_s,
// longest_wall_s (of a merge: of the part that took longest), sample_steps; finer_steps and finer_samples say at how
// many finer steps their command runs them, and how many samples of the whole run, be they there or not.
// `xarray.open_dataset(file, engine="h5netcdf", group="samples")` reads it with labels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/common/caller.hpp"
#include "host/model/run.hpp"
#include "host/statistics/arm.hpp"
#include "host/statistics/evaluation.hpp"

namespace scree {

/// Of files that are written; those of `oldest_result_schema` on are read. 3: maps may be there.
inline constexpr int result_schema = 3, oldest_result_schema = 2;

/// Of a result that is read.
inline constexpr std::size_t most_result_arms = 256, most_result_columns = 1024, most_result_groups = 4096;
inline constexpr std::uint64_t most_result_threads = 1 << 20, most_finer_steps = 64,
                               most_result_steps = std::uint64_t{1} << 56;

/// Writes with write_renamed, which replaces with `force`; of several arms also what the study of them found. Throws
/// what that does.
void write_result(const std::string& path, const Run& run, const std::vector<Arm>& arms, bool force,
                  const Evaluation* evaluation = nullptr);

/// Adds the group `sensitivity` to a result that is there, in a copy that takes its place. Throws as write_result.
void add_sensitivity(const std::string& path, const Run& run, const std::vector<Variant>& variants);

struct StoredResult {
  int schema = result_schema;
  std::string program_version, commit, config_xxh3;
  std::string damage;                        // in words: what a journal has lost, or samples that were changed
  std::unique_ptr<Description> description;  // the tables point here
  Run run;                                   // what the file says of it; model is null, spec has seed, step and end
  std::vector<Arm> arms;                     // statistics are computed again from the samples
  std::size_t linked_parts = 0;              // files that its samples lie in; 0: it has them itself
  bool compared = false, converged = false;  // /compare and /converge are there
  std::vector<Variant> sensitivity;          // of the values of run.sensitivity; statistics are read
};

/// The group of an arm of a result, or of what it gave at a finer step.
std::string group_of(std::span<const Arm> arms, const std::string& arm, const std::string& finer = "");

/// Of a journal what is in it (kept.hpp). Without statistics and scores where only samples are asked for. Throws
/// Error(Exit::input) if there is no such file, it is not a result of Scree, or not as it was written: its bytes do not
/// give its seal (seal.hpp), or its samples not their digests; and if it holds what a result does not need and a
/// stranger could have made it with (untrusted.hpp), or takes more memory than is available; Error(Exit::device) where
/// memory runs out all the same. With `anyway` samples that do not give their digest are a warning of the result.
StoredResult read_result(const std::string& path, bool with_statistics = true, bool anyway = false);

}  // namespace scree
