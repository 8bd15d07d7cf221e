// `sampling` and `replicates`: low-discrepancy points in place of random draws.
#include <bit>
#include <numeric>

#include "host/common/text_input.hpp"
#include "host/inputs/sobol.hpp"
#include "host/inputs/trapezoids.hpp"
#include "reading.hpp"

namespace scree {
namespace {

constexpr int standard_replicates = 16;

/// Coordinates that one draw of a law takes. A table is read by the number of the sample.
int dimensions_of(Law law) {
  switch (law) {
    case Law::table:
      return 0;
    case Law::polygon:
    case Law::polygon_map:
      return 2;
    case Law::orientation:
    case Law::orientation_map:
      return 3;
    default:
      return 1;
  }
}

/// The same law as a map of that many numbers.
void use_map(Reading& reading, Variation& vary) {
  if (vary.law == Law::orientation) vary.law = Law::orientation_map;
  if (vary.law != Law::polygon) return;
  const double* corners = reading.run.spec.tables.data() + static_cast<std::ptrdiff_t>(vary.offset);
  const std::vector<double> numbers = trapezoids_of({corners, 2 * static_cast<std::size_t>(vary.count)});
  vary.law = Law::polygon_map;
  vary.offset = add_table(reading, numbers);
  vary.count = static_cast<double>(numbers.size() / trapezoid_numbers);
}

/// A net's balance needs a power of two.
void warn_of_lost_balance(Reading& reading, const Node& samples, std::uint64_t replicates) {
  const std::uint64_t count = reading.run.samples;
  if (count % replicates == 0 && std::has_single_bit(count / replicates)) return;
  const std::uint64_t less = replicates * std::bit_floor(count / replicates), more = less > 0 ? 2 * less : replicates;
  reading.run.warnings.push_back(
      samples.where + ": samples = " + std::to_string(count) + " gives " + std::to_string(replicates) +
      " replicates no power of two of points each, on which the balance of Sobol points rests; " +
      (less > 0 ? std::to_string(less) + " or " : "") + std::to_string(more) + " samples do");
}

/// Sample i reads row i mod rows and is of replicate i mod replicates: with a common factor each replicate would meet
/// some of the rows alone, and the replicates would differ by their rows.
void require_all_rows(const Reading& reading, const Variation& vary) {
  const std::uint64_t rows = static_cast<std::uint64_t>(vary.count);
  const std::uint64_t replicates = static_cast<std::uint64_t>(reading.run.sampling.replicates);
  const std::uint64_t common = std::gcd(rows, replicates);
  if (vary.law != Law::table || common == 1) return;
  const Node& node = *reading.sources[static_cast<std::size_t>(vary.target)].varied;
  std::uint64_t other = replicates + 1;
  while (std::gcd(rows, other) > 1) ++other;
  complain(node, node.key + " has " + std::to_string(rows) + " rows, of which each of replicates = " +
                     std::to_string(replicates) + " would meet " + std::to_string(rows / common) +
                     "; the numbers must have no common factor, as with replicates = " + std::to_string(other));
}

}  // namespace

void read_sampling(Reading& reading) {
  Sampling& sampling = reading.run.sampling;
  const Node *kind = reading.root.find("sampling"), *replicates = reading.root.find("replicates");
  sampling.sobol = kind && read_choice(*kind, {"random", "sobol"}) == 1;
  if (!sampling.sobol) {
    if (replicates)
      complain(*replicates, replicates->key + " = " + value_text(*replicates) +
                                ", but sampling is \"random\": it belongs to sampling = \"sobol\"");
    return;
  }
  sampling.replicates = standard_replicates;
  if (replicates) {
    const std::int64_t count = read_whole(*replicates, 2);
    if (count > most_replicates) refuse(*replicates, "a whole number from 2 to " + std::to_string(most_replicates));
    sampling.replicates = static_cast<int>(count);
  }
  const Node& samples = reading.root.need("samples", "a whole number >= 1");
  const std::uint64_t most = static_cast<std::uint64_t>(sampling.replicates) << net_digits;
  if (reading.run.samples > most)
    refuse(samples, "<= " + std::to_string(most) + ", 2^" + std::to_string(net_digits) + " Sobol points in each of " +
                        std::to_string(sampling.replicates) + " replicates");
  warn_of_lost_balance(reading, samples, static_cast<std::uint64_t>(sampling.replicates));
}

void place_points(Reading& reading) {
  Run& run = reading.run;
  if (!run.sampling.sobol) return;
  const Node& kind = reading.root.need("sampling", "");
  int dimensions = 0;
  for (std::size_t v = 0; v < run.spec.variations.size(); ++v) {
    Variation& vary = run.spec.variations[v];
    if (vary.stream >= 0 && static_cast<std::size_t>(vary.stream) < v) {  // what goes together has one coordinate
      vary.dimension = run.spec.variations[static_cast<std::size_t>(vary.stream)].dimension;
      continue;
    }
    require_all_rows(reading, vary);
    use_map(reading, vary);
    const int each = dimensions_of(vary.law);
    if (each == 0) continue;
    vary.dimension = dimensions;
    dimensions += each * vary.repeats;
  }
  if (dimensions == 0) complain(kind, "sampling = \"sobol\", but no law of [vary] draws anything");
  if (dimensions > most_sobol_dimensions)
    complain(kind, "sampling = \"sobol\" has at most " + std::to_string(most_sobol_dimensions) +
                       " dimensions, the laws of [vary] draw " + std::to_string(dimensions) + " numbers per sample");
  run.sampling.dimensions = dimensions;
  run.spec.points = {add_table(reading, sobol_direction_numbers(dimensions)),
                     static_cast<std::uint32_t>(run.sampling.replicates)};
}

}  // namespace scree
