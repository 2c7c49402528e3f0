// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/tiered_call.hpp"

#include "base/contract.hpp"
#include "interpose/calls/next.hpp"
#include "interpose/collective/packed_memory.hpp"

#include <cstring>

namespace sode::internal::interpose {

bool tiered_call::can_be(repeated_call const& what, machine_tiers const& tiers) noexcept {
    using enum planned_function;
    switch (what.what) {
    case barrier:
    case bcast:
    case reduce:
    case allreduce: return true;
    default: return tiers.in_blocks;
    }
}

tiered_call::tiered_call(group const& on, repeated_call const& what)
    : on_(on), what_(what), machine_(on.tiers.machine(on.rank)), leads_(on.tiers.place(on.rank) == 0) {
    using enum planned_function;
    bool const at_root = what.root >= 0 && on.tiers.machine(what.root) == machine_;
    for (int m = 0, first = 0; m < on.tiers.machines(); first += on.tiers.size(m++)) firsts_.push_back(first);
    switch (what.what) {
    case barrier: before_ = part(barrier, -1, 0); break;
    case bcast:
        if (at_root)
            before_ = part(bcast, on.tiers.place(what.root), what.bytes);
        else
            after_ = part(bcast, 0, what.bytes);
        break;
    case reduce:
        before_ = part(reduce, 0, what.bytes);
        if (at_root && on.tiers.place(what.root) != 0) after_ = part(bcast, 0, what.bytes);
        break;
    case allreduce:
        before_ = part(reduce, 0, what.bytes);
        after_ = part(bcast, 0, what.bytes);
        break;
    case reduce_scatter_block:
    case scan:
    case exscan: plan_sums(); break;
    default: plan_moves(at_root);
    }
}

std::int64_t tiered_call::held() const noexcept {
    std::int64_t sum = 0;
    for (auto const* part : {before_.get(), inside_.get(), after_.get()})
        if (part != nullptr) sum += part->held();
    return sum;
}

std::unique_ptr<kept_call> tiered_call::part(planned_function what, int root, std::int64_t bytes) const {
    if (on_.here == nullptr) return nullptr;
    bool const combines = what >= planned_function::reduce && what <= planned_function::exscan;
    return std::make_unique<kept_call>(*on_.here, repeated_call{what, root, bytes, combines ? what_.combiner : 0});
}

int tiered_call::here(std::unique_ptr<kept_call> const& part, passed_memory const& given, passed_memory const& got,
                      MPI_Comm communicator, bool in_place) const {
    return part ? part->run({.what = part->what(), .given = given, .got = got, .in_place = in_place}, communicator) : MPI_SUCCESS;
}

std::byte* tiered_call::room(std::int64_t bytes) {
    SODE_EXPECT(room_.bytes == 0 || room_.bytes == bytes, "what a call brings together is as long as in the calls before");
    room_.bytes = bytes;
    return room_.use();
}

int tiered_call::run(passed_call const& call, MPI_Comm communicator) {
    int const result = carry(call, communicator);
    room_.rest();
    return result;
}

int tiered_call::carry(passed_call const& call, MPI_Comm communicator) {
    switch (what_.what) {
    case planned_function::barrier: return barrier(communicator);
    case planned_function::bcast: return bcast(call, communicator);
    case planned_function::allreduce: return allreduce(call, communicator);
    case planned_function::reduce: return reduce(call, communicator);
    case planned_function::reduce_scatter_block: return reduce_scatter_block(call, communicator);
    case planned_function::gather: return gather(call, communicator);
    case planned_function::scatter: return scatter(call, communicator);
    case planned_function::allgather: return allgather(call, communicator);
    case planned_function::alltoall: return alltoall(call, communicator);
    default: return scan(call, communicator);
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
    auto const bytes = what_.what == planned_function::reduce_scatter_block ? total() : what_.bytes;
    if (sum.memory != call.given.memory) std::memcpy(sum.memory, call.given.memory, static_cast<std::size_t>(bytes));
    return MPI_SUCCESS;
}

} // namespace sode::internal::interpose
