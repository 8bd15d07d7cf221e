# CUDA is optional: found in CUDACXX, on the PATH or in the usual place, and used from version 12 on.
# Sets SCREE_HAS_CUDA and adds to SCREE_OPTIONS.
set(SCREE_HAS_CUDA OFF)
if(NOT SCREE_CUDA)
  message(STATUS "CUDA backend: off (SCREE_CUDA)")
  return()
endif()

find_program(SCREE_NVCC NAMES "$ENV{CUDACXX}" nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda
             PATH_SUFFIXES bin)
mark_as_advanced(SCREE_NVCC)
if(NOT SCREE_NVCC)
  message(STATUS "CUDA backend: no nvcc found")
  return()
endif()
execute_process(COMMAND "${SCREE_NVCC}" --version OUTPUT_VARIABLE nvcc_version ERROR_QUIET)
string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" nvcc_version "${nvcc_version}")
if(NOT CMAKE_MATCH_1)
  message(STATUS "CUDA backend: ${SCREE_NVCC} does not say its version, not used")
  return()
elseif(NOT CMAKE_MATCH_1 VERSION_GREATER_EQUAL 12)
  message(STATUS "CUDA backend: ${SCREE_NVCC} is older than 12, not used")
  return()
endif()

# Each GPU of this machine with its PTX, for what comes after it; where there is none, 80 serves all since the A100.
set(CMAKE_CUDA_ARCHITECTURES "${SCREE_CUDA_ARCHITECTURES}")
if(NOT CMAKE_CUDA_ARCHITECTURES)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader OUTPUT_VARIABLE capabilities
                  RESULT_VARIABLE failed ERROR_QUIET TIMEOUT 30)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]+" capabilities "${capabilities}")
  if(failed OR NOT capabilities)
    set(capabilities "8.0")
  endif()
  string(REPLACE "." "" CMAKE_CUDA_ARCHITECTURES "${capabilities}")
  list(REMOVE_DUPLICATES CMAKE_CUDA_ARCHITECTURES)
endif()

set(ENV{CUDACXX} "${SCREE_NVCC}")  # a compiler that is set already, check_language takes for one that works
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(STATUS "CUDA backend: ${SCREE_NVCC} does not work here, not used")
  return()
endif()
enable_language(CUDA)
set(SCREE_HAS_CUDA ON)
# -std=c++20 by hand: CMake 3.25 knows CUDA standards up to 17 and drops CUDA_STANDARD 20.
set(CMAKE_CUDA_STANDARD_REQUIRED OFF)
set(flags -std=c++20 --expt-relaxed-constexpr --fmad=false --prec-div=true --prec-sqrt=true --ftz=false
          -Xcompiler=-ffp-contract=off,-fno-math-errno,-fno-trapping-math)
list(TRANSFORM flags REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CUDA>:\\1>")
list(APPEND SCREE_OPTIONS ${flags})
set(quickly "")
if(SCREE_CUDA_QUICKLY AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:--Ofast-compile=min>")
  set(quickly ", with fewer optimisations (SCREE_CUDA_QUICKLY)")
endif()
if(SCREE_PORTABLE)
  # A fifth of what the compiler's own choice leaves. Drivers for CUDA 13 know how it is packed.
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>")
  endif()
elseif(BUILD_TESTING)
  # A test reads the PTX in the objects (tests/ptx).
  add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:--no-compress>")
endif()
message(STATUS "CUDA backend: nvcc ${CMAKE_CUDA_COMPILER_VERSION} for ${CMAKE_CUDA_ARCHITECTURES}${quickly}")
