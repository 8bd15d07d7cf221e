// The parts of a comparison's report, and its JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "host/model/run.hpp"
#include "host/statistics/arm.hpp"
#include "host/statistics/evaluation.hpp"
#include "host/statistics/most_different.hpp"
#include "printer.hpp"

namespace scree {

/// Paired differences, tests, and how the samples ended in both arms.
void print_comparison(const Printer& printer, const Comparison& comparison, std::span<const Arm> arms);

/// The size of a time-step error: ">=14" is a lower bound, "14" rests on an order that was seen, "<5" was not seen and
/// is smaller (95 %).
std::string step_error_text(const Estimate& error, bool order_seen);
/// An order that was observed, to the second digit of its error, or of 0.005 where that is less or not known.
std::string order_text(const Estimate& order);
/// A step as it was given, or four digits of one that has more.
std::string step_text(double step);

/// Each headline statistic with its sampling error and its time-step error; nothing unless an arm was run at finer
/// steps.
void print_two_errors(const Printer& printer, std::span<const Arm> arms, const Evaluation& evaluation);

/// Columns that tell why arms differ (Description::why), and the samples that they treat most differently with the
/// commands that replay them.
void print_reasons(const Printer& printer, const Run& run, std::span<const Arm> arms, const Evaluation& evaluation);

/// The samples that two arms treat most differently, in the first column shown in which these differ; three at most.
std::vector<DifferingSample> differing_samples(const Run& run, const Arm& baseline, const Arm& arm,
                                               const Comparison& comparison);

/// "paired" of one arm: an object by column; and what stands beside it.
nlohmann::ordered_json comparison_json(const Comparison& comparison, const Description& description);
/// Samples by their statuses in both arms, and how many stopped in one only.
nlohmann::ordered_json endings_json(const Comparison& comparison);
nlohmann::ordered_json steps_json(const std::vector<ColumnSteps>& steps, const Arm& arm);
/// By column of the evaluation, how much of the difference of arms[a] goes with the step.
nlohmann::ordered_json shares_json(const Evaluation& evaluation, std::size_t a, const Description& description);
nlohmann::ordered_json most_different_json(const Run& run, const Arm& baseline, const Arm& arm,
                                           const Comparison& comparison);

}  // namespace scree
