// How the pack backend schedules: lanes end at different steps, are refilled, and stand vacant, for every number of
// registers, samples and threads; the bits are those of the scalar backend.
#include "kernels/cpu_pack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/cpu_scalar.hpp"
#include "src/steppers/rk4.hpp"

namespace scree {
namespace {

/// x'' = -c x' - x + x^3 / 10, which ends near the origin, below a threshold that differs from sample to sample. A
/// start beyond |x| = sqrt(10) escapes to infinity: its NaN must stay in its lane.
template <class Real>
struct Oscillator {
  using Schemes = SchemeList<Rk4>;
  struct Params {
    Real damping, threshold;
  };
  struct Start {
    Real x, v;
  };
  using State = Start;
  struct Summary {
    Real x, v, peak;
  };
  struct Track {
    Real x;
  };
  HOST_DEVICE static State initial(const World&, const Params&, const Start& start) { return start; }
  HOST_DEVICE static State derivative(const Params& p, const State& s) {
    return {s.v, -fma(p.damping, s.v, s.x - Real(0.1) * s.x * s.x * s.x)};
  }
  HOST_DEVICE static void observe(const Params&, const State& s, const Real&, Summary& summary) {
    summary.x = s.x;
    summary.v = s.v;
    summary.peak = larger(abs(s.x), summary.peak);
  }
  HOST_DEVICE static Mask<Real> finished(const Params& p, const State& s) {
    return fma(s.x, s.x, s.v * s.v) < p.threshold;
  }
  HOST_DEVICE static Track track(const Params&, const State& s) { return {s.x}; }
};

struct Result {
  std::vector<double> columns;
  std::vector<std::uint32_t> status;
  std::uint64_t steps;
};
void expect_equal(const Result& a, const Result& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(std::memcmp(a.columns.data(), b.columns.data(), a.columns.size() * sizeof(double)), 0);
}

template <class System>
Result run(const Ensemble<System>& ensemble, std::uint64_t samples, int threads, int block, Kernel kernel) {
  constexpr std::size_t columns = sizeof(typename System::Summary) / sizeof(double);
  Result result{std::vector<double>(columns * samples), std::vector<std::uint32_t>(samples), 0};
  Control control;
  const Job job{&ensemble, 0,     0, 0,       samples, result.columns.data(), samples, result.status.data(),
                threads,   block, 0, &control};
  kernel(job);
  EXPECT_EQ(control.samples_done, samples);
  result.steps = control.steps_done;
  for (double& x : result.columns)
    if (std::isnan(x)) x = std::numeric_limits<double>::quiet_NaN();  // all NaN count as one, as in digests
  return result;
}

Ensemble<Oscillator<double>> oscillators() {
  Ensemble<Oscillator<double>> ensemble{};
  ensemble.world.step = 0.02;
  ensemble.world.end = 20;
  ensemble.seed = 5;
  ensemble.variation_count = 3;
  ensemble.variations[0] = {0, Law::uniform, -0.3, 2.4, 0, 0, 0};
  ensemble.variations[1] = {1, Law::uniform, 0.001, 0.3, 0, 0, 0};
  ensemble.variations[2] = {2, Law::normal, 0, 2, 0, 0, 0};
  return ensemble;
}

template <class Real>
class CpuPack : public testing::Test {};
/// One register, and more of them than lanes; tests/suites/ has the numbers that systems are compiled with.
using SmallPacks = testing::Types<Pack<2, 1>, Pack<2, 3>>;
TYPED_TEST_SUITE(CpuPack, SmallPacks);

template <class Real>
inline constexpr int width = 0;
template <int W, int M>
inline constexpr int width<Pack<W, M>> = W;

TYPED_TEST(CpuPack, RefillsLanesThatEndAtDifferentSteps) {
  constexpr int W = width<TypeParam>, M = TypeParam::lanes / W;
  const auto ensemble = oscillators();
  for (const std::uint64_t samples : {1u, 7u, 200u}) {
    const Result expected = run<Oscillator<double>>(ensemble, samples, 1, 0, &run_scalar<Oscillator>);
    for (const int threads : {1, 3})
      for (const int block : {0, 1, 5}) {
        SCOPED_TRACE(testing::Message() << samples << " samples, threads " << threads << ", block " << block);
        expect_equal(run<Oscillator<double>>(ensemble, samples, threads, block, &run_pack<Oscillator, W, M>), expected);
      }
    if (samples < 200) continue;
    // The study holds samples that stop, that run out of time, and that diverge.
    for (const Status status : {Status::stopped, Status::end_time, Status::diverged})
      EXPECT_GT(std::count(expected.status.begin(), expected.status.end(), static_cast<std::uint32_t>(status)), 5)
          << status_names[static_cast<int>(status)];
  }
}

TYPED_TEST(CpuPack, StopsWhenItIsAskedTo) {
  constexpr int W = width<TypeParam>, M = TypeParam::lanes / W;
  auto ensemble = oscillators();
  std::vector<double> columns(3 * 10);
  std::vector<std::uint32_t> status(10);
  Control control;
  control.cancel = true;
  const Job job{&ensemble, 0, 0, 0, 10, columns.data(), 10, status.data(), 1, 0, 0, &control};
  run_pack<Oscillator, W, M>(job);
  EXPECT_EQ(control.samples_done, 0u);
}

}  // namespace
}  // namespace scree
