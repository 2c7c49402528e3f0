// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/layer.hpp"

namespace sode::interpose {

extern "C" {

int MPI_Probe(int source, int tag, MPI_Comm communicator, MPI_Status* status) {
    entry const call;
    layer* const l = call.active();
    return l == nullptr ? call.next().probe(source, tag, communicator, status) : l->probe(call, source, tag, communicator, status);
}

int MPI_Iprobe(int source, int tag, MPI_Comm communicator, int* flag, MPI_Status* status) {
    entry const call;
    layer* const l = call.active();
    return l == nullptr ? call.next().iprobe(source, tag, communicator, flag, status)
                        : l->iprobe(call, source, tag, communicator, flag, status);
}

int MPI_Mprobe(int source, int tag, MPI_Comm communicator, MPI_Message* message, MPI_Status* status) {
    entry const call;
    layer* const l = call.active();
    return l == nullptr ? call.next().mprobe(source, tag, communicator, message, status)
                        : l->mprobe(call, source, tag, communicator, message, status);
}

int MPI_Improbe(int source, int tag, MPI_Comm communicator, int* flag, MPI_Message* message, MPI_Status* status) {
    entry const call;
    layer* const l = call.active();
    return l == nullptr ? call.next().improbe(source, tag, communicator, flag, message, status)
                        : l->improbe(call, source, tag, communicator, flag, message, status);
}

} // extern "C"

} // namespace sode::interpose
