// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "datatypes/ping_pong.hpp"

#include <utility>

namespace sode::internal::bench {

/// The transposition between the two halves of a two-dimensional FFT: every rank has n/p consecutive rows of an n×n matrix of
/// complex doubles and wants as many rows of the transposed one. With datatypes, the matrix is sent column by column and received
/// row by row, so that nothing is packed. Hoefler and Gottlieb, "Parallel zero-copy algorithms for fast Fourier transform and
/// conjugate gradient using MPI datatypes", EuroMPI 2010.
inline constexpr auto transpose_sizes = {std::pair{"fft2d_524288", 256}, std::pair{"fft2d_4718592", 768},
                                         std::pair{"fft2d_18874368", 1536}, std::pair{"fft2d_33554432", 2048}};

/// The datatypes of an n×n matrix on `ranks` ranks: `count` columns go to each rank, the blocks of one rank after those of the one
/// before; one block arrives from each.
struct transpose_types {
    derived column, block;
    int columns;
};
[[nodiscard]] transpose_types make_transpose_types(int n, int ranks);

/// Where a rank's block of another rank lies in either matrix.
[[nodiscard]] places transposed_block(int n, int ranks);

/// The same by hand: the blocks for all ranks, already transposed, one after the other.
void pack_transposed(double const* matrix, double* message, int n, int ranks);
void unpack_transposed(double const* message, double* matrix, int n, int ranks);

/// "datatypes" and "packing"; n must be a multiple of the ranks.
[[nodiscard]] std::unique_ptr<communication> transpose_by_datatypes(int n, pair_world const& w);
[[nodiscard]] std::unique_ptr<communication> transpose_by_packing(int n, pair_world const& w);

} // namespace sode::internal::bench
