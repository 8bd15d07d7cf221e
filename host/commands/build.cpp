#include "build.hpp"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "host/common/available_threads.hpp"
#include "host/common/error.hpp"
#include "host/common/process.hpp"
#include "host/common/version.hpp"
#include "host/results/output.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// 32 hexadecimal digits.
std::string digits_of(const std::string& text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  std::array<char, 33> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return digits.data();
}

/// As a string of CMake.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += (c == '"' || c == '\\' || c == '$' ? "\\" : "") + std::string(1, c);
  return result + "\"";
}

/// The folder of scree-config.cmake that was installed with this program.
std::string package_folder() {
  // As it was started; /proc may not be there.
  const fs::path program = fs::canonical(reinterpret_cast<const char*>(getauxval(AT_EXECFN)));
  const fs::path folder = (program.parent_path() / SCREE_PACKAGE).lexically_normal();
  if (!fs::exists(folder / "scree-config.cmake"))
    throw Error(Exit::failed, "build: Scree's libraries and headers are not installed with this program, there is no " +
                                  (folder / "scree-config.cmake").string() +
                                  "; `cmake --install`, or Debian's scree-dev, brings both");
  return folder;
}

fs::path cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache && cache[0] == '/') return fs::path(cache) / "scree";
  const char* const home = std::getenv("HOME");
  if (home && home[0] == '/') return fs::path(home) / ".cache" / "scree";
  throw Error(Exit::failed, "build: neither XDG_CACHE_HOME nor HOME says where it may compile");
}

/// The compiler that CMake will take.
std::string compiler() {
  const char* const named = std::getenv("CXX");
  if (named && named[0] != '\0') {
    if (program_file(named).empty())
      throw Error(Exit::failed, "build: there is no compiler " + std::string(named) + ", which CXX names");
    return named;
  }
  for (const char* name : {"c++", "g++", "clang++"})
    if (!program_file(name).empty()) return name;
  throw Error(Exit::failed, "build: there is no C++ compiler; install g++, or name one in CXX");
}

/// What a program for this processor alone depends on.
std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  std::string line, found;
  while (std::getline(info, line) && !line.empty())  // the first of them
    if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features")) found += line;
  return found;
}

/// Held by one of several that build the same header, until this one ends.
class Lock {
 public:
  explicit Lock(const std::string& file) : file_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_ < 0 || flock(file_, LOCK_EX) != 0) throw Error(Exit::failed, file + ": " + std::strerror(errno));
  }
  ~Lock() { close(file_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

/// Runs CMake. Throws Error(Exit::failed) with the first mistake where it fails.
void cmake(std::vector<std::string> words, const fs::path& log, const std::string& header, const std::string& text) {
  words.insert(words.begin(), "cmake");
  std::error_code none;
  fs::remove(log, none);
  const int code = run_program(words, log);
  if (code == 0) return;
  std::string mistake = first_mistake(contents(log), header, text);
  if (mistake.empty()) mistake = "cmake failed, exit code " + std::to_string(code);
  throw Error(Exit::failed, "build: " + mistake + "; all of it is in " + log.string());
}

/// That CMake shall write files for.
std::string build_tool() {
  if (!program_file("ninja").empty()) return "Ninja";
  if (!program_file("make").empty()) return "Unix Makefiles";
  throw Error(Exit::failed, "build: there is neither ninja nor make; install one of them");
}

/// By what CMake said: it does without CUDA where it finds no compiler for it.
void require_cuda(const std::string& log) {
  const std::string before = "CUDA backend: ";
  const std::size_t at = log.find(before);
  std::string told = "this scree was built without CUDA";
  if (at != std::string::npos) told = log.substr(at + before.size(), log.find('\n', at) - at - before.size());
  if (!told.starts_with("nvcc ")) throw Error(Exit::failed, "build: --cuda: " + told);
}

/// Compiles in `folder`, and returns the program there.
fs::path compiled(const fs::path& folder, const std::string& package, const std::string& header,
                  const std::string& text, const BuildOptions& options) {
  fs::create_directories(folder);
  std::ofstream(folder / "CMakeLists.txt") << "cmake_minimum_required(VERSION 3.25)\n"
                                              "project(own LANGUAGES C CXX)\n"
                                              "find_package(scree " SCREE_VERSION
                                              " EXACT REQUIRED)\n"
                                              "scree_add_program(program "
                                           << quoted(header) << ")\n";
  // Without the flags of CXXFLAGS, which may say how numbers are rounded.
  cmake({"-S", folder, "-B", folder / "build", "-G", build_tool(), "-Dscree_DIR=" + package,
         "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS=", "-DCMAKE_CXX_FLAGS_RELEASE=-O2",
         std::string("-DSCREE_SIMD=") + (options.native ? "NATIVE" : "ON"),
         std::string("-DSCREE_CUDA=") + (options.cuda ? "ON" : "OFF")},
        folder / "configure.log", header, text);
  if (options.cuda) require_cuda(contents(folder / "configure.log"));
  cmake({"--build", folder / "build", "--parallel", std::to_string(available_threads())}, folder / "build.log", header,
        text);
  return folder / "build" / "program";
}

constexpr const char* rule_of_values =
    " (a value that belongs to a sample has + - * / and the functions of src/real.hpp and src/elementary.hpp, none of "
    "std::, and meets literals as Real(0.5))";

/// The text of CMake's first error on one line, "" if it made none.
std::string cmake_mistake(const std::string& log) {
  const std::size_t at = log.find("CMake Error");
  if (at == std::string::npos) return "";
  std::istringstream lines(log.substr(at));
  std::string line, text;
  std::getline(lines, line);
  if (const std::size_t rest = line.find(": "); rest != std::string::npos) text = line.substr(rest + 2);
  while (std::getline(lines, line)) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos && text.empty()) continue;
    if (first == std::string::npos) break;
    text += (text.empty() ? "" : " ") + line.substr(first);
  }
  return text;
}

}  // namespace

std::string class_name(const std::string& system) {
  std::string name;
  bool begins = true;
  for (const char c : system) {
    if (c != '_') name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '_';
  }
  return name;
}

std::string first_mistake(const std::string& log, const std::string& header, const std::string& text) {
  if (const std::string mistake = cmake_mistake(log); !mistake.empty()) return mistake;
  std::istringstream lines(log);
  std::string line, in_header;  // the last line that names a place in the header
  while (std::getline(lines, line)) {
    const bool here = line.starts_with(header + ":");
    const std::size_t at = line.find(" error: ");
    if (at == std::string::npos && line.find("undefined reference to") == std::string::npos) {
      if (here) in_header = line;
      continue;
    }
    std::string mistake = line;
    if (!here && !in_header.empty() && at != std::string::npos)
      mistake = in_header.substr(0, in_header.find(": ")) + ":" + line.substr(at);
    const std::string name = class_name(fs::path(header).stem());
    if (text.find(name) == std::string::npos)
      return mistake + " (a header holds the template that is named as itself, here " + name + ")";
    // Of a pack, one lane of which is a sample.
    const bool of_values =
        line.find("Pack<") != std::string::npos || line.find("Mask") != std::string::npos ||
        (line.find("no matching function") != std::string::npos && log.find("scree::Pack<") != std::string::npos);
    if (of_values && line.find("Mask") != std::string::npos)
      return mistake +
             " (samples differ, so no if, ?: or loop may ask for one's value: select(condition, a, b) gives "
             "each sample its own)";
    if (of_values) return mistake + rule_of_values;
    return mistake;
  }
  return "";
}

std::string function_of_std(const std::string& text) {
  // Those that round as their library does. The others, as std::sqrt, are exact.
  static const std::regex rounds(
      R"(\bstd::(a?(sin|cos|tan)h?|atan2|exp2?|expm1|log(2|10|1p)?|pow|cbrt|hypot|[lt]gamma|erfc?)\b)");
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::smatch found;
    line = line.substr(0, line.find("//"));
    if (std::regex_search(line, found, rounds))
      return std::to_string(number) + ": " + found.str() + " gives other bits with another library" + rule_of_values;
  }
  return "";
}

void build_command(const BuildOptions& options) {
  if (!fs::is_regular_file(options.header)) throw Error(Exit::usage, options.header + ": there is no such header");
  check_output(options.output, options.force, {options.header});
  const std::string package = package_folder();
  if (program_file("cmake").empty()) throw Error(Exit::failed, "build: there is no cmake; install it, 3.25 or later");
  const std::string header = fs::canonical(options.header), text = contents(header);
  // One folder of each header for what it is now.
  const fs::path folders = cache_folder() / "build" / (fs::path(header).stem().string() + "-" + digits_of(header));
  const std::string with = compiler(), tool = build_tool();
  const std::string key =
      digits_of(text + '\n' + package + '\n' + SCREE_VERSION " " SCREE_COMMIT "\n" + with + '\n' + tool +
                (options.native ? "\nnative " + processor() : "") + (options.cuda ? "\ncuda" : ""));
  try {
    fs::create_directories(folders);
    const Lock lock(folders / "lock");
    if (!fs::exists(folders / key / "build" / "program"))
      options.caller.note("build: compiling " + options.header + ", for about " +
                          (options.cuda     ? "a minute"
                           : options.native ? "a quarter of a minute"
                                            : "half a minute"));
    const fs::path program = compiled(folders / key, package, header, text, options);
    // A system without packs compiles with these.
    if (const std::string wrong = function_of_std(text); !wrong.empty())
      throw Error(Exit::failed, "build: " + header + ":" + wrong);
    const auto copy = [&](const std::string& temporary) {
      fs::copy_file(program, temporary, fs::copy_options::overwrite_existing);
    };
    write_renamed(options.output, copy);
    for (const fs::directory_entry& entry : fs::directory_iterator(folders))
      if (entry.is_directory() && entry.path().filename() != key) fs::remove_all(entry.path());
  } catch (const fs::filesystem_error& error) {
    throw Error(Exit::failed, "build: " + error.path1().string() + ": " + error.code().message());
  }
  std::cout.flush();
  const int code = run_program({fs::absolute(options.output), "list"});
  if (code != 0) throw Error(Exit::failed, options.output + " list: exit code " + std::to_string(code));
}

}  // namespace scree
