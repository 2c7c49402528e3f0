# SPDX-License-Identifier: Apache-2.0
# How the copy kernels are compiled: once for each instruction set; optimised in every build type, because an unoptimised object for
# AVX-512 would contain weak symbols (tests/layout/kernel_symbols.cmake); and as they are written, without the compiler's own
# vectoriser, whose choices differ by context.
set(kernel_flags -O2 -fno-tree-vectorize -fno-tree-slp-vectorize)
set(layout ${CMAKE_CURRENT_LIST_DIR})
set_source_files_properties(${layout}/copy_kernels_baseline.cpp PROPERTIES COMPILE_OPTIONS "${kernel_flags}")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(${layout}/copy_kernels_avx2.cpp PROPERTIES COMPILE_OPTIONS "${kernel_flags};-mavx2;-mprfchw")
  set_source_files_properties(${layout}/copy_kernels_avx512.cpp PROPERTIES COMPILE_OPTIONS "${kernel_flags};-mavx512f;-mavx512vl;-mprfchw")
endif()
