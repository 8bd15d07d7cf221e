# A system is one header. From its name (disc_box.hpp holds the template DiscBox) CMake writes the sources that
# instantiate it for each backend and the Model that the host sees, so that adding a system touches one folder. Projects
# with the installed package include this file too; the targets there have the names that they have here.

# The instruction sets that the CPU backends are compiled for (kernels/backend.hpp), from the oldest to the newest, and
# their compiler options. Scalar code gains nothing from AVX-512. SCREE_ISAS are those beyond the platform's baseline.
set(SCREE_SCALAR_ISAS baseline)
set(SCREE_PACK_ISAS baseline)
if(SCREE_SIMD AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  list(APPEND SCREE_SCALAR_ISAS avx2)
  list(APPEND SCREE_PACK_ISAS avx2 avx512)
endif()
# SCREE_NATIVE_PACK_ISAS: what packs of SCREE_NATIVE_SYSTEMS are compiled for.
if(SCREE_SIMD STREQUAL "NATIVE" OR SCREE_NATIVE_SYSTEMS)
  try_run(ran compiled
          SOURCES "${CMAKE_CURRENT_LIST_DIR}/native_isa.cpp" "${SCREE_TREE}/kernels/cpu_threads.cpp"
          CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${SCREE_TREE}" LINK_LIBRARIES Threads::Threads
          CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
  if(NOT compiled OR ran STREQUAL "FAILED_TO_RUN")
    message(FATAL_ERROR "SCREE_SIMD=NATIVE, SCREE_NATIVE_SYSTEMS: cannot tell what this processor has")
  endif()
  foreach(backend IN ITEMS SCALAR PACK)
    list(SUBLIST SCREE_${backend}_ISAS 0 ${ran} known)  # by this processor
    list(GET known -1 SCREE_NATIVE_${backend}_ISAS)
    if(SCREE_SIMD STREQUAL "NATIVE")
      set(SCREE_${backend}_ISAS ${SCREE_NATIVE_${backend}_ISAS})
    endif()
  endforeach()
endif()
set(SCREE_ISAS ${SCREE_SCALAR_ISAS} ${SCREE_PACK_ISAS})
list(REMOVE_ITEM SCREE_ISAS baseline)
list(REMOVE_DUPLICATES SCREE_ISAS)
set(SCREE_OPTIONS_avx2 -march=x86-64-v3)
set(SCREE_OPTIONS_avx512 -march=x86-64-v4 -mprefer-vector-width=512)
# Up to a third of what a large pack takes to compile is the search for equal values through memory.
set(SCREE_WIDE_PACKS "$<$<CXX_COMPILER_ID:GNU>:--param=sccvn-max-alias-queries-per-access=100>")
# SCREE_CPU_QUICKLY: scalars take two thirds of the time to compile. Packs, which -O1 would compile for longer, take
# four fifths without what is looked for in vain.
set(SCREE_QUICK_scalar "")
set(SCREE_QUICK_pack "")
if(SCREE_CPU_QUICKLY)
  # With it g++ 14 leaves the headers that were precompiled with -O2 aside, and would warn of each source.
  set(SCREE_QUICK_scalar "$<$<CONFIG:Release>:-O1>" "$<$<CXX_COMPILER_ID:GNU>:-Wno-invalid-pch>")
  foreach(pass IN ITEMS tree-pta schedule-insns2 gcse tree-pre code-hoisting)
    list(APPEND SCREE_QUICK_pack "$<$<CXX_COMPILER_ID:GNU>:-fno-${pass}>")
  endforeach()
endif()

# disc_box -> DiscBox
function(scree_class_name name result)
  string(REPLACE "_" ";" words "${name}")
  set(class "")
  foreach(word IN LISTS words)
    string(SUBSTRING "${word}" 0 1 first)
    string(SUBSTRING "${word}" 1 -1 rest)
    string(TOUPPER "${first}" first)
    string(APPEND class "${first}${rest}")
  endforeach()
  set(${result} "${class}" PARENT_SCOPE)
endfunction()

# Has a target of kernels or models compiled as all of Scree is, whatever the project around it says, and fast in a
# build that says nothing: kernels without optimisation take fifty times as long.
function(scree_compile_alike target)
  target_compile_options(${target} PRIVATE ${SCREE_OPTIONS} "$<$<CONFIG:>:-O2>")
  set_target_properties(${target} PROPERTIES CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
endfunction()

# Has every link line name `library`, of code for newer processors, after scree_host. The property holds those that the
# package has to name as well.
function(scree_link_last library)
  target_link_libraries(scree_host INTERFACE $<BUILD_INTERFACE:$<LINK_ONLY:${library}>>)
  set_property(GLOBAL APPEND PROPERTY SCREE_LAST ${library})
endfunction()

# Adds to the library `target` the kernels and models of the systems in the headers that follow.
function(scree_add_systems target)
  set(generated "${PROJECT_BINARY_DIR}/generated/${target}")
  set(templates "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  scree_compile_alike(${target})
  # A header that lies elsewhere finds its neighbours as if it lay in src/systems/.
  target_include_directories(${target} PRIVATE "${SCREE_TREE}/src/systems")
  # Two walls keep code for newer processors away from older ones. The namespace is renamed, so that no inline function
  # of ours is shared with the baseline; and the libraries come after scree_host on every link line, oldest instructions
  # first, so that of the standard library's templates, which keep their names, the linker takes the baseline's copy.
  foreach(isa IN LISTS SCREE_ISAS)
    add_library(${target}_${isa} STATIC)
    scree_compile_alike(${target}_${isa})
    target_compile_options(${target}_${isa} PRIVATE ${SCREE_OPTIONS_${isa}} -Dscree=scree_${isa})
    target_include_directories(${target}_${isa} PRIVATE "${SCREE_TREE}" "${SCREE_TREE}/src/systems")
    target_link_libraries(${target}_${isa} PRIVATE Threads::Threads)
    scree_link_last(${target}_${isa})
  endforeach()
  # A model describes a system and draws inputs; the samples of a run are drawn by its kernels.
  add_library(${target}_models OBJECT)
  scree_compile_alike(${target}_models)
  target_link_libraries(${target}_models PRIVATE scree_headers)
  target_include_directories(${target}_models PRIVATE "${SCREE_TREE}/src/systems")
  target_compile_options(${target}_models PRIVATE ${SCREE_QUICKER})
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_models>)

  foreach(header IN LISTS ARGN)
    get_filename_component(name "${header}" NAME_WE)
    scree_class_name("${name}" class)
    set(cuda nullptr)
    # As the includes find it, so that a source does not depend on where the tree lies.
    cmake_path(IS_PREFIX SCREE_TREE "${header}" NORMALIZE is_ours)
    if(is_ours)
      file(RELATIVE_PATH header "${SCREE_TREE}" "${header}")
    endif()

    # Kernels by instruction set.
    set(scalar_isas ${SCREE_SCALAR_ISAS})
    set(pack_isas ${SCREE_PACK_ISAS})
    if(name IN_LIST SCREE_NATIVE_SYSTEMS)
      list(GET SCREE_SCALAR_ISAS 0 scalar_isas)
      set(pack_isas ${SCREE_NATIVE_PACK_ISAS})
    endif()
    set(scalar_kernels "")
    set(pack_kernels "")
    foreach(isa IN ITEMS baseline avx2 avx512)
      foreach(backend IN ITEMS scalar pack)
        if(NOT isa IN_LIST ${backend}_isas)
          list(APPEND ${backend}_kernels nullptr)
          continue()
        endif()
        set(library ${target})
        if(NOT isa STREQUAL "baseline")
          set(library ${target}_${isa})
        endif()
        set(kernel "scree_${name}_${backend}_${isa}")
        list(APPEND ${backend}_kernels ${kernel})
        string(COMPARE EQUAL ${backend} scalar has_replay)
        set(kernel_source "${generated}/${name}_${backend}_${isa}.cpp")
        configure_file("${templates}/system_cpu.cpp.in" "${kernel_source}" @ONLY)
        target_sources(${library} PRIVATE "${kernel_source}")
        if(NOT SCREE_SANITIZE)
          # Among other sources the compiler would choose otherwise what it inlines.
          set_source_files_properties("${kernel_source}" TARGET_DIRECTORY ${library}
                                      PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
        endif()
        set(options ${SCREE_QUICK_${backend}})
        if(backend STREQUAL "pack" AND NOT isa STREQUAL "baseline")
          list(APPEND options ${SCREE_WIDE_PACKS})
        endif()
        if(options)  # without any it may be compiled among others
          set_source_files_properties("${kernel_source}" TARGET_DIRECTORY ${library}
                                      PROPERTIES COMPILE_OPTIONS "${options}")
        endif()
      endforeach()
    endforeach()
    list(JOIN scalar_kernels ", " scalar_kernels)
    list(JOIN pack_kernels ", " pack_kernels)
    string(REGEX REPLACE "_scalar_([a-z0-9]+)(,|$)" "_replay_\\1\\2" replays "${scalar_kernels}")
    if(SCREE_HAS_CUDA)
      set(cuda "scree_${name}_cuda")
      configure_file("${templates}/system_cuda.cu.in" "${generated}/${name}_cuda.cu" @ONLY)
      target_sources(${target} PRIVATE "${generated}/${name}_cuda.cu")
      set_source_files_properties("${generated}/${name}_cuda.cu" TARGET_DIRECTORY ${target}
                                  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
    configure_file("${templates}/system_model.cpp.in" "${generated}/${name}_model.cpp" @ONLY)
    target_sources(${target}_models PRIVATE "${generated}/${name}_model.cpp")
  endforeach()
endfunction()

# The object library `target` that defines models() and find_model() over the systems whose names or headers follow.
# Tests that link it know how many they are, SCREE_SYSTEM_COUNT.
function(scree_add_registry target)
  set(declarations "")
  set(calls "")
  foreach(header IN LISTS ARGN)
    get_filename_component(name "${header}" NAME_WE)
    string(APPEND declarations "Model model_${name}();\n")
    string(APPEND calls "model_${name}(), ")
  endforeach()
  set(source "${PROJECT_BINARY_DIR}/generated/${target}/models.cpp")
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/models.cpp.in" "${source}" @ONLY)
  add_library(${target} OBJECT "${source}")
  scree_compile_alike(${target})
  target_link_libraries(${target} PUBLIC scree_host)
  list(LENGTH ARGN count)
  target_compile_definitions(${target} INTERFACE SCREE_SYSTEM_COUNT=${count})
endfunction()

# The program `target`: scree with the systems in the headers that follow besides its own, SCREE_SYSTEM_NAMES.
function(scree_add_program target)
  set(headers "")
  set(names ${SCREE_SYSTEM_NAMES})
  foreach(header IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH header NORMALIZE)
    cmake_path(GET header STEM LAST_ONLY name)
    if(NOT EXISTS "${header}")
      message(FATAL_ERROR "scree_add_program: there is no file ${header}")
    elseif(NOT header MATCHES "/[a-z][a-z0-9_]*\\.hpp$")
      message(FATAL_ERROR "scree_add_program: ${header}: a header is named as its system, in small letters, digits and "
                          "underscores, as my_pendulum.hpp")
    elseif(name IN_LIST names)
      message(FATAL_ERROR "scree_add_program: ${header}: there is a system ${name} already; give the header another "
                          "name")
    endif()
    list(APPEND headers "${header}")
    list(APPEND names ${name})
  endforeach()
  if(NOT headers)
    message(FATAL_ERROR "scree_add_program: ${target} has no header of a system")
  endif()
  add_library(${target}_systems STATIC)
  target_link_libraries(${target}_systems PUBLIC scree_host)
  scree_add_systems(${target}_systems ${headers})
  scree_add_registry(${target}_models ${names})
  add_executable(${target})
  target_link_libraries(${target} PRIVATE scree_main ${target}_models ${target}_systems scree_bench scree_host)
endfunction()
