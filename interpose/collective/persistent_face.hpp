// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/persistent_arguments.hpp"

#include <mpi.h>

namespace sode::internal::interpose {

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
inline constexpr char persistent_face_name[] = "sode_interpose_persistent_2"; // the number changes with what is above
using persistent_face_function = persistent_face const*() noexcept;

} // namespace sode::internal::interpose
