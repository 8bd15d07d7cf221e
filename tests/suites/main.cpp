#include <gtest/gtest.h>

/// Exit code 77, which CTest takes for a skip, if there were tests and this machine or build can run none of them.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int code = RUN_ALL_TESTS();
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  const bool none_ran = all.test_to_run_count() > 0 && all.skipped_test_count() == all.test_to_run_count();
  return code == 0 && none_ran ? 77 : code;
}
