// What a result file may hold, whoever made it: asked of all that is in it before anything but attributes is read. The
// seal says that a file is as it was written, not by whom.
//
// HDF5 files may tell the library to read other files, to load code that unpacks them, to take more memory than there
// is, and to follow groups without end. Results need none of this:
//
//   links         within the file; groups nested at most 10 deep, 2^18 objects
//   arrays        stored in the file itself, or virtual ones of the same path in files that the root's attribute
//                 linked_parts names, all below the folder of the result (shards.hpp); unpacked by shuffle, deflate and
//                 fletcher32 alone, each once; of numbers of up to 16 bytes or of texts; chunks of up to 64 MiB
//   their size    at most 1032 times what is stored of them. More than that deflate cannot pack: two bits for 258
//   bytes.
//                 Samples that were not run, all NaN, come near it.
//   attributes    without or with one dimension, up to 16 MiB, 65536 texts
//
// The columns of a result are bounded in read.cpp, which takes no memory for them that there is not.
#pragma once

#include <hdf5.h>

namespace scree {

/// Throws std::runtime_error, one line, at the first thing of an open file that is not among these.
void require_harmless(hid_t file);

}  // namespace scree
