# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: the public headers and no others, libsode, the `sode` command, and what find_package(sode) and
# pkg-config need. The tree may be moved afterwards.
#
# A shared libsode hides what it is made of: its users need neither fmt nor hwloc. A static one passes both on to their linker.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sode)
get_target_property(kind sode TYPE)
if(kind STREQUAL STATIC_LIBRARY)
  set(SODE_IS_STATIC ON)
  set(SODE_PC_REQUIRES "Requires: fmt hwloc\n")
  set(SODE_PC_LIBRARIES " -pthread -lstdc++ -lm") # for linkers that are not C++'s
else()
  set(SODE_IS_STATIC OFF)
  # As CMake does for its own users: a program finds the library that it was linked with.
  set(SODE_PC_RPATH " -Wl,-rpath,\${libdir}")
endif()

# Components are the packages of SodePackages.cmake.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(TARGETS sode EXPORT sode LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS sode_command COMPONENT tools)
install(TARGETS sode_xmp sode_acc_stand_in DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library OPTIONAL)
install(FILES ${PROJECT_SOURCE_DIR}/include/xmp.h ${PROJECT_SOURCE_DIR}/include/xmp_io.h TYPE INCLUDE)
if(TARGET sode_rewrite)
  install(TARGETS sode_rewrite DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/sode COMPONENT tools OPTIONAL)
endif()
set(hdf5_headers hdf5.hpp series.hpp)
list(TRANSFORM hdf5_headers REPLACE "(.+)" "PATTERN;\\1;EXCLUDE" OUTPUT_VARIABLE only_with_hdf5)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sode TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.f90" ${only_with_hdf5})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE TYPE DOC)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md TYPE DOC)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs TYPE DOC PATTERN "CMakeLists.txt" EXCLUDE PATTERN "Doxyfile.in" EXCLUDE)
# They are built where they lie by a file of their own, which knows the installed library only.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples TYPE DOC PATTERN "CMakeLists.txt" EXCLUDE PATTERN "serial" EXCLUDE PATTERN "installed" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/examples/installed/CMakeLists.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
include(SodeManual)

install(EXPORT sode NAMESPACE sode:: FILE sodeTargets.cmake DESTINATION ${package_dir})
# A component: a program that does not ask for it needs no HDF5.
if(TARGET sode_hdf5)
  install(TARGETS sode_hdf5 EXPORT sode_hdf5 LIBRARY COMPONENT library NAMELINK_COMPONENT development)
  install(EXPORT sode_hdf5 NAMESPACE sode:: FILE sode_hdf5Targets.cmake DESTINATION ${package_dir})
  list(TRANSFORM hdf5_headers PREPEND ${PROJECT_SOURCE_DIR}/include/sode/)
  install(FILES ${hdf5_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sode)
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/sodeConfig.cmake.in ${PROJECT_BINARY_DIR}/sodeConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# Until 1.0 a minor version may change any interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sodeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sodeConfig.cmake ${PROJECT_BINARY_DIR}/sodeConfigVersion.cmake ${PROJECT_SOURCE_DIR}/cmake/SodeExecutable.cmake
  DESTINATION ${package_dir})

if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(SODE_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(SODE_PC_PREFIX "\${pcfiledir}/${up}")
endif()
cmake_path(APPEND SODE_PC_LIBDIR "\${prefix}" ${CMAKE_INSTALL_LIBDIR})
cmake_path(APPEND SODE_PC_INCLUDEDIR "\${prefix}" ${CMAKE_INSTALL_INCLUDEDIR})
configure_file(${PROJECT_SOURCE_DIR}/cmake/sode.pc.in ${PROJECT_BINARY_DIR}/sode.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sode.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
foreach(SODE_MPI4_NAME openmpi mpich)
  if(TARGET sode_mpi4_${SODE_MPI4_NAME})
    configure_file(${PROJECT_SOURCE_DIR}/mpi4/sode-mpi4.pc.in ${PROJECT_BINARY_DIR}/sode-mpi4-${SODE_MPI4_NAME}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/sode-mpi4-${SODE_MPI4_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${SODE_MPI4_NAME})
  endif()
endforeach()
if(TARGET sode_hdf5)
  if(SODE_IS_STATIC)
    set(SODE_PC_HDF5 " ${SODE_HDF5_MODULE}")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/sode-hdf5.pc.in ${PROJECT_BINARY_DIR}/sode-hdf5.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/sode-hdf5.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
if(PROJECT_IS_TOP_LEVEL)
  include(SodePackages)
endif()
