# SPDX-License-Identifier: Apache-2.0
option(SODE_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(SODE_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(SODE_BUILD_BENCH "Build the benchmarks (those against MPI need an MPI)" ${PROJECT_IS_TOP_LEVEL})
option(SODE_WERROR "Warnings are errors" ${PROJECT_IS_TOP_LEVEL})
option(SODE_UNITY "Compile the files of a floor together: a third of the time, but what a file forgets to include is not found" OFF)
option(SODE_PRECOMPILED "Compile the headers of GoogleTest, CLI11 and Clang once, and not in every file" OFF)
set(SODE_SANITIZE "" CACHE STRING "Sanitizers to build with: address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

find_program(SODE_CCACHE ccache)
if(SODE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SODE_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${SODE_CCACHE})
endif()

add_library(sode_flags INTERFACE)
target_compile_options(sode_flags INTERFACE -Wall -Wextra -Wpedantic $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow> -Wconversion -Wsign-conversion
  # g++ 12 sees overlaps in std::string's operator+ that are not there (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # A name that is hidden in one file may stand in the next one.
  $<$<BOOL:${SODE_UNITY}>:-Wno-shadow>
  # To g++ a file that is included by the unit is a header, whose unnamed namespaces would be a mistake.
  $<$<AND:$<BOOL:${SODE_UNITY}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>
  $<$<BOOL:${SODE_WERROR}>:-Werror>)
if(SODE_SANITIZE)
  target_compile_options(sode_flags INTERFACE -fsanitize=${SODE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(sode_flags INTERFACE -fsanitize=${SODE_SANITIZE})
endif()
