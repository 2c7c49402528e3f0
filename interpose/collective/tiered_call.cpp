// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/tiered_call.hpp"

#include "interpose/calls/next.hpp"
#include "interpose/collective/packed_memory.hpp"

#include <cstring>

namespace sode::internal::interpose {

namespace {

passed_memory bytes_at(std::byte* memory, std::int64_t bytes) {
    return {memory, static_cast<MPI_Count>(bytes), MPI_BYTE};
}

} // namespace

bool tiered_call::can_be(repeated_call const& what, machine_tiers const& tiers) noexcept {
    using enum planned_function;
    switch (what.what) {
    case barrier:
    case bcast:
    case reduce:
    case allreduce: return true;
    case allgather: return tiers.in_blocks;
    default: return false;
    }
}

tiered_call::tiered_call(group const& on, repeated_call const& what)
    : on_(on), what_(what), machine_(on.tiers.machine(on.rank)), leads_(on.tiers.place(on.rank) == 0) {
    using enum planned_function;
    bool const at_root = what.root >= 0 && on.tiers.machine(what.root) == machine_;
    switch (what.what) {
    case barrier: before_ = part(barrier, -1); break;
    case bcast:
        if (at_root)
            before_ = part(bcast, on.tiers.place(what.root));
        else
            after_ = part(bcast, 0);
        break;
    case reduce:
        before_ = part(reduce, 0);
        if (at_root && on.tiers.place(what.root) != 0) after_ = part(bcast, 0);
        break;
    case allreduce:
        before_ = part(reduce, 0);
        after_ = part(bcast, 0);
        break;
    default: before_ = part(gather, 0); after_ = part(bcast, 0);
    }
}

std::unique_ptr<kept_call> tiered_call::part(planned_function what, int root) const {
    if (on_.here == nullptr) return nullptr;
    repeated_call c{what, root, what_.bytes, 0};
    if (what == planned_function::reduce) c.combiner = what_.combiner;
    bool const all = what_.what == planned_function::allgather && what == planned_function::bcast;
    if (all) c.bytes *= static_cast<std::int64_t>(on_.tiers.machine_of.size());
    return std::make_unique<kept_call>(*on_.here, c);
}

int tiered_call::here(std::unique_ptr<kept_call> const& part, passed_memory const& given, passed_memory const& got,
                      MPI_Comm communicator, bool in_place) const {
    return part ? part->run({.what = part->what(), .given = given, .got = got, .in_place = in_place}, communicator) : MPI_SUCCESS;
}

std::byte* tiered_call::room(std::int64_t bytes) {
    room_.resize(static_cast<std::size_t>(bytes));
    return room_.data();
}

int tiered_call::run(passed_call const& call, MPI_Comm communicator) {
    switch (what_.what) {
    case planned_function::barrier: return barrier(communicator);
    case planned_function::bcast: return bcast(call, communicator);
    case planned_function::allgather: return allgather(call, communicator);
    case planned_function::allreduce: return allreduce(call, communicator);
    default: return reduce(call, communicator);
    }
}

int tiered_call::barrier(MPI_Comm communicator) {
    if (int const e = here(before_, {}, {}, communicator); e != MPI_SUCCESS) return e;
    if (leads_)
        if (int const e = mpi_itself().barrier(on_.leaders); e != MPI_SUCCESS) return e;
    return here(before_, {}, {}, communicator);
}

int tiered_call::bcast(passed_call const& call, MPI_Comm communicator) {
    bool const gives = on_.rank == what_.root;
    passed_memory const& own = gives ? call.given : call.got;
    if (int const e = here(before_, call.given, call.got, communicator); e != MPI_SUCCESS) return e;
    if (leads_)
        if (int const e =
                mpi_itself().bcast(own.memory, static_cast<int>(own.count), own.type, on_.tiers.machine(what_.root), on_.leaders);
            e != MPI_SUCCESS)
            return e;
    return leads_ ? here(after_, own, {}, communicator) : here(after_, {}, own, communicator);
}

/// What is combined lies densely.
int tiered_call::allreduce(passed_call const& call, MPI_Comm communicator) {
    if (!leads_) {
        if (int const e = here(before_, call.given, {}, communicator); e != MPI_SUCCESS) return e;
        return here(after_, {}, call.got, communicator);
    }
    auto const& sum = call.got;
    if (int const e = to_leader(call, sum, communicator); e != MPI_SUCCESS) return e;
    int const e = mpi_itself().allreduce(MPI_IN_PLACE, sum.memory, static_cast<int>(sum.count), sum.type, call.op, on_.leaders);
    return e != MPI_SUCCESS ? e : here(after_, sum, {}, communicator);
}

int tiered_call::reduce(passed_call const& call, MPI_Comm communicator) {
    bool const gets = on_.rank == what_.root;
    if (!leads_) {
        if (int const e = here(before_, call.given, {}, communicator); e != MPI_SUCCESS) return e;
        // Where the root does not lead, the others of its machine hear the sum as well.
        return here(after_, {}, gets ? call.got : bytes_at(after_ ? room(what_.bytes) : nullptr, what_.bytes), communicator);
    }
    // Not in place between machines: MPICH 4.0 reads at MPI_IN_PLACE where the root of a longer MPI_Reduce is not rank 0.
    std::byte* const rooms = room(2 * what_.bytes);
    passed_memory const sum{rooms, call.given.count, call.given.type};
    passed_memory const result = gets ? call.got : passed_memory{rooms + what_.bytes, sum.count, sum.type};
    if (int const e = to_leader(call, sum, communicator); e != MPI_SUCCESS) return e;
    int const e = mpi_itself().reduce(sum.memory, result.memory, static_cast<int>(sum.count), sum.type, call.op,
                                      on_.tiers.machine(what_.root), on_.leaders);
    return e != MPI_SUCCESS ? e : here(after_, result, {}, communicator);
}

/// Combines what this machine gives, at its leader.
int tiered_call::to_leader(passed_call const& call, passed_memory const& sum, MPI_Comm communicator) {
    if (on_.here != nullptr) return here(before_, call.given, sum, communicator, call.in_place && sum.memory == call.got.memory);
    if (sum.memory != call.given.memory) std::memcpy(sum.memory, call.given.memory, static_cast<std::size_t>(what_.bytes));
    return MPI_SUCCESS;
}

int tiered_call::allgather(passed_call const& call, MPI_Comm communicator) {
    auto const ranks = static_cast<std::int64_t>(on_.tiers.machine_of.size());
    std::int64_t const total = ranks * what_.bytes;
    if (!leads_) {
        if (int const e = here(before_, call.given, {}, communicator, call.in_place); e != MPI_SUCCESS) return e;
        return here(after_, {}, call.got, communicator);
    }
    std::vector<int> counts, places;
    for (int m = 0, at = 0; m < on_.tiers.machines(); at += on_.tiers.size(m++)) {
        counts.push_back(static_cast<int>(on_.tiers.size(m) * what_.bytes));
        places.push_back(static_cast<int>(at * what_.bytes));
    }
    std::byte* const all = room(total);
    std::byte* const own = all + places[static_cast<std::size_t>(machine_)];
    int const e = on_.here != nullptr ? here(before_, call.given, bytes_at(own, counts[static_cast<std::size_t>(machine_)]),
                                             communicator, call.in_place)
                                      : pack(call.given, own, what_.bytes, communicator);
    if (e != MPI_SUCCESS) return e;
    int const gathered =
        mpi_itself().allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts.data(), places.data(), MPI_BYTE, on_.leaders);
    if (gathered != MPI_SUCCESS) return gathered;
    if (int const sent = here(after_, bytes_at(all, total), {}, communicator); sent != MPI_SUCCESS) return sent;
    return unpack(all, total, call.got, communicator);
}

} // namespace sode::internal::interpose
