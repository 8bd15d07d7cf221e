#include "printer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "host/common/text_table.hpp"

namespace scree {
namespace {

/// x with so many decimals; fewer than none round to tens, hundreds, ...
std::string with_decimals(double x, int decimals) {
  if (decimals < 0) {
    const double unit = std::pow(10.0, -decimals);
    x = std::round(x / unit) * unit;
  }
  if (std::fabs(x) >= 1e7 || decimals > 7) {
    char text[40];
    const int digits =
        x == 0 ? 0 : std::clamp(static_cast<int>(std::floor(std::log10(std::fabs(x)))) + decimals, 0, 15);
    std::snprintf(text, sizeof text, "%.*e", digits, x);
    return text;
  }
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", std::max(decimals, 0), x);
  return std::string(text).find_first_of("123456789") == std::string::npos && text[0] == '-' ? text + 1 : text;
}

/// Decimals down to the first digit of an error; one more where that digit is 1, and it would take too much away.
int first_decimal(double error) {
  const int decimals = -static_cast<int>(std::floor(std::log10(error)));
  return error * std::pow(10.0, decimals) < 2 ? decimals + 1 : decimals;
}

}  // namespace

std::string with_unit(const std::string& number, const Column& column) {
  return number + (unit_of(column).empty() ? "" : " " + unit_of(column));
}

std::string with_unit(double x, const Column& column) { return with_unit(short_number(x), column); }

std::string section_name(Counted counted) {
  return counted == Counted::stopped ? "that stopped" : "that were finished";
}

std::string number_within(double x, double error) {
  error = std::fabs(error);
  // An error far below the number takes no digit away that short_number shows.
  if (!std::isfinite(x) || !std::isfinite(error) || error <= std::fabs(x) * 1e-4) return short_number(x);
  // A number below its error keeps its first digit if that is the next one.
  const int decimals = first_decimal(error);
  const bool smaller = x != 0 && std::fabs(x) < std::pow(10.0, -decimals);
  return with_decimals(x, decimals + (smaller ? 1 : 0));
}

std::string error_text(double error) {
  error = std::fabs(error);
  if (!std::isfinite(error) || error == 0) return short_number(error);
  return with_decimals(error, 1 - static_cast<int>(std::floor(std::log10(error))));
}

std::string gain_text(double gain) {
  if (!(gain > 0) || std::isinf(gain)) return short_number(gain);
  char text[40];
  const int power = static_cast<int>(std::floor(std::log10(gain))) - 1;
  const double unit = std::pow(10.0, power);
  if (gain < 1e5)
    std::snprintf(text, sizeof text, "%.*f", std::max(0, -power), std::round(gain / unit) * unit);
  else
    std::snprintf(text, sizeof text, "%.1e", gain);
  return text;
}

std::string p_phrase(double p) {
  const std::string text = p_text(p);
  return text[0] == '<' ? "p < 0.0001" : "p = " + text;
}

std::string p_text(double p) {
  if (std::isnan(p)) return "-";
  if (p < 1e-4) return "<1e-4";
  char text[16];
  std::snprintf(text, sizeof text, p < 0.1 ? "%.4f" : "%.3f", p);
  return text;
}

}  // namespace scree
