#include "memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "host/common/error.hpp"
#include "host/common/text_table.hpp"

namespace scree {

double memory_needed(const Run& run, std::size_t arms, std::uint64_t finished) {
  const double samples = static_cast<double>(run.samples);
  const double of_one = 8.0 * static_cast<double>(run.model->description.columns.size()) + 4.0;
  // Statistics and the result file copy and sort one column at a time.
  return of_one * (samples * static_cast<double>(arms) + static_cast<double>(finished)) + samples * 8.0 * 4.0;
}

double memory_available() {
  double available = static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  std::ifstream meminfo("/proc/meminfo");
  std::string name, unit;
  for (double kilobytes; meminfo >> name >> kilobytes && std::getline(meminfo, unit);)
    if (name == "MemAvailable:") available = kilobytes * 1024;
  // A container's own limit (cgroup v2); "max" where there is none.
  double limit = 0, used = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit && std::ifstream("/sys/fs/cgroup/memory.current") >> used)
    available = std::min(available, std::max(0.0, limit - used));
  return available;
}

std::string bytes_text(double bytes) {
  static constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; bytes >= 1000 && unit < 5; ++unit) bytes /= 1000;
  return short_number(bytes) + " " + units[unit];
}

void require_memory(const Run& run, std::size_t arms, std::uint64_t finished) {
  const double needed = memory_needed(run, arms, finished), available = memory_available();
  if (needed > available)
    throw Error(Exit::device, run.config_path + ": the summaries of " + std::to_string(run.samples) + " samples" +
                                  (arms > 1 ? " under " + std::to_string(arms) + " schemes" : "") + " take " +
                                  bytes_text(needed) + " of memory, " + bytes_text(available) + " are available");
}

std::uint64_t most_steps(const Run& run) {
  // The first n with n h + h/2 > end.
  constexpr double most = 9e18;  // fits 64 bits
  return static_cast<std::uint64_t>(std::min(std::floor(run.spec.world.end / run.spec.world.step - 0.5), most)) + 1;
}

}  // namespace scree
