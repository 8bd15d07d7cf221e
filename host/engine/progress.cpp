#include "progress.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "host/common/terminal.hpp"
#include "host/common/text_table.hpp"

namespace scree {
namespace {

constexpr double bar_interval = 0.2, line_interval = 5.0;  // s
constexpr int bar_width = 24;

bool can_redraw() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term && *term != '\0' && std::string_view(term) != "dumb";
}

/// "6.12 M"
std::string with_prefix(double x) {
  static constexpr std::pair<double, const char*> prefixes[] = {{1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
  for (const auto& [size, prefix] : prefixes)
    if (x >= size) return short_number(x / size) + prefix;
  return short_number(x) + " ";
}

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(seconds));
  char text[48];
  if (whole >= 3600)
    std::snprintf(text, sizeof text, "%lld h %02lld min", whole / 3600, whole / 60 % 60);
  else if (whole >= 60)
    std::snprintf(text, sizeof text, "%lld min %02lld s", whole / 60, whole % 60);
  else
    std::snprintf(text, sizeof text, "%lld s", whole);
  return text;
}

std::string progress_text(std::uint64_t done, std::uint64_t samples, std::uint64_t steps, double seconds) {
  std::string text = std::to_string(done) + "/" + std::to_string(samples) + " samples";
  if (done == 0 || seconds <= 0) return text;
  text += ", " + with_prefix(static_cast<double>(steps) / seconds) + "steps/s";
  if (done < samples)
    text += ", " + duration_text(seconds * static_cast<double>(samples - done) / static_cast<double>(done)) + " left";
  return text;
}

Progress::Progress(std::string label, std::uint64_t samples, bool quiet)
    : label_(std::move(label)),
      samples_(samples),
      style_(quiet          ? Style::none
             : can_redraw() ? Style::bar
                            : Style::lines),
      colour_(wants_colour(STDERR_FILENO)),
      next_(style_ == Style::bar ? bar_interval : line_interval) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::say(const std::string& text) {
  std::fprintf(stderr, "%sscree: %s\n", drawn_ ? "\r\033[K" : "", text.c_str());
  drawn_ = false;
}

void Progress::show(std::uint64_t done, std::uint64_t steps, double seconds) {
  if (style_ == Style::none || seconds < next_) return;
  const std::string text = progress_text(done, samples_, steps, seconds);
  if (style_ == Style::lines) {
    std::fprintf(stderr, "%s: %s\n", label_.c_str(), text.c_str());
    next_ = seconds + line_interval;
    return;
  }
  const int filled = static_cast<int>(bar_width * done / samples_);
  std::fprintf(stderr, "\r\033[K%s [%s%s%s%s] %s", label_.c_str(), colour_ ? "\033[32m" : "",
               std::string(static_cast<std::size_t>(filled), '#').c_str(), colour_ ? "\033[0m" : "",
               std::string(static_cast<std::size_t>(bar_width - filled), '.').c_str(), text.c_str());
  std::fflush(stderr);
  drawn_ = true;
  next_ = seconds + bar_interval;
}

}  // namespace scree
