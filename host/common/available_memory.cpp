#include "available_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

#include "durable.hpp"
#include "text_table.hpp"

namespace scree {

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

double disk_available(const std::string& file) {
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(folder_of(file), error);
  return error ? std::numeric_limits<double>::infinity() : static_cast<double>(space.available);
}

std::string bytes_text(double bytes) {
  static constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; bytes >= 1000 && unit < 5; ++unit) bytes /= 1000;
  return short_number(bytes) + " " + units[unit];
}

}  // namespace scree
