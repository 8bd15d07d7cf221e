// What verify runs: a study of configs/ with other values laid over it, as by --set, and what its samples do.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/common/caller.hpp"
#include "host/common/text_input.hpp"
#include "host/common/worst.hpp"
#include "host/model/run.hpp"

namespace scree {

/// A value as TOML writes it.
struct Value {
  std::string toml = "{}";  // a table without keys: vary = {} leaves no law
  Value() = default;
  Value(double number) : toml(number_text(number)) {}
  Value(int whole) : toml(std::to_string(whole)) {}
  Value(const char* text) : toml('"' + std::string(text) + '"') {}
  Value(std::initializer_list<Value> list) : Value(std::vector<Value>(list)) {}
  template <class T>
  Value(const std::vector<T>& list) : toml("[") {
    for (const T& item : list) toml += (toml.size() > 1 ? ", " : "") + Value(item).toml;
    toml += "]";
  }
};
struct Set {
  std::string key;  // as "start.position"; a law is set by its name, as vary."start.velocity.x".normal
  Value value;
};
using Sets = std::vector<Set>;

/// configs/NAME.toml with `sets` laid over it, the later ones over the earlier ones.
Run study(const std::string& name, const Sets& sets = {});
/// A run with further values laid over it.
Run with(const Run& run, const Sets& sets);

/// What one sample did: the rows of `scree replay`, and its end.
struct Replayed {
  std::vector<std::string> names;         // of the track's columns, the time first
  std::vector<std::vector<double>> rows;  // at the start, every `every` steps and at the end
  std::uint32_t status = 0;
  std::map<std::string, double> summary;  // by the names of the summary's columns
  std::size_t column(const std::string& name) const;
  /// Largest value of f(row), where `row["x"]` is one number.
  template <class F>
  double largest(const F& f) const;
};
/// One row by the names of its columns.
struct NamedRow {
  const Replayed& of;
  const std::vector<double>& values;
  double operator[](const std::string& name) const { return values[of.column(name)]; }
};
/// Thrown where an end was asked for: what is under way is given up.
struct Interrupted {};
/// Whose end the replays of this program's `verify` come to.
void replays_end_with(std::shared_ptr<const Stop> stop);
/// Under the first scheme of the run. Throws Interrupted if an end is asked for before it is there.
Replayed replayed(const Run& run, std::uint64_t every = 1, std::uint64_t sample = 0);
/// For `every`: only the rows at the start and at the end.
inline constexpr std::uint64_t both_ends = std::uint64_t{1} << 60;

template <class F>
double Replayed::largest(const F& f) const {
  double worst = -std::numeric_limits<double>::infinity();
  for (const std::vector<double>& row : rows) worst = scree::worst(worst, f(NamedRow{*this, row}));
  return worst;
}

}  // namespace scree
