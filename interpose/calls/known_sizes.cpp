// SPDX-License-Identifier: Apache-2.0
#include "interpose/calls/known_sizes.hpp"

#include <sode/detail/mpi_envelope.hpp>

namespace sode::internal::interpose {

namespace {

// Programs make some types for one message each, and those need not be watched.
constexpr int few = 8;

/// MPI tells of the end of others only.
bool is_of_program(MPI_Datatype type) {
    return !detail::mpi_envelope{type}.basic();
}

} // namespace

void known_sizes::open() {
    PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget, &key_, nullptr);
}

void known_sizes::close() {
    if (key_ != MPI_KEYVAL_INVALID) PMPI_Type_free_keyval(&key_);
    all_ = {};
}

int known_sizes::forget(MPI_Datatype type, int, void* attribute, void*) {
    auto& all = static_cast<known_sizes*>(attribute)->all_;
    if (one& o = all[place(type)]; o.type == type) o = {};
    return MPI_SUCCESS;
}

void known_sizes::look_at(MPI_Datatype type) noexcept {
    if (type == MPI_DATATYPE_NULL) return; // MPICH takes it for messages without elements
    one& o = all_[place(type)];
    if (o.type != type) o = {type, -1, 0};
    if (++o.met < few) return;
    o.met = 0;
    MPI_Count bytes = 0;
    if (PMPI_Type_size_x(type, &bytes) != MPI_SUCCESS || bytes < 0) return;
    // An attribute that is there already is forgotten by this.
    if (is_of_program(type) && PMPI_Type_set_attr(type, key_, this) != MPI_SUCCESS) return;
    o = {type, bytes, 0};
}

} // namespace sode::internal::interpose
