# SPDX-License-Identifier: Apache-2.0
# The floors of the house, lowest first. A floor is an object library; it sees its own headers and those below.
set(SODE_FLOORS "" CACHE INTERNAL "")

# sode_floor(NAME [LIBRARIES ...]): the sources of this folder (and its sub-folders) become floor NAME, on top of all floors so far.
function(sode_floor name)
  cmake_parse_arguments(arg "" "" "LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  include(${CMAKE_CURRENT_SOURCE_DIR}/${name}/floor.cmake OPTIONAL) # special compile options of single files
  add_library(sode_${name} OBJECT ${sources})
  target_include_directories(sode_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(sode_${name} PRIVATE sode_flags ${arg_LIBRARIES})
  # Position-independent code that may be replaced from outside cannot be inlined; nobody replaces ours.
  target_compile_options(sode_${name} PRIVATE -fno-semantic-interposition)
  # What programs may link to says so (include/sode/detail/api.hpp).
  set_target_properties(sode_${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  set_target_properties(sode_${name} PROPERTIES UNITY_BUILD ${SODE_UNITY} UNITY_BUILD_BATCH_SIZE 16)
  set(SODE_FLOORS ${SODE_FLOORS} ${name} CACHE INTERNAL "")
  set(SODE_FLOOR_LIBRARIES_${name} ${arg_LIBRARIES} CACHE INTERNAL "")
endfunction()
