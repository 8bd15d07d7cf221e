#include "interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iterator>

namespace scree {
namespace {

constexpr int interrupts[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<int> times{0};
std::atomic<bool> keep{false};
/// When the last interrupt that counts came, in nanoseconds of the monotonic clock.
std::atomic<std::int64_t> last{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a signal handler writes it");

/// A wrapper like timeout(1) sends the same signal to the process and to its group: what follows at once is no second
/// one.
constexpr std::int64_t next_after = 300'000'000;  // ns

/// The answer, a whole line, which does not change while a signal may come.
char line[160];
std::atomic<bool> speaks{false}, said{false};

void answer() {
  if (said.exchange(true) || line[0] == '\0') return;
  const int before = errno;
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line, std::strlen(line));
  errno = before;
}

void interrupt(int signal) {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t now = std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  if (times.load() > 0 && now - last.load() <= next_after) return;
  last.store(now);
  const int earlier = times.fetch_add(1);
  if (earlier == 0 && speaks.load()) answer();
  if (earlier < 2) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // delivered when this handler returns
}

}  // namespace

Interruptible::Interruptible(const char* answer) {
  line[0] = '\0';
  if (answer) std::snprintf(line, sizeof line, "scree: interrupted: %s\n", answer);
  speaks.store(true);
  for (std::size_t i = 0; i < std::size(interrupts); ++i) {
    sigaction(interrupts[i], nullptr, &before_[i]);
    if (before_[i].sa_handler == SIG_IGN) continue;
    struct sigaction action = {};
    action.sa_handler = interrupt;
    sigemptyset(&action.sa_mask);
    sigaction(interrupts[i], &action, nullptr);
  }
  struct sigaction action = {};
  action.sa_handler = [](int) { keep.store(true); };
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, &before_keep_);
}

Interruptible::~Interruptible() {
  for (std::size_t i = 0; i < std::size(interrupts); ++i) sigaction(interrupts[i], &before_[i], nullptr);
  sigaction(SIGUSR1, &before_keep_, nullptr);
  speaks.store(false);
}

bool Interruptible::asked_to_keep() { return keep.exchange(false); }
bool Interruptible::asked() { return times.load(std::memory_order_relaxed) > 0; }
bool Interruptible::insisted() { return times.load(std::memory_order_relaxed) > 1; }

Interruptible::Listening::Listening() : before_(speaks.exchange(false)) {}

Interruptible::Listening::~Listening() {
  speaks.store(before_);
  if (before_ && asked()) answer();
}

void Interruptible::Listening::answered() { said.store(true); }

}  // namespace scree
