# SPDX-License-Identifier: Apache-2.0
# cmake -DBUILD=dir -DWORK=dir -P install_test.cmake: installs BUILD below WORK, moves it, and builds and runs a program against what
# is there, found once by CMake and once by pkg-config. Needs libsode and the `sode` command to be built, and nothing else; where the
# benchmarks are, they are installed, too, and find there what they measure.
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
  if(NOT output MATCHES "(^|\n)${count} ranks, sum 4950\n")
    message(FATAL_ERROR "the consumer should have said \"${count} ranks, sum 4950\", but said\n${output}")
  endif()
endfunction()

# `count` lines of `output` say that the program was compiled without optimisation.
function(expect_warnings count)
  string(REGEX MATCHALL "compiled without optimisation" lines "${output}")
  list(LENGTH lines found)
  if(NOT found EQUAL count)
    message(FATAL_ERROR "${found} lines about optimisation, and not ${count}, in\n${output}")
  endif()
endfunction()

# Alone, as two ranks of the installed command, and as two of each MPI whose plug-in was installed.
function(try_program program)
  run(${program})
  expect_ranks(1)
  run(${installed}/bin/sode run -n 2 ${program})
  expect_ranks(2)
  if(EXISTS ${installed}/libexec/sode/sode-task)
    run(${installed}/bin/sode run --space=tasks -n 2 ${program})
    expect_ranks(2)
  endif()
  foreach(mpi openmpi mpich)
    file(GLOB_RECURSE plugin ${installed}/libsode-channel-${mpi}.so)
    if(NOT plugin)
      continue()
    endif()
    set(launch mpirun.${mpi} -n 2)
    if(mpi STREQUAL openmpi)
      list(APPEND launch --allow-run-as-root --oversubscribe --bind-to none)
    endif()
    # A program with the static library in it is not beside the plug-ins, and what was installed was moved.
    cmake_path(GET plugin PARENT_PATH folder)
    file(GLOB_RECURSE shared ${installed}/libsode.so)
    if(shared)
      unset(ENV{SODE_PLUGINS})
    else()
      set(ENV{SODE_PLUGINS} ${folder})
    endif()
    run(${launch} ${program})
    unset(ENV{SODE_PLUGINS})
    expect_ranks(2)
  endforeach()
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
list(FILTER headers EXCLUDE REGEX "^share/doc/sode/(examples|docs)/") # their own
if(NOT headers)
  message(FATAL_ERROR "no headers were installed")
endif()
foreach(header ${headers})
  if(NOT header MATCHES "^include/(sode/|xmp(_io)?.h$)")
    message(FATAL_ERROR "${header} was installed, but only include/sode, xmp.h and xmp_io.h are public")
  endif()
endforeach()

# A shared library shows what programs may link to (SODE_API, SODE_C_API), and hides the rest.
file(GLOB_RECURSE shared ${installed}/libsode.so)
if(shared)
  run(nm -D --defined-only ${shared})
  string(REGEX MATCHALL "[^ \n]+(\n|$)" symbols "${output}")
  list(LENGTH symbols count)
  message(STATUS "${count} exported symbols")
  if(count GREATER 520 OR NOT output MATCHES "sode_init")
    message(FATAL_ERROR "libsode.so exports ${count} symbols, of at most 520 (what is public says SODE_API):\n${output}")
  endif()
endif()

load_cache(${BUILD} READ_WITH_PREFIX of_ CMAKE_CXX_COMPILER CMAKE_GENERATOR CMAKE_MAKE_PROGRAM)

set(ENV{PKG_CONFIG_PATH} "") # the CMake way must not need ours
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK}/consumer -G ${of_CMAKE_GENERATOR}
  -DCMAKE_MAKE_PROGRAM=${of_CMAKE_MAKE_PROGRAM} -DCMAKE_CXX_COMPILER=${of_CMAKE_CXX_COMPILER} -DCMAKE_PREFIX_PATH=${installed}
  -DCMAKE_BUILD_TYPE=Debug)
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
try_program(${WORK}/consumer/consumer)
# Without optimisation: one line about it, however many ranks there are.
run(${installed}/bin/sode run -n 2 ${WORK}/consumer/consumer)
expect_warnings(1)

execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/wrong_component -B ${WORK}/wrong_component -G ${of_CMAKE_GENERATOR}
  -DCMAKE_MAKE_PROGRAM=${of_CMAKE_MAKE_PROGRAM} -DCMAKE_CXX_COMPILER=${of_CMAKE_CXX_COMPILER} -DCMAKE_PREFIX_PATH=${installed}
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
string(REGEX REPLACE "[ \n]+" " " said "${output}")
if(result EQUAL 0 OR NOT said MATCHES "Sode has no component mpi")
  message(FATAL_ERROR "find_package with a component that does not exist ended with ${result}, and said\n${output}")
endif()
file(GLOB with_files ${installed}/include/sode/hdf5.hpp)
if(with_files)
  try_program(${WORK}/consumer/files)
endif()

# A program with directives, where `sode cc` was built.
file(GLOB_RECURSE rewriter ${installed}/sode-rewrite)
if(rewriter)
  file(WRITE ${WORK}/directives.c "#include <stdio.h>\n#include <xmp.h>
#pragma xmp nodes p[*]\n#pragma xmp template t[100]\n#pragma xmp distribute t[block] onto p\nint a[100];\n#pragma xmp align a[i] with t[i]
int main(void) {\n    int sum = 0;\n#pragma xmp loop on t[i] reduction(+:sum)\n    for (int i = 0; i < 100; i++) sum += a[i] = i;
    if (xmp_node_num() == 1) printf(\"%d ranks, sum %d\\n\", xmp_num_nodes(), sum);\n    return 0;\n}\n")
  run(${installed}/bin/sode cc -O1 ${WORK}/directives.c -o ${WORK}/directives)
  # One that calls the C face, too: that is in another shared library.
  file(WRITE ${WORK}/directives_and_calls.c "#include <sode/sode.h>\n#include <stdio.h>
#pragma xmp nodes p[*]\nint main(void) {\n    sode_runtime* rt;\n    if (sode_init(0, NULL, &rt)) return 1;
    if (sode_rank(rt) == 0) printf(\"%d ranks, sum 4950\\n\", sode_size(rt));\n    return 0;\n}\n")
  run(${installed}/bin/sode cc -O1 ${WORK}/directives_and_calls.c -o ${WORK}/directives_and_calls)
  run(${WORK}/directives_and_calls)
  expect_ranks(1)
  run(${WORK}/directives)
  expect_ranks(1)
  run(${installed}/bin/sode run -n 2 ${WORK}/directives)
  expect_ranks(2)
endif()

file(GLOB_RECURSE description ${installed}/*/sode.pc)
cmake_path(GET description PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} ${folder})
# A project of CMake whose program has directives, and whose headers are known to its build.
if(rewriter)
  file(WRITE ${WORK}/with_directives/length.h "#define LENGTH 100\n")
  file(WRITE ${WORK}/with_directives/sum.c "#include \"length.h\"\n#include <stdio.h>\n#include <xmp.h>
#pragma xmp nodes p[*]\n#pragma xmp template t[LENGTH]\n#pragma xmp distribute t[block] onto p\nint a[LENGTH];\n#pragma xmp align a[i] with t[i]
int main(void) {\n    int sum = 0;\n#pragma xmp loop on t[i] reduction(+ : sum)\n    for (int i = 0; i < LENGTH; i++) sum += a[i] = i;
#pragma xmp task on p[0]\n    printf(\"%d ranks, sum %d\\n\", xmp_all_num_nodes(), sum);\n    return 0;\n}\n")
  file(WRITE ${WORK}/with_directives/CMakeLists.txt "cmake_minimum_required(VERSION 3.20)\nproject(sum C CXX)\nfind_package(sode REQUIRED)\nsode_add_executable(sum sum.c)\nsode_add_executable(sums sums.cpp)\n")
  file(WRITE ${WORK}/with_directives/sums.cpp "#include \"length.h\"\n#include <iostream>\n#include <xmp.h>
#pragma xmp nodes p[*]\n#pragma xmp template t[LENGTH]\n#pragma xmp distribute t[block] onto p\nnamespace data { double a[LENGTH]; }\nusing data::a;\n#pragma xmp align a[i] with t[i]
template <class T> T total() {\n    T sum{};\n#pragma xmp loop on t[i] reduction(+ : sum)\n    for (int i = 0; i < LENGTH; i++) sum += a[i] = i;\n    return sum;\n}
int main() {\n    auto const sum = total<double>();\n#pragma xmp task on p[0]\n    std::cout << xmp_all_num_nodes() << \" ranks, sum \" << sum << std::endl;\n}\n")
  set(folder ${WORK}/with_directives/build)
  run(${CMAKE_COMMAND} -S ${WORK}/with_directives -B ${folder} -G ${of_CMAKE_GENERATOR} -DCMAKE_MAKE_PROGRAM=${of_CMAKE_MAKE_PROGRAM}
    -DCMAKE_CXX_COMPILER=${of_CMAKE_CXX_COMPILER} -DCMAKE_PREFIX_PATH=${installed} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
  run(${CMAKE_COMMAND} --build ${folder})
  run(${installed}/bin/sode run -n 2 ${folder}/sum)
  if(NOT output MATCHES "2 ranks, sum 4950")
    message(FATAL_ERROR "a program of sode_add_executable said\n${output}")
  endif()
  run(${installed}/bin/sode run -n 2 ${folder}/sums)
  if(NOT output MATCHES "2 ranks, sum 4950")
    message(FATAL_ERROR "a program in C++ of sode_add_executable said\n${output}")
  endif()
  run(${CMAKE_COMMAND} --build ${folder})
  if(output MATCHES "Building C")
    message(FATAL_ERROR "sode_add_executable builds anew what has not changed\n${output}")
  endif()
  file(WRITE ${WORK}/with_directives/length.h "#define LENGTH 200 // now\n")
  run(${CMAKE_COMMAND} -E sleep 1)
  run(${CMAKE_COMMAND} -E touch ${WORK}/with_directives/length.h)
  run(${CMAKE_COMMAND} --build ${folder})
  if(NOT output MATCHES "Building C")
    message(FATAL_ERROR "sode_add_executable does not see that a header has changed\n${output}")
  endif()
  file(READ ${folder}/compile_commands.json commands)
  if(NOT commands MATCHES "sum.c")
    message(FATAL_ERROR "compile_commands.json has no sum.c")
  endif()
endif()

function(try_pkg_config package source)
  run(pkg-config --cflags --libs ${package})
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(${of_CMAKE_CXX_COMPILER} -std=c++20 -O2 ${CMAKE_CURRENT_LIST_DIR}/consumer/${source}.cpp -o ${WORK}/${source}_by_pkg_config ${flags})
  try_program(${WORK}/${source}_by_pkg_config)
  run(${WORK}/${source}_by_pkg_config)
  expect_warnings(0)
endfunction()
try_pkg_config(sode consumer)

# In Fortran, whose linker knows nothing of C++.
find_program(fortran gfortran)
if(fortran)
  run(pkg-config --libs sode)
  separate_arguments(libraries UNIX_COMMAND "${output}")
  run(${fortran} -O1 -J${WORK} ${installed}/include/sode/sode.f90 ${CMAKE_CURRENT_LIST_DIR}/../../examples/fortran/heat.f90 ${libraries} -o ${WORK}/heat)
  run(${installed}/bin/sode run -n 2 ${WORK}/heat)
  if(NOT output MATCHES "2 ranks: heat 70265.909522")
    message(FATAL_ERROR "the program in Fortran said\n${output}")
  endif()
endif()
if(with_files)
  try_pkg_config(sode-hdf5 files)
endif()

set(ENV{SODE_PROFILE} default)
foreach(mpi openmpi mpich)
  set(setup_openmpi vader)
  set(setup_mpich mpich)
  if(NOT EXISTS ${BUILD}/bin/bench_datatypes_${mpi} OR NOT EXISTS ${BUILD}/lib/sode/libsode-interpose-${mpi}.so)
    continue()
  endif()
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${installed} --component bench)
  run(${installed}/bin/sode bench datatypes --quick --quiet --setups ${setup_${mpi}} --turns 1 --cases nas_mg_x_2048,contiguous_8)
  # "Sode's layer was not measured" is said of a distance between two cores at which only others ran; what is lost is a line of its own.
  if(NOT output MATCHES "to look at:" OR output MATCHES "not measured:")
    message(FATAL_ERROR "the installed benchmarks of ${mpi} said\n${output}")
  endif()
endforeach()
file(REMOVE_RECURSE ${WORK})
