// `scree list`: what there is to configure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace scree {

/// The systems, a line each, or all of one: parameters, starts, presets, schemes and columns; on stdout. As JSON all of
/// each. Throws Error(Exit::usage) for a system that there is not.
void list_command(const std::string& system, bool json);
/// What it prints as JSON. Throws as that.
nlohmann::ordered_json list_json(const std::string& system);

/// The CUDA devices, a line each, or why there is none; on stdout.
void list_devices(bool json);

}  // namespace scree
