// What a system's `describe()` says, as data. Config keys, range checks, `scree list`, HDF5 attributes and the
// statistics all read a Description. Of quantities they know by name only what releases have (position, gap, shape with
// its scale or volume); the claims of host/verify and the cases of bench know those that they are about.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "host/common/error.hpp"
#include "src/list.hpp"
#include "src/range.hpp"
#include "src/series.hpp"
#include "src/vec.hpp"

namespace scree {

/// A parameter or a start: `width` doubles at `offset` (in doubles) of Params or Start; of a list, that for each body.
struct Quantity {
  std::string name, unit, meaning;
  int offset = 0;
  int width = 1;                                             // 1 scalar, 2 Vec2, 3 Vec3, 4 Quaternion
  std::vector<double> standard;                              // the default, `width` numbers
  Range range = any_value;                                   // of each component
  int most = 0;                                              // bodies that a list has room for; 0 of what is no list
  std::vector<std::pair<std::string, double>> choices = {};  // the names of its values, if a config gives it by name

  bool is_choice() const { return !choices.empty(); }
  std::vector<std::string> choice_names() const {
    std::vector<std::string> names;
    for (const auto& [choice, value] : choices) names.push_back(choice);
    return names;
  }
  /// The name of a choice's value.
  const std::string& choice_name(double value) const {
    for (const auto& [choice, of] : choices)
      if (of == value) return choice;
    throw std::logic_error("a choice has no name for a value of " + name);
  }
};

/// A summary (per sample) or track (per step) column. A NaN says that the quantity does not exist for that sample.
struct Column {
  std::string name, unit, meaning;
  Counted counted = Counted::all;
  int body = -1;          // of a track: whose it is, if the system has several bodies
  bool optional = false;  // not in the digest of a sample for which it does not exist
  bool late = false;      // in no digest
  // Of a mean over a part of the sample's time: the columns of that time and of the root mean square over it. -1: it is
  // no such mean.
  int time = -1, rms = -1;
};

/// What maps may show of a path (src/passage.hpp).
struct MapQuantity {
  std::string name, unit, meaning;
  bool squared = false;               // paths carry the square
  int first_octave = 0, octaves = 0;  // of its bins: from 2^first_octave on, in the unit
  int sum_exponent = 0;               // sums count whole multiples of 2^sum_exponent
};

/// What a system shows of its own in a report: two columns against each other. A point for each sample, or, of the track,
/// a line for each path, where x may be "time".
struct Figure {
  std::string x, y, meaning;
  bool of_paths = false;
};

/// A name for a set of parameter values, as `ground = "medium"`.
struct Preset {
  std::string key, name;
  std::vector<std::pair<int, double>> values;  // (offset in Params, value)
  std::string note;                            // what they rest on, shown wherever the preset is; empty: nothing said
};

/// Presets of one note.
struct PresetNote {
  std::vector<const Preset*> presets;
  std::string note;
};
/// Presets by their notes, in the order in which these come first.
inline std::vector<PresetNote> by_note(const std::vector<const Preset*>& presets) {
  std::vector<PresetNote> notes;
  for (const Preset* preset : presets) {
    const auto same = std::ranges::find(notes, preset->note, &PresetNote::note);
    (same == notes.end() ? notes.emplace_back(PresetNote{{}, preset->note}) : *same).presets.push_back(preset);
  }
  return notes;
}

/// The parameters that are the ground's, which a map may let differ from place to place (src/terrain/ground_map.hpp):
/// the run's own are `numbers` doubles at `own` of Params, and those of its classes as many each, at `first` and on.
struct GroundClasses {
  int own = 0, numbers = 0, first = 0, most = 0;  // most: classes that there is room for; 0: the system has no map

  bool has(const Quantity& param) const { return param.offset >= own && param.offset < own + numbers; }
  /// Where class 1, 2, ... has what the run's own ground has at `offset`.
  int place(int ground_class, int offset) const { return first + (ground_class - 1) * numbers + offset - own; }
};

/// A key of the system's table that configs once had, or, with a `key`, a name that it or the key `scheme` once took: a
/// config with it is refused in a line that says what to write.
struct Renaming {
  std::string key, was, is, note;
};

/// What a system moves on. Contact needs half-spaces or a grid of facets; sliding needs a slope that is continuous.
enum class Ground { none, rough, smooth };

struct Scheme {
  std::string name, meaning;
};

struct Description {
  std::string system, meaning;
  std::vector<Quantity> params, starts;
  std::vector<Quantity> series;  // parameters that are lists of any length; `offset` is that of the Series
  std::vector<Column> columns, track;
  std::vector<MapQuantity> map_quantities;  // in the order of the system's Passage; empty: it has no maps
  Figure figure;                            // empty names: it has none
  std::vector<std::string> along;           // columns of the track that a report shows along the way
  std::vector<Preset> presets;
  std::vector<Scheme> schemes;
  std::vector<Renaming> renamings;
  int deposition_x = -1, deposition_y = -1;  // columns of the resting place, if the system has one
  int deposition_across = -1;                // column of the offset across the direction of travel
  std::vector<int> headline;                 // columns that short tables and verdicts show; see headline_columns
  std::vector<int> why;                      // columns that tell why arms differ, as energy or contact shares
  Ground ground = Ground::none;
  GroundClasses grounds;
  bool uses_shapes = false;
  std::string first_scheme;                      // what `scree init` writes; empty: the first of `schemes`
  double first_step = 0.002, first_end = 120.0;  // s
  std::vector<std::pair<std::string, std::string>> first_laws;  // what it varies, and by which law, as TOML
  std::size_t param_doubles = 0, start_doubles = 0;
  int count = -1;  // place in `params` of the number of bodies, if the system has several
  // Place in `params` of the choice that is not 0 where samples choose the length of their steps, up to the run's, if
  // there is one; and those of the parameters that this length is in proportion to, besides the run's.
  int adapts = -1;
  std::vector<int> step_scales;
  bool shortens_steps = false;  // near rest, or where an event lies within a step

  int column(const std::string& name) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].name == name) return static_cast<int>(i);
    return -1;
  }
  /// "J", or "J/kg" of a system whose energies are per mass; of what maps and gates show.
  std::string energy_unit() const {
    for (const MapQuantity& quantity : map_quantities)
      if (quantity.name == "kinetic_energy") return quantity.unit;
    return "J";
  }
  std::vector<std::string> column_names() const { return names_of(columns); }
  std::vector<std::string> scheme_names() const { return names_of(schemes); }
  /// The columns of short tables and verdicts: `headline`, or where a system names none, the columns of the samples
  /// that stopped, or all columns.
  std::vector<int> headline_columns() const {
    if (!headline.empty()) return headline;
    std::vector<int> all, stopped;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      all.push_back(static_cast<int>(i));
      if (columns[i].counted == Counted::stopped) stopped.push_back(all.back());
    }
    return stopped.empty() ? all : stopped;
  }
  /// The place of a scheme among them.
  int scheme(const std::string& name) const {
    for (std::size_t i = 0; i < schemes.size(); ++i)
      if (schemes[i].name == name) return static_cast<int>(i);
    throw Error(Exit::usage, "unknown scheme \"" + name + "\"");
  }
  bool is_count(const Quantity& quantity) const {
    return count >= 0 && &quantity == &params[static_cast<std::size_t>(count)];
  }
  /// How many bodies a run with these parameters has.
  int bodies(const std::vector<double>& values) const {
    return count < 0
               ? 1
               : static_cast<int>(values[static_cast<std::size_t>(params[static_cast<std::size_t>(count)].offset)]);
  }
  /// The track's columns that exist for so many bodies, by their places.
  std::vector<std::size_t> track_of(int bodies) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < track.size(); ++i)
      if (track[i].body < bodies) places.push_back(i);
    return places;
  }
  /// A body is set down on rough ground at (x, y) if its position has a height to be found.
  bool sets_down(const Quantity& start) const {
    return ground == Ground::rough && start.name == "position" && start.width == 3;
  }

 private:
  template <class Named>
  static std::vector<std::string> names_of(const std::vector<Named>& list) {
    std::vector<std::string> names;
    for (const Named& one : list) names.push_back(one.name);
    return names;
  }
};

/// The Table that `System::describe(Table&)` fills in.
template <class System>
class DescriptionBuilder {
 public:
  Description description;

  void system(const char* name, const char* meaning) {
    description.system = name;
    description.meaning = meaning;
  }
  /// `Owner`: Params, or a base of it.
  template <class M, class Owner, class Value>
  void param(const char* name, M Owner::*member, const char* unit, const Value& standard, Range range,
             const char* meaning) {
    using Params = typename System::Params;
    description.params.push_back(
        quantity<Params>(name, static_cast<M Params::*>(member), unit, standard, range, meaning));
  }
  /// A parameter that is one of a few things, which a config names; `standard` is the value of one of them.
  void choice(const char* name, double System::Params::*member,
              std::initializer_list<std::pair<const char*, double>> choices, double standard, const char* meaning) {
    Quantity choice = quantity<typename System::Params>(name, member, "", standard, any_value, meaning);
    for (const auto& [called, value] : choices) choice.choices.emplace_back(called, value);
    choice.choice_name(standard);
    description.params.push_back(choice);
  }
  /// The parameter that says how many bodies there are, from 1 to `most`: the length of every list. With 64 bodies no
  /// law comes near the 2^16 draws that each variation has (src/ensemble.hpp).
  void count(const char* name, double System::Params::*member, double standard, int most, const char* meaning) {
    static const std::string text = ">= 1 and <= " + std::to_string(most);
    const Range range{1, static_cast<double>(most), false, false, text.c_str()};
    description.count = static_cast<int>(description.params.size());
    param(name, member, "1", standard, range, meaning);
  }
  /// A list of any length, the same for all samples, which the run's tables hold; it may not vary. Empty by default.
  void series(const char* name, Series<double> System::Params::*member, const char* unit, Range range,
              const char* meaning) {
    description.series.push_back({name, unit, meaning, offset_of<typename System::Params>(member), 0, {}, range});
  }
  template <class M, class Value>
  void start(const char* name, M System::Start::*member, const char* unit, const Value& standard, Range range,
             const char* meaning) {
    description.starts.push_back(quantity<typename System::Start>(name, member, unit, standard, range, meaning));
  }
  void column(const char* name, double System::Summary::*member, const char* unit, const char* meaning,
              Counted counted = Counted::all) {
    check_order<typename System::Summary>(member, description.columns.size(), name);
    description.columns.push_back({name, unit, meaning, counted});
  }
  /// A column that came later, of a quantity that few studies have: where it does not exist, the digest is that of a
  /// program without it.
  void optional_column(const char* name, double System::Summary::*member, const char* unit, const char* meaning,
                       Counted counted = Counted::all) {
    column(name, member, unit, meaning, counted);
    description.columns.back().optional = true;
  }
  /// A column that came later, of a quantity that every sample has: digests are those of a program without it.
  void late_column(const char* name, double System::Summary::*member, const char* unit, const char* meaning,
                   Counted counted = Counted::all) {
    column(name, member, unit, meaning, counted);
    description.columns.back().late = true;
  }
  /// The column `mean` is a mean over the time in column `time`, and `rms` the root mean square over it: what makes a
  /// mean and a deviation over the steps of all samples. After these columns.
  void mean_over(const char* mean, const char* time, const char* rms) {
    const std::vector<int> of = places("mean_over", {mean, time, rms});
    Column& column = description.columns[static_cast<std::size_t>(of[0])];
    column.time = of[1];
    column.rms = of[2];
  }
  void track(const char* name, double System::Track::*member, const char* unit, const char* meaning) {
    check_order<typename System::Track>(member, description.track.size(), name);
    description.track.push_back({name, unit, meaning, Counted::all});
  }
  /// A column per body, called x0, x1, ...
  template <int most>
  void track(const char* name, List<double, most> System::Track::*member, const char* unit, const char* meaning) {
    check_order<typename System::Track>(member, description.track.size(), name);
    for (int body = 0; body < most; ++body)
      description.track.push_back(
          {name + std::to_string(body), unit, meaning + (", body " + std::to_string(body)), Counted::all, body});
  }
  /// What maps show of a path: a member of Passage, which is never negative. Percentiles are of bins from
  /// 2^first_octave on, means of whole multiples of 2^sum_exponent.
  template <class Passage>
  void passage(const char* name, double Passage::*member, const char* unit, int first_octave, int octaves,
               int sum_exponent, const char* meaning) {
    check_order<Passage>(member, description.map_quantities.size(), name);
    description.map_quantities.push_back({name, unit, meaning, false, first_octave, octaves, sum_exponent});
  }
  /// The same of a member that is the square of the quantity.
  template <class Passage>
  void passage_root(const char* name, double Passage::*square, const char* unit, int first_octave, int octaves,
                    int sum_exponent, const char* meaning) {
    passage(name, square, unit, first_octave, octaves, sum_exponent, meaning);
    description.map_quantities.back().squared = true;
  }
  /// The note says what the values rest on.
  void preset(const char* key, const char* name,
              std::initializer_list<std::pair<double System::Params::*, double>> values, const char* note = "") {
    Preset preset{key, name, {}, note};
    for (const auto& [member, value] : values)
      preset.values.emplace_back(offset_of<typename System::Params>(member), value);
    description.presets.push_back(preset);
  }
  /// The parameter `was` is called `is`; the note says how its value changes, as "twice that".
  void renamed_key(const char* was, const char* is, const char* note = "") {
    description.renamings.push_back({"", was, is, note});
  }
  /// What the key `scheme`, or that of a choice or a preset, called `was` is called `is`.
  void renamed_name(const char* key, const char* was, const char* is) {
    description.renamings.push_back({key, was, is, ""});
  }
  /// Columns of the resting place and, if there is one, of the offset across the direction of travel.
  void deposition(const char* x, const char* y, const char* across = "lateral_final") {
    description.deposition_x = description.column(x);
    description.deposition_y = description.column(y);
    description.deposition_across = description.column(across);
  }
  /// The figure of a report that is the system's own: two columns of the summary, or of the track. After these.
  void figure(const char* x, const char* y, const char* meaning) {
    const auto in_track = [&](const std::string& name) {
      return std::ranges::find(description.track, name, &Column::name) != description.track.end();
    };
    // What goes on in time does so along each path.
    const bool of_time = x == std::string("time") && in_track(y);
    const bool of_samples = !of_time && description.column(x) >= 0 && description.column(y) >= 0;
    if (!of_samples && (!(in_track(x) || x == std::string("time")) || !in_track(y)))
      throw std::logic_error(std::string("figure() names an unknown column, ") + x + " or " + y);
    description.figure = {x, y, meaning, !of_samples};
  }
  /// Columns of the track that say how hard and how high along the way. After these.
  void along(std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (std::ranges::find(description.track, name, &Column::name) == description.track.end())
        throw std::logic_error(std::string("along() names an unknown column of the track, ") + name);
      description.along.push_back(name);
    }
  }
  /// The columns that a reader looks at first, in that order. After the columns, like `deposition`.
  void headline(std::initializer_list<const char*> names) { description.headline = places("headline", names); }
  /// The columns that tell why two arms differ (how the energy is split, how much of the time is spent in contact), in
  /// the order to show them in. After the columns.
  void why(std::initializer_list<const char*> names) { description.why = places("why", names); }
  /// Half-spaces or a grid, for bodies that collide with the ground: plane, ramp, grid.
  void needs_terrain() { description.ground = Ground::rough; }
  /// A smooth surface z = f(x, y) with its derivatives, for what slides on it (src/terrain/surface_point.hpp).
  void needs_surface() { description.ground = Ground::smooth; }
  /// Scheme, step and end (s) of the config that `scree init` prints.
  void suggest(const char* scheme, double step, double end) {
    description.first_scheme = scheme;
    description.first_step = step;
    description.first_end = end;
  }
  /// A law of that config, as ("slider.friction", "{ uniform = [0.001, 0.003] }").
  void suggest_law(const char* name, const char* law) { description.first_laws.emplace_back(name, law); }
  /// The ground may differ from place to place: Params has a base of the type that `classes` is an array of, and the
  /// parameters in it are the ground's.
  template <class OfClass, std::size_t most>
  void ground_classes(OfClass (System::Params::*classes)[most]) {
    using Params = typename System::Params;
    static const Params params{};
    const auto place = [](const void* part) {
      return static_cast<int>((static_cast<const char*>(part) - reinterpret_cast<const char*>(&params)) /
                              static_cast<std::ptrdiff_t>(sizeof(double)));
    };
    description.grounds = {place(static_cast<const OfClass*>(&params)),
                           static_cast<int>(sizeof(OfClass) / sizeof(double)), place(&(params.*classes)),
                           static_cast<int>(most)};
  }
  void needs_shapes() { description.uses_shapes = true; }
  /// Samples choose the length of their steps where the choice `stepping` is not 0: up to the run's `step`, and in
  /// proportion to the parameters `scales`. In fixed steps too, a sample ends at the run's `end` and at no other time.
  void adapts(const char* stepping, std::initializer_list<const char*> scales) {
    description.adapts = param_place(stepping);
    for (const char* scale : scales) description.step_scales.push_back(param_place(scale));
  }
  /// Steps may be shortened, near rest or at an event, so that a sample takes more of them than fit the time.
  void shortens_steps() { description.shortens_steps = true; }

 private:
  int param_place(const std::string& name) const {
    for (std::size_t i = 0; i < description.params.size(); ++i)
      if (description.params[i].name == name) return static_cast<int>(i);
    throw std::logic_error("adapts() names an unknown parameter " + name);
  }
  std::vector<int> places(const char* list, std::initializer_list<const char*> names) const {
    std::vector<int> columns;
    for (const char* name : names) {
      columns.push_back(description.column(name));
      if (columns.back() < 0) throw std::logic_error(std::string(list) + "() names an unknown column " + name);
    }
    return columns;
  }
  template <class Struct, class M>
  static int offset_of(M Struct::*member) {
    static const Struct object{};
    return static_cast<int>(
        (reinterpret_cast<const char*>(&(object.*member)) - reinterpret_cast<const char*>(&object)) /
        static_cast<std::ptrdiff_t>(sizeof(double)));
  }
  template <class Struct, class M>
  static Quantity quantity(const char* name, M Struct::*member, const char* unit,
                           const std::type_identity_t<M>& standard, Range range, const char* meaning) {
    static_assert(sizeof(M) % sizeof(double) == 0, "parameters and starts are made of doubles");
    const double* values = reinterpret_cast<const double*>(&standard);
    const int width = static_cast<int>(sizeof(M) / sizeof(double));
    return {name, unit, meaning, offset_of<Struct>(member), width, {values, values + width}, range};
  }
  template <class Struct, class M, int most>
  static Quantity quantity(const char* name, List<M, most> Struct::*member, const char* unit,
                           const std::type_identity_t<M>& standard, Range range, const char* meaning) {
    static_assert(sizeof(M) % sizeof(double) == 0, "parameters and starts are made of doubles");
    const double* values = reinterpret_cast<const double*>(&standard);
    const int width = static_cast<int>(sizeof(M) / sizeof(double));
    return {name, unit, meaning, offset_of<Struct>(member), width, {values, values + width}, range, most};
  }
  /// Columns are copied out of Summary in order, so `describe` must name them in the order of the struct.
  template <class Struct, class M>
  static void check_order(M Struct::*member, std::size_t expected, const char* name);
};

template <class System>
template <class Struct, class M>
void DescriptionBuilder<System>::check_order(M Struct::*member, std::size_t expected, const char* name) {
  if (static_cast<std::size_t>(offset_of<Struct>(member)) != expected)
    throw std::logic_error(std::string("describe() names column ") + name + " out of the order of its struct");
}

}  // namespace scree
