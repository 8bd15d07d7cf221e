#include "printer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "host/common/text_table.hpp"

namespace scree {
namespace {

/// Power of ten of the first digit.
int first_digit(double x) { return static_cast<int>(std::floor(std::log10(std::fabs(x)))); }

/// x with so many decimals; fewer than none round to tens, hundreds, ... With an exponent where short_number has one.
std::string with_decimals(double x, int decimals) {
  if (decimals < 0) {
    const double unit = std::pow(10.0, -decimals);
    x = std::round(x / unit) * unit;
  }
  const bool small = std::fabs(x) < 1e-4 && decimals > 5;
  if (small && std::fabs(x) < 0.5 * std::pow(10.0, -decimals)) return "0";
  if (std::fabs(x) >= 1e7 || small) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*e", x == 0 ? 0 : std::clamp(first_digit(x) + decimals, 0, 15), x);
    return text;
  }
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", std::max(decimals, 0), x);
  return std::string(text).find_first_of("123456789") == std::string::npos && text[0] == '-' ? text + 1 : text;
}

/// Decimals down to the second digit of an error, once it is rounded to two: 0.996 is 1.0.
int second_decimal(double error) {
  const int decimals = 1 - first_digit(error);
  return std::round(error * std::pow(10.0, decimals)) >= 100 ? decimals - 1 : decimals;
}

}  // namespace

void print_names(const Printer& printer, const std::string& start, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::string text = start;
  for (const std::string& name : names) text += " " + name + (&name == &names.back() ? "." : ",");
  print_wrapped(printer.out, text, 2);
}

std::string with_unit(const std::string& number, const Column& column) {
  return number + (unit_of(column).empty() ? "" : " " + unit_of(column));
}

std::string with_unit(double x, const Column& column) { return with_unit(short_number(x), column); }

std::string section_name(Counted counted) {
  return counted == Counted::stopped ? "that stopped" : "that were finished";
}

std::string number_within(double x, double error, int most) {
  error = std::fabs(error);
  if (!std::isfinite(x) || !std::isfinite(error) || error == 0) return short_number(x);
  int decimals = second_decimal(error);
  if (x != 0) decimals = std::min(decimals, most - 1 - first_digit(x));
  // 0.04 with 1.2 keeps the sign that the end of an interval is read for.
  const double half_unit = 0.5 * std::pow(10.0, -decimals);
  if (std::fabs(x) < half_unit && std::fabs(x) >= half_unit / 10) ++decimals;
  return with_decimals(x, decimals);
}

std::string error_text(double error) {
  error = std::fabs(error);
  if (!std::isfinite(error) || error == 0) return short_number(error);
  return with_decimals(error, second_decimal(error));
}

double half_width(const ColumnStatistics& s) { return (s.ci_high - s.ci_low) / 2; }
double half_width(const PairedColumn& p) { return (p.ci_high - p.ci_low) / 2; }

ColumnTexts column_texts(const ColumnStatistics& s, int most) {
  const double half = half_width(s), independent = 1.96 * s.sd / std::sqrt(static_cast<double>(s.n));
  const double tail = 2.11 * independent;
  return {whole(s.n),
          number_within(s.mean, half, most),
          error_text(half),
          gain_text(s.gain),
          number_within(s.sd, independent / std::sqrt(2.0), most),
          number_within(s.quantiles[0], tail, most),
          number_within(s.quantiles[2], 1.25 * independent, most),
          number_within(s.quantiles[5], tail, most),
          number_within(s.max, tail, most)};
}

namespace {

struct ShownStatistic {
  const char* head;
  std::string ColumnTexts::*text;
  bool on_screen;
};
constexpr ShownStatistic statistics_shown[] = {{"n", &ColumnTexts::n, true},
                                               {"mean", &ColumnTexts::mean, true},
                                               {"+-95 %", &ColumnTexts::half_width, true},
                                               {"gain", &ColumnTexts::gain, true},
                                               {"sd", &ColumnTexts::sd, false},
                                               {"5 %", &ColumnTexts::low, true},
                                               {"50 %", &ColumnTexts::median, true},
                                               {"95 %", &ColumnTexts::high, true},
                                               {"max", &ColumnTexts::max, false}};

bool shows(const ShownStatistics& shown, const ShownStatistic& one) {
  return (shown.all || one.on_screen) && (shown.replicated || one.text != &ColumnTexts::gain);
}

}  // namespace

std::vector<std::string> ShownStatistics::heads(std::vector<std::string> start) const {
  for (const ShownStatistic& one : statistics_shown)
    if (shows(*this, one)) start.push_back(one.head);
  return start;
}

std::vector<std::string> ShownStatistics::cells(std::vector<std::string> start, const ColumnStatistics& s) const {
  const ColumnTexts texts = column_texts(s, digits);
  for (const ShownStatistic& one : statistics_shown)
    if (shows(*this, one)) start.push_back(texts.*one.text);
  return start;
}

std::string mean_and_width(const ColumnStatistics& s) {
  const ColumnTexts texts = column_texts(s);
  return s.n < 2 ? texts.mean : texts.mean + " +- " + texts.half_width;
}

std::string rough_count(double n) {
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(n)) - 1));
  char text[40];
  std::snprintf(text, sizeof text, "%.0f", std::ceil(n / unit) * unit);
  return text;
}

std::string gain_text(double gain) {
  if (std::isinf(gain)) return "-";  // the means of the replicates are all the same number
  if (!(gain > 0)) return short_number(gain);
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
