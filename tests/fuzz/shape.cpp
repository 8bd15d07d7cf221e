// The points of a rock, as an OBJ file and as a list: their hull, and a run of the rock.
#include "harness.hpp"
#include "host/common/error.hpp"
#include "host/inputs/shape_file.hpp"

namespace scree::fuzz::of_shape {
namespace {

void try_as(const std::string& name, std::string_view input) {
  ShapeSpec spec;
  spec.name = "x";
  spec.kind = "file";
  spec.file = name;
  spec.density = 2700;
  const ShapePoints read = in_time([&] { return parse_shape_points(spec, input); });
  spec.points = read.points;
  spec.mesh_volume = read.volume;
  // Without points it would be a file to read.
  if (spec.points.empty()) spec.kind = "points";
  const Shape shape = in_time([&] { return make_shape(spec); });
  if (!shape.note.empty()) require_line(shape.note);
  write(name, input);
  if (const std::string config = study("rock", true); !config.empty())
    read_and_run(config, {"--set:shape={ name = 'x', kind = 'file', file = '" + name + "', density = 2700 }"});
}

void feed(std::string_view input) {
  for (const char* name : {"fuzzed.obj", "fuzzed.pts"}) try {
      try_as(name, input);
    } catch (const Error& error) {
      require_line(error.what());
    }
}

const Registered registered({"shape", feed});

}  // namespace
}  // namespace scree::fuzz::of_shape
