# SPDX-License-Identifier: Apache-2.0
# The list of ways is compiled alone in every build, so that a program may bring a list of its own (tests/strangers).
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/ways.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
