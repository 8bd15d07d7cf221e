// The commands that need no run: what there is to configure, a config to begin with, and the check of one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "host/config/config.hpp"

namespace scree {

/// The systems, a line each, or all of one: parameters, starts, presets, schemes and columns; on stdout. As JSON all of
/// each. Throws Error(Exit::usage) for a system that there is not.
void list_command(const std::string& system, bool json);

/// A complete config of a system with every default and its meaning, on stdout; it runs as it is.
void init_command(const std::string& system);
std::string init_text(const Description& description);

/// What there is to tell of a run before anything is computed, as names and texts.
std::vector<std::pair<std::string, std::string>> told_of(const Run& run);
/// Reads a config as a run would and says what it describes, on stdout; warnings go to stderr. As
/// JSON one object.
void check_command(const std::string& path, const std::vector<std::string>& sets, const Overrides& overrides,
                   bool json);

}  // namespace scree
