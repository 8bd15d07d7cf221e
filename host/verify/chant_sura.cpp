// Chant Sura: four impacts of a wheel in soil, measured and simulated by Lu et al. 2019, and rocks down the whole
// slope, there and in table 3 of Leine et al. 2021. What was read off a figure says so.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "flight_table.hpp"
#include "src/terrain/terrain.hpp"

namespace scree {
namespace {

constexpr double radian = 0.017453292519943295;  // a degree
constexpr double full_turn = 360 * radian;

double speed_of(const NamedRow& row) { return std::hypot(row["vx"], row["vy"], row["vz"]); }

/// Mean and standard deviation.
struct Moments {
  double n = 0, sum = 0, squares = 0;
  void add(double x) { n += 1, sum += x, squares += x * x; }
  double mean() const { return sum / n; }
  double sd() const { return std::sqrt(std::max(squares / n - mean() * mean(), 0.0) * n / (n - 1)); }
};

// ---------------------------------------------------------------------------------------------------------------------

/// An impact of Lu19, section "single impacts": velocities when it begins, `time` before the wheel touches; its soil.
struct Impact {
  double level, down, spin;  // m/s, 1/s
  double strength, drag;     // M_e, Pa; C_d
  double time;               // s
};
constexpr Impact impacts[] = {{15.64, 11.20, 23.85, 25e6, 5.0, .33},
                              {13.76, 10.74, 26.30, 15e6, 2.5, .28},
                              {13.42, 10.36, 29.33, 10e6, 1.1, .22},
                              {15.16, 8.52, 28.69, 10e6, 1.5, .36}};

/// What an impact did, over the phases of the wheel: energies in kJ, depth in m.
struct Scar {
  Moments translation, rotation, depth;
};

Scar scar_of(const Run& study, const Impact& impact) {
  constexpr int phases = 12;
  const double slope = 33 * radian, s = std::sin(slope), c = std::cos(slope);
  const double fall = impact.down * impact.time + gravity / 2 * impact.time * impact.time;
  const double upright = -full_turn / 8;  // half of the angle from the wheel's axis to the horizontal across the slope
  Scar scar;
  for (int k = 0; k < phases; ++k) {
    const double phase = full_turn / 2 * k / phases;  // half of it
    const Quaternion<double> p = Quaternion<double>{std::cos(upright), std::sin(upright), 0, 0} *
                                 Quaternion<double>{std::cos(phase), 0, 0, std::sin(phase)};
    const Replayed path = replayed(with(study, {{"rock.soil_strength", impact.strength},
                                                {"rock.soil_drag", impact.drag},
                                                {"start.velocity", {impact.level, 0.0, -impact.down}},
                                                {"start.omega", {0.0, 0.0, impact.spin}},
                                                {"start.orientation", {p.w, p.x, p.y, p.z}},
                                                {"start.gap", c * fall - s * impact.level * impact.time}}));
    const double mass = study.shapes[0].mass;
    double depth = 0;
    for (const std::vector<double>& values : path.rows) {
      const NamedRow row{path, values};
      if (row["depth"] > 0) depth = row["depth"];
      if (depth == 0 || row["depth"] > 0) continue;
      const double speed = speed_of(row), translation = 0.5 * mass * speed * speed;
      scar.translation.add(translation / 1000);
      scar.rotation.add((row["kinetic_energy"] - translation) / 1000);
      scar.depth.add(depth);
      break;
    }
  }
  return scar;
}

void add_scars(Claims& claims, const std::vector<Scar>& scars) {
  const auto add = [&](const std::string& what, const char* who, const char* source, const char* unit,
                       Moments Scar::*of, double reading, const std::string& how,
                       const std::array<double, 4>& published, const char* note = "") {
    for (std::size_t k = 0; k < scars.size(); ++k) {
      const Moments& ours = scars[k].*of;
      claims.add({.claim = "impact " + std::to_string(k + 1) + ": " + what + ", " + who,
                  .source = source,
                  .published = {.numbers = {published[k]}, .unit = unit, .digits = 3},
                  .measured = {.numbers = {ours.mean()}, .unit = unit, .digits = 3},
                  .criterion = within(ours.sd() + reading,
                                      "SD over twelve phases of the wheel, which were not "
                                      "published, and " +
                                          how),
                  .note = note});
    }
  };
  const char *figure8 = "Lu19, read off figure 8", *table3 = "Lu19 table 3";
  const char *simulation = "their simulation", *field = "in the field";
  const std::string read = "3 kJ of reading", rounded = "half of the last digit";
  const char* slope = "the slope at the scars was not published; 33 degrees here";
  const char* depth = "equation 11 by the vertical speed as the wheel touches; which theirs is by, they do not say";
  add("translational energy after it", simulation, figure8, "kJ", &Scar::translation, 3, read, {90, 92, 92.5, 100},
      slope);
  add("translational energy after it", field, figure8, "kJ", &Scar::translation, 3, read, {97, 97, 98, 95}, slope);
  add("rotational energy after it", simulation, figure8, "kJ", &Scar::rotation, 3, read, {40, 39, 37, 38});
  add("rotational energy after it", field, figure8, "kJ", &Scar::rotation, 3, read, {28, 36, 34.5, 29.5},
      "their simulation keeps as much of it as ours");
  add("depth of the scar", simulation, table3, "m", &Scar::depth, .005, rounded, {.14, .16, .18, .18}, depth);
  add("depth of the scar", field, table3, "m", &Scar::depth, .005, rounded, {.13, .15, .18, .21}, depth);
}

// ---------------------------------------------------------------------------------------------------------------------

/// What Lu19 tells of each of two parts of the slope, over all steps out of the soil of all rocks.
struct Part {
  Moments speed, rotation, height, length;  // m/s, 1/s, m, m; length: of each jump
};

/// Parts by the height of the centre of mass above the foot, which is at 2267 m above sea level: down to 2338 m, and
/// below.
std::array<Part, 2> parts_of(const Run& run, std::uint64_t rocks) {
  constexpr double border = 2338 - 2267;
  std::array<Part, 2> parts;
  const auto part_at = [&](double height) -> Part& { return parts[height >= border ? 0 : 1]; };
  for (std::uint64_t i = 0; i < rocks; ++i) {
    const Replayed path = replayed(run, 1, i);
    std::optional<Vec3<double>> touched;  // where the rock last was in the soil
    bool flies = false;
    for (const std::vector<double>& values : path.rows) {
      const NamedRow row{path, values};
      const Vec3<double> at{row["x"], row["y"], row["z"]};
      const double ground = ground_height(run.spec.world.terrain, run.spec.tables.data(), at.x, at.y);
      if (ground <= 0) break;  // beyond the foot
      if (!(row["gap"] > 0)) {
        if (touched && flies) part_at(touched->z).length.add(norm(at - *touched));
        touched = at;
        flies = false;
        continue;
      }
      flies = true;
      if (!(speed_of(row) > 0.1)) continue;
      Part& part = part_at(at.z);
      part.speed.add(speed_of(row));
      part.rotation.add(std::hypot(row["wx"], row["wy"], row["wz"]));
      part.height.add(at.z - ground);
    }
  }
  return parts;
}

const char* const slope_inferred =
    "an even slope of 37 degrees, for want of the elevation model; on even slopes of 33 to 45 degrees the mean speeds "
    "of all the path are within 8 % of these";

void add_parts(Claims& claims, const std::array<Part, 2>& parts) {
  const auto add = [&](const char* what, const char* unit, Moments Part::*of, double scale, const char* who,
                       const char* source, const std::array<double, 2>& published) {
    for (std::size_t k = 0; k < parts.size(); ++k)
      claims.add(
          {.claim = std::string("mean ") + what + (k == 0 ? ", upper" : ", lower") + " part of the slope, " + who,
           .source = source,
           .published = {.numbers = {published[k]}, .unit = unit},
           .measured = {.numbers = {(parts[k].*of).mean() / scale}, .unit = unit},
           .criterion = where_inferred("the slope is inferred"),
           .note = slope_inferred});
  };
  const auto both = [&](const char* what, const char* unit, Moments Part::*of, double scale,
                        const std::array<double, 2>& simulated, const std::array<double, 2>& measured) {
    add(what, unit, of, scale, "their simulation", "Lu19 table 5", simulated);
    add(what, unit, of, scale, "in the field", "Lu19, read off figure 13", measured);
  };
  both("speed", "m/s", &Part::speed, 1, {10.53, 17.44}, {10.95, 18.55});
  both("rotation", "deg/s", &Part::rotation, radian, {923, 1745}, {845, 1653});
  both("jump height", "m", &Part::height, 1, {1.34, 1.95}, {1.62, 1.50});
  both("jump length", "m", &Part::length, 1, {4.09, 9.92}, {4.1, 6.6});
}

/// What other soils change, over what the one above gives: of another terrain than theirs, but alike where what matters
/// is the soil. Their table 5 has means over five rocks and the deviation of such means.
void add_soils(Claims& claims, const Run& run, std::uint64_t rocks, const std::array<Part, 2>& parts) {
  struct Soil {
    const char* name;
    double strength, drag;                  // Pa; C_d = 1 + C_s
    std::array<double, 2> speed, rotation;  // m/s, deg/s: upper, lower
  };
  const Soil soils[] = {{"10 MN/m^2", 10e6, 2.5, {10.27, 15.43}, {905, 1553}},
                        {"20 MN/m^2", 20e6, 2.5, {10.73, 18.63}, {938, 1853}},
                        {"C_d 2", 15e6, 2.0, {10.76, 18.64}, {938, 1852}},
                        {"C_d 3", 15e6, 3.0, {10.39, 16.37}, {915, 1647}}};
  const std::array<double, 2> speed{10.53, 17.44}, speed_sd{.43, .59}, rotation{923, 1745}, rotation_sd{46, 67};
  for (const Soil& soil : soils) {
    const std::array<Part, 2> other =
        parts_of(with(run, {{"rock.soil_strength", soil.strength}, {"rock.soil_drag", soil.drag}}), rocks);
    const auto add = [&](const char* what, Moments Part::*of, std::size_t k, double there, double base, double sd) {
      claims.add({.claim = std::string("mean ") + what + (k == 0 ? ", upper" : ", lower") + " part: with " + soil.name +
                           " over that with 15 MN/m^2, C_d 2.5",
                  .source = "Lu19 table 5",
                  .published = {.numbers = {there / base}},
                  .measured = {.numbers = {(other[k].*of).mean() / (parts[k].*of).mean()}},
                  .criterion = within(std::sqrt(2.0) * sd / base, "SD of theirs, of two means over five rocks"),
                  .note = slope_inferred});
    };
    for (std::size_t k = 0; k < 2; ++k) {
      add("speed", &Part::speed, k, soil.speed[k], speed[k], speed_sd[k]);
      add("rotation", &Part::rotation, k, soil.rotation[k], rotation[k], rotation_sd[k]);
    }
  }
}

}  // namespace

void verify_scar(Claims& claims) {
  const Run run = study("rock_scar");
  std::vector<Scar> scars;
  for (const Impact& impact : impacts) scars.push_back(scar_of(run, impact));
  add_scars(claims, scars);
}

void verify_chant_sura(Claims& claims) {
  const Run run = study("rock_chant_sura");
  constexpr std::uint64_t rocks = 200;
  const std::array<Part, 2> parts = parts_of(run, rocks);
  add_parts(claims, parts);
  add_soils(claims, run, rocks, parts);
  std::vector<Arm> arms;
  for (const std::string& scheme : run.schemes) arms.push_back(claims.arm(run, scheme, scheme));
  add_flight_table(claims, run.published, arms, "L21 table 3", "the slope is inferred", slope_inferred);
}

}  // namespace scree
