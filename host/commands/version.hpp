// `scree --version --json`: what this program is and was made with.
#pragma once

#include <string>

namespace scree {

/// `program` is "scree" or "scree-mpi" (Ranks::program).
std::string version_json(const std::string& program);

}  // namespace scree
