# SPDX-License-Identifier: Apache-2.0
# sode_unit_test(NAME FLOOR floor SOURCES ... [LIBRARIES ...]): a GoogleTest program of one process.
#
# sode_test(NAME RANKS 1 2 3 ... FLOOR floor SOURCES ... [LIBRARIES ...]): one of several ranks (tests/support/ranks.hpp), run under `sode run`
# as a test NAME.R for each number of ranks R.
#
# Both link the floors up to `floor`, or with FLOOR sode the library as users get it.

function(sode_test_program name floor)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  find_package(GTest REQUIRED)
  find_package(fmt REQUIRED)
  add_executable(${name} ${arg_SOURCES})
  if(floor STREQUAL sode)
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
  target_link_libraries(${name} PRIVATE sode_flags GTest::gtest GTest::gmock fmt::fmt ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE SODE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endfunction()

function(sode_unit_test name)
  cmake_parse_arguments(arg "" "FLOOR" "SOURCES;LIBRARIES" ${ARGN})
  sode_test_program(${name} ${arg_FLOOR} SOURCES ${arg_SOURCES} LIBRARIES GTest::gtest_main ${arg_LIBRARIES})
  add_test(NAME ${name} COMMAND ${name})
endfunction()

function(sode_test name)
  cmake_parse_arguments(arg "" "FLOOR" "RANKS;SOURCES;LIBRARIES" ${ARGN})
  sode_test_program(${name} ${arg_FLOOR} SOURCES ${arg_SOURCES} ${PROJECT_SOURCE_DIR}/tests/support/ranks_main.cpp LIBRARIES ${arg_LIBRARIES})
  add_dependencies(${name} sode_command)
  foreach(ranks ${arg_RANKS})
    # The launcher gives up before ctest does, and says so.
    add_test(NAME ${name}.${ranks} COMMAND sode_command run -n ${ranks} --timeout 110 -- $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.${ranks} PROPERTIES TIMEOUT 120 LABELS ranks PROCESSORS ${ranks})
  endforeach()
endfunction()
