// SPDX-License-Identifier: Apache-2.0
// Reductions over machines of which each rank gets something of its own. What is combined lies densely.
#include "interpose/calls/next.hpp"
#include "interpose/collective/tiered_call.hpp"

#include <cstring>

namespace sode::internal::interpose {

void tiered_call::plan_sums() {
    using enum planned_function;
    bool const scatters = what_.what == reduce_scatter_block;
    before_ = part(reduce, 0, scatters ? total() : what_.bytes);
    if (!scatters) inside_ = part(what_.what, -1, what_.bytes);
    if (scatters)
        after_ = part(scatter, 0, what_.bytes);
    else if (machine_ > 0)
        after_ = part(bcast, 0, what_.bytes);
}

int tiered_call::reduce_scatter_block(passed_call const& call, MPI_Comm communicator) {
    if (!leads_) {
        if (int const e = here(before_, call.given, {}, communicator); e != MPI_SUCCESS) return e;
        return here(after_, {}, call.got, communicator);
    }
    std::byte* const sums = room(total() + bytes_of(machine_));
    passed_memory const mine = bytes_at(sums + total(), bytes_of(machine_));
    if (int const e = to_leader(call, {sums, call.given.count, call.given.type}, communicator); e != MPI_SUCCESS) return e;
    std::vector<int> counts;
    for (int const size : on_.tiers.sizes) counts.push_back(size * static_cast<int>(call.got.count));
    int const e = PMPI_Reduce_scatter(sums, mine.memory, counts.data(), call.given.type, call.op, on_.leaders);
    if (e != MPI_SUCCESS) return e;
    if (after_) return here(after_, mine, call.got, communicator);
    std::memcpy(call.got.memory, mine.memory, static_cast<std::size_t>(what_.bytes));
    return MPI_SUCCESS;
}

int tiered_call::before_this_machine(passed_call const& call, std::byte* sums, MPI_Comm communicator) {
    if (leads_) {
        std::byte* const own = sums + what_.bytes;
        if (int const e = to_leader(call, {own, call.given.count, call.given.type}, communicator); e != MPI_SUCCESS) return e;
        int const e = mpi_itself().exscan(own, sums, static_cast<int>(call.given.count), call.given.type, call.op, on_.leaders);
        return e != MPI_SUCCESS ? e : here(after_, bytes_at(sums, what_.bytes), {}, communicator);
    }
    if (int const e = here(before_, call.given, {}, communicator); e != MPI_SUCCESS) return e;
    return here(after_, {}, bytes_at(sums, what_.bytes), communicator);
}

/// MPI_Scan and MPI_Exscan: what the ranks of a machine make of theirs, behind what all machines before it combine to.
int tiered_call::scan(passed_call const& call, MPI_Comm communicator) {
    bool const inclusive = what_.what == planned_function::scan, first = on_.tiers.place(on_.rank) == 0;
    std::byte* const sums = room(2 * what_.bytes);
    // First, as in place what is given is overwritten after it.
    if (int const e = before_this_machine(call, sums, communicator); e != MPI_SUCCESS) return e;
    if (inside_) {
        if (int const e = here(inside_, call.given, call.got, communicator, call.in_place); e != MPI_SUCCESS) return e;
    } else if (inclusive && call.got.memory != call.given.memory) {
        std::memcpy(call.got.memory, call.given.memory, static_cast<std::size_t>(what_.bytes));
    }
    if (machine_ == 0) return MPI_SUCCESS;
    if (!inclusive && first) {
        std::memcpy(call.got.memory, sums, static_cast<std::size_t>(what_.bytes));
        return MPI_SUCCESS;
    }
    return PMPI_Reduce_local(sums, call.got.memory, static_cast<int>(call.given.count), call.given.type, call.op);
}

} // namespace sode::internal::interpose
