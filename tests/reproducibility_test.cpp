// The same bits whatever the schedule: threads, blocks, kernels, batches, and replay.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "host/model/digest.hpp"
#include "support/rocks.hpp"

namespace scree {
namespace {

using test::RockStudy;
using test::Schedule;

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

const std::vector<std::string> schemes = {"explicit", "implicit", "implicit_cay", "rk4"};

std::string digest_of(const std::string& scheme, std::uint64_t samples, Schedule how) {
  return digest(test::run(short_study(), scheme, samples, how));
}

TEST(Reproducibility, OneDigestForAllThreadCountsAndBlockSizesTwiceInARow) {
  for (const std::string& scheme : schemes) {
    const std::string expected = digest_of(scheme, 1234, {.threads = 1});
    EXPECT_EQ(digest_of(scheme, 1234, {.threads = 1}), expected) << scheme << ", a second time";
    for (const int threads : {2, 7})
      EXPECT_EQ(digest_of(scheme, 1234, {.threads = threads}), expected) << scheme << ", " << threads;
    for (const int block : {1, 5, 64, 2000})
      EXPECT_EQ(digest_of(scheme, 1234, {.threads = 2, .block = block}), expected) << scheme << ", block " << block;
  }
}

/// All instruction sets and both CPU backends against the scalar baseline.
class InstructionSet : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Reproducibility, InstructionSet, testing::Range(0, isa_count),
                         [](const auto& isa) { return std::string(isa_names[isa.param]); });

TEST_P(InstructionSet, HasTheBitsOfTheScalarBaselineInScalarAndInPack) {
  const int isa = GetParam();
  const SystemKernels& kernels = test::rock_model().kernels;
  if (!test::can_run(kernels.pack, isa))
    GTEST_SKIP() << "this build has no " << isa_titles[isa] << " kernels, or this processor cannot run them";
  for (const std::string& scheme : schemes) {
    const std::string expected = digest_of(scheme, 200, {.kernel = kernels.scalar[0]});
    if (kernels.scalar[isa] != nullptr) {
      EXPECT_EQ(digest_of(scheme, 200, {.kernel = kernels.scalar[isa]}), expected) << scheme << ", scalar";
    }
    EXPECT_EQ(digest_of(scheme, 200, {.kernel = kernels.pack[isa]}), expected) << scheme << ", pack";
  }
}

/// Packs that are never full, blocks of one sample and of more than there are, more threads than samples.
TEST_P(InstructionSet, PacksAnyNumberOfSamplesOnAnyThreadsInAnyBlock) {
  const int isa = GetParam();
  const Kernel pack = test::rock_model().kernels.pack[isa];
  if (!test::can_run(test::rock_model().kernels.pack, isa))
    GTEST_SKIP() << "this build has no " << isa_titles[isa] << " kernels, or this processor cannot run them";
  for (const std::uint64_t samples : {1, 7, isa == 0 ? 61 : 1234}) {
    const std::string expected = digest_of("implicit", samples, {});
    for (const int threads : {1, 2, 7})
      EXPECT_EQ(digest_of("implicit", samples, {.threads = threads, .kernel = pack}), expected)
          << samples << " samples, threads " << threads;
    for (const int block : {1, 5, 64, 2000})
      EXPECT_EQ(digest_of("implicit", samples, {.threads = 2, .block = block, .kernel = pack}), expected)
          << samples << " samples, block " << block;
  }
}

std::uint64_t bits(double x) { return std::isnan(x) ? 0x7FF8000000000000u : std::bit_cast<std::uint64_t>(x); }

/// Bits of one sample's row and its status.
std::vector<std::uint64_t> row(const SummaryTable& table, std::uint64_t sample) {
  std::vector<std::uint64_t> result{table.status[sample]};
  for (std::size_t c = 0; c < table.description->columns.size(); ++c)
    result.push_back(bits(table.at(static_cast<int>(c), sample)));
  return result;
}

TEST(Reproducibility, TheFirst1000Of4000SamplesAreARunOf1000) {
  for (const char* scheme : {"explicit", "implicit"}) {
    const SummaryTable all = test::run(short_study(), scheme, 4000), first = test::run(short_study(), scheme, 1000);
    for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_EQ(row(all, i), row(first, i)) << scheme << ", sample " << i;
    // A batch that begins elsewhere is a part of the same run.
    const SummaryTable rest = test::run(short_study(), scheme, 500, {.first = 3500});
    for (std::uint64_t i = 0; i < 500; ++i)
      ASSERT_EQ(row(all, 3500 + i), row(rest, i)) << scheme << ", sample " << 3500 + i;
  }
}

TEST(Reproducibility, NoTwoSamplesAndNoTwoSeedsAreAlike) {
  RockStudy study = short_study();
  const SummaryTable table = test::run(study, "implicit", 1000);
  study.seed = 2;
  const SummaryTable other = test::run(study, "implicit", 1000);
  std::set<std::vector<std::uint64_t>> rows;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    EXPECT_TRUE(rows.insert(row(table, i)).second) << "sample " << i;
    EXPECT_TRUE(rows.insert(row(other, i)).second) << "sample " << i << " of the second seed";
  }
}

TEST(Reproducibility, AReplayedSampleEndsWhereItsSummarySays) {
  const Model& model = test::rock_model();
  const RockStudy study = short_study();
  const EnsembleSpec spec = study.spec();
  const std::vector<std::byte> ensemble = model.ensemble(spec);
  const auto track_column = [&](const char* name) {
    for (std::size_t c = 0; c < model.description.track.size(); ++c)
      if (model.description.track[c].name == name) return c + 1;  // after the time
    throw std::logic_error(name);
  };
  for (const std::string& scheme : schemes) {
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
      std::vector<std::uint64_t> got{replayed.status};
      for (const double x : replayed.summary) got.push_back(bits(x));
      EXPECT_EQ(got, row(table, sample));
      // The track's last row is that state: start, every tenth step, and the end.
      EXPECT_EQ(bits(last[track_column("x")]), bits(test::column(table, "final_x")[sample]));
      EXPECT_EQ(bits(last[track_column("y")]), bits(test::column(table, "final_y")[sample]));
      EXPECT_EQ(bits(last[track_column("z")]), bits(test::column(table, "final_z")[sample]));
      const double steps = test::column(table, "steps")[sample];
      EXPECT_EQ(static_cast<double>(rows), 1 + std::ceil(steps / 10));
    }
  }
}

}  // namespace
}  // namespace scree
