#include "config.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "host/common/shell.hpp"
#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/model/digest.hpp"
#include "reading.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr const char* shard_option = "--shard";

bool is_of_shard(const std::string& overlay) { return overlay.starts_with(std::string(shard_option) + ":"); }

/// "--shard:17/1000", or "--shard:17/1000 from 2000": no value of the config, which all shards have.
std::string shard_overlay(const Shard& shard) {
  return std::string(shard_option) + ":" + std::to_string(shard.number) + "/" + std::to_string(shard.of) +
         (shard.from > 0 ? " from " + std::to_string(shard.from) : "");
}

std::optional<Shard> shard_among(const std::vector<std::string>& overlays) {
  const auto overlay = std::ranges::find_if(overlays, is_of_shard);
  if (overlay == overlays.end()) return std::nullopt;
  const std::string text = overlay->substr(std::string(shard_option).size() + 1);
  constexpr std::string_view from = " from ";
  const std::size_t at = text.find(from);
  Shard shard = parse_shard(text.substr(0, at));
  if (at == std::string::npos) return shard;
  const char *first = text.data() + at + from.size(), *end = text.data() + text.size();
  const auto [rest, mistake] = std::from_chars(first, end, shard.from);
  if (mistake != std::errc{} || rest != end || shard.from >> 62 != 0)
    throw Error(Exit::usage, *overlay + ": names no shard");
  return shard;
}

std::vector<std::string> names_of_models() {
  std::vector<std::string> names;
  for (const Model& model : models()) names.push_back(model.description.system);
  return names;
}

const Model& read_system(const Node& root, FindModel find) {
  const Node& node = root.need("system", "one of " + joined(names_of_models()));
  if (const Model* model = find(read_text(node))) return *model;
  complain(node, "system = \"" + node.text + "\"" + suggestion(node.text, names_of_models()));
}

void refuse_old_names(const Node& node, const Description& description) {
  const std::string prefix = description.system + ".";
  for (const Renaming& renaming : description.renamings) {
    const std::string full = prefix + renaming.was, note = renaming.note.empty() ? "" : ", " + renaming.note;
    if (!renaming.key.empty()) {
      if (node.kind == Node::Kind::text && node.text == renaming.was &&
          (node.key == "scheme" ? renaming.key == "scheme" : node.key == prefix + renaming.key))
        complain(node, node.key + " = \"" + renaming.was + "\" is called \"" + renaming.is + "\"");
    } else if (node.key == full || node.key == "vary." + full ||
               (node.key == "sensitivity.key" && node.kind == Node::Kind::text && node.text == full)) {
      complain(node, full + " is called " + prefix + renaming.is + note);
    }
  }
  for (const Node& item : node.items) refuse_old_names(item, description);
}

/// One of the known names, or a list of them: their places.
std::vector<std::size_t> read_choices(const Node& node, const char* noun, const std::vector<std::string>& known) {
  std::vector<std::size_t> places;
  const auto add = [&](const Node& item) {
    const std::size_t place = read_choice(item, known);
    if (std::ranges::find(places, place) != places.end())
      complain(item, noun + std::string(" \"") + known[place] + "\" is named twice");
    places.push_back(place);
  };
  if (node.kind == Node::Kind::array) {
    if (node.items.empty()) refuse(node, "one or several of " + joined(known));
    for (const Node& item : node.items) add(item);
  } else {
    add(node);
  }
  return places;
}

/// Which samples of all that the config has are run: those of the shard that an overlay names, or all.
void choose_samples(Run& run) {
  run.samples_of_run = run.samples;
  run.shard = shard_among(run.overlays);
  if (!run.shard) return;
  const Shard shard = *run.shard;
  const std::string typed =
      std::string(shard_option) + " " + std::to_string(shard.number) + "/" + std::to_string(shard.of) + ": ";
  if (shard.from >= run.samples)
    throw Error(Exit::usage, typed + "all " + std::to_string(run.samples) + " samples are there already");
  const std::uint64_t all = run.samples - shard.from;
  if (shard.of > all)
    throw Error(Exit::usage, std::to_string(shard.of) + " shards: must be at most as many as there are samples, " +
                                 std::to_string(all));
  const SampleRange own = samples_of(shard, run.samples);
  run.first = own.first;
  run.samples = own.end - own.first;
}

void read_top(Reading& reading) {
  Run& run = reading.run;
  const Node& root = reading.root;
  const std::vector<std::string> known = reading.description.scheme_names();
  for (const std::size_t place :
       read_choices(root.need("scheme", "one or several of " + joined(known)), "scheme", known))
    run.schemes.push_back(known[place]);
  run.samples = static_cast<std::uint64_t>(read_whole(root.need("samples", "a whole number >= 1"), 1));
  if (const Node* seed = root.find("seed")) run.spec.seed = static_cast<std::uint64_t>(read_whole(*seed, 0));
  read_sampling(reading);
  choose_samples(run);
  const Node& step = root.need("step", "a time > 0 (s)");
  run.spec.world.step = read_number(step, positive, "s");
  run.spec.world.end = read_number(root.need("end", "a time > 0 (s)"), positive, "s");
  if (run.spec.world.step > run.spec.world.end) refuse(step, "<= end = " + number_text(run.spec.world.end), "s");
  if (const Node* strict = root.find("strict")) run.strict = read_flag(*strict);
  if (const Node* title = root.find("title")) run.title = read_text(*title);
  if (const Node* columns = root.find("columns"))
    for (const std::size_t place : read_choices(*columns, "column", reading.description.column_names()))
      run.columns.push_back(static_cast<int>(place));
  if (!reading.description.uses_shapes) return;
  if (const Node* group = root.find("group_by")) {
    read_choice(*group, {"shape"});
    run.group_by = "shape";
  }
}

/// The clock counts steps, and every whole number up to 2^53 is a double.
constexpr double most_steps = 0x1p53;
/// Beyond this the run is announced as a long one: a core takes some 1e8 steps of a simple system in a second.
constexpr double many_steps = 1e12, steps_per_second = 1e8;

/// Samples of steps of one length end with a whole one, in every system: the run's end becomes the time that is
/// reached.
void settle_end(Reading& reading) {
  Run& run = reading.run;
  World& world = run.spec.world;
  const Node &step = reading.root.need("step", ""), &end = reading.root.need("end", "");
  const double steps = whole_steps(world.step, world.end);
  // 3 times 0.3 is to be 0.9, and not 0.8999999999999999: any number within a rounding leads to as many steps.
  const double reached = rounded(steps * world.step);
  if (!(steps <= most_steps))
    complain(step, step.key + " = " + value_text(step) + ", must be >= " + short_number(world.end / most_steps) +
                       " (s): no clock counts more than 2^53 steps");
  if (steps > many_steps)
    run.warnings.push_back(step.where + ": " + step.key + " = " + value_text(step) + " makes " + short_number(steps) +
                           " steps of a sample that lasts to the end: " +
                           short_number(steps / steps_per_second / 3600) + " hours at 1e8 a second");
  // A difference of this size is one of rounding: of the quotient, or of `reached`.
  if (run.model->description.adapts >= 0 ||
      std::fabs(reached - world.end) <= std::max(1e-9 * world.step, 1e-12 * world.end))
    return;
  run.moved_end = end.where + ": " + end.key + " = " + value_text(end) +
                  " is no multiple of step = " + number_text(world.step) + " s: samples run to " +
                  number_text(reached) + " s";
  run.warnings.push_back(*run.moved_end);
  world.end = reached;
}

/// Once the parameters and their laws are known.
void note_adapting_steps(Run& run) {
  const Description& description = run.model->description;
  if (description.adapts < 0) return;
  const std::vector<Quantity>& params = description.params;
  const int stepping = params[static_cast<std::size_t>(description.adapts)].offset;
  const auto varies = [&](const Variation& variation) { return variation.target == stepping; };
  if (run.spec.params[static_cast<std::size_t>(stepping)] != 0 ||
      std::any_of(run.spec.variations.begin(), run.spec.variations.end(), varies))
    for (const int place : description.step_scales)
      run.step_scales.push_back(params[static_cast<std::size_t>(place)].name);
}

/// The number of bodies, before anything whose length it is.
void read_count(Reading& reading, const Node& table) {
  const Description& description = reading.description;
  if (description.count < 0) return;
  const Quantity& quantity = description.params[static_cast<std::size_t>(description.count)];
  if (const Node* node = table.find(quantity.name)) {
    const std::int64_t count = read_whole(*node, 1);
    if (!in_range(static_cast<double>(count), quantity.range))
      refuse(*node, std::string("a whole number ") + quantity.range.text);
    reading.run.spec.params[static_cast<std::size_t>(quantity.offset)] = static_cast<double>(count);
    set_fixed(reading, quantity.offset, 1, *node);
  }
  reading.bodies = description.bodies(reading.run.spec.params);
}

/// Lists of any length go into the tables, and the parameters say where.
void read_series(Reading& reading, const Node& table) {
  for (const Quantity& quantity : reading.description.series) {
    const Node* node = table.find(quantity.name);
    if (!node) continue;
    const std::vector<double> numbers = read_numbers(*node, 0, quantity.range, quantity.unit);
    double* const series = reading.run.spec.params.data() + quantity.offset;
    series[0] = add_table(reading, numbers);
    series[1] = static_cast<double>(numbers.size());
  }
}

/// Parameters: defaults, then presets, then single keys.
void read_params(Reading& reading) {
  static const Node empty{};
  const Description& description = reading.description;
  std::vector<double>& params = reading.run.spec.params;
  const Node* given = reading.root.find(description.system);
  const Node& table = given ? read_table(*given) : empty;
  read_count(reading, table);
  read_series(reading, table);
  std::vector<const Preset*> chosen(description.param_doubles);  // which preset set the double, if one did
  for (const std::string& key : preset_keys(description)) {
    const Node* node = table.find(key);
    if (!node) continue;
    const Preset* preset = presets_of(description, key)[read_choice(*node, preset_names(description, key))];
    for (const auto& [offset, value] : preset->values) {
      params[static_cast<std::size_t>(offset)] = value;
      chosen[static_cast<std::size_t>(offset)] = preset;
    }
    name_preset(reading, key, preset->name, preset->note);
  }
  const std::vector<double> standard = params;
  for (const Quantity& quantity : description.params) {
    const Node* node = table.find(quantity.name);
    if (!node || description.is_count(quantity)) continue;
    const std::size_t offset = static_cast<std::size_t>(quantity.offset),
                      width = static_cast<std::size_t>(quantity.width);
    if (quantity.most > 0) {
      read_list(reading, quantity, *node, params, 0);
      continue;
    }
    const std::vector<double> values = quantity.width == 1 ? std::vector<double>{read_value(*node, quantity)}
                                                           : read_numbers(*node, width, quantity.range, quantity.unit);
    if (quantity.is_choice()) name_preset(reading, quantity.name, node->text);
    std::copy(values.begin(), values.end(), params.begin() + quantity.offset);
    set_fixed(reading, quantity.offset, quantity.width, *node);
    if (chosen[offset] && values[0] != standard[offset]) {
      if (!quantity.is_choice()) name_preset(reading, quantity.name, value_text(*node));
      reading.run.warnings.push_back(node->where + ": " + node->key + " = " + value_text(*node) + " replaces " +
                                     (quantity.is_choice() ? "\"" + quantity.choice_name(standard[offset]) + "\""
                                                           : number_text(standard[offset])) +
                                     " of \"" + chosen[offset]->name + "\"");
    }
  }
}

int read_column(const Reading& reading, const Node& node) {
  return static_cast<int>(read_choice(node, reading.description.column_names()));
}

std::vector<std::string> means_over_time(const Description& description) {
  std::vector<std::string> names;
  for (const Column& column : description.columns)
    if (column.time >= 0) names.push_back(column.name);
  return names;
}

void read_published(Reading& reading) {
  const Node* node = reading.root.find("published");
  if (!node) return;
  Published& published = reading.run.published;
  published.source = read_text(read_table(*node).need("source", "where the numbers were published"));
  if (const Node* place = node->find("place")) published.place = read_text(*place);
  if (const Node* samples = node->find("samples"))
    published.samples = static_cast<std::uint64_t>(read_whole(*samples, 2));
  const std::vector<std::string> schemes = reading.description.scheme_names();
  const Node& rows = node->need("row", "one or several [[published.row]]");
  if (read_array(rows).empty()) refuse(rows, "one or several [[published.row]]");
  for (const Node& row : rows.items) {
    const Column& column = reading.description.columns[static_cast<std::size_t>(
        read_column(reading, read_table(row).need("column", "a summary column")))];
    const std::string& scheme = schemes[read_choice(row.need("scheme", "one of " + joined(schemes)), schemes)];
    const double mean = read_number(row.need("mean", "a number"));
    const double sd = read_number(row.need("sd", "a number >= 0"), non_negative);
    const Node *unit = row.find("unit"), *scale = row.find("scale"), *place = row.find("place");
    const bool elsewhere = place && read_text(*place) != published.place;
    published.rows.push_back({column.name, scheme, unit ? read_text(*unit) : column.unit, mean, sd,
                              scale ? read_number(*scale, positive) : 1.0, elsewhere ? read_text(*place) : ""});
    const Node* over = row.find("over");
    published.rows.back().over_steps = over && read_choice(*over, {"samples", "steps"}) == 1;
    if (published.rows.back().over_steps && column.time < 0) {
      const std::vector<std::string> means = means_over_time(reading.description);
      complain(*over,
               over->key + " = \"steps\" needs a mean over a time of each sample, which " + column.name +
                   " is not: " + (means.empty() ? reading.description.system + " has none" : joined(means) + " are"));
    }
  }
}

void read_sensitivity(Reading& reading) {
  const Node* node = reading.root.find("sensitivity");
  if (!node) return;
  const Description& description = reading.description;
  Sensitivity& sensitivity = reading.run.sensitivity;
  const Node& key = read_table(*node).need("key", "a preset or a parameter, as rock.ground");
  std::vector<std::string> keys;
  std::vector<std::vector<std::string>> names;  // of the values of each key that has names
  for (const std::string& preset : preset_keys(description)) {
    keys.push_back(description.system + "." + preset);
    names.push_back(preset_names(description, preset));
  }
  for (const Quantity& quantity : description.params)
    if (quantity.width == 1 && quantity.most == 0 && !description.is_count(quantity)) {
      keys.push_back(description.system + "." + quantity.name);
      names.push_back(quantity.choice_names());
    }
  for (const Target& target : ground_targets(reading)) {
    keys.push_back(target.name);
    names.emplace_back();
  }
  const std::size_t chosen = read_choice(key, keys);
  sensitivity.key = keys[chosen];
  const std::vector<std::string>& known = names[chosen];
  const Node& values = node->need("values", known.empty() ? "a list of numbers" : "a list, or \"all\"");
  if (!known.empty()) {
    if (values.kind == Node::Kind::text && values.text == "all") {
      sensitivity.values = known;
      return;
    }
    if (values.kind != Node::Kind::array) refuse(values, "a list of " + joined(known) + ", or \"all\"");
    for (const Node& item : values.items) sensitivity.values.push_back(known[read_choice(item, known)]);
  } else {
    const Target target = *find_target(reading, sensitivity.key);
    for (const Node& item : read_array(values))
      sensitivity.values.push_back(number_text(read_number(item, target.quantity->range, target.quantity->unit)));
  }
  if (sensitivity.values.empty()) refuse(values, "a list of at least one value");
}

/// [margin]: by summary column, the difference that matters in practice.
void read_margins(Reading& reading) {
  const std::vector<Column>& columns = reading.description.columns;
  reading.run.margins.assign(columns.size(), 0.0);
  const Node* node = reading.root.find("margin");
  if (!node) return;
  read_table(*node);
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (const Node* margin = node->find(columns[c].name))
      reading.run.margins[c] = read_number(*margin, positive, columns[c].unit.c_str());
}

void set_standard(const Quantity& quantity, std::vector<double>& values) {
  for (int body = 0; body < std::max(quantity.most, 1); ++body)
    std::copy(quantity.standard.begin(), quantity.standard.end(),
              values.begin() + quantity.offset + body * quantity.width);
}

fs::path data_folder(const std::string& config_path) {
  const char* data = std::getenv("SCREE_DATA");
  return data && *data ? fs::path(data) : fs::path(config_path).parent_path();
}

std::string overlay(const char* option, const std::string& text) { return std::string(option) + ":" + text; }

std::string samples_overlay(std::uint64_t samples) {
  return overlay("--samples", "samples=" + std::to_string(samples));
}

}  // namespace

std::vector<const Preset*> presets_of(const Description& description, const std::string& key) {
  std::vector<const Preset*> presets;
  for (const Preset& preset : description.presets)
    if (preset.key == key) presets.push_back(&preset);
  return presets;
}

std::vector<std::string> preset_names(const Description& description, const std::string& key) {
  std::vector<std::string> names;
  for (const Preset* preset : presets_of(description, key)) names.push_back(preset->name);
  return names;
}

std::vector<std::string> preset_keys(const Description& description) {
  std::vector<std::string> keys;
  for (const Preset& preset : description.presets)
    if (std::find(keys.begin(), keys.end(), preset.key) == keys.end()) keys.push_back(preset.key);
  return keys;
}

void name_preset(Reading& reading, const std::string& key, const std::string& name, const std::string& note) {
  const auto known = std::ranges::find(reading.presets, key, &Reading::Named::key);
  (known == reading.presets.end() ? reading.presets.emplace_back() : *known) = {key, name, note};
}

const Grid& read_grid_of_codes(Reading& reading, const Node& node, int copies) {
  const std::string path = data_file(reading, node);
  return once(reading, path + " codes " + std::to_string(copies),
              [&] { return read_part(path, {.copies = copies, .of_heights = false}); });
}

Rectangle read_rectangle(const Node& node) {
  const std::vector<double> numbers = read_numbers(node, 4, any_value, "m");
  const Rectangle extent{numbers[0], numbers[1], numbers[2], numbers[3]};
  if (!(extent.west < extent.east && extent.south < extent.north))
    refuse(node, "[west, south, east, north] with west < east and south < north", "m");
  return extent;
}

std::string data_file(Reading& reading, const Node& node) {
  const auto in = [&](const fs::path& folder) { return (folder / read_text(node)).lexically_normal().string(); };
  if (read_text(node).empty()) refuse(node, "the name of a file");
  std::error_code ignored;
  std::string full = in(reading.folder);
  if (const std::string beside = in(fs::path(reading.run.config_path).parent_path());
      !fs::exists(full, ignored) && fs::exists(beside, ignored))
    full = beside;
  auto hash = reading.files.hashes.find(full);
  if (hash == reading.files.hashes.end()) {
    if (fs::exists(full, ignored) && !fs::is_regular_file(full, ignored))
      complain(node, node.key + " = " + value_text(node) + ", " + full + " is a folder or a device, not a file",
               Exit::input);
    if (!fs::exists(full, ignored))
      complain(node,
               node.key + " = " + value_text(node) + ", there is no file " + full +
                   (std::getenv("SCREE_DATA") ? ", nor one beside the config"
                                              : " (SCREE_DATA, the folder of data files, is not set)"),
               Exit::input);
    hash = reading.files.hashes.emplace(full, xxh3_hex(read_text_file(full))).first;
  }
  for (const InputFile& input : reading.run.inputs)
    if (input.path == node.text) return full;
  reading.run.inputs.push_back({node.text, hash->second, full});
  return full;
}

namespace {

/// Whether two configs draw the same samples, though perhaps not as many: a step and a number of samples change none.
bool same_samples(const Node& one, const Node& other) {
  const auto text = [](const Node& root) {
    std::string all;
    for (const Node& item : root.items)
      if (item.name != "step" && item.name != "samples") all += item.name + " = " + whole_text(item) + '\n';
    return all;
  };
  return text(one) == text(other);
}

/// The Run of the config that `loaded` begins with; its rest is filled in. `base`: of the run that this one derives
/// from, or null.
Run read_run(const std::string& path, const std::string& text, const std::vector<std::string>& overlays, Loaded loaded,
             const Loaded* base, const CheckRun& before_drawing) {
  Node root = laid_over(*loaded.config, overlays_without_shard(overlays));
  const Model& model = read_system(root, loaded.find);
  refuse_old_names(root, model.description);
  Reading reading{{}, root, model.description, loaded.folder, *loaded.files, {}, {}, {}, 1, "", {}, {}};
  Run& run = reading.run;
  run.config_path = path;
  run.config_text = text;
  run.overlays = overlays;
  run.model = &model;
  run.spec.params.resize(model.description.param_doubles);
  run.spec.start.resize(model.description.start_doubles);
  for (const Quantity& q : model.description.params) set_standard(q, run.spec.params);
  for (const Quantity& q : model.description.starts) set_standard(q, run.spec.start);
  reading.sources.resize(run.spec.params.size() + run.spec.start.size());

  read_top(reading);
  read_params(reading);
  settle_end(reading);
  read_terrain(reading);
  read_ground(reading);
  read_maps(reading);
  read_shapes(reading);
  read_gates(reading);
  read_forest(reading);
  read_start(reading);
  settle_designs(reading);
  read_observed(reading);
  read_published(reading);
  read_sensitivity(reading);
  read_margins(reading);
  refuse_unknown_keys(root);
  place_points(reading);
  note_adapting_steps(run);
  for (const auto& [key, name, note] : reading.presets) {
    run.preset += (run.preset.empty() ? "" : ", ") + key + " " + name;
    run.preset_note += (run.preset_note.empty() || note.empty() ? "" : "; ") + note;
  }
  if (before_drawing) before_drawing(run);
  if (base && base->first == run.first && same_samples(base->root, root)) loaded.drawn = base->drawn;
  loaded.first = run.first;
  check_ensemble(reading, loaded.drawn);
  loaded.root = std::move(root);
  run.loaded = std::make_shared<const Loaded>(std::move(loaded));
  return std::move(reading.run);
}

}  // namespace

Run load_run_text(const std::string& path, const std::string& text, const std::vector<std::string>& overlays,
                  FindModel find, const CheckRun& before_drawing) {
  Loaded loaded{std::make_shared<const Node>(parse_config(path, text)),
                std::make_shared<DataFiles>(),
                find,
                data_folder(path),
                {},
                {}};
  return read_run(path, text, overlays, std::move(loaded), nullptr, before_drawing);
}

Run derive(const Run& run, const std::vector<std::string>& overlays, const CheckRun& before_drawing) {
  const Loaded& base = *run.loaded;
  Run derived = read_run(run.config_path, run.config_text, overlays,
                         {base.config, base.files, base.find, base.folder, {}, {}}, &base, before_drawing);
  derived.spec.tables.share_with(run.spec.tables);
  return derived;
}

Run load_run(const std::string& path, const std::vector<std::string>& sets, const Overrides& overrides, FindModel find,
             const CheckRun& before_drawing) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw Error(Exit::usage, path + ": there is no such config file");
  if (fs::is_directory(path, ignored)) throw Error(Exit::usage, path + ": is a folder, not a config file");
  const std::string text = read_text_file(path);
  if (text.starts_with("\x89HDF") || path.ends_with(".h5"))
    throw Error(Exit::usage,
                path + ": is a result, not a config; scree info shows it, scree run --extend goes on with it");
  return load_run_text(path, text, overlays_of(sets, overrides), find, before_drawing);
}

std::vector<std::string> overlays_of(const std::vector<std::string>& sets, const Overrides& overrides) {
  std::vector<std::string> overlays;
  const auto refuse_both = [&](const std::string& key, const char* option, bool given) {
    for (const std::string& set : sets)
      if (given && set.substr(0, set.find('=')) == key)
        throw Error(Exit::usage, "--set " + set + " and " + option + " give the same: keep one of the two");
  };
  refuse_both("samples", "--samples", overrides.samples.has_value());
  refuse_both("seed", "--seed", overrides.seed.has_value());
  refuse_both("scheme", overrides.schemes_option, !overrides.schemes.empty());
  refuse_both("columns", "--columns", !overrides.columns.empty());
  const bool maps_on = overrides.maps == "true";
  refuse_both("maps.cell", "--maps", !overrides.maps.empty() && !maps_on);
  refuse_both("maps.on", overrides.no_maps ? "--no-maps" : "--maps", overrides.no_maps || maps_on);
  for (const std::string& set : sets) overlays.push_back(overlay("--set", set));
  if (overrides.samples) overlays.push_back(samples_overlay(*overrides.samples));
  if (overrides.shard) overlays.push_back(shard_overlay(*overrides.shard));
  if (overrides.seed) overlays.push_back(overlay("--seed", "seed=" + std::to_string(*overrides.seed)));
  if (overrides.no_maps) overlays.push_back(overlay("--no-maps", "maps.on=false"));
  if (!overrides.maps.empty())
    overlays.push_back(overlay("--maps", maps_on ? "maps.on=true" : "maps.cell=" + overrides.maps));
  const auto list = [&](const char* option, const char* key, const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
    if (!names.empty()) overlays.push_back(overlay(option, std::string(key) + "=[" + text + "]"));
  };
  list(overrides.schemes_option, "scheme", overrides.schemes);
  list("--columns", "columns", overrides.columns);
  return overlays;
}

std::string option_of(const std::string& overlay) {
  const std::size_t colon = overlay.find(':');
  const std::string option = overlay.substr(0, colon), text = overlay.substr(colon + 1);
  if (option == shard_option) return option + " " + shell_word(text);
  if (option.starts_with("--scheme")) {
    std::string names = text.substr(text.find('=') + 1);
    std::erase_if(names, [](char c) { return std::string_view("[]' ").find(c) != std::string_view::npos; });
    return option + " " + shell_word(names);
  }
  if (option == "--samples" || option == "--seed") return option + " " + shell_word(text.substr(text.find('=') + 1));
  return "--set " + shell_word(text);
}

std::vector<std::string> overlays_with_samples(std::vector<std::string> overlays, std::uint64_t samples) {
  const auto is = [](const char* option) {
    return [start = std::string(option) + ":"](const std::string& text) { return text.starts_with(start); };
  };
  // In the order of overlays_of: after every --set, before all else.
  std::erase_if(overlays, is("--samples"));
  overlays.insert(std::find_if_not(overlays.begin(), overlays.end(), is("--set")), samples_overlay(samples));
  return overlays;
}

std::vector<std::string> overlays_without_shard(std::vector<std::string> overlays) {
  std::erase_if(overlays, is_of_shard);
  return overlays;
}

std::vector<std::string> overlays_of_shard(std::vector<std::string> overlays, const Shard& shard) {
  overlays.push_back(shard_overlay(shard));
  return overlays;
}

Shard parse_shard(const std::string& text) {
  const char *first = text.data(), *end = first + text.size();
  Shard shard;
  const auto [slash, mistake] = std::from_chars(first, end, shard.number);
  bool read = mistake == std::errc{} && slash != end && *slash == '/';
  if (read) {
    const auto [rest, other] = std::from_chars(slash + 1, end, shard.of);
    read = other == std::errc{} && rest == end;
  }
  if (!read || shard.number >= shard.of || shard.of > most_shards)
    throw Error(Exit::usage, std::string(shard_option) + " " + text +
                                 ", must be i/n, part i of n, 0 <= i < n <= " + std::to_string(most_shards));
  return shard;
}

}  // namespace scree
