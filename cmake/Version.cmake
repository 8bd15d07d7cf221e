# generated/host/common/version.hpp with version, commit and its day; written again after each commit.
# SCREE_DATE_OF_MAIL is that day as the log of a package wants it. Where there is no history it is that of
# SOURCE_DATE_EPOCH.
set(SCREE_COMMIT "unknown")
set(SCREE_DATE "")
set(SCREE_DATE_OF_MAIL "Thu, 01 Jan 1970 00:00:00 +0000")
if(DEFINED ENV{SOURCE_DATE_EPOCH})  # string(TIMESTAMP) heeds it
  string(TIMESTAMP SCREE_DATE "%Y-%m-%d" UTC)
  string(TIMESTAMP SCREE_DATE_OF_MAIL "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" -c "safe.directory=*" rev-parse --short=12 HEAD
                  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" RESULT_VARIABLE failed OUTPUT_VARIABLE commit
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(SCREE_COMMIT "${commit}")
    execute_process(COMMAND "${GIT_EXECUTABLE}" -c "safe.directory=*" log -1 --format=%cs
                    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE SCREE_DATE
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND "${GIT_EXECUTABLE}" -c "safe.directory=*" log -1 --format=%cD
                    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE SCREE_DATE_OF_MAIL
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(EXISTS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
    endif()
  endif()
endif()
configure_file("${PROJECT_SOURCE_DIR}/host/common/version.hpp.in"
               "${PROJECT_BINARY_DIR}/generated/host/common/version.hpp" @ONLY)
