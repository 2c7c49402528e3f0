// SPDX-License-Identifier: Apache-2.0
#pragma once
// Messages and broadcasts from one datatype into another: of all makers, in spans beyond 2 GiB, at absolute addresses.
#include <mpi.h>

#include "plain_mpi.hpp"
#include "themes.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace standard {

// What goes from one datatype into another; packed by the MPI, it says what must come.
inline void message(MPI_Datatype gives, MPI_Datatype takes, std::size_t at, std::size_t bytes, char const* what) {
    std::vector<unsigned char> from(bytes), to(bytes, 0xee), right(bytes, 0xee);
    MPI_Type_commit(&gives), MPI_Type_commit(&takes);
    int room = 0, used = 0, left_over = 0;
    MPI_Pack_size(1, gives, MPI_COMM_WORLD, &room);
    std::vector<unsigned char> packed(static_cast<std::size_t>(room) + 1);
    for (int i = 0; i < 6; ++i) {
        // All ranks give the same, so that each can say what comes.
        for (std::size_t k = 0; k < bytes; ++k) from[k] = static_cast<unsigned char>(k * 7 + k / 256 + static_cast<std::size_t>(i));
        used = left_over = 0;
        PLAIN(Pack)(from.data() + at, 1, gives, packed.data(), room, &used, MPI_COMM_WORLD);
        PLAIN(Unpack)(packed.data(), used, &left_over, right.data() + at, 1, takes, MPI_COMM_WORLD);
        MPI_Request r[2];
        MPI_Irecv(to.data() + at, 1, takes, left_of(), 1, MPI_COMM_WORLD, &r[0]);
        i % 2 == 0 ? MPI_Isend(from.data() + at, 1, gives, right_of(), 1, MPI_COMM_WORLD, &r[1])
                   : MPI_Issend(from.data() + at, 1, gives, right_of(), 1, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        expect(to == right, what);
        std::ranges::fill(to, 0xee);
        bool const root = world_rank == i % world_size;
        MPI_Bcast((root ? from : to).data() + at, 1, root ? gives : takes, i % world_size, MPI_COMM_WORLD);
        expect(root || to == right, std::string{what} + ", a broadcast");
        std::ranges::fill(to, 0xee);
    }
    MPI_Type_free(&gives);
    if (takes != gives) MPI_Type_free(&takes);
}
inline void datatypes() {
    constexpr int n = 128; // an array of n x n words
    constexpr std::size_t bytes = std::size_t{n} * n * 4 * 3;
    constexpr std::size_t middle = std::size_t{n} * n * 4;
    int const sizes[2] = {n, n}, part[2] = {n / 2, n}, starts[2] = {n / 4, 0};
    int const column[2] = {n, n / 2}, column_at[2] = {0, n / 2};
    MPI_Datatype rows = MPI_DATATYPE_NULL, columns = MPI_DATATYPE_NULL, t = MPI_DATATYPE_NULL, u = MPI_DATATYPE_NULL;
    auto const renew = [&] {
        MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_C, MPI_INT, &rows);
        MPI_Type_create_subarray(2, sizes, column, column_at, MPI_ORDER_FORTRAN, MPI_INT, &columns);
    };
    renew(), message(rows, columns, middle, bytes, "subarrays of both orders");
    int const gsizes[2] = {n, n}, blocks[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, grid[2] = {1, 2};
    int const usual[2] = {MPI_DISTRIBUTE_DFLT_DARG, 3}, swapped[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE}, tall[2] = {2, 1},
              one[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    MPI_Type_create_darray(2, 1, 2, gsizes, blocks, usual, grid, MPI_ORDER_C, MPI_INT, &t);
    int size = 0;
    MPI_Type_size(t, &size);
    MPI_Type_contiguous(size / 4, MPI_INT, &u);
    message(t, u, middle, bytes, "cyclic(3) columns");
    renew(), MPI_Type_free(&columns);
    MPI_Type_create_darray(2, 0, 2, gsizes, swapped, one, tall, MPI_ORDER_FORTRAN, MPI_INT, &t);
    message(t, rows, middle, bytes, "cyclic rows");
    renew(), MPI_Type_free(&rows);
    MPI_Type_vector(n / 2, n, -n, MPI_INT, &t);
    message(t, columns, middle, bytes, "rows from below");
    renew(), MPI_Type_free(&rows);
    MPI_Type_create_hvector(n / 2, n, 0, MPI_INT, &t);
    message(t, columns, middle, bytes, "one row again and again");
    renew(), MPI_Type_free(&rows);
    std::vector<MPI_Aint> places(n / 2);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<MPI_Aint>((places.size() - i) * n * 4) - 64 * n;
    MPI_Type_create_hindexed_block(n / 2, n, places.data(), MPI_INT, &t);
    message(columns, t, middle, bytes, "blocks of one size, the last one first");
    renew(), MPI_Type_free(&columns);
    MPI_Datatype const members[3] = {rows, MPI_DOUBLE, MPI_CHAR};
    int const lengths[3] = {1, 20, 16};
    MPI_Aint const at[3] = {0, -4096, static_cast<MPI_Aint>(middle)};
    MPI_Type_create_struct(3, lengths, at, members, &t);
    MPI_Type_free(&rows);
    MPI_Type_dup(t, &u);
    message(t, u, middle, bytes, "a structure");
}

// Blocks in a span of more than 4 GiB of which little is touched.
inline void wide_extents() {
    constexpr std::size_t gap = std::size_t{600} << 20U;
    constexpr int blocks = 8, n = 4096;
    constexpr std::size_t span = blocks * gap;
    auto* const from = static_cast<unsigned char*>(
        mmap(nullptr, span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    auto* const to = static_cast<unsigned char*>(
        mmap(nullptr, span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    expect(from != MAP_FAILED && to != MAP_FAILED, "no memory");
    MPI_Datatype t = MPI_DATATYPE_NULL, one = MPI_DATATYPE_NULL, wide = MPI_DATATYPE_NULL;
    MPI_Type_create_hvector(blocks, n, gap, MPI_BYTE, &t);
    MPI_Type_commit(&t);
    MPI_Type_contiguous(n, MPI_BYTE, &one);
    MPI_Type_create_resized(one, 0, gap, &wide);
    MPI_Type_commit(&wide);
    auto const value = [](int rank, int block, int i) { return static_cast<unsigned char>(rank * 31 + block * 7 + i + 1); };
    for (int i = 0; i < 20; ++i) {
        for (int b = 0; b < blocks; ++b)
            std::memset(from + static_cast<std::size_t>(b) * gap, value(world_rank, b, i), n),
                std::memset(to + static_cast<std::size_t>(b) * gap, 0, n);
        MPI_Sendrecv(from, 1, t, right_of(), 1, to, blocks, wide, left_of(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int b = 0; b < blocks; ++b)
            expect(to[static_cast<std::size_t>(b) * gap + n - 1] == value(left_of(), b, i), "a message over 4 GiB");
        MPI_Bcast(world_rank == 0 ? from : to, world_rank == 0 ? blocks : 1, world_rank == 0 ? wide : t, 0, MPI_COMM_WORLD);
        expect(world_rank == 0 || to[7 * gap + 5] == value(0, 7, i), "a broadcast over 4 GiB");
        MPI_Allgather(from, 1, wide, to, 1, wide, MPI_COMM_WORLD);
        for (int r = 0; r < world_size; ++r)
            expect(to[static_cast<std::size_t>(r) * gap + 9] == value(r, 0, i), "an allgather over 4 GiB");
    }
    MPI_Type_free(&t), MPI_Type_free(&one), MPI_Type_free(&wide);
    munmap(from, span), munmap(to, span);
}

inline void addresses() {
    std::vector<int> a(5000), b(300), c(5000), d(300);
    MPI_Datatype from = MPI_DATATYPE_NULL, to = MPI_DATATYPE_NULL;
    MPI_Aint at[2];
    int const lengths[2] = {5000, 300};
    MPI_Datatype const types[2] = {MPI_INT, MPI_INT};
    MPI_Get_address(a.data(), &at[0]), MPI_Get_address(b.data(), &at[1]);
    MPI_Type_create_struct(2, lengths, at, types, &from);
    MPI_Get_address(c.data(), &at[0]), MPI_Get_address(d.data(), &at[1]);
    MPI_Type_create_struct(2, lengths, at, types, &to);
    MPI_Type_commit(&from), MPI_Type_commit(&to);
    for (int i = 0; i < rounds; ++i) {
        std::ranges::fill(a, world_rank + i), std::ranges::fill(b, world_rank - i);
        MPI_Sendrecv(MPI_BOTTOM, 1, from, right_of(), 1, MPI_BOTTOM, 1, to, left_of(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(c[4999] == left_of() + i && d[299] == left_of() - i, "absolute addresses");
        MPI_Bcast(MPI_BOTTOM, 1, world_rank == 0 ? from : to, 0, MPI_COMM_WORLD);
        expect(world_rank == 0 || (c[0] == i && d[0] == -i), "a broadcast of absolute addresses");
    }
    MPI_Type_free(&from), MPI_Type_free(&to);
}

} // namespace standard
