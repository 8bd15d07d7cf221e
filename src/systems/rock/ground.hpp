// What the ground is where a rock is. It may differ from place to place, by classes (terrain/ground_map.hpp), and from
// sample to sample. A sample's lane has room for the ground below it, not for all classes: where it comes to another
// one, it draws that again, by the same numbers.
#pragma once

#include "../../elementary.hpp"
#include "../../ensemble.hpp"

namespace scree {

template <class Real>
struct RockGround {
  Real friction_min, friction_max, scar_decay, scar_growth;     // mu_min, mu_max, beta, kappa
  Real restitution, drag;                                       // e, nu
  Real soil_strength, soil_drag, soil_density, soil_spin_drag;  // M_e, C_d, rho_s, C_w
  Real layer_drag, layer_height;                                // c_d, z_height
};

/// Of a run's map.
inline constexpr int most_ground_classes = 16;

/// A class of ground as the parameters have it: what it has no value of, NaN, is the run's own.
template <class Real>
HOST_DEVICE inline RockGround<Real> completed(const RockGround<Real>& of_class, const RockGround<Real>& own) {
  RockGround<Real> ground = own;
  Real* const values = reinterpret_cast<Real*>(&ground);
  const Real* const given = reinterpret_cast<const Real*>(&of_class);
  SCREE_ROLLED
  for (std::size_t i = 0; i < sizeof ground / sizeof(Real); ++i)
    values[i] = select(given[i] == given[i], given[i], values[i]);
  return ground;
}

/// What steps read of it: what slows a rock, and what else contacts read.
template <class Real>
struct RockBrakes {
  Real drag, layer_drag, layer_height, soil_rate, soil_spin_rate;  // rates: q per area and speed, s/m^3
};
template <class Real>
struct RockFooting {
  Real friction_min, friction_max, scar_growth, restitution, soil_strength;
};
template <class Real>
struct RockGroundTerms {
  RockBrakes<Real> brakes;
  RockFooting<Real> footing;
  Real healing;  // exp(-beta h)
};
/// For a rock of that mass, kg.
template <class Real>
HOST_DEVICE inline RockGroundTerms<Real> ground_terms(const World& world, const RockGround<Real>& g, const Real& mass) {
  const Real h = Real(world.step), soil = Real(0.5) * h * g.soil_density / mass;
  return {{g.drag, g.layer_drag, g.layer_height, soil * g.soil_drag, Real(2.5) * (soil * g.soil_spin_drag)},
          {g.friction_min, g.friction_max, g.scar_growth, g.restitution, g.soil_strength},
          exp(-g.scar_decay * h)};
}

/// What a sample has drawn of a class of ground, 0 being the run's own.
template <class Params, class Start>
HOST_DEVICE inline RockGround<double> drawn_ground(const EnsembleOf<Params, Start>& ensemble, std::uint64_t sample,
                                                   int ground_class) {
  const auto drawn = [&](const RockGround<double>& given) {
    RockGround<double> ground = given;
    const int first =
        static_cast<int>(reinterpret_cast<const double*>(&given) - reinterpret_cast<const double*>(&ensemble.params));
    draw_varied(ensemble, sample, first, first + static_cast<int>(sizeof ground / sizeof(double)),
                reinterpret_cast<double*>(&ground));
    return ground;
  };
  const RockGround<double> own = drawn(ensemble.params);
  return ground_class > 0 ? completed(drawn(ensemble.params.classes[ground_class - 1]), own) : own;
}

}  // namespace scree
