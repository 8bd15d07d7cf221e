// Ctrl-C, SIGTERM and SIGHUP while samples run.
#pragma once

#include <csignal>

namespace scree {

/// While one lives, the first of these signals only asks for an end, and the second insists on it; the third kills, as
/// without it. A signal that is ignored (nohup, a job in the background) stays so.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  static bool asked();
  static bool insisted();

 private:
  struct sigaction before_[3];
};

}  // namespace scree
