// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/repeated_call.hpp"

#include <mpi.h>

namespace sode::internal::interpose {

/// What a persistent collective was made with; what means nothing for its function is left out.
struct persistent_arguments {
    planned_function what = planned_function::barrier;
    void const* from = nullptr;
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    void* to = nullptr; ///< of MPI_Bcast: its buffer
    MPI_Count room = 0;
    MPI_Datatype into = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;
    int root = -1;
};

class repeated_plan;

/// What libsode-mpi4 asks of the MPI layer, if that is loaded. Functions that return an int return a code of MPI, of which the
/// communicator's error handler has heard. Datatypes and operators stay until free().
struct persistent_face {
    /// Collective: a plan, or null on all ranks, if MPI has to carry this one.
    int (*make)(MPI_Comm communicator, persistent_arguments const& arguments, repeated_plan** result);
    int (*start)(repeated_plan& plan);
    /// Goes on without waiting. `over`: wait() would not wait.
    int (*test)(repeated_plan& plan, bool* over);
    /// Once after each start().
    int (*wait)(repeated_plan& plan);
    /// Local. What is under way goes on to its end.
    void (*free)(repeated_plan& plan) noexcept;
    /// MPI and all that is started get a turn: for those who wait for several things at once.
    void (*let_others_go_on)() noexcept;
};

/// The name and the type of the function by which the layer is found.
inline constexpr char persistent_face_name[] = "sode_interpose_persistent_1"; // the number changes with what is above
using persistent_face_function = persistent_face const*() noexcept;

} // namespace sode::internal::interpose
