#include "page.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include "host/common/available_threads.hpp"
#include "host/common/error.hpp"
#include "host/page/page.hpp"
#include "host/page/thinned.hpp"
#include "host/report/compare.hpp"
#include "host/report/verdict.hpp"
#include "host/results/maps.hpp"
#include "host/results/output.hpp"
#include "host/results/stored_run.hpp"
#include "host/statistics/ranked.hpp"
#include "info.hpp"
#include "replay_samples.hpp"

namespace scree {
namespace {

/// Points of all lines of a page, and of one line at most.
constexpr std::size_t all_points = 60'000, most_of_a_line = 300;
/// Cells of a relief, along its longer side.
constexpr double relief_cells = 400;

/// Which columns of a path its lines are drawn from.
struct Axes {
  struct Line {
    std::size_t along, up;
  };
  std::vector<Line> lines;  // of each body that is shown
  PageAxis along, up;
  std::size_t bodies = 0, shown = 0;  // of a system of many

  explicit Axes(const std::vector<Column>& columns) {
    const auto place = [&](const std::string& name) { return place_of(columns, name); };
    const auto is_there = [&](std::size_t c) { return c < columns.size(); };
    const auto add = [&](std::size_t x, std::size_t y) {
      if (lines.empty()) {
        along = {columns[x].name, columns[x].unit};
        up = {columns[y].name, columns[y].unit};
      }
      lines.push_back({x, y});
    };
    // Of many bodies some, from the first to the last.
    constexpr std::size_t most_bodies = 8;
    while (is_there(place("x" + std::to_string(bodies)))) ++bodies;
    std::vector<std::string> numbers{""};
    shown = std::min(bodies, most_bodies);
    for (std::size_t k = 0; k < shown; ++k)
      numbers.push_back(std::to_string(shown == 1 ? 0 : k * (bodies - 1) / (shown - 1)));
    for (const std::string& number : numbers) {
      const std::size_t x = place("x" + number), y = place("y" + number), z = place("z" + number);
      if (is_there(x) && (is_there(y) || is_there(z)))
        add(x, is_there(y) ? y : z);
      else if (is_there(x))
        add(0, x);
    }
    if (lines.empty() && columns.size() > 1) add(0, 1);
    // Axes are those of all bodies.
    if (bodies > 1)
      for (PageAxis* axis : {&along, &up}) axis->name = axis->name.substr(0, axis->name.find_first_of("0123456789"));
  }
};

/// A line of few points of these columns, less the origin of each.
std::vector<float> line_of(const Path& path, const std::vector<std::size_t>& columns, std::size_t most,
                           const std::vector<double>& origin = {}) {
  std::vector<double> points;
  points.reserve(columns.size() * path.rows());
  for (std::size_t row = 0; row < path.rows(); ++row)
    for (const std::size_t column : columns) points.push_back(path.at(row, column));
  std::vector<float> line;
  for (const std::size_t row : thinned(points, columns.size(), most))
    for (std::size_t d = 0; d < columns.size(); ++d)
      line.push_back(static_cast<float>(points[columns.size() * row + d] - (d < origin.size() ? origin[d] : 0)));
  return line;
}

/// Of a column against the horizontal length of the way.
Profile profile_of(const Path& path, std::size_t x, std::size_t y, std::size_t column) {
  Profile profile;
  double way = 0;
  for (std::size_t row = 0; row < path.rows(); ++row) {
    if (row > 0) way += std::hypot(path.at(row, x) - path.at(row - 1, x), path.at(row, y) - path.at(row - 1, y));
    profile.add(way, path.at(row, column));
  }
  return profile;
}

class Making {
 public:
  explicit Making(const PageOptions& options)
      : options_(options), stored_(read_result(options.result)), input_{.stored = stored_} {
    input_.file = options.result;
    input_.layers = options.layers;
    input_.crs = stored_.run.crs;
  }

  std::string html() {
    const Model* model = find_model(stored_.description->system);
    if (model) add_figure(model->description);
    if (stored_.arms.size() > 1) input_.evaluation = evaluate_in_words(stored_.run, stored_.arms, available_threads());
    try {
      const std::vector<std::uint64_t> samples = samples_of_paths();
      for (const Arm& arm : stored_.arms) add_paths(arm, samples);
    } catch (const Error& error) {
      if (error.code == Exit::interrupted) throw;
      input_.paths.clear();
      input_.bands.clear();
      leave_out(std::string("There are no paths: ") + error.what());
    }
    add_ground();
    std::ostringstream text;
    print_info(text, options_.result, {true, false});
    input_.text = text.str();
    return page(input_);
  }

 private:
  void add_figure(const Description& now) {
    const Figure& figure = now.figure;
    if (figure.x.empty()) return;
    const std::vector<Column>& columns = figure.of_paths ? now.track : stored_.description->columns;
    const auto axis = [&](const std::string& name) -> PageAxis {
      if (name == "time" && figure.of_paths) return {"time", "s"};
      const auto column = std::ranges::find(columns, name, &Column::name);
      return column == columns.end() ? PageAxis{} : PageAxis{column->name, column->unit};
    };
    input_.figure_x = axis(figure.x);
    input_.figure_y = axis(figure.y);
    if (!input_.figure_x.name.empty() && !input_.figure_y.name.empty()) input_.figure = figure;
  }

  /// Of all arms the same: at even ranks of the first, the hardest, and those that the arms treat most differently.
  std::vector<std::uint64_t> samples_of_paths() {
    constexpr std::size_t hardest = 5;
    const std::vector<Arm>& arms = stored_.arms;
    const Description& d = *stored_.description;
    const std::uint64_t count = (options_.paths + arms.size() - 1) / arms.size();
    if (count == 0) return {};
    std::vector<std::uint64_t> samples = samples_at_even_ranks(d, arms[0].table, count);
    even_ = samples.size();
    input_.paths_are =
        whole(samples.size()) + " of samples at even ranks of " + column_of(d, d.headline_columns().front()).name;
    const auto add = [&](const std::vector<std::uint64_t>& more, const std::string& what) {
      std::uint64_t added = 0;
      for (const std::uint64_t sample : more)
        if (std::ranges::find(samples, sample) == samples.end()) {
          samples.push_back(sample);
          ++added;
        }
      if (added > 0) input_.paths_are += ", " + whole(added) + " more of " + what;
    };
    for (const char* name : {"kinetic_energy_max", "speed_max"}) {
      const int c = d.column(name);
      if (c < 0) continue;
      std::vector<std::uint64_t> all;
      for (std::uint64_t i = 0; i < arms[0].table.samples; ++i)
        if (std::isfinite(arms[0].table.at(c, i)) && counts_in_maps(arms[0].table.status[i]))
          all.push_back(arms[0].table.number(i));
      const std::size_t shown = std::min(hardest, all.size());
      std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(shown), std::ranges::greater{},
                                [&](std::uint64_t number) { return arms[0].table.at(c, arms[0].table.row(number)); });
      all.resize(shown);
      add(all, std::string("the largest ") + name);
      break;
    }
    for (std::size_t a = 1; a < arms.size(); ++a) {
      std::vector<std::uint64_t> most;
      for (const DifferingSample& s :
           differing_samples(stored_.run, arms[0], arms[a], input_.evaluation->comparisons[a - 1]))
        most.push_back(s.sample);
      add(most, "those that " + arms[a].name + " and " + arms[0].name + " treat most differently");
    }
    if (arms.size() > 1) input_.paths_are += ", under each arm";
    return samples;
  }

  void add_paths(const Arm& arm, const std::vector<std::uint64_t>& samples) {
    if (samples.empty()) return;
    const Run& run = run_of(arm);
    const std::vector<Column> columns = path_columns(run);
    const Axes axes(columns);
    const auto place = [&](const std::string& name) { return place_of(columns, name); };
    const std::size_t x = place("x"), y = place("y"), z = place("z");
    const bool has_ground = has_relief() && x < columns.size() && y < columns.size() && z < columns.size();
    input_.along = has_ground ? PageAxis{"horizontal length of the way", "m"} : axes.along;
    input_.up = has_ground ? PageAxis{columns[z].name, columns[z].unit} : axes.up;
    if (!has_ground && axes.shown < axes.bodies && &arm == &stored_.arms[0])
      input_.paths_are += ", " + whole(axes.shown) + " of the " + whole(axes.bodies) + " bodies of each";
    if (has_ground && &arm == &stored_.arms[0]) set_origin();
    const std::size_t lines = std::max<std::size_t>(1, axes.lines.size()) * samples.size() * stored_.arms.size();
    const std::size_t most = std::clamp<std::size_t>(all_points / lines, 20, most_of_a_line);
    const std::size_t figure_x = place(input_.figure.x), figure_y = place(input_.figure.y);
    std::vector<std::size_t> along;  // columns, of which there are bands
    if (has_ground)
      for (const std::string& name : run.model->description.along) along.push_back(place(name));
    struct Made {
      PagePath path;
      std::vector<Profile> profiles;
    };
    // The others were chosen for what they are, and would make the bands harder than the samples.
    const std::set<std::uint64_t> at_even_ranks(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(even_));
    std::mutex mutex;
    std::map<std::uint64_t, Made> made;
    const auto finish = [&](Path& path) {
      Made one{{arm.name, path.sample, path.result.status, {}, {}, {}}, {}};
      if (has_ground)
        one.path.points = line_of(path, {x, y, z}, most, {input_.origin_x, input_.origin_y});
      else
        for (const Axes::Line& line : axes.lines) one.path.lines.push_back(line_of(path, {line.along, line.up}, most));
      if (input_.figure.of_paths && figure_x < columns.size() && figure_y < columns.size())
        one.path.figure = line_of(path, {figure_x, figure_y}, most);
      if (at_even_ranks.contains(path.sample))
        for (const std::size_t column : along) one.profiles.push_back(profile_of(path, x, y, column));
      const std::lock_guard lock(mutex);
      made[path.sample] = std::move(one);
    };
    const Replay replay{run, run.model->description.scheme(arm.scheme), samples, {}, false, options_.caller};
    const Stop::Accepting accepting(*options_.caller.stop, nullptr);
    replay_samples(replay, finish, [](Path&) {});
    for (std::size_t k = 0; k < along.size(); ++k) {
      constexpr std::size_t most_stretches = 100;
      constexpr std::uint64_t fewest_paths = 5;
      std::vector<Profile> profiles;
      for (const auto& [sample, one] : made)
        if (k < one.profiles.size()) profiles.push_back(one.profiles[k]);
      const Column& column = columns[along[k]];
      Bands bands = bands_of(std::move(profiles), most_stretches, fewest_paths);
      if (!bands.stretches.empty())
        input_.bands.push_back({arm.name, {column.name, column.unit}, std::move(bands)});
      else if (k == 0)
        input_.left_out.push_back("There are no quantiles along the way of " + arm.name + ": they take " +
                                  std::to_string(fewest_paths) + " paths or more.");
    }
    for (const std::uint64_t sample : samples) input_.paths.push_back(std::move(made.at(sample).path));
  }

  /// To whole metres, of a resting place.
  void set_origin() {
    const Arm& arm = stored_.arms[0];
    for (std::uint64_t i = 0; i < arm.table.samples; ++i) {
      const double x = arm.table.at(stored_.description->deposition_x, i),
                   y = arm.table.at(stored_.description->deposition_y, i);
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      input_.origin_x = std::floor(x);
      input_.origin_y = std::floor(y);
      return;
    }
  }
  bool has_relief() const { return stored_.description->deposition_x >= 0 && !stored_.run.terrain_name.empty(); }

  /// The terrain of the maps, or below the resting places and paths.
  void add_ground() {
    const Description& d = *stored_.description;
    if (!has_relief()) return;
    try {
      const Run& run = run_of(stored_.arms[0]);
      MapGrid grid{};
      if (stored_.arms[0].map_facts) {
        grid = stored_.arms[0].map_facts->grid;
      } else {
        double west = infinity, east = -infinity, south = infinity, north = -infinity;
        const auto include = [&](double x, double y) {
          if (!std::isfinite(x) || !std::isfinite(y)) return;
          west = std::min(west, x);
          east = std::max(east, x);
          south = std::min(south, y);
          north = std::max(north, y);
        };
        for (const Arm& arm : stored_.arms)
          for (std::uint64_t i = 0; i < arm.table.samples; ++i)
            include(arm.table.at(d.deposition_x, i), arm.table.at(d.deposition_y, i));
        for (const PagePath& path : input_.paths)
          for (std::size_t k = 0; k + 2 < path.points.size(); k += 3)
            include(static_cast<double>(path.points[k]) + input_.origin_x,
                    static_cast<double>(path.points[k + 1]) + input_.origin_y);
        const double size = std::max(east - west, north - south);
        if (!(size > 0)) return;
        const double margin = 0.05 * size, cell = (size + 2 * margin) / relief_cells;
        grid = {west - margin,
                south - margin,
                cell,
                1 / cell,
                std::ceil((east - west + 2 * margin) / cell),
                std::ceil((north - south + 2 * margin) / cell)};
      }
      input_.ground = PageGround{grid, terrain_heights(run, grid)};
      input_.crs = run.crs;
      for (const Arm& arm : stored_.arms)
        if (run_of(arm).terrain_name != run.terrain_name)
          input_.left_out.push_back("The map has the ground of " + stored_.arms[0].name + "; that of " + arm.name +
                                    " is another: " + run_of(arm).terrain_name + ".");
    } catch (const Error& error) {
      if (!take_heights_of_maps()) leave_out(std::string("There is no map: ") + error.what());
    }
  }
  /// Where the terrain cannot be read again, that of the maps in the result.
  bool take_heights_of_maps() {
    const Arm& arm = stored_.arms[0];
    if (!arm.map_facts) return false;
    for_each_layer(options_.result, stored_.arms, arm, {"terrain"}, [&](const MapLayer& layer) {
      input_.ground = PageGround{arm.map_facts->grid, {layer.values.begin(), layer.values.end()}};
    });
    return input_.ground.has_value();
  }
  /// On the page, and to who makes it.
  void leave_out(const std::string& text) {
    input_.left_out.push_back(text + ".");
    options_.caller.warn(text);
  }

  const Run& run_of(const Arm& arm) {
    const auto known = runs_.find(&arm);
    if (known != runs_.end()) return known->second;
    Run run = run_again(options_.result, stored_, arm);
    if (runs_.empty()) warn_of_far_inputs(options_.result, run, options_.caller);
    return runs_.emplace(&arm, std::move(run)).first->second;
  }

  const PageOptions& options_;
  StoredResult stored_;
  PageInput input_;
  std::size_t even_ = 0;            // samples of paths at even ranks; the others come after them
  std::map<const Arm*, Run> runs_;  // that the arms were made from
};

}  // namespace

void page_command(const PageOptions& options) {
  const std::string output = options.output.empty()
                                 ? std::filesystem::path(options.result).replace_extension(".html").string()
                                 : options.output;
  check_output(output, options.force, {options.result});
  const std::string html = Making(options).html();
  const auto write = [&](const std::string& temporary) {
    std::ofstream file(temporary, std::ios::binary);
    file << html;
    file.close();
    if (!file) throw Error(Exit::failed, output + ": cannot be written");
  };
  write_renamed(output, write);
  options.caller.note("report: " + output);
}

}  // namespace scree
