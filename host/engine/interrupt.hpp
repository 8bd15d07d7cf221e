// Ctrl-C, SIGTERM, SIGHUP and SIGUSR1 while samples run.
#pragma once

#include <csignal>

namespace scree {

/// While one lives, the first of these signals only asks for an end, and the second insists on it; the third kills, as
/// without it. A signal that is ignored (nohup, a job in the background) stays so. The first is answered at once by
/// "scree: interrupted: " and `answer` on standard error, whatever the program is busy with; null: by who asks. SIGUSR1
/// asks for samples to be kept now.
class Interruptible {
 public:
  explicit Interruptible(const char* answer = "ending as soon as what is in hand allows");
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  static bool asked();
  static bool insisted();
  /// Whether SIGUSR1 has come since the last time.
  static bool asked_to_keep();

  /// While one lives somebody listens who gives an answer that says more, and calls answered() then. If nobody did, the
  /// general answer follows at its end.
  class Listening {
   public:
    Listening();
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    static void answered();

   private:
    bool before_;
  };

 private:
  struct sigaction before_[3], before_keep_;
};

}  // namespace scree
