// A program on a terminal, as one that somebody looks at.
#pragma once

#include <poll.h>
#include <sys/ioctl.h>

#include <chrono>
#include <string>
#include <vector>

#include "program.hpp"

namespace scree {

/// A program with a terminal of its own for input and both outputs.
class OnTerminal : public Cli {
 protected:
  using Clock = std::chrono::steady_clock;

  void TearDown() override {
    if (master_ >= 0) close(master_);
    Cli::TearDown();
  }

  void resize(unsigned short columns) const {
    winsize size{};
    size.ws_row = 24;
    size.ws_col = columns;
    ASSERT_EQ(ioctl(master_, TIOCSWINSZ, &size), 0);
  }
  void begin(std::vector<std::string> words, unsigned short columns) {
    master_ = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_TRUE(master_ >= 0 && grantpt(master_) == 0 && unlockpt(master_) == 0);
    const std::string name = ptsname(master_);
    const int keep_open = open(name.c_str(), O_RDWR | O_NOCTTY);  // else the master hangs up before the child opens it
    resize(columns);
    words.insert(words.begin(), "scree");
    pid_ = fork();
    if (pid_ == 0) {
      setsid();
      signal(SIGINT, SIG_DFL);
      const int terminal = open(name.c_str(), O_RDWR);
      for (const int of : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(terminal, of);
      setenv("TERM", "xterm", 1);
      unsetenv("NO_COLOR");
      unsetenv("COLUMNS");
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      if (chdir(folder_.c_str()) != 0) _exit(126);
      execv(SCREE_PROGRAM, argv.data());
      _exit(127);
    }
    // The child has it open as soon as it writes.
    until("\033[K", 60);
    close(keep_open);
  }
  /// Reads until the text has come so many times more, or the time (s) or the program is over; whether it came.
  bool until(const std::string& text, double seconds, int times = 1) {
    const auto start = Clock::now();
    std::size_t from = shown_.size();
    while (true) {
      for (std::size_t at; times > 0 && (at = shown_.find(text, from)) != std::string::npos; --times)
        from = at + text.size();
      if (times == 0) return true;
      if (std::chrono::duration<double>(Clock::now() - start).count() > seconds) return false;
      pollfd waits{master_, POLLIN, 0};
      if (poll(&waits, 1, 20) != 0 && !take()) return false;
    }
  }
  /// Reads what there is; false where the program has hung up.
  bool take() {
    char bytes[4096];
    const ssize_t n = ::read(master_, bytes, sizeof bytes);
    if (n > 0) shown_.append(bytes, static_cast<std::size_t>(n));
    return n > 0;
  }
  Outcome end() {
    until("no text that it writes", 60);
    int status = 0;
    rusage used{};
    wait4(pid_, &status, 0, &used);
    return ended(status, used);
  }

  int master_ = -1;
  pid_t pid_ = -1;
  std::string shown_;
};

}  // namespace scree
