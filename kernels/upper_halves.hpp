// The upper halves of the vector registers, which code for any x86-64 knows nothing of.
#pragma once

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace scree {

/// To be called where code for newer processors ends, or calls back. Else the caller's code for any x86-64 would run
/// with the upper halves of the registers in use, at a fiftieth of its speed: g++ 12 leaves them so after some
/// functions that it has vectorised by itself.
inline void leave_upper_halves() {
#if defined(__AVX__)
  _mm256_zeroupper();
#endif
}

}  // namespace scree
