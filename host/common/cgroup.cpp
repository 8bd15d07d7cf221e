#include "cgroup.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <sstream>
#include <vector>

#include "text_input.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The numbers that a file begins with, "max" among them; none of a file that is not there.
std::vector<double> numbers_in(const fs::path& path) {
  std::ifstream file(path);
  std::vector<double> numbers;
  for (std::string word; file >> word;) {
    const std::optional<double> number = word == "max" ? unlimited : parse_number(word);
    if (!number) break;
    numbers.push_back(*number);
  }
  return numbers;
}

/// The number after a word at the start of a line, as in memory.stat; 0 if there is none.
double number_of(const fs::path& path, const std::string& name) {
  std::ifstream file(path);
  double number = 0;
  for (std::string word, rest; file >> word; std::getline(file, rest))
    if (word == name && file >> number) return number;
  return 0;
}

/// The least that `left` gives of a group and of those above it. A container may see its own group as the root, under
/// which the path that the kernel tells is not there.
double least(const fs::path& mount, const fs::path& group, const std::function<double(const fs::path&)>& left) {
  fs::path here = mount;
  double result = left(here);
  for (const fs::path& part : group.relative_path()) {
    if (part == "..") break;  // of a group outside of what is mounted
    here /= part;
    result = std::min(result, left(here));
  }
  return result;
}

/// Calls `take` with the mount and the group of a controller: once of version 1, of version 2 with no name.
void each_group(const Cgroups& of, const std::string& controller,
                const std::function<void(const fs::path& mount, const fs::path& group)>& take) {
  std::ifstream file(of.membership);
  for (std::string line; std::getline(file, line);) {  // as "4:cpu,cpuacct:/job" or "0::/job"
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (names.empty() && controller.empty()) {
      take(of.root, group);
      take(of.root + "/unified", group);  // beside version 1
    }
    std::istringstream each(names);
    for (std::string name; !controller.empty() && std::getline(each, name, ',');)
      if (name == controller) {
        take(of.root + "/" + names, group);
        if (names != name) take(of.root + "/" + name, group);
      }
  }
}

/// The limit in one file less the use in another, of which files that were read and not used lately can be dropped.
double memory_left(const fs::path& group, const char* limit, const char* used, const char* droppable) {
  const std::vector<double> most = numbers_in(group / limit), now = numbers_in(group / used);
  if (most.size() != 1 || now.size() != 1) return unlimited;
  return std::max(0.0, most[0] - std::max(0.0, now[0] - number_of(group / "memory.stat", droppable)));
}

}  // namespace

double Cgroups::memory() const {
  double left = unlimited;
  const auto take = [&](const fs::path& mount, const fs::path& group, const char* limit, const char* used,
                        const char* droppable) {
    const auto of_one = [&](const fs::path& at) { return memory_left(at, limit, used, droppable); };
    left = std::min(left, least(mount, group, of_one));
  };
  each_group(*this, "", [&](const fs::path& mount, const fs::path& group) {
    take(mount, group, "memory.max", "memory.current", "inactive_file");
  });
  each_group(*this, "memory", [&](const fs::path& mount, const fs::path& group) {
    take(mount, group, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file");
  });
  return left;
}

double Cgroups::processors() const {
  double quota = unlimited;
  const auto take = [&](const fs::path& mount, const fs::path& group, const auto& share) {
    quota = std::min(quota, least(mount, group, share));
  };
  const auto ratio = [](double time, double period) { return time > 0 && period > 0 ? time / period : unlimited; };
  each_group(*this, "", [&](const fs::path& mount, const fs::path& group) {
    take(mount, group, [&](const fs::path& at) {
      const std::vector<double> numbers = numbers_in(at / "cpu.max");
      return numbers.size() == 2 ? ratio(numbers[0], numbers[1]) : unlimited;
    });
  });
  each_group(*this, "cpu", [&](const fs::path& mount, const fs::path& group) {
    take(mount, group, [&](const fs::path& at) {
      const std::vector<double> time = numbers_in(at / "cpu.cfs_quota_us"),
                                period = numbers_in(at / "cpu.cfs_period_us");
      return time.size() == 1 && period.size() == 1 ? ratio(time[0], period[0]) : unlimited;  // -1: none
    });
  });
  return quota;
}

}  // namespace scree
