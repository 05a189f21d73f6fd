# What every C++ target of the project is compiled with.

find_program(CCACHE ccache)
if(CCACHE AND NOT EMSCRIPTEN AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(traintally_settings INTERFACE)
target_compile_options(
  traintally_settings
  INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Werror
    # No fused multiply-add behind our back: native and wasm give the same bits.
    -ffp-contract=off
    # The same artefact wherever the tree lies.
    "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
# nlohmann/json never throws: a wrong use aborts, and tests hunt for that.
target_compile_definitions(traintally_settings INTERFACE JSON_NOEXCEPTION)

if(TRAINTALLY_SANITIZE)
  # No check of vtable pointers: the core has no RTTI for it, the tests beside it do.
  set(sanitizers -fsanitize=address,undefined,float-cast-overflow -fno-sanitize=vptr
                 -fno-sanitize-recover=all
                 -fno-omit-frame-pointer)
  target_compile_options(traintally_settings INTERFACE ${sanitizers})
  target_link_options(traintally_settings INTERFACE ${sanitizers})
endif()

# The core and all that ships: neither exceptions nor RTTI, so that the wasm needs no support for
# them and stays small. Tests add them back (doctest throws).
add_library(traintally_core_settings INTERFACE)
target_link_libraries(traintally_core_settings INTERFACE traintally_settings)
target_compile_options(traintally_core_settings INTERFACE -fno-exceptions -fno-rtti)

# nlohmann/json: a header-only system package. For Emscripten /usr/include must stay off the path
# (it would shadow the sysroot's headers), so that one directory is copied.
find_path(NLOHMANN_INCLUDE nlohmann/json.hpp PATHS /usr/include /usr/local/include
          NO_CMAKE_FIND_ROOT_PATH REQUIRED)
add_library(nlohmann_json INTERFACE)
if(EMSCRIPTEN)
  file(COPY "${NLOHMANN_INCLUDE}/nlohmann" DESTINATION "${PROJECT_BINARY_DIR}/vendor")
  target_include_directories(nlohmann_json SYSTEM INTERFACE "${PROJECT_BINARY_DIR}/vendor")
elseif(NOT NLOHMANN_INCLUDE STREQUAL "/usr/include")
  target_include_directories(nlohmann_json SYSTEM INTERFACE "${NLOHMANN_INCLUDE}")
endif()
