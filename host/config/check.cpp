// The drawn ensemble: what the values of the config cannot tell one by one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/common/while_reading.hpp"
#include "reading.hpp"

namespace scree {
namespace {

/// About a second of drawing: so many samples, or bodies where each is drawn.
constexpr std::uint64_t most_drawn = std::uint64_t{1} << 20;

/// The largest sizes that bodies under gravity have on Earth, by unit; other numbers are often of other units.
struct Size {
  const char *unit, *text;
  double most;
};
constexpr Size sizes[] = {{"m", "10000 km", 1e7},          {"m/s", "10 km/s", 1e4},
                          {"m/s^2", "1000 m/s^2", 1e3},    {"rad/s", "10000 rad/s", 1e4},
                          {"kg", "a million tonnes", 1e9}, {"kg m^2", "1e12 kg m^2", 1e12}};

class EnsembleCheck {
 public:
  EnsembleCheck(Reading& reading, Drawn& drawn)
      : reading_(reading),
        run_(reading.run),
        drawn_(drawn),
        tables_(run_.spec.tables.data()),
        targets_(all_targets(reading)) {
    const std::size_t params = reading.description.param_doubles;
    for (const Quantity& start : reading.description.starts)
      if (reading.description.sets_down(start) || slides_from(start))
        positions_.push_back(static_cast<int>(params) + start.offset);
    if (const Quantity* shape = find_start(reading, "shape"); shape && reading.description.uses_shapes)
      shape_ = static_cast<int>(params) + shape->offset;
    drawn.limits.resize(reading.description.schemes.size());
    drawn.first_of_shape.resize(run_.shape_names.size(), no_sample);
    std::erase_if(targets_, [&](const Target& t) {
      return t.width > 1 || t.repeats > 1 || !reading.sources[static_cast<std::size_t>(t.first)].varied;
    });
  }

  void run() {
    const auto& starts = reading_.description.starts;
    const bool each = std::any_of(starts.begin(), starts.end(), [](const Quantity& start) { return start.most > 0; });
    const std::uint64_t most = most_drawn / (each ? static_cast<std::uint64_t>(reading_.bodies) : 1);
    const std::uint64_t count = run_.spec.variations.empty() ? 1 : std::min(run_.samples, most);
    check_step(run_.first, run_.first + count);
    draw_up_to(count);
    if (count == most && run_.samples > count)
      run_.warnings.push_back(run_.config_path + ": only the first " + std::to_string(count) + " of " +
                              std::to_string(run_.samples) + " samples were checked for their release");
    report(count);
  }

 private:
  void draw_up_to(std::uint64_t count) {
    if (drawn_.samples >= count) return;
    const std::vector<std::byte> ensemble = run_.model->ensemble(run_.spec);
    values_.resize(reading_.sources.size());
    for (; drawn_.samples < count; ++drawn_.samples) {
      const std::uint64_t sample = run_.first + drawn_.samples;
      if (drawn_.samples % 1024 == 0) while_reading();
      run_.model->draw(ensemble.data(), sample, values_.data());
      if (drawn_.samples == 0) drawn_.first = values_;
      check_ranges(sample);
      for (const int position : positions_) check_position(sample, position);
      if (run_.model->mistake) check_mistake(sample, run_.model->mistake(ensemble.data(), sample, values_.data()));
      if (run_.model->largest_step) note_limits(ensemble.data(), sample);
      check_step(sample, sample + 1);
      if (shape_ >= 0)
        if (std::uint64_t& first = drawn_.first_of_shape[static_cast<std::size_t>(at(shape_))]; first == no_sample)
          first = sample;
    }
  }

  double at(int i) const { return values_[static_cast<std::size_t>(i)]; }
  const Source& source(int i) const { return reading_.sources[static_cast<std::size_t>(i)]; }

  /// The value in the config that decided the double i, or the config itself.
  const Node& origin(int i) const {
    return source(i).varied ? *source(i).varied : source(i).fixed ? *source(i).fixed : reading_.root;
  }

  static std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t begin = 0, end = 0; end < text.size(); begin = end + 1) {
      end = std::min(text.find_first_of(" :,", begin), text.size());
      all.push_back(text.substr(begin, end - begin));
    }
    return all;
  }
  /// The first value of the config that a text names, or the config itself.
  const Node& named_in(const std::string& text, int ground_class) const {
    for (const std::string& word : words(text))
      if (const Node& node = origin_of(word, ground_class); &node != &reading_.root) return node;
    return reading_.root;
  }
  /// Where a parameter is that a class of ground has of its own, or the run's.
  int place_of(const Quantity& param, int ground_class) const {
    const GroundClasses& grounds = reading_.description.grounds;
    if (ground_class == 0 || !grounds.has(param)) return param.offset;
    const int place = grounds.place(ground_class, param.offset);
    const bool has = source(place).varied || !std::isnan(run_.spec.params[static_cast<std::size_t>(place)]);
    return has ? place : param.offset;
  }
  /// ", which draws rock.friction_min = 2.5 (x.toml:17)" of the numbers that vary and that a text names; else empty.
  std::string drawn_in(const std::string& text, int ground_class) const {
    const std::vector<std::string> named = words(text);
    std::string drawn;
    for (const Target& target : targets_)
      if (std::ranges::find(named, target.quantity->name) != named.end() && is_of(target, ground_class))
        drawn += (drawn.empty() ? ", which draws " : " and ") + target.name + " = " + number_text(at(target.first)) +
                 " (" + origin(target.first).where + ")";
    return drawn;
  }
  /// Whether a target is a start, or the parameter of that class.
  bool is_of(const Target& target, int ground_class) const {
    const bool is_start = target.first >= static_cast<int>(reading_.description.param_doubles);
    return is_start || target.first == place_of(*target.quantity, ground_class);
  }
  const Node& origin_of(const std::string& name, int ground_class) const {
    for (const Quantity& param : reading_.description.params)
      if (param.name == name) return origin(place_of(param, ground_class));
    for (const Quantity& start : reading_.description.starts)
      if (start.name == name || "start." + start.name == name)
        return origin(static_cast<int>(reading_.description.param_doubles) + start.offset);
    return reading_.root;
  }

  std::string in_ground(int ground_class) const {
    if (ground_class == 0) return "";
    return " in ground " + reading_.ground_classes[static_cast<std::size_t>(ground_class - 1)];
  }
  void check_mistake(std::uint64_t sample, const Mistake& mistake) {
    if (mistake.text && mistake.of_all) {
      if (drawn_.in_stems.empty()) drawn_.in_stem = mistake;
      drawn_.in_stems.push_back(sample);
    } else if (mistake.text)
      refuse_mistake(named_in(mistake.text, mistake.ground_class), sample, mistake,
                     drawn_in(mistake.text, mistake.ground_class));
  }
  [[noreturn]] void refuse_mistake(const Node& node, std::uint64_t sample, const Mistake& mistake,
                                   const std::string& drawn = "") const {
    complain(node, reading_.description.system + ": " + mistake.text +
                       (mistake.unit ? " " + number_text(mistake.allowed) + unit_text(mistake.unit) : "") +
                       in_ground(mistake.ground_class) + ", in sample " + std::to_string(sample) + drawn);
  }

  bool is_chosen(std::size_t scheme) const {
    const std::string& name = reading_.description.schemes[scheme].name;
    return std::find(run_.schemes.begin(), run_.schemes.end(), name) != run_.schemes.end();
  }

  void note_limits(const void* ensemble, std::uint64_t sample) {
    for (std::size_t scheme = 0; scheme < drawn_.limits.size(); ++scheme) {
      if (!is_chosen(scheme)) continue;
      std::vector<Drawn::Limit>& limits = drawn_.limits[scheme];
      const double limit = run_.model->largest_step(ensemble, static_cast<int>(scheme), sample, values_.data());
      // A sample that has no limit, 0 or NaN, has no sound start either: it ends there, as diverged.
      if (limit > 0 && (limits.empty() || limit < limits.back().step)) limits.push_back({sample, limit});
    }
  }

  /// Refuses the step if it is too long for one of the samples [first, last), naming the first such sample.
  void check_step(std::uint64_t first, std::uint64_t last) const {
    std::size_t scheme = 0;
    std::optional<Drawn::Limit> broken;
    for (std::size_t i = 0; i < drawn_.limits.size(); ++i)
      for (const Drawn::Limit& limit : drawn_.limits[i])
        if (limit.sample >= first && limit.sample < last && run_.spec.world.step > limit.step &&
            !(broken && broken->sample <= limit.sample)) {
          broken = limit;
          scheme = i;
        }
    if (broken) refuse_step(scheme, *broken);
  }

  [[noreturn]] void refuse_step(std::size_t scheme, const Drawn::Limit& limit) const {
    const Node& step = reading_.root.need("step", "");
    if (run_.model->too_long_step) refuse_mistake(step, limit.sample, run_.model->too_long_step);
    // Six digits of the limit, rounded down so that what is shown is allowed.
    const double digit = std::pow(10.0, std::floor(std::log10(limit.step)) - 5);
    char allowed[40];
    std::snprintf(allowed, sizeof allowed, "%.6g", std::floor(limit.step / digit) * digit);
    complain(step, step.key + " = " + value_text(step) + ", must be <= " + allowed + " (s), beyond which " +
                       reading_.description.schemes[scheme].name + " is unstable, in sample " +
                       std::to_string(limit.sample));
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
    const auto [ground, inside, data] = under(run_.spec.world.terrain, tables_, x, y);
    if (!data) refuse_position(sample, position, inside);
    if (reading_.description.ground != Ground::rough) return;
    if (run_.spec.world.set_down == 0 && at(position + 2) < ground) drawn_.below.push_back(sample);
    if (sample < reading_.table_heights.size()) drawn_.shifts.push_back(ground - reading_.table_heights[sample]);
  }

  [[noreturn]] void refuse_position(std::uint64_t sample, int position, bool inside) const {
    complain(origin(position),
             "the release of sample " + std::to_string(sample) + " at x = " + number_text(at(position)) +
                 ", y = " + number_text(at(position + 1)) +
                 (inside ? " is over missing data (NODATA) of the terrain"
                         : " is outside the terrain, must be " + reading_.terrain_extent),
             source(position).from_table ? Exit::input : Exit::usage);
  }

  void report(std::uint64_t count) {
    const std::uint64_t end = run_.first + count;
    const auto below = std::lower_bound(drawn_.below.begin(), drawn_.below.end(), end) - drawn_.below.begin();
    if (below > 0)
      run_.warnings.push_back(origin(positions_[0] + 2).where + ": " + std::to_string(below) + " of " +
                              std::to_string(count) + " releases are below the ground, first sample " +
                              std::to_string(drawn_.below.front()));
    report_stems(count);
    const std::size_t shifts = std::min(drawn_.shifts.size(), count * positions_.size());
    if (shifts > 0) {
      double sum = 0;
      for (std::size_t i = 0; i < shifts; ++i) sum += drawn_.shifts[i];
      const auto [least, most] =
          std::minmax_element(drawn_.shifts.begin(), drawn_.shifts.begin() + static_cast<std::ptrdiff_t>(shifts));
      const auto metres = [](double value) { return number_text(std::round(100 * value) / 100); };
      run_.warnings.push_back("set down on the terrain: it differs from " + reading_.table_heights_name + " by " +
                              metres(sum / static_cast<double>(shifts)) + " m on average, " + metres(*least) + " to " +
                              metres(*most) + " m");
    }
    std::vector<std::string> unused;
    for (std::size_t i = 0; i < drawn_.first_of_shape.size(); ++i)
      if (drawn_.first_of_shape[i] >= end) unused.push_back(run_.shape_names[i]);
    // Who sets the shape by an option means that one; other shards may have it.
    if (!unused.empty() && shape_ >= 0 && !origin(shape_).laid_over && !run_.shard)
      run_.warnings.push_back(origin(shape_).where + ": no sample has the shape " + joined(unused) +
                              "; start.shape chooses one, vary.\"start.shape\" = { choice = [...] } several");
    warn_of_the_first();
  }

  /// Releases within stems, which their samples do not meet: nonsense if it is all of them.
  void report_stems(std::uint64_t count) {
    const auto inside = static_cast<std::uint64_t>(std::ranges::lower_bound(drawn_.in_stems, run_.first + count) -
                                                   drawn_.in_stems.begin());
    if (inside == 0) return;
    const Node& node = origin_of("start.position", 0);
    const std::string text = drawn_.in_stem.text;
    const std::string first = ", in sample " + std::to_string(drawn_.in_stems.front()) +
                              " one at x = " + short_number(drawn_.in_stem.x) +
                              ", y = " + short_number(drawn_.in_stem.y) + " (m)";
    if (inside == count && !run_.shard) complain(node, "every release is " + text + first);
    run_.warnings.push_back(node.where + ": " + std::to_string(inside) + " of " + std::to_string(count) +
                            " releases are " + text +
                            ", which their samples do not meet before they "
                            "have left it" +
                            first);
  }

  /// Calls take(quantity, its place) of each parameter and start.
  template <class Take>
  void for_each_quantity(const Take& take) const {
    for (const Quantity& quantity : reading_.description.params) take(quantity, quantity.offset);
    for (const Quantity& quantity : reading_.description.starts)
      take(quantity, static_cast<int>(reading_.description.param_doubles) + quantity.offset);
  }

  /// What is not plausible of the first sample, where bodies move under gravity: the scales of other systems are free.
  void warn_of_the_first() {
    double gravity = 0, speed = 0, gap = 0, scale = 1, volume = 0;
    values_ = drawn_.first;
    for_each_quantity([&](const Quantity& quantity, int place) {
      if (quantity.unit == "m/s^2") gravity = at(place);
    });
    if (gravity == 0) return;
    const std::size_t params = reading_.description.param_doubles;
    for_each_quantity([&](const Quantity& quantity, int place) {
      double size = 0;
      for (int i = 0; i < quantity.width; ++i) size = std::hypot(size, at(place + i));
      if (quantity.unit == "m/s" && static_cast<std::size_t>(place) >= params) speed += size;
      if (quantity.name == "gap") gap = size;
      if (quantity.name == "scale") scale = size;
      if (quantity.name == "volume") volume = size;
      for (const Size& most : sizes)
        if (quantity.unit == most.unit && size > most.most)
          run_.warnings.push_back(origin(place).where + ": " +
                                  (static_cast<std::size_t>(place) < params ? reading_.description.system : "start") +
                                  "." + quantity.name + " is " + short_number(size) + unit_text(quantity.unit) +
                                  " in size, more than " + most.text + "; numbers are in SI units");
    });
    if (shape_ < 0) return;
    // Contact acts at the end of the step in which a body has reached the ground.
    const double h = run_.spec.world.step;
    const double sunk = h * (std::sqrt(speed * speed + 2 * gravity * gap) + gravity * h);
    const ShapeFacts& shape = run_.shapes[static_cast<std::size_t>(at(shape_))];
    const double across = shape.size * shape_factor(shape.volume, scale, volume);
    const Node& step = reading_.root.need("step", "");
    if (sunk > across / 2)
      run_.warnings.push_back(step.where + ": " + step.key + " = " + value_text(step) + " may let a body of " +
                              short_number(across) + " m across sink " + short_number(sunk) +
                              " m into the ground before contact holds it: take a smaller step");
  }

  Reading& reading_;
  Run& run_;
  Drawn& drawn_;
  const double* tables_;
  std::vector<Target> targets_;  // the single numbers that vary
  std::vector<int> positions_;   // places among the drawn numbers
  int shape_ = -1;
  std::vector<double> values_;
};

}  // namespace

void check_ensemble(Reading& reading, Drawn& drawn) { EnsembleCheck(reading, drawn).run(); }

}  // namespace scree
