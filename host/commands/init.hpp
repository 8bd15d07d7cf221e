// `scree init`: a config to begin with.
#pragma once

#include <string>

#include "host/model/description.hpp"

namespace scree {

/// A complete config of a system with every default and its meaning, on stdout; it runs as it is. Throws
/// Error(Exit::usage) for a system that there is not.
void init_command(const std::string& system);
std::string init_text(const Description& description);

}  // namespace scree
