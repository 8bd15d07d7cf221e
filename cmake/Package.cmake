# `cpack -G DEB` in a build of the preset `package`: scree, scree-dev with what systems of one's own need, scree-doc, and,
# where an MPI was found, scree-mpi in a package that is named after it.
set(SCREE_MAINTAINER "The Scree developers <scree@localhost>" CACHE STRING "Who answers for packages, and where")

# The folder of documents that Debian wants of each package.
file(READ host/page/licences.txt licences)
string(STRIP "${licences}" licences)
string(REGEX REPLACE "\n\n+" "\n.\n" licences "${licences}")
string(REPLACE "\n" "\n " licences "${licences}")
set(SCREE_LICENCES_INDENTED " ${licences}")
configure_file(packaging/copyright.in packaging/copyright @ONLY)
configure_file(packaging/changelog.in packaging/changelog @ONLY)
find_program(SCREE_GZIP gzip REQUIRED)
mark_as_advanced(SCREE_GZIP)
execute_process(COMMAND "${SCREE_GZIP}" -9nf changelog WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/packaging"
                COMMAND_ERROR_IS_FATAL ANY)

set(names scree scree-dev scree-doc)
set(CPACK_COMPONENTS_ALL scree scree-dev scree-doc)
set(CPACK_DEBIAN_SCREE_PACKAGE_NAME scree)
set(CPACK_DEBIAN_SCREE_PACKAGE_SECTION science)
set(CPACK_COMPONENT_SCREE_DESCRIPTION "ensembles of small mechanical systems
Scree runs ensembles of rocks, sliders, rotors, discs and particles and tells
what they say: where they stop, with which energy, each number with its error
bar. Schemes of integration are compared on the same samples, and a sample has
the same bits on any number of threads and on any processor.")
set(CPACK_DEBIAN_SCREE-DEV_PACKAGE_NAME scree-dev)
set(CPACK_DEBIAN_SCREE-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_SCREE-DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_SCREE-DEV_PACKAGE_DEPENDS
    scree\ \(=\ ${PROJECT_VERSION}\) cmake\ \(>=\ 3.25\) g++ ninja-build\ |\ make libhdf5-dev libqhull-dev libxxhash-dev
    zlib1g-dev libgeotiff-dev libtiff-dev libproj-dev libsqlite3-dev libpng-dev)
list(JOIN CPACK_DEBIAN_SCREE-DEV_PACKAGE_DEPENDS ", " CPACK_DEBIAN_SCREE-DEV_PACKAGE_DEPENDS)
set(CPACK_COMPONENT_SCREE-DEV_DESCRIPTION "systems of one's own for Scree
Libraries, headers and CMake functions with which `scree build` and projects
of their own make a program with another system, from one header.")
set(CPACK_DEBIAN_SCREE-DOC_PACKAGE_NAME scree-doc)
set(CPACK_DEBIAN_SCREE-DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_SCREE-DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_SCREE-DOC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_SCREE-DOC_DESCRIPTION "pages on Scree
What the commands of Scree do and print, with figures: a first map, clusters,
validation against what others measured and computed, and the schema of what
is printed as JSON.")
# With the links between them as they are in the tree.
set(doc "${CMAKE_INSTALL_DATADIR}/doc/scree-doc")
install(FILES README.md SECURITY.md CITATION.cff DESTINATION "${doc}" COMPONENT scree-doc)
install(FILES src/systems/README.md DESTINATION "${doc}/src/systems" COMPONENT scree-doc)
install(FILES bench/README.md DESTINATION "${doc}/bench" COMPONENT scree-doc)
install(DIRECTORY docs DESTINATION "${doc}" COMPONENT scree-doc
        FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.json" PATTERN "*.bib")
if(TARGET scree-mpi)
  set(mpi mpi)
  foreach(known IN ITEMS openmpi mpich)
    if("${MPI_CXX_LIBRARIES};${MPI_CXX_HEADER_DIR}" MATCHES "${known}")
      set(mpi ${known})
    endif()
  endforeach()
  list(APPEND names scree-${mpi})
  list(APPEND CPACK_COMPONENTS_ALL scree-mpi)
  set(CPACK_DEBIAN_SCREE-MPI_PACKAGE_NAME scree-${mpi})
  set(CPACK_DEBIAN_SCREE-MPI_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_SCREE-MPI_PACKAGE_DEPENDS "scree (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_SCREE-MPI_DESCRIPTION "ensembles of small mechanical systems, with MPI
The program scree-mpi, whose ranks share the samples of an ensemble and merge
them to the bits that one process would have.")
endif()
foreach(name component IN ZIP_LISTS names CPACK_COMPONENTS_ALL)
  install(FILES "${PROJECT_BINARY_DIR}/packaging/copyright" "${PROJECT_BINARY_DIR}/packaging/changelog.gz"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${name}" COMPONENT ${component})
endforeach()

set(CPACK_PACKAGE_NAME scree)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGE_VENDOR "The Scree developers")
set(CPACK_PACKAGE_CONTACT "${SCREE_MAINTAINER}")
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/modes.cmake")
include(CPack)
