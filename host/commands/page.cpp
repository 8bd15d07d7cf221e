#include "page.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>

#include "host/common/error.hpp"
#include "host/engine/interrupt.hpp"
#include "host/page/page.hpp"
#include "host/page/thinned.hpp"
#include "host/results/output.hpp"
#include "host/results/stored_run.hpp"
#include "info.hpp"
#include "ranked.hpp"
#include "replay_samples.hpp"

namespace scree {
namespace {

/// Points of all lines of a page, and of one line at most.
constexpr std::size_t all_points = 60'000, most_points = 300;
/// Cells of a relief, along its longer side.
constexpr double relief_cells = 400;

/// Which columns of a path its lines are drawn from.
struct Axes {
  struct Line {
    std::size_t along, up;
  };
  std::vector<Line> lines;  // of each body
  PageAxis along, up;

  explicit Axes(const std::vector<Column>& columns) {
    const auto place = [&](const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(columns, name, &Column::name) - columns.begin());
    };
    const auto is_there = [&](std::size_t c) { return c < columns.size(); };
    const auto add = [&](std::size_t x, std::size_t y) {
      if (lines.empty()) {
        along = {columns[x].name, columns[x].unit};
        up = {columns[y].name, columns[y].unit};
      }
      lines.push_back({x, y});
    };
    constexpr int most_bodies = 8;
    for (int body = -1; body < most_bodies; ++body) {
      const std::string number = body < 0 ? "" : std::to_string(body);
      const std::size_t x = place("x" + number), y = place("y" + number), z = place("z" + number);
      if (is_there(x) && (is_there(y) || is_there(z)))
        add(x, is_there(y) ? y : z);
      else if (is_there(x))
        add(0, x);
    }
    if (lines.empty() && columns.size() > 1) add(0, 1);
  }
};

/// A line of few points.
std::vector<float> line_of(const Path& path, std::size_t along, std::size_t up, std::size_t most) {
  std::vector<double> points;
  points.reserve(2 * path.rows());
  for (std::size_t row = 0; row < path.rows(); ++row) {
    points.push_back(path.at(row, along));
    points.push_back(path.at(row, up));
  }
  std::vector<float> line;
  for (const std::size_t row : thinned(points, most))
    line.insert(line.end(), {static_cast<float>(points[2 * row]), static_cast<float>(points[2 * row + 1])});
  return line;
}

class Making {
 public:
  explicit Making(const PageOptions& options)
      : options_(options), stored_(read_result(options.result)), input_{.stored = stored_} {
    input_.file = options.result;
    input_.layers = options.layers;
  }

  std::string html() {
    const Model* model = find_model(stored_.description->system);
    if (model) add_figure(model->description);
    try {
      for (const Arm& arm : stored_.arms) add_paths(arm);
    } catch (const Error& error) {
      if (error.code == Exit::interrupted) throw;
      input_.paths.clear();
      input_.left_out.push_back(std::string("There are no paths: ") + error.what() + ".");
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

  void add_paths(const Arm& arm) {
    const std::uint64_t count = (options_.paths + stored_.arms.size() - 1) / stored_.arms.size();
    if (count == 0) return;
    const Run& run = run_of(arm);
    const std::vector<std::uint64_t> samples = samples_at_even_ranks(*stored_.description, arm.table, count);
    if (samples.empty()) return;
    const std::vector<Column> columns = path_columns(run);
    const Axes axes(columns);
    input_.along = axes.along;
    input_.up = axes.up;
    const std::size_t lines = std::max<std::size_t>(1, axes.lines.size()) * options_.paths;
    const std::size_t most = std::clamp<std::size_t>(all_points / lines, 20, most_points);
    const auto place = [&](const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(columns, name, &Column::name) - columns.begin());
    };
    const std::size_t x = place(input_.figure.x), y = place(input_.figure.y);
    std::mutex mutex;
    std::map<std::uint64_t, PagePath> made;
    const auto finish = [&](Path& path) {
      PagePath small{arm.name, path.sample, path.result.status, {}, {}};
      for (const Axes::Line& line : axes.lines) small.lines.push_back(line_of(path, line.along, line.up, most));
      if (input_.figure.of_paths && x < columns.size() && y < columns.size()) small.figure = line_of(path, x, y, most);
      const std::lock_guard lock(mutex);
      made[path.sample] = std::move(small);
    };
    const Replay replay{run, run.model->description.scheme(arm.scheme), samples, {}, false, options_.quiet};
    const Interruptible interruptible(nullptr);
    replay_samples(replay, finish, [](Path&) {});
    for (const std::uint64_t sample : samples) input_.paths.push_back(std::move(made[sample]));
  }

  /// The terrain of the maps, or below the resting places and paths.
  void add_ground() {
    const Description& d = *stored_.description;
    if (d.deposition_x < 0 || stored_.run.terrain_name.empty()) return;
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
        if (input_.along.name == "x" && input_.up.name == "y")
          for (const PagePath& path : input_.paths)
            for (const std::vector<float>& line : path.lines)
              for (std::size_t k = 0; k + 1 < line.size(); k += 2)
                include(static_cast<double>(line[k]), static_cast<double>(line[k + 1]));
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
    } catch (const Error& error) {
      input_.left_out.push_back(std::string("There is no map: ") + error.what() + ".");
    }
  }

  const Run& run_of(const Arm& arm) {
    const auto known = runs_.find(&arm);
    return known != runs_.end() ? known->second
                                : runs_.emplace(&arm, run_again(options_.result, stored_, arm)).first->second;
  }

  const PageOptions& options_;
  StoredResult stored_;
  PageInput input_;
  std::map<const Arm*, Run> runs_;  // that the arms were made from
};

}  // namespace

void page_command(const PageOptions& options) {
  const std::string output = options.output.empty()
                                 ? std::filesystem::path(options.result).replace_extension(".html").string()
                                 : options.output;
  check_output(output, options.force, {options.result});
  const std::string html = Making(options).html();
  write_renamed(output, [&](const std::string& temporary) {
    std::ofstream file(temporary, std::ios::binary);
    file << html;
    file.close();
    if (!file) throw Error(Exit::failed, output + ": cannot be written");
  });
  if (!options.quiet) std::cerr << "report: " << output << '\n';
}

}  // namespace scree
