// The lock on a result: of two commands that would write it the second stops at once and names the first.
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using testing::MatchesRegex;
using testing::StartsWith;

class Lock : public Cli {
 protected:
  /// A command that writes r.h5, but not before it is killed: its words, and what it has in its environment.
  struct Endless {
    Words words;
    std::vector<std::pair<std::string, std::string>> variables;
  };
  void SetUp() override {
    Cli::SetUp();
    write("shots.toml", small_shots);
    std::string slow = small_shots;  // a minute of 400000 shots
    slow.replace(slow.find("step = 0.05"), 11, "step = 0.0001");
    write("slow.toml", slow);
  }
  /// Parts that are opened slowly, and are so many that a merge of them takes a minute.
  Endless merge_slowly() const {
    return {{"merge", "parts", "-o", "r.h5"},
            {{"FAULT_FILE", "parts/"},
             {"FAULT_CALL", "open"},
             {"FAULT_AT", "1"},
             {"FAULT_ON", "1"},
             {"FAULT_ERRNO", "slow"},
             {"LD_PRELOAD", SCREE_FAULTS}}};
  }
  void make_parts() const {
    for (int i = 0; i < 60; ++i)
      ASSERT_EQ(scree({"run", "shots.toml", "-o", "p.h5", "--quiet", "--shard", std::to_string(i) + "/60"}).code, 0);
    std::filesystem::rename(path("p.h5.shards"), path("parts"));
  }
  /// The one of two that ends, and the other; ends both where neither does by itself.
  std::pair<Outcome, pid_t> first_of(const Endless& a, const Endless& b) const {
    const pid_t pids[] = {start_with(a.variables, a.words), start_with(b.variables, b.words)};
    int status = 0;
    rusage used{};
    const auto end = std::end(pids);
    const pid_t* first = end;
    await([&] {
      first = std::find_if(pids, end, [&](pid_t pid) { return wait4(pid, &status, WNOHANG, &used) == pid; });
      return first != end;
    });
    for (const pid_t& pid : pids) {
      if (&pid == first) continue;
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
    if (first == end) return {Outcome{}, 0};
    return {printed(ended(status, used)), pids[first == pids ? 1 : 0]};
  }
};

/// Which of them is the first is left to the system: they start within milliseconds.
TEST_F(Lock, OfTwoThatWouldWriteOneResultOneDoesAndTheOtherNamesIt) {
  make_parts();
  const Endless run{{"run", "slow.toml", "--samples", "400000", "-o", "r.h5", "--quiet"}, {}},
      compare{{"compare", "slow.toml", "--schemes", "euler,rk4", "--samples", "400000", "-o", "r.h5", "--quiet"}, {}},
      merge = merge_slowly();
  const std::pair<Endless, Endless> all[] = {{run, run},     {compare, compare}, {merge, merge},
                                             {run, compare}, {compare, merge},   {merge, run}};
  for (int i = 0; i < tries(24, 100); ++i) {
    const auto& [a, b] = all[static_cast<std::size_t>(i) % std::size(all)];
    SCOPED_TRACE(std::to_string(i) + ": " + a.words[0] + " and " + b.words[0]);
    const auto [second, first] = first_of(a, b);
    ASSERT_EQ(second.code, 2) << "-1: both write it; " << second.err;
    ASSERT_THAT(second.err, MatchesRegex("scree: r\\.h5: is being written by process " + std::to_string(first) +
                                         " on .+ since 20..-..-.. ..:..:.. UTC\n"));
    EXPECT_EQ(second.out, "");
    for (const char* file : {"r.h5", "r.h5.journal"}) std::filesystem::remove(path(file));
  }
}

/// The same of one that goes on where another was killed, whose name is in the journal too.
TEST_F(Lock, IsOfTheOneThatGoesOn) {
  const Words command{"run",  "slow.toml", "--samples",    "400000", "-o",
                      "r.h5", "--quiet",   "--checkpoint", "0.05",   "--resume"};
  const pid_t killed = start(command, "stdout");
  await_working(killed, 0.5);
  kill(killed, SIGKILL);
  finish(killed);
  for (int i = 0; i < 10; ++i) {
    const auto [second, first] = first_of({command, {}}, {command, {}});
    ASSERT_EQ(second.code, 2) << "-1: both write it; " << second.err;
    EXPECT_THAT(second.err, StartsWith("scree: r.h5: is being written by process " + std::to_string(first) + " on "));
  }
}

TEST_F(Lock, OfTwoThatExtendOneResultTheSecondStopsAtOnce) {
  ASSERT_EQ(scree({"run", "slow.toml", "--samples", "10", "-o", "r.h5"}).code, 0);
  const Words extend{"run", "--extend", "r.h5", "--quiet", "--samples"};
  const std::string before = read("r.h5");
  const auto [second, first] = first_of({extend + Words{"400000"}, {}}, {extend + Words{"400000"}, {}});
  EXPECT_EQ(second.code, 2);
  EXPECT_THAT(second.err, StartsWith("scree: r.h5: is being written by process " + std::to_string(first) + " on "));
  EXPECT_TRUE(read("r.h5") == before);
  ASSERT_EQ(scree(extend + Words{"400"}).code, 0) << read("stderr");
  ASSERT_EQ(scree({"run", "slow.toml", "--samples", "400", "-o", "whole.h5"}).code, 0);
  expect_same_files("r.h5", "whole.h5");
}

}  // namespace
}  // namespace scree
