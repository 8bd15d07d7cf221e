// What the program may do with a terminal.
#pragma once

namespace scree {

/// Whether a descriptor is a terminal that wants colours: NO_COLOR is unset or empty, TERM is not "dumb".
bool wants_colour(int descriptor);

}  // namespace scree
