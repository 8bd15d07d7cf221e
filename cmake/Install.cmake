# What `cmake --install` places: the program, and for systems of one's own the libraries, their headers and the
# functions of Systems.cmake. Nothing in it leads back to this tree or build, so that the prefix may be moved.
include(CMakePackageConfigHelpers)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/scree")

install(TARGETS scree COMPONENT scree)
if(TARGET scree-mpi)
  install(TARGETS scree-mpi COMPONENT scree-mpi)
endif()
install(DIRECTORY configs/ DESTINATION "${CMAKE_INSTALL_DATADIR}/scree/configs" COMPONENT scree)

# What the program says of itself. Without -n the page would hold the time at which it was packed.
set(words "${PROJECT_BINARY_DIR}/words")
add_custom_command(
  OUTPUT "${words}/scree.1.gz"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${words}"
  COMMAND scree --man > "${words}/scree.1"
  COMMAND gzip -9nf "${words}/scree.1"
  DEPENDS scree VERBATIM)
set(completions "")
foreach(place IN ITEMS bash:bash-completion/completions/scree zsh:zsh/site-functions/_scree
                       fish:fish/vendor_completions.d/scree.fish)
  string(REGEX MATCH "^([a-z]+):(.+)/([^/]+)$" place "${place}")
  set(script "${words}/${CMAKE_MATCH_1}/${CMAKE_MATCH_3}")
  add_custom_command(
    OUTPUT "${script}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${words}/${CMAKE_MATCH_1}"
    COMMAND scree completion ${CMAKE_MATCH_1} > "${script}"
    DEPENDS scree VERBATIM)
  install(FILES "${script}" DESTINATION "${CMAKE_INSTALL_DATADIR}/${CMAKE_MATCH_2}" COMPONENT scree)
  list(APPEND completions "${script}")
endforeach()
add_custom_target(scree_words ALL DEPENDS "${words}/scree.1.gz" ${completions})
install(FILES "${words}/scree.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT scree)
if(TARGET scree-mpi)  # the same page
  install(FILES "${words}/scree.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" RENAME scree-mpi.1.gz
          COMPONENT scree-mpi)
endif()

get_property(last GLOBAL PROPERTY SCREE_LAST)
foreach(library IN LISTS last)
  target_link_libraries(scree_host INTERFACE $<INSTALL_INTERFACE:$<LINK_ONLY:${library}>>)
endforeach()
install(TARGETS scree_headers scree_main scree_bench scree_host ${last} EXPORT scree-targets
        ARCHIVE COMPONENT scree-dev)
install(EXPORT scree-targets DESTINATION "${package}" COMPONENT scree-dev)
foreach(folder IN ITEMS src kernels host)
  install(DIRECTORY ${folder} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/scree" COMPONENT scree-dev
          FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN "kernels/cpu_threads.cpp")
endforeach()
install(FILES "${PROJECT_BINARY_DIR}/generated/host/common/version.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/scree/host/common" COMPONENT scree-dev)
configure_package_config_file(cmake/scree-config.cmake.in scree-config.cmake INSTALL_DESTINATION "${package}"
                              NO_CHECK_REQUIRED_COMPONENTS_MACRO NO_SET_AND_CHECK_MACRO)
# The libraries have no ABI: a program is compiled against the version that it links.
write_basic_package_version_file(scree-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/scree-config.cmake" "${PROJECT_BINARY_DIR}/scree-config-version.cmake"
              cmake/Cuda.cmake cmake/Dependencies.cmake cmake/Flags.cmake cmake/Systems.cmake cmake/models.cpp.in
              cmake/native_isa.cpp cmake/system_cpu.cpp.in cmake/system_cuda.cu.in cmake/system_model.cpp.in
        DESTINATION "${package}" COMPONENT scree-dev)
