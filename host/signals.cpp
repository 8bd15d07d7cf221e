#include "signals.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <iterator>

#include "host/commands/ranks.hpp"
#include "host/common/error.hpp"

namespace scree {
namespace {

std::atomic<Stop*> stopped_by_signals{nullptr};

/// When the last signal that counts came, in nanoseconds of the monotonic clock.
std::atomic<std::int64_t> last{0};

/// A wrapper like timeout(1) sends the same signal to the process and to its group: what follows at once is no second
/// one.
constexpr std::int64_t next_after = 300'000'000;  // ns

void answer(const char* words) {
  const int before = errno;
  char line[4096];
  std::size_t size = 0;
  for (const char* text : {program_name, ": interrupted: ", words, "\n"})
    for (; *text != '\0' && size < sizeof line; ++text) line[size++] = *text;
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line, size);
  errno = before;
}

void interrupt(int signal) {
  Stop& stop = *stopped_by_signals.load();
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t now = std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  // Another thread may be here too, with the other one.
  std::int64_t before = last.load();
  if ((before != 0 && now - before <= next_after) || !last.compare_exchange_strong(before, now)) return;
  const int times = stop.ask();
  if (const char* const words = stop.take_answer()) answer(words);
  if (times < 3) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // delivered when this handler returns
}

constexpr int interrupts[] = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

void Signals::leave(const std::string& line) {
  answer(printable(line).c_str());
  _exit(static_cast<int>(Exit::interrupted));
}

void Signals::begin_to_accept() {
  stopped_by_signals.store(this);
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  for (const int signal : interrupts) sigaddset(&action.sa_mask, signal);
  action.sa_handler = interrupt;
  for (std::size_t i = 0; i < std::size(interrupts); ++i) {
    sigaction(interrupts[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(interrupts[i], &action, nullptr);
  }
  action.sa_handler = [](int) { stopped_by_signals.load()->ask_to_keep(); };
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, &before_keep_);
}

void Signals::end_accepting() {
  for (std::size_t i = 0; i < std::size(interrupts); ++i) sigaction(interrupts[i], &before_[i], nullptr);
  sigaction(SIGUSR1, &before_keep_, nullptr);
}

}  // namespace scree
