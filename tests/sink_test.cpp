// What a sink sees of a sample's path: every step once, as a piece that begins where the last one ended, whatever the
// schedule; and the run's bits are those of a run that nobody watches.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/cpu_pack.hpp"
#include "kernels/cpu_scalar.hpp"
#include "src/systems/rock.hpp"
#include "src/systems/slider.hpp"
#include "tests/support/rocks.hpp"
#include "tests/support/sliders.hpp"

namespace scree {
namespace {

/// A step as two rows of a replay, from before and after it.
using Piece = std::vector<double>;

/// Where sinks put what they see, from one thread.
std::vector<Piece> seen;

template <class Phases>
struct PathSink {
  using Lane = typename Phases::Lane;
  using Track = typename Phases::Track;
  using Real = std::decay_t<decltype(std::declval<Lane>().steps)>;

  Track at;
  Real released;

  void release(const World& world, const Lane& lane, std::uint64_t) {
    at = Phases::track(world, lane);
    released = Real(1.0);
  }
  void step(const World& world, const Lane& lane) {
    const Track before = std::exchange(at, Phases::track(world, lane));
    for (int i = 0; i < lanes_of<Real>; ++i) {
      if (number(released, 0, i) == 0) continue;
      Piece piece;
      for (const Track& row : {before, at})
        for (std::size_t k = 0; k < sizeof(Track) / sizeof(Real); ++k) piece.push_back(number(row, k, i));
      seen.push_back(piece);
    }
  }
  void end(const World&, const Lane&, std::uint64_t) {}

 private:
  /// Of a struct of Reals, number k of lane i.
  template <class Struct>
  static double number(const Struct& reals, std::size_t k, int i) {
    return reinterpret_cast<const double*>(&reals)[k * lanes_of<Real> + static_cast<std::size_t>(i)];
  }
};

template <class Track>
std::pair<Track, Track> ends(const Piece& piece) {
  std::pair<Track, Track> rows;
  std::copy_n(piece.data(), piece.size() / 2, reinterpret_cast<double*>(&rows.first));
  std::copy_n(piece.data() + piece.size() / 2, piece.size() / 2, reinterpret_cast<double*>(&rows.second));
  return rows;
}

/// Rocks that fall, hit, roll, come to rest or run out of time on the foot of a ramp.
test::RockStudy rocks() {
  test::RockStudy study(test::eota221(), test::ramp(40, 4));
  study.vary_orientation();
  study.start.position = {study.world.terrain.get<Ramp>().foot, 0, 0.6};
  study.start.velocity = {1, 0.3, 0};
  study.params.stop_speed = 0.3;
  study.params.stop_time = 0.02;
  study.world.end = 0.8;
  return study;
}
/// Sliders on level ground that stop, each after v^2 / (2 mu g), the fastest not before the end.
Ensemble<Slider<double>> sliders() {
  test::SliderStudy study = test::SliderStudy(test::tilted(0), 0.05, 2).friction(0.3).from(0, 0, 3, 1);
  Ensemble<Slider<double>> ensemble{};
  ensemble.world = study.world;
  ensemble.params = study.params;
  ensemble.start = study.start;
  ensemble.seed = 7;
  ensemble.variation_count = 1;
  ensemble.variations[0].target =
      static_cast<int>((sizeof study.params + offsetof(SliderStart<double>, velocity)) / sizeof(double));
  ensemble.variations[0].law = Law::uniform;
  ensemble.variations[0].a = 1;
  ensemble.variations[0].b = 8;
  return ensemble;
}

struct Watched {
  std::vector<Piece> pieces;
  std::vector<double> columns;
  std::vector<std::uint32_t> status;
  std::uint64_t steps;
};

/// One sample after the other, with a sink on Step::run.
template <template <class> class System, class Scheme>
Watched watch_each(const Ensemble<System<double>>& ensemble, std::uint64_t samples) {
  using Phases = Stepping<System, double>;
  Watched result{};
  constexpr std::size_t columns = sizeof(typename Phases::Summary) / sizeof(double);
  result.columns.resize(columns * samples);
  seen.clear();
  for (std::uint64_t i = 0; i < samples; ++i) {
    auto lane = Phases::prepare(ensemble.world, draw(ensemble, i));
    PathSink<Phases> sink{};
    result.steps += Step<Phases, Scheme>::run(ensemble.world, lane, sink, i);
    EXPECT_EQ(seen.size(), result.steps);
    const auto summary = Phases::summarize(ensemble.world, lane);
    for (std::size_t c = 0; c < columns; ++c)
      result.columns[c * samples + i] = reinterpret_cast<const double*>(&summary)[c];
    result.status.push_back(static_cast<std::uint32_t>(lane.status));
  }
  result.pieces = std::move(seen);
  return result;
}

/// The same samples through a backend's schedule, a function of a Job.
template <template <class> class System, class Schedule>
Watched watch_together(const Ensemble<System<double>>& ensemble, std::uint64_t samples, int block, Schedule schedule) {
  Watched result{};
  result.columns.resize(sizeof(typename System<double>::Summary) / sizeof(double) * samples);
  result.status.resize(samples);
  Control control;
  seen.clear();
  schedule(
      Job{&ensemble, 0, 0, 0, samples, result.columns.data(), samples, result.status.data(), 1, block, 0, &control});
  result.pieces = std::move(seen);
  result.steps = control.steps_done;
  return result;
}

/// Which sample's step comes first is the schedule's; NaN, as of a column without a value, equals NaN.
void expect_equal(Watched a, Watched b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.steps, b.steps);
  for (Watched* w : {&a, &b}) {
    std::sort(w->pieces.begin(), w->pieces.end());
    std::replace_if(
        w->columns.begin(), w->columns.end(), [](double x) { return std::isnan(x); }, -1e300);
  }
  EXPECT_TRUE(a.pieces == b.pieces) << a.pieces.size() << " and " << b.pieces.size() << " pieces";
  EXPECT_EQ(a.columns, b.columns);
}

/// In blocks of the scalar backend; and the program's own kernel, without this sink, gives the same samples.
template <template <class> class System, class Scheme>
void expect_whole_paths_from_scalar(const Ensemble<System<double>>& ensemble, std::uint64_t samples,
                                    const Watched& each, const Model& model, const std::string& scheme) {
  for (const int block : {1, 5, 32}) {
    SCOPED_TRACE(block);
    expect_equal(watch_together<System>(ensemble, samples, block,
                                        [](const Job& job) {
                                          Samples<System> queue(job);
                                          ScalarBlock<System, Scheme, PathSink>(queue).run();
                                        }),
                 each);
    Watched unseen = watch_together<System>(ensemble, samples, block, [&](Job job) {
      job.scheme = model.description.scheme(scheme);
      model.kernels.scalar[0](job);
    });
    unseen.pieces = each.pieces;
    expect_equal(unseen, each);
  }
}

int samples_that_are(const Watched& watched, Status status) {
  return static_cast<int>(std::count(watched.status.begin(), watched.status.end(), static_cast<std::uint32_t>(status)));
}

TEST(Sink, SeesEachStepOfARockWhereItWas) {
  const test::RockStudy study = rocks();
  const EnsembleSpec spec = study.spec();
  const std::vector<std::byte> bytes = test::rock_model().ensemble(spec);
  const auto& ensemble = *reinterpret_cast<const Ensemble<Rock<double>>*>(bytes.data());
  const std::uint64_t samples = 23;
  const Watched each = watch_each<Rock, test::Implicit>(ensemble, samples);
  EXPECT_GT(samples_that_are(each, Status::stopped), 0);
  EXPECT_GT(samples_that_are(each, Status::end_time), 0);
  ASSERT_FALSE(each.pieces.empty());

  // r1 = r + h/2 v + h/2 v1, equations (79) and (86), so the two ends belong to one step of one rock: to the bit.
  const double half = 0.5 * study.world.step;
  for (const Piece& piece : each.pieces) {
    const auto [from, to] = ends<RockTrack<double>>(piece);
    ASSERT_EQ(to.x, fma(half, to.vx, fma(half, from.vx, from.x)));
    ASSERT_EQ(to.y, fma(half, to.vy, fma(half, from.vy, from.y)));
    ASSERT_EQ(to.z, fma(half, to.vz, fma(half, from.vz, from.z)));
  }
  // The energy of a path's end is the one of the lane that is summarised: a sample's last piece ends at its last place.
  auto lane = Rock<double>::prepare(ensemble.world, draw(ensemble, samples - 1));
  Step<Rock<double>, test::Implicit>::run(ensemble.world, lane);
  EXPECT_EQ(ends<RockTrack<double>>(each.pieces.back()).second.energy, Rock<double>::energy(lane));

  expect_whole_paths_from_scalar<Rock, test::Implicit>(ensemble, samples, each, test::rock_model(), "implicit");
  for (const int block : {1, 5, 32}) {
    SCOPED_TRACE(block);
    expect_equal(watch_together<Rock>(ensemble, samples, block,
                                      [](const Job& job) {
                                        Samples<Rock> queue(job);
                                        PackBlock<Rock, test::Implicit, 2, 2, PathSink>(queue).run();
                                      }),
                 each);
  }
}

TEST(Sink, SeesEachStepOfASliderWithTheEnergyThatFrictionLeaves) {
  const Ensemble<Slider<double>> ensemble = sliders();
  const std::uint64_t samples = 40;
  const Watched each = watch_each<Slider, Rk4>(ensemble, samples);
  EXPECT_GT(samples_that_are(each, Status::stopped), 0);
  EXPECT_GT(samples_that_are(each, Status::end_time), 0);
  ASSERT_FALSE(each.pieces.empty());

  // On level ground friction takes mu g per metre and kilogram. A step of equal deceleration is exact but for a dozen
  // roundings of numbers of the size of the first energy, at most (8^2 + 1) / 2 J/kg, or of its place, at most 12 m.
  const double per_metre = 0.3 * ensemble.params.gravity;
  for (const Piece& piece : each.pieces) {
    const auto [from, to] = ends<SliderTrack<double>>(piece);
    ASSERT_NEAR(to.energy, from.energy - per_metre * std::hypot(to.x - from.x, to.y - from.y),
                12 * std::numeric_limits<double>::epsilon() * (32.5 + 12 * per_metre));
  }

  expect_whole_paths_from_scalar<Slider, Rk4>(ensemble, samples, each, *find_model("slider"), "rk4");
  for (const int block : {1, 3, 4})
    expect_equal(watch_together<Slider>(ensemble, samples, block,
                                        [](const Job& job) {
                                          Samples<Slider> queue(job);
                                          run_in_pack<Slider, Rk4, Pack<2, 2>, PathSink>(queue);
                                        }),
                 each);
}

}  // namespace
}  // namespace scree
