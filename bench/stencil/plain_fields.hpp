// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stencil/plain_kernels.h"
#include "stencil/slab.hpp"
#include "stencil/solver.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace sode::internal::bench {

/// The arrays of plain C solvers, for layers [stored.from, stored.to) of the problem. Memory is not touched before fill(), so that
/// it comes to lie where the thread that fills it runs. Layers are counted globally.
class laplace_fields {
public:
    laplace_fields(problem_size size, slab stored);
    /// In `memory` of somebody else's, which has room for `values(size, stored)`.
    laplace_fields(problem_size size, slab stored, double* memory) noexcept;
    using value = double;
    static constexpr long reach = 1; ///< layers that a layer's step needs on both sides
    [[nodiscard]] static std::size_t values(problem_size size, slab stored) noexcept;

    void fill(slab s) const noexcept;
    /// One step from half `now` to the other.
    void sweep(slab s, int now) const noexcept;
    [[nodiscard]] std::uint64_t fingerprint(slab s, int now) const noexcept;

    [[nodiscard]] double* layer(int half, long i) const noexcept {
        return u_[static_cast<std::size_t>(half)] + (i - stored_.from) * size_.n;
    }
    [[nodiscard]] long layer_bytes() const noexcept { return size_.n * static_cast<long>(sizeof(double)); }

private:
    problem_size size_;
    slab stored_;
    std::unique_ptr<double[]> memory_;
    std::array<double*, 2> u_;
};

class himeno_fields {
public:
    himeno_fields(problem_size size, slab stored);
    himeno_fields(problem_size size, slab stored, float* memory) noexcept;
    using value = float;
    static constexpr long reach = 1;
    [[nodiscard]] static std::size_t values(problem_size size, slab stored) noexcept;

    void fill(slab s) noexcept;
    /// One sweep from half `now` to the other; the sum of the squared changes.
    double sweep(slab s, int now) noexcept;
    [[nodiscard]] std::uint64_t fingerprint(slab s, int now) const noexcept;

    [[nodiscard]] float* layer(int half, long i) const noexcept { return h_.p[half] + at(i - stored_.from, 0, 0); }
    /// Of a whole plane, padding included: it is sent as one piece.
    [[nodiscard]] long layer_bytes() const noexcept { return at(1, 0, 0) * static_cast<long>(sizeof(float)); }

private:
    [[nodiscard]] long at(long i, long j, long k) const noexcept { return (i * (size_.n + 1) + j) * (2 * size_.n + 1) + k; }
    [[nodiscard]] static long volume(problem_size size, slab stored) noexcept;
    void lay_out(float* memory) noexcept;

    problem_size size_;
    slab stored_;
    std::unique_ptr<float[]> memory_;
    plain_himeno h_{};
};

} // namespace sode::internal::bench
