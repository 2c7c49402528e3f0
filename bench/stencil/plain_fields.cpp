// SPDX-License-Identifier: Apache-2.0
#include "stencil/plain_fields.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace sode::internal::bench {
namespace {

constexpr long stagger = 40; // keeps two arrays off each other's cache sets

} // namespace

std::size_t laplace_fields::values(problem_size size, slab stored) noexcept {
    return static_cast<std::size_t>(2 * (stored.layers() * size.n + stagger));
}

laplace_fields::laplace_fields(problem_size size, slab stored)
    : size_(size), stored_(stored),
      memory_(std::make_unique_for_overwrite<double[]>(values(size, stored))), u_{memory_.get(), memory_.get() +
                                                                                                     stored.layers() * size.n +
                                                                                                     stagger} {}

laplace_fields::laplace_fields(problem_size size, slab stored, double* memory) noexcept
    : size_(size), stored_(stored), u_{memory, memory + stored.layers() * size.n + stagger} {}

void laplace_fields::fill(slab s) const noexcept {
    for (int half : {0, 1})
        for (long i = s.from; i < s.to; ++i) std::fill_n(layer(half, i), size_.n, i == 0 ? 1.0 : 0.0);
}

void laplace_fields::sweep(slab s, int now) const noexcept {
    plain_laplace(size_.n, s.from - stored_.from, s.to - stored_.from, u_[static_cast<std::size_t>(now)],
                  u_[static_cast<std::size_t>(1 - now)]);
}

std::uint64_t laplace_fields::fingerprint(slab s, int now) const noexcept {
    std::uint64_t sum = 0;
    for (long i = s.from; i < s.to; ++i)
        for (long j = 0; j < size_.n; ++j)
            sum += mark(static_cast<std::uint64_t>(i * size_.n + j), std::bit_cast<std::uint64_t>(layer(now, i)[j]));
    return sum;
}

long himeno_fields::volume(problem_size size, slab stored) noexcept {
    // One layer more than is stored: all sizes odd, as the benchmark's own are.
    return (stored.layers() + 1) * (size.n + 1) * (2 * size.n + 1);
}

std::size_t himeno_fields::values(problem_size size, slab stored) noexcept {
    constexpr long arrays = 14;
    return static_cast<std::size_t>(arrays * volume(size, stored));
}

himeno_fields::himeno_fields(problem_size size, slab stored)
    : size_(size), stored_(stored), memory_(std::make_unique_for_overwrite<float[]>(values(size, stored))) {
    lay_out(memory_.get());
}

himeno_fields::himeno_fields(problem_size size, slab stored, float* memory) noexcept : size_(size), stored_(stored) {
    lay_out(memory);
}

void himeno_fields::lay_out(float* memory) noexcept {
    // One behind the other, as the benchmark's static arrays: the padding then keeps them off each other's cache sets.
    auto take = [next = memory, step = volume(size_, stored_)](float*& p) mutable { p = std::exchange(next, next + step); };
    for (auto& p : h_.p) take(p);
    for (auto& a : h_.a) take(a);
    for (auto& b : h_.b) take(b);
    for (auto& c : h_.c) take(c);
    take(h_.bnd);
    take(h_.wrk);
    h_.n = size_.n;
}

void himeno_fields::fill(slab s) noexcept {
    for (long i = s.from; i < s.to; ++i) {
        long const last = size_.layers - 1, local = i - stored_.from;
        float const pressure = static_cast<float>(i * i) / static_cast<float>(last * last);
        for (long x = at(local, 0, 0); x < at(local + 1, 0, 0); ++x) {
            h_.p[0][x] = h_.p[1][x] = pressure;
            h_.a[0][x] = h_.a[1][x] = h_.a[2][x] = h_.c[0][x] = h_.c[1][x] = h_.c[2][x] = h_.bnd[x] = 1;
            h_.a[3][x] = 1.F / 6;
            h_.b[0][x] = h_.b[1][x] = h_.b[2][x] = h_.wrk[x] = 0;
        }
    }
}

double himeno_fields::sweep(slab s, int now) noexcept {
    return plain_himeno_sweep(&h_, now, s.from - stored_.from, s.to - stored_.from);
}

std::uint64_t himeno_fields::fingerprint(slab s, int now) const noexcept {
    std::uint64_t sum = 0;
    for (long i = s.from; i < s.to; ++i)
        for (long j = 0; j < size_.n; ++j)
            for (long k = 0; k < 2 * size_.n; ++k)
                sum += mark(static_cast<std::uint64_t>((i * size_.n + j) * 2 * size_.n + k),
                            std::bit_cast<std::uint32_t>(h_.p[now][at(i - stored_.from, j, k)]));
    return sum;
}

} // namespace sode::internal::bench
