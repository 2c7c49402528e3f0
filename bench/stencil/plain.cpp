// SPDX-License-Identifier: Apache-2.0
#include "stencil/plain_kernels.h"
#include "stencil/solver.hpp"
#include "stencil/threads.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

namespace sode::bench {
namespace {

struct slice {
    long from, to;
};
/// The part of thread t, cut as Sode cuts: blocks of ceil(n / threads), without the outermost layer of the whole.
slice part(long n, int threads, int t) {
    long const chunk = (n + threads - 1) / threads;
    return {std::max(1L, chunk * t), std::min(n - 1, chunk * (t + 1))};
}

/// With the outermost layers.
slice whole(slice s, long n) {
    return {s.from == 1 ? 0 : s.from, s.to == n - 1 ? n : s.to};
}

class laplace final : public solver {
public:
    laplace(std::vector<int> const& cores, long n)
        : crew_(cores), n_(n), memory_(std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(2 * (n * n + stagger)))),
          u_{memory_.get(), memory_.get() + n * n + stagger} {
        // Each thread is the first to touch what it will work on.
        crew_.run([this](int t) {
            auto const [from, to] = whole(part(n_, crew_.size(), t), n_);
            for (double* u : u_)
                for (long i = from; i < to; ++i) std::fill_n(u + i * n_, n_, i == 0 ? 1.0 : 0.0);
        });
    }

    void steps(int n) override {
        crew_.run([this, n](int t) {
            auto const [from, to] = part(n_, crew_.size(), t);
            for (int s = 0; s < n; ++s) {
                auto const now = static_cast<std::size_t>((now_ + s) % 2);
                plain_laplace(n_, from, to, u_[now], u_[1 - now]);
                crew_.barrier(t);
            }
        });
        now_ = (now_ + n) % 2;
    }

    [[nodiscard]] std::uint64_t fingerprint() const override {
        std::uint64_t sum = 0;
        double const* const u = u_[static_cast<std::size_t>(now_)];
        for (std::size_t at = 0; at < static_cast<std::size_t>(n_ * n_); ++at) sum += mark(at, std::bit_cast<std::uint64_t>(u[at]));
        return sum;
    }

private:
    static constexpr long stagger = 40; // keeps the two arrays off each other's cache sets
    thread_crew crew_;
    long n_;
    std::unique_ptr<double[]> memory_;
    std::array<double*, 2> u_;
    int now_ = 0;
};

class himeno final : public solver {
public:
    himeno(std::vector<int> const& cores, long n)
        : crew_(cores), n_(n), memory_(std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(arrays * volume(n)))),
          gosa_(cores.size()) {
        // One behind the other, as the benchmark's static arrays: the padding then keeps them off each other's cache sets.
        float* next = memory_.get();
        auto const take = [&](float*& p) { p = std::exchange(next, next + volume(n)); };
        for (auto& p : h_.p) take(p);
        for (auto& a : h_.a) take(a);
        for (auto& b : h_.b) take(b);
        for (auto& c : h_.c) take(c);
        take(h_.bnd);
        take(h_.wrk);
        h_.n = n;
        crew_.run([this](int t) {
            auto const [from, to] = whole(part(n_, crew_.size(), t), n_);
            fill(from, to);
        });
    }

    void steps(int n) override {
        crew_.run([this, n](int t) {
            auto const [from, to] = part(n_, crew_.size(), t);
            for (int s = 0; s < n; ++s) {
                gosa_[static_cast<std::size_t>(t)].sum = plain_himeno_sweep(&h_, (now_ + s) % 2, from, to);
                crew_.barrier(t);
            }
        });
        now_ = (now_ + n) % 2;
    }

    [[nodiscard]] std::uint64_t fingerprint() const override {
        std::uint64_t sum = 0;
        for (long i = 0; i < n_; ++i)
            for (long j = 0; j < n_; ++j)
                for (long k = 0; k < 2 * n_; ++k)
                    sum += mark(static_cast<std::uint64_t>((i * n_ + j) * 2 * n_ + k),
                                std::bit_cast<std::uint32_t>(h_.p[now_][at(i, j, k)]));
        return sum;
    }

private:
    static constexpr long arrays = 14;
    [[nodiscard]] static long volume(long n) noexcept { return (n + 1) * (n + 1) * (2 * n + 1); }
    [[nodiscard]] long at(long i, long j, long k) const noexcept { return (i * (n_ + 1) + j) * (2 * n_ + 1) + k; }

    void fill(long from, long to) {
        for (long i = from; i < to; ++i) {
            float const pressure = static_cast<float>(i * i) / static_cast<float>((n_ - 1) * (n_ - 1));
            for (long x = at(i, 0, 0); x < at(i + 1, 0, 0); ++x) {
                h_.p[0][x] = h_.p[1][x] = pressure;
                h_.a[0][x] = h_.a[1][x] = h_.a[2][x] = h_.c[0][x] = h_.c[1][x] = h_.c[2][x] = h_.bnd[x] = 1;
                h_.a[3][x] = 1.F / 6;
                h_.b[0][x] = h_.b[1][x] = h_.b[2][x] = h_.wrk[x] = 0;
            }
        }
    }

    struct alignas(128) partial {
        double sum = 0;
    };
    thread_crew crew_;
    long n_;
    std::unique_ptr<float[]> memory_;
    plain_himeno h_{};
    std::vector<partial> gosa_;
    int now_ = 0;
};

} // namespace

std::unique_ptr<solver> plain_laplace_on(std::vector<int> const& cores, long n) {
    return std::make_unique<laplace>(cores, n);
}
std::unique_ptr<solver> plain_himeno_on(std::vector<int> const& cores, long n) {
    return std::make_unique<himeno>(cores, n);
}

} // namespace sode::bench
