// The journal: whatever kills a command takes no sample that was promised, and what it comes to at last is what one
// undisturbed run gives, bit for bit.
#include "host/journal/journal.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <random>
#include <regex>

#include "host/common/text_table.hpp"
#include "host/journal/records.hpp"
#include "host/results/result_file.hpp"
#include "terminal.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

/// Of kills that others have the like of.
constexpr const char* with_many = "takes some seconds: with SCREE_MANY, as tests/long.sh sets it";

std::string finished_samples(std::uint64_t samples) { return counted(samples, "finished sample", "finished samples"); }

class JournalOf : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    // Some hundred milliseconds each.
    write("shots.toml",
          "system = 'projectile'\nscheme = 'rk4'\nsamples = 20000\nstep = 0.0005\nend = 60\n[start]\nspeed = "
          "100\n[vary]\n"
          "'start.angle' = { uniform = [0.1, 1.5] }\n'projectile.drag' = { choice = [0.0, 0.05, 0.1] }\n");
    write("rocks.toml", small_study);
    write("watched.toml", small_watched);
  }
  /// Starts a command and kills it after so many seconds; its exit code.
  int killed_after(const Words& command, double seconds, int signal = SIGKILL) const {
    const pid_t pid = start(command, "stdout");
    usleep(static_cast<useconds_t>(1e6 * seconds));
    kill(pid, signal);
    return finish(pid).code;
  }
  /// Starts a command and kills it once it has said what matches; fails the test if it does not.
  void expect_said_before_kill(const Words& command, const testing::Matcher<std::string>& what) const {
    const pid_t pid = start(command, "stdout");
    await([&] { return testing::Value(read("stderr"), what); });
    kill(pid, SIGKILL);
    finish(pid);
    EXPECT_THAT(read("stderr"), what);
  }
  /// Runs a command undisturbed, to whole.h5, then kills it again and again, and sees to it that no sample gets lost.
  void kill_until_done(const Words& command, int kills, unsigned seed) const {
    std::filesystem::remove(path("r.h5"));
    const auto began = std::chrono::steady_clock::now();
    const Outcome whole = scree(command + Words{"--quiet"});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    ASSERT_EQ(whole.code, 0) << whole.err;
    std::filesystem::rename(path("r.h5"), path("whole.h5"));
    std::mt19937_64 random(seed);
    const std::string digest = read_result(path("whole.h5")).arms[0].digest;
    // About to its end, so that most attempts go on from the one before.
    std::uniform_real_distribution<double> moment(0, 0.8 * seconds + 0.02);
    std::uint64_t finished = 0;
    int met = 0;      // kills that left a result which was not there yet
    int gone_on = 0;  // attempts that left samples for the next
    for (int k = 0; met < kills && k < 10 * kills + 50; ++k) {
      const int code = killed_after(command + Words{"--resume", "--quiet", "--checkpoint", "0.02"}, moment(random));
      ASSERT_TRUE(code == 0 || code == 137) << code << " " << read("stderr");
      if (std::filesystem::exists(path("r.h5"))) {  // another run begins
        EXPECT_EQ(read_result(path("r.h5")).arms[0].digest, digest);
        for (const char* file : {"r.h5", "r.h5.journal"}) std::filesystem::remove(path(file));
        finished = 0;
        continue;
      }
      ASSERT_EQ(code, 137) << "ended well, without a result";
      ++met;
      std::uint64_t now = 0;
      if (std::filesystem::exists(path("r.h5.journal"))) now = read_journal(path("r.h5.journal")).samples();
      EXPECT_GE(now, finished) << "attempt " << k;
      if (now > 0) {
        EXPECT_EQ(scree({"info", "r.h5.journal"}).code, 0) << read("stderr");
      }
      gone_on += now > finished ? 1 : 0;
      finished = now;
    }
    EXPECT_EQ(met, kills) << "kills of a run that was not complete";
    // Where the machine had other things to do, no attempt may have been killed between its first checkpoint and its
    // end.
    if (gone_on == 0) {
      std::filesystem::remove(path("r.h5"));
      await_kept(start(command + Words{"--resume", "--quiet", "--checkpoint", "0.02"}, "stdout"));
    }
    const Outcome last = scree(command + Words{"--resume", "--quiet"});
    ASSERT_EQ(last.code, 0) << last.err;
    EXPECT_FALSE(std::filesystem::exists(path("r.h5.journal")));
    expect_nothing_else_left();
  }
  std::size_t parts() const {
    return std::filesystem::exists(path("r.h5.journal")) ? read_journal(path("r.h5.journal")).parts.size() : 0;
  }
  bool has_kept_samples() const { return parts() > 0 && read_journal(path("r.h5.journal")).samples() > 0; }
  /// Kills a command when it has kept samples.
  void await_kept(pid_t pid) const {
    await([&] { return has_kept_samples(); });
    kill(pid, SIGKILL);
    ASSERT_EQ(finish(pid).code, 137);
    ASSERT_TRUE(has_kept_samples());
  }
  void expect_nothing_else_left() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      EXPECT_FALSE(name.ends_with(".part") || name.find(".journal") != std::string::npos) << name << " was left";
    }
  }
  /// An extension with a table of [sensitivity] that is ended in the table by each of these.
  void expect_table_of_extension(const Words& extend, const std::vector<int>& signals) const {
    const auto begin = [&] {
      return scree({"run", "table.toml", "--samples", "300", "-o", "r.h5", "--quiet", "--force"}).code;
    };
    ASSERT_EQ(begin(), 0) << read("stderr");
    ASSERT_EQ(scree(extend).code, 0) << read("stderr");
    std::filesystem::rename(path("r.h5"), path("whole.h5"));
    for (const int signal : signals) {
      ASSERT_EQ(begin(), 0) << read("stderr");
      const pid_t pid = start(extend + Words{"--checkpoint", "0.02"}, "stdout");
      const auto in_table = [&] {
        if (parts() == 0) return std::uint64_t{0};
        std::uint64_t samples = 0;
        for (const JournalContents::Part& part : read_journal(path("r.h5.journal")).parts)
          samples += part.head.of_a_table ? part.samples : 0;
        return samples;
      };
      await([&] { return in_table() != 0; });
      kill(pid, signal);
      ASSERT_EQ(finish(pid).code, signal == SIGKILL ? 137 : 130) << read("stderr");
      const std::uint64_t kept = in_table();
      ASSERT_GT(kept, 0u);
      // Another target is what differs, not the number of samples that the first has come to.
      if (Words other = extend; extend[3] == "--until") {
        std::ranges::replace(other, "mean(runout) +- 4 %", "mean(runout) +- 5 %");
        expect_refusal(other + Words{"--resume"}, 3,
                       "r.h5.journal: is of another command: targets \"mean(runout) +- 4 %\" before, "
                       "\"mean(runout) +- 5 %\" now, --force begins anew");
      }
      const Outcome last = scree(extend + Words{"--resume"});
      EXPECT_EQ(last.code, 0) << last.err;
      EXPECT_THAT(last.err, HasSubstr("going on with " + std::to_string(kept) + " samples of r.h5.journal\n"));
      expect_same_but_times("r.h5", "whole.h5");
      EXPECT_EQ(scree(extend + Words{"--resume"}).err, "scree: r.h5: is complete\n");
      expect_nothing_else_left();
    }
  }
  /// What they tell is the same but for what a clock has measured.
  void expect_same_but_times(const std::string& a, const std::string& b) const {
    const json patch = json::diff(object({"info", a, "--json"}), object({"info", b, "--json"}));
    const std::regex time(".*/(path|wall_s|core_s|samples_per_second|steps_per_second|[a-z_]*_rate)(/.*)?");
    int differences = 0;
    for (const json& change : patch)
      if (!std::regex_match(change["path"].get<std::string>(), time) && ++differences <= 3)
        ADD_FAILURE() << a << " and " << b << ": " << change.dump();
  }
};

TEST_F(JournalOf, AnyNumberOfKillsCostsNothingOfARun) {
  unsigned seed = 1;
  for (const Words& command :
       {Words{"run", "shots.toml", "-o", "r.h5"}, Words{"run", "rocks.toml", "--samples", "500", "-o", "r.h5"},
        Words{"run", config("hard_discs_kinetic.toml"), "--samples", "1000", "-o", "r.h5"}}) {
    kill_until_done(command, tries(3, 334), seed++);
    expect_same_files("r.h5", "whole.h5");
  }
}

TEST_F(JournalOf, KillsCostNothingWhereSummariesLieInAFile) {
  setenv("SCREE_TABLE_MEMORY", "1000", 1);
  const Words command{"run", "rocks.toml", "--samples", "1200", "-o", "r.h5"};
  kill_until_done(command, tries(3, 30), 11);
  unsetenv("SCREE_TABLE_MEMORY");
  ASSERT_EQ(scree(command + Words{"--force"}).code, 0);
  expect_same_files("r.h5", "whole.h5");
}

/// How far it was is read off its progress: what is shown had finished before it was seen.
class Promised : public OnTerminal {
 protected:
  struct Seen {
    double at;  // s
    std::uint64_t done;
  };
  /// Begins a run and shows how far it is for so many seconds, then kills it.
  std::vector<Seen> seen_until_killed(const Words& command, double seconds) {
    std::vector<Seen> all;
    shown_.clear();
    begin(command, 199);
    const auto began = Clock::now();
    const auto now = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
    const std::regex counts("(\\d+)/\\d+ samples");
    for (; now() < seconds; until("\033[K", std::min(0.1, seconds - now()))) {
      const std::string last = shown_.substr(std::min(shown_.size(), shown_.rfind("\033[K")));
      std::smatch count;
      if (!std::regex_search(last, count, counts)) continue;
      const std::uint64_t done = std::stoull(count[1]);
      if (all.empty() || all.back().done < done) all.push_back({now(), done});
    }
    kill(pid_, SIGKILL);
    EXPECT_EQ(end().code, 137);
    close(master_);
    master_ = -1;
    return all;
  }
};

TEST_F(Promised, WhatHadFinishedACheckpointBeforeAKillIsKept) {
  write("shots.toml", small_shots);
  const double every = 0.5;
  const Words command{"run",       "shots.toml", "--scheme", "rk4",          "--samples", "4000000", "--set",
                      "step=0.02", "-o",         "r.h5",     "--checkpoint", "0.5",       "--force"};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> moment(2, 5);
  std::uint64_t most = 0;
  for (int k = 0; k < tries(1, 10); ++k) {
    const double killed = moment(random);
    const std::vector<Seen> seen = seen_until_killed(command, killed);
    // What else the machine does delays a checkpoint as it delays the bar, which is drawn by the same thread.
    double late = 0.2;
    for (std::size_t i = 1; i < seen.size(); ++i) late = std::max(late, seen[i].at - seen[i - 1].at);
    std::uint64_t promised = 0;
    for (const Seen& one : seen)
      if (one.at < killed - every - late) promised = one.done;
    EXPECT_GE(read_journal(path("r.h5.journal")).samples(), promised)
        << "killed after " << killed << " s, with delays of " << late << " s";
    most = std::max(most, promised);
  }
  EXPECT_GT(most, 0u);
}

TEST_F(JournalOf, KillsCostNothingOfMapsGatesBarriersAndStems) {
  kill_until_done({"run", "watched.toml", "--samples", "1000", "-o", "r.h5"}, tries(3, 30), 7);
  expect_same_files("r.h5", "whole.h5");
  expect_same_but_times("r.h5", "whole.h5");
}

TEST_F(JournalOf, KillsCostNothingOfALookAtTargets) {
  if (tries(0, 1) == 0) GTEST_SKIP() << with_many;
  const Words command{"run",       "rocks.toml", "--samples", "100", "--until", "mean(runout) +- 2 %",
                      "--at-most", "4000",       "-o",        "r.h5"};
  kill_until_done(command, tries(3, 30), 3);
  expect_same_files("r.h5", "whole.h5");
  EXPECT_EQ(scree(command + Words{"--resume"}).err, "scree: r.h5: is complete\n");
}

TEST_F(JournalOf, WhatIsCompleteIsToldAsJsonToo) {
  for (const char* command : {"run", "compare"}) {
    const Words words =
        Words{command, "rocks.toml", "--samples", "20", "-o", "r.h5", "--json", "--quiet"} +
        (command == std::string("run") ? Words{"--scheme", "implicit"} : Words{"--schemes", "explicit,implicit"});
    auto made = nlohmann::json::parse(scree(words).out);
    const Outcome again = scree(words + Words{"--resume"});
    EXPECT_EQ(again.err, "scree: r.h5: is complete\n");
    auto told = nlohmann::json::parse(again.out);
    EXPECT_EQ(told["result"]["path"], "r.h5");
    EXPECT_EQ(told["command"], command);
    for (const char* key : {"digest", "statistics", "arms", "comparisons"})
      EXPECT_TRUE(told[key] == made[key]) << command << ' ' << key;
    std::filesystem::remove(path("r.h5"));
  }
}

TEST_F(JournalOf, KillsCostNothingOfAComparison) {
  const Words command{"compare",           "rocks.toml",   "--samples", "150", "--schemes",
                      "explicit,implicit", "--step-error", "-o",        "r.h5"};
  kill_until_done(command, tries(1, 30), 5);
  expect_same_but_times("r.h5", "whole.h5");
  EXPECT_EQ(scree(command + Words{"--resume"}).err, "scree: r.h5: is complete\n");
}

TEST_F(JournalOf, KillsCostNothingOfAStudyOfSteps) {
  if (tries(0, 1) == 0) GTEST_SKIP() << with_many;
  const Words command{"converge", "rocks.toml", "--samples", "150", "--halvings", "2", "-o", "r.h5"};
  kill_until_done(command, tries(3, 30), 9);
  expect_same_but_times("r.h5", "whole.h5");
  EXPECT_EQ(digests_of(read_result(path("r.h5")).arms[0].finer),
            digests_of(read_result(path("whole.h5")).arms[0].finer));
  EXPECT_EQ(scree(command + Words{"--resume"}).err, "scree: r.h5: is complete\n");
}

/// The samples of a run are those of a study of its steps at the first of them; the other way round some would get
/// lost.
TEST_F(JournalOf, AStudyOfStepsGoesOnFromARunAndNoRunFromAStudy) {
  const Words run{"run", "rocks.toml", "--samples", "300", "-o", "r.h5", "--quiet", "--resume"},
      converge{"converge", "rocks.toml", "--samples", "300", "--halvings", "2", "-o", "r.h5", "--resume"};
  ASSERT_EQ(scree(run).code, 0);
  const Outcome on = scree(converge);
  EXPECT_EQ(on.code, 0);
  EXPECT_THAT(on.err, StartsWith("going on with 300 samples of r.h5\n"));
  ASSERT_EQ(scree(Words(converge.begin(), converge.end() - 2) + Words{"whole.h5"}).code, 0);
  expect_same_but_times("r.h5", "whole.h5");
  const std::string study = read("r.h5");
  Words fewer = converge;
  fewer[5] = "1";
  for (const Words& command : {run, fewer})
    expect_refusal(command, 3,
                   "r.h5: is of another command, so that --resume cannot go on with it; --force would replace it");
  EXPECT_TRUE(read("r.h5") == study);
  // Nor the table over the values of a key, which a study of steps does not make.
  write("table.toml", small_study + "[sensitivity]\nkey = 'rock.ground'\nvalues = ['soft', 'hard']\n");
  ASSERT_EQ(scree({"run", "table.toml", "-o", "t.h5", "--quiet"}).code, 0);
  expect_refusal({"converge", "table.toml", "--halvings", "1", "-o", "t.h5", "--resume"}, 3,
                 "t.h5: is of another command, so that --resume cannot go on with it; --force would replace it");
  EXPECT_EQ(read_result(path("t.h5")).sensitivity.size(), 2u);
}

TEST_F(JournalOf, AKillInTheMiddleOfTheDemoCostsNothing) {
  // The command of demo.sh, from its name to --force.
  std::ifstream file(SCREE_SOURCE_DIR "/demo.sh");
  std::string text(std::istreambuf_iterator<char>(file), {});
  text = text.substr(text.find("scree compare ") + 6);
  text = std::regex_replace(text.substr(0, text.find(" --force")), std::regex("\\\\\n"), " ");
  Words command{"compare", SCREE_SOURCE_DIR "/configs/rock_ramp.toml"};
  ASSERT_THAT(text, StartsWith("compare configs/rock_ramp.toml --maps=5 --set 'maps.extent="));
  const std::string extent = text.substr(text.find('\'') + 1, text.rfind('\'') - text.find('\'') - 1);
  const int samples = tries(400, 1000);
  command =
      command + Words{"--maps=5", "--set", extent, "--samples", std::to_string(samples), "-o", "r.h5", "--resume"};
  const Outcome whole = scree(command);
  ASSERT_EQ(whole.code, 0) << whole.err;
  std::filesystem::rename(path("r.h5"), path("whole.h5"));
  const pid_t pid = start(command + Words{"--checkpoint", "0.1"}, "stdout");
  await_working(pid, whole.computed / 2);
  kill(pid, SIGKILL);
  const Outcome killed = finish(pid);
  ASSERT_EQ(killed.code, 137);
  ASSERT_FALSE(std::filesystem::exists(path("r.h5")));
  const std::uint64_t kept = read_journal(path("r.h5.journal")).samples();
  EXPECT_GT(kept, static_cast<unsigned>(samples) / 5) << "of two arms";
  const Outcome on = scree(command);
  EXPECT_EQ(on.code, 0) << on.err;
  EXPECT_THAT(on.err, HasSubstr("going on with " + std::to_string(kept) + " samples of r.h5.journal\n"));
  const StoredResult a = read_result(path("r.h5")), b = read_result(path("whole.h5"));
  EXPECT_EQ(digests_of(a.arms), digests_of(b.arms));
  for (std::size_t i = 0; i < b.arms.size(); ++i) {
    EXPECT_EQ(a.arms[i].map_facts->digest, b.arms[i].map_facts->digest);
    EXPECT_EQ(a.arms[i].sample_steps, b.arms[i].sample_steps);
  }
  expect_same_but_times("r.h5", "whole.h5");
}

TEST_F(JournalOf, AnInterruptedComparisonGoesOnFromItsResult) {
  const Words command{"compare", "watched.toml", "--samples", "600", "--arms", "rock.ground=soft,hard", "-o", "r.h5"};
  const pid_t pid = start(command, "stdout");
  await_working(pid, 0.3);
  kill(pid, SIGINT);
  ASSERT_EQ(finish(pid).code, 130) << read("stderr");
  EXPECT_FALSE(std::filesystem::exists(path("r.h5.journal")));
  ASSERT_EQ(scree(command + Words{"--resume"}).code, 0) << read("stderr");
  ASSERT_EQ(scree(Words(command.begin(), command.end() - 1) + Words{"whole.h5"}).code, 0);
  expect_same_but_times("r.h5", "whole.h5");
}

TEST_F(JournalOf, AnArmWithoutABarrierLacksNothing) {
  const Words command{"compare", "watched.toml", "--arms", "barrier.net.on=true,false", "-o", "r.h5", "--resume"};
  ASSERT_EQ(scree(command).code, 0) << read("stderr");
  EXPECT_EQ(scree(command).err, "scree: r.h5: is complete\n");
}

TEST_F(JournalOf, KillsCostNothingOfAnExtension) {
  ASSERT_EQ(scree({"run", "shots.toml", "--samples", "10", "-o", "r.h5"}).code, 0);
  const std::string before = read("r.h5");
  const Words command{"run", "--extend", "r.h5", "--samples", "20000"};
  std::uint64_t kept = 0;
  for (int k = 0; kept == 0; ++k) {
    if (killed_after(command + Words{"--resume", "--checkpoint", "0.01"}, 0.02 + 0.005 * k) != 137) break;
    EXPECT_TRUE(read("r.h5") == before);
    if (std::filesystem::exists(path("r.h5.journal"))) kept = read_journal(path("r.h5.journal")).samples();
  }
  ASSERT_GT(kept, 0u);
  const Outcome on = scree(command + Words{"--resume"});
  ASSERT_EQ(on.code, 0) << on.err;
  EXPECT_THAT(on.err, HasSubstr("going on with " + std::to_string(kept) + " samples of r.h5.journal\n"));
  ASSERT_EQ(scree({"run", "shots.toml", "--samples", "20000", "-o", "whole.h5"}).code, 0);
  expect_same_files("r.h5", "whole.h5");
  expect_nothing_else_left();
}

/// Killed after an interrupted extension had taken the place of what it goes on from, and before its journal was gone.
TEST_F(JournalOf, OfAnExtensionIsDoneWithWhereTheResultHasItsSamples) {
  ASSERT_EQ(scree({"run", "shots.toml", "--samples", "10", "-o", "r.h5"}).code, 0);
  const Words command{"run", "--extend", "r.h5", "--samples", "4000", "--resume", "--backend", "scalar"};
  const pid_t pid = start(command + Words{"--checkpoint", "0.02"}, "stdout");
  await([&] { return has_kept_samples(); });
  kill(pid, SIGSTOP);
  const std::string journal = read("r.h5.journal");
  kill(pid, SIGCONT);
  kill(pid, SIGINT);
  ASSERT_EQ(finish(pid).code, 130) << read("stderr");
  ASSERT_GT(unfinished_samples(read_result(path("r.h5")).arms[0]), 0u);
  write("r.h5.journal", journal);
  ASSERT_GT(read_journal(path("r.h5.journal")).samples(), 0u);
  EXPECT_EQ(scree(command).code, 0) << read("stderr");
  ASSERT_EQ(scree({"run", "shots.toml", "--samples", "4000", "-o", "whole.h5", "--backend", "scalar"}).code, 0);
  expect_same_files("r.h5", "whole.h5");
  expect_nothing_else_left();
}

TEST_F(JournalOf, SamplesOfTheSensitivityTableAreKeptToo) {
  write("table.toml", small_study + "[sensitivity]\nkey = 'rock.ground'\nvalues = ['soft', 'hard']\n");
  const Words command{"run", "table.toml", "--samples", "400", "-o", "r.h5"};
  ASSERT_EQ(scree(command).code, 0) << read("stderr");
  std::filesystem::rename(path("r.h5"), path("whole.h5"));
  for (int k = 0; k < 6; ++k) killed_after(command + Words{"--resume", "--checkpoint", "0.02"}, 0.1 + 0.1 * k);
  ASSERT_EQ(scree(command + Words{"--resume"}).code, 0) << read("stderr");
  expect_same_but_times("r.h5", "whole.h5");
  EXPECT_EQ(scree(command + Words{"--resume"}).err, "scree: r.h5: is complete\n");
}

/// An extension takes the place of what it goes on from before the table is made.
TEST_F(JournalOf, OfAnExtensionHasTheTableTooThatComesAfterIt) {
  write("table.toml", small_study + "[sensitivity]\nkey = 'rock.ground'\nvalues = ['soft', 'hard']\n");
  // With targets it has the samples of a later look then.
  const Words until{"--until", "mean(runout) +- 4 %", "--at-most", "5000"};
  expect_table_of_extension({"run", "--extend", "r.h5", "--samples", "450"}, {SIGKILL, SIGINT});
  std::vector<Words> targets{Words{"--samples", "300"} + until};
  if (tries(0, 1) > 0) targets.push_back(until);
  for (const Words& more : targets) expect_table_of_extension(Words{"run", "--extend", "r.h5"} + more, {SIGKILL});
  // The number of the first look is that of these targets alone.
  expect_refusal({"run", "--extend", "r.h5", "--samples", "300", "--until", "mean(runout) +- 3 %", "--resume"}, 2,
                 "r.h5: --samples 300, must be >= 600, which it has");
  // More samples than it came to are a plan of their own.
  ASSERT_EQ(scree(Words{"run", "--extend", "r.h5", "--samples", "900", "--resume"} + until).code, 0) << read("stderr");
  EXPECT_EQ(read_result(path("r.h5")).run.samples, 900u);
}

TEST_F(JournalOf, AnExtensionGoesOnOnlyFromWhatItBeganWith) {
  const Words extend{"run", "--extend", "a.h5", "--samples", "40000", "-o", "r.h5"};
  const auto begin = [&](const char* samples) {
    return scree({"run", "watched.toml", "--samples", samples, "-o", "a.h5", "--force", "--quiet"}).code;
  };
  ASSERT_EQ(begin("1000"), 0);
  const pid_t pid = start(extend + Words{"--checkpoint", "0.05"}, "stdout");
  await_kept(pid);
  const std::string kept = std::to_string(read_journal(path("r.h5.journal")).samples());
  EXPECT_THAT(scree({"info", "r.h5.journal"}).err, HasSubstr("goes on from a result, and says nothing without it"));
  ASSERT_EQ(begin("500"), 0);
  expect_refusal(extend + Words{"--resume"}, 3,
                 "r.h5.journal: goes on from another result than is there, --force begins anew");
  ASSERT_EQ(begin("1000"), 0);
  EXPECT_THAT(scree(Words{"run", "--extend", "a.h5", "--samples", "3000", "-o", "r.h5", "--resume"}).err,
              HasSubstr("r.h5.journal: is of another command: changes of the config "));
  expect_refusal({"run", "--extend", "r.h5.journal"}, 2,
                 "r.h5.journal: is the journal of a command, which goes on with --resume, no result");
}

/// Maps that have samples which the journal lacks, as where it is damaged or was copied before they were.
TEST_F(JournalOf, WithLessThanItsMapsHaveRunsTheirSamplesAgain) {
  const Words command{"run", "watched.toml", "--samples", "1500", "-o", "r.h5", "--quiet"};
  ASSERT_EQ(scree(command).code, 0) << read("stderr");
  std::filesystem::rename(path("r.h5"), path("whole.h5"));
  await_kept(start(command + Words{"--checkpoint", "0.05"}, "stdout"));
  for (const char* file : {"r.h5.journal", "r.h5.journal.maps.0"})
    std::filesystem::copy_file(path(file), path(std::string("old.") + file));
  const std::uint64_t sound = read_journal(path("r.h5.journal")).sound;
  for (const std::uint64_t left : {sound - 5, sound / 2}) {
    for (const char* file : {"r.h5.journal", "r.h5.journal.maps.0"})
      std::filesystem::copy_file(path(std::string("old.") + file), path(file),
                                 std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(path("r.h5.journal"), left);
    EXPECT_EQ(read_journal(path("r.h5.journal")).samples(), 0u);
    // Killed once more before and after the next maps.
    killed_after(command + Words{"--resume", "--checkpoint", "3600"}, 0.1);
    killed_after(command + Words{"--resume", "--checkpoint", "0.05"}, 0.25);
    ASSERT_EQ(scree(command + Words{"--resume"}).code, 0) << read("stderr");
    expect_same_but_times("r.h5", "whole.h5");
    std::filesystem::remove(path("r.h5"));
  }
}

TEST_F(JournalOf, HasNoMapsOfPartsThatItLacks) {
  const Words command{"run", "watched.toml", "--samples", "20000", "-o", "r.h5", "--quiet"};
  await_kept(start(command + Words{"--checkpoint", "0.05"}, "stdout"));
  // As where the journal is damaged, or was copied, before the part was told to which they belong.
  for (const char* number : {"1", "12"})
    std::filesystem::copy_file(path("r.h5.journal.maps.0"), path(std::string("r.h5.journal.maps.") + number));
  const std::uint64_t kept = read_journal(path("r.h5.journal")).samples();
  const pid_t pid = start(command + Words{"--resume", "--checkpoint", "3600"}, "stdout");
  for (const char* number : {"1", "12"}) {
    const std::string maps = path(std::string("r.h5.journal.maps.") + number);
    EXPECT_TRUE(await([&] { return !std::filesystem::exists(maps); }));
  }
  kill(pid, SIGKILL);
  EXPECT_EQ(finish(pid).code, 137);
  EXPECT_EQ(read_journal(path("r.h5.journal")).samples(), kept);
}

TEST_F(JournalOf, ThatWasRemovedLeavesWhatAnotherHasThereThen) {
  const pid_t pid =
      start({"run", "watched.toml", "--samples", "40000", "-o", "r.h5", "--quiet", "--checkpoint", "0.05"}, "stdout");
  await([&] { return has_kept_samples(); });
  std::filesystem::remove(path("r.h5.journal"));
  usleep(300'000);  // what was being written then is
  for (const char* file : {"r.h5.journal", "r.h5.journal.maps.0"}) write(file, "theirs");
  sleep(3);  // beyond many checkpoints
  for (const char* file : {"r.h5.journal", "r.h5.journal.maps.0"}) EXPECT_EQ(read(file), "theirs") << file;
  kill(pid, SIGKILL);
  EXPECT_EQ(finish(pid).code, 137);
}

TEST_F(JournalOf, OfTheTableStaysWhereShardsOrNoTableFindTheRest) {
  write("table.toml", small_study + "[sensitivity]\nkey = 'rock.ground'\nvalues = ['soft', 'hard', 'snow']\n");
  const Words command{"run", "table.toml", "--samples", "600", "-o", "r.h5", "--resume", "--quiet"};
  const pid_t pid = start(command + Words{"--checkpoint", "0.02"}, "stdout");
  const auto in_table = [&] { return std::filesystem::exists(path("r.h5")) && parts() > 1; };
  await(in_table);
  kill(pid, SIGKILL);
  ASSERT_EQ(finish(pid).code, 137) << read("stderr");
  const std::string journal = read("r.h5.journal");
  for (const Words& more : {Words{"--shards", "2"}, Words{"--no-sensitivity"}}) {
    EXPECT_EQ(scree(command + more).err, "scree: r.h5: is complete\n");
    EXPECT_TRUE(read("r.h5.journal") == journal);
  }
  ASSERT_EQ(scree(command).code, 0) << read("stderr");
  EXPECT_EQ(read_result(path("r.h5")).sensitivity.size(), 3u);
  // Of another command it is removed when that is asked for.
  write("r.h5.journal", journal);
  Words other = command + Words{"--no-sensitivity", "--force"};
  other[3] = "599";
  ASSERT_EQ(scree({"run", "table.toml", "--samples", "599", "-o", "r.h5", "--force", "--quiet", "--no-sensitivity",
                   "--checkpoint", "0"})
                .code,
            0)
      << read("stderr");
  write("r.h5.journal", journal);
  EXPECT_EQ(scree(other).err, "scree: r.h5: is complete\n");
  EXPECT_FALSE(std::filesystem::exists(path("r.h5.journal")));
}

/// A result with samples that its journal lacks, which is there for the table of [sensitivity] alone.
TEST_F(JournalOf, WithLessThanTheResultIsNotGoneOnWithInItsPlace) {
  write("table.toml", small_watched + "[sensitivity]\nkey = 'rock.ground'\nvalues = ['soft', 'hard', 'snow']\n");
  const Words command{"run", "table.toml", "--samples", "1500", "-o", "r.h5", "--quiet"};
  // One that could not be written any more.
  await_kept(start(command + Words{"--checkpoint", "0.02"}, "stdout"));
  const std::string fewer = read("r.h5.journal"), fewer_maps = read("r.h5.journal.maps.0");
  const std::uint64_t fewer_bytes = read_journal(path("r.h5.journal")).sound;
  ASSERT_LT(read_journal(path("r.h5.journal")).samples(), 1500u);
  ASSERT_EQ(scree(command + Words{"--resume", "--no-sensitivity"}).code, 0) << read("stderr");
  const std::string digest = read_result(path("r.h5")).arms[0].digest;
  const std::string whole = read("r.h5");
  const auto expect_result_gone_on_with = [&](const std::string& word) {
    const pid_t pid = start(Words{"run", "table.toml", "--samples", "1500", "-o", "r.h5", "--resume"}, "stdout");
    await_working(pid, 0.1);
    kill(pid, SIGINT);
    finish(pid);
    EXPECT_THAT(read("stderr"), HasSubstr("going on with 1500 samples of r.h5\n" + word));
    EXPECT_EQ(read_result(path("r.h5")).arms[0].digest, digest);
    for (const char* file : {"r.h5.journal", "r.h5.journal.maps.0"}) std::filesystem::remove(path(file));
    write("r.h5", whole);
  };
  write("r.h5.journal", fewer);
  write("r.h5.journal.maps.0", fewer_maps);
  expect_result_gone_on_with("");
  // One whose maps are gone.
  write("r.h5.journal", fewer);
  const std::uint64_t without = read_journal(path("r.h5.journal")).without_maps;
  expect_result_gone_on_with("warning: r.h5.journal: " + counted(without, "sample", "samples") +
                             " without their maps ");
  // One that is damaged.
  std::string damaged = fewer;
  damaged[fewer_bytes - 20] ^= 1;
  write("r.h5.journal", damaged);
  expect_result_gone_on_with("warning: r.h5.journal: is damaged at byte ");
}

TEST_F(JournalOf, OfAnotherCommandOutlivesACompleteResult) {
  ASSERT_EQ(scree({"run", "shots.toml", "-o", "r.h5"}).code, 0);
  await_kept(start({"run", "shots.toml", "--seed", "7", "-o", "r.h5", "--force", "--checkpoint", "0.02"}, "stdout"));
  const std::string kept = read("r.h5.journal");
  // Their samples have the same numbers.
  expect_refusal({"run", "shots.toml", "-o", "r.h5", "--resume"}, 3,
                 "r.h5.journal: is of another command: changes of the config \"--seed 7\" before, none now; --force "
                 "removes it");
  EXPECT_TRUE(read("r.h5.journal") == kept);
  EXPECT_EQ(scree({"run", "shots.toml", "-o", "r.h5", "--resume", "--force"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(path("r.h5.journal")));
}

TEST_F(JournalOf, OfOneProcessIsLeftAloneByShards) {
  const Words command{"run", "shots.toml", "--samples", "200000", "-o", "r.h5"};
  await_kept(start(command + Words{"--checkpoint", "0.05"}, "stdout"));
  const std::string kept = read("r.h5.journal");
  const std::string samples = std::to_string(read_journal(path("r.h5.journal")).samples());
  expect_refusal(command + Words{"--shards", "2"}, 2,
                 "r.h5.journal: holds " + samples +
                     " finished samples of an interrupted run: --resume goes on, "
                     "--force begins anew");
  expect_refusal(command + Words{"--shards", "2", "--resume"}, 3,
                 "r.h5.journal: holds " + samples +
                     " finished samples of an interrupted run: this command without --shards goes on with them, "
                     "--force begins anew");
  expect_refusal({"run", "shots.toml", "--samples", "200000", "--seed", "7", "-o", "r.h5", "--shards", "2", "--resume"},
                 3,
                 "r.h5.journal: is of another command: changes of the config \"--samples 200000\" before, "
                 "\"--samples 200000 --seed 7\" now, --force begins anew");
  EXPECT_TRUE(read("r.h5.journal") == kept);
  EXPECT_FALSE(std::filesystem::exists(path("r.h5.shards")));
}

TEST_F(JournalOf, IsRefusedAtOnceWhereItsNamesAreTooLong) {
  const auto refused = [&](int length, const std::string& config) {
    const std::string output = std::string(static_cast<std::size_t>(length) - 3, 'a') + ".h5";
    const Outcome outcome = scree({"run", config, "-o", output, "--quiet"});
    std::error_code too_long;
    EXPECT_FALSE(std::filesystem::exists(path(output + ".journal"), too_long));
    return outcome.code == 2 ? outcome.err : "";
  };
  EXPECT_EQ(refused(240, "watched.toml"), "");
  EXPECT_THAT(refused(241, "watched.toml"), HasSubstr("what its journal has of maps, "));
  EXPECT_THAT(refused(241, "watched.toml"), HasSubstr(".maps.0, cannot be made: File name too long"));
  // The eleventh arm has a name of one letter more: refused before the first has run.
  const Outcome arms =
      scree({"compare", "watched.toml", "--steps", "0.002,0.0025,0.003,0.004,0.005,0.006,0.0075,0.01,0.0125,0.015,0.02",
             "-o", std::string(237, 'a') + ".h5", "--quiet", "--force"});
  EXPECT_EQ(arms.code, 2);
  EXPECT_THAT(arms.err, HasSubstr(".maps.10, cannot be made: File name too long"));
  EXPECT_EQ(refused(247, "shots.toml"), "");
  EXPECT_THAT(refused(248, "shots.toml"), HasSubstr(".journal cannot be made: File name too long"));
  std::filesystem::create_symlink("elsewhere", path("l.h5.journal"));
  expect_refusal({"run", "shots.toml", "-o", "l.h5"}, 2,
                 "l.h5: its journal l.h5.journal cannot be made: a link is there");
}

TEST_F(JournalOf, WhatAKilledCommandLeftBesideItsResultIsOfNoHarm) {
  // As a kill between the last rename and the end of the journal leaves it.
  ASSERT_EQ(scree({"run", "watched.toml", "--samples", "1000", "-o", "r.h5"}).code, 0) << read("stderr");
  const Words extend{"run", "--extend", "r.h5", "--samples", "3000", "--quiet"};
  const pid_t pid = start(extend + Words{"--checkpoint", "0.05"}, "stdout");
  await_kept(pid);
  for (const char* file : {"r.h5.journal", "r.h5.journal.maps.0"})
    std::filesystem::copy_file(path(file), path(std::string("old.") + file));
  ASSERT_EQ(scree(extend + Words{"--resume"}).code, 0) << read("stderr");
  const std::string digest = read_result(path("r.h5")).arms[0].map_facts->digest;
  for (const char* file : {"r.h5.journal", "r.h5.journal.maps.0"})
    std::filesystem::copy_file(path(std::string("old.") + file), path(file));
  ASSERT_EQ(scree(extend + Words{"--resume"}).code, 0) << read("stderr");
  EXPECT_EQ(read_result(path("r.h5")).arms[0].map_facts->digest, digest);
  // Maps that outlived their journal are those of no other.
  std::filesystem::copy_file(path("old.r.h5.journal.maps.0"), path("r.h5.journal.maps.0"));
  ASSERT_EQ(scree({"run", "watched.toml", "--samples", "3000", "-o", "r.h5", "--force", "--quiet"}).code, 0);
  EXPECT_EQ(read_result(path("r.h5")).arms[0].map_facts->digest, digest);
  EXPECT_FALSE(std::filesystem::exists(path("r.h5.journal.maps.0")));
}

TEST_F(JournalOf, StaysWhereTheResultDoesNotKeepWhatMapsGoOnFrom) {
  const Words command{"run", "watched.toml", "--samples", "3000", "--set", "maps.keep_store=false", "-o", "r.h5"};
  const pid_t pid = start(command, "stdout");
  await_working(pid, 0.3);
  kill(pid, SIGINT);
  ASSERT_EQ(finish(pid).code, 130) << read("stderr");
  EXPECT_GT(read_result(path("r.h5")).arms[0].table.counted_samples(), 0u);
  const Outcome on = scree(command + Words{"--resume", "--quiet"});
  ASSERT_EQ(on.code, 0) << on.err;
  ASSERT_EQ(scree(Words(command.begin(), command.end() - 1) + Words{"whole.h5", "--quiet"}).code, 0);
  expect_same_files("r.h5", "whole.h5");
  expect_nothing_else_left();
}

TEST_F(JournalOf, NothingOfAnotherCommandIsReplacedOrTakenForComplete) {
  ASSERT_EQ(scree({"run", "rocks.toml", "-o", "r.h5"}).code, 0);
  const std::string before = read("r.h5");
  for (const Words& other :
       {Words{"run", "rocks.toml", "--until", "mean(runout) +- 20 %"}, Words{"run", "rocks.toml", "--seed", "9"},
        Words{"run", "shots.toml"}, Words{"compare", "rocks.toml", "--steps", "0.004,0.002"}})
    expect_refusal(other + Words{"-o", "r.h5", "--resume"}, 3,
                   "r.h5: is of another command, so that --resume cannot go on with it; --force would replace it");
  ASSERT_EQ(scree({"run", "rocks.toml", "--seed", "3", "-o", "a.h5"}).code, 0);
  expect_refusal({"run", "--extend", "a.h5", "--samples", "40", "-o", "r.h5", "--resume"}, 3,
                 "r.h5: is of another command, so that --resume cannot go on with it; --force would replace it");
  EXPECT_TRUE(read("r.h5") == before);
  ASSERT_EQ(scree({"compare", "rocks.toml", "--steps", "0.004,0.002", "-o", "c.h5"}).code, 0);
  EXPECT_EQ(scree({"compare", "rocks.toml", "--steps", "0.004,0.002", "-o", "c.h5", "--resume"}).err,
            "scree: c.h5: is complete\n");
  EXPECT_EQ(scree({"compare", "rocks.toml", "--steps", "0.004,0.001", "-o", "c.h5", "--resume"}).code, 3);
  // A file that appears where none was when the command began.
  const pid_t pid = start({"run", "rocks.toml", "--samples", "2000", "-o", "n.h5", "--resume"}, "stdout");
  await_working(pid, 0.2);
  write("n.h5", "mine");
  const Outcome in_the_way = finish(pid);
  EXPECT_EQ(in_the_way.code, 1);
  EXPECT_EQ(read("n.h5"), "mine");
  EXPECT_THAT(read("stderr"), HasSubstr("; all 2000 samples are safe in n.h5.journal: once n.h5 is moved away the same "
                                        "command with --resume goes on from there\n"));
}

TEST_F(JournalOf, FinerArmsThatWereNotFinishedAreKeptThroughCtrlC) {
  const Words converge{"converge", "rocks.toml", "--samples", "1000", "--halvings", "2", "-o", "r.h5"};
  const pid_t pid = start(converge + Words{"--checkpoint", "0.05"}, "stdout");
  await([&] { return parts() > 1; });
  kill(pid, SIGINT);
  ASSERT_EQ(finish(pid).code, 130) << read("stderr");
  const std::uint64_t kept = read_journal(path("r.h5.journal")).samples();
  EXPECT_GT(kept, 1000u);
  const Outcome on = scree(converge + Words{"--resume"});
  EXPECT_EQ(on.code, 0) << on.err;
  EXPECT_THAT(on.err, HasSubstr("going on with " + std::to_string(kept) + " samples of r.h5.journal\n"));
  expect_nothing_else_left();
}

/// Also where it goes on from a result, which the one that Ctrl-C leaves takes the place of.
TEST_F(JournalOf, OfAFinerStepOutlivesTheResultThatItBeganWith) {
  // The scalar backend has few samples in flight, which are finished when the command is asked to end.
  const Words command{"compare", "rocks.toml", "--samples",    "200",      "--arms",    "rock.ground=soft,hard",
                      "-o",      "r.h5",       "--step-error", "--resume", "--backend", "scalar"};
  const auto journal = [&](const std::string& arm, bool finer) {
    std::uint64_t samples = 0;
    if (std::filesystem::exists(path("r.h5.journal")))
      for (const JournalContents::Part& part : read_journal(path("r.h5.journal")).parts)
        samples += (finer ? part.head.finer_of : part.head.name) == arm ? part.samples : 0;
    return samples;
  };
  /// Ends the command when it has kept samples of this arm, or of its finer step.
  const auto end_in = [&](const std::string& arm, bool finer, int signal) {
    const std::uint64_t before = journal(arm, finer);
    const pid_t pid = start(command + Words{"--checkpoint", "0.02"}, "stdout");
    await([&] { return journal(arm, finer) != before; });
    kill(pid, signal);
    EXPECT_EQ(finish(pid).code, signal == SIGINT ? 130 : 137) << read("stderr");
  };
  const pid_t pid = start(command + Words{"--checkpoint", "0"}, "stdout");
  await_working(pid, 0.02);
  kill(pid, SIGINT);
  ASSERT_EQ(finish(pid).code, 130) << read("stderr");
  ASSERT_GT(unfinished_samples(read_result(path("r.h5")).arms[0]), 0u);
  end_in("ground soft", true, SIGINT);
  const std::uint64_t finer = journal("ground soft", true);
  ASSERT_GT(finer, 0u);
  ASSERT_LT(finer, 200u);
  end_in("ground hard", false, SIGKILL);
  EXPECT_THAT(read("stderr"), HasSubstr("going on with 200 samples of r.h5\ngoing on with " + std::to_string(finer) +
                                        " samples of r.h5.journal\n"));
  const std::uint64_t all_finer = journal("ground soft", true), hard = journal("ground hard", false);
  EXPECT_EQ(all_finer, 200u);
  ASSERT_GT(hard, 0u);
  ASSERT_LT(hard, 200u);
  end_in("ground hard", true, SIGINT);
  EXPECT_THAT(read("stderr"), HasSubstr("going on with 200 samples of r.h5\ngoing on with " +
                                        std::to_string(all_finer + hard) + " samples of r.h5.journal\n"));
  EXPECT_EQ(scree(command).code, 0) << read("stderr");
  ASSERT_EQ(scree({"compare", "rocks.toml", "--samples", "200", "--arms", "rock.ground=soft,hard", "-o", "whole.h5",
                   "--step-error"})
                .code,
            0)
      << read("stderr");
  const StoredResult a = read_result(path("r.h5")), b = read_result(path("whole.h5"));
  EXPECT_EQ(digests_of(a.arms), digests_of(b.arms));
  for (std::size_t i = 0; i < b.arms.size(); ++i) {
    EXPECT_EQ(digests_of(a.arms[i].finer), digests_of(b.arms[i].finer));
    EXPECT_EQ(a.arms[i].sample_steps, b.arms[i].sample_steps);
  }
  expect_nothing_else_left();
}

/// A result with a finer step that its journal has too, and the same digest as the one that both began with.
TEST_F(JournalOf, AddsToAResultWhatThatLacksAlone) {
  const Words command{"converge", "watched.toml", "--samples", "150",       "--halvings", "2",
                      "-o",       "r.h5",         "--resume",  "--backend", "scalar"};
  ASSERT_EQ(scree({"run", "watched.toml", "--samples", "150", "-o", "r.h5", "--quiet"}).code, 0) << read("stderr");
  pid_t pid = start(command + Words{"--checkpoint", "0.02"}, "stdout");
  await([&] { return parts() > 1; });
  kill(pid, SIGINT);
  ASSERT_EQ(finish(pid).code, 130) << read("stderr");
  ASSERT_EQ(read_journal(path("r.h5.journal")).parts[0].samples, 150u);
  const std::uint64_t kept = read_journal(path("r.h5.journal")).samples() - 150;
  // Ended before it has come to what is finished already.
  pid = start(command, "stdout");
  await_listening(pid, SIGINT);
  kill(pid, SIGINT);
  ASSERT_EQ(finish(pid).code, 130) << read("stderr");
  EXPECT_EQ(read_result(path("r.h5")).arms[0].finer.size(), 1u);
  const Outcome on = scree(command);
  EXPECT_EQ(on.code, 0) << on.err;
  EXPECT_THAT(on.err, MatchesRegex("going on with 300 samples of r.h5\ngoing on with " + std::to_string(kept) +
                                   " samples of r.h5.journal\n(implicit [^\n]+ samples, [^\n]+\n)*result: r\\.h5\n"));
  ASSERT_EQ(scree({"converge", "watched.toml", "--samples", "150", "--halvings", "2", "-o", "whole.h5"}).code, 0);
  EXPECT_EQ(digests_of(read_result(path("r.h5")).arms[0].finer),
            digests_of(read_result(path("whole.h5")).arms[0].finer));
  expect_nothing_else_left();
}

TEST_F(JournalOf, SaysWhereItIsDamagedInTheMiddle) {
  const Words command{"run", "shots.toml", "--samples", "40000", "-o", "r.h5", "--quiet"};
  const auto records = [&] {
    return parts() > 0 ? read_journal(path("r.h5.journal")).parts[0].records : std::vector<std::uint64_t>{};
  };
  const pid_t pid = start(command + Words{"--checkpoint", "0.02"}, "stdout");
  await([&] { return records().size() > 2; }, 0.02);
  kill(pid, SIGKILL);
  ASSERT_EQ(finish(pid).code, 137);
  ASSERT_GE(records().size(), 3u);
  EXPECT_FALSE(read_journal(path("r.h5.journal")).is_damaged) << "a kill cuts off, and damages nothing";
  const std::uint64_t place = records()[1];
  const std::string sound = read("r.h5.journal"), damage = "r.h5.journal: is damaged at byte " + std::to_string(place) +
                                                           ", what it holds from there on is left out";
  // One that seems to go on beyond the end of the file, as one that was cut off does, has whole ones behind it.
  const std::uint64_t in_its_length = 12, in_its_samples = 100;
  // The last has none behind it, but not the length of its samples: 4 GiB more, or that of samples that are watched.
  const std::uint64_t at_last = records().back(), crossings = std::uint64_t{164} << 40;  // of 164 bytes each
  std::uint64_t length = 0;
  std::uint32_t count = 0;
  std::memcpy(&length, sound.data() + at_last + 8, sizeof length);
  std::memcpy(&count, sound.data() + at_last + 20, sizeof count);
  for (const std::uint64_t wrong : {length ^ std::uint64_t{1} << 32, length + 8 * count + 8 + crossings}) {
    std::string last = sound;
    std::memcpy(last.data() + at_last + 8, &wrong, sizeof wrong);
    write("r.h5.journal", last);
    EXPECT_TRUE(read_journal(path("r.h5.journal")).is_damaged) << wrong;
  }
  for (const std::uint64_t at : {in_its_length, in_its_samples}) {
    std::string bytes = sound;
    bytes[place + at] ^= 1;
    write("r.h5.journal", bytes);
    EXPECT_THAT(scree({"info", "r.h5.journal"}).out, HasSubstr("warning: " + damage)) << at;
  }
  EXPECT_THAT(scree({"merge", "r.h5.journal", "-o", "m.h5", "--partial"}).err, HasSubstr(damage));
  EXPECT_THAT(scree({"export", "r.h5.journal", "--to", "csv", "-o", "exported"}).err, HasSubstr(damage));
  const Outcome on = scree(command + Words{"--resume"});
  EXPECT_EQ(on.code, 0);
  EXPECT_THAT(on.err, HasSubstr(damage));
  ASSERT_EQ(scree({"run", "shots.toml", "--samples", "40000", "-o", "whole.h5", "--quiet"}).code, 0);
  expect_same_but_times("r.h5", "whole.h5");
  // Samples that are watched have so many crossings as their record says.
  std::filesystem::remove(path("r.h5"));
  await_kept(start({"run", "watched.toml", "--samples", "3000", "-o", "r.h5", "--checkpoint", "0.02"}, "stdout"));
  std::string watched = read("r.h5.journal");
  const std::uint64_t of_watched = records().back();
  std::memcpy(&length, watched.data() + of_watched + 8, sizeof length);
  watched.resize(of_watched + 16 + length + 8);
  write("r.h5.journal", watched);
  EXPECT_FALSE(read_journal(path("r.h5.journal")).is_damaged);
  length += crossings;
  std::memcpy(watched.data() + of_watched + 8, &length, sizeof length);
  write("r.h5.journal", watched);
  EXPECT_TRUE(read_journal(path("r.h5.journal")).is_damaged);
}

/// Nothing that could be gone on with is left of it, which is no reason to begin anew without a word.
TEST_F(JournalOf, DamagedBeforeItsFirstSampleIsBegunAnewOnlyWhenAsked) {
  const std::string shots = "shots.toml", watched = "watched.toml";
  for (const auto& [config, samples] : {std::pair{shots, "40000"}, {watched, "20000"}}) {
    const Words command{"run", config, "--samples", samples, "-o", "r.h5", "--quiet"};
    await_kept(start(command + Words{"--checkpoint", "0.02"}, "stdout"));
    const JournalContents contents = read_journal(path("r.h5.journal"));
    const std::uint64_t first = contents.parts[0].records[0];
    const std::string sound = read("r.h5.journal");
    std::string bytes = sound;
    bytes[15] ^= 8;  // the length of its header, which seems to go on beyond the end of the file
    write("r.h5.journal", bytes);
    expect_refusal(command + Words{"--resume"}, 3, "r.h5.journal: is a damaged journal; --force begins anew");
    bytes = sound;
    // Of one with maps, which are of all samples, none is left wherever it is damaged.
    bytes[config == shots ? first + 100 : contents.sound - 20] ^= 1;
    write("r.h5.journal", bytes);
    const JournalContents damaged = read_journal(path("r.h5.journal"));
    EXPECT_EQ(damaged.samples(), 0u);
    const std::string place = "r.h5.journal: is damaged at byte " + std::to_string(damaged.readable),
                      held =
                          place + (damaged.without_maps == 0 ? ", before its first finished sample"
                                                             : ", and holds " + finished_samples(damaged.without_maps) +
                                                                   " of an interrupted run without their maps");
    expect_refusal(command, 2, held + ": --resume goes on, --force begins anew");
    expect_refusal({"info", "r.h5.journal"}, 3, held);
    expect_refusal({"merge", "r.h5.journal", "-o", "r.h5"}, 2, held + ", which --force would replace");
    EXPECT_TRUE(read("r.h5.journal") == bytes);
    // Beside a complete result of another command.
    const Words other{"run", config, "--samples", "30", "-o"};
    ASSERT_EQ(scree(other + Words{"o.h5", "--force"}).code, 0);
    std::filesystem::rename(path("o.h5"), path("r.h5"));
    expect_refusal(other + Words{"r.h5", "--resume"}, 3,
                   std::string("r.h5.journal: is of another command: changes of the config \"--samples ") + samples +
                       "\" before, \"--samples 30\" now; --force removes it");
    std::filesystem::remove(path("r.h5"));
    EXPECT_TRUE(read("r.h5.journal") == bytes);
    expect_said_before_kill(command + Words{"--resume"},
                            HasSubstr(place + ", what it holds from there on is left out"));
    for (const char* file : {"r.h5.journal", "r.h5.journal.maps.0"}) std::filesystem::remove(path(file));
  }
}

/// As where they were removed, or come from a copy of another moment.
TEST_F(JournalOf, WithoutItsMapsIsBegunAnewOnlyWhenAsked) {
  const Words command{"compare", "watched.toml", "--schemes", "explicit,implicit", "--samples", "3000",
                      "-o",      "r.h5",         "--quiet"};
  const pid_t pid = start(command + Words{"--checkpoint", "0.02"}, "stdout");
  const auto has_both = [&] { return parts() == 2 && read_journal(path("r.h5.journal")).parts[1].samples > 0; };
  await(has_both);
  kill(pid, SIGKILL);
  ASSERT_EQ(finish(pid).code, 137);
  ASSERT_TRUE(has_both());
  const std::string maps = read("r.h5.journal.maps.0"), other = read("r.h5.journal.maps.1");
  const JournalContents sound = read_journal(path("r.h5.journal"));
  // Of a moment at which no record of this journal ended, as a copy that was gone on with has them.
  std::string of_a_copy = maps;
  --of_a_copy[32];  // the bytes of the journal that they go with
  const std::uint64_t sum = journal::checksum(std::string_view(of_a_copy).substr(0, of_a_copy.size() - 8));
  std::memcpy(of_a_copy.data() + of_a_copy.size() - 8, &sum, sizeof sum);
  std::string damaged = maps;
  damaged[maps.size() / 2] ^= 1;
  for (const std::string& bytes : {other, std::string(), of_a_copy, damaged}) {
    write("r.h5.journal.maps.0", bytes);
    const JournalContents contents = read_journal(path("r.h5.journal"));
    EXPECT_EQ(contents.samples(), 0u);
    EXPECT_GE(contents.without_maps, sound.samples());
    EXPECT_FALSE(contents.is_damaged);
    const std::string held =
        "r.h5.journal: holds " + finished_samples(contents.without_maps) + " of an interrupted run without their maps";
    expect_refusal(command, 2, held + ": --resume goes on, --force begins anew");
    expect_refusal({"info", "r.h5.journal"}, 3, held);
  }
  // Records of the first arm behind those of the second, as where that went on alone for a time: without the maps of
  // the second those of the first are of samples that do not count.
  const std::string all = read("r.h5.journal").substr(0, sound.sound);
  const std::uint64_t last = sound.parts[0].records.back();
  std::uint64_t length = 0;
  std::memcpy(&length, all.data() + last + 8, sizeof length);
  const std::string moved = all.substr(last, 16 + length + 8);
  const auto ends_at = [](std::string bytes, std::uint64_t place) {
    std::memcpy(bytes.data() + 32, &place, sizeof place);
    const std::uint64_t checked = journal::checksum(std::string_view(bytes).substr(0, bytes.size() - 8));
    std::memcpy(bytes.data() + bytes.size() - 8, &checked, sizeof checked);
    return bytes;
  };
  write("r.h5.journal", all.substr(0, last) + all.substr(last + moved.size()) + moved);
  write("r.h5.journal.maps.0", ends_at(maps, all.size()));
  std::uint64_t place = 0;
  std::memcpy(&place, other.data() + 32, sizeof place);
  write("r.h5.journal.maps.1", ends_at(other, place - moved.size()));
  EXPECT_EQ(read_journal(path("r.h5.journal")).samples(), sound.samples());
  std::filesystem::remove(path("r.h5.journal.maps.1"));
  EXPECT_EQ(read_journal(path("r.h5.journal")).samples(), 0u);
  write("r.h5.journal", all);
  write("r.h5.journal.maps.0", maps);
  write("r.h5.journal.maps.1", other);
  EXPECT_EQ(read_journal(path("r.h5.journal")).samples(), sound.samples());
  std::filesystem::remove(path("r.h5.journal.maps.0"));
  expect_said_before_kill(
      {"compare", "watched.toml", "--schemes", "explicit,implicit", "--samples", "3000", "-o", "r.h5", "--resume"},
      ContainsRegex(" samples? without their maps (is|are) run again\n"));
}

TEST_F(JournalOf, HasASampleTwiceOnlyWithTheSameBits) {
  const Words command{"run", "shots.toml", "--samples", "400000", "-o", "r.h5"};
  await_kept(start(command + Words{"--checkpoint", "0.1"}, "stdout"));
  const std::string whole = read("r.h5.journal");
  const JournalContents contents = read_journal(path("r.h5.journal"));
  // The last record once more; behind its heads and numbers there are the values.
  const std::uint64_t place = contents.parts[0].records.back();
  std::string record = whole.substr(place, contents.sound - place);
  write("r.h5.journal", whole.substr(0, contents.sound) + record);
  EXPECT_EQ(scree({"info", "r.h5.journal"}).code, 0) << read("stderr");
  constexpr std::size_t head = 16, checksum = 8;
  std::string payload = record.substr(head, record.size() - head - checksum);
  payload.back() ^= 1;
  write("r.h5.journal", whole.substr(0, contents.sound) + journal::record_of(journal::samples_record, payload));
  const Outcome other = scree(command + Words{"--resume"});
  EXPECT_EQ(other.code, 3);
  EXPECT_THAT(other.err,
              MatchesRegex("(going on [^\n]+\n)?scree: r\\.h5\\.journal: has sample [0-9]+ twice, with other bits\n"));
}

/// A run of minutes, and what it has after some checkpoints.
class Killed : public JournalOf {
 protected:
  const Words long_run{"run", "rocks.toml", "--samples", "100000", "-o", "r.h5"};
  void SetUp() override {
    JournalOf::SetUp();
    const pid_t pid = start(long_run + Words{"--checkpoint", "0.05"}, "stdout");
    await_working(pid, 0.4);
    await([&] { return records() > 2; }, 0.02);
    kill(pid, SIGKILL);
    ASSERT_EQ(finish(pid).code, 137);
    ASSERT_GE(records(), 3u);
    kept_ = std::to_string(read_journal(path("r.h5.journal")).samples());
    ASSERT_NE(kept_, "0");
  }
  std::size_t records() const {
    const JournalContents contents = read_journal(path("r.h5.journal"));
    return contents.parts.empty() ? 0 : contents.parts[0].records.size();
  }
  std::string kept_;
};

TEST_F(Killed, LeavesWhatNoCommandThrowsAwayUnasked) {
  expect_refusal(long_run, 2,
                 "r.h5.journal: holds " + kept_ +
                     " finished samples of an interrupted run: --resume goes on, --force begins anew");
  expect_refusal(long_run + Words{"--resume", "--seed", "9"}, 3,
                 "r.h5.journal: is of another command: changes of the config \"--samples 100000\" before, "
                 "\"--samples 100000 --seed 9\" now, --force begins anew");
  write("rocks.toml", small_study + "\n");
  expect_refusal(long_run + Words{"--resume"}, 3, "r.h5.journal: is of another config, --force begins anew");
  write("rocks.toml", small_study);
  expect_refusal({"compare", "rocks.toml", "--schemes", "explicit,implicit", "-o", "r.h5", "--resume"}, 3,
                 "r.h5.journal: is of another command: command \"run\" before, \"compare\" now, --force begins anew");
  EXPECT_EQ(std::to_string(read_journal(path("r.h5.journal")).samples()), kept_);
  ASSERT_EQ(scree({"run", "rocks.toml", "-o", "r.h5", "--force"}).code, 0);
  expect_nothing_else_left();
}

TEST_F(Killed, IsNotThrownAwayByAnExtensionOrForDamage) {
  ASSERT_EQ(scree({"run", "shots.toml", "--samples", "50", "-o", "s.h5"}).code, 0);
  std::filesystem::copy_file(path("s.h5"), path("r.h5"));
  for (const Words& more : {Words{}, Words{"--resume"}})
    EXPECT_EQ(scree(Words{"run", "--extend", "r.h5", "--samples", "60"} + more).code, more.empty() ? 2 : 3);
  std::filesystem::remove(path("r.h5"));
  EXPECT_EQ(std::to_string(read_journal(path("r.h5.journal")).samples()), kept_);
  std::string damaged = read("r.h5.journal");
  damaged[40] ^= 1;
  write("r.h5.journal", damaged);
  expect_refusal(long_run + Words{"--resume"}, 3, "r.h5.journal: is a damaged journal; --force begins anew");
  EXPECT_TRUE(read("r.h5.journal") == damaged);
  write("r.h5.journal", "mine");
  expect_refusal(long_run, 3, "r.h5.journal: is no journal of Scree");
  EXPECT_EQ(read("r.h5.journal"), "mine");
}

TEST_F(Killed, IsReadAsAnInterruptedResult) {
  const json info = object({"info", "r.h5.journal", "--json"});
  const std::uint64_t left_out = info["finished_but_left_out"], counted = 100000 - info["status"]["not_run"].get<int>();
  EXPECT_EQ(std::to_string(counted + left_out), kept_);
  const Outcome path_of = scree({"replay", "r.h5.journal", "--sample", "0", "-o", "path.csv"});
  EXPECT_EQ(path_of.code, 0) << path_of.err;
  EXPECT_EQ(scree({"report", "r.h5.journal", "-o", "r.html", "--paths", "3"}).code, 0) << read("stderr");
  EXPECT_EQ(scree({"export", "r.h5.journal", "--to", "csv", "-o", "out"}).code, 0) << read("stderr");
}

TEST_F(Killed, IsLockedWhileACommandGoesOn) {
  const pid_t pid = start(long_run + Words{"--resume"}, "first");
  await_working(pid, 0.2);
  const Outcome second = scree(long_run + Words{"--resume"});
  EXPECT_EQ(second.code, 2);
  EXPECT_THAT(second.err, MatchesRegex("scree: r.h5: is being written by process " + std::to_string(pid) +
                                       " on .+ since 20..-..-.. ..:..:.. UTC\n"));
  EXPECT_EQ(scree({"info", "r.h5.journal"}).code, 0);
  kill(pid, SIGKILL);
  finish(pid);
}

/// Who looks for the writer of a locked journal comes to an end with any length of a record.
TEST_F(Killed, IsLockedWhateverItsLengths) {
  const pid_t pid = start(long_run + Words{"--resume"}, "first");
  await_working(pid, 0.2);
  const std::uint64_t backwards = ~std::uint64_t{0} - 23;  // with its head and checksum no length at all
  std::uint32_t head = 0;
  const std::string bytes = read("r.h5.journal");
  std::memcpy(&head, bytes.data() + 12, sizeof head);
  std::fstream file(path("r.h5.journal"), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(16 + head + 8 + 8);
  file.write(reinterpret_cast<const char*>(&backwards), sizeof backwards);
  file.close();
  const Outcome second = scree(long_run + Words{"--resume"});
  EXPECT_EQ(second.code, 2);
  EXPECT_THAT(second.err, StartsWith("scree: r.h5: is being written by "));
  kill(pid, SIGKILL);
  finish(pid);
}

TEST_F(Killed, GoesOnBehindWhatIsTornOff) {
  const std::string whole = read("r.h5.journal");
  std::mt19937_64 random(1);
  std::uint64_t most = 0;
  for (int i = 0; i < 200; ++i) {
    std::string torn = whole.substr(0, random() % (whole.size() + 1));
    if (i % 2 == 1) torn = whole;
    if (i % 2 == 1) torn[random() % torn.size()] ^= static_cast<char>(1 + random() % 255);
    write("torn.journal", torn);
    std::uint64_t found = 0;
    try {
      found = read_journal(path("torn.journal")).samples();
    } catch (const Error& error) {
      EXPECT_EQ(error.code, Exit::input);
      EXPECT_THAT(error.what(), StartsWith(path("torn.journal") + ": is "));
    }
    EXPECT_LE(found, static_cast<std::uint64_t>(std::stoull(kept_)));
    most = std::max(most, found);
  }
  EXPECT_GT(most, 0u);
}

TEST_F(JournalOf, KeepsSamplesWhenASignalAsksForIt) {
  const pid_t pid = start({"run", "rocks.toml", "--samples", "100000", "-o", "r.h5", "--checkpoint", "3600"}, "stdout");
  await_working(pid, 1, SIGUSR1);
  EXPECT_EQ(read_journal(path("r.h5.journal")).samples(), 0u) << "an hour has not passed";
  kill(pid, SIGUSR1);
  EXPECT_TRUE(await([&] { return has_kept_samples(); }));
  kill(pid, SIGKILL);
  EXPECT_EQ(finish(pid).code, 137);
}

TEST_F(JournalOf, IsNotWrittenWhereItIsNotWanted) {
  const pid_t pid = start({"run", "rocks.toml", "--samples", "100000", "-o", "r.h5", "--checkpoint", "0"}, "stdout");
  await_working(pid, 1);
  kill(pid, SIGUSR1);
  usleep(200'000);
  EXPECT_EQ(read_journal(path("r.h5.journal")).samples(), 0u);
  kill(pid, SIGKILL);
  finish(pid);
  EXPECT_EQ(scree({"run", "rocks.toml", "-o", "r.h5"}).code, 0) << "an empty journal is in nobody's way";
  expect_nothing_else_left();
  expect_refusal({"run", "rocks.toml", "--resume"}, 2, "run: --resume goes on with a result: give it as -o");
}

TEST_F(JournalOf, TellsWhatItTakesBeforehand) {
  const json told = object({"run", "shots.toml", "--samples", "20000", "-o", "r.h5", "--dry-run", "--json"})["dry_run"];
  ASSERT_EQ(scree({"run", "shots.toml", "--samples", "20000", "-o", "r.h5"}).code, 0);
  const double size = static_cast<double>(std::filesystem::file_size(path("r.h5")));
  EXPECT_NEAR(told["result_bytes"], size, 0.25 * size);
  const pid_t pid =
      start({"run", "shots.toml", "--samples", "20000", "-o", "r.h5", "--force", "--checkpoint", "0.01"}, "stdout");
  double journal = 0;
  while (waitpid(pid, nullptr, WNOHANG) == 0) {
    std::error_code gone;
    const auto now = std::filesystem::file_size(path("r.h5.journal"), gone);
    if (!gone) journal = std::max(journal, static_cast<double>(now));
  }
  EXPECT_GT(journal, 0);
  EXPECT_LE(journal, 1.01 * told["journal_bytes"].get<double>() + 4096);
  EXPECT_THAT(scree({"run", "shots.toml", "--samples", "1e9", "-o", "x.h5", "--dry-run"}).out,
              HasSubstr("disk      about "));
}

TEST_F(JournalOf, AFileThatAppearsMeanwhileStaysAndCostsNothing) {
  const Words command{"run", "rocks.toml", "--samples", "1000", "-o", "r.h5"};
  const pid_t pid = start(command, "stdout");
  await_working(pid, 0.2);
  write("r.h5", "mine");
  const Outcome outcome = finish(pid);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err,
            "scree: r.h5: a file has appeared there meanwhile, which --force would replace; all 1000 samples are safe "
            "in r.h5.journal: once r.h5 is moved away the same command with --resume goes on from there\n");
  EXPECT_EQ(read("r.h5"), "mine");
  expect_refusal(command + Words{"--resume"}, 3, "r.h5: not an HDF5 file");
  EXPECT_EQ(scree(command + Words{"--resume", "--force"}).code, 0) << read("stderr");
  expect_nothing_else_left();
}

}  // namespace
}  // namespace scree
