# SPDX-License-Identifier: Apache-2.0
# What speaks to the root of a machine's tasks: part of `sode-task` and of the `sode` command.
set(client job_key.cpp abstract_socket.cpp own_request.cpp packet.cpp parse_bytes.cpp rank_request.cpp root_link.cpp)
list(TRANSFORM client PREPEND ${CMAKE_CURRENT_LIST_DIR}/root/)
set(SODE_TASK_CLIENT_SOURCES ${client})
