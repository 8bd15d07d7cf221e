// Ctrl-C and SIGTERM while samples run.
#pragma once

#include <csignal>

namespace scree {

/// While one lives, the first SIGINT and the first SIGTERM only ask for an end; the second kills, as without it. A
/// signal that is ignored (nohup, a job in the background) stays so.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  static bool asked();

 private:
  struct sigaction before_[2];
};

}  // namespace scree
