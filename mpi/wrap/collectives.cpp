// SPDX-License-Identifier: Apache-2.0
// Collectives of derived datatypes, as messages between pairs: MPI's own pack and unpack by themselves, and never call MPI_Send.
//
// All ranks must take the same turn. What MPI promises them to have in common is the length of a message (alltoall, gather,
// scatter, allgather), never its layout; where there is not even that (the v and w forms), the communicator decides alone.
#include "neighbourhood.hpp"
#include "pairwise.hpp"

using namespace sode::interpose;

namespace {

layer* concerned(entry const& call, bool in_place) noexcept {
    return in_place ? nullptr : call.active();
}

} // namespace

extern "C" {

int MPI_Alltoall(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into, MPI_Comm communicator) {
    entry const call;
    layer* const l = concerned(call, from == MPI_IN_PLACE);
    MPI_Comm const twin = l == nullptr ? MPI_COMM_NULL : l->twin_for(communicator, l->concerns(room, into), true);
    if (twin == MPI_COMM_NULL) return call.next().alltoall(from, count, type, to, room, into, communicator);
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
    return p.finish();
}

int MPI_Alltoallv(void const* from, int const* counts, int const* places, MPI_Datatype type, void* to, int const* rooms,
                  int const* into_places, MPI_Datatype into, MPI_Comm communicator) {
    entry const call;
    layer* const l = concerned(call, from == MPI_IN_PLACE);
    MPI_Comm const twin = l == nullptr ? MPI_COMM_NULL : l->twin_for(communicator, true, false);
    if (twin == MPI_COMM_NULL) return call.next().alltoallv(from, counts, places, type, to, rooms, into_places, into, communicator);
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
    return p.finish();
}

int MPI_Alltoallw(void const* from, int const* counts, int const* places, MPI_Datatype const* types, void* to, int const* rooms,
                  int const* into_places, MPI_Datatype const* intos, MPI_Comm communicator) {
    entry const call;
    layer* const l = concerned(call, from == MPI_IN_PLACE);
    MPI_Comm const twin = l == nullptr ? MPI_COMM_NULL : l->twin_for(communicator, true, true);
    if (twin == MPI_COMM_NULL)
        return call.next().alltoallw(from, counts, places, types, to, rooms, into_places, intos, communicator);
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
    return p.finish();
}

int MPI_Gather(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into, int root,
               MPI_Comm communicator) {
    entry const call;
    layer* const l = call.active();
    int rank = -1;
    if (l != nullptr) PMPI_Comm_rank(communicator, &rank);
    bool const worth_it = l != nullptr && root >= 0 && (rank == root ? l->concerns(room, into) : l->concerns(count, type));
    MPI_Comm const twin = l == nullptr ? MPI_COMM_NULL : l->twin_for(communicator, worth_it, true);
    if (twin == MPI_COMM_NULL) return call.next().gather(from, count, type, to, room, into, root, communicator);
    pairwise p{*l, call, twin};
    if (rank != root) {
        p.send(from, count, type, root, 0, false);
        return p.finish();
    }
    for (int peer = 0; peer < p.size(); ++peer)
        if (peer != root) p.receive(block_of(to, peer, room, into), room, into, peer);
    if (from != MPI_IN_PLACE) p.copy(from, count, type, block_of(to, root, room, into), room, into);
    return p.finish();
}

int MPI_Gatherv(void const* from, int count, MPI_Datatype type, void* to, int const* rooms, int const* places, MPI_Datatype into,
                int root, MPI_Comm communicator) {
    entry const call;
    layer* const l = call.active();
    MPI_Comm const twin = l == nullptr ? MPI_COMM_NULL : l->twin_for(communicator, root >= 0, false);
    if (twin == MPI_COMM_NULL) return call.next().gatherv(from, count, type, to, rooms, places, into, root, communicator);
    pairwise p{*l, call, twin};
    if (p.rank() != root) {
        p.send(from, count, type, root, 0, false);
        return p.finish();
    }
    for (int peer = 0; peer < p.size(); ++peer)
        if (peer != root) p.receive(block_of(to, places[peer], 1, into), rooms[peer], into, peer);
    if (from != MPI_IN_PLACE) p.copy(from, count, type, block_of(to, places[root], 1, into), rooms[root], into);
    return p.finish();
}

int MPI_Scatter(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into, int root,
                MPI_Comm communicator) {
    entry const call;
    layer* const l = call.active();
    int rank = -1;
    if (l != nullptr) PMPI_Comm_rank(communicator, &rank);
    bool const worth_it = l != nullptr && root >= 0 && (rank == root ? l->concerns(count, type) : l->concerns(room, into));
    MPI_Comm const twin = l == nullptr ? MPI_COMM_NULL : l->twin_for(communicator, worth_it, true);
    if (twin == MPI_COMM_NULL) return call.next().scatter(from, count, type, to, room, into, root, communicator);
    pairwise p{*l, call, twin};
    if (rank != root) {
        p.receive(to, room, into, root);
        return p.finish();
    }
    for (int peer = 0; peer < p.size(); ++peer)
        if (peer != root) p.send(block_of(from, peer, count, type), count, type, peer, 0, false);
    if (to != MPI_IN_PLACE) p.copy(block_of(from, root, count, type), count, type, to, room, into);
    return p.finish();
}

int MPI_Scatterv(void const* from, int const* counts, int const* places, MPI_Datatype type, void* to, int room, MPI_Datatype into,
                 int root, MPI_Comm communicator) {
    entry const call;
    layer* const l = call.active();
    MPI_Comm const twin = l == nullptr ? MPI_COMM_NULL : l->twin_for(communicator, root >= 0, false);
    if (twin == MPI_COMM_NULL) return call.next().scatterv(from, counts, places, type, to, room, into, root, communicator);
    pairwise p{*l, call, twin};
    if (p.rank() != root) {
        p.receive(to, room, into, root);
        return p.finish();
    }
    for (int peer = 0; peer < p.size(); ++peer)
        if (peer != root) p.send(block_of(from, places[peer], 1, type), counts[peer], type, peer, 0, false);
    if (to != MPI_IN_PLACE) p.copy(block_of(from, places[root], 1, type), counts[root], type, to, room, into);
    return p.finish();
}

int MPI_Allgather(void const* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype into, MPI_Comm communicator) {
    entry const call;
    layer* const l = call.active();
    MPI_Comm const twin = l == nullptr ? MPI_COMM_NULL : l->twin_for(communicator, l->concerns(room, into), true);
    if (twin == MPI_COMM_NULL) return call.next().allgather(from, count, type, to, room, into, communicator);
    pairwise p{*l, call, twin};
    void* const own = block_of(to, p.rank(), room, into);
    if (from != MPI_IN_PLACE) p.copy(from, count, type, own, room, into);
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (p.rank() + i) % p.size();
        p.receive(block_of(to, peer, room, into), room, into, peer);
    }
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (p.rank() + p.size() - i) % p.size();
        from == MPI_IN_PLACE ? p.send(own, room, into, peer) : p.send(from, count, type, peer);
    }
    return p.finish();
}

int MPI_Allgatherv(void const* from, int count, MPI_Datatype type, void* to, int const* rooms, int const* places, MPI_Datatype into,
                   MPI_Comm communicator) {
    entry const call;
    layer* const l = call.active();
    MPI_Comm const twin = l == nullptr ? MPI_COMM_NULL : l->twin_for(communicator, true, false);
    if (twin == MPI_COMM_NULL) return call.next().allgatherv(from, count, type, to, rooms, places, into, communicator);
    pairwise p{*l, call, twin};
    int const rank = p.rank();
    void* const own = block_of(to, places[rank], 1, into);
    if (from != MPI_IN_PLACE) p.copy(from, count, type, own, rooms[rank], into);
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (rank + i) % p.size();
        p.receive(block_of(to, places[peer], 1, into), rooms[peer], into, peer);
    }
    for (int i = 1; i < p.size(); ++i) {
        int const peer = (rank + p.size() - i) % p.size();
        from == MPI_IN_PLACE ? p.send(own, rooms[rank], into, peer) : p.send(from, count, type, peer);
    }
    return p.finish();
}

int MPI_Neighbor_alltoallw(void const* from, int const* counts, MPI_Aint const* places, MPI_Datatype const* types, void* to,
                           int const* rooms, MPI_Aint const* into_places, MPI_Datatype const* intos, MPI_Comm communicator) {
    entry const call;
    layer* const l = call.active();
    neighbourhood around;
    MPI_Comm const twin = l == nullptr || !around.find(communicator) ? MPI_COMM_NULL : l->twin_for(communicator, true, true);
    if (twin == MPI_COMM_NULL)
        return call.next().neighbor_alltoallw(from, counts, places, types, to, rooms, into_places, intos, communicator);
    pairwise p{*l, call, twin};
    auto const* const source = static_cast<std::byte const*>(from);
    auto* const target = static_cast<std::byte*>(to);
    auto const& in = around.sources();
    auto const& out = around.destinations();
    for (std::size_t i = 0; i < in.size(); ++i) p.receive(target + into_places[i], rooms[i], intos[i], in[i].rank, in[i].tag);
    for (std::size_t i = 0; i < out.size(); ++i) p.send(source + places[i], counts[i], types[i], out[i].rank, out[i].tag);
    return p.finish();
}

} // extern "C"
