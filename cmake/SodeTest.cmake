# SPDX-License-Identifier: Apache-2.0
# sode_unit_test(NAME FLOOR floor SOURCES ... [LIBRARIES ...]): a GoogleTest program of one process.
#
# sode_test(NAME RANKS 1 2 3 ... FLOOR floor SOURCES ... [LIBRARIES ...]): one of several ranks (tests/support/ranks.hpp), run under `sode run`
# as a test NAME.R for each number of ranks R, and for those behind TASKS once more as tasks of one address space, as NAME.R.tasks.
#
# Both link the floors up to `floor`; with FLOOR sode all of them; with FLOOR public the library as users get it, which may be a shared
# one that hides its internals.
#
# Test code is compiled without optimisation: it is built more often than run, and what it tests is optimised. GoogleTest's headers are
# compiled once for all programs; they bring no header of ours, so that a missing #include is still found.

# What a program of tests is compiled with. Who shares precompiled headers must have the same flags.
add_library(sode_test_flags INTERFACE)
target_link_libraries(sode_test_flags INTERFACE sode_flags)
target_compile_options(sode_test_flags INTERFACE -O0)
target_compile_definitions(sode_test_flags INTERFACE SODE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" SODE_UNOPTIMISED_ON_PURPOSE)

# sode_precompiled(NAME): GoogleTest's headers for NAME, from the program that has them compiled.
function(sode_precompiled name)
  if(NOT SODE_PRECOMPILED)
    return()
  endif()
  if(NOT TARGET sode_precompiled_tests)
    find_package(GTest REQUIRED)
    find_package(fmt REQUIRED)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled_tests.cpp CONTENT "int main() {}\n")
    add_executable(sode_precompiled_tests ${PROJECT_BINARY_DIR}/precompiled_tests.cpp)
    target_link_libraries(sode_precompiled_tests PRIVATE sode_test_flags GTest::gtest GTest::gmock fmt::fmt)
    target_precompile_headers(sode_precompiled_tests PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
    set_target_properties(sode_precompiled_tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/precompiled)
  endif()
  target_precompile_headers(${name} REUSE_FROM sode_precompiled_tests)
endfunction()

function(sode_test_program name floor)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  find_package(GTest REQUIRED)
  find_package(fmt REQUIRED)
  add_executable(${name} ${arg_SOURCES})
  if(floor STREQUAL sode)
    target_link_libraries(${name} PRIVATE sode::internal)
  elseif(floor STREQUAL public)
    target_link_libraries(${name} PRIVATE sode::sode)
  else()
    foreach(below ${SODE_FLOORS})
      target_sources(${name} PRIVATE $<TARGET_OBJECTS:sode_${below}>)
      target_link_libraries(${name} PRIVATE ${SODE_FLOOR_LIBRARIES_${below}})
      if(below STREQUAL floor)
        break()
      endif()
    endforeach()
  endif()
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE sode_test_flags GTest::gtest GTest::gmock fmt::fmt ${arg_LIBRARIES})
  sode_precompiled(${name})
endfunction()

# sode_optimised(NAME LEVEL): a program of tests whose own code takes the time. Options of a program come before those of sode_test_flags, so that -O0 would
# win; options of a source file come last.
function(sode_optimised name level)
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources EXCLUDE REGEX "TARGET_OBJECTS")
  set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS ${level})
  set_target_properties(${name} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
endfunction()

function(sode_unit_test name)
  cmake_parse_arguments(arg "" "FLOOR" "SOURCES;LIBRARIES" ${ARGN})
  sode_test_program(${name} ${arg_FLOOR} SOURCES ${arg_SOURCES} LIBRARIES GTest::gtest_main ${arg_LIBRARIES})
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# sode_mpi_test(NAME RUNS MPI:RANKS:MACHINE_SIZE ... [CASES n]): a program of sode_test once more, by an MPI's launcher, as NAME.MPI.RANKS.MACHINE_SIZE.
# Every MACHINE_SIZE ranks pretend to be a machine; 0: all ranks are on one. MPICH does not yield: few ranks, few cases.
function(sode_mpi_test name)
  cmake_parse_arguments(arg "" "CASES" "RUNS" ${ARGN})
  foreach(run ${arg_RUNS})
    string(REPLACE ":" ";" words ${run})
    list(GET words 0 mpi)
    list(GET words 1 ranks)
    list(GET words 2 machine)
    if(NOT TARGET sode_channel_${mpi})
      continue()
    endif()
    set(launch ${SODE_LAUNCH_${mpi}} -n ${ranks})
    set(environment "")
    if(machine GREATER 0)
      list(APPEND environment SODE_MACHINE_SIZE=${machine})
    endif()
    if(arg_CASES)
      list(APPEND environment TEST_CASES_DEFAULT=${arg_CASES})
      if(mpi STREQUAL mpich)
        list(APPEND environment TEST_CASES_MOST=200)
      endif()
    endif()
    add_dependencies(${name} sode_channel_${mpi})
    string(REPLACE ":" "." suffix ${run})
    add_test(NAME ${name}.${suffix} COMMAND ${launch} $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.${suffix} PROPERTIES TIMEOUT 240 LABELS mpi PROCESSORS 2 ENVIRONMENT "${environment}")
  endforeach()
endfunction()

# sode_task_test(NAME PROGRAM ...): a test program, once more, that has what it starts run as tasks (it reads TEST_SPACE); skipped where tasks do
# not work.
function(sode_task_test name program)
  add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/tests/support/if-tasks $<TARGET_FILE:sode_command> -- $<TARGET_FILE:${program}> ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT TEST_SPACE=tasks)
endfunction()

function(sode_test name)
  cmake_parse_arguments(arg "" "FLOOR" "RANKS;TASKS;SOURCES;LIBRARIES" ${ARGN})
  if(NOT TARGET sode_ranks_main)
    add_library(sode_ranks_main OBJECT ${PROJECT_SOURCE_DIR}/tests/support/ranks_main.cpp)
    target_include_directories(sode_ranks_main PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(sode_ranks_main PRIVATE sode_test_flags GTest::gtest)
  endif()
  sode_test_program(${name} ${arg_FLOOR} SOURCES ${arg_SOURCES} $<TARGET_OBJECTS:sode_ranks_main> LIBRARIES ${arg_LIBRARIES})
  add_dependencies(${name} sode_command)
  foreach(ranks ${arg_RANKS})
    # The launcher gives up before ctest does, and says so.
    add_test(NAME ${name}.${ranks} COMMAND sode_command run -n ${ranks} --timeout 110 -- $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.${ranks} PROPERTIES TIMEOUT 120 LABELS ranks PROCESSORS ${ranks})
  endforeach()
  if(NOT TARGET sode_task) # not on this processor, or not with sanitizers
    return()
  endif()
  foreach(ranks ${arg_TASKS})
    add_dependencies(${name} sode_task)
    add_test(NAME ${name}.${ranks}.tasks COMMAND ${PROJECT_SOURCE_DIR}/tests/support/if-tasks $<TARGET_FILE:sode_command>
      run --space=tasks -n ${ranks} --timeout 110 -- $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.${ranks}.tasks PROPERTIES TIMEOUT 120 LABELS "ranks;tasks" PROCESSORS ${ranks} SKIP_RETURN_CODE 77)
  endforeach()
endfunction()

# sode_triggered_test(NAME RANKS ... [TASKS ...] CASES n): a program of sode_test once more, with few cases, as NAME.RANKS.triggered:
# its plans are run by SODE_ENGINE=triggered.
function(sode_triggered_test name)
  cmake_parse_arguments(arg "" "CASES" "RANKS;TASKS" ${ARGN})
  set(environment "SODE_ENGINE=triggered:2" TEST_CASES_MOST=${arg_CASES})
  foreach(ranks ${arg_RANKS})
    add_test(NAME ${name}.${ranks}.triggered COMMAND sode_command run -n ${ranks} --timeout 110 -- $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.${ranks}.triggered PROPERTIES TIMEOUT 120 LABELS ranks PROCESSORS ${ranks} ENVIRONMENT "${environment}")
  endforeach()
  if(NOT TARGET sode_task)
    return()
  endif()
  foreach(ranks ${arg_TASKS})
    add_test(NAME ${name}.${ranks}.tasks.triggered COMMAND ${PROJECT_SOURCE_DIR}/tests/support/if-tasks $<TARGET_FILE:sode_command>
      run --space=tasks -n ${ranks} --timeout 110 -- $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.${ranks}.tasks.triggered PROPERTIES TIMEOUT 120 LABELS "ranks;tasks" PROCESSORS ${ranks} SKIP_RETURN_CODE 77
      ENVIRONMENT "${environment}")
  endforeach()
endfunction()
