// SPDX-License-Identifier: Apache-2.0
#pragma once
// What programs pass to collectives, in the words of plans. What MPI would object to is MPI's, as it is MPI
// that says so.
#include "interpose/calls/entry.hpp"
#include "interpose/collective/basic_types.hpp"
#include "interpose/collective/collective_service.hpp"

namespace sode::internal::interpose {

/// What is known of the communicator of a call, if it may be our business.
[[nodiscard]] inline communicator_plans* planned_for(entry const& call, MPI_Comm communicator) {
    if (call.active() == nullptr) return nullptr;
    auto* const all = serving.load(std::memory_order_acquire);
    return all == nullptr ? nullptr : all->of(communicator);
}

/// Memory of so many elements that MPI would not object to.
[[nodiscard]] inline bool is_sound(passed_memory const& m) noexcept {
    if (m.count < 0 || m.type == MPI_DATATYPE_NULL || m.memory == MPI_IN_PLACE) return false;
    return m.memory != nullptr || m.count == 0 || !lies_densely(m.type); // else MPI_BOTTOM
}
[[nodiscard]] inline passed_memory memory_of(void const* memory, MPI_Count count, MPI_Datatype type) noexcept {
    return {const_cast<void*>(memory), count, type};
}
/// Element `index` of an array of blocks of `count` elements.
[[nodiscard]] inline passed_memory part_of(void const* memory, int index, MPI_Count count, MPI_Datatype type) noexcept {
    MPI_Aint lower = 0, extent = 0;
    if (type != MPI_DATATYPE_NULL) PMPI_Type_get_extent(type, &lower, &extent);
    return memory_of(static_cast<std::byte const*>(memory) + index * count * extent, count, type);
}

[[nodiscard]] inline carried_call carried_barrier(entry const& call, MPI_Comm communicator) {
    auto* const plans = planned_for(call, communicator);
    if (plans == nullptr) return {};
    return plans->run({});
}

[[nodiscard]] inline carried_call carried_bcast(entry const& call, void* buffer, int count, MPI_Datatype type, int root,
                                                MPI_Comm communicator) {
    auto* const plans = planned_for(call, communicator);
    auto const all = memory_of(buffer, count, type);
    if (plans == nullptr || !is_sound(all) || root < 0 || root >= plans->size()) return {};
    passed_call c{.what = {planned_function::bcast, root, length_of(count, type)}};
    (plans->rank() == root ? c.given : c.got) = all;
    return plans->run(c);
}

/// Reductions. `root`: -1, if there is none.
[[nodiscard]] inline carried_call carried_reduction(entry const& call, planned_function what, void const* from, void* to, int count,
                                                    MPI_Datatype type, MPI_Op op, int root, MPI_Comm communicator) {
    auto* const plans = planned_for(call, communicator);
    if (plans == nullptr || type == MPI_DATATYPE_NULL || op == MPI_OP_NULL) return {};
    int const rank = plans->rank();
    bool const rooted = what == planned_function::reduce;
    if (rooted && (root < 0 || root >= plans->size())) return {};
    bool const gets = (!rooted || rank == root) && !(what == planned_function::exscan && rank == 0);
    passed_call c{.in_place = from == MPI_IN_PLACE, .op = op};
    if (c.in_place && rooted && !gets) return {};
    MPI_Count const given = what == planned_function::reduce_scatter_block ? MPI_Count{count} * plans->size() : MPI_Count{count};
    c.given = memory_of(c.in_place ? to : from, given, type);
    if (gets) c.got = memory_of(to, count, type);
    bool const sound = is_sound(c.given) && (!gets || is_sound(c.got)) && (c.in_place || !gets || from != to || count == 0);
    if (!sound) return {};
    auto const how = combiner_of(op, type);
    if (!how) return plans->leave(what, left_to_mpi::types);
    c.what = {what, root, length_of(count, type), *how};
    return plans->run(c);
}

[[nodiscard]] inline carried_call carried_gather(entry const& call, void const* from, int count, MPI_Datatype type, void* to,
                                                 int room, MPI_Datatype into, int root, MPI_Comm communicator) {
    auto* const plans = planned_for(call, communicator);
    if (plans == nullptr || root < 0 || root >= plans->size()) return {};
    bool const gets = plans->rank() == root;
    passed_call c{.in_place = gets && from == MPI_IN_PLACE};
    c.given = c.in_place ? part_of(to, root, room, into) : memory_of(from, count, type);
    if (gets) c.got = memory_of(to, MPI_Count{room} * plans->size(), into);
    if (!is_sound(c.given) || (gets && (!is_sound(c.got) || (from == to && room > 0)))) return {};
    c.what = {planned_function::gather, root, gets ? length_of(room, into) : length_of(count, type)};
    return plans->run(c);
}

[[nodiscard]] inline carried_call carried_scatter(entry const& call, void const* from, int count, MPI_Datatype type, void* to,
                                                  int room, MPI_Datatype into, int root, MPI_Comm communicator) {
    auto* const plans = planned_for(call, communicator);
    if (plans == nullptr || root < 0 || root >= plans->size()) return {};
    bool const gives = plans->rank() == root, keeps = gives && to == MPI_IN_PLACE;
    passed_call c{};
    if (gives) c.given = memory_of(from, MPI_Count{count} * plans->size(), type);
    if (!keeps) c.got = memory_of(to, room, into);
    if ((gives && (!is_sound(c.given) || (from == to && count > 0))) || (!keeps && !is_sound(c.got))) return {};
    c.what = {planned_function::scatter, root, gives ? length_of(count, type) : length_of(room, into)};
    return plans->run(c);
}

/// MPI_Allgather and MPI_Alltoall.
[[nodiscard]] inline carried_call carried_all(entry const& call, planned_function what, void const* from, int count,
                                              MPI_Datatype type, void* to, int room, MPI_Datatype into, MPI_Comm communicator) {
    auto* const plans = planned_for(call, communicator);
    if (plans == nullptr) return {};
    bool const each = what == planned_function::alltoall;
    passed_call c{.in_place = from == MPI_IN_PLACE};
    c.got = memory_of(to, MPI_Count{room} * plans->size(), into);
    if (!is_sound(c.got)) return {};
    if (c.in_place)
        c.given = each ? c.got : part_of(to, plans->rank(), room, into);
    else
        c.given = memory_of(from, each ? MPI_Count{count} * plans->size() : MPI_Count{count}, type);
    if (!is_sound(c.given) || (from == to && room > 0)) return {};
    c.what = {what, -1, length_of(room, into)};
    return plans->run(c);
}

} // namespace sode::internal::interpose
