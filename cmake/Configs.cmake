# generated/host/config/embedded.cpp with the text of every study in configs/, and generated/host/verify/
# embedded_baseline.cpp with that of what `verify` found before; written again when one of them changes.
file(GLOB configs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/configs/*.toml")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${configs})
set(SCREE_CONFIGS "")
foreach(config IN LISTS configs)
  cmake_path(GET config STEM name)
  file(READ "${config}" text)
  string(APPEND SCREE_CONFIGS "    {\"${name}\", R\"toml(${text})toml\"},\n")
endforeach()
set(embedded_configs "${PROJECT_BINARY_DIR}/generated/host/config/embedded.cpp")
configure_file("${PROJECT_SOURCE_DIR}/host/config/embedded.cpp.in" "${embedded_configs}" @ONLY)

set(baseline "${PROJECT_SOURCE_DIR}/host/verify/baseline.csv")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${baseline}")
file(READ "${baseline}" SCREE_BASELINE)
set(embedded_baseline "${PROJECT_BINARY_DIR}/generated/host/verify/embedded_baseline.cpp")
configure_file("${PROJECT_SOURCE_DIR}/host/verify/embedded_baseline.cpp.in" "${embedded_baseline}" @ONLY)
