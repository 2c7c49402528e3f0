// SPDX-License-Identifier: Apache-2.0
#pragma once
// What programs pass to collectives, in the words of plans. What MPI would object to is MPI's, as it is MPI
// that says so: then there is nothing.
#include "interpose/collective/basic_types.hpp"
#include "interpose/collective/passed_call.hpp"
#include "interpose/requests/arguments.hpp"

#include <optional>

namespace sode::internal::interpose {

/// Who calls: its place in the communicator.
struct calling_rank {
    int rank = 0;
    int size = 1;
};

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

[[nodiscard]] inline std::optional<passed_call> passed_bcast(calling_rank const& who, void* buffer, MPI_Count count,
                                                             MPI_Datatype type, int root) {
    auto const all = memory_of(buffer, count, type);
    if (!is_sound(all) || root < 0 || root >= who.size) return std::nullopt;
    passed_call c{.what = {planned_function::bcast, root, length_of(count, type)}};
    (who.rank == root ? c.given : c.got) = all;
    return c;
}

/// Reductions. `combiner`: of that operator and datatype; `root`: -1, if there is none.
[[nodiscard]] inline std::optional<passed_call> passed_reduction(calling_rank const& who, planned_function what, void const* from,
                                                                 void* to, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                                                 std::uint32_t combiner, int root) {
    int const rank = who.rank;
    bool const rooted = what == planned_function::reduce;
    if (rooted && (root < 0 || root >= who.size)) return std::nullopt;
    bool const gets = (!rooted || rank == root) && !(what == planned_function::exscan && rank == 0);
    passed_call c{.in_place = from == MPI_IN_PLACE, .op = op};
    if (c.in_place && rooted && !gets) return std::nullopt;
    MPI_Count const given = what == planned_function::reduce_scatter_block ? count * who.size : count;
    c.given = memory_of(c.in_place ? to : from, given, type);
    if (gets) c.got = memory_of(to, count, type);
    bool const sound = is_sound(c.given) && (!gets || is_sound(c.got)) && (c.in_place || !gets || from != to || count == 0);
    if (!sound) return std::nullopt;
    c.what = {what, root, length_of(count, type), combiner};
    return c;
}

[[nodiscard]] inline std::optional<passed_call> passed_gather(calling_rank const& who, void const* from, MPI_Count count,
                                                              MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into,
                                                              int root) {
    if (root < 0 || root >= who.size) return std::nullopt;
    bool const gets = who.rank == root;
    passed_call c{.in_place = gets && from == MPI_IN_PLACE};
    c.given = c.in_place ? part_of(to, root, room, into) : memory_of(from, count, type);
    if (gets) c.got = memory_of(to, room * who.size, into);
    if (!is_sound(c.given) || (gets && (!is_sound(c.got) || (from == to && room > 0)))) return std::nullopt;
    c.what = {planned_function::gather, root, gets ? length_of(room, into) : length_of(count, type)};
    return c;
}

[[nodiscard]] inline std::optional<passed_call> passed_scatter(calling_rank const& who, void const* from, MPI_Count count,
                                                               MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into,
                                                               int root) {
    if (root < 0 || root >= who.size) return std::nullopt;
    bool const gives = who.rank == root, keeps = gives && to == MPI_IN_PLACE;
    passed_call c{};
    if (gives) c.given = memory_of(from, count * who.size, type);
    if (!keeps) c.got = memory_of(to, room, into);
    if ((gives && (!is_sound(c.given) || (from == to && count > 0))) || (!keeps && !is_sound(c.got))) return std::nullopt;
    c.what = {planned_function::scatter, root, gives ? length_of(count, type) : length_of(room, into)};
    return c;
}

/// MPI_Allgather and MPI_Alltoall.
[[nodiscard]] inline std::optional<passed_call> passed_all(calling_rank const& who, planned_function what, void const* from,
                                                           MPI_Count count, MPI_Datatype type, void* to, MPI_Count room,
                                                           MPI_Datatype into) {
    bool const each = what == planned_function::alltoall;
    passed_call c{.in_place = from == MPI_IN_PLACE};
    c.got = memory_of(to, room * who.size, into);
    if (!is_sound(c.got)) return std::nullopt;
    if (c.in_place)
        c.given = each ? c.got : part_of(to, who.rank, room, into);
    else
        c.given = memory_of(from, each ? count * who.size : count, type);
    if (!is_sound(c.given) || (from == to && room > 0)) return std::nullopt;
    c.what = {what, -1, length_of(room, into)};
    return c;
}

} // namespace sode::internal::interpose
