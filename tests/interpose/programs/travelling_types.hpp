// SPDX-License-Identifier: Apache-2.0
#pragma once
// Datatypes that go through messages and broadcasts, and what they select, said by hand.
#include "themes.hpp"

#include <algorithm>
#include <cstddef>

namespace standard {

using offsets = std::vector<std::ptrdiff_t>; // of the bytes that a type selects, in the order of its map

inline offsets of_elements(offsets const& places, std::ptrdiff_t bytes) {
    offsets all;
    for (auto const p : places)
        for (std::ptrdiff_t b = 0; b < bytes; ++b) all.push_back(p + b);
    return all;
}
inline offsets repeated(offsets const& one, int count, std::ptrdiff_t extent) {
    offsets all;
    for (int i = 0; i < count; ++i)
        for (auto const p : one) all.push_back(p + i * extent);
    return all;
}
inline unsigned char value(int rank, int round, std::ptrdiff_t at) {
    return static_cast<unsigned char>(rank * 53 + round * 17 + at * 7 + at / 251 + 1);
}

/// Sends `count` of a type to the right, by several calls; what comes is held against the places that it selects. `takes`: of the
/// receiver, the same if null. Frees them.
inline void travels(MPI_Datatype gives, offsets const& given, MPI_Datatype takes, offsets const& taken, int count,
                    char const* what) {
    bool const same = takes == MPI_DATATYPE_NULL;
    if (same) takes = gives;
    auto const least = std::min(*std::ranges::min_element(given), *std::ranges::min_element(taken));
    auto const most = std::max(*std::ranges::max_element(given), *std::ranges::max_element(taken)) + 1;
    auto const bytes = static_cast<std::size_t>(most - least) + 64;
    expect(given.size() == taken.size(), std::string{what} + ": the test itself");
    std::vector<unsigned char> from(bytes), to(bytes), right(bytes);
    auto* const in = from.data() + 32 - least;
    auto* const out = to.data() + 32 - least;
    static int turn = 0;                                                   // the same on all ranks
    for (int const last = turn + 3, tags = 1 << 14; turn < last; ++turn) { // in each call other forms first
        int const i = turn % tags;
        for (std::size_t k = 0; k < bytes; ++k) from[k] = value(world_rank, i, static_cast<std::ptrdiff_t>(k));
        std::ranges::fill(to, 0xee), std::ranges::fill(right, 0xee);
        for (std::size_t k = 0; k < given.size(); ++k)
            right[static_cast<std::size_t>(taken[k] - least) + 32] = value(left_of(), i, given[k] - least + 32);
        MPI_Request r[2];
        MPI_Status s[2];
        int got = -1;
        switch (i % 4) {
        case 0: MPI_Sendrecv(in, count, gives, right_of(), i, out, count, takes, left_of(), i, MPI_COMM_WORLD, s); break;
        case 1:
            MPI_Irecv(out, count, takes, left_of(), i, MPI_COMM_WORLD, &r[0]);
            MPI_Send(in, count, gives, right_of(), i, MPI_COMM_WORLD);
            MPI_Wait(&r[0], s);
            break;
        case 2:
            MPI_Isend(in, count, gives, right_of(), i, MPI_COMM_WORLD, &r[1]);
            MPI_Recv(out, count, takes, left_of(), i, MPI_COMM_WORLD, s);
            MPI_Wait(&r[1], &s[1]);
            break;
        default:
            MPI_Irecv(out, count, takes, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r[0]);
            MPI_Issend(in, count, gives, right_of(), i, MPI_COMM_WORLD, &r[1]);
            MPI_Waitall(2, r, s);
            break;
        }
        MPI_Get_count(&s[0], takes, &got);
        expect(got == count && s[0].MPI_SOURCE == left_of() && s[0].MPI_TAG == i, std::string{what} + ": the status");
        expect(to == right, std::string{what} + ": a message");
        MPI_Barrier(MPI_COMM_WORLD); // receives from anybody
        int const root = i % world_size;
        bool const here = root == world_rank;
        std::ranges::fill(to, 0xee), std::ranges::fill(right, 0xee);
        for (std::size_t k = 0; k < given.size(); ++k)
            right[static_cast<std::size_t>(taken[k] - least) + 32] = value(root, i, given[k] - least + 32);
        MPI_Bcast(here ? in : out, count, here ? gives : takes, root, MPI_COMM_WORLD);
        expect(here || to == right, std::string{what} + ": a broadcast");
    }
    MPI_Type_free(&gives);
    if (!same) {
        int n = 0, a = 0, d = 0, combiner = 0;
        MPI_Type_get_envelope(takes, &n, &a, &d, &combiner);
        if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&takes);
    }
}
inline void extents_are(MPI_Datatype t, MPI_Aint lb, MPI_Aint extent, MPI_Aint true_lb, MPI_Aint true_extent, int size,
                        char const* what) {
    MPI_Aint l = 0, e = 0;
    MPI_Count lx = 0, ex = 0, sx = 0;
    int n = 0;
    MPI_Type_get_extent(t, &l, &e);
    expect(l == lb && e == extent, std::string{what} + ": extent");
    MPI_Type_get_true_extent(t, &l, &e);
    expect(l == true_lb && e == true_extent, std::string{what} + ": true extent");
    MPI_Type_get_extent_x(t, &lx, &ex), MPI_Type_size_x(t, &sx), MPI_Type_size(t, &n);
    expect(lx == lb && ex == extent && sx == size && n == size, std::string{what} + ": large extent and size");
}

} // namespace standard
