// Whoever has something read may look around meanwhile, as Python does for Ctrl-C.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace scree {

/// Thrown to leave a reading. No std::exception, lest a reader take it for a mistake in what is read.
struct ReadingLeft {};

/// While one lives, its thread calls `look` every 50 ms that it reads (results, text files) or draws what samples vary;
/// `look` may throw ReadingLeft.
class ReadingWatch {
 public:
  explicit ReadingWatch(std::function<void()> look) : look_(std::move(look)), before_(std::exchange(current, this)) {}
  ~ReadingWatch() { current = before_; }
  ReadingWatch(const ReadingWatch&) = delete;
  ReadingWatch& operator=(const ReadingWatch&) = delete;

 private:
  friend void while_reading();
  using Clock = std::chrono::steady_clock;
  std::function<void()> look_;
  ReadingWatch* before_;
  Clock::time_point next_ = Clock::now();
  static inline thread_local ReadingWatch* current = nullptr;
};

/// Called by readers of what may be long, between its parts.
inline void while_reading() {
  ReadingWatch* const watch = ReadingWatch::current;
  if (watch == nullptr) return;
  const auto now = ReadingWatch::Clock::now();
  if (now < watch->next_) return;
  watch->look_();
  watch->next_ = now + std::chrono::milliseconds(50);
}

}  // namespace scree
