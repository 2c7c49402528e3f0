// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sound in a closed box of n x n points: the part of an MPI program that knows nothing of how ranks talk. before.cpp and after.cpp
// are the rest of it.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// The points of one rank, ends excluded.
struct block {
    long first_row, first_column, end_row, end_column;

    [[nodiscard]] long ny() const { return end_row - first_row; }
    [[nodiscard]] long nx() const { return end_column - first_column; }
};

/// The values of a block, from (1, 1) to (ny, nx), with one more on every side. Rows are padded.
template <class T> struct field {
    explicit field(block const& b) : pitch((b.nx() + 9) / 8 * 8), values(static_cast<std::size_t>((b.ny() + 2) * pitch)) {}

    T& operator()(long i, long j) { return values[static_cast<std::size_t>(i * pitch + j)]; }

    long pitch;
    std::vector<T> values;
};

/// A clap of hands, at a third of the height and half of the width.
inline void clap(field<double>& p, block const& b, long n) {
    for (long i = 1; i <= b.ny(); ++i)
        for (long j = 1; j <= b.nx(); ++j) {
            double const y = static_cast<double>(b.first_row + i - 1 - n / 3),
                         x = static_cast<double>(b.first_column + j - 1 - n / 2);
            p(i, j) = std::exp(-0.02 * (x * x + y * y));
        }
}

/// Pressure moves air: reads p one row above and one column to the left. Nothing passes the walls.
inline void accelerate(field<double>& p, field<float>& down, field<float>& right, block const& b) {
    for (long i = 1; i <= b.ny(); ++i)
        for (long j = 1; j <= b.nx(); ++j) {
            if (b.first_row + i > 1) down(i, j) -= static_cast<float>(0.5 * (p(i, j) - p(i - 1, j)));
            if (b.first_column + j > 1) right(i, j) -= static_cast<float>(0.5 * (p(i, j) - p(i, j - 1)));
        }
}

/// Moving air makes pressure: reads velocities one row below and one column to the right.
inline void compress(field<double>& p, field<float>& down, field<float>& right, block const& b) {
    for (long i = 1; i <= b.ny(); ++i)
        for (long j = 1; j <= b.nx(); ++j)
            p(i, j) -= 0.5 * (static_cast<double>(down(i + 1, j)) - static_cast<double>(down(i, j)) +
                              static_cast<double>(right(i, j + 1)) - static_cast<double>(right(i, j)));
}

/// Says how loud it is, and a number that changes with any bit that matters, whatever the blocks.
inline void report(field<double>& p, block const& b, int rank) {
    double loudest = 0, all_loudest = 0;
    long sum = 0, all_sum = 0;
    for (long i = 1; i <= b.ny(); ++i)
        for (long j = 1; j <= b.nx(); ++j) {
            loudest = std::max(loudest, std::abs(p(i, j)));
            sum += std::lround(std::abs(p(i, j)) * 1e9);
        }
    MPI_Reduce(&loudest, &all_loudest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&sum, &all_sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("the loudest point has %.9f, all points together %.9f\n", all_loudest, static_cast<double>(all_sum) * 1e-9);
}
