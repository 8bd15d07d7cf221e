# generated/host/common/version.hpp with version and commit; written again after each commit.
set(SCREE_COMMIT "unknown")
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" -c "safe.directory=*" rev-parse --short=12 HEAD
                  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" RESULT_VARIABLE failed OUTPUT_VARIABLE commit
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(SCREE_COMMIT "${commit}")
    if(EXISTS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
    endif()
  endif()
endif()
configure_file("${PROJECT_SOURCE_DIR}/host/common/version.hpp.in"
               "${PROJECT_BINARY_DIR}/generated/host/common/version.hpp" @ONLY)
