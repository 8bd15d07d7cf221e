// Progress and Ctrl-C: bars that fit the terminal, the time left of a whole command, and answers within half a second
// of computing.
#include "host/engine/progress.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <optional>
#include <regex>
#include <thread>

#include "host/engine/course.hpp"
#include "terminal.hpp"

namespace scree {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

TEST(Progress, WritesDurationsInTwoUnitsAtMost) {
  EXPECT_EQ(duration_text(0.2), "1 s");
  EXPECT_EQ(duration_text(59.5), "1 min 00 s");
  EXPECT_EQ(duration_text(185), "3 min 05 s");
  EXPECT_EQ(duration_text(7320), "2 h 02 min");
}

TEST(Progress, TellsCountsRateAndTimeLeftAsFarAsTheyAreKnown) {
  EXPECT_EQ(progress_text({0, 1000, 0, 3, unknown}), "0/1000 samples");
  EXPECT_EQ(progress_text({0, 1000, 12'000, 8, 61}), "0/1000 samples, 1.500 ksteps/s, 1 min 01 s left");
  EXPECT_EQ(progress_text({250, 1000, 3'000'000, 2, 6}), "250/1000 samples, 1.500 Msteps/s, 6 s left");
  EXPECT_EQ(progress_text({1000, 1000, 12'000, 8, 0}), "1000/1000 samples, 1.500 ksteps/s");
}

TEST(Progress, DropsPartsOfTheBarInOrderOfImportance) {
  const Stage stage{412, 4000, 12'200'000, 2, 84};
  const auto line = [&](std::size_t width) { return bar_text("implicit", stage, width); };
  EXPECT_EQ(line(199), "implicit [##......................] 412/4000 samples, 6.100 Msteps/s, 1 min 24 s left");
  EXPECT_EQ(line(79), "implicit [#.................] 412/4000 samples, 6.100 Msteps/s, 1 min 24 s left");
  EXPECT_EQ(line(67), "implicit [......] 412/4000 samples, 6.100 Msteps/s, 1 min 24 s left");
  EXPECT_EQ(line(66), "implicit [##...................] 412/4000 samples, 1 min 24 s left");
  EXPECT_EQ(line(39), "implicit [#...........] 1 min 24 s left");
  EXPECT_EQ(line(30), "implicit 1 min 24 s left");
  EXPECT_EQ(line(22), "impl.. 1 min 24 s left");
  EXPECT_EQ(line(10), "1 min 24 s");
}

TEST(Progress, NeverIsWiderThanItMayBe) {
  for (const char* label : {"a", "implicit", "implicit 0.0005 s, look 3 of at most 12", ""})
    for (const double left : {unknown, 3.0, 7320.0})
      for (const std::uint64_t done : {0u, 1u, 4000u})
        for (std::size_t width = 1; width < 220; ++width) {
          const std::string plain = bar_text(label, {done, 4000, 9000, 1.5, left}, width),
                            coloured = bar_text(label, {done, 4000, 9000, 1.5, left}, width, true);
          EXPECT_LE(plain.size(), width) << plain;
          EXPECT_EQ(std::regex_replace(coloured, std::regex("\033\\[[0-9]*m"), ""), plain);
        }
}

TEST(Progress, StaysSilentWhenQuiet) {
  testing::internal::CaptureStderr();
  {
    TerminalReporter quiet("scree", true);
    Progress progress(quiet, "implicit", 10);
    progress.show(5, 100, 1000, 1);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, WritesPlainLinesSecondsApartWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    TerminalReporter lines("scree", false);
    Progress progress(lines, "implicit", 10);
    for (const double seconds : {1.0, 5.5, 6.0, 11.0}) progress.show(5, 1000, seconds, seconds);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "implicit: 5/10 samples, 181.8 steps/s, 6 s left\nimplicit: 5/10 samples, 90.91 steps/s, 11 s left\n");
}

TEST(TerminalReporter, LeavesNotesOutWhenQuietAndNothingElse) {
  for (const bool quiet : {false, true}) {
    testing::internal::CaptureStderr();
    TerminalReporter reporter("scree-mpi", quiet);
    reporter.warn("a.toml: is steep");
    reporter.note("result: r.h5");
    reporter.say("interrupted: implicit has taken 1 of at most 3 looks");
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "warning: a.toml: is steep\n" + std::string(quiet ? "" : "result: r.h5\n") +
                  "scree-mpi: interrupted: implicit has taken 1 of at most 3 looks\n");
  }
}

/// Three parts of 100, 100 and 200 sample-steps, of which the samples end after half their steps.
TEST(Course, TellsTheTimeLeftOfAllPartsByTheMeasuredRate) {
  Course course(400);
  EXPECT_TRUE(std::isnan(course.left(100, 0, 1)));
  EXPECT_DOUBLE_EQ(course.left(100, 0.25, 2), 6 + 300 * 2 / 25.0);
  course.finish(100, 8);
  EXPECT_DOUBLE_EQ(course.left(100, 0, 1), 7 + 16);       // nothing of this part is measured yet
  EXPECT_DOUBLE_EQ(course.left(100, 0.125, 4), 16 + 28);  // 20 s: half way from 8 s, as before, to its own 32 s
  EXPECT_DOUBLE_EQ(course.left(100, 0.5, 12), 12 + 32);
  course.finish(100, 24);
  EXPECT_DOUBLE_EQ(course.left(200, 0.5, 16), 16);
  EXPECT_EQ(course.left(200, 1, 32), 0);
  course.add(200);
  EXPECT_DOUBLE_EQ(course.left(200, 1, 32), 200 * 64 / 400.0);
}

class Terminal : public OnTerminal {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("study.toml", small_study);
  }
  /// The lines drawn one over the other in a part of what was shown, without colours.
  static std::vector<std::string> drawn(const std::string& shown) {
    std::vector<std::string> lines;
    const std::string redraw = "\r\033[K";
    for (std::size_t at = shown.find(redraw); at != std::string::npos;) {
      const std::size_t next = shown.find(redraw, at + redraw.size());
      std::string line = shown.substr(at + redraw.size(), next == std::string::npos ? next : next - at - redraw.size());
      lines.push_back(std::regex_replace(line, std::regex("\033\\[[0-9]*m"), ""));
      at = next;
    }
    return lines;
  }
};

TEST_F(Terminal, BarsFitItsWidthAndNoneLeavesATrail) {
  for (const unsigned short columns : {40, 80, 200}) {
    shown_.clear();
    begin({"compare", "study.toml", "--schemes", "implicit,explicit", "--samples", "300000", "--grace", "0",
           "--threads", "1"},
          columns);
    EXPECT_TRUE(until("left", 60, 3)) << shown_;
    const std::string before = shown_;
    EXPECT_THAT(before, Not(HasSubstr("\n"))) << columns;
    const std::vector<std::string> bars = drawn(before.substr(0, before.rfind("\r\033[K")));
    EXPECT_FALSE(bars.empty());
    for (const std::string& line : bars) {
      EXPECT_LT(line.size(), columns);
      EXPECT_THAT(line, testing::StartsWith("implicit [")) << columns;
    }
    const double asked = computed(pid_);
    kill(pid_, SIGINT);
    EXPECT_TRUE(until("scree: interrupted: finishing the report\r\n", 60));
    EXPECT_LT(computed(pid_) - asked, 0.5);
    EXPECT_EQ(end().code, 130);
    close(master_);
    master_ = -1;
  }
}

TEST_F(Terminal, BarsFollowItsWidth) {
  begin({"run", "study.toml", "--samples", "300000", "--grace", "0", "--threads", "1"}, 200);
  ASSERT_TRUE(until("steps/s", 60));
  resize(40);
  until("\033[K", 60, 2);  // one may be under way
  const std::size_t narrow = shown_.size();
  ASSERT_TRUE(until("left", 60, 3));
  const std::vector<std::string> lines = drawn(shown_.substr(narrow, shown_.rfind("\r\033[K") - narrow));
  EXPECT_FALSE(lines.empty());
  for (const std::string& line : lines) EXPECT_LT(line.size(), 40u);
  kill(pid_, SIGINT);
  EXPECT_EQ(end().code, 130);
}

TEST_F(Terminal, ReplayShowsItsProgressAndEndsAtOnce) {
  begin({"replay", "study.toml", "--sample", "0:300000", "--samples", "300000", "-o", "paths.h5"}, 40);
  ASSERT_TRUE(until("left", 60, 2)) << shown_;
  EXPECT_THAT(shown_, Not(HasSubstr("\n")));
  const std::vector<std::string> bars = drawn(shown_.substr(0, shown_.rfind("\r\033[K")));
  EXPECT_FALSE(bars.empty());
  for (const std::string& line : bars) EXPECT_LT(line.size(), 40u);
  const double asked = computed(pid_);
  kill(pid_, SIGINT);
  const Outcome outcome = end();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_LT(outcome.computed - asked, 0.5 * std::thread::hardware_concurrency());
  EXPECT_THAT(shown_, testing::ContainsRegex("scree: interrupted: [0-9]+ of 300000 samples were replayed"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator{}), 1)
      << "only the config: nothing half-written is left";
}

using Interruption = Cli;

/// Statistics and writing go on to their end, and say so at once.
TEST_F(Interruption, IsAnsweredWhileTheSamplesAreCompared) {
  write("shots.toml", small_shots);
  const pid_t pid = start({"compare", "shots.toml", "--schemes", "euler,euler_cromer,rk4,exact", "--samples", "8000",
                           "--set", "step=10.0", "--threads", "1", "--grace", "600", "--quiet", "-o", "both.h5"},
                          "stdout");
  // The samples take milliseconds, the comparison of them seconds.
  await_working(pid, 0.7);
  const double asked = computed(pid);
  kill(pid, SIGINT);
  const auto over = [pid] {
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid != 0;
  };
  await([&] { return !read("stderr").empty() || over(); });
  EXPECT_FALSE(over());
  EXPECT_LT(computed(pid) - asked, 0.5);
  const std::string answer = read("stderr");
  const Outcome outcome = finish(pid);
  EXPECT_THAT(answer, testing::StartsWith("scree: interrupted: writing the result\n"));
  EXPECT_EQ(outcome.code, 0) << "nothing was left out: " << outcome.err;
  EXPECT_EQ(scree({"info", "both.h5"}).code, 0);
}

}  // namespace
}  // namespace scree
