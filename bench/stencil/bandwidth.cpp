// SPDX-License-Identifier: Apache-2.0
#include "stencil/bandwidth.hpp"
#include "support/limit.hpp"

#include <sode/sode.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sode::internal::bench {
namespace {

using row_copy = void (*)(double* to, double const* from, std::size_t elements);

void by_memcpy(double* to, double const* from, std::size_t elements) {
    std::memcpy(to, from, elements * sizeof(double));
}

#if defined(__SSE2__)
/// Rows begin and end where they like: what is beside the aligned part is stored as usual.
void streaming(double* to, double const* from, std::size_t elements) {
    std::size_t i = 0;
    for (; i < elements && reinterpret_cast<std::uintptr_t>(to + i) % 64 != 0; ++i) to[i] = from[i];
    for (; i + 8 <= elements; i += 8)
        for (std::size_t k = 0; k < 8; k += 2) _mm_stream_pd(to + i + k, _mm_loadu_pd(from + i + k));
    for (; i < elements; ++i) to[i] = from[i];
}
#endif

class plate_copy final : public solver {
public:
    plate_copy(runtime& rt, problem_size size, row_copy how)
        : copy_(how), grid_(rt, {size.layers, size.n}), u_(grid_, shadow{1}), mine_(u_.owned()) {}

    void steps(int n) override {
        auto const elements = static_cast<std::size_t>(mine_.upper[1] - mine_.lower[1]);
        if (mine_.empty()) return;
        for (int t = 0; t < n; ++t, u_.flip()) {
            auto const from = u_.now(), to = u_.next();
            for (index_t i = mine_.lower[0]; i < mine_.upper[0]; ++i)
                copy_(&to(i, mine_.lower[1]), &from(i, mine_.lower[1]), elements);
        }
#if defined(__SSE2__)
        _mm_sfence();
#endif
    }
    [[nodiscard]] std::uint64_t fingerprint() const override {
        return 0;
    }

private:
    row_copy copy_;
    grid<2> grid_;
    buffered<double, 2> u_;
    box<2> mine_;
};

/// As many elements a step as the plate has, all of them in the cache: what is left when memory costs nothing.
class cached_plate final : public solver {
public:
    cached_plate(runtime& rt, problem_size size) : mine_(grid<2>{rt, {size.layers, size.n}}.local()) {
        constexpr index_t cache = 1 << 20;
        rows_ = std::clamp<index_t>(cache / (2 * 8 * size.n), 1, std::max<index_t>(mine_.extent(0), 1));
        extents_ = {rows_ + 2, size.n};
        for (auto& half : halves_) half.assign(static_cast<std::size_t>(extents_[0] * extents_[1]), 0.5);
    }

    void steps(int n) override {
        view<double, 2> a{halves_[0].data(), {-1, 0}, extents_}, b{halves_[1].data(), {-1, 0}, extents_};
        for (int t = 0; t < n; ++t)
            for (index_t done = 0; done < mine_.extent(0); done += rows_, std::swap(a, b))
                detail::for_each(box<2>{{0, 1}, {std::min(rows_, mine_.extent(0) - done), extents_[1] - 1}},
                                 [=](auto i, auto j) { b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)); });
    }
    [[nodiscard]] std::uint64_t fingerprint() const override { return 0; }

private:
    box<2> mine_;
    index_t rows_ = 1;
    index<2> extents_{};
    std::array<std::vector<double>, 2> halves_;
};

} // namespace

void add_laplace_limits(contest& race, runtime& rt, problem_size size) {
    auto const add = [&](char const* name, row_copy how) {
        race.add({limit_prefix + std::string{name}, 1, std::make_unique<plate_copy>(rt, size, how), false});
    };
    add("copy", by_memcpy);
    race.add({limit_prefix + std::string{"from L2"}, 1, std::make_unique<cached_plate>(rt, size), false});
#if defined(__SSE2__)
    add("streaming", streaming);
#endif
}

} // namespace sode::internal::bench
