// The Model of a system: what the host needs of it, with the type left behind.
#pragma once

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>

#include "model.hpp"
#include "src/integrate.hpp"

namespace scree {

namespace detail {

template <class... S>
std::vector<Scheme> scheme_names(SchemeList<S...>) {
  return {{S::name, S::meaning}...};
}

template <class First, class... Rest>
First first_scheme(SchemeList<First, Rest...>);

template <class System>
std::vector<std::byte> make_ensemble(const EnsembleSpec& spec) {
  Ensemble<System> ensemble{};
  ensemble.world = spec.world;
  ensemble.world.tables = spec.tables.data();
  std::memcpy(&ensemble.params, spec.params.data(), sizeof ensemble.params);
  std::memcpy(&ensemble.start, spec.start.data(), sizeof ensemble.start);
  if (spec.variations.size() > static_cast<std::size_t>(max_variations)) throw std::logic_error("too many variations");
  ensemble.variation_count = static_cast<int>(spec.variations.size());
  for (std::size_t i = 0; i < spec.variations.size(); ++i) ensemble.variations[i] = spec.variations[i];
  ensemble.seed = ensemble.world.forest.seed = spec.seed;
  ensemble.points = spec.points;
  std::vector<std::byte> bytes(sizeof ensemble);
  ensemble.world.ensemble = bytes.data();  // of these bytes and no copy of them
  std::memcpy(bytes.data(), &ensemble, sizeof ensemble);
  return bytes;
}

template <class System>
void draw_values(const void* ensemble, std::uint64_t index, double* values) {
  const Sample<System> sample = draw(*static_cast<const Ensemble<System>*>(ensemble), index);
  std::memcpy(values, &sample.params, sizeof sample.params);
  std::memcpy(values + sizeof sample.params / sizeof(double), &sample.start, sizeof sample.start);
}

/// The sample whose values `draw_values` gave.
template <class System>
Sample<System> sample_of(const Ensemble<System>& ensemble, std::uint64_t index, const double* values) {
  Sample<System> sample{ensemble.params, ensemble.start, {ensemble.seed, index, first_own_draw}};
  std::memcpy(&sample.params, values, sizeof sample.params);
  std::memcpy(&sample.start, values + sizeof sample.params / sizeof(double), sizeof sample.start);
  return sample;
}

/// The world without a step: what is asked of a sample before the run must hold for every step.
inline World stepless(World world) {
  world.step = std::numeric_limits<double>::quiet_NaN();
  return world;
}

/// The system's own `mistake(world, sample)`, if it has one.
template <class System>
auto mistake_of() -> decltype(Model::mistake) {
  if constexpr (requires { &System::mistake; })
    return [](const void* bytes, std::uint64_t index, const double* values) {
      const auto& ensemble = *static_cast<const Ensemble<System>*>(bytes);
      return System::mistake(stepless(ensemble.world), sample_of<System>(ensemble, index, values));
    };
  return nullptr;
}

/// The system's own `largest_step<Scheme>(world, sample)`, if it has one.
template <class System>
auto largest_step_of() -> decltype(Model::largest_step) {
  using First = decltype(first_scheme(typename System::Schemes{}));
  if constexpr (requires(const World& world, const Sample<System>& sample) {
                  System::template largest_step<First>(world, sample);
                })
    return [](const void* bytes, int scheme, std::uint64_t index, const double* values) {
      const auto& ensemble = *static_cast<const Ensemble<System>*>(bytes);
      double limit = 0;
      with_scheme(typename System::Schemes{}, scheme, [&]<class Scheme>() {
        limit =
            System::template largest_step<Scheme>(stepless(ensemble.world), sample_of<System>(ensemble, index, values));
      });
      return limit;
    };
  return nullptr;
}

/// The system's own `too_long_step`, if it has one.
template <class System>
const char* too_long_step_of() {
  if constexpr (requires { System::too_long_step; })
    return System::too_long_step;
  else
    return nullptr;
}

}  // namespace detail

template <template <class> class System>
Model make_model(const SystemKernels& kernels) {
  DescriptionBuilder<System<double>> table;
  System<double>::describe(table);
  Description& description = table.description;
  description.schemes = detail::scheme_names(typename System<double>::Schemes{});
  description.param_doubles = sizeof(typename System<double>::Params) / sizeof(double);
  description.start_doubles = sizeof(typename System<double>::Start) / sizeof(double);
  const std::string& first = description.first_scheme;
  if (!first.empty() && std::none_of(description.schemes.begin(), description.schemes.end(),
                                     [&](const Scheme& scheme) { return scheme.name == first; }))
    throw std::logic_error("describe() of " + description.system + " suggests the unknown scheme " + first);
  if (description.columns.size() * sizeof(double) != sizeof(typename System<double>::Summary))
    throw std::logic_error("describe() of " + description.system + " does not name every summary column");
  SystemKernels offered = kernels;
  if (!packs<System>()) std::fill(std::begin(offered.pack), std::end(offered.pack), nullptr);
  return {description,
          offered,
          &detail::make_ensemble<System<double>>,
          &detail::draw_values<System<double>>,
          detail::mistake_of<System<double>>(),
          detail::largest_step_of<System<double>>(),
          detail::too_long_step_of<System<double>>()};
}

}  // namespace scree
