// What the control groups that this process is in leave it, as containers and batch systems set them. Each limit holds
// for a group and all below it, so that the tightest along the way from the root counts; what cannot be read limits
// nothing. Groups of version 2 and of version 1, and both side by side.
#pragma once

#include <string>

namespace scree {

/// Where the groups are mounted, and the file that says in which of them this process is.
struct Cgroups {
  std::string root = "/sys/fs/cgroup", membership = "/proc/self/cgroup";

  /// Bytes that the groups still grant: the limit less what is used and could not be dropped. Infinite without a limit.
  double memory() const;
  /// Processors' worth of time, as 1.5. Infinite without a quota.
  double processors() const;
};

}  // namespace scree
