// Particles by hand, for the physics tests: a study with the defaults of `describe()`, stepped in the test's own loop.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "host/model/description.hpp"
#include "src/integrate.hpp"
#include "worst.hpp"

namespace scree::test {

template <template <class> class System>
struct ParticleStudy {
  using Phases = Stepping<System, double>;
  typename System<double>::Params params{};
  typename System<double>::Start start{};
  World world{};

  explicit ParticleStudy(double step, double end) {
    DescriptionBuilder<System<double>> table;
    System<double>::describe(table);
    fill(table.description.params, &params);
    fill(table.description.starts, &start);
    world.step = step;
    world.end = end;
  }
  Sample<System<double>> sample() const { return {params, start}; }
  const char* mistake() const { return System<double>::mistake(world, sample()).text; }

 private:
  static void fill(const std::vector<Quantity>& quantities, void* values) {
    for (const Quantity& q : quantities)
      for (int body = 0; body < (q.most > 0 ? q.most : 1); ++body)
        std::memcpy(static_cast<double*>(values) + q.offset + body * q.width, q.standard.data(),
                    q.standard.size() * sizeof(double));
  }
};

/// A sample at its end.
template <template <class> class System>
struct Flown {
  typename Stepping<System, double>::Lane lane;
  typename System<double>::Summary summary;
  Status status;
};

/// Steps the sample to its end; `each(lane)` after every step. A system of several bodies: as the capacity `System` is.
template <class Scheme, template <class> class System, class F>
Flown<System> fly(const ParticleStudy<System>& study, const F& each) {
  using Phases = Stepping<System, double>;
  auto lane = Phases::prepare(study.world, study.sample());
  while (lane.status == running) {
    Step<Phases, Scheme>::advance(study.world, lane);
    each(lane);
  }
  return {lane, Phases::summarize(study.world, lane), static_cast<Status>(lane.status)};
}
template <class Scheme, template <class> class System>
Flown<System> fly(const ParticleStudy<System>& study) {
  return fly<Scheme>(study, [](const auto&) {});
}

/// Observed order from the errors with 2h and h.
inline double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace scree::test
