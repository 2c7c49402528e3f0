// SPDX-License-Identifier: Apache-2.0
// What goes from rank to rank over machines, the ranks of each machine one after the other: leaders send each other what their
// machines have for each other.
#include "interpose/calls/next.hpp"
#include "interpose/collective/basic_types.hpp"
#include "interpose/collective/packed_memory.hpp"
#include "interpose/collective/tiered_call.hpp"

#include <cstring>

namespace sode::internal::interpose {

void tiered_call::plan_moves(bool at_root) {
    using enum planned_function;
    int const root = at_root ? on_.tiers.place(what_.root) : 0;
    switch (what_.what) {
    case gather: before_ = part(gather, root, what_.bytes); break;
    case scatter: after_ = part(scatter, root, what_.bytes); break;
    case allgather:
        before_ = part(gather, 0, what_.bytes);
        after_ = part(bcast, 0, total());
        break;
    default: before_ = part(gather, 0, total()); after_ = part(scatter, 0, total());
    }
}

int tiered_call::allgather(passed_call const& call, MPI_Comm communicator) {
    if (!leads_) {
        if (int const e = here(before_, call.given, {}, communicator, call.in_place); e != MPI_SUCCESS) return e;
        return here(after_, {}, call.got, communicator);
    }
    std::vector<int> counts, places;
    for (int m = 0; m < on_.tiers.machines(); ++m) {
        counts.push_back(static_cast<int>(bytes_of(m)));
        places.push_back(static_cast<int>(firsts_[static_cast<std::size_t>(m)] * what_.bytes));
    }
    std::byte* const all = room(total());
    std::byte* const own = all + places[static_cast<std::size_t>(machine_)];
    int const e = on_.here != nullptr ? here(before_, call.given, bytes_at(own, counts[static_cast<std::size_t>(machine_)]),
                                             communicator, call.in_place)
                                      : pack(call.given, own, what_.bytes, communicator);
    if (e != MPI_SUCCESS) return e;
    int const gathered =
        mpi_itself().allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts.data(), places.data(), MPI_BYTE, on_.leaders);
    if (gathered != MPI_SUCCESS) return gathered;
    if (int const sent = here(after_, bytes_at(all, total()), {}, communicator); sent != MPI_SUCCESS) return sent;
    return unpack(all, total(), call.got, communicator);
}

tiered_call::shares_of_leaders tiered_call::shares_of_others() const {
    auto const ranks = on_.tiers.machine_of.size();
    shares_of_leaders s{std::vector<int>(ranks), std::vector<int>(ranks)};
    for (int m = 0; m < on_.tiers.machines(); ++m) {
        auto const leader = static_cast<std::size_t>(firsts_[static_cast<std::size_t>(m)]);
        if (m != on_.tiers.machine(what_.root)) s.bytes[leader] = static_cast<int>(bytes_of(m));
        s.places[leader] = static_cast<int>(static_cast<std::int64_t>(leader) * what_.bytes);
    }
    return s;
}

// The root need not lead its machine. So this part is MPI's on the communicator itself; whoever does not lead has nothing to send,
// and sends nothing.
int tiered_call::gather(passed_call const& call, MPI_Comm communicator) {
    bool const roots = on_.rank == what_.root, at_root = on_.tiers.machine(what_.root) == machine_;
    bool const direct = roots && lies_densely(call.got.type);
    std::byte* all = nullptr;
    passed_memory mine{}; // of this machine, where it comes together
    if (roots) {
        all = direct ? static_cast<std::byte*>(call.got.memory) : room(total());
        mine = bytes_at(all + firsts_[static_cast<std::size_t>(machine_)] * what_.bytes, bytes_of(machine_));
    } else if (leads_ && !at_root) {
        mine = bytes_at(room(bytes_of(machine_)), bytes_of(machine_));
    }
    int e = MPI_SUCCESS;
    if (before_)
        e = here(before_, call.given, mine, communicator, call.in_place);
    else if (call.given.memory != mine.memory) // else in place
        e = pack(call.given, static_cast<std::byte*>(mine.memory), what_.bytes, communicator);
    if (e != MPI_SUCCESS) return e;
    auto const from = roots ? shares_of_others() : shares_of_leaders{};
    bool const sends = leads_ && !at_root;
    e = mpi_itself().gatherv(roots ? MPI_IN_PLACE : mine.memory, sends ? static_cast<int>(mine.count) : 0, MPI_BYTE, all,
                             from.bytes.data(), from.places.data(), MPI_BYTE, what_.root, communicator);
    return e != MPI_SUCCESS || !roots || direct ? e : unpack(all, total(), call.got, communicator);
}

int tiered_call::scatter(passed_call const& call, MPI_Comm communicator) {
    bool const roots = on_.rank == what_.root, at_root = on_.tiers.machine(what_.root) == machine_;
    std::byte* all = nullptr;
    passed_memory mine{};
    if (roots) {
        bool const direct = lies_densely(call.given.type);
        all = direct ? static_cast<std::byte*>(call.given.memory) : room(total());
        if (!direct)
            if (int const e = pack(call.given, all, total(), communicator); e != MPI_SUCCESS) return e;
        mine = bytes_at(all + firsts_[static_cast<std::size_t>(machine_)] * what_.bytes, bytes_of(machine_));
    } else if (leads_ && !at_root) {
        mine = bytes_at(room(bytes_of(machine_)), bytes_of(machine_));
    }
    auto const to = roots ? shares_of_others() : shares_of_leaders{};
    bool const gets = leads_ && !at_root;
    int const e = mpi_itself().scatterv(all, to.bytes.data(), to.places.data(), MPI_BYTE, roots ? MPI_IN_PLACE : mine.memory,
                                        gets ? static_cast<int>(mine.count) : 0, MPI_BYTE, what_.root, communicator);
    if (e != MPI_SUCCESS) return e;
    if (after_) return here(after_, mine, call.got, communicator, call.in_place);
    if (call.got.type == MPI_DATATYPE_NULL || call.got.memory == mine.memory) return MPI_SUCCESS; // it is where it is wanted
    return unpack(static_cast<std::byte const*>(mine.memory), what_.bytes, call.got, communicator);
}

/// The leader has a row of blocks of each of its ranks, and sends each machine the pieces of all rows that are for it.
int tiered_call::alltoall(passed_call const& call, MPI_Comm communicator) {
    std::int64_t const row = total(), own = on_.tiers.size(machine_);
    if (!leads_) {
        if (int const e = here(before_, call.given, {}, communicator); e != MPI_SUCCESS) return e;
        return here(after_, {}, call.got, communicator);
    }
    std::byte* const rows = room(2 * own * row);
    std::byte* const pieces = rows + own * row;
    int const packed =
        before_ ? here(before_, call.given, bytes_at(rows, own * row), communicator) : pack(call.given, rows, row, communicator);
    if (packed != MPI_SUCCESS) return packed;
    std::vector<int> bytes, places;
    auto* at = pieces;
    for (int m = 0; m < on_.tiers.machines(); ++m) {
        bytes.push_back(static_cast<int>(own * bytes_of(m)));
        places.push_back(static_cast<int>(at - pieces));
        for (std::int64_t r = 0; r < own; ++r, at += bytes_of(m))
            std::memcpy(at, rows + r * row + firsts_[static_cast<std::size_t>(m)] * what_.bytes,
                        static_cast<std::size_t>(bytes_of(m)));
    }
    int const e = mpi_itself().alltoallv(pieces, bytes.data(), places.data(), MPI_BYTE, rows, bytes.data(), places.data(), MPI_BYTE,
                                         on_.leaders);
    if (e != MPI_SUCCESS) return e;
    // By rank that gives, then by rank of this machine that gets; wanted is the other way round.
    auto const one = static_cast<std::size_t>(what_.bytes);
    auto const ranks = static_cast<std::int64_t>(on_.tiers.machine_of.size());
    for (std::int64_t from = 0; from < ranks; ++from)
        for (std::int64_t to = 0; to < own; ++to)
            std::memcpy(pieces + to * row + from * what_.bytes, rows + (from * own + to) * what_.bytes, one);
    return after_ ? here(after_, bytes_at(pieces, own * row), call.got, communicator) : unpack(pieces, row, call.got, communicator);
}

} // namespace sode::internal::interpose
