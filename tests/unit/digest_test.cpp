#include "host/model/digest.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "fake_result.hpp"
#include "tests/support/numbers.hpp"

namespace scree {
namespace {

using namespace fake;
using test::nan;

// Golden numbers from the python package xxhash, another binding of the hash with our byte order written out:
//   import struct, xxhash
//   a, b, st = [1.5, -0.25, float('nan')], [10.0, -0.0, 1e300], [1, 2, 7]
//   f = lambda x: struct.pack('<Q', 0x7FF8000000000000) if x != x else struct.pack('<d', x)
//   print(xxhash.xxh3_128_hexdigest(b''.join(f(x) + f(y) + struct.pack('<I', s) for x, y, s in zip(a, b, st))))
constexpr const char* three_samples = "378fc88df854fd2f3be22ac3959d1a97";

SummaryTable example() { return table(plain(), {{1.5, -0.25, nan}, {10, -0.0, 1e300}}, {stopped, end_time, diverged}); }

TEST(Digest, IsXxh3Of128BitsOverSamplesInOrder) { EXPECT_EQ(digest(example()), three_samples); }

TEST(Digest, OfBytesIsThatOfThePythonPackage) {
  // python: xxhash.xxh3_128_hexdigest(b''), and of b'scree'
  EXPECT_EQ(xxh3_hex(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(xxh3_hex("scree"), "094f4a5bd150c1ad541085ae0655e49f");
}

TEST(Digest, TakesEveryNanForTheSame) {
  SummaryTable t = example();
  t.values[2] = std::bit_cast<double>(0xFFF8000000000123u);
  EXPECT_EQ(digest(t), three_samples);
  t.values[2] = std::bit_cast<double>(0x7FF0000000000001u);
  EXPECT_EQ(digest(t), three_samples);
  t.values[2] = std::numeric_limits<double>::infinity();
  EXPECT_NE(digest(t), three_samples);
}

TEST(Digest, LeavesOutAnOptionalColumnWhereItDoesNotExist) {
  Description description = plain();
  description.columns.push_back({"late", "1", "came later"});
  description.columns.back().optional = true;
  SummaryTable t =
      table(description, {{1.5, -0.25, nan}, {10, -0.0, 1e300}, {nan, nan, nan}}, {stopped, end_time, diverged});
  EXPECT_EQ(digest(t), three_samples);
  t.values[6] = 0;
  EXPECT_NE(digest(t), three_samples);
}

TEST(Digest, LeavesOutALateColumn) {
  Description description = plain();
  description.columns.push_back({"late", "1", "came later"});
  description.columns.back().late = true;
  const SummaryTable t =
      table(description, {{1.5, -0.25, nan}, {10, -0.0, 1e300}, {1, 2, 3}}, {stopped, end_time, diverged});
  EXPECT_EQ(digest(t), three_samples);
}

TEST(Digest, SeesEveryBitOfColumnsAndStatus) {
  SummaryTable t = example();
  t.values[4] = 0.0;  // was -0.0
  EXPECT_NE(digest(t), three_samples);
  t = example();
  t.status[1] = stopped;
  EXPECT_NE(digest(t), three_samples);
}

TEST(Digest, SeesTheOrderOfColumnsAndOfSamples) {
  EXPECT_NE(digest(table(plain(), {{10, -0.0, 1e300}, {1.5, -0.25, nan}}, {stopped, end_time, diverged})),
            three_samples);
  EXPECT_NE(digest(table(plain(), {{-0.25, 1.5, nan}, {-0.0, 10, 1e300}}, {end_time, stopped, diverged})),
            three_samples);
}

TEST(Digest, CoversTheFinishedSamplesOfAnInterruptedRun) {
  const SummaryTable interrupted = table(plain(), {{1.5, 8, -0.25, nan, 9}, {10, 8, -0.0, 1e300, 9}},
                                         {stopped, not_run, end_time, diverged, not_run});
  EXPECT_EQ(digest(interrupted), three_samples);
}

}  // namespace
}  // namespace scree
