// Numbers and texts as bytes, little-endian, and back.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace scree {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

/// Puts numbers where `To::append(std::string_view)` puts bytes.
template <class To>
class PutsNumbers {
 public:
  template <class T>
  void put(T number) {
    put_each(std::span<const T>(&number, 1));
  }
  template <class T>
  void put_each(std::span<const T> numbers) {
    static_assert(std::is_arithmetic_v<T>);
    static_cast<To&>(*this).append({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  }
  /// With their count before them.
  template <class T>
  void put_all(std::span<const T> numbers) {
    put<std::uint64_t>(numbers.size());
    put_each(numbers);
  }
};

/// Appends to `bytes`.
struct ByteWriter : PutsNumbers<ByteWriter> {
  std::string bytes;

  void append(std::string_view more) { bytes += more; }
};

/// Takes from the front. Throws std::runtime_error where fewer are left.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T get() {
    T number;
    get_each(std::span<T>(&number, 1));
    return number;
  }
  template <class T>
  void get_each(std::span<T> numbers) {
    static_assert(std::is_arithmetic_v<T>);
    require(numbers.size(), sizeof(T));
    if (!numbers.empty()) std::memcpy(numbers.data(), rest_.data(), numbers.size_bytes());
    rest_.remove_prefix(numbers.size_bytes());
  }
  template <class T>
  std::vector<T> get_all() {
    const std::uint64_t count = get<std::uint64_t>();
    require(count, sizeof(T));
    std::vector<T> numbers(count);
    get_each(std::span<T>(numbers));
    return numbers;
  }
  std::string_view rest() const { return rest_; }

 private:
  void require(std::uint64_t count, std::size_t size) const {
    if (count > rest_.size() / size) throw std::runtime_error("ends too early");
  }
  std::string_view rest_;
};

}  // namespace scree
