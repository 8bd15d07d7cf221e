#include "hdf5.hpp"

#include <hdf5_hl.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>
#include <numeric>
#include <stdexcept>

#include "host/common/parallel.hpp"
#include "host/common/text_input.hpp"

namespace scree::h5 {
namespace {

/// Ends the library at exit where it has written: after a damaged file it finds no end, and says so. Nor where anything
/// failed since, for HDF5 would try again to write what a full disk refused, and crash. The library's own handler is
/// kept off, which has to come before any other call.
struct Library {
  Library() { H5dont_atexit(); }
  ~Library() {
    if (wrote && !failed) H5close();
  }
  bool wrote = false, failed = false;
  std::string lost;  // why what an object had in hand could not be written when it was closed; empty: all was
} library;

/// HDF5's innermost reason, one line: where that is a call that the system refused, the system's own words, as `No
/// space left on device`, without the addresses and counts that HDF5 puts around them.
std::string reason() {
  std::string text = "HDF5 gives no reason";
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned n, const H5E_error2_t* error, void* into) -> herr_t {
        if (n == 0 && error->desc) *static_cast<std::string*>(into) = error->desc;
        return 0;
      },
      &text);
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::string before = "error message = '";
  if (const std::size_t at = text.rfind(before); at != std::string::npos) {
    const std::size_t first = at + before.size(), end = text.find('\'', first);
    if (end != std::string::npos) return text.substr(first, end - first);
  }
  return text;
}

/// Throws std::bad_alloc where HDF5 had no memory, else what it says.
[[noreturn]] void fail(const std::string& why) {
  library.failed = library.failed || library.wrote;
  if (why.starts_with("memory allocation failed")) {
    library.failed = true;
    throw std::bad_alloc();
  }
  throw std::runtime_error(why);
}

/// HDF5 1.10 crashes where it does not get the memory of a file's cache, which is less than this.
void require_memory_of_a_file() { ::operator delete(::operator new (std::size_t{4} << 20)); }

Handle text_type() {
  Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose);
  require(H5Tset_size(type, H5T_VARIABLE));
  require(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

Handle space(std::span<const hsize_t> dims) {
  if (dims.empty()) return own(H5Screate(H5S_SCALAR), H5Sclose);
  return own(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose);
}

void attribute(hid_t object, const std::string& name, std::span<const hsize_t> dims, hid_t file_type, hid_t memory_type,
               const void* values) {
  const Handle of = space(dims);
  const Handle written = own(H5Acreate2(object, name.c_str(), file_type, of, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  require(H5Awrite(written, memory_type, values));
}

/// `count` numbers of this class: more would be written beyond their place.
void read_numbers(hid_t object, const std::string& name, std::size_t count, H5T_class_t kind, hid_t memory_type,
                  void* values) {
  if (H5Aexists(object, name.c_str()) <= 0) throw std::runtime_error("attribute " + name + " is missing");
  const Handle read = own(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle of = own(H5Aget_space(read), H5Sclose), type = own(H5Aget_type(read), H5Tclose);
  if (H5Sget_simple_extent_npoints(of) != static_cast<hssize_t>(count) || H5Tget_class(type) != kind)
    throw std::runtime_error("attribute " + name + " is not " +
                             (count == 1 ? "a number" : "a list of " + std::to_string(count) + " numbers"));
  require(H5Aread(read, memory_type, values));
}

static_assert(std::endian::native == std::endian::little, "chunks are packed as numbers lie in memory");

constexpr hsize_t chunk_limit = 1 << 16;  // 512 KiB of doubles: fits the default chunk cache of 1 MiB
constexpr hsize_t worth_a_filter = 128;
constexpr int deflate_level = 4;

Handle array_creation() {
  Handle creation = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  require(H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  require(H5Pset_obj_track_times(creation, false));
  return creation;
}

void pack_chunks(hid_t creation, std::span<const hsize_t> chunk) {
  require(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()));
  require(H5Pset_shuffle(creation));
  require(H5Pset_deflate(creation, deflate_level));
}

std::vector<const char*> pointers(std::span<const std::string> values) {
  std::vector<const char*> result;
  for (const std::string& value : values) result.push_back(value.c_str());
  return result;
}

}  // namespace

void Handle::close() {
  const hid_t id = std::exchange(id_, -1);
  if (id >= 0 && close_(id) < 0) {
    library.failed = true;
    fail(reason());
  }
  if (const std::string lost = std::exchange(library.lost, ""); !lost.empty()) fail(lost);
}

Handle::~Handle() {
  if (id_ < 0 || close_(id_) >= 0) return;
  library.failed = true;
  library.lost = reason();
}

std::string version() {
  unsigned major = 0, minor = 0, release = 0;
  require(H5get_libversion(&major, &minor, &release));
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

void require(herr_t result) {
  if (result < 0) fail(reason());
}

Handle own(hid_t id, Handle::Close close) {
  if (id < 0) fail(reason());
  return {id, close};
}

namespace {

std::recursive_mutex& of_the_library() {
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace

Session::Session() : lock_(of_the_library()) {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

Handle create_file(const std::string& path, bool links) {
  require_memory_of_a_file();
  library.wrote = true;
  library.lost.clear();
  const Handle creation = own(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  require(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  require(H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  require(H5Pset_obj_track_times(creation, false));
  const Handle access = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // A close with handles still open fails, else the true close would come later and its errors be lost.
  require(H5Pset_fclose_degree(access, H5F_CLOSE_SEMI));
  const H5F_libver_t newest = links ? H5F_LIBVER_V110 : H5F_LIBVER_V18;
  require(H5Pset_libver_bounds(access, newest, newest));
  return own(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose);
}

Handle open_to_add(const std::string& path) {
  require_memory_of_a_file();
  library.wrote = true;
  library.lost.clear();
  const Handle access = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  require(H5Pset_fclose_degree(access, H5F_CLOSE_SEMI));
  require(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18));
  return own(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose);
}

Handle open_file(const std::string& path) {
  require_memory_of_a_file();
  require(H5PLset_loading_state(0));  // a file that names a filter would have it looked for and its code run
  return own(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
}

Handle create_group(hid_t parent, const std::string& name) {
  const Handle creation = own(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  require(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  require(H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  require(H5Pset_obj_track_times(creation, false));
  return own(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose);
}

Handle open_group(hid_t parent, const std::string& name) {
  return own(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose);
}

Handle open_array(hid_t parent, const std::string& name) {
  return own(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose);
}

bool has_link(hid_t parent, const std::string& name) { return H5Lexists(parent, name.c_str(), H5P_DEFAULT) > 0; }

std::vector<std::string> link_names(hid_t group) {
  std::vector<std::string> names;
  require(H5Literate(
      group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr,
      [](hid_t, const char* name, const H5L_info_t*, void* into) -> herr_t {
        static_cast<std::vector<std::string>*>(into)->push_back(name);
        return 0;
      },
      &names));
  return names;
}

bool has_attribute(hid_t object, const std::string& name) { return H5Aexists(object, name.c_str()) > 0; }

void write_attribute(hid_t object, const std::string& name, const std::string& value) {
  const char* text = value.c_str();
  const Handle type = text_type();
  attribute(object, name, {}, type, type, &text);
}

void write_attribute(hid_t object, const std::string& name, double value) {
  attribute(object, name, {}, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void write_attribute(hid_t object, const std::string& name, float value) {
  attribute(object, name, {}, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, &value);
}

void write_attribute(hid_t object, const std::string& name, std::int64_t value) {
  attribute(object, name, {}, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void write_attribute(hid_t object, const std::string& name, std::uint64_t value) {
  attribute(object, name, {}, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

void write_attribute(hid_t object, const std::string& name, int value) {
  write_attribute(object, name, static_cast<std::int64_t>(value));
}

void write_attribute(hid_t object, const std::string& name, std::span<const std::string> values) {
  if (values.empty()) return;
  const hsize_t dims[] = {values.size()};
  const Handle type = text_type();
  attribute(object, name, dims, type, type, pointers(values).data());
}

void write_attribute(hid_t object, const std::string& name, std::span<const std::int32_t> values) {
  if (values.empty()) return;
  const hsize_t dims[] = {values.size()};
  attribute(object, name, dims, H5T_STD_I32LE, H5T_NATIVE_INT32, values.data());
}

void write_attribute(hid_t object, const std::string& name, std::span<const double> values) {
  const hsize_t dims[] = {values.size()};
  attribute(object, name, dims, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data());
}

std::vector<std::string> read_raw_texts(hid_t object, const std::string& name) {
  if (!has_attribute(object, name)) return {};
  const Handle read = own(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle stored = own(H5Aget_type(read), H5Tclose);
  if (H5Tis_variable_str(stored) <= 0) throw std::runtime_error("attribute " + name + " is not a text");
  const Handle of = own(H5Aget_space(read), H5Sclose);
  std::vector<char*> raw(static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(of))));
  const Handle type = text_type();
  require(H5Aread(read, type, raw.data()));
  std::vector<std::string> values;
  for (const char* text : raw) values.emplace_back(text ? text : "");
  require(H5Dvlen_reclaim(type, of, H5P_DEFAULT, raw.data()));
  return values;
}

std::string read_raw_text(hid_t object, const std::string& name) {
  const std::vector<std::string> values = read_raw_texts(object, name);
  if (values.size() != 1) throw std::runtime_error("attribute " + name + " is missing");
  return values[0];
}

std::vector<std::string> read_texts(hid_t object, const std::string& name) {
  std::vector<std::string> values = read_raw_texts(object, name);
  for (std::string& value : values) value = printable(value);
  return values;
}

std::string read_text(hid_t object, const std::string& name) { return printable(read_raw_text(object, name)); }

double read_double(hid_t object, const std::string& name) {
  double value = 0;
  read_numbers(object, name, 1, H5T_FLOAT, H5T_NATIVE_DOUBLE, &value);
  return value;
}

std::vector<double> read_doubles(hid_t object, const std::string& name, std::size_t count) {
  std::vector<double> values(count);
  read_numbers(object, name, count, H5T_FLOAT, H5T_NATIVE_DOUBLE, values.data());
  return values;
}

std::uint64_t read_uint(hid_t object, const std::string& name) {
  std::uint64_t value = 0;
  read_numbers(object, name, 1, H5T_INTEGER, H5T_NATIVE_UINT64, &value);
  return value;
}

Handle write_array(hid_t group, const std::string& name, std::span<const hsize_t> dims, hid_t file_type,
                   hid_t memory_type, const void* values) {
  const Handle creation = array_creation();
  const bool is_raster = dims.size() == 2 && dims[0] * dims[1] >= chunk_limit;
  if (is_raster || (dims.size() == 1 && dims[0] >= worth_a_filter)) {
    const hsize_t row[] = {std::min(dims[0], chunk_limit)};
    const hsize_t rows[] = {std::max<hsize_t>(1, std::min(dims[0], chunk_limit / dims.back())), dims.back()};
    pack_chunks(creation, is_raster ? std::span<const hsize_t>(rows) : std::span<const hsize_t>(row));
  }
  const Handle of = space(dims);
  Handle dataset = own(H5Dcreate2(group, name.c_str(), file_type, of, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  if (H5Sget_simple_extent_npoints(of) > 0)
    require(H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  return dataset;
}

Handle write_array(hid_t group, const std::string& name, std::span<const hsize_t> dims,
                   std::span<const double> values) {
  return write_array(group, name, dims, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data());
}

Handle write_array(hid_t group, const std::string& name, std::span<const hsize_t> dims,
                   std::span<const std::int64_t> values) {
  return write_array(group, name, dims, H5T_STD_I64LE, H5T_NATIVE_INT64, values.data());
}

Handle write_array(hid_t group, const std::string& name, std::span<const std::string> values) {
  const hsize_t dims[] = {values.size()};
  const Handle type = text_type();
  return write_array(group, name, dims, type, type, pointers(values).data());
}

Growing::Growing(hid_t group, const std::string& name, hid_t file_type) {
  const Handle creation = array_creation();
  const hsize_t chunk[] = {1 << 14}, none[] = {0}, any[] = {H5S_UNLIMITED};
  pack_chunks(creation, chunk);
  const Handle of = own(H5Screate_simple(1, none, any), H5Sclose);
  array_ = own(H5Dcreate2(group, name.c_str(), file_type, of, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
}

void Growing::append(std::size_t count, hid_t memory_type, const void* values) {
  if (count == 0) return;
  const hsize_t first[] = {size_}, more[] = {count};
  size_ += count;
  require(H5Dset_extent(array_, &size_));
  const Handle of = own(H5Dget_space(array_), H5Sclose), piece = space(more);
  require(H5Sselect_hyperslab(of, H5S_SELECT_SET, first, nullptr, more, nullptr));
  require(H5Dwrite(array_, memory_type, piece, of, H5P_DEFAULT, values));
}

Packed packed(const void* values, std::size_t count, std::size_t size, std::size_t chunk) {
  // Byte k of all numbers, then byte k + 1: as HDF5 shuffles them.
  std::vector<unsigned char> shuffled(chunk * size);
  const auto* const from = static_cast<const unsigned char*>(values);
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t i = 0; i < count; ++i) shuffled[k * chunk + i] = from[i * size + k];
  // What HDF5's own filter gives zlib.
  Packed chunk_of;
  const auto room = static_cast<uLongf>(std::ceil(static_cast<double>(shuffled.size()) * 1.001)) + 12;
  chunk_of.bytes.resize(room);
  uLongf length = room;
  if (compress2(reinterpret_cast<Bytef*>(chunk_of.bytes.data()), &length, shuffled.data(), shuffled.size(),
                deflate_level) == Z_OK) {
    chunk_of.bytes.resize(length);
  } else {
    chunk_of.bytes.assign(shuffled.begin(), shuffled.end());
    chunk_of.skipped = 2;
  }
  return chunk_of;
}

Chunked::Chunked(hid_t group, const std::string& name, hid_t type, std::uint64_t size, std::size_t chunk, bool may_grow)
    : chunk_(chunk) {
  constexpr std::size_t cache = std::size_t{1} << 20;
  most_waiting_ = cache / (chunk * H5Tget_size(type));
  const Handle creation = array_creation();
  const hsize_t dims[] = {size}, of_chunk[] = {chunk}, most[] = {may_grow ? H5S_UNLIMITED : size};
  pack_chunks(creation, of_chunk);
  const Handle of = own(H5Screate_simple(1, dims, most), H5Sclose);
  array_ = own(H5Dcreate2(group, name.c_str(), type, of, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
}

Chunked::~Chunked() {
  try {
    while (!waiting_.empty()) write_first();
  } catch (const std::exception& error) {
    library.lost = error.what();
  }
}

void Chunked::put(Packed chunk) {
  if (next_ == 0 && waiting_.empty()) {  // HDF5 makes the index of chunks for the first number that it is given
    const hsize_t first[] = {0}, one[] = {1};
    const Handle of = own(H5Dget_space(array_), H5Sclose), piece = space(one);
    require(H5Sselect_hyperslab(of, H5S_SELECT_SET, first, nullptr, one, nullptr));
    const std::uint64_t zero = 0;
    const Handle type = own(H5Dget_type(array_), H5Tclose);
    require(H5Dwrite(array_, type, piece, of, H5P_DEFAULT, &zero));
  }
  waiting_.push_back(std::move(chunk));
  if (waiting_.size() > most_waiting_) write_first();
}

void Chunked::write_first() {
  const Packed chunk = std::move(waiting_.front());
  waiting_.pop_front();
  const hsize_t first[] = {next_};
  next_ += chunk_;
  require(H5Dwrite_chunk(array_, H5P_DEFAULT, chunk.skipped, first, chunk.bytes.size(), chunk.bytes.data()));
}

Chunked write_pieces(hid_t group, const std::string& name, hid_t type, std::uint64_t size, int threads,
                     const Fill& fill, const std::function<void(std::uint64_t first, std::uint64_t count)>& written) {
  const std::size_t of_one = H5Tget_size(type);
  if (size < worth_a_filter) {
    std::vector<unsigned char> values(static_cast<std::size_t>(size) * of_one);
    if (size > 0) fill(0, static_cast<std::size_t>(size), values.data());
    const hsize_t dims[] = {size};
    return Chunked(write_array(group, name, dims, type, type, values.data()));
  }
  const auto chunk = static_cast<std::size_t>(std::min<std::uint64_t>(size, chunk_limit));
  Chunked array(group, name, type, size, chunk, false);
  const std::uint64_t at_once = 2 * chunk * static_cast<std::uint64_t>(std::max(threads, 1));
  for (std::uint64_t first = 0; first < size; first += at_once) {
    const std::uint64_t count = std::min(size - first, at_once);
    std::vector<Packed> chunks((count + chunk - 1) / chunk);
    on_threads(threads, chunks.size(), [&](std::size_t k) {
      const std::uint64_t begin = k * chunk;
      const auto of_this = static_cast<std::size_t>(std::min<std::uint64_t>(count - begin, chunk));
      std::vector<unsigned char> values(of_this * of_one);
      fill(first + begin, of_this, values.data());
      chunks[k] = packed(values.data(), of_this, of_one, chunk);
    });
    for (Packed& ready : chunks) array.put(std::move(ready));
    if (written) written(first, count);
  }
  return array;
}

std::string path_of(hid_t object) {
  const ssize_t length = H5Iget_name(object, nullptr, 0);
  require(static_cast<herr_t>(length < 0 ? -1 : 0));
  std::string path(static_cast<std::size_t>(length) + 1, '\0');
  H5Iget_name(object, path.data(), path.size());
  path.pop_back();
  return path;
}

namespace {

/// HDF5 takes names of what a virtual array leads to for formats, as of printf.
std::string as_format(const std::string& name) {
  std::string format;
  for (const char c : name) format += c == '%' ? std::string("%%") : std::string(1, c);
  return format;
}
std::string of_format(const std::string& format) {
  std::string name;
  for (std::size_t i = 0; i < format.size(); ++i) {
    name += format[i];
    if (format.substr(i, 2) == "%%") ++i;
  }
  return name;
}

}  // namespace

Handle write_links(hid_t group, const std::string& name, hid_t type, std::uint64_t size, const void* fill,
                   std::span<const Link> links) {
  const Handle creation = array_creation();
  const std::string above = path_of(group), path = (above == "/" ? above : above + "/") + name;
  const hsize_t all[] = {size};
  const Handle whole = space(all);
  require(H5Pset_fill_value(creation, type, fill));
  for (const Link& link : links) {
    if (link.count == 0) continue;
    const hsize_t first[] = {link.first}, count[] = {link.count};
    const Handle part = space(count);
    require(H5Sselect_hyperslab(whole, H5S_SELECT_SET, first, nullptr, count, nullptr));
    require(H5Pset_virtual(creation, whole, as_format(link.file).c_str(), as_format(path).c_str(), part));
  }
  require(H5Sselect_all(whole));
  return own(H5Dcreate2(group, name.c_str(), type, whole, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
}

std::vector<std::string> linked_files(hid_t array) {
  const Handle creation = own(H5Dget_create_plist(array), H5Pclose);
  std::size_t count = 0;
  require(H5Pget_virtual_count(creation, &count));
  const std::string path = path_of(array);
  std::vector<std::string> files;
  const auto text = [&](auto get, std::size_t k) {
    const ssize_t length = get(creation, k, nullptr, 0);
    require(static_cast<herr_t>(length < 0 ? -1 : 0));
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    get(creation, k, name.data(), name.size());
    name.pop_back();
    return name;
  };
  for (std::size_t k = 0; k < count; ++k) {
    if (text(&H5Pget_virtual_dsetname, k) != as_format(path))
      throw std::runtime_error("array " + path + " is made of an array of another path");
    files.push_back(of_format(text(&H5Pget_virtual_filename, k)));
  }
  return files;
}

Handle write_dimension(hid_t group, const std::string& name, hsize_t size) {
  const Handle creation = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  require(H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  require(H5Pset_obj_track_times(creation, false));
  const hsize_t dims[] = {size};
  const Handle of = space(dims);
  Handle scale = own(H5Dcreate2(group, name.c_str(), H5T_IEEE_F32BE, of, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  char text[80];
  std::snprintf(text, sizeof text, "This is a netCDF dimension but not a netCDF variable. %10llu",
                static_cast<unsigned long long>(size));
  make_coordinate(scale, text);
  return scale;
}

bool is_whole(hid_t array) {
  const Handle type = own(H5Dget_type(array), H5Tclose);
  return H5Tget_class(type) == H5T_INTEGER;
}

std::uint64_t size_of(hid_t array) {
  const Handle of = own(H5Dget_space(array), H5Sclose);
  const hssize_t size = H5Sget_simple_extent_npoints(of);
  if (size < 0) throw std::runtime_error("an array has no size");
  if (size > 0 && H5Dget_storage_size(array) == 0) throw std::runtime_error("an array has a size and no values");
  return static_cast<std::uint64_t>(size);
}

void require_size(hid_t array, std::uint64_t size) {
  if (size_of(array) != size) throw std::runtime_error("an array has not one entry per sample");
}

void read_array(hid_t group, const std::string& name, hid_t memory_type, std::uint64_t size, void* values) {
  const Handle array = open_array(group, name);
  // HDF5 would look for its parts elsewhere too, and give missing values for one that is gone.
  if (H5Pget_layout(own(H5Dget_create_plist(array), H5Pclose)) == H5D_VIRTUAL)
    throw std::runtime_error("array " + path_of(array) + " is a virtual one, which is not read");
  require_size(array, size);
  if (size > 0) require(H5Dread(array, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

void make_coordinate(hid_t dataset, const std::string& name) { require(H5DSset_scale(dataset, name.c_str())); }

Handle write_coordinate(hid_t group, const std::string& name, std::span<const std::string> values) {
  Handle coordinate = write_array(group, name, values);
  make_coordinate(coordinate, name);
  return coordinate;
}

namespace {

/// Names as one text, blanks in them as _.
void write_flag_meanings(hid_t dataset, std::span<const std::string> names) {
  std::string words;
  for (const std::string& name : names) words += (words.empty() ? "" : " ") + name;
  std::size_t at = 0;
  for (const std::string& name : names) {
    std::replace(words.begin() + static_cast<std::ptrdiff_t>(at),
                 words.begin() + static_cast<std::ptrdiff_t>(at + name.size()), ' ', '_');
    at += name.size() + 1;
  }
  write_attribute(dataset, "flag_meanings", words);
}

}  // namespace

void write_flags(hid_t dataset, std::span<const std::string> names) {
  std::vector<std::int32_t> values(names.size());
  std::iota(values.begin(), values.end(), 0);
  write_attribute(dataset, "flag_values", values);
  write_flag_meanings(dataset, names);
}

void write_flag_masks(hid_t dataset, std::span<const std::int32_t> masks, std::span<const std::string> names) {
  write_attribute(dataset, "flag_masks", masks);
  write_flag_meanings(dataset, names);
}

void label(hid_t dataset, unsigned dimension, hid_t coordinate) {
  require(H5DSattach_scale(dataset, coordinate, dimension));
}

Handle enumeration(std::span<const char* const> names) {
  Handle type = own(H5Tenum_create(H5T_STD_U32LE), H5Tclose);
  for (std::uint32_t value = 0; value < names.size(); ++value) require(H5Tenum_insert(type, names[value], &value));
  return type;
}

void commit(hid_t parent, const std::string& name, hid_t type) {
  const Handle creation = own(H5Pcreate(H5P_DATATYPE_CREATE), H5Pclose);
  require(H5Pset_obj_track_times(creation, false));
  require(H5Tcommit2(parent, name.c_str(), type, H5P_DEFAULT, creation, H5P_DEFAULT));
}

}  // namespace scree::h5
