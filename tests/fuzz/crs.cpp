// A coordinate reference system, as a .prj file gives it. (PROJ is that of the system, without sanitizers.)
#include "host/inputs/crs.hpp"

#include <functional>

#include "harness.hpp"

namespace scree::fuzz::of_crs {
namespace {

#if SCREE_FUZZ
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
