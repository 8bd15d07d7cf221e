# The libraries that those of Scree are linked with, found by this tree, and again where the installed package is used
# (scree-config.cmake.in). Sets SCREE_LINKED. SCREE_GIS, SCREE_PAGE and SCREE_PORTABLE say which there are.
find_package(Threads REQUIRED)
find_package(HDF5 1.10.3 REQUIRED COMPONENTS C HL)  # H5Dwrite_chunk
set(zlib "")  # of the archives, if these are linked
if(NOT SCREE_PORTABLE)
  find_package(ZLIB REQUIRED)
  set(zlib ZLIB::ZLIB)
endif()
find_package(Qhull REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
add_library(scree_xxhash INTERFACE IMPORTED)
set_target_properties(scree_xxhash PROPERTIES INTERFACE_LINK_LIBRARIES "${XXHASH_LIBRARY}"
                                              INTERFACE_INCLUDE_DIRECTORIES "${XXHASH_INCLUDE_DIR}")

# Coordinate reference systems, GeoTIFF and GeoPackage.
set(gis "")
if(SCREE_GIS)
  find_package(TIFF REQUIRED)
  find_package(PROJ REQUIRED)
  find_package(SQLite3 REQUIRED)
  find_library(GEOTIFF_LIBRARY geotiff REQUIRED)
  add_library(scree_geotiff INTERFACE IMPORTED)
  set_target_properties(scree_geotiff PROPERTIES INTERFACE_LINK_LIBRARIES "${GEOTIFF_LIBRARY}")
  set(gis scree_geotiff TIFF::TIFF PROJ::proj SQLite::SQLite3)
endif()

# The pages of `scree report`.
set(page "")
if(SCREE_PAGE)
  find_package(PNG REQUIRED)
  set(page PNG::PNG ZLIB::ZLIB)
endif()

set(SCREE_LINKED Threads::Threads hdf5::hdf5_hl hdf5::hdf5 ${SCREE_ARCHIVES} ${zlib} ${SCREE_QHULL} scree_xxhash ${gis}
                 ${page})
