#include "seal.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

#include "host/common/while_reading.hpp"
#include "host/model/digest.hpp"

namespace scree {
namespace {

constexpr std::size_t hash_length = 32;
const std::string mark = "\nscree-xxh3 ";
const std::size_t length = mark.size() + hash_length + 1;

/// XXH3-128 of the next `count` bytes.
std::string checksum(std::istream& file, std::uintmax_t count) {
  Checksum sum;
  std::vector<char> buffer(static_cast<std::size_t>(std::min<std::uintmax_t>(count, 1 << 20)));
  while (count > 0 && file) {
    file.read(buffer.data(), static_cast<std::streamsize>(std::min<std::uintmax_t>(count, buffer.size())));
    sum.add(buffer.data(), static_cast<std::size_t>(file.gcount()));
    count -= static_cast<std::uintmax_t>(file.gcount());
    while_reading();
  }
  return sum.hex();
}

std::uintmax_t size_of(std::istream& file) {
  file.seekg(0, std::ios::end);
  const auto size = static_cast<std::uintmax_t>(std::max<std::streamoff>(0, file.tellg()));
  file.seekg(0);
  return size;
}

/// The length that an HDF5 file without a seal has by its superblock of version 2 or 3, which is what results have;
/// `size` of another.
std::uintmax_t length_of(std::istream& file, std::uintmax_t size) {
  constexpr std::size_t version = 8, width = 9, end = 28;  // places in the superblock
  std::array<unsigned char, end + 8> head{};
  file.seekg(0);
  file.read(reinterpret_cast<char*>(head.data()), head.size());
  const bool known = file && head[0] == 0x89 && head[1] == 'H' && head[version] >= 2 && head[width] == 8;
  file.clear();
  if (!known) return size;
  std::uintmax_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | head[end + i];
  return length;
}

}  // namespace

void seal(const std::string& path) {
  errno = 0;
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const std::string hash = checksum(file, size_of(file));
  file.seekp(0, std::ios::end);
  file << mark << hash << '\n';
  file.close();
  if (!file) throw std::runtime_error(std::strerror(errno != 0 ? errno : EIO));
}

Seal seal_of(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(std::string("cannot be read: ") + std::strerror(errno != 0 ? errno : EIO));
  const std::uintmax_t size = size_of(file);
  const std::uintmax_t whole = length_of(file, size);
  if (size < whole)
    throw std::runtime_error("truncated file: it has " + std::to_string(size) + " of " + std::to_string(whole) +
                             " bytes");
  if (!file || size < length) return Seal::none;
  std::string line(length, '\0');
  file.seekg(static_cast<std::streamoff>(size - length));
  file.read(line.data(), static_cast<std::streamsize>(length));
  if (!file || !line.starts_with(mark)) return size == whole ? Seal::none : Seal::broken;
  file.seekg(0);
  return checksum(file, size - length) + "\n" == line.substr(mark.size()) ? Seal::intact : Seal::broken;
}

}  // namespace scree
