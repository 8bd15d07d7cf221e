#include "available_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

#include "cgroup.hpp"
#include "durable.hpp"
#include "text_table.hpp"

namespace scree {

double memory_available() {
  double available = static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  std::ifstream meminfo("/proc/meminfo");
  std::string name, unit;
  for (double kilobytes; meminfo >> name >> kilobytes && std::getline(meminfo, unit);)
    if (name == "MemAvailable:") available = kilobytes * 1024;
  available = std::min(available, Cgroups{}.memory());
  return available;
}

double disk_available(const std::string& file) {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::absolute(folder_of(file), error);
  while (!std::filesystem::exists(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  return error ? std::numeric_limits<double>::infinity() : static_cast<double>(space.available);
}

int threads_within(int threads, double of_each, double bytes) {
  return of_each * threads <= bytes ? threads : std::max(1, static_cast<int>(std::max(0.0, bytes) / of_each));
}

int threads_within_memory(int threads, double of_each) {
  constexpr double little = 64e6;  // for which nothing has to be asked
  return of_each * threads <= little ? threads : threads_within(threads, of_each, memory_available());
}

std::string bytes_text(double bytes) {
  static constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; bytes >= 1000 && unit < 5; ++unit) bytes /= 1000;
  return short_number(bytes) + " " + units[unit];
}

}  // namespace scree
