// One sample by itself, with its path: the same bits as in a run.
//
// Compiled beside the scalar backend, so that both share what they instantiate, and a replay has the instructions that
// the processor has.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../src/integrate.hpp"
#include "../src/passage.hpp"
#include "backend.hpp"
#include "upper_halves.hpp"

namespace scree {

namespace detail {

/// Time since the release, s: the system's own clock where it has one, because its steps differ in length.
template <class Phases, class Lane>
double time_of(const World& world, const Lane& lane) {
  if constexpr (requires { Phases::time(world, lane); })
    return Phases::time(world, lane);
  else
    return world.step * lane.steps;
}

/// The sink of a replay: a row at the release, after every `every` steps and at the end.
template <class Phases>
class TrackRows {
  using Lane = typename Phases::Lane;

 public:
  explicit TrackRows(const ReplayJob& job) : job_(job) {}

  void release(const World& world, const Lane& lane, std::uint64_t) const { report(world, lane); }
  void step(const World& world, const Lane& lane) {
    if (++steps_ % job_.every == 0 || lane.status != running) report(world, lane);
  }

 private:
  void report(const World& world, const Lane& lane) const {
    struct Row {
      double time;
      typename Phases::Track track;
    };
    static_assert(sizeof(Row) == sizeof(double) + sizeof(typename Phases::Track), "a Track is one or more Reals");
    const Row row{time_of<Phases>(world, lane), Phases::track(world, lane)};
    leave_upper_halves();
    job_.row(job_.rows, reinterpret_cast<const double*>(&row), sizeof row / sizeof(double));
  }

  const ReplayJob& job_;
  std::uint64_t steps_ = 0;
};

/// What a replay has instead of lists of visits.
struct NoLists {
  static constexpr bool may_be_full = false;
  static double begin(const World&) { return 1; }
  static void visit(double, const Visit&) {}
  static void back(double, std::uint32_t) {}
  static void crossed(double, const LineCrossing&) {}
  static void uncrossed(double, std::uint32_t) {}
};
/// The path as it is behind what the sample meets on it.
template <class Phases>
struct MeetingRows {
  TrackRows<Phases> rows;
  PathWatch<Phases, NoLists> watch{};

  void release(const World& world, const typename Phases::Lane& lane, std::uint64_t sample) {
    watch.release(world, lane, sample);
    rows.release(world, lane, sample);
  }
  void step(const World& world, typename Phases::Lane& lane) {
    watch.step(world, lane);
    rows.step(world, lane);
  }
};
template <class Phases>
auto rows_of(const ReplayJob& job) {
  if constexpr (requires { typename Phases::Passage; }) {
    return MeetingRows<Phases>{TrackRows<Phases>(job)};
  } else {
    return TrackRows<Phases>(job);
  }
}

template <template <class> class System>
void replay_sized(ReplayJob& job) {
  using Phases = Stepping<System, double>;
  const auto& ensemble = *static_cast<const Ensemble<System<double>>*>(job.ensemble);
  const World& world = ensemble.world;
  auto lane = Phases::prepare(world, draw(ensemble, job.sample));
  auto rows = rows_of<Phases>(job);
  with_scheme(typename Phases::Schemes{}, job.scheme,
              [&]<class S>() { Step<Phases, S>::run(world, lane, rows, job.sample); });
  const auto summary = Phases::summarize(world, lane);
  const double* columns = reinterpret_cast<const double*>(&summary);
  for (std::size_t c = 0; c < sizeof summary / sizeof(double); ++c) job.summary[c] = columns[c];
  job.status = static_cast<std::uint32_t>(lane.status);
}

}  // namespace detail

template <template <class> class System>
void replay(ReplayJob& job) {
  with_capacity<System>(job.ensemble, [&]<template <class> class Sized>() {
    static_assert(sizeof(typename Sized<double>::Summary) == sizeof(typename System<double>::Summary),
                  "a Summary does not depend on the capacity");
    detail::replay_sized<Sized>(job);
  });
}

}  // namespace scree
