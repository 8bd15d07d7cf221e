// The peaks that shares are of: independent fused multiply-adds in registers, nothing else.
#pragma once

#include <string>

namespace scree {

/// Flops per second of one core in `isa` (position in isa_names), by processor time; 0 where the processor lacks it.
/// The baseline has no fma: alternating multiplications and additions.
double measure_cpu_peak(int isa);

/// "Intel(R) Xeon(R) Processor", and the clock in GHz that the system reports for this core; empty and 0 if it does
/// not.
std::string cpu_name();
double cpu_clock();

/// Processor time of this process so far, s.
double processor_seconds();

}  // namespace scree
