#include "list.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include <nlohmann/json.hpp>

#include "host/common/suggest.hpp"
#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "host/config/tree.hpp"
#include "host/report/devices.hpp"
#include "host/report/json.hpp"
#include "offer.hpp"

namespace scree {
namespace {

/// "> 0", and "any" in place of the words for no bounds.
std::string range_text(const Range& range) {
  return range.low > -unbounded || range.high < unbounded ? std::string(range.text) : "any";
}

Json bound(double value) { return std::abs(value) >= unbounded ? Json(nullptr) : Json(value); }

/// A value of it as a table shows it.
std::string shown(const Quantity& q, double value) { return q.is_choice() ? q.choice_name(value) : number_text(value); }

Json json_of(const Quantity& q) {
  Json json{{"name", q.name}, {"unit", q.unit}};
  json["default"] = q.is_choice()  ? Json(q.choice_name(q.standard[0]))
                    : q.width == 1 ? Json(q.standard[0])
                                   : Json(q.standard);
  json["range"] = {{"text", allowed(q)}, {"min", bound(q.range.low)}, {"max", bound(q.range.high)}};
  if (q.is_choice()) json["choices"] = q.choice_names();
  json["meaning"] = q.meaning;
  if (q.most > 0) json["most_bodies"] = q.most;
  return json;
}

Json json_of(const TerrainKey& key) {
  Json json{{"name", key.name}, {"unit", key.unit}};
  json["default"] = key.standard && std::isfinite(*key.standard) ? Json(*key.standard) : Json(nullptr);
  json["required"] = !key.standard;
  json["range"] = {{"text", key.range.text}, {"min", bound(key.range.low)}, {"max", bound(key.range.high)}};
  json["meaning"] = key.meaning;
  return json;
}

Json json_of(const Description& d) {
  Json json{{"name", d.system}, {"meaning", d.meaning}};
  for (const char* key : {"params", "starts", "columns", "schemes", "presets"}) json[key] = Json::array();
  for (const Quantity& q : d.params) json["params"].push_back(json_of(q));
  for (const Quantity& q : d.series) json["params"].push_back(json_of(q));
  for (const Quantity& q : d.starts) json["starts"].push_back(json_of(q));
  for (const Column& c : d.columns)
    json["columns"].push_back({{"name", c.name},
                               {"unit", c.unit},
                               {"meaning", c.meaning},
                               {"samples", c.counted == Counted::stopped ? "stopped" : "finished"}});
  for (const MapQuantity& q : d.map_quantities)
    json["maps"].push_back({{"name", q.name}, {"unit", q.unit}, {"meaning", q.meaning}});
  for (const Scheme& s : d.schemes) json["schemes"].push_back({{"name", s.name}, {"meaning", s.meaning}});
  for (const Preset& preset : d.presets) {
    Json values = Json::object();
    for (const auto& [offset, value] : preset.values)
      for (const Quantity& q : d.params)
        if (q.offset == offset) values[q.name] = q.is_choice() ? Json(q.choice_name(value)) : Json(value);
    json["presets"].push_back({{"key", preset.key}, {"name", preset.name}, {"note", preset.note}, {"values", values}});
  }
  if (d.ground != Ground::none) json["terrain"] = Json::array();
  for (const TerrainDescription& kind : terrains(d)) {
    Json keys = Json::array();
    for (const TerrainKey& key : kind.keys)
      if (!key.name.empty()) keys.push_back(json_of(key));
    json["terrain"].push_back({{"kind", kind.name}, {"meaning", kind.meaning}, {"keys", keys}});
  }
  return json;
}

/// The default, with as many digits as tell it: the config of `scree init` has them all.
std::string short_default(const Description& d, const Quantity& q) {
  if (q.width <= 1) return default_text(d, q);
  std::string text;
  for (const double value : q.standard) {
    char number[32];
    std::snprintf(number, sizeof number, "%.4g", value);
    text += (text.empty() ? "" : ", ") + std::string(number);
  }
  return "[" + text + "]";
}

void print_quantities(std::ostream& out, const char* title, const Description& d,
                      const std::vector<Quantity>& quantities) {
  out << "\n  " << title << '\n';
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < quantities.size();) {
    const Quantity& q = quantities[i];
    const std::size_t end = end_of_family(quantities, i);
    const bool by_name = q.name == "shape";
    rows.push_back({q.name + (end > i + 1 ? " ... " + quantities[end - 1].name : ""), by_name ? "" : q.unit,
                    by_name ? "the first" : short_default(d, q),
                    by_name || q.is_choice() ? "a name" : range_text(q.range),
                    by_name ? "of a [[shape]]"
                            : (q.is_choice() ? joined(q.choice_names()) + ": " : "") + q.meaning +
                                  (q.most > 0 ? " (of each body)" : "")});
    i = end;
  }
  print_rows(out, rows);
}

void print_presets(std::ostream& out, const Description& d) {
  std::vector<const Preset*> presets;
  for (const Preset& preset : d.presets) presets.push_back(&preset);
  for (const PresetNote& same : by_note(presets)) {
    out << "\n  presets of [" << d.system << "]" << (same.note.empty() ? "" : " (" + same.note + ")") << '\n';
    std::vector<std::vector<std::string>> rows;
    for (const Preset* preset : same.presets) {
      std::string values;
      for (const auto& [offset, value] : preset->values)
        for (const Quantity& q : d.params)
          if (q.offset == offset) values += (values.empty() ? "" : ", ") + q.name + " " + shown(q, value);
      rows.push_back({preset->key + " = \"" + preset->name + "\"", values});
    }
    print_rows(out, rows);
  }
}

void print_terrains(std::ostream& out, const Description& d) {
  if (d.ground == Ground::none) return;
  out << "\n  terrain [terrain]: kind, its keys with unit, default, range, meaning\n";
  std::vector<std::vector<std::string>> rows;
  for (const TerrainDescription& kind : terrains(d)) {
    rows.push_back({"kind = \"" + kind.name + "\": " + kind.meaning});
    for (const TerrainKey& key : kind.keys)
      if (!key.name.empty())
        rows.push_back({"  " + key.name, key.unit,
                        !key.standard                  ? "required"
                        : std::isfinite(*key.standard) ? toml_number(*key.standard)
                                                       : "none",
                        key.gives == TerrainKey::Gives::number ? range_text(key.range) : "", key.meaning});
  }
  print_rows(out, rows);
}

void print_grounds(std::ostream& out, const Description& d) {
  if (d.grounds.most == 0) return;
  std::vector<std::string> keys;
  for (const Quantity& param : d.params)
    if (d.grounds.has(param)) keys.push_back(param.name);
  out << "\n  ground from place to place [terrain.ground]: at most " << d.grounds.most << " classes\n";
  print_rows(out, {{"file, names", "an ESRI ASCII grid of codes, and the class of each: { 1 = \"NAME\" }"},
                   {"[[area]]", "class = \"NAME\", polygon = [[x, y], ...], over the file, later ones on top"},
                   {"outside", "the class elsewhere, if not as [" + d.system + "] says"},
                   {"[ground.NAME]", "what a class is, if it is no preset: like = \"PRESET\", " + joined(keys)}});
}

void print_description(std::ostream& out, const Description& d) {
  out << d.system << ": " << d.meaning << '\n';
  print_quantities(out, ("parameters [" + d.system + "]: name, unit, default, range, meaning").c_str(), d, d.params);
  if (!d.series.empty()) print_quantities(out, "lists of any length, the same for all samples", d, d.series);
  print_presets(out, d);
  print_quantities(out, "starts [start]: name, unit, default, range, meaning", d, d.starts);
  print_terrains(out, d);
  print_grounds(out, d);
  out << "\n  schemes\n";
  std::vector<std::vector<std::string>> rows;
  for (const Scheme& s : d.schemes) rows.push_back({s.name, s.meaning});
  print_rows(out, rows);
  out << "\n  summary columns: name, unit, samples that count, meaning\n";
  rows.clear();
  for (const Column& c : d.columns)
    rows.push_back({c.name, c.unit, c.counted == Counted::stopped ? "stopped" : "finished", c.meaning});
  print_rows(out, rows);
  if (d.map_quantities.empty()) return;
  out << "\n  quantities of maps [maps]: name, unit, meaning\n";
  rows.clear();
  for (const MapQuantity& q : d.map_quantities) rows.push_back({q.name, q.unit, q.meaning});
  print_rows(out, rows);
}

}  // namespace

Json list_json(const std::string& system) {
  const Model* one = system.empty() ? nullptr : &known_model("list", system);
  Json object = json_of("list");
  object["systems"] = Json::array();
  for (const Model& model : models())
    if (!one || one == &model) object["systems"].push_back(json_of(model.description));
  return object;
}

void list_command(const std::string& system, bool json) {
  if (json) {
    std::cout << list_json(system).dump(2) << '\n';
    return;
  }
  const Model* one = system.empty() ? nullptr : &known_model("list", system);
  if (one) return print_description(std::cout, one->description);
  std::size_t width = 0;
  for (const Model& model : models()) width = std::max(width, model.description.system.size());
  for (const Model& model : models()) {
    const Description& d = model.description;
    const std::vector<std::string> lines = wrapped(d.meaning, 0, screen_width - width - 4);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const std::string name = k == 0 ? d.system : "";
      std::cout << "  " << name << std::string(width - name.size() + 2, ' ') << lines[k] << '\n';
    }
  }
  std::cout << "\nscree list SYSTEM: its parameters, starts, columns and schemes; scree init SYSTEM: a config\n";
}

void list_devices(bool json) {
  std::string why;
  std::vector<CudaDevice> devices(static_cast<std::size_t>(scree_cuda_devices(&why)));
  for (std::size_t k = 0; k < devices.size(); ++k) scree_cuda_device(static_cast<int>(k), &devices[k]);
  if (json) {
    Json object = json_of("list");
    object.update(devices_json(devices, why));
    std::cout << object.dump(2) << '\n';
  } else if (devices.empty()) {
    std::cout << "no CUDA device: " << why << '\n';
  } else {
    print_devices(std::cout, devices);
    std::cout << "\n--backend cuda:K runs on device K; scree bench --device: what limits each\n";
  }
}

}  // namespace scree
