#include "digest.hpp"

#define XXH_INLINE_ALL  // from the header alone, so that nothing has to be linked
#include <xxhash.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <memory>

#include "host/common/while_reading.hpp"
#include "src/status.hpp"

namespace scree {
namespace {

static_assert(std::endian::native == std::endian::little, "the digest takes numbers as they lie in memory");

std::string hex_of(XXH128_hash_t hash) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

Checksum::Checksum()
    : state_(XXH3_createState(), [](void* state) { XXH3_freeState(static_cast<XXH3_state_t*>(state)); }) {
  XXH3_128bits_reset(static_cast<XXH3_state_t*>(state_.get()));
}
void Checksum::add(const void* bytes, std::size_t count) {
  XXH3_128bits_update(static_cast<XXH3_state_t*>(state_.get()), bytes, count);
}
std::string Checksum::hex() const { return hex_of(XXH3_128bits_digest(static_cast<XXH3_state_t*>(state_.get()))); }

std::string digest(const SummaryTable& table) {
  Checksum sum;
  const std::size_t columns = table.description->columns.size();
  std::vector<unsigned char> row(columns * sizeof(double) + sizeof(std::uint32_t));
  for (std::uint64_t i = 0; i < table.samples; ++i) {
    if (i % samples_at_once == 0) while_reading();
    if (i % samples_at_once == 0 && i > 0) table.release(i - samples_at_once, samples_at_once);
    if (table.status[i] == static_cast<std::uint32_t>(Status::not_run)) continue;
    unsigned char* end = row.data();
    for (std::size_t c = 0; c < columns; ++c) {
      const Column& column = table.description->columns[c];
      const double value = table.values[c * table.samples + i];
      if (column.late || (std::isnan(value) && column.optional)) continue;
      const std::uint64_t bits = std::isnan(value) ? 0x7FF8000000000000u : std::bit_cast<std::uint64_t>(value);
      std::memcpy(end, &bits, sizeof bits);
      end += sizeof bits;
    }
    std::memcpy(end, &table.status[i], sizeof(std::uint32_t));
    sum.add(row.data(), static_cast<std::size_t>(end - row.data()) + sizeof(std::uint32_t));
  }
  table.release(table.samples / samples_at_once * samples_at_once, samples_at_once);
  return sum.hex();
}

std::string xxh3_hex(std::string_view bytes) { return hex_of(XXH3_128bits(bytes.data(), bytes.size())); }

}  // namespace scree
