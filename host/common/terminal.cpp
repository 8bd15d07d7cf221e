#include "terminal.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace scree {

bool wants_colour(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return isatty(descriptor) == 1 && (!no_color || *no_color == '\0') && (!term || std::string_view(term) != "dumb");
}

}  // namespace scree
