// SPDX-License-Identifier: Apache-2.0
#pragma once
// Collectives of derived datatypes, as messages between pairs: MPI's own pack and unpack by themselves, and never call MPI_Send.
//
// All ranks must take the same turn. What MPI promises them to have in common is the length of a message (alltoall, gather,
// scatter, allgather), never its layout; where there is not even that (the v and w forms), the communicator decides alone. Whether
// there is a layout that is worth it the ranks ask each other from time to time (agreement::twin_for).
#include "interpose/collective/carried.hpp"
#include "interpose/collective/neighbourhood.hpp"
#include "interpose/collective/pairwise.hpp"

#include <algorithm>
#include <climits>

namespace sode::internal::interpose::wrap {

enum class operation : std::uint8_t {
    alltoall,
    alltoallv,
    alltoallw,
    gather,
    gatherv,
    scatter,
    scatterv,
    allgather,
    allgatherv,
    neighbours
};

inline int rank_of(MPI_Comm communicator) {
    int rank = -1;
    PMPI_Comm_rank(communicator, &rank);
    return rank;
}
inline int size_of(MPI_Comm communicator) {
    int size = 0;
    PMPI_Comm_size(communicator, &size);
    return size;
}

/// The layer, if this collective may be its business.
inline layer* concerned(entry const& call, MPI_Comm communicator) {
    layer* const l = call.active();
    int inter = 0;
    if (l == nullptr || communicator == MPI_COMM_NULL || PMPI_Comm_test_inter(communicator, &inter) != MPI_SUCCESS) return nullptr;
    return inter != 0 ? nullptr : l;
}
inline layer* concerned_unless(bool in_place, entry const& call, MPI_Comm communicator) {
    return in_place ? nullptr : concerned(call, communicator);
}
/// What is wrong with a root is for MPI to say.
inline layer* concerned(entry const& call, MPI_Comm communicator, int root) {
    layer* const l = concerned(call, communicator);
    return l == nullptr || root < 0 || root >= size_of(communicator) ? nullptr : l;
}

/// Equal on all ranks: `bytes` must be.
inline agreement::occasion occasion_of(operation what, MPI_Count bytes, bool by_stages) {
    constexpr std::int64_t operations = 16;
    return {operations * bytes + static_cast<std::int64_t>(what), by_stages};
}

/// Where messages have one length: nobody is asked about short ones.
template <class Wanted>
MPI_Comm twin_for(layer* l, operation what, MPI_Comm communicator, int count, MPI_Datatype type, Wanted const& wanted) {
    if (l == nullptr || !l->base.is_long(count, type)) return MPI_COMM_NULL;
    return l->agrees.twin_for(communicator, occasion_of(what, length_of(count, type), true), wanted);
}
/// Where each has its own.
template <class Wanted> MPI_Comm twin_for(layer* l, operation what, MPI_Comm communicator, bool by_stages, Wanted const& wanted) {
    return l == nullptr ? MPI_COMM_NULL : l->agrees.twin_for(communicator, occasion_of(what, 0, by_stages), wanted);
}

/// Whether any of these messages is worth it.
inline bool any_wanted(layer const& l, int messages, int const* counts, MPI_Datatype type) {
    return std::any_of(counts, counts + messages, [&](int count) { return l.agrees.wants_pairs(count, type); });
}
inline bool any_wanted(layer const& l, std::size_t messages, int const* counts, MPI_Datatype const* types) {
    for (std::size_t i = 0; i < messages; ++i)
        if (l.agrees.wants_pairs(counts[i], types[i])) return true;
    return false;
}

/// What is passed in the form with large counts, for messages between pairs. Where it is not significant it may be anything.
template <class Count> int small(Count n) noexcept {
    return n > INT_MAX ? INT_MAX : static_cast<int>(n);
}
/// Such messages have no more elements than an int can count.
template <class Count> bool is_large(Count n) noexcept {
    return n > INT_MAX;
}

template <auto Next, class Count>
int alltoall(void const* from, Count many, MPI_Datatype type, void* to, Count rooms, MPI_Datatype into, MPI_Comm communicator) {
    entry const call;
    auto const carried = carried_all(call, planned_function::alltoall, from, many, type, to, rooms, into, communicator);
    if (carried) return *carried;
    if (carried.goes_straight()) return (call.next().*Next)(from, many, type, to, rooms, into, communicator);
    int const count = small(many), room = small(rooms);
    layer* const l = concerned_unless(from == MPI_IN_PLACE || is_large(many) || is_large(rooms), call, communicator);
    MPI_Comm const twin = twin_for(l, operation::alltoall, communicator, room, into,
                                   [&] { return l->agrees.wants_pairs(count, type) || l->agrees.wants_pairs(room, into); });
    if (twin == MPI_COMM_NULL) return (call.next().*Next)(from, many, type, to, rooms, into, communicator);
    pairwise p{*l, call, twin};
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (p.rank() + i) % p.size();
        p.receive(block_of(to, peer, room, into), room, into, peer);
    }
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (p.rank() + p.size() - i) % p.size();
        p.send(block_of(from, peer, count, type), count, type, peer);
    }
    p.copy(block_of(from, p.rank(), count, type), count, type, block_of(to, p.rank(), room, into), room, into);
    return p.finish(communicator);
}

template <auto Next>
int alltoallv(void const* from, int const* counts, int const* places, MPI_Datatype type, void* to, int const* rooms,
              int const* into_places, MPI_Datatype into, MPI_Comm communicator) {
    entry const call;
    layer* const l = concerned_unless(from == MPI_IN_PLACE, call, communicator);
    MPI_Comm const twin = twin_for(l, operation::alltoallv, communicator, false, [&] {
        int const ranks = size_of(communicator);
        return any_wanted(*l, ranks, counts, type) || any_wanted(*l, ranks, rooms, into);
    });
    if (twin == MPI_COMM_NULL) return (call.next().*Next)(from, counts, places, type, to, rooms, into_places, into, communicator);
    pairwise p{*l, call, twin};
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (p.rank() + i) % p.size();
        p.receive(block_of(to, into_places[peer], 1, into), rooms[peer], into, peer);
    }
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (p.rank() + p.size() - i) % p.size();
        p.send(block_of(from, places[peer], 1, type), counts[peer], type, peer);
    }
    int const own = p.rank();
    p.copy(block_of(from, places[own], 1, type), counts[own], type, block_of(to, into_places[own], 1, into), rooms[own], into);
    return p.finish(communicator);
}

template <auto Next>
int alltoallw(void const* from, int const* counts, int const* places, MPI_Datatype const* types, void* to, int const* rooms,
              int const* into_places, MPI_Datatype const* intos, MPI_Comm communicator) {
    entry const call;
    layer* const l = concerned_unless(from == MPI_IN_PLACE, call, communicator);
    MPI_Comm const twin = twin_for(l, operation::alltoallw, communicator, true, [&] {
        auto const ranks = static_cast<std::size_t>(size_of(communicator));
        return any_wanted(*l, ranks, counts, types) || any_wanted(*l, ranks, rooms, intos);
    });
    if (twin == MPI_COMM_NULL) return (call.next().*Next)(from, counts, places, types, to, rooms, into_places, intos, communicator);
    pairwise p{*l, call, twin};
    auto const* const source = static_cast<std::byte const*>(from);
    auto* const target = static_cast<std::byte*>(to);
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (p.rank() + i) % p.size();
        p.receive(target + into_places[peer], rooms[peer], intos[peer], peer);
    }
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (p.rank() + p.size() - i) % p.size();
        p.send(source + places[peer], counts[peer], types[peer], peer);
    }
    int const own = p.rank();
    p.copy(source + places[own], counts[own], types[own], target + into_places[own], rooms[own], intos[own]);
    return p.finish(communicator);
}

template <auto Next, class Count>
int gather(void const* from, Count many, MPI_Datatype type, void* to, Count rooms, MPI_Datatype into, int root,
           MPI_Comm communicator) {
    entry const call;
    auto const carried = carried_gather(call, from, many, type, to, rooms, into, root, communicator);
    if (carried) return *carried;
    if (carried.goes_straight()) return (call.next().*Next)(from, many, type, to, rooms, into, root, communicator);
    int const count = small(many), room = small(rooms);
    layer* const l = concerned(call, communicator, root);
    int const rank = l == nullptr ? -1 : rank_of(communicator);
    int const elements = rank == root ? room : count; // the root's others are not significant
    bool const large = is_large(rank == root ? rooms : many);
    MPI_Datatype const element = rank == root ? into : type;
    MPI_Comm const twin = twin_for(large ? nullptr : l, operation::gather, communicator, elements, element,
                                   [&] { return l->agrees.wants_pairs(elements, element); });
    if (twin == MPI_COMM_NULL) return (call.next().*Next)(from, many, type, to, rooms, into, root, communicator);
    pairwise p{*l, call, twin};
    if (rank != root) {
        p.send(from, count, type, root, 0, false);
        return p.finish(communicator);
    }
    for (int peer = 0; peer < p.size(); ++peer)
        if (peer != root) p.receive(block_of(to, peer, room, into), room, into, peer);
    if (from != MPI_IN_PLACE) p.copy(from, count, type, block_of(to, root, room, into), room, into);
    return p.finish(communicator);
}

template <auto Next>
int gatherv(void const* from, int count, MPI_Datatype type, void* to, int const* rooms, int const* places, MPI_Datatype into,
            int root, MPI_Comm communicator) {
    entry const call;
    layer* const l = concerned(call, communicator, root);
    MPI_Comm const twin = twin_for(l, operation::gatherv, communicator, false, [&] {
        return rank_of(communicator) == root ? any_wanted(*l, size_of(communicator), rooms, into)
                                             : l->agrees.wants_pairs(count, type);
    });
    if (twin == MPI_COMM_NULL) return (call.next().*Next)(from, count, type, to, rooms, places, into, root, communicator);
    pairwise p{*l, call, twin};
    if (p.rank() != root) {
        p.send(from, count, type, root, 0, false);
        return p.finish(communicator);
    }
    for (int peer = 0; peer < p.size(); ++peer)
        if (peer != root) p.receive(block_of(to, places[peer], 1, into), rooms[peer], into, peer);
    if (from != MPI_IN_PLACE) p.copy(from, count, type, block_of(to, places[root], 1, into), rooms[root], into);
    return p.finish(communicator);
}

template <auto Next, class Count>
int scatter(void const* from, Count many, MPI_Datatype type, void* to, Count rooms, MPI_Datatype into, int root,
            MPI_Comm communicator) {
    entry const call;
    auto const carried = carried_scatter(call, from, many, type, to, rooms, into, root, communicator);
    if (carried) return *carried;
    if (carried.goes_straight()) return (call.next().*Next)(from, many, type, to, rooms, into, root, communicator);
    int const count = small(many), room = small(rooms);
    layer* const l = concerned(call, communicator, root);
    int const rank = l == nullptr ? -1 : rank_of(communicator);
    int const elements = rank == root ? count : room;
    bool const large = is_large(rank == root ? many : rooms);
    MPI_Datatype const element = rank == root ? type : into;
    MPI_Comm const twin = twin_for(large ? nullptr : l, operation::scatter, communicator, elements, element,
                                   [&] { return l->agrees.wants_pairs(elements, element); });
    if (twin == MPI_COMM_NULL) return (call.next().*Next)(from, many, type, to, rooms, into, root, communicator);
    pairwise p{*l, call, twin};
    if (rank != root) {
        p.receive(to, room, into, root);
        return p.finish(communicator);
    }
    for (int peer = 0; peer < p.size(); ++peer)
        if (peer != root) p.send(block_of(from, peer, count, type), count, type, peer, 0, false);
    if (to != MPI_IN_PLACE) p.copy(block_of(from, root, count, type), count, type, to, room, into);
    return p.finish(communicator);
}

template <auto Next>
int scatterv(void const* from, int const* counts, int const* places, MPI_Datatype type, void* to, int room, MPI_Datatype into,
             int root, MPI_Comm communicator) {
    entry const call;
    layer* const l = concerned(call, communicator, root);
    MPI_Comm const twin = twin_for(l, operation::scatterv, communicator, false, [&] {
        return rank_of(communicator) == root ? any_wanted(*l, size_of(communicator), counts, type)
                                             : l->agrees.wants_pairs(room, into);
    });
    if (twin == MPI_COMM_NULL) return (call.next().*Next)(from, counts, places, type, to, room, into, root, communicator);
    pairwise p{*l, call, twin};
    if (p.rank() != root) {
        p.receive(to, room, into, root);
        return p.finish(communicator);
    }
    for (int peer = 0; peer < p.size(); ++peer)
        if (peer != root) p.send(block_of(from, places[peer], 1, type), counts[peer], type, peer, 0, false);
    if (to != MPI_IN_PLACE) p.copy(block_of(from, places[root], 1, type), counts[root], type, to, room, into);
    return p.finish(communicator);
}

template <auto Next, class Count>
int allgather(void const* from, Count many, MPI_Datatype type, void* to, Count rooms, MPI_Datatype into, MPI_Comm communicator) {
    entry const call;
    auto const carried = carried_all(call, planned_function::allgather, from, many, type, to, rooms, into, communicator);
    if (carried) return *carried;
    if (carried.goes_straight()) return (call.next().*Next)(from, many, type, to, rooms, into, communicator);
    int const count = small(many), room = small(rooms);
    bool const large = is_large(rooms) || (from != MPI_IN_PLACE && is_large(many));
    layer* const l = concerned_unless(large, call, communicator);
    MPI_Comm const twin = twin_for(l, operation::allgather, communicator, room, into, [&] {
        return l->agrees.wants_pairs(room, into) || (from != MPI_IN_PLACE && l->agrees.wants_pairs(count, type));
    });
    if (twin == MPI_COMM_NULL) return (call.next().*Next)(from, many, type, to, rooms, into, communicator);
    pairwise p{*l, call, twin};
    void* const own = block_of(to, p.rank(), room, into);
    from == MPI_IN_PLACE ? p.keep(own, room, into) : p.copy(from, count, type, own, room, into);
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (p.rank() + i) % p.size();
        p.receive(block_of(to, peer, room, into), room, into, peer);
    }
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (p.rank() + p.size() - i) % p.size();
        from == MPI_IN_PLACE ? p.send(own, room, into, peer) : p.send(from, count, type, peer);
    }
    return p.finish(communicator);
}

template <auto Next>
int allgatherv(void const* from, int count, MPI_Datatype type, void* to, int const* rooms, int const* places, MPI_Datatype into,
               MPI_Comm communicator) {
    entry const call;
    layer* const l = concerned(call, communicator);
    MPI_Comm const twin = twin_for(l, operation::allgatherv, communicator, false, [&] {
        return any_wanted(*l, size_of(communicator), rooms, into) || (from != MPI_IN_PLACE && l->agrees.wants_pairs(count, type));
    });
    if (twin == MPI_COMM_NULL) return (call.next().*Next)(from, count, type, to, rooms, places, into, communicator);
    pairwise p{*l, call, twin};
    int const rank = p.rank();
    void* const own = block_of(to, places[rank], 1, into);
    from == MPI_IN_PLACE ? p.keep(own, rooms[rank], into) : p.copy(from, count, type, own, rooms[rank], into);
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (rank + i) % p.size();
        p.receive(block_of(to, places[peer], 1, into), rooms[peer], into, peer);
    }
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (rank + p.size() - i) % p.size();
        from == MPI_IN_PLACE ? p.send(own, rooms[rank], into, peer) : p.send(from, count, type, peer);
    }
    return p.finish(communicator);
}

template <auto Next>
int neighbor_alltoallw(void const* from, int const* counts, MPI_Aint const* places, MPI_Datatype const* types, void* to,
                       int const* rooms, MPI_Aint const* into_places, MPI_Datatype const* intos, MPI_Comm communicator) {
    entry const call;
    layer* const l = concerned(call, communicator);
    neighbourhood around;
    MPI_Comm const twin = twin_for(l, operation::neighbours, communicator, true, [&] {
        return around.find(communicator) && (any_wanted(*l, around.destinations().size(), counts, types) ||
                                             any_wanted(*l, around.sources().size(), rooms, intos));
    });
    if (twin == MPI_COMM_NULL || !around.find(communicator))
        return (call.next().*Next)(from, counts, places, types, to, rooms, into_places, intos, communicator);
    pairwise p{*l, call, twin};
    auto const* const source = static_cast<std::byte const*>(from);
    auto* const target = static_cast<std::byte*>(to);
    auto const& in = around.sources();
    auto const& out = around.destinations();
    for (std::size_t i = 0; i < in.size(); ++i) p.receive(target + into_places[i], rooms[i], intos[i], in[i].rank, in[i].tag);
    for (std::size_t i = 0; i < out.size(); ++i) p.send(source + places[i], counts[i], types[i], out[i].rank, out[i].tag);
    return p.finish(communicator);
}

} // namespace sode::internal::interpose::wrap
