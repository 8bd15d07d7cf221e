// Whoever has something read may look around meanwhile, as Python does for Ctrl-C, and hears beforehand what is large.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>

namespace scree {

/// Thrown to leave a reading. No std::exception, lest a reader take it for a mistake in what is read.
struct ReadingLeft {};

/// While one lives, its thread calls `look` every 50 ms that it reads (results, text files) or draws what samples vary;
/// `look` may throw ReadingLeft. `tell` is given a line on what takes much memory, before it is read.
class ReadingWatch {
 public:
  explicit ReadingWatch(std::function<void()> look, std::function<void(const std::string&)> tell = {})
      : look_(std::move(look)), tell_(std::move(tell)), before_(std::exchange(current, this)) {}
  ~ReadingWatch() { current = before_; }
  ReadingWatch(const ReadingWatch&) = delete;
  ReadingWatch& operator=(const ReadingWatch&) = delete;

 private:
  friend void while_reading();
  friend void tell_before_reading(const std::string& line);
  using Clock = std::chrono::steady_clock;
  std::function<void()> look_;
  std::function<void(const std::string&)> tell_;
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

/// Called by readers of what takes much memory.
inline void tell_before_reading(const std::string& line) {
  const ReadingWatch* const watch = ReadingWatch::current;
  if (watch != nullptr && watch->tell_) watch->tell_(line);
}

}  // namespace scree
