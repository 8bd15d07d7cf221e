#include "host/engine/progress.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(Progress, WritesDurationsInTwoUnitsAtMost) {
  EXPECT_EQ(duration_text(0.2), "1 s");
  EXPECT_EQ(duration_text(59.5), "1 min 00 s");
  EXPECT_EQ(duration_text(185), "3 min 05 s");
  EXPECT_EQ(duration_text(7320), "2 h 02 min");
}

TEST(Progress, TellsRateAndTimeLeftFromTheSamplesThatAreDone) {
  EXPECT_EQ(progress_text(0, 1000, 0, 3), "0/1000 samples");
  EXPECT_EQ(progress_text(250, 1000, 3'000'000, 2), "250/1000 samples, 1.500 Msteps/s, 6 s left");
  EXPECT_EQ(progress_text(1000, 1000, 12'000, 8), "1000/1000 samples, 1.500 ksteps/s");
}

TEST(Progress, StaysSilentWhenQuiet) {
  testing::internal::CaptureStderr();
  {
    Progress progress("implicit", 10, true);
    progress.show(5, 100, 1000);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, WritesPlainLinesSecondsApartWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    Progress progress("implicit", 10, false);
    for (const double seconds : {1.0, 5.5, 6.0, 11.0}) progress.show(5, 1000, seconds);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "implicit: 5/10 samples, 181.8 steps/s, 6 s left\nimplicit: 5/10 samples, 90.91 steps/s, 11 s left\n");
}

}  // namespace
}  // namespace scree
