// A coordinate reference system, as a .prj file gives it. (PROJ is that of the system, without sanitizers.)
#include "host/inputs/crs.hpp"
#include "harness.hpp"

namespace scree::fuzz::of_crs {
namespace {

void feed(std::string_view input) {
  const Crs crs = in_time([&] { return crs_of(std::string(input), "x.prj"); });
  require_line(crs.name);
}

const Registered registered({"crs", feed});

}  // namespace
}  // namespace scree::fuzz::of_crs
