# SPDX-License-Identifier: Apache-2.0
# Fails if one of OBJECTS (separated by colons) defines anything but its kernel table for other objects to see.
string(REPLACE ":" ";" OBJECTS "${OBJECTS}")
list(LENGTH OBJECTS count)
if(count EQUAL 0)
  message(FATAL_ERROR "no kernel objects to look at")
endif()
foreach(object ${OBJECTS})
  execute_process(COMMAND ${NM} --extern-only --defined-only --demangle ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "[0-9a-f]+ [DR] sode::avx[0-9]+_kernels\n" "" strangers "${symbols}")
  if(NOT strangers STREQUAL "")
    message(FATAL_ERROR "${object} defines\n${strangers}")
  endif()
endforeach()
