// The drawn ensemble: what the values of the config cannot tell one by one.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "reading.hpp"

namespace scree {
namespace {

/// About a second of drawing.
constexpr std::uint64_t most_checked = std::uint64_t{1} << 20;

class EnsembleCheck {
 public:
  explicit EnsembleCheck(Reading& reading)
      : reading_(reading), run_(reading.run), tables_(run_.spec.tables.data()), targets_(all_targets(reading)) {
    const std::size_t params = reading.description.param_doubles;
    for (const Quantity& start : reading.description.starts)
      if (reading.description.sets_down(start) || slides_from(start))
        positions_.push_back(static_cast<int>(params) + start.offset);
    if (const Quantity* shape = find_start(reading, "shape"); shape && reading.description.uses_shapes)
      shape_ = static_cast<int>(params) + shape->offset;
    shape_used_.resize(run_.shape_names.size());
    std::erase_if(targets_, [&](const Target& t) {
      return t.width > 1 || t.repeats > 1 || !reading.sources[static_cast<std::size_t>(t.first)].varied;
    });
  }

  void run() {
    const std::vector<std::byte> ensemble = run_.model->ensemble(run_.spec);
    values_.resize(reading_.sources.size());
    const std::uint64_t count = run_.spec.variations.empty() ? 1 : std::min(run_.samples, most_checked);
    for (std::uint64_t sample = 0; sample < count; ++sample) {
      run_.model->draw(ensemble.data(), sample, values_.data());
      check_ranges(sample);
      for (const int position : positions_) check_position(sample, position);
      check_mistake(sample, run_.model->mistake ? run_.model->mistake(ensemble.data(), sample) : nullptr);
      if (run_.model->largest_step) check_step(ensemble.data(), sample);
      if (shape_ >= 0) shape_used_[static_cast<std::size_t>(at(shape_))] = true;
    }
    if (count == most_checked && run_.samples > count)
      run_.warnings.push_back(run_.config_path + ": only the first " + std::to_string(count) + " of " +
                              std::to_string(run_.samples) + " samples were checked for their release");
    report(count);
  }

 private:
  double at(int i) const { return values_[static_cast<std::size_t>(i)]; }
  const Source& source(int i) const { return reading_.sources[static_cast<std::size_t>(i)]; }

  /// The value in the config that decided the double i, or the config itself.
  const Node& origin(int i) const {
    return source(i).varied ? *source(i).varied : source(i).fixed ? *source(i).fixed : reading_.root;
  }

  void check_mistake(std::uint64_t sample, const Mistake& mistake) const {
    if (!mistake.text) return;
    complain(reading_.root, reading_.description.system + ": " + mistake.text +
                                (mistake.unit ? " " + number_text(mistake.allowed) + unit_text(mistake.unit) : "") +
                                ", in sample " + std::to_string(sample));
  }

  void check_step(const void* ensemble, std::uint64_t sample) const {
    const std::vector<Scheme>& schemes = reading_.description.schemes;
    for (std::size_t scheme = 0; scheme < schemes.size(); ++scheme) {
      if (std::find(run_.schemes.begin(), run_.schemes.end(), schemes[scheme].name) == run_.schemes.end()) continue;
      const double limit = run_.model->largest_step(ensemble, static_cast<int>(scheme), sample);
      // A sample that has no limit, 0 or NaN, has no sound start either: it ends there, as diverged.
      if (run_.spec.world.step <= limit || !(limit > 0)) continue;
      // Six digits of the limit, rounded down so that what is shown is allowed.
      const double digit = std::pow(10.0, std::floor(std::log10(limit)) - 5);
      char allowed[40];
      std::snprintf(allowed, sizeof allowed, "%.6g", std::floor(limit / digit) * digit);
      const Node& step = reading_.root.need("step", "");
      complain(step, step.key + " = " + value_text(step) + ", must be <= " + allowed + " (s), beyond which " +
                         schemes[scheme].name + " is unstable, in sample " + std::to_string(sample));
    }
  }

  void check_ranges(std::uint64_t sample) const {
    for (const Target& target : targets_) {
      const double value = at(target.first);
      if (!in_range(value, target.quantity->range))
        complain(origin(target.first),
                 target.name + " = " + number_text(value) + " in sample " + std::to_string(sample) + ", must be " +
                     allowed_text(value, target.quantity->range) + unit_text(target.quantity->unit));
    }
  }

  /// A point of a smooth surface; sliders have one, pairs two.
  bool slides_from(const Quantity& start) const {
    return reading_.description.ground == Ground::smooth && start.width == 2 && start.name.starts_with("position");
  }

  void check_position(std::uint64_t sample, int position) {
    const double x = at(position), y = at(position + 1);
    const double ground = ground_height(run_.spec.world.terrain, tables_, x, y);
    if (std::isnan(ground)) refuse_position(sample, position);
    if (reading_.description.ground != Ground::rough) return;
    if (run_.spec.world.set_down == 0 && at(position + 2) < ground) {
      if (below_ == 0) first_below_ = sample;
      ++below_;
    }
    if (sample < reading_.table_heights.size()) shifts_.push_back(ground - reading_.table_heights[sample]);
  }

  [[noreturn]] void refuse_position(std::uint64_t sample, int position) const {
    const Terrain& terrain = run_.spec.world.terrain;
    const double x = at(position), y = at(position + 1);
    const std::string release =
        "the release of sample " + std::to_string(sample) + " at x = " + number_text(x) + ", y = " + number_text(y);
    const Exit code = source(position).from_table ? Exit::input : Exit::usage;
    if (terrain.kind == TerrainKind::bowl || terrain.kind == TerrainKind::dome)
      complain(origin(position),
               release + " is outside the terrain, must be nearer to (0, 0) than its radius of " +
                   number_text(terrain.radius) + " (m)",
               code);
    const double x1 = terrain.x0 + (terrain.columns - 1) * terrain.cell;
    const double y1 = terrain.y0 + (terrain.rows - 1) * terrain.cell;
    if (x >= terrain.x0 && x <= x1 && y >= terrain.y0 && y <= y1)
      complain(origin(position), release + " is over missing data (NODATA) of the terrain", code);
    complain(origin(position),
             release + " is outside the terrain, must be x from " + number_text(terrain.x0) + " to " + number_text(x1) +
                 ", y from " + number_text(terrain.y0) + " to " + number_text(y1) + " (m)",
             code);
  }

  void report(std::uint64_t count) {
    if (below_ > 0)
      run_.warnings.push_back(origin(positions_[0] + 2).where + ": " + std::to_string(below_) + " of " +
                              std::to_string(count) + " releases are below the ground, first sample " +
                              std::to_string(first_below_));
    if (!shifts_.empty()) {
      double sum = 0;
      for (const double shift : shifts_) sum += shift;
      const auto [least, most] = std::minmax_element(shifts_.begin(), shifts_.end());
      const auto metres = [](double value) { return number_text(std::round(100 * value) / 100); };
      run_.warnings.push_back("set down on the terrain: it differs from " + reading_.table_heights_name + " by " +
                              metres(sum / static_cast<double>(shifts_.size())) + " m on average, " + metres(*least) +
                              " to " + metres(*most) + " m");
    }
    std::vector<std::string> unused;
    for (std::size_t i = 0; i < shape_used_.size(); ++i)
      if (!shape_used_[i]) unused.push_back(run_.shape_names[i]);
    if (!unused.empty() && shape_ >= 0)
      run_.warnings.push_back(origin(shape_).where + ": no sample has the shape " + joined(unused) +
                              "; start.shape chooses one, vary.\"start.shape\" = { choice = [...] } several");
  }

  Reading& reading_;
  Run& run_;
  const double* tables_;
  std::vector<Target> targets_;  // the single numbers that vary
  std::vector<int> positions_;   // places among the drawn numbers
  int shape_ = -1;
  std::vector<double> values_, shifts_;
  std::vector<bool> shape_used_;
  std::uint64_t below_ = 0, first_below_ = 0;
};

}  // namespace

void check_ensemble(Reading& reading) { EnsembleCheck(reading).run(); }

}  // namespace scree
