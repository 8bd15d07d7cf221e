// Who has a command carried out: may ask for its end, and hears how it goes. The program's is a terminal with its
// signals (Signals, TerminalReporter). Nothing of it is the process's: two commands at a time have each their
// own, but for the replays of `verify`, which end with the last one's.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace scree {

/// An end that is asked for from outside, by any thread or by a signal handler. The first time that somebody asks, no
/// further sample begins and those in flight go on to their end; the second, they are left.
class Stop {
 public:
  Stop() = default;
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;
  virtual ~Stop() = default;
  /// Which time it is, from 1 on.
  int ask() {
    std::int64_t none = 0;
    first_.compare_exchange_strong(none, now());
    return times_.fetch_add(1) + 1;
  }
  bool asked() const { return times_.load() > 0; }
  bool insisted() const { return times_.load() > 1; }
  /// Whether what is in hand is to be left, if that costs nothing: somebody has insisted, or asked `grace` (s) ago.
  bool is_over(double grace) const {
    return insisted() || (asked() && 1e-9 * static_cast<double>(now() - first_.load()) >= grace);
  }
  /// Ends the program with a last line, if this is the program's: all that it had finished is kept. That of others
  /// comes back.
  virtual void leave(const std::string& /*line*/) {}

  /// Asks for finished samples to be kept now.
  void ask_to_keep() { keep_.store(true); }
  /// Whether somebody has since the last time.
  bool take_keep() { return keep_.exchange(false); }

  /// While one lives, whoever asks for an end gets one in good order, and is told at once "interrupted: " and `answer`,
  /// whatever the program is busy with; null: by the command. Without one a signal kills the program.
  class Accepting {
   public:
    explicit Accepting(Stop& stop, const char* answer = "ending as soon as what is in hand allows")
        : stop_(stop), before_(stop.answer_.exchange(answer)) {
      if (stop_.accepting_++ == 0) stop_.begin_to_accept();
    }
    ~Accepting() {
      if (--stop_.accepting_ == 0) stop_.end_accepting();
      stop_.answer_.store(before_);
    }
    Accepting(const Accepting&) = delete;
    Accepting& operator=(const Accepting&) = delete;

   private:
    Stop& stop_;
    const char* before_;
  };

  /// While one lives, the command looks every few milliseconds whether an end is asked for, and answers itself.
  class Watched {
   public:
    explicit Watched(Stop& stop) : stop_(stop), before_(stop.is_watched_.exchange(true)) {}
    ~Watched() { stop_.is_watched_.store(before_); }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

   private:
    Stop& stop_;
    bool before_;
  };

  /// What to tell who has asked, once; null: nothing, or somebody has told it, or is about to.
  const char* take_answer() {
    const char* const answer = answer_.load();
    return asked() && !is_watched_.load() && answer != nullptr && !is_answered_.exchange(true) ? answer : nullptr;
  }
  /// Something else has been told.
  void answered() { is_answered_.store(true); }

 private:
  /// Of those who are asked from outside of the program.
  virtual void begin_to_accept() {}
  virtual void end_accepting() {}

  /// Of a clock that nobody sets, ns.
  static std::int64_t now() {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  std::atomic<int> times_{0};
  std::atomic<std::int64_t> first_{0};  // when somebody asked; 0: nobody has
  std::atomic<bool> keep_{false}, is_watched_{false}, is_answered_{false};
  std::atomic<const char*> answer_{nullptr};
  std::atomic<int> accepting_{0};
};
static_assert(std::atomic<const char*>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler reads and writes them");

/// How far a part of a command is.
struct Stage {
  std::uint64_t done = 0, samples = 0;
  std::uint64_t steps = 0;  // sample-steps
  double seconds = 0;       // since the part began
  double left = 0;          // s, of the whole command (Course); NaN: not known
};

/// Hears how a command goes, from the thread that carries it out. This one keeps it to itself.
class Reporter {
 public:
  virtual ~Reporter() = default;
  /// The command goes on, but perhaps not as was expected.
  virtual void warn(const std::string& /*line*/) {}
  /// What has to be known of its end.
  virtual void say(const std::string& /*line*/) {}
  /// What need not be.
  virtual void note(const std::string& /*line*/) {}
  /// A part, named by `label`, is so far. May be called often; `end_stage` when it is over.
  virtual void show(const std::string& /*label*/, const Stage& /*stage*/) {}
  virtual void end_stage() {}
};

struct Caller {
  std::shared_ptr<Stop> stop = std::make_shared<Stop>();
  std::shared_ptr<Reporter> reporter = std::make_shared<Reporter>();

  bool asks_for_end() const { return stop->asked(); }
  void warn(const std::string& line) const { reporter->warn(line); }
  void say(const std::string& line) const { reporter->say(line); }
  void note(const std::string& line) const { reporter->note(line); }
};

}  // namespace scree
