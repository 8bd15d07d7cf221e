#include "harness.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "host/commands/check.hpp"
#include "host/common/error.hpp"
#include "host/config/config.hpp"
#include "host/engine/execute.hpp"
#include "host/engine/memory.hpp"
#include "host/model/digest.hpp"

namespace scree::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr double most_bytes = 2e8;  // that a run may ask for
constexpr double most_steps = 100;  // of a sample
constexpr std::uint64_t samples = 3;

/// Heights that fall by 30 degrees along +x, with a step and a hole.
std::string terrain_text() {
  std::string text = "ncols 12\nnrows 10\nxllcorner -10\nyllcorner -25\ncellsize 5\nNODATA_value -9999\n";
  for (int row = 9; row >= 0; --row)
    for (int column = 0; column < 12; ++column)
      text += (column == 9 && row == 1 ? "-9999" : std::to_string(40 - 2.9 * column - (column > 5 ? 2 : 0) + row % 2)) +
              (column < 11 ? " " : "\n");
  return text;
}

constexpr std::string_view tetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 0.9 0\nv 0.2 0.1 0.8\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
constexpr std::string_view line_text = R"({"type": "LineString", "coordinates": [[4, -20], [4.5, 0], [4, 20]]})";

/// A folder with the data files of the studies, removed at the end of the process.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("scree_fuzz_" + std::to_string(::getpid()));
  Folder() {
    fs::create_directories(path);
    ::setenv("SCREE_DATA", path.c_str(), 1);
    put("terrain.asc", terrain_text());
    put("block.obj", tetrahedron);
    put("starts.csv", "run,x,y,block,v\na,0,-5,block,5\nb,0.5,0,stone,8\nc,1,5,block,10\n");
    put("stems.csv", "x,y,dbh\n6,-5,0.4\n6,0,0.3\n6.5,5,0.5\n");
    put("observed.csv", "run,block,runout,x,y\na,block,20,20,-5\nb,stone,25,25,0\n");
    put("line.geojson", line_text);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  void put(const std::string& name, std::string_view bytes) const {
    std::ofstream(path / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
};

const Folder& folder() {
  static const Folder there;
  return there;
}

constexpr const char* rock_study = R"(system = "rock"
scheme = ["implicit", "explicit"]
samples = 3
step = 0.01
end = 1.0
group_by = "shape"
[rock]
ground = "medium hard"
[terrain]
kind = "grid"
file = "terrain.asc"
floor = 1.0
[terrain.ground]
area = [{ class = "mine", polygon = [[0, -20], [20, -20], [20, 0], [0, 0]] }]
[ground.mine]
like = "soft"
layer_drag = 300.0
layer_height = 0.5
[[shape]]
name = "block"
kind = "cuboid"
size = [1.0, 0.8, 0.6]
density = 2700.0
[[shape]]
name = "stone"
kind = "file"
file = "block.obj"
mass = 500.0
[maps]
percentiles = ["kinetic_energy"]
sources = true
release_frequency = 0.2
[maps.danger]
names = ["low", "high"]
colours = ["#ffe066", "#e0483e"]
matrix = [["none", "none", "low"], ["none", "low", "low"], ["high", "high", "high"]]
[[gate]]
name = "road"
file = "line.geojson"
design = "uni11211"
[[barrier]]
name = "fence"
line = [[9, -20], [9, 20]]
height = 1.0
capacity = 20e3
[[forest]]
name = "wood"
polygon = [[2, -15], [8, -15], [8, 15], [2, 15]]
stems = 2000
diameter = { normal = [0.3, 0.08], min = 0.1 }
capacity = { factor = 38.7, exponent = 2.31 }
resample = true
[[forest]]
name = "row"
file = "stems.csv"
capacity = 1e4
law = "dorren"
share = [0.1, 0.9, 2.0, 0.5]
[start]
table = "starts.csv"
gap = 0.05
[start.columns]
shape = "block"
"position.x" = "x"
"position.y" = "y"
speed = "v"
[vary]
orientation = "uniform"
"rock.friction_min" = { uniform = [0.3, 0.4] }
[observed]
table = "observed.csv"
column = "runout"
value = "runout"
group = "block"
match = "run"
position = ["x", "y"]
holdout = { groups = ["stone"] }
[published]
source = "nobody"
row = [{ column = "runout", scheme = "implicit", mean = 100.0, sd = 10.0 }]
[sensitivity]
key = "rock.ground"
values = ["soft", "hard"]
[margin]
runout = 5.0
)";

constexpr const char* plain_rock_study = R"(system = "rock"
scheme = "implicit"
samples = 3
step = 0.01
end = 1.0
[rock]
ground = "hard"
[terrain]
kind = "grid"
file = "terrain.asc"
[[shape]]
name = "block"
kind = "octahedron"
size = [1.0, 0.8, 0.6]
density = 2700.0
[start]
position = [0.0, 0.0]
gap = 0.05
[vary]
orientation = "uniform"
)";

constexpr const char* slider_study = R"(system = "slider"
scheme = ["rk4", "implicit_midpoint"]
samples = 3
step = 0.05
end = 5.0
[slider]
friction = 0.2
[terrain]
kind = "grid"
file = "terrain.asc"
[maps]
cell = 2.0
[[gate]]
name = "road"
x = 3.0
[[barrier]]
name = "fence"
file = "line.geojson"
height = 2.0
[[forest]]
polygon = [[2, -15], [8, -15], [8, 15], [2, 15]]
stems = 500
diameter = 0.4
capacity = 10.0
[vary]
"start.position" = { line = [[0, -10], [0, 10]] }
"start.velocity.x" = { normal = [8.0, 1.0], min = 0.1 }
)";

constexpr const char* projectile_study = R"(system = "projectile"
scheme = ["exact", "rk4"]
samples = 3
step = 0.1
end = 10.0
[projectile]
drag = 0.02
[start]
speed = 50.0
[vary]
"start.angle" = { triangular = [0.1, 1.5, 0.5] }
"projectile.gravity" = { lognormal = [2.0, 0.1], min = 1.0 }
)";

constexpr const char* disk_study = R"(system = "disk"
scheme = "rk4"
samples = 3
step = 0.5
end = 1.0
[disk]
nodes = 9
[start]
radius = 1.0
speed = 1.0
[vary]
"start.time" = { uniform = [0.1, 0.2] }
)";

void require_room(const Run& run) {
  if (memory_needed(run, work_of(run), 1) > most_bytes) throw Error(Exit::device, "more memory than a harness gives");
}

/// The oldest packs that are built; nullptr where a system has none.
Kernel packs_of(const Model& model) {
  const auto& packs = model.kernels.pack;
  const auto built = std::ranges::find_if(packs, [](Kernel kernel) { return kernel != nullptr; });
  return built == std::end(packs) ? nullptr : *built;
}

Engine on(const Run& run, const char* backend) {
  Engine engine;
  engine.kernel = std::string(backend) == "scalar" ? run.model->kernels.scalar[0] : packs_of(*run.model);
  engine.backend = backend;
  engine.threads = 1;
  return engine;
}

/// What the kernel of `engine` makes of a run whose steps are as many as they need, until it is asked to stop after a
/// second, which must not take long. Empty: it was.
std::string digest_of_adapting(const Run& run, const std::string& scheme, const Engine& engine) {
  const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  SummaryTable table;
  table.description = &run.model->description;
  table.samples = run.samples;
  table.values.resize(table.description->columns.size() * run.samples);
  table.status.assign(run.samples, static_cast<std::uint32_t>(Status::not_run));
  Control control;
  std::mutex mutex;
  std::condition_variable changed;
  bool over = false;
  {
    const std::jthread watch([&] {
      std::unique_lock lock(mutex);
      if (!changed.wait_for(lock, std::chrono::seconds(1), [&] { return over; })) control.cancel = true;
    });
    engine.kernel({ensemble.data(), run.spec.tables.size(), table.description->scheme(scheme), 0, run.samples,
                   table.values.data(), run.samples, table.status.data(), 1, 0, 0, &control});
    const std::lock_guard lock(mutex);
    over = true;
    changed.notify_one();
  }
  return control.cancel ? "" : digest(table);
}

std::string digest_on(const Run& run, const std::string& scheme, const char* backend) {
  const Engine engine = on(run, backend);
  if (!run.step_scales.empty()) return digest_of_adapting(run, scheme, engine);
  return execute(run, scheme, engine).digest;
}

}  // namespace

std::vector<Harness>& harnesses() {
  static std::vector<Harness> all;
  return all;
}

std::string verdict(const Harness& harness, std::string_view input, std::string* refusal) {
  try {
    try {
      harness.feed(input);
    } catch (const Error& error) {
      if (refusal) *refusal = error.what();
      require_line(error.what());
    }
  } catch (const Broken& broken) {
    return broken.what();
  } catch (const std::exception& error) {
    return std::string("what came out is no scree::Error: ") + error.what();
  }
  return "";
}

void require_line(const std::string& text) {
  if (text.empty()) throw Broken("a line is empty");
  if (printable(text) != text) throw Broken("a line is not printable: " + printable(text));
}

bool is_a_definition(std::string_view crs) {
  constexpr std::string_view keywords[] = {"PROJCS",   "PROJCRS",  "GEOGCS",      "GEOGCRS",    "GEODCRS",
                                           "GEOCCS",   "COMPD_CS", "VERT_CS",     "VERTCRS",    "BOUNDCRS",
                                           "LOCAL_CS", "ENGCRS",   "COMPOUNDCRS", "BASEGEOGCRS"};
  const std::size_t bracket = crs.find('[');
  const bool is_code = crs.starts_with("EPSG:") && crs.size() < 10 && crs.size() > 5 &&
                       crs.find_first_not_of("0123456789", 5) == crs.npos;
  return is_code || crs.starts_with('{') || crs.starts_with("+proj=") || crs.starts_with("+init=") ||
         (bracket != crs.npos && std::ranges::find(keywords, crs.substr(0, bracket)) != std::end(keywords));
}

std::string file(const std::string& name) { return (folder().path / name).string(); }
void write(const std::string& name, std::string_view bytes) { folder().put(name, bytes); }

std::string study(const std::string& system, bool plain) {
  if (!find_model(system)) return "";
  if (system == "rock") return plain ? plain_rock_study : rock_study;
  if (system == "slider") return slider_study;
  if (system == "projectile") return projectile_study;
  if (system == "disk") return disk_study;
  return "";
}

Run read(const std::string& config, const std::vector<std::string>& overlays) {
  const std::vector<std::string> all = overlays_with_samples(overlays, samples);
  const std::string path = file("config.toml");
  Run run = in_time([&] { return load_run_text(path, config, all, &find_model, &require_room); });
  for (const std::string& warning : run.warnings) require_line(warning);
  for (const auto& [name, text] : told_of(run)) require_line(text);
  return run;
}

void read_and_run(const std::string& config, const std::vector<std::string>& overlays) {
  Run run = read(config, overlays);
  World& world = run.spec.world;
  world.end = std::min(world.end, most_steps * world.step);
  for (const std::string& scheme : run.schemes) {
    const std::string scalar = digest_on(run, scheme, "scalar");
    if (!packs_of(*run.model)) continue;
    const std::string pack = digest_on(run, scheme, "pack");
    if (!scalar.empty() && !pack.empty() && scalar != pack)
      throw Broken(scheme + ": the digest is " + scalar + " scalar and " + pack + " in packs");
  }
}

}  // namespace scree::fuzz
