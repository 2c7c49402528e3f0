# SPDX-License-Identifier: Apache-2.0
# sode_add_executable(NAME SOURCE ...): a program in C or C++ with directives of XcalableMP. Each source is compiled by `sode cc` or `sode c++` with the
# project's own compiler and options; compile_commands.json shows the compiler's command, which editors understand.
function(sode_add_executable name)
  if(NOT EXISTS ${sode_REWRITER})
    message(FATAL_ERROR "sode_add_executable: this installation of Sode has no `sode cc` (it was built without Clang's libraries). "
      "Install libclang-14-dev and llvm-14-dev, then build and install Sode again.")
  endif()
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES C_COMPILER_LAUNCHER "${sode_COMMAND};cc;--with" CXX_COMPILER_LAUNCHER "${sode_COMMAND};c++;--with")
  target_include_directories(${name} PRIVATE ${sode_INCLUDE_DIR})
  target_link_libraries(${name} PRIVATE ${sode_XMP_LIBRARY})
endfunction()
