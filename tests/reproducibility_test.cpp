// A replayed rock is where its summary says.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/rocks.hpp"

namespace scree {
namespace {

using test::RockStudy;

/// The ramp study cut to 1.2 s, in which rocks fall, hit, roll and slide. Speeds vary too, so that several draws are
/// used.
RockStudy short_study() {
  RockStudy study(test::eota221(), test::ramp(40, 4));
  study.world.set_down = 1;
  study.world.end = 1.2;
  study.vary_orientation();
  Variation speed{};
  speed.target = static_cast<int>((sizeof study.params + offsetof(Rock<double>::Start, speed)) / sizeof(double));
  speed.law = Law::normal;
  speed.a = 4;
  speed.b = 1;
  study.variations.push_back(speed);
  return study;
}

/// The path that a replay gives; that it ends in the summary's bits is asked of all systems in tests/suites/.
TEST(Replay, EndsWhereTheSummarySaysWithARowForEveryTenthStep) {
  const Model& model = test::rock_model();
  const RockStudy study = short_study();
  const EnsembleSpec spec = study.spec();
  const std::vector<std::byte> ensemble = model.ensemble(spec);
  const auto track_column = [&](const char* name) {
    for (std::size_t c = 0; c < model.description.track.size(); ++c)
      if (model.description.track[c].name == name) return c + 1;  // after the time
    throw std::logic_error(name);
  };
  for (const std::string scheme : {"explicit", "implicit", "implicit_cay", "rk4"}) {
    const SummaryTable table = test::run(study, scheme, 40);
    for (const std::uint64_t sample : {0u, 7u, 39u}) {
      SCOPED_TRACE(scheme + ", sample " + std::to_string(sample));
      std::vector<double> last;
      std::size_t rows = 0;
      const ReplayResult replayed =
          model.replay(ensemble.data(), test::scheme_number(scheme), sample, 10, [&](std::span<const double> values) {
            last.assign(values.begin(), values.end());
            ++rows;
          });
      EXPECT_EQ(replayed.status, table.status[sample]);
      // The track's last row is that state: start, every tenth step, and the end.
      EXPECT_EQ(last[track_column("x")], test::column(table, "final_x")[sample]);
      EXPECT_EQ(last[track_column("y")], test::column(table, "final_y")[sample]);
      EXPECT_EQ(last[track_column("z")], test::column(table, "final_z")[sample]);
      const double steps = test::column(table, "steps")[sample];
      EXPECT_EQ(static_cast<double>(rows), 1 + std::ceil(steps / 10));
    }
  }
}

}  // namespace
}  // namespace scree
