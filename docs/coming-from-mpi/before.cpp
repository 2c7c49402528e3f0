// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int const n = 200;

    int ranks, rank, grid[2] = {0, 0}, periods[2] = {0, 0}, place[2];
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, grid);
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 2, grid, periods, 1, &cart);
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_coords(cart, rank, 2, place);
    int north, south, west, east;
    MPI_Cart_shift(cart, 0, 1, &north, &south);
    MPI_Cart_shift(cart, 1, 1, &west, &east);

    int const top = n * place[0] / grid[0], left = n * place[1] / grid[1]; // where the block begins
    int const ny = n * (place[0] + 1) / grid[0] - top, nx = n * (place[1] + 1) / grid[1] - left;
    std::vector<double> now((ny + 2) * (nx + 2)), next(now);
    auto const at = [&](int i, int j) { return i * (nx + 2) + j; };

    int const sizes[2] = {ny + 2, nx + 2}, row[2] = {1, nx}, column[2] = {ny, 1};
    auto const part = [&](int const* extent, int i, int j) {
        int const start[2] = {i, j};
        MPI_Datatype type;
        MPI_Type_create_subarray(2, sizes, extent, start, MPI_ORDER_C, MPI_DOUBLE, &type);
        MPI_Type_commit(&type);
        return type;
    };
    int const peer[4] = {north, south, west, east};
    MPI_Datatype edge[4] = {part(row, 1, 1), part(row, ny, 1), part(column, 1, 1), part(column, 1, nx)};
    MPI_Datatype halo[4] = {part(row, 0, 1), part(row, ny + 1, 1), part(column, 1, 0), part(column, 1, nx + 1)};

    if (top == 0)
        for (int j = 1; j <= nx; ++j) now[at(1, j)] = next[at(1, j)] = 1.0;

    int const i_first = top == 0 ? 2 : 1, i_last = top + ny == n ? ny - 1 : ny; // the outermost points of the plate stay
    int const j_first = left == 0 ? 2 : 1, j_last = left + nx == n ? nx - 1 : nx;
    double change = 1;
    int steps = 0;
    for (; change > 1e-4; ++steps) {
        MPI_Request requests[8];
        for (int e = 0; e < 4; ++e) {
            int const opposite = e ^ 1;
            MPI_Irecv(now.data(), 1, halo[e], peer[e], opposite, cart, &requests[e]);
            MPI_Isend(now.data(), 1, edge[e], peer[e], e, cart, &requests[4 + e]);
        }
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
        double mine = 0;
        for (int i = i_first; i <= i_last; ++i)
            for (int j = j_first; j <= j_last; ++j) {
                next[at(i, j)] = 0.25 * (now[at(i - 1, j)] + now[at(i + 1, j)] + now[at(i, j - 1)] + now[at(i, j + 1)]);
                mine = std::max(mine, std::abs(next[at(i, j)] - now[at(i, j)]));
            }
        MPI_Allreduce(&mine, &change, 1, MPI_DOUBLE, MPI_MAX, cart);
        std::swap(now, next);
    }
    if (rank == 0) std::printf("no point changes by more than 1e-4 after %d steps\n", steps);

    for (int e = 0; e < 4; ++e) {
        MPI_Type_free(&edge[e]);
        MPI_Type_free(&halo[e]);
    }
    MPI_Comm_free(&cart);
    MPI_Finalize();
}
