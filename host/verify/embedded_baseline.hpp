// The baseline of `scree verify`, which the program carries along.
#pragma once

namespace scree {

/// The text of host/verify/baseline.csv when the program was built.
const char* embedded_baseline();

}  // namespace scree
