// One value per body, for systems of several bodies.
#pragma once

#include "real.hpp"

namespace scree {

/// A value for each of up to `most` bodies; how many there are is a parameter of the system (`table.count` in
/// describe). T is a Real, or a vector of Reals.
template <class T, int most>
struct List {
  T at[most];

  HOST_DEVICE T& operator[](int i) { return at[i]; }
  HOST_DEVICE const T& operator[](int i) const { return at[i]; }
};

}  // namespace scree
