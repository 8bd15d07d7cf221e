// The closed form of the flight between events (drag_flight.hpp), under a name among the schemes.
#pragma once

namespace scree {

struct ExactFlight {
  static constexpr const char* name = "exact";
  static constexpr const char* meaning = "closed-form flight: no error but rounding, for any step";
};

}  // namespace scree
