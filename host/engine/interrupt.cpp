#include "interrupt.hpp"

#include <atomic>
#include <cstdint>
#include <ctime>

namespace scree {
namespace {

constexpr int interrupts[] = {SIGINT, SIGTERM};

/// When the first interrupt came, in nanoseconds of the monotonic clock; 0 if none did.
std::atomic<std::int64_t> interrupted{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a signal handler writes it");

/// A wrapper like timeout(1) sends the same signal to the process and to its group: what follows at once is no second
/// one.
constexpr std::int64_t second_after = 300'000'000;  // ns

void interrupt(int signal) {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t now = std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec, first = interrupted.load();
  if (first == 0) {
    interrupted.store(now);
  } else if (now - first > second_after) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // delivered when this handler returns
  }
}

}  // namespace

Interruptible::Interruptible() {
  for (int i = 0; i < 2; ++i) {
    sigaction(interrupts[i], nullptr, &before_[i]);
    if (before_[i].sa_handler == SIG_IGN) continue;
    struct sigaction action = {};
    action.sa_handler = interrupt;
    sigemptyset(&action.sa_mask);
    sigaction(interrupts[i], &action, nullptr);
  }
}

Interruptible::~Interruptible() {
  for (int i = 0; i < 2; ++i) sigaction(interrupts[i], &before_[i], nullptr);
}

bool Interruptible::asked() { return interrupted.load(std::memory_order_relaxed) != 0; }

}  // namespace scree
