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

/// Bytes of their signature. Of MPI's own datatypes it is known without asking MPI.
[[nodiscard]] inline std::int64_t signature_of(MPI_Count count, MPI_Datatype type) noexcept {
    auto const known = dense_bytes(type);
    return known ? *known * count : length_of(count, type);
}

/// Memory of so many elements that MPI would not object to. No more than that: what one rank leaves to MPI, the others wait for.
[[nodiscard]] inline bool is_sound(passed_memory const& m) noexcept {
    if (m.count < 0 || m.memory == MPI_IN_PLACE) return false;
    if (m.count == 0) return true;                                                        // MPICH takes MPI_DATATYPE_NULL for it
    return m.type != MPI_DATATYPE_NULL && (m.memory != nullptr || !lies_densely(m.type)); // else MPI_BOTTOM
}
/// Both begin at one address. That is wrong only if they have a byte in common, which derived datatypes may avoid.
[[nodiscard]] inline bool begin_together(passed_memory const& from, passed_memory const& to) noexcept {
    return from.memory == to.memory && from.memory != nullptr && from.count != 0 && to.count != 0;
}
/// MPICH objects to that, if it sees it.
[[nodiscard]] inline bool is_refused(passed_memory const& from, passed_memory const& to) noexcept {
#ifdef OPEN_MPI
    static_cast<void>(from), static_cast<void>(to);
    return false;
#else
    return begin_together(from, to) && from.type == to.type;
#endif
}
/// What is given and what is got are two things, or are worked on in place; false: MPI objects to them.
[[nodiscard]] inline bool lies_apart(passed_call& c) noexcept {
    if (c.in_place || !begin_together(c.given, c.got)) return true;
    c.in_place = true;
    return !is_refused(c.given, c.got);
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
    passed_call c{.what = {planned_function::bcast, root, signature_of(count, type)}};
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
    if (!is_sound(c.given) || (gets && !is_sound(c.got))) return std::nullopt;
    if (!c.in_place && gets && begin_together(c.given, c.got)) {
        if (rooted || is_refused(c.given, c.got)) return std::nullopt;
        c.in_place = true; // wrong, but Open MPI does not mind
    }
    c.what = {what, root, signature_of(count, type), combiner};
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
    if (!is_sound(c.given) || (gets && !is_sound(c.got))) return std::nullopt;
    if (gets && !lies_apart(c)) return std::nullopt;
    c.what = {planned_function::gather, root, gets ? signature_of(room, into) : signature_of(count, type)};
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
    if ((gives && !is_sound(c.given)) || (!keeps && !is_sound(c.got))) return std::nullopt;
    if (gives && !keeps && !lies_apart(c)) return std::nullopt;
    c.what = {planned_function::scatter, root, gives ? signature_of(count, type) : signature_of(room, into)};
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
    if (!is_sound(c.given) || !lies_apart(c)) return std::nullopt;
    c.what = {what, -1, signature_of(room, into)};
    return c;
}

} // namespace sode::internal::interpose
