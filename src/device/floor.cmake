# SPDX-License-Identifier: Apache-2.0
# The plug-in must be of the same version.
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/device/cuda/plugin.cpp PROPERTIES COMPILE_DEFINITIONS "SODE_VERSION=\"${PROJECT_VERSION}\"")
