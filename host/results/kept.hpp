// The journal of an interrupted command as a result.
#pragma once

#include <string>

#include "result_file.hpp"

namespace scree {

/// What read_result gives of a journal: the samples that are in it, and those of the result that it goes on from, which
/// must be there. The files that the config names are read. Throws Error(Exit::input) and what load_run_text does.
StoredResult read_kept(const std::string& path);

}  // namespace scree
