// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stencil/plain_kernels.h"
#include "stencil/slab.hpp"
#include "stencil/solver.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace sode::internal::bench {

/// A problem of bench/tiles/problems.hpp in plain C: its kernel, how many layers that needs on both sides, and of how many rows of
/// n a layer consists. The rows of a layer of water are its fields.
struct plain_heat_problem {
    static constexpr long reach = 1;
    static constexpr auto step = plain_heat;
    static long rows(long n) noexcept { return n; }
    static constexpr bool rows_are_fields = false;
};
struct plain_wave_problem {
    static constexpr long reach = 4;
    static constexpr auto step = plain_wave;
    static long rows(long n) noexcept { return n; }
    static constexpr bool rows_are_fields = false;
};
struct plain_water_problem {
    static constexpr long reach = 1;
    static constexpr auto step = plain_water;
    static long rows(long /*n*/) noexcept { return 3; }
    static constexpr bool rows_are_fields = true;
};

/// Its arrays now and next, for layers [stored.from, stored.to) of the problem; see laplace_fields.
template <class Problem> class cell_fields {
public:
    using value = double;
    static constexpr long reach = Problem::reach;

    cell_fields(problem_size size, slab stored);
    cell_fields(problem_size size, slab stored, double* memory) noexcept;
    [[nodiscard]] static std::size_t values(problem_size size, slab stored) noexcept;

    void fill(slab s) const noexcept;
    void sweep(slab s, int now) const noexcept {
        auto const other = static_cast<std::size_t>(1 - now);
        Problem::step(size_.n, s.from - stored_.from, s.to - stored_.from, u_[static_cast<std::size_t>(now)], u_[other]);
    }
    [[nodiscard]] std::uint64_t fingerprint(slab s, int now) const noexcept;

    [[nodiscard]] double* layer(int half, long i) const noexcept {
        return u_[static_cast<std::size_t>(half)] + (i - stored_.from) * layer_values(size_.n);
    }
    [[nodiscard]] long layer_bytes() const noexcept { return layer_values(size_.n) * static_cast<long>(sizeof(double)); }

private:
    [[nodiscard]] static long layer_values(long n) noexcept { return Problem::rows(n) * (n + plain_padding); }

    problem_size size_;
    slab stored_;
    std::unique_ptr<double[]> memory_;
    std::array<double*, 2> u_;
};

extern template class cell_fields<plain_heat_problem>;
extern template class cell_fields<plain_wave_problem>;
extern template class cell_fields<plain_water_problem>;

} // namespace sode::internal::bench
