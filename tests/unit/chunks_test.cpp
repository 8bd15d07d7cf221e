// Arrays that are packed here have the bytes that HDF5 alone gives them.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "host/results/hdf5.hpp"

namespace scree {
namespace {

class Chunks : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "scree_chunks_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  /// The bytes of a file with two arrays that `write(group, name)` makes, and attributes between them.
  template <class Write>
  std::string bytes(const Write& write) const {
    const std::string path = folder_ + "/x.h5";
    h5::Handle file = h5::create_file(path);
    {
      const h5::Handle group = h5::create_group(file, "samples");
      const auto first = write(group, "first");
      h5::make_coordinate(first, "first");
      for (const char* name : {"second", "third"}) {
        const auto array = write(group, name);
        h5::write_attribute(array, "long_name", std::string(1000, 'x'));
        h5::label(array, 0, first);
      }
    }
    file.close();
    std::ifstream read(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(read), {}};
  }
  template <class Number>
  void expect_same(const std::vector<Number>& values, hid_t type) const {
    const hsize_t dims[] = {values.size()};
    const h5::Fill fill = [&](std::uint64_t first, std::size_t count, void* into) {
      std::memcpy(into, values.data() + first, count * sizeof(Number));
    };
    std::uint64_t written = 0;
    const std::string by_hdf5 = bytes(
        [&](hid_t group, const char* name) { return h5::write_array(group, name, dims, type, type, values.data()); });
    const std::string by_chunks = bytes([&](hid_t group, const char* name) {
      return h5::write_pieces(group, name, type, values.size(), 3, fill,
                              [&](std::uint64_t, std::uint64_t count) { written += count; });
    });
    EXPECT_TRUE(by_hdf5 == by_chunks) << values.size();
    EXPECT_EQ(written, values.size() < 128 ? 0 : 3 * values.size());
  }
  std::string folder_;
};

TEST_F(Chunks, OfAnySizeHaveTheBytesOfHdf5) {
  std::mt19937_64 engine(1);
  for (const std::size_t size : {0u, 1u, 127u, 128u, 65535u, 65536u, 65537u, 131073u, 200001u}) {
    std::vector<double> values(size);
    for (double& x : values) x = static_cast<double>(engine() % 1000) / 7;
    expect_same(values, H5T_IEEE_F64LE);
    std::vector<std::int32_t> whole(values.begin(), values.end());
    expect_same(whole, H5T_STD_I32LE);
  }
}

TEST_F(Chunks, ThatDoNotShrinkHaveTheBytesOfHdf5) {
  std::mt19937_64 engine(2);
  std::vector<std::uint64_t> noise(200000);
  for (std::uint64_t& x : noise) x = engine();
  expect_same(noise, H5T_STD_U64LE);
}

TEST_F(Chunks, OfArraysThatGrowHaveTheBytesOfHdf5) {
  std::mt19937_64 engine(3);
  std::vector<double> values(300000);
  for (double& x : values) x = static_cast<double>(engine() % 1000) / 7;
  const auto by_hdf5 = bytes([&](hid_t group, const char* name) {
    h5::Growing array(group, name, H5T_IEEE_F64LE);
    for (std::size_t first = 0; first < values.size(); first += 65536)
      array.append(std::span(values).subspan(first, std::min<std::size_t>(65536, values.size() - first)));
    return array;
  });
  const auto by_chunks = bytes([&](hid_t group, const char* name) {
    constexpr std::size_t chunk = 1 << 14;
    h5::Chunked array(group, name, H5T_IEEE_F64LE, values.size(), chunk, true);
    for (std::size_t first = 0; first < values.size(); first += chunk)
      array.put(h5::packed(values.data() + first, std::min(chunk, values.size() - first), sizeof(double), chunk));
    return array;
  });
  EXPECT_TRUE(by_hdf5 == by_chunks);
}

}  // namespace
}  // namespace scree
