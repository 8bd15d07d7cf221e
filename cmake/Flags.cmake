# SCREE_OPTIONS, what every source is compiled with: in the tree all of it, in a project with the package its systems.

# One rounding per written operation: the same bits everywhere rest on this.
set(flags -ffp-contract=off -fno-math-errno -fno-trapping-math
          -Wall -Wextra -Wdouble-promotion -Wno-psabi)  # packs stay in a file

# g++ collects its garbage at 512 MB for the first time, not at 128: of five sources of all kinds, a twentieth less to
# compile, and up to a third of a gigabyte more.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND flags --param=ggc-min-heapsize=524288)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Masks of packs and truth values are joined alike; long double and pragmas of g++ are meant.
  list(APPEND flags -Wno-bitwise-instead-of-logical -Wno-double-promotion -Wno-unknown-warning-option)
endif()
list(TRANSFORM flags REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>" OUTPUT_VARIABLE SCREE_OPTIONS)

if(SCREE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "SCREE_FUZZ: libFuzzer is clang's, and ${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_ID}; "
                        "cmake --preset fuzz takes clang++, which ./setup.sh --fuzz installs")
  endif()
  set(SCREE_SANITIZE fuzzer-no-link,address,undefined)
endif()

if(SCREE_SANITIZE)
  # Without the checks of each pointer, up to a third of what there is to compile, and up to a seventh of the rest for
  # their overflow: the address sanitizer stops where one is used that is null or has left its object, and every address
  # here is that of an object.
  set(unchecked alignment,null,pointer-overflow)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${SCREE_SANITIZE};-fno-sanitize=${unchecked}>"
                      "$<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  add_link_options("-fsanitize=${SCREE_SANITIZE}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Code for stacks that show uses after a return, which nobody looks for unless asked.
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:--param=asan-use-after-return=0>")
  endif()
endif()

# For what takes longer to compile than it runs: models, the command line, the bench's counts, tests of physics; and
# texts and tables, which are not optimised at all for the sanitizers.
set(SCREE_QUICKER "$<$<CONFIG:Release>:-Og>")
set(SCREE_QUICKLY "${SCREE_QUICKER}")
if(SCREE_SANITIZE AND NOT SCREE_FUZZ)
  set(SCREE_QUICKLY -O0)
endif()
