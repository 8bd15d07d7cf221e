// What a run will take, told before its first step.
#pragma once

#include <cstdint>
#include <string>

#include "host/model/run.hpp"

namespace scree {

/// Bytes that the summaries and statistics of `arms` schemes take, where a table of `finished` samples grows.
double memory_needed(const Run& run, std::size_t arms, std::uint64_t finished = 0);
/// Bytes that this process may still take.
double memory_available();
/// Throws Error(Exit::device) if the former exceeds the latter.
void require_memory(const Run& run, std::size_t arms, std::uint64_t finished = 0);
/// "1.53 GB"
std::string bytes_text(double bytes);

/// Most steps that a sample can take if none is shortened: near rest, or where they adapt, it may take more.
std::uint64_t most_steps(const Run& run);

}  // namespace scree
