# SCREE_PORTABLE: programs for machines that have nothing but glibc, and a driver if they have a GPU
# (bench/gpu_bundle.sh). All other libraries are linked as archives. Sets SCREE_QHULL and SCREE_ARCHIVES, which HDF5
# needs after itself.
# SCREE_STATIC: a program for machines with an x86-64 and a Linux, without CUDA (packaging/static.sh).
set(SCREE_QHULL Qhull::qhull_r)
set(SCREE_ARCHIVES "")
if(SCREE_STATIC)
  if(SCREE_PORTABLE OR SCREE_HAS_CUDA OR SCREE_PYTHON)
    message(FATAL_ERROR "SCREE_STATIC: goes with neither SCREE_PORTABLE nor CUDA nor SCREE_PYTHON")
  endif()
  set(SCREE_GIS OFF)  # Debian has no libproj.a, and PROJ reads its definitions from a database of the system
  set(SCREE_MPI OFF)
  set(SCREE_QHULL Qhull::qhullstatic_r)
  set(HDF5_USE_STATIC_LIBRARIES ON)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  set(CMAKE_SKIP_RPATH ON)
  add_link_options(-static)
  return()
endif()
if(NOT SCREE_PORTABLE)
  return()
endif()
set(SCREE_PLAIN_ISA x86-64-v3)
set(SCREE_GIS OFF)
set(SCREE_PAGE OFF)
set(SCREE_QHULL Qhull::qhullstatic_r)
set(HDF5_USE_STATIC_LIBRARIES ON)
# FindHDF5's targets do not name what HDF5's archives need: compression. What its driver of remote files needs besides,
# curl and crypto, is not missed, as nothing here opens those and so nothing of it is linked.
foreach(library IN ITEMS sz aec z)
  find_library(SCREE_ARCHIVE_${library} NAMES lib${library}.a REQUIRED)
  mark_as_advanced(SCREE_ARCHIVE_${library})
  list(APPEND SCREE_ARCHIVES "${SCREE_ARCHIVE_${library}}")
endforeach()
find_library(XXHASH_LIBRARY NAMES libxxhash.a REQUIRED)
set(CMAKE_SKIP_RPATH ON)
add_link_options(-static-libstdc++ -static-libgcc -s)
