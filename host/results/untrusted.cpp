#include "untrusted.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "hdf5.hpp"
#include "host/common/available_memory.hpp"

namespace scree {
namespace {

using h5::Handle;
using h5::own;

constexpr int most_nested = 10;
constexpr std::uint64_t most_objects = 1 << 18, most_attributes = 1 << 16, most_texts = 1 << 16;
constexpr double most_attribute_bytes = 16 << 20, most_chunk_bytes = 64 << 20, most_packed = 1032;
constexpr std::size_t widest_number = 16;

/// Names of one object's links or attributes, as a C callback gathers them.
struct Names {
  std::vector<std::string> names;
  std::string other_file;  // a link that leads there
  std::uint64_t most;
  bool too_many() const { return names.size() > most; }
};

/// Names that lead to files in folders below that of the result.
std::vector<std::string> plain_parts(std::vector<std::string> parts) {
  for (const std::string& part : parts) {
    const std::filesystem::path path(part);
    if (path.empty() || path.is_absolute() || std::ranges::find(path, "..") != path.end())
      throw std::runtime_error("attribute linked_parts leads out of the folder of the result: " + part);
  }
  return parts;
}

class Walk {
 public:
  explicit Walk(hid_t file) {
    hsize_t size = 0;
    if (H5Fget_filesize(file, &size) < 0) throw std::runtime_error("its size cannot be told");
    file_bytes_ = static_cast<double>(size);
    look_at_attributes(file, "/");  // before one of them is read
    if (h5::has_attribute(file, "linked_parts")) parts_ = plain_parts(h5::read_raw_texts(file, "linked_parts"));
    look_at(file, "/", 0);
  }

 private:
  /// A group, array or type, and what is below it. Its path has a slash at its end only if it is the root.
  void look_at(hid_t object, const std::string& path, int depth) {
    if (++objects_ > most_objects)
      throw std::runtime_error("has more than " + std::to_string(most_objects) + " objects");
    look_at_attributes(object, path);
    switch (H5Iget_type(object)) {
      case H5I_FILE:
      case H5I_GROUP:
        return look_into(object, path, depth);
      case H5I_DATASET:
        return look_at_array(object, path);
      default:
        return;
    }
  }

  void look_into(hid_t group, const std::string& path, int depth) {
    if (depth > most_nested)  // also where a group holds itself
      throw std::runtime_error(path + " is nested more than " + std::to_string(most_nested) + " deep");
    Names links{{}, "", most_objects};
    const auto take = [](hid_t, const char* name, const H5L_info_t* link, void* into) -> herr_t {
      Names& all = *static_cast<Names*>(into);
      if (link->type == H5L_TYPE_HARD) all.names.emplace_back(name);
      // A soft one leads to what is met elsewhere. Others than these two are external ones and a user's own.
      if (link->type != H5L_TYPE_HARD && link->type != H5L_TYPE_SOFT) all.other_file = name;
      return all.too_many() || !all.other_file.empty() ? 1 : 0;
    };
    h5::require(H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, take, &links));
    const std::string start = path == "/" ? path : path + "/";
    if (!links.other_file.empty())
      throw std::runtime_error("the link " + start + links.other_file +
                               " leads to another file, which is not followed");
    for (const std::string& name : links.names) {
      if (name.empty() || name == "." || name.find('/') != std::string::npos)
        throw std::runtime_error(path + " has a link with the name \"" + name + "\", which is none");
      look_at(own(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose), start + name, depth + 1);
    }
  }

  void look_at_attributes(hid_t object, const std::string& path) const {
    Names names{{}, "", most_attributes};
    const auto take = [](hid_t, const char* name, const H5A_info_t*, void* into) -> herr_t {
      Names& all = *static_cast<Names*>(into);
      all.names.emplace_back(name);
      return all.too_many() ? 1 : 0;
    };
    h5::require(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, take, &names));
    if (names.too_many())
      throw std::runtime_error(path + " has more than " + std::to_string(most_attributes) + " attributes");
    for (const std::string& name : names.names) {
      const auto refuse = [&](const std::string& why) {
        throw std::runtime_error("attribute " + name + " of " + path + " " + why);
      };
      const Handle attribute = own(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
      const Handle space = own(H5Aget_space(attribute), H5Sclose), type = own(H5Aget_type(attribute), H5Tclose);
      if (H5Sget_simple_extent_ndims(space) > 1) refuse("has more than one dimension");
      const double values = static_cast<double>(H5Sget_simple_extent_npoints(space));
      if (values * static_cast<double>(H5Tget_size(type)) > most_attribute_bytes)
        refuse("takes more than " + bytes_text(most_attribute_bytes));
      if (H5Tis_variable_str(type) > 0 && values > static_cast<double>(most_texts))
        refuse("has more than " + std::to_string(most_texts) + " texts");
    }
  }

  void look_at_array(hid_t array, const std::string& path) const {
    const auto refuse = [&](const std::string& why) { throw std::runtime_error("array " + path + " " + why); };
    const Handle creation = own(H5Dget_create_plist(array), H5Pclose);
    if (H5Pget_external_count(creation) > 0) refuse("is stored in another file, which is not read");
    const H5D_layout_t layout = H5Pget_layout(creation);
    // Those of a merged result that leads to its parts. Other readers follow them, we do not (read.cpp).
    if (layout == H5D_VIRTUAL) {
      const auto is_part = [&](const std::string& file) { return std::ranges::find(parts_, file) != parts_.end(); };
      if (parts_.empty() || !std::ranges::all_of(h5::linked_files(array), is_part))
        refuse("is made of other arrays (a virtual one), which are not read");
      return;
    }
    look_at_filters(creation, path);
    const Handle space = own(H5Dget_space(array), H5Sclose), type = own(H5Dget_type(array), H5Tclose);
    const double width = static_cast<double>(H5Tget_size(type));
    if (layout == H5D_CHUNKED) {
      hsize_t dims[H5S_MAX_RANK];
      double chunk = width;
      for (int d = H5Pget_chunk(creation, H5S_MAX_RANK, dims); d-- > 0;) chunk *= static_cast<double>(dims[d]);
      if (chunk > most_chunk_bytes)
        refuse("has chunks of " + bytes_text(chunk) + ", must be at most " + bytes_text(most_chunk_bytes));
    }
    const H5T_class_t kind = H5Tget_class(type);
    const bool is_number = kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM;
    if (is_number && H5Tget_size(type) > widest_number)
      refuse("has numbers of " + std::to_string(H5Tget_size(type)) + " bytes");
    // What the file says of the stored size may exceed the file.
    const double bytes = width * static_cast<double>(H5Sget_simple_extent_npoints(space)),
                 stored = std::min(static_cast<double>(H5Dget_storage_size(array)), file_bytes_);
    // An array without any is a dimension without a coordinate, or refused where it is read.
    if (stored > 0 && bytes > most_packed * stored)
      refuse("has " + bytes_text(bytes) + " in " + bytes_text(stored) + ", which no packing gives");
  }

  void look_at_filters(hid_t creation, const std::string& path) const {
    std::vector<H5Z_filter_t> met;
    for (int k = 0, count = H5Pget_nfilters(creation); k < count; ++k) {
      unsigned flags = 0, config = 0;
      std::size_t values = 0;
      char name[64] = "";
      const H5Z_filter_t filter =
          H5Pget_filter2(creation, static_cast<unsigned>(k), &flags, &values, nullptr, sizeof name, name, &config);
      const bool known =
          filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_FLETCHER32;
      if (!known)
        throw std::runtime_error("array " + path + " is packed by the filter " + std::to_string(filter) +
                                 (name[0] ? " (" + std::string(name) + ")" : "") +
                                 ", must be by shuffle, deflate or fletcher32");
      if (std::ranges::find(met, filter) != met.end()) throw std::runtime_error("array " + path + " is packed twice");
      met.push_back(filter);
    }
  }

  double file_bytes_ = 0;
  std::uint64_t objects_ = 0;
  std::vector<std::string> parts_;  // of a result that leads to them
};

}  // namespace

void require_harmless(hid_t file) { Walk{file}; }

}  // namespace scree
