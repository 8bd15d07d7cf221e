// A coordinate reference system, as a .prj file gives it. (PROJ is that of the system, without sanitizers.)
#include "host/inputs/crs.hpp"

#include <algorithm>
#include <functional>

#include "harness.hpp"

namespace scree::fuzz::of_crs {
namespace {

#if SCREE_FUZZ
/// Whether PROJ takes a text for a definition. All else it takes for a name, and looks for it among thousands, in a
/// hundred times the time.
bool is_a_definition(std::string_view text) {
  constexpr std::string_view keywords[] = {"PROJCS",   "PROJCRS",  "GEOGCS",      "GEOGCRS",    "GEODCRS",
                                           "GEOCCS",   "COMPD_CS", "VERT_CS",     "VERTCRS",    "BOUNDCRS",
                                           "LOCAL_CS", "ENGCRS",   "COMPOUNDCRS", "BASEGEOGCRS"};
  const std::size_t bracket = text.find('[');
  const bool is_code = text.starts_with("EPSG:") && text.size() < 10 && text.size() > 5 &&
                       text.find_first_not_of("0123456789", 5) == text.npos;
  return is_code || text.starts_with('{') || text.starts_with("+proj=") || text.starts_with("+init=") ||
         (bracket != text.npos && std::ranges::find(keywords, text.substr(0, bracket)) != std::end(keywords));
}

/// Of as many inputs of its kind one is fed: a projected system is compared with all that EPSG has, in ten times the
/// time of another.
std::size_t one_of(std::string_view input) {
  if (!is_a_definition(input)) return 64;
  return input.starts_with("PROJC") ? 8 : 1;
}
#endif

void feed(std::string_view input) {
#if SCREE_FUZZ
  if (std::hash<std::string_view>{}(input) % one_of(input) != 0) return;
#endif
  const Crs crs = in_time([&] { return crs_of(std::string(input), "x.prj"); });
  require_line(crs.name);
}

const Registered registered({"crs", feed});

}  // namespace
}  // namespace scree::fuzz::of_crs
