// Thin wrapper of the HDF5 C interface: handles that close themselves, and attributes and arrays of the few types that
// a result has. Every failure throws std::runtime_error with HDF5's innermost reason, std::bad_alloc where that is want
// of memory; nothing is printed.
//
// All groups, attributes and files are made with creation order tracked, so that readers list them in our order, and
// without times, so that equal results are equal files.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace scree::h5 {

/// Owns an HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle();
  operator hid_t() const { return id_; }
  /// Closes now and throws if that fails, as it does when a full disk refuses the last blocks, or if it failed for
  /// anything that was closed since a file was made or opened to add to: HDF5 writes what it has in hand of an array
  /// then, and tells nobody else.
  void close();

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Of the library, as "1.10.8".
std::string version();

/// Of a call: nothing, or what it opened; throws if it failed.
void require(herr_t result);
Handle own(hid_t id, Handle::Close close);

/// While one lives, no other thread has one: HDF5 is made for one thread at a time. And it prints no errors.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Replaces an existing file. One that links to others needs HDF5 1.10 to be read.
Handle create_file(const std::string& path, bool links = false);
Handle open_file(const std::string& path);    // for reading, without filters that are not HDF5's own
Handle open_to_add(const std::string& path);  // for writing more into it
Handle create_group(hid_t parent, const std::string& name);
Handle open_group(hid_t parent, const std::string& name);
Handle open_array(hid_t parent, const std::string& name);
bool has_link(hid_t parent, const std::string& name);
std::vector<std::string> link_names(hid_t group);  // in the order in which they were made
bool has_attribute(hid_t object, const std::string& name);

void write_attribute(hid_t object, const std::string& name, const std::string& value);  // UTF-8
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, float value);
void write_attribute(hid_t object, const std::string& name, std::int64_t value);
void write_attribute(hid_t object, const std::string& name, std::uint64_t value);
void write_attribute(hid_t object, const std::string& name, int value);
void write_attribute(hid_t object, const std::string& name, std::span<const std::string> values);  // nothing if empty
void write_attribute(hid_t object, const std::string& name, std::span<const std::int32_t> values);
void write_attribute(hid_t object, const std::string& name, std::span<const double> values);
void write_attribute(hid_t object, const std::string& name, const char*) = delete;  // would become an int

/// To be printed: with control characters shown, as \x1b (text_input.hpp).
std::string read_text(hid_t object, const std::string& name);
std::vector<std::string> read_texts(hid_t object, const std::string& name);  // empty if there is no such attribute
/// As they are stored: configs, names of files, and what is to give the same again.
std::string read_raw_text(hid_t object, const std::string& name);
std::vector<std::string> read_raw_texts(hid_t object, const std::string& name);
double read_double(hid_t object, const std::string& name);
std::vector<double> read_doubles(hid_t object, const std::string& name, std::size_t count);  // no more and no fewer
std::uint64_t read_uint(hid_t object, const std::string& name);

/// An array of the shape `dims`, shuffled and deflated where that is worth a filter. `file_type` as it is stored.
Handle write_array(hid_t group, const std::string& name, std::span<const hsize_t> dims, hid_t file_type,
                   hid_t memory_type, const void* values);
Handle write_array(hid_t group, const std::string& name, std::span<const hsize_t> dims, std::span<const double> values);
Handle write_array(hid_t group, const std::string& name, std::span<const hsize_t> dims,
                   std::span<const std::int64_t> values);
Handle write_array(hid_t group, const std::string& name, std::span<const std::string> values);

/// An array of one dimension, shuffled and deflated, that is written piece by piece.
class Growing {
 public:
  Growing(hid_t group, const std::string& name, hid_t file_type);
  void append(std::size_t count, hid_t memory_type, const void* values);
  void append(std::span<const double> values) { append(values.size(), H5T_NATIVE_DOUBLE, values.data()); }
  operator hid_t() const { return array_; }

 private:
  Handle array_;
  hsize_t size_ = 0;
};

/// A chunk as it is stored: shuffled and deflated.
struct Packed {
  std::string bytes;
  std::uint32_t skipped = 0;  // bit k: filter k was of no use
};
/// The one of `count` numbers of `size` bytes each that has room for `chunk` of them: the rest is 0. Unlike all else
/// here it may be called by several threads at once.
Packed packed(const void* values, std::size_t count, std::size_t size, std::size_t chunk);

/// An array of one dimension, of numbers as this machine has them, whose chunks come one by one, packed.
class Chunked {
 public:
  /// `may_grow` is what Growing says of its arrays, which readers see.
  Chunked(hid_t group, const std::string& name, hid_t type, std::uint64_t size, std::size_t chunk, bool may_grow);
  /// One that is written already.
  explicit Chunked(Handle whole) : array_(std::move(whole)), chunk_(0), most_waiting_(0) {}
  Chunked(Chunked&&) = default;
  /// Writes what put() has in hand. If that fails the file says so when it is closed.
  ~Chunked();
  /// The next one. HDF5 writes the chunks that fit in its cache of 1 MiB when the array is closed, after what was
  /// written beside it meanwhile; so it is here, and files have the bytes that HDF5 alone would give them.
  void put(Packed chunk);
  operator hid_t() const { return array_; }

 private:
  void write_first();
  Handle array_;
  std::deque<Packed> waiting_;
  std::size_t chunk_, most_waiting_;
  hsize_t next_ = 0;
};

/// Writes the numbers from `first` on as they are stored; called by several threads at once.
using Fill = std::function<void(std::uint64_t first, std::size_t count, void* into)>;
/// An array of `size` numbers that are nowhere at once, of a type of this machine, as write_array() would store them.
/// `written` is told of those that are not asked for again.
Chunked write_pieces(hid_t group, const std::string& name, hid_t type, std::uint64_t size, int threads,
                     const Fill& fill,
                     const std::function<void(std::uint64_t first, std::uint64_t count)>& written = {});

/// Some numbers of an array that are those of the array of the same path in another file.
struct Link {
  std::string file;  // as HDF5 finds it: relative to the folder of the file that leads there
  std::uint64_t first, count;
};
/// An array without numbers of its own (a virtual one): `fill`, of its type, where no link leads.
Handle write_links(hid_t group, const std::string& name, hid_t type, std::uint64_t size, const void* fill,
                   std::span<const Link> links);
/// The path of an object in its file.
std::string path_of(hid_t object);
/// The files that a virtual array leads to. Throws if one leads to an array of another path.
std::vector<std::string> linked_files(hid_t array);

/// A dimension without a coordinate, as netCDF stores it.
Handle write_dimension(hid_t group, const std::string& name, hsize_t size);

/// Whether an array is of whole numbers.
bool is_whole(hid_t array);
/// How many entries an array has; throws if none of them was ever written.
std::uint64_t size_of(hid_t array);
/// Throws if an array has not `size` entries.
void require_size(hid_t array, std::uint64_t size);
/// Reads an array that must have `size` entries.
void read_array(hid_t group, const std::string& name, hid_t memory_type, std::uint64_t size, void* values);

/// Makes a dataset the coordinate of its own dimension, as netCDF and xarray understand it.
void make_coordinate(hid_t dataset, const std::string& name);
/// A coordinate of these names.
Handle write_coordinate(hid_t group, const std::string& name, std::span<const std::string> values);
/// CF's way to name the values, 0 on, of an integer variable: one word per value.
void write_flags(hid_t dataset, std::span<const std::string> names);
/// The same of an integer variable of which each mask is a bit.
void write_flag_masks(hid_t dataset, std::span<const std::int32_t> masks, std::span<const std::string> names);
/// Labels dimension `dimension` of a dataset with a coordinate.
void label(hid_t dataset, unsigned dimension, hid_t coordinate);

/// An enumeration over u32 with these names, from 0 on.
Handle enumeration(std::span<const char* const> names);
/// Stores a type under a name, as netCDF wants it of every enumeration.
void commit(hid_t parent, const std::string& name, hid_t type);

}  // namespace scree::h5
