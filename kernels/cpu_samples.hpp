// The samples of a job, handed to the working threads one by one, and the summaries that come back.
//
// Shared by the CPU backends. Drawing, preparing and summarising are done on a double, by every backend alike; which
// thread gets a sample changes nothing in its bits.
#pragma once

#include "backend.hpp"
#include "cpu_threads.hpp"
#include "cpu_watch.hpp"

namespace scree {

template <template <class> class System>
class Samples {
  using Phases = Stepping<System, double>;

 public:
  using Lane = typename Phases::Lane;

  explicit Samples(const Job& job)
      : job_(job), ensemble_(*static_cast<const Ensemble<System<double>>*>(job.ensemble)) {}

  const World& world() const { return ensemble_.world; }
  bool cancelled() const { return job_.control->cancel.load(std::memory_order_relaxed); }
  bool closed() const { return cancelled() || job_.control->close.load(std::memory_order_relaxed); }

  /// How many samples a thread takes at once, where a backend would take `wanted`: what the job says, and no more than
  /// its share.
  int most_in_flight(int wanted) const {
    const int most = job_.block > 0 ? job_.block : wanted;
    const std::uint64_t threads = static_cast<std::uint64_t>(job_.threads),
                        share = (job_.count + threads - 1) / threads;
    return share < static_cast<std::uint64_t>(most) ? static_cast<int>(share) : most;
  }
  /// Draws and prepares the next sample that runs, and gives its number in the job; false if there is none left, or
  /// none is to begin. Those that end before they begin, without a start, are stored.
  bool next(std::uint64_t& sample, Lane& lane) {
    while (!closed()) {
      sample = next_.fetch_add(1, std::memory_order_relaxed);
      if (sample >= job_.count) return false;
      lane = Phases::prepare(ensemble_.world, draw(ensemble_, number(sample)));
      if (lane.status == running) return true;
      store(sample, lane);
    }
    return false;
  }

  /// The number in the ensemble of a sample of the job.
  std::uint64_t number(std::uint64_t sample) const { return job_.first + sample; }

  /// Writes what a sample that has ended leaves behind, and lets its sink know.
  template <class Sink>
  void store(std::uint64_t sample, const Lane& lane, Sink& sink) const {
    store(sample, lane);
    sink.end(ensemble_.world, lane, number(sample));
  }

 private:
  void store(std::uint64_t sample, const Lane& lane) const {
    const auto summary = Phases::summarize(ensemble_.world, lane);
    const double* values = reinterpret_cast<const double*>(&summary);
    for (std::size_t c = 0; c < sizeof(summary) / sizeof(double); ++c)
      job_.columns[c * job_.stride + sample] = values[c];
    const auto steps = static_cast<std::uint64_t>(lane.steps);
    set_ended(job_, sample, static_cast<std::uint32_t>(lane.status), steps);
    job_.control->steps_done.fetch_add(steps, std::memory_order_relaxed);
    job_.control->samples_done.fetch_add(1, std::memory_order_relaxed);
  }

  const Job& job_;
  const Ensemble<System<double>>& ensemble_;
  std::atomic<std::uint64_t> next_{0};
};

/// Runs f.template operator()<Scheme>(samples) on each of the job's threads, with the job's scheme of `Schemes`.
template <template <class> class System, class Schemes = typename Stepping<System, double>::Schemes, class F>
void on_threads(const Job& job, F f) {
  struct Context {
    Samples<System> samples;
    int scheme;
    F f;
  } context{Samples<System>(job), job.scheme, f};
  scree_on_threads(
      job.threads,
      [](void* pointer) {
        auto& shared = *static_cast<Context*>(pointer);
        with_scheme(Schemes{}, shared.scheme,
                    [&]<class Scheme>() { shared.f.template operator()<Scheme>(shared.samples); });
      },
      &context);
}

}  // namespace scree
