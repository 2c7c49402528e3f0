// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/entry.hpp"

#include <string>
#include <type_traits>

namespace sode::internal::interpose {

/// Persistent collectives, where the MPI has them, go to the MPI as they are. Programs that are linked with libsode-mpi4 have
/// its functions behind these, which ask for plans by collective/persistent_face.hpp.
///
/// Defined under the names of MPI-4. Open MPI 4.1 has them as an extension of its own, of which we have the names only in the
/// library that is linked (interpose/CMakeLists.txt).
///
/// Goes on with a call of the persistent collective `function`, a name without its prefix. They are made once for many starts, so
/// what comes next is looked up at the call, and has no place in the table.
template <class... Arguments>
int go_on(int (* /*of that type*/)(Arguments...), char const* function, std::type_identity_t<Arguments>... arguments) {
#if defined(OPEN_MPI)
    constexpr char const* prefix = "MPIX_"; // an extension of Open MPI 4.1
#else
    constexpr char const* prefix = "MPI_";
#endif
    entry const call;
    int (*const next)(Arguments...) = next_symbol{((call.nested() ? "P" : "") + std::string{prefix} + function).c_str()};
    return next(arguments...);
}

} // namespace sode::internal::interpose
