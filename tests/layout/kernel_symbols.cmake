# SPDX-License-Identifier: Apache-2.0
# Fails if one of OBJECTS (separated by colons) defines a function for other objects to see. Its data (the kernel table, type
# information under a sanitizer) runs on every processor.
string(REPLACE ":" ";" OBJECTS "${OBJECTS}")
list(LENGTH OBJECTS count)
if(count EQUAL 0)
  message(FATAL_ERROR "no kernel objects to look at")
endif()
foreach(object ${OBJECTS})
  execute_process(COMMAND ${NM} --extern-only --defined-only --demangle ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  if(NOT symbols MATCHES " [DR] sode::internal::avx[0-9]+_kernels")
    message(FATAL_ERROR "${object} has no kernel table")
  endif()
  string(REGEX MATCHALL "[0-9a-f]+ [TWiu] [^\n]*" functions "${symbols}")
  if(functions)
    message(FATAL_ERROR "${object} defines ${functions}")
  endif()
endforeach()
