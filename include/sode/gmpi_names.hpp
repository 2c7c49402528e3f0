// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/gmpi.hpp>

/// \file
/// The function names of the GMPI paper (Kuwahara, Hanawa, Kodama, Boku; see docs/references.md), section 6, for use with
/// <sode/gmpi.hpp>. If the first argument is a group, all threads of the group together make one call. Without a group argument,
/// each thread makes its own call.

using GMPI_Context = gmpi::device_handle;
using GMPI_Request = gmpi::request;
using GMPI_Status = gmpi::status;
using GMPI_Datatype = gmpi::datatype;
using GMPI_Comm = std::uint16_t;

enum GMPI_Code : int { GMPI_SUCCESS = 0 }; ///< otherwise a value of gmpi::code
enum : GMPI_Comm { GMPI_COMM_WORLD = 0 };

#define GMPI_CHAR (gmpi::datatype{sizeof(char)})
#define GMPI_INT (gmpi::datatype{sizeof(int)})
#define GMPI_LONG (gmpi::datatype{sizeof(long)})
#define GMPI_FLOAT (gmpi::datatype{sizeof(float)})
#define GMPI_DOUBLE (gmpi::datatype{sizeof(double)})
#define GMPI_BYTE (gmpi::datatype{1})

template <class Group>
SODE_GPU int GMPI_Isend(Group const& group, GMPI_Context const* context, void const* buffer, int count, GMPI_Datatype type,
                        int peer, int tag, GMPI_Comm communicator, GMPI_Request* request) {
    *request = gmpi::isend(group, *context, buffer, static_cast<gmpi::word>(count), type, peer, tag, {communicator, false});
    return GMPI_SUCCESS; // GMPI_Wait() reports errors to all threads of the group
}
SODE_GPU inline int GMPI_Isend(GMPI_Context const* context, void const* buffer, int count, GMPI_Datatype type, int peer, int tag,
                               GMPI_Comm communicator, GMPI_Request* request) {
    return GMPI_Isend(gmpi::thread(), context, buffer, count, type, peer, tag, communicator, request);
}

template <class Group>
SODE_GPU int GMPI_Irecv(Group const& group, GMPI_Context const* context, void* buffer, int count, GMPI_Datatype type, int peer,
                        int tag, GMPI_Comm communicator, GMPI_Request* request) {
    *request = gmpi::irecv(group, *context, buffer, static_cast<gmpi::word>(count), type, peer, tag, {communicator, false});
    return GMPI_SUCCESS;
}
SODE_GPU inline int GMPI_Irecv(GMPI_Context const* context, void* buffer, int count, GMPI_Datatype type, int peer, int tag,
                               GMPI_Comm communicator, GMPI_Request* request) {
    return GMPI_Irecv(gmpi::thread(), context, buffer, count, type, peer, tag, communicator, request);
}

/// Only thread 0 of the group receives the status. `status` may be null.
template <class Group>
SODE_GPU int GMPI_Wait(Group const& group, GMPI_Context const* context, GMPI_Request* request, GMPI_Status* status = nullptr) {
    return static_cast<int>(gmpi::wait(group, *context, *request, status));
}
SODE_GPU inline int GMPI_Wait(GMPI_Context const* context, GMPI_Request* request, GMPI_Status* status = nullptr) {
    return GMPI_Wait(gmpi::thread(), context, request, status);
}

/// Sets `*flag` to 1 if the request is complete, otherwise to 0.
template <class Group>
SODE_GPU int GMPI_Test(Group const& group, GMPI_Context const* context, GMPI_Request* request, int* flag,
                       GMPI_Status* status = nullptr) {
    auto const how = gmpi::test(group, *context, *request, status);
    *flag = how != gmpi::code::would_block;
    return *flag != 0 ? static_cast<int>(how) : static_cast<int>(GMPI_SUCCESS);
}
SODE_GPU inline int GMPI_Test(GMPI_Context const* context, GMPI_Request* request, int* flag, GMPI_Status* status = nullptr) {
    return GMPI_Test(gmpi::thread(), context, request, flag, status);
}
