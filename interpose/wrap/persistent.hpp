// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/entry.hpp"

#include <string>
#include <type_traits>

namespace sode::internal::interpose {

/// Persistent collectives, where the MPI has them. They go to MPI as they are: this is where plans will take them over. A plan
/// needs what is here at hand: the arguments, all ranks of the communicator in one call, and the request, which it would track
/// (request_table) so that MPI_Start and all forms of waiting run the plan; what it declines goes on as now.
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
