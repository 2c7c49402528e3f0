# SPDX-License-Identifier: Apache-2.0
# Manual pages and the completion of the shell. The pages of commands that read their own options come from `sode COMMAND --help` by
# help2man; those that pass all options on to a compiler are written by hand (docs/man).
install(FILES ${PROJECT_SOURCE_DIR}/docs/man/sode-cc.1 ${PROJECT_SOURCE_DIR}/docs/man/sode-mpicc.1 ${PROJECT_SOURCE_DIR}/docs/man/sode-bench.1
  DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
install(FILES ${PROJECT_SOURCE_DIR}/tools/completion/sode.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sode
  COMPONENT tools)

find_program(SODE_HELP2MAN help2man)
if(NOT SODE_HELP2MAN)
  message(STATUS "No manual pages of `sode` and its commands: there is no help2man (Debian: apt install help2man)")
  return()
endif()
set(pages "")
foreach(command "" run task info doctor tune plan gdb)
  set(name sode)
  if(command)
    set(name sode-${command})
  endif()
  set(page ${PROJECT_BINARY_DIR}/man/${name}.1)
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -DHELP2MAN=${SODE_HELP2MAN} -DSODE=$<TARGET_FILE:sode_command> "-DCOMMAND=${command}" -DPAGE=${page} -DVERSION=${PROJECT_VERSION}
      -P ${PROJECT_SOURCE_DIR}/cmake/manual_page.cmake
    DEPENDS sode_command ${PROJECT_SOURCE_DIR}/cmake/manual_page.cmake VERBATIM)
  list(APPEND pages ${page})
endforeach()
add_custom_target(manual ALL DEPENDS ${pages})
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools OPTIONAL)
