// `scree --man`: the manual page.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace scree {

/// The page scree(1) in the language of man(7): each command and option that `app` has, and examples.
std::string manual(const CLI::App& app);

}  // namespace scree
