// How many operations a step of a system takes, counted by running the step's own code on the counting type.
#pragma once

#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "../src/integrate.hpp"
#include "counting.hpp"

namespace scree {

/// Operations of `steps` sample-steps together, whole ones (Step::advance); release and summary are not steps.
struct StepOperations {
  Operations operations;
  std::uint64_t steps = 0;
};

/// Where `Scheme` stands in a list that has it.
template <class Scheme, class... S>
constexpr int position_of(SchemeList<S...>) {
  int position = 0;
  static_cast<void>((... || (std::is_same_v<Scheme, S> || (++position, false))));
  return position;
}

/// Integrates samples 0, 1, ... of the ensemble (an Ensemble<System<double>>) until each ends or `most_steps` of it are
/// done. With `Only`, `scheme` can be no other: the rest of the system's are not compiled.
template <template <class> class System, class Only>
StepOperations count_operations_sized(const void* bytes, int scheme, std::uint64_t samples, std::uint64_t most_steps) {
  using Phases = Stepping<System, Counting>;
  static_assert(sizeof(Sample<System<double>>) == sizeof(Sample<System<Counting>>), "a Counting is a double");
  const auto& ensemble = *static_cast<const Ensemble<System<double>>*>(bytes);
  const World& world = ensemble.world;
  using Schemes = std::conditional_t<std::is_void_v<Only>, typename Phases::Schemes, SchemeList<Only>>;
  if constexpr (!std::is_void_v<Only>) {
    if (scheme != position_of<Only>(typename Phases::Schemes{}))
      throw std::logic_error("bench: the operations of this scheme are not counted");
    scheme = 0;
  }
  StepOperations counted;
  with_scheme(Schemes{}, scheme, [&]<class S>() {
    for (std::uint64_t i = 0; i < samples; ++i) {
      const Sample<System<double>> drawn = draw(ensemble, i);
      Sample<System<Counting>> sample;
      std::memcpy(static_cast<void*>(&sample), &drawn, sizeof sample);
      auto lane = Phases::prepare(world, sample);
      const Operations before = Counting::tally();
      NoSink<Phases> nobody;
      counted.steps += Step<Phases, S>::run(world, lane, nobody, 0, most_steps);
      const Operations now = Counting::tally() - before;
      Operations& sum = counted.operations;
      sum = {sum.add + now.add,   sum.mul + now.mul,         sum.fma + now.fma,      sum.div + now.div,
             sum.sqrt + now.sqrt, sum.compare + now.compare, sum.select + now.select};
    }
  });
  return counted;
}
template <template <class> class System, class Only = void>
StepOperations count_operations(const void* bytes, int scheme, std::uint64_t samples, std::uint64_t most_steps) {
  StepOperations counted;
  with_capacity<System>(bytes, [&]<template <class> class Sized>() {
    counted = count_operations_sized<Sized, Only>(bytes, scheme, samples, most_steps);
  });
  return counted;
}

}  // namespace scree
