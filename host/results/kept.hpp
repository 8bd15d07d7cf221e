// The journal of an interrupted command as a result.
#pragma once

#include <string>

#include "result_file.hpp"

namespace scree {

/// What read_result gives of a journal, which goes on from no result. The files that the config names are read, and must
/// be those of then. Throws Error(Exit::input) and what load_run_text does.
StoredResult read_kept(const std::string& path);

}  // namespace scree
