// What stays of a config that was read, so that derive() (config.hpp) gives the same run with other values without a
// second look at its text, its data files or its samples.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "config.hpp"
#include "tree.hpp"

namespace scree {

/// The data files of a config, each read and hashed once, by full path.
struct DataFiles {
  std::map<std::string, std::string> hashes;
  std::map<std::pair<std::string, std::type_index>, std::shared_ptr<const void>> contents;  // see once(), reading.hpp
};

/// What the samples of a run showed as they were drawn to be checked: enough to say of any number of them, and of any
/// step, what a run of that many with that step is told.
struct Drawn {
  struct Limit {
    std::uint64_t sample;
    double step;  // s
  };
  std::uint64_t samples = 0;                  // how many were drawn, from Run::first on
  std::vector<double> first;                  // parameters and starts of the first
  std::vector<std::vector<Limit>> limits;     // per scheme of the system: samples with a lower limit than all before
  std::vector<std::uint64_t> below;           // samples that are released below the ground, in order
  std::vector<std::uint64_t> in_stems;        // samples that are released in a stem of the forest, in order
  Mistake in_stem = nullptr;                  // of the first of them
  std::vector<double> shifts;                 // m, ground over the table's height, of as many samples as it has rows
  std::vector<std::uint64_t> first_of_shape;  // sample; no_sample: none
};
inline constexpr std::uint64_t no_sample = ~std::uint64_t{0};

struct Loaded {
  std::shared_ptr<const Node> config;  // without overlays; never read from, so that no value of it counts as used
  std::shared_ptr<DataFiles> files;
  FindModel find;
  std::filesystem::path folder;  // of data files
  Node root;                     // with the overlays of the run
  Drawn drawn;                   // of these values and at least as many samples as the run has
  std::uint64_t first = 0;       // Run::first
};

}  // namespace scree
