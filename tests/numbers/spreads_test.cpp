// How many samples the spreads of inputs are of.
#include <cstdint>
#include <string>

#include "tests/support/config_fixture.hpp"

namespace scree {
namespace {

class InputSpreads : public test::ConfigFixture {};

TEST_F(InputSpreads, AreOfFewerSamplesWhereEachDrawsMore) {
  std::string laws = "system = 'rotor'\nscheme = 'rk4'\nsamples = 2000000\nstep = 0.01\nend = 1\n[vary]\n";
  std::uint64_t count = 0;
  for (const char* axis : {"x", "y", "z"}) {
    laws += "'start.omega." + std::string(axis) + "' = { uniform = [0, 1] }\n";
    ++count;
    EXPECT_EQ(input_spreads(load(laws)).front().samples, (std::uint64_t{1} << 20) / count);
  }
  const Run discs = load(
      "system = 'hard_discs'\nscheme = 'events'\nsamples = 2000000\nstep = 0.1\nend = 1\n[hard_discs]\ndiscs = 4\n"
      "[vary]\n'start.velocity' = { polygon = [[-1, -1], [1, -1], [0, 1]] }\n");
  EXPECT_EQ(input_spreads(discs).front().samples, (std::uint64_t{1} << 20) / 4) << "a point for each disc";
}

}  // namespace
}  // namespace scree
