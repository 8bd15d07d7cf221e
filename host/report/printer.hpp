// What the parts of a report share: titles, and how columns, counts and numbers with an error are written.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "host/model/description.hpp"
#include "host/statistics/statistics.hpp"

namespace scree {

struct Printer {
  std::ostream& out;
  bool colour;
  void title(const std::string& text) const {
    out << '\n' << (colour ? "\033[1m" : "") << text << (colour ? "\033[0m" : "") << '\n';
  }
};

/// "START a, b." on a line, or nothing without names.
void print_names(const Printer& printer, const std::string& start, const std::vector<std::string>& names);
inline constexpr const char* no_value_of = "No sample has a value of:";

inline std::string whole(std::uint64_t n) { return std::to_string(n); }
inline std::string samples_text(std::uint64_t n) { return whole(n) + (n == 1 ? " sample" : " samples"); }
inline std::string pairs_text(std::uint64_t n) { return whole(n) + (n == 1 ? " pair" : " pairs"); }

inline const Column& column_of(const Description& description, int c) {
  return description.columns[static_cast<std::size_t>(c)];
}
inline std::string unit_of(const Column& column) { return column.unit == "1" ? "" : column.unit; }
/// "64.60 m", or without a unit "0.5000".
std::string with_unit(const std::string& number, const Column& column);
std::string with_unit(double x, const Column& column);
/// "that stopped", "that were finished"
std::string section_name(Counted counted);

/// Beyond so many digits a mean of doubles has rounding in it.
inline constexpr int most_digits = 12;
/// x to the second digit of its error: 153.24 with 5.21 is "153.2", with 23 "153"; at most so many digits. Where that
/// leaves nothing of x, its first digit if that is the next one. short_number(x) where there is no error (NaN,
/// infinite or 0).
std::string number_within(double x, double error, int most = most_digits);
/// An error, to two digits.
std::string error_text(double error);
/// Statistics of a column to the digits that their sampling errors support; `mean` to those of its own interval. The
/// others to the errors that they have under a normal law with this standard deviation s over n independent samples,
/// 1.96 s / sqrt(n) times 1 / sqrt(2) of s itself and sqrt(p (1 - p)) / phi(z_p) of the quantile z_p: 1.25 of the
/// median, 2.11 of those of 5 and 95 %, which serves for the largest value too.
struct ColumnTexts {
  std::string n, mean, half_width, gain, sd, low, median, high, max;
};
ColumnTexts column_texts(const ColumnStatistics& s, int most = most_digits);
/// What a table shows of a column's statistics, after cells of its own: all, or what has room on one screen; the gain
/// where samples come in replicates.
struct ShownStatistics {
  bool all, replicated;
  int digits = most_digits;  // at most, of a number
  std::vector<std::string> heads(std::vector<std::string> start) const;
  std::vector<std::string> cells(std::vector<std::string> start, const ColumnStatistics& s) const;
};
double half_width(const ColumnStatistics& s);
double half_width(const PairedColumn& p);
/// "153.2 +- 5.2"; without an interval the mean alone.
std::string mean_and_width(const ColumnStatistics& s);
/// "97", "1500": a number of samples, to two digits, rounded up.
std::string rough_count(double n);
/// A gain (ColumnStatistics::gain) to two digits: what some tens of replicates tell.
std::string gain_text(double gain);
/// "0.012", "<1e-4"; "-" for NaN.
std::string p_text(double p);
/// "p = 0.012", "p < 0.0001".
std::string p_phrase(double p);

}  // namespace scree
