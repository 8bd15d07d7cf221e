// The digest that proves equal bits: XXH3-128 with seed 0 over the samples in order.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "run.hpp"

namespace scree {

/// Each finished sample gives its columns in `describe` order as little-endian doubles, any NaN as 0x7FF8000000000000,
/// then its status as a little-endian u32; samples that were not run are skipped, and so are late columns, and optional
/// ones where they do not exist. 32 hexadecimal digits.
std::string digest(const SummaryTable& table);

/// Whether two values are one and the same to a digest: bit for bit, any NaN being like any other.
bool same_bits(double a, double b);

/// XXH3-128 with seed 0 of bytes that come piece by piece.
class Checksum {
 public:
  Checksum();
  void add(const void* bytes, std::size_t count);
  /// 32 hexadecimal digits.
  std::string hex() const;

 private:
  std::shared_ptr<void> state_;
};

/// XXH3-128 with seed 0 of plain bytes (a config, an input file), 32 hexadecimal digits.
std::string xxh3_hex(std::string_view bytes);

}  // namespace scree
