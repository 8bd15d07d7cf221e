#include "progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "host/common/error.hpp"
#include "host/common/terminal.hpp"
#include "host/common/text_table.hpp"

namespace scree {
namespace {

constexpr double bar_interval = 0.2, line_interval = 5.0;  // s
constexpr std::size_t widest_bar = 24, least_bar = 6;

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

struct Parts {
  std::string counts, rate, left;
};

/// What is known of these.
Parts parts_of(const Stage& stage) {
  Parts parts{std::to_string(stage.done) + "/" + std::to_string(stage.samples) + " samples", "", ""};
  if (stage.steps > 0 && stage.seconds > 0)
    parts.rate = with_prefix(static_cast<double>(stage.steps) / stage.seconds) + "steps/s";
  if (stage.left > 0) parts.left = duration_text(stage.left) + " left";
  return parts;
}

/// Those that are there, with commas.
std::string joined(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// "[####....]"
std::string bar(const Stage& stage, std::size_t width, bool colour) {
  const std::size_t filled = stage.samples > 0 ? width * stage.done / stage.samples : 0;
  return std::string("[") + (colour ? "\033[32m" : "") + std::string(filled, '#') + (colour ? "\033[0m" : "") +
         std::string(width - filled, '.') + "]";
}

/// Of the terminal as it is now, which may have been resized; the last column stays free, lest the cursor wrap.
std::size_t bar_columns() {
  winsize size{};
  int columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  if (const char* told = std::getenv("COLUMNS"); columns <= 0 && told) columns = std::atoi(told);
  return static_cast<std::size_t>(columns > 1 ? columns - 1 : 79);
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

std::string progress_text(const Stage& stage) {
  const auto [counts, rate, left] = parts_of(stage);
  return joined({counts, rate, left});
}

std::string bar_text(const std::string& label, const Stage& stage, std::size_t width, bool colour) {
  const auto [counts, rate, left] = parts_of(stage);
  const std::string last = left.empty() ? counts : left;
  for (const std::string& text : {joined({counts, rate, left}), joined({counts, left}), last}) {
    const std::size_t around = label.size() + 4 + text.size();  // "label [" and "] text"
    if (around + least_bar > width) continue;
    return label + " " + bar(stage, std::min(widest_bar, width - around), colour) + " " + text;
  }
  if (last.size() + 2 > width) return std::string(front_of(last, width));
  const std::size_t room = width - last.size() - 1;
  return (room < 3 ? std::string(front_of(label, room)) : shortened(label, room)) + " " + last;
}

TerminalReporter::TerminalReporter(std::string program, bool quiet)
    : program_(std::move(program)),
      quiet_(quiet),
      style_(quiet          ? Style::none
             : can_redraw() ? Style::bar
                            : Style::lines),
      colour_(wants_colour(STDERR_FILENO)),
      next_(first_time()) {}

TerminalReporter::~TerminalReporter() { clear(); }

double TerminalReporter::first_time() const { return style_ == Style::bar ? bar_interval : line_interval; }

/// What was printed before comes before a line, also where both go to one file.
void TerminalReporter::clear() {
  std::fflush(stdout);
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void TerminalReporter::warn(const std::string& line) {
  clear();
  std::fprintf(stderr, "warning: %s\n", line.c_str());
}

void TerminalReporter::say(const std::string& line) {
  clear();
  std::fprintf(stderr, "%s: %s\n", program_.c_str(), line.c_str());
}

void TerminalReporter::note(const std::string& line) {
  if (quiet_) return;
  clear();
  std::fprintf(stderr, "%s\n", line.c_str());
}

void TerminalReporter::show(const std::string& label, const Stage& stage) {
  if (style_ == Style::none || stage.seconds < next_) return;
  if (style_ == Style::lines) {
    std::fprintf(stderr, "%s: %s\n", label.c_str(), progress_text(stage).c_str());
    next_ = stage.seconds + line_interval;
    return;
  }
  std::fprintf(stderr, "\r\033[K%s", bar_text(label, stage, bar_columns(), colour_).c_str());
  std::fflush(stderr);
  drawn_ = true;
  next_ = stage.seconds + bar_interval;
}

void TerminalReporter::end_stage() {
  clear();
  next_ = first_time();
}

}  // namespace scree
