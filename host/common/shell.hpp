// Words of commands that a reader may copy into a shell.
#pragma once

#include <string>

namespace scree {

/// The word, in quotes where a shell would take it apart.
std::string shell_word(const std::string& word);

}  // namespace scree
