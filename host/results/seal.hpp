// The seal of a result: a last line, beyond what HDF5 reads, with the checksum of all bytes before it.
//
//   "\nscree-xxh3 <XXH3-128, 32 hex digits>\n"
//
// libhdf5 1.10 reads a damaged file into memory errors, so damage has to be seen before it is opened. A program that
// changes a result drops the seal, for HDF5 cuts a file to its own length: such a file is read like any other.
#pragma once

#include <string>

namespace scree {

/// Appends the seal. Throws std::runtime_error with the system's reason.
void seal(const std::string& path);

enum class Seal { none, intact, broken };
/// A file that is longer than HDF5 takes it for, but by no seal, is broken too. Throws std::runtime_error with the
/// system's reason where the file cannot be read, and where it is shorter.
Seal seal_of(const std::string& path);

}  // namespace scree
