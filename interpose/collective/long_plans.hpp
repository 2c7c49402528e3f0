// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/all_agree.hpp"
#include "interpose/collective/collective_service.hpp"

namespace sode::internal::interpose {

/// Collective, after a plan of a long call was made: what it holds is known by then. While some rank has no room for what such
/// plans hold, plans go. `drops`: lets some go, equal on all ranks; false: there is nothing left to try.
template <class Drops> void fit_long_plans(collective_service const& service, MPI_Comm communicator, Drops drops) {
    while (!all_agree(service.has_room(), communicator) && drops()) {
    }
}

} // namespace sode::internal::interpose
