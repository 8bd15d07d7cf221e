// Hard discs against kinetic theory and the microcanonical ensemble. Seeds are fixed; what is bounded by four standard
// errors fails by chance in one of 16 000 seeds.
#include <algorithm>
#include <vector>

#include "host/statistics/kolmogorov.hpp"
#include "src/systems/hard_discs/cases.hpp"
#include "tests/support/hard_discs.hpp"

namespace scree {
namespace {

using test::collide;
using test::DiscRun;
using test::DiscStudy;
namespace cases = hard_discs_cases;

/// Mean of numbers from independent samples, and its standard error.
struct Mean {
  double value, error;

  explicit Mean(const std::vector<double>& numbers) {
    const double n = static_cast<double>(numbers.size());
    double sum = 0, squares = 0;
    for (const double x : numbers) sum += x;
    value = sum / n;
    for (const double x : numbers) squares += (x - value) * (x - value);
    error = std::sqrt(squares / (n * (n - 1)));
  }
};
/// Sum of the first over sum of the second numbers of independent samples; the error is that of a ratio estimator.
struct Ratio {
  double value, error;

  Ratio(const std::vector<double>& above, const std::vector<double>& below) {
    double a = 0, b = 0, squares = 0;
    for (std::size_t i = 0; i < above.size(); ++i) {
      a += above[i];
      b += below[i];
    }
    value = a / b;
    for (std::size_t i = 0; i < above.size(); ++i) {
      const double rest = above[i] - value * below[i];
      squares += rest * rest;
    }
    error = std::sqrt(squares) / b;
  }
};

struct Rates {
  std::vector<double> pair_hits, wall_hits, twice_pair_hits, way, impulse;

  void add(const DiscRun& run) {
    pair_hits.push_back(run.summary.pair_hits);
    wall_hits.push_back(run.summary.wall_hits);
    twice_pair_hits.push_back(2 * run.summary.pair_hits);
    way.push_back(run.lane.path);
    impulse.push_back(run.summary.wall_impulse);
  }
};

/// Two discs in a rectangle, started in equilibrium: both places uniform, tried again until they do not overlap, and
/// velocities uniform on their sphere. Then every rate has the exact value as its expectation, however short the run.
TEST(HardDiscsEquilibrium, TwoDiscsHitAtTheExactRates) {
  const double r = 0.1, width = 1, height = 0.7, end = 20;
  const cases::TwoDiscs exact{2 * r, width - 2 * r, height - 2 * r, 1.0, 1.0};
  Rates rates;
  for (std::uint64_t sample = 0; sample < 2000; ++sample) {
    DrawStream draws{5, sample, 0};
    const auto place = [&] {
      return Vec2<double>{(draws.uniform() - 0.5) * exact.a, (draws.uniform() - 0.5) * exact.b};
    };
    Vec2<double> x, y;
    do {
      x = place();
      y = place();
    } while (std::hypot(x.x - y.x, x.y - y.y) < 2 * r);
    double v[4], square = 0;
    for (double& component : v) {
      component = draws.normal();
      square += component * component;
    }
    for (double& component : v) component *= exact.speed() / std::sqrt(square);
    rates.add(
        collide<HitByHit>(DiscStudy(end, end).box(width, height).add(r, x, {v[0], v[1]}).add(r, y, {v[2], v[3]})));
  }
  const Mean pairs(rates.pair_hits), walls(rates.wall_hits), impulse(rates.impulse);
  const Ratio path(rates.way, rates.twice_pair_hits);
  EXPECT_NEAR(pairs.value / end, exact.pair_rate(), 4 * pairs.error / end);
  EXPECT_NEAR(walls.value / end, exact.wall_rate(), 4 * walls.error / end);
  EXPECT_NEAR(impulse.value / end, exact.wall_force(), 4 * impulse.error / end);
  EXPECT_NEAR(path.value, exact.free_path(), 4 * path.error);
  // What this could tell apart: the rates of points, and a free path without the wall's share.
  EXPECT_GT(exact.wall_rate() - cases::wall_rate(2, exact.a, exact.b, 1, 1), 10 * walls.error / end);
  EXPECT_GT(std::fabs(cases::free_path(2, 2 * r, exact.a, exact.b, 2 * cases::pi * r * r / (width * height)) -
                      exact.free_path()),
            10 * path.error);
}

/// A dilute crowd. The theories are of first order in the covered part eta = 0.5 % and in D / a: what they leave out is
/// of the order of their product, some 2 eta (1 - wall_share).
TEST(HardDiscsEquilibrium, ADiluteCrowdHasTheFreePathAndTheWallRateOfKineticTheory) {
  const int discs = 16;
  const double r = 0.01, a = 1 - 2 * r, end = 100, eta = discs * cases::pi * r * r;
  std::vector<double> rate;
  Rates rates;
  for (std::uint64_t sample = 0; sample < 100; ++sample) {
    const DiscRun run = collide<HitByHit>(DiscStudy(end, end).random(discs, r, sample));
    rates.add(run);
    rate.push_back(run.summary.wall_rate / cases::wall_rate(discs, a, a, run.summary.energy_start, 1));
  }
  const double share = cases::wall_share(2 * r, a, a), left_out = 2 * eta * (1 - share);
  const Ratio path(rates.way, rates.twice_pair_hits);
  const double theory = cases::free_path(discs, 2 * r, a, a, eta) / share;
  EXPECT_NEAR(path.value / theory, 1, 4 * path.error / theory + left_out);
  const Mean walls(rate);
  EXPECT_NEAR(walls.value / cases::wall_crowding(discs, 2 * r, a, a), 1, 4 * walls.error + left_out);
  // The formula of the bulk alone is short by the 2.6 % that the walls take, and no more.
  EXPECT_LT(path.error / theory, 0.005);
  EXPECT_NEAR(path.value / cases::free_path(discs, 2 * r, a, a, eta), 1,
              1 - share + 4 * path.error / theory + left_out);
}

/// From equal speeds to v^2 / V^2 ~ Beta(1, N - 1) after 15 hits of each disc, or more; Maxwell's law would be off by
/// far.
TEST(HardDiscsEquilibrium, FewDiscsHaveTheMicrocanonicalSpeeds) {
  for (const int discs : {2, 4}) {
    SCOPED_TRACE(discs);
    const int samples = 4000;
    std::vector<double> speeds;
    double hits = 0;
    for (std::uint64_t sample = 0; sample < samples; ++sample) {
      DiscStudy study(30, 30);
      study.random(discs, 0.08, sample);
      for (int i = 0; i < discs; ++i) {
        Vec2<double>& v = study.start.velocity[i];
        const double size = std::hypot(v.x, v.y);
        v = {v.x / size, v.y / size};
      }
      const DiscRun run = collide<HitByHit>(study);
      speeds.push_back(run.summary.speed0);
      hits += 2 * run.summary.pair_hits / discs;
    }
    EXPECT_GT(hits / samples, 12);
    const double all = std::sqrt(1.0 * discs), bound = kolmogorov_bound(samples);
    EXPECT_LT(kolmogorov_distance_to_law(speeds, [&](double v) { return cases::slower_than(discs, v, all); }), bound);
    // Maxwell with the same mean square 1: 1 - exp(-v^2).
    EXPECT_GT(kolmogorov_distance_to_law(speeds, [&](double v) { return -std::expm1(-v * v); }), 2 * bound);
  }
}

/// Unequal discs share the energy alike, whatever their masses: that of one of N has the law Beta(1, N - 1).
TEST(HardDiscsEquilibrium, UnequalMassesShareTheEnergyAlike) {
  std::vector<double> part;
  for (std::uint64_t sample = 0; sample < 2000; ++sample) {
    DiscStudy study(30, 30);
    study.random(3, 0.08, sample);
    study.params.mass[0] = 9;
    study.params.mass[1] = 3;
    const DiscRun run = collide<HitByHit>(study);
    part.push_back(0.5 * 9 * run.summary.speed0 * run.summary.speed0 / run.summary.energy_start);
  }
  const Mean mean(part);
  EXPECT_NEAR(mean.value, 1.0 / 3, 4 * mean.error);
  const auto law = [](double s) { return 1 - (1 - s) * (1 - s); };
  EXPECT_LT(kolmogorov_distance_to_law(part, law), kolmogorov_bound(part.size()));
}

/// Over a long run of one sample, too: mean v^4 over the square of the mean v^2, and both axes alike.
TEST(HardDiscsEquilibrium, TimeMeansAreThoseOfTheEnsemble) {
  std::vector<double> flatness, x_part;
  for (std::uint64_t sample = 0; sample < 40; ++sample) {
    const DiscRun run = collide<HitByHit>(DiscStudy(400, 400).random(5, 0.08, sample));
    flatness.push_back(run.summary.flatness);
    x_part.push_back(run.summary.vx_square / (run.summary.vx_square + run.summary.vy_square));
    EXPECT_NEAR(5 * (run.summary.vx_square + run.summary.vy_square), 2 * run.summary.energy_start,
                1e-12 * run.summary.energy_start);
  }
  const Mean flat(flatness), x(x_part);
  EXPECT_NEAR(flat.value, cases::flatness(5), 4 * flat.error);
  EXPECT_NEAR(x.value, 0.5, 4 * x.error);
  EXPECT_LT(flat.error, 0.02);
}

}  // namespace
}  // namespace scree
