// SPDX-License-Identifier: Apache-2.0
// Sound in a closed box, as MPI programs are written: blocks of a Cartesian communicator, edges packed by hand.
#include "wave.hpp"

#include <mpi.h>

// The four neighbours, and what is sent to each and comes from it.
struct edges {
    MPI_Comm cart;
    int neighbour[4]; // above, below, left, right
    std::vector<char> out[4], in[4];
};

template <class T> void exchange(field<T>& f, block const& b, edges& e) {
    auto const each_point = [&](int side, long depth,
                                auto visit) { // of one row or column; depth 0 is the rank's own, 1 the neighbour's
        if (side < 2)
            for (long j = 1; j <= b.nx(); ++j) visit(f(side == 0 ? 1 - depth : b.ny() + depth, j));
        else
            for (long i = 1; i <= b.ny(); ++i) visit(f(i, side == 2 ? 1 - depth : b.nx() + depth));
    };
    MPI_Request requests[8];
    for (int side = 0; side < 4; ++side) {
        auto const bytes = static_cast<std::size_t>(side < 2 ? b.nx() : b.ny()) * sizeof(T);
        e.in[side].resize(bytes);
        e.out[side].resize(bytes);
        auto* to = reinterpret_cast<T*>(e.out[side].data());
        each_point(side, 0, [&](T& value) { *to++ = value; });
        int const count = static_cast<int>(bytes);
        MPI_Irecv(e.in[side].data(), count, MPI_BYTE, e.neighbour[side], side ^ 1, e.cart, &requests[side]);
        MPI_Isend(e.out[side].data(), count, MPI_BYTE, e.neighbour[side], side, e.cart, &requests[4 + side]);
    }
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    for (int side = 0; side < 4; ++side) {
        auto const* from = reinterpret_cast<T const*>(e.in[side].data());
        if (e.neighbour[side] != MPI_PROC_NULL) each_point(side, 1, [&](T& value) { value = *from++; });
    }
}

void simulate(int argc, char** argv) {
    long const n = 300, steps = argc > 1 ? std::atol(argv[1]) : 200;
    int ranks = 0, rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    int dims[2] = {0, 0}, periods[2] = {0, 0}, at[2];
    MPI_Dims_create(ranks, 2, dims);
    edges e;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &e.cart);
    MPI_Cart_coords(e.cart, rank, 2, at);
    MPI_Cart_shift(e.cart, 0, 1, &e.neighbour[0], &e.neighbour[1]);
    MPI_Cart_shift(e.cart, 1, 1, &e.neighbour[2], &e.neighbour[3]);
    block const b{n * at[0] / dims[0], n * at[1] / dims[1], n * (at[0] + 1) / dims[0], n * (at[1] + 1) / dims[1]};

    field<double> p(b);
    field<float> down(b), right(b);
    clap(p, b, n);
    for (long t = 0; t < steps; ++t) {
        exchange(p, b, e);
        accelerate(p, down, right, b);
        exchange(down, b, e);
        exchange(right, b, e);
        compress(p, down, right, b);
    }
    report(p, b, rank);
    MPI_Comm_free(&e.cart);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    simulate(argc, argv);
    MPI_Finalize();
}
