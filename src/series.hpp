// Numbers that all samples of a run share, as many as a config gives: in the run's read-only tables.
#pragma once

#include "real.hpp"

namespace scree {

/// A parameter that is a list of any length (`table.series` in describe): `count` numbers from `offset` of the tables;
/// none if the config gives none.
template <class Real>
struct Series {
  Real offset, count;

  /// Number i, 0 <= i < count.
  HOST_DEVICE Real at(const double* tables, int i) const {
    return gather(tables, offset + Real(static_cast<double>(i)));
  }
};

}  // namespace scree
