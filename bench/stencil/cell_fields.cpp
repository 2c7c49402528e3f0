// SPDX-License-Identifier: Apache-2.0
#include "stencil/cell_fields.hpp"

#include "tiles/hill.hpp"

#include <bit>

namespace sode::internal::bench {
namespace {

constexpr long stagger = 40; // keeps two arrays off each other's cache sets

} // namespace

template <class Problem> std::size_t cell_fields<Problem>::values(problem_size size, slab stored) noexcept {
    return static_cast<std::size_t>(2 * (stored.layers() * layer_values(size.n) + stagger));
}

template <class Problem>
cell_fields<Problem>::cell_fields(problem_size size, slab stored)
    : size_(size), stored_(stored), memory_(std::make_unique_for_overwrite<double[]>(values(size, stored))),
      u_{memory_.get(), memory_.get() + stored.layers() * layer_values(size.n) + stagger} {}

template <class Problem>
cell_fields<Problem>::cell_fields(problem_size size, slab stored, double* memory) noexcept
    : size_(size), stored_(stored), u_{memory, memory + stored.layers() * layer_values(size.n) + stagger} {}

template <class Problem> void cell_fields<Problem>::fill(slab s) const noexcept {
    long const n = size_.n;
    for (int half : {0, 1})
        for (long i = s.from; i < s.to; ++i) {
            double* at = layer(half, i);
            for (long row = 0; row < Problem::rows(n); ++row)
                for (long k = 0; k < n + plain_padding; ++k) {
                    if constexpr (Problem::rows_are_fields)
                        *at++ = hill<2>({i, k}, n);
                    else
                        *at++ = hill<3>({i, row, k}, n);
                }
        }
}

// Of the first field, as that of Sode's solvers.
template <class Problem> std::uint64_t cell_fields<Problem>::fingerprint(slab s, int now) const noexcept {
    long const n = size_.n;
    std::uint64_t sum = 0;
    for (long i = s.from; i < s.to; ++i)
        for (long row = 0; row < (Problem::rows_are_fields ? 1 : n); ++row)
            for (long k = 0; k < n; ++k) {
                auto place = static_cast<std::uint64_t>(i);
                if constexpr (!Problem::rows_are_fields)
                    place = place * static_cast<std::uint64_t>(n + 1) + static_cast<std::uint64_t>(row);
                place = place * static_cast<std::uint64_t>(n + 1) + static_cast<std::uint64_t>(k);
                sum += mark(place, std::bit_cast<std::uint64_t>(layer(now, i)[row * (n + plain_padding) + k]));
            }
    return sum;
}

template class cell_fields<plain_heat_problem>;
template class cell_fields<plain_wave_problem>;
template class cell_fields<plain_water_problem>;

} // namespace sode::internal::bench
