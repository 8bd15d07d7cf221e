// A system as the host sees it: its description and type-erased ways to build, draw from and replay an ensemble. One
// Model per header in src/systems/, made in a source file that CMake writes (cmake/system_model.cpp.in).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "description.hpp"
#include "kernels/backend.hpp"
#include "kernels/cpu_threads.hpp"
#include "shared_numbers.hpp"
#include "src/ensemble.hpp"

namespace scree {

/// What a Run says about the ensemble, in the layout of the description.
struct EnsembleSpec {
  World world{};  // `tables` is set from `tables` below
  SharedNumbers tables;
  std::vector<double> params, start;  // param_doubles, start_doubles
  std::vector<Variation> variations;
  std::uint64_t seed = 1;
  LowDiscrepancy points;
};

/// The World of the bytes that Model::ensemble gave.
inline World& world_of(std::vector<std::byte>& ensemble) { return *reinterpret_cast<World*>(ensemble.data()); }

/// One row of a replayed track: time, then the track columns.
using TrackRow = std::function<void(std::span<const double> values)>;

struct ReplayResult {
  std::uint32_t status = 0;
  std::vector<double> summary;  // as in the SummaryTable
};

struct Model {
  Description description;
  SystemKernels kernels;
  /// Bytes of an Ensemble<System<double>>; points into spec.tables, which must outlive it.
  std::vector<std::byte> (*ensemble)(const EnsembleSpec& spec);
  /// Parameters then starts of one sample, param_doubles + start_doubles numbers.
  void (*draw)(const void* ensemble, std::uint64_t sample, double* values);
  /// What makes a sample with these values, as `draw` gives them, nonsense although each is in range; null if nothing
  /// does, and itself null where the system knows no such rule. It does not depend on the step, which is NaN when it is
  /// asked.
  Mistake (*mistake)(const void* ensemble, std::uint64_t sample, const double* values);
  /// The longest step, s, that a sample with these values may be given under a scheme, by its place among
  /// description.schemes; infinity for any. Null where the system knows no such limit. It does not depend on the step
  /// that the ensemble has.
  double (*largest_step)(const void* ensemble, int scheme, std::uint64_t sample, const double* values);
  /// What is wrong with a step beyond `largest_step`; null: the scheme is unstable then.
  const char* too_long_step;

  /// Runs one sample on this thread, calling `row` at the release, after every `every` steps and at the end. Throws
  /// what `row` throws, and Error where the program was built for other processors.
  ReplayResult replay(const void* ensemble, int scheme, std::uint64_t sample, std::uint64_t every,
                      const TrackRow& row) const;
};

/// The newest instruction set that is built and that this processor has, of entry points by Isa; -1 if there is none.
template <class Entry>
int best_isa(const Entry (&entries)[isa_count]) {
  int isa = isa_count - 1;
  while (isa >= 0 && (entries[isa] == nullptr || !scree_processor_has(isa))) --isa;
  return isa;
}

std::span<const Model> models();
const Model* find_model(std::string_view system);

}  // namespace scree
