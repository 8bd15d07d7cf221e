// Ctrl-C, SIGTERM, SIGHUP and SIGUSR1 of the program.
#pragma once

#include <csignal>

#include "host/common/caller.hpp"

namespace scree {

/// While an end is accepted, SIGUSR1 asks for samples to be kept now, and the other signals for an end; the third
/// kills, as without it. A signal that is ignored (nohup, a job in the background) stays so. There is one of a process.
class Signals : public Stop {
  /// Exit::interrupted at once, whatever other threads are busy with.
  void leave(const std::string& line) override;
  void begin_to_accept() override;
  void end_accepting() override;

  struct sigaction before_[3], before_keep_;
};

}  // namespace scree
