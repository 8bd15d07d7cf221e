// The contact solve of a rock does not depend on the capacity that it was compiled for.
#include <gtest/gtest.h>

#include "tests/support/lanes.hpp"
#include "tests/support/rocks.hpp"

namespace scree {
namespace {

using test::ramp;
using test::RockLane;
using test::RockStudy;

/// Steps one rock down the ramp; at every contact step all capacities that hold its contacts must give the same lane.
template <class Scheme>
void expect_same_capacities(RockStudy study) {
  int compared[5] = {};
  RockLane lane = study.prepare();
  const auto solved = [&]<int capacity>() {
    RockLane copy = lane;
    Rock<double>::contact<Scheme, capacity>(study.ground(), copy, copy);
    return test::flat(copy);
  };
  for (int step = 0; step < 20000 && lane.status == running; ++step) {
    Rock<double>::begin<Scheme>(study.ground(), lane);
    if (lane.contacts >= 2 && lane.contacts <= 4) {
      const std::vector<double> large = solved.template operator()<2 * max_vertices>();
      const std::vector<double> four = solved.template operator()<4>();
      ASSERT_EQ(std::memcmp(four.data(), large.data(), four.size() * sizeof(double)), 0) << "step " << step;
      if (lane.contacts == 2) {
        const std::vector<double> two = solved.template operator()<2>();
        ASSERT_EQ(std::memcmp(two.data(), large.data(), two.size() * sizeof(double)), 0) << "step " << step;
      }
      ++compared[static_cast<int>(lane.contacts)];
    }
    test::end_step<Scheme>(study.ground(), lane);
  }
  EXPECT_GT(compared[2], 0);
  EXPECT_GT(compared[4], 0);
}

TEST(RockPhases, ContactSolveDoesNotDependOnTheCapacityItWasCompiledFor) {
  RockStudy study(test::eota221(), ramp(40, 20));
  study.world.set_down = 1;
  study.start.gap = 0.5;
  study.start.omega = {1, 4, 0.5};
  test::for_all_schemes([&]<class Scheme>() { expect_same_capacities<Scheme>(study); });
}

}  // namespace
}  // namespace scree
