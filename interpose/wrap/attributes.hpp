// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/carried.hpp"
#include "interpose/requests/layer.hpp"

namespace sode::internal::interpose::wrap {

// While MPI deletes or replaces an attribute, it calls what the program has attached with it, which may be the first to use the
// communicator or the datatype. MPICH loses what is attached meanwhile: so what is ours hangs there before. Where an attribute of a
// communicator is replaced, it loses nothing.

template <auto Next> int delete_attribute(MPI_Comm communicator, int key) {
    entry const call;
    if (layer* const l = call.active(); l != nullptr && communicator != MPI_COMM_NULL) {
        static_cast<void>(l->base.communicators().of(communicator));
        static_cast<void>(planned_for(call, communicator));
    }
    program_called_back const mpi{call};
    return (call.next().*Next)(communicator, key);
}
template <auto Next> int comm_delete_attr(MPI_Comm communicator, int key) {
    return delete_attribute<Next>(communicator, key);
}
template <auto Next> int attr_delete(MPI_Comm communicator, int key) {
    return delete_attribute<Next>(communicator, key);
}

template <auto Next, class... Value> int change_attribute_of_type(MPI_Datatype type, int key, Value... value) {
    entry const call;
    layer* const l = call.active();
    if (l != nullptr && type != MPI_DATATYPE_NULL) l->base.types().attach(type);
    known_sizes::pause const mpi_is_writing{sizes_of_types};
    program_called_back const mpi{call};
    return (call.next().*Next)(type, key, value...);
}
template <auto Next> int type_delete_attr(MPI_Datatype type, int key) {
    return change_attribute_of_type<Next>(type, key);
}
template <auto Next> int type_set_attr(MPI_Datatype type, int key, void* value) {
    return change_attribute_of_type<Next>(type, key, value);
}

} // namespace sode::internal::interpose::wrap
