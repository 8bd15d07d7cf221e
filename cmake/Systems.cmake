# A system is one header. From its name (disc_box.hpp holds the template DiscBox) CMake writes the sources that
# instantiate it for each backend and the Model that the host sees, so that adding a system touches one folder.

set(SCREE_HAS_V3 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(SCREE_HAS_V3 ON)
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

# Adds to the library `target` the kernels and models of the systems in the headers that follow.
function(scree_add_systems target)
  set(generated "${PROJECT_BINARY_DIR}/generated/systems")
  set(templates "${PROJECT_SOURCE_DIR}/cmake")
  # A header that lies elsewhere finds its neighbours as if it lay in src/systems/.
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src/systems")
  if(SCREE_HAS_V3)
    # Two walls keep AVX2 code away from a processor without it. The namespace is renamed, so that no inline function of
    # ours is shared with the baseline; and the library comes after scree_host on every link line, so that of the
    # standard library's templates, which keep their names, the linker takes the baseline's copy.
    add_library(${target}_v3 STATIC)
    target_compile_options(${target}_v3 PRIVATE -march=x86-64-v3 -Dscree=scree_x86_64_v3)
    target_include_directories(${target}_v3 PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src/systems")
    target_link_libraries(${target}_v3 PRIVATE Threads::Threads)
    target_link_libraries(scree_host PRIVATE ${target}_v3)
  endif()

  foreach(header IN LISTS ARGN)
    get_filename_component(name "${header}" NAME_WE)
    scree_class_name("${name}" class)
    set(scalar_v3 nullptr)
    set(cuda nullptr)

    set(suffix "")
    configure_file("${templates}/system_scalar.cpp.in" "${generated}/${name}_scalar.cpp" @ONLY)
    target_sources(${target} PRIVATE "${generated}/${name}_scalar.cpp")
    if(SCREE_HAS_V3)
      set(suffix "_v3")
      set(scalar_v3 "scree_${name}_scalar_v3")
      configure_file("${templates}/system_scalar.cpp.in" "${generated}/${name}_scalar_v3.cpp" @ONLY)
      target_sources(${target}_v3 PRIVATE "${generated}/${name}_scalar_v3.cpp")
    endif()
    if(SCREE_HAS_CUDA)
      set(cuda "scree_${name}_cuda")
      configure_file("${templates}/system_cuda.cu.in" "${generated}/${name}_cuda.cu" @ONLY)
      target_sources(${target} PRIVATE "${generated}/${name}_cuda.cu")
    endif()
    configure_file("${templates}/system_model.cpp.in" "${generated}/${name}_model.cpp" @ONLY)
    target_sources(${target} PRIVATE "${generated}/${name}_model.cpp")
  endforeach()
endfunction()

# The object library `target` that defines models() and find_model() over the systems in the headers that follow.
function(scree_add_registry target)
  set(declarations "")
  set(calls "")
  foreach(header IN LISTS ARGN)
    get_filename_component(name "${header}" NAME_WE)
    string(APPEND declarations "Model model_${name}();\n")
    string(APPEND calls "model_${name}(), ")
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/models.cpp.in" "${PROJECT_BINARY_DIR}/generated/${target}.cpp" @ONLY)
  add_library(${target} OBJECT "${PROJECT_BINARY_DIR}/generated/${target}.cpp")
  target_link_libraries(${target} PUBLIC scree_host)
endfunction()
