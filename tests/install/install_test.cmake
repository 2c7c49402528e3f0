# SPDX-License-Identifier: Apache-2.0
# cmake -DBUILD=dir -DWORK=dir -P install_test.cmake: installs BUILD below WORK, moves it, and builds and runs a program against what
# is there, found once by CMake and once by pkg-config. Needs libsode and the `sode` command to be built, and nothing else.
cmake_minimum_required(VERSION 3.25)

function(run)
  list(JOIN ARGN " " line)
  message(STATUS "${line}")
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${line}\nended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_ranks count)
  if(NOT output MATCHES "(^|\n)${count} ranks, sum 4950\n$")
    message(FATAL_ERROR "the consumer should have said \"${count} ranks, sum 4950\", but said\n${output}")
  endif()
endfunction()

# Alone, and as two ranks of the installed command.
function(try_program program)
  run(${program})
  expect_ranks(1)
  run(${installed}/bin/sode run -n 2 ${program})
  expect_ranks(2)
endfunction()

cmake_path(ABSOLUTE_PATH BUILD)
cmake_path(ABSOLUTE_PATH WORK)
set(installed ${WORK}/moved)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
file(RENAME ${WORK}/first ${installed})

# Nothing private, and nothing of what the library is built from.
file(GLOB_RECURSE headers RELATIVE ${installed} ${installed}/*.hpp ${installed}/*.h)
if(NOT headers)
  message(FATAL_ERROR "no headers were installed")
endif()
foreach(header ${headers})
  if(NOT header MATCHES "^include/sode/")
    message(FATAL_ERROR "${header} was installed, but only include/sode is public")
  endif()
endforeach()

load_cache(${BUILD} READ_WITH_PREFIX of_ CMAKE_CXX_COMPILER CMAKE_GENERATOR CMAKE_MAKE_PROGRAM)

set(ENV{PKG_CONFIG_PATH} "") # the CMake way must not need ours
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK}/consumer -G ${of_CMAKE_GENERATOR}
  -DCMAKE_MAKE_PROGRAM=${of_CMAKE_MAKE_PROGRAM} -DCMAKE_CXX_COMPILER=${of_CMAKE_CXX_COMPILER} -DCMAKE_PREFIX_PATH=${installed})
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
try_program(${WORK}/consumer/consumer)
file(GLOB with_files ${installed}/include/sode/hdf5.hpp)
if(with_files)
  try_program(${WORK}/consumer/files)
endif()

file(GLOB_RECURSE description ${installed}/*/sode.pc)
cmake_path(GET description PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} ${folder})
function(try_pkg_config package source)
  run(pkg-config --variable=libdir ${package})
  string(STRIP "${output}" libraries)
  run(pkg-config --cflags --libs ${package})
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(${of_CMAKE_CXX_COMPILER} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/consumer/${source}.cpp -o ${WORK}/${source}_by_pkg_config ${flags}
    -Wl,-rpath,${libraries})
  try_program(${WORK}/${source}_by_pkg_config)
endfunction()
try_pkg_config(sode consumer)
if(with_files)
  try_pkg_config(sode-hdf5 files)
endif()
file(REMOVE_RECURSE ${WORK})
