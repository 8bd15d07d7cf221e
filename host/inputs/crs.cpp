#include "crs.hpp"

#include <charconv>
#include <filesystem>
#include <string_view>

#include "host/common/error.hpp"
#include "host/common/text_input.hpp"

#if SCREE_HAS_GIS
#include <geodesic.h>
#include <proj.h>

#include <cmath>
#include <map>
#include <memory>
#endif

namespace scree {

namespace {

/// What PROJ is to read, of a code, a text or a PROJ string; empty: it is none of these. It would look for systems that
/// have the words somewhere in their names.
std::string definition_of(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return "";
  const std::string words = text.substr(first, text.find_last_not_of(blanks) - first + 1);
  if (words.front() == '+' || words.starts_with("proj=")) {
    if (words.find("proj=") == std::string::npos) return "";
    return words.find("type=crs") == std::string::npos ? words + " +type=crs" : words;
  }
  const bool is_code = words.find(':') != std::string::npos && words.find_first_of(blanks) == std::string::npos;
  return is_code || words.find_first_of("[{") != std::string::npos ? words : "";
}

/// As messages show it.
std::string shown(const std::string& text) { return text.size() > 60 ? std::string(front_of(text, 57)) + "..." : text; }

/// `definition_of` of a text that has one; else it throws.
std::string required_definition_of(const std::string& text, const std::string& where) {
  const std::string definition = definition_of(text);
  if (definition.empty())
    throw Error(Exit::input,
                where + ": \"" + shown(text) + "\", must be a code as \"EPSG:31287\", WKT or a PROJ string");
  return definition;
}

}  // namespace

#if SCREE_HAS_GIS

namespace {

struct Close {
  void operator()(PJ_CONTEXT* context) const { proj_context_destroy(context); }
  void operator()(PJ* object) const { proj_destroy(object); }
  void operator()(PJ_OBJ_LIST* list) const { proj_list_destroy(list); }
};
template <class T>
using Owned = std::unique_ptr<T, Close>;

/// The horizontal part of a system that has heights too, and what a bound one is bound to a datum.
Owned<PJ> horizontal(PJ_CONTEXT* context, Owned<PJ> crs) {
  while (true) {
    const PJ_TYPE type = proj_get_type(crs.get());
    if (type == PJ_TYPE_COMPOUND_CRS)
      crs.reset(proj_crs_get_sub_crs(context, crs.get(), 0));
    else if (type == PJ_TYPE_BOUND_CRS)
      crs.reset(proj_get_source_crs(context, crs.get()));
    else
      return crs;
  }
}

/// Of EPSG; 0 if it has none, or one that is no number that EPSG could have given.
int own_code(const PJ* crs) {
  const char* authority = proj_get_id_auth_name(crs, 0);
  const char* code = proj_get_id_code(crs, 0);
  if (!authority || std::string_view(authority) != "EPSG" || !code) return 0;
  const std::string_view digits(code);
  int number = 0;
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return wrong == std::errc{} && end == digits.data() + digits.size() && number > 0 ? number : 0;
}

/// Its own code, or that of the one system that PROJ takes it for with a confidence of 90 % or more.
int code_of(PJ_CONTEXT* context, const PJ* crs) {
  if (const int code = own_code(crs); code > 0) return code;
  int* confidence = nullptr;
  const Owned<PJ_OBJ_LIST> found(proj_identify(context, crs, "EPSG", nullptr, &confidence));
  int code = 0;
  if (found && proj_list_get_count(found.get()) > 0 && confidence[0] >= 90)
    if (const Owned<PJ> one(proj_list_get(context, found.get(), 0)); one) code = own_code(one.get());
  proj_int_list_destroy(confidence);
  return code;
}

/// What is wrong with an axis, the third one may be of heights: "whose unit is the US survey foot", "which counts
/// downwards"; empty: nothing.
std::string why_no_axis(PJ_CONTEXT* context, const PJ* crs) {
  const Owned<PJ> axes(proj_crs_get_coordinate_system(context, crs));
  for (int i = 0; axes && i < proj_cs_get_axis_count(context, axes.get()); ++i) {
    double factor = 1;
    const char *unit = nullptr, *direction = nullptr;
    if (!proj_cs_get_axis_info(context, axes.get(), i, nullptr, nullptr, &direction, &factor, &unit, nullptr, nullptr))
      continue;
    if (std::fabs(factor - 1) > 1e-12) return std::string("whose unit is the ") + (unit ? unit : "?");
    if (direction && std::string_view(direction) == "down") return "which counts downwards";
  }
  return "";
}

/// Why x and y, or the heights of the system that it was a part of, are no metres on a map; empty: they are.
std::string why_not_in_metres(PJ_CONTEXT* context, const PJ* crs, const PJ* heights, const std::string& name) {
  const PJ_TYPE type = proj_get_type(crs);
  if (type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS)
    return "is in " + name + ", whose unit is the degree; reproject it to metres";
  if (type != PJ_TYPE_PROJECTED_CRS && type != PJ_TYPE_ENGINEERING_CRS)
    return "is in " + name + ", which has no x and y on a map; reproject it to metres";
  if (const std::string why = why_no_axis(context, crs); !why.empty())
    return "is in " + name + ", " + why + "; reproject it to metres";
  if (!heights) return "";
  const std::string why = why_no_axis(context, heights);
  const char* title = proj_get_name(heights);
  return why.empty()
             ? ""
             : "has heights in " + printable(title ? title : "?") + ", " + why + "; convert them to heights in metres";
}

}  // namespace

Crs any_crs_of(const std::string& text, const std::string& where) {
  const Owned<PJ_CONTEXT> context(proj_context_create());
  proj_log_level(context.get(), PJ_LOG_NONE);
  const std::string definition = required_definition_of(text, where);
  Owned<PJ> crs(proj_create(context.get(), definition.c_str()));
  if (!crs || !proj_is_crs(crs.get()))
    throw Error(Exit::input, where + ": \"" + shown(text) + "\" is no coordinate reference system that PROJ knows");
  Owned<PJ> heights;
  if (proj_get_type(crs.get()) == PJ_TYPE_COMPOUND_CRS)
    heights = horizontal(context.get(), Owned<PJ>(proj_crs_get_sub_crs(context.get(), crs.get(), 1)));
  crs = horizontal(context.get(), std::move(crs));
  const char* title = crs ? proj_get_name(crs.get()) : nullptr;
  const std::string name = printable(title ? title : shown(text));
  const std::string why = crs ? why_not_in_metres(context.get(), crs.get(), heights.get(), name) : "";
  const char* wkt = proj_as_wkt(context.get(), crs.get(), PJ_WKT1_GDAL, nullptr);
  if (!wkt) wkt = proj_as_wkt(context.get(), crs.get(), PJ_WKT2_2019, nullptr);
  const int code = code_of(context.get(), crs.get());
  return {code == 0 ? name : "EPSG:" + std::to_string(code), wkt ? wkt : text, code, why};
}

std::string why_unchecked(const Crs&) { return ""; }

Crs crs_of(const std::string& text, const std::string& where) {
  Crs crs = any_crs_of(text, where);
  if (!crs.not_in_metres.empty()) throw Error(Exit::input, where + ": " + crs.not_in_metres);
  return crs;
}

namespace {
/// With one name for a datum of which its ellipsoid is all that is known: "unknown", "Unknown based on ...", and as
/// ESRI writes these.
std::string with_one_name_of_unknown(std::string wkt) {
  constexpr std::string_view opening = "DATUM[\"";
  const std::size_t at = wkt.find(opening);
  if (at == std::string::npos) return wkt;
  const std::size_t from = at + opening.size(), end = wkt.find('"', from);
  std::string_view name = std::string_view(wkt).substr(from, end - from);
  if (name.starts_with("D_")) name.remove_prefix(2);
  const bool is_unknown =
      name == "unknown" || name.starts_with("Unknown based on") || name.starts_with("Unknown_based_on");
  return end == std::string::npos || !is_unknown ? wkt : wkt.replace(from, end - from, "unknown");
}
}  // namespace

bool are_same(const Crs& one, const Crs& other) {
  if (one.wkt == other.wkt) return true;
  if (one.epsg > 0 && other.epsg > 0) return one.epsg == other.epsg;
  const Owned<PJ_CONTEXT> context(proj_context_create());
  proj_log_level(context.get(), PJ_LOG_NONE);
  const Owned<PJ> first(proj_create(context.get(), with_one_name_of_unknown(one.wkt).c_str())),
      second(proj_create(context.get(), with_one_name_of_unknown(other.wkt).c_str()));
  return first && second &&
         proj_is_equivalent_to_with_ctx(context.get(), first.get(), second.get(),
                                        PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS) != 0;
}

std::string cf_grid_mapping(const std::string& wkt) {
  // CF conventions 1.11, appendix F.
  static const std::map<std::string_view, const char*> names = {
      {"Transverse Mercator", "transverse_mercator"},
      {"Lambert Conic Conformal (1SP)", "lambert_conformal_conic"},
      {"Lambert Conic Conformal (2SP)", "lambert_conformal_conic"},
      {"Lambert Azimuthal Equal Area", "lambert_azimuthal_equal_area"},
      {"Albers Equal Area", "albers_conical_equal_area"},
      {"Mercator (variant A)", "mercator"},
      {"Mercator (variant B)", "mercator"},
      {"Polar Stereographic (variant A)", "polar_stereographic"},
      {"Polar Stereographic (variant B)", "polar_stereographic"},
      {"Hotine Oblique Mercator (variant A)", "oblique_mercator"},
      {"Hotine Oblique Mercator (variant B)", "oblique_mercator"}};
  const Owned<PJ_CONTEXT> context(proj_context_create());
  proj_log_level(context.get(), PJ_LOG_NONE);
  Owned<PJ> crs(proj_create(context.get(), wkt.c_str()));
  if (crs) crs = horizontal(context.get(), std::move(crs));
  if (!crs || proj_get_type(crs.get()) != PJ_TYPE_PROJECTED_CRS) return "";
  const Owned<PJ> projection(proj_crs_get_coordoperation(context.get(), crs.get()));
  const char* method = nullptr;
  if (!projection || !proj_coordoperation_get_method_info(context.get(), projection.get(), &method, nullptr, nullptr) ||
      !method)
    return "";
  const auto found = names.find(method);
  return found == names.end() ? "" : found->second;
}

double scale_at(const Crs& crs, double x, double y) {
  // Long enough for the digits of degrees, short enough to be in one place.
  constexpr double length = 100, half_axis = 6378137.0, flattening = 1 / 298.257223563;  // of WGS 84
  const double d = length / std::sqrt(2);
  std::vector<double> places{x, y, 0, x + length, y, 0, x, y + length, 0, x + d, y + d, 0, x + d, y - d, 0};
  try {
    ToWgs84{crs}(places);
  } catch (const Error&) {
    return 1;
  }
  geod_geodesic earth;
  geod_init(&earth, half_axis, flattening);
  double furthest = 1;
  for (std::size_t k = 3; k < places.size(); k += 3) {
    double ground = 0;
    geod_inverse(&earth, places[1], places[0], places[k + 1], places[k], &ground, nullptr, nullptr);
    if (const double scale = length / ground; ground > 0 && std::fabs(std::log(scale)) > std::fabs(std::log(furthest)))
      furthest = scale;
  }
  return furthest;
}

struct ToWgs84::Way {
  Owned<PJ_CONTEXT> context{proj_context_create()};
  Owned<PJ> steps;
};

ToWgs84::ToWgs84(const Crs& crs) : from_(crs.name), way_(std::make_unique<Way>()) {
  PJ_CONTEXT* context = way_->context.get();
  proj_log_level(context, PJ_LOG_NONE);
  const std::string text = crs.epsg > 0 ? "EPSG:" + std::to_string(crs.epsg) : crs.wkt;
  const Owned<PJ> way(proj_create_crs_to_crs(context, text.c_str(), "EPSG:4326", nullptr));
  // East before north, whatever the systems say.
  if (way) way_->steps.reset(proj_normalize_for_visualization(context, way.get()));
  if (!way_->steps) throw Error(Exit::usage, "--wgs84: PROJ knows no way from " + from_ + " to WGS 84");
}
ToWgs84::~ToWgs84() = default;

void ToWgs84::operator()(std::vector<double>& points) const {
  for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
    const PJ_COORD place = proj_trans(way_->steps.get(), PJ_FWD, proj_coord(points[i], points[i + 1], 0, 0));
    if (!std::isfinite(place.xy.x) || !std::isfinite(place.xy.y))
      throw Error(Exit::usage, "--wgs84: PROJ cannot take x = " + number_text(points[i]) +
                                   ", y = " + number_text(points[i + 1]) + " from " + from_ + " to WGS 84");
    points[i] = place.xy.x;
    points[i + 1] = place.xy.y;
  }
}

#else

struct ToWgs84::Way {};
ToWgs84::ToWgs84(const Crs&) { throw Error(Exit::usage, "--wgs84: this program was built without PROJ"); }
ToWgs84::~ToWgs84() = default;
void ToWgs84::operator()(std::vector<double>&) const {}

double scale_at(const Crs&, double, double) { return 1; }
Crs any_crs_of(const std::string& text, const std::string& where) {
  const std::string definition = required_definition_of(text, where);
  return {printable(shown(definition)), definition, 0};
}
std::string why_unchecked(const Crs& crs) {
  return crs.known()
             ? "the system of coordinates is taken to be in metres, and was not looked up: this program was built "
               "without PROJ"
             : "";
}
Crs crs_of(const std::string& text, const std::string& where) { return any_crs_of(text, where); }
bool are_same(const Crs& one, const Crs& other) { return one.wkt == other.wkt; }
std::string cf_grid_mapping(const std::string&) { return ""; }

#endif

Crs crs_beside(const std::string& path) {
  const std::string file = std::filesystem::path(path).replace_extension(".prj").string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return {};
  return crs_of(read_text_file(file), file);
}

}  // namespace scree
