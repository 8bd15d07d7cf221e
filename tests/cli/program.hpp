// Runs the built program as a user would: a folder of its own, arguments, and what comes back.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace scree {

/// What a run of the program left: its exit code (128 + signal if a signal killed it), stdout and stderr, the time
/// (s) that its threads computed, all together: unlike the time that passed it does not depend on what else runs.
struct Outcome {
  int code = -1;
  std::string out, err;
  double computed = 0;
  double peak = 0;  // bytes of memory that it had at most
};

/// How a process ended and what it used, as wait4 tells; nothing of what it printed.
inline Outcome ended(int status, const rusage& used) {
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  for (const timeval& part : {used.ru_utime, used.ru_stime})
    outcome.computed += static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
  outcome.peak = 1024 * static_cast<double>(used.ru_maxrss);
  return outcome;
}

/// How often a test tries what chance decides: `few` times, or, with SCREE_MANY as tests/long.sh sets it, `many`.
inline int tries(int few, int many) { return std::getenv("SCREE_MANY") ? many : few; }

/// Those of a command line.
using Words = std::vector<std::string>;
inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A test with a temporary folder, in which the program runs.
class Cli : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "scree_cli_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  /// stdout and stderr of a shell command in the test's folder.
  std::string shell(const std::string& command) const {
    std::FILE* pipe = popen(("cd " + folder_ + " && " + command + " 2>&1").c_str(), "r");
    std::string text;
    std::array<char, 4096> piece{};
    while (std::fgets(piece.data(), piece.size(), pipe)) text += piece.data();
    pclose(pipe);
    return text;
  }
  /// Chromium, if there is one.
  inline static const std::string browser = SCREE_SOURCE_DIR "/docs/chromium.sh";
  static bool has_browser() { return std::system((browser + " --version > /dev/null 2>&1").c_str()) == 0; }
  /// Starts the program; `output` takes its stdout.
  pid_t start(const std::vector<std::string>& arguments, const std::string& output) const {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    std::vector<std::string> words{"scree"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    // Whoever runs the tests may ignore SIGINT, as a shell does for jobs in the background.
    signal(SIGINT, SIG_DFL);
    if (data_.empty()) {
      unsetenv("SCREE_DATA");
    } else {
      setenv("SCREE_DATA", data_.c_str(), 1);
    }
    if (chdir(folder_.c_str()) != 0) _exit(126);
    dup2(open(output.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0666), STDOUT_FILENO);
    dup2(open("stderr", O_CREAT | O_WRONLY | O_TRUNC, 0666), STDERR_FILENO);
    execv(SCREE_PROGRAM, argv.data());
    _exit(127);
  }
  /// Starts the program with these in its environment.
  pid_t start_with(const std::vector<std::pair<std::string, std::string>>& variables,
                   const std::vector<std::string>& arguments, const std::string& output = "stdout") const {
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    const pid_t pid = start(arguments, output);
    for (const auto& [name, value] : variables) unsetenv(name.c_str());
    return pid;
  }
  /// With what the program printed.
  Outcome printed(Outcome outcome) const {
    outcome.out = read("stdout");
    outcome.err = read("stderr");
    return outcome;
  }
  Outcome finish(pid_t pid) const {
    int status = 0;
    rusage used{};
    wait4(pid, &status, 0, &used);
    return printed(ended(status, used));
  }
  Outcome scree(const std::vector<std::string>& arguments, const std::string& output = "stdout") const {
    return finish(start(arguments, output));
  }
  /// Two results have the same bytes but for the wall time and that of the longest part, eight bytes each and four of
  /// their checksums for each arm, processor times of levels of a study of steps, eight for each, and the 32 digits of
  /// the seal at the end.
  void expect_same_files(const std::string& a, const std::string& b, std::size_t arms = 1,
                         std::size_t levels = 0) const {
    const std::string first = read(a), second = read(b);
    ASSERT_EQ(first.size(), second.size());
    ASSERT_GT(first.size(), 33u);
    std::size_t different = 0;
    for (std::size_t i = 0; i < first.size() - 33; ++i) different += first[i] != second[i];
    EXPECT_LE(different, 24 * arms + 8 * levels) << a << " and " << b;
  }
  /// What a command that succeeds prints with --json.
  nlohmann::json printed_json(std::vector<std::string> arguments) const {
    if (arguments[0] != "info") arguments.emplace_back("--quiet");
    arguments.emplace_back("--json");
    const Outcome outcome = scree(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }
  /// Waits until something is so, and asks every so many seconds; false where it is not within two minutes, which on a
  /// busy machine too is long for whatever is waited for.
  static bool await(const std::function<bool()>& is_so, double every = 0.002) {
    const auto began = std::chrono::steady_clock::now();
    for (; !is_so(); usleep(static_cast<useconds_t>(1e6 * every)))
      if (std::chrono::steady_clock::now() - began > std::chrono::minutes(2)) return false;
    return true;
  }
  /// Waits until the program listens to a signal.
  static void await_listening(pid_t pid, int signal = SIGINT) {
    const auto listens = [&] {
      std::ifstream status("/proc/" + std::to_string(pid) + "/status");
      for (std::string line; std::getline(status, line);)
        if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
      return false;
    };
    await(listens);
  }
  /// Sends a signal and waits for the answer, for which a busy machine may take its time, and until the next counts as
  /// another one: not within 0.3 s.
  void signal_until_answered(pid_t pid, int signal) const {
    const std::size_t before = read("stderr").size();
    kill(pid, signal);
    await([&] { return read("stderr").size() != before; });
    usleep(400'000);
  }
  /// The time (s) that the threads of a program have computed so far, all together.
  static double computed(pid_t pid) {
    clockid_t clock;
    timespec time{};
    EXPECT_EQ(clock_getcpuclockid(pid, &clock), 0);
    EXPECT_EQ(clock_gettime(clock, &time), 0);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  /// Waits until the program listens to a signal and has then computed for so long (s).
  static void await_working(pid_t pid, double seconds, int signal = SIGINT) {
    await_listening(pid, signal);
    const double enough = computed(pid) + seconds;
    await([&] { return computed(pid) >= enough; });
  }
  /// Runs the program and sends SIGINT when it has worked for a while.
  Outcome interrupted(const std::vector<std::string>& arguments) const {
    const pid_t pid = start(arguments, "stdout");
    await_working(pid, 0.5);
    kill(pid, SIGINT);
    return finish(pid);
  }
  /// What the program prints with --json; empty, and the test fails, unless it ends well.
  nlohmann::json object(const std::vector<std::string>& arguments) const {
    const Outcome outcome = scree(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? nlohmann::json::parse(outcome.out) : nlohmann::json{};
  }
  /// The one member of an object, as of `paired` where two arms were compared.
  static const nlohmann::json& only(const nlohmann::json& object) {
    EXPECT_EQ(object.size(), 1u);
    static const nlohmann::json none;
    return object.size() == 1 ? *object.begin() : none;
  }
  /// How many columns `scree list` gives a system.
  std::size_t columns_of(const std::string& system) const {
    return object({"list", system, "--json"})["systems"][0]["columns"].size();
  }
  static std::string config(const std::string& name) { return SCREE_SOURCE_DIR "/configs/" + name; }
  static double mean(const nlohmann::json& result, const char* column) {
    return result["statistics"][column]["mean"].get<double>();
  }
  /// Fails the test unless the program stops with this code and this one line, and prints nothing else.
  void expect_refusal(const std::vector<std::string>& arguments, int code, const std::string& line) const {
    const Outcome outcome = scree(arguments);
    EXPECT_EQ(outcome.code, code);
    EXPECT_EQ(outcome.err, "scree: " + line + "\n");
    EXPECT_EQ(outcome.out, "");
  }

  std::string folder_;
  std::string data_;  // SCREE_DATA of the program; empty: not set
};

/// Open MPI, before version 5 and from it on, wants to be told that it may run as root, and more ranks than there are
/// processors.
inline const std::string open_mpi_may =
    "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
    "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe; ";

/// Twenty rocks on a low ramp: a fraction of a second.
inline const std::string small_study = R"(system = "rock"
scheme = "implicit"
samples = 20
step = 0.002
end = 30.0
[rock]
ground = "medium"
[terrain]
kind = "ramp"
slope = 40.0
height = 5.0
[[shape]]
name = "EOTA221"
kind = "eota"
size = [0.93, 0.93, 0.47]
mass = 780.0
[start]
position = [0.0, 0.0]
[vary]
orientation = "uniform"
)";

/// Rocks by group, with maps, a gate, a barrier and a forest.
inline const std::string small_watched = "group_by = 'shape'\n" + small_study + R"([maps]
extent = [-10, -20, 40, 20]
cell = 1
[[gate]]
name = "foot"
line = [[7, -20], [7, 20]]
[[barrier]]
name = "net"
line = [[9, -20], [9, 20]]
height = 0.6
capacity = 50000
[[forest]]
polygon = [[0, -20], [30, -20], [30, 20], [0, 20]]
stems = 100
diameter = 0.3
capacity = 20000
law = "plastic"
)";

/// Two hundred shots: some milliseconds.
inline const std::string small_shots = R"(system = "projectile"
scheme = "euler"
samples = 200
step = 0.05
end = 60.0
[start]
speed = 100.0
[vary]
"start.angle" = { uniform = [0.1, 1.5] }
"projectile.drag" = { choice = [0.0, 0.05, 0.1] }
)";

}  // namespace scree
