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
  set(SODE_PC_LIBRARIES " -pthread")
else()
  set(SODE_IS_STATIC OFF)
endif()

install(TARGETS sode EXPORT sode)
install(TARGETS sode_command)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sode TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE TYPE DOC)

install(EXPORT sode NAMESPACE sode:: FILE sodeTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/sodeConfig.cmake.in ${PROJECT_BINARY_DIR}/sodeConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# Until 1.0 a minor version may change any interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sodeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sodeConfig.cmake ${PROJECT_BINARY_DIR}/sodeConfigVersion.cmake DESTINATION ${package_dir})

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
