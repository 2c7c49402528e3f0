// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/carried.hpp"
#include "interpose/requests/layer.hpp"

#include <optional>

namespace sode::internal::interpose::wrap {

/// A communicator goes: its plans before it, in the call that all its ranks make. MPI tells of its end only when the last message
/// on it is over, which is on each rank at another time.
template <auto Next> int end_of_communicator(MPI_Comm* communicator) {
    entry const call;
    auto* const all = call.active() == nullptr ? nullptr : serving.load(std::memory_order_acquire);
    if (all != nullptr && communicator != nullptr)
        if (auto* const plans = all->known(*communicator)) plans->end();
    layer* const l = communicator == nullptr ? nullptr : call.active();
    std::optional<peers::ending> end;
    if (l != nullptr) end.emplace(l->base.communicators(), *communicator);
    program_called_back const mpi{call};
    return (call.next().*Next)(communicator);
}
template <auto Next> int comm_free(MPI_Comm* communicator) {
    return end_of_communicator<Next>(communicator);
}
template <auto Next> int comm_disconnect(MPI_Comm* communicator) {
    return end_of_communicator<Next>(communicator);
}

} // namespace sode::internal::interpose::wrap
