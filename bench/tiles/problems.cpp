// SPDX-License-Identifier: Apache-2.0
#include "tiles/problems.hpp"

#include "tiles/hill.hpp"

#include <sode/sode.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace sode::internal::bench {
namespace {

template <int N> std::uint64_t fingerprint_of(view<double, N> const& v, box<N> const& mine, index_t n) {
    std::uint64_t sum = 0;
    for (auto const& at : mine) {
        std::uint64_t place = 0;
        for (auto const i : at) place = place * static_cast<std::uint64_t>(n + 1) + static_cast<std::uint64_t>(i);
        sum += mark(place, std::bit_cast<std::uint64_t>(std::apply([&](auto... i) { return v(i...); }, at)));
    }
    return sum;
}

/// Steps of `Scheme` over fields that all change.
template <int N, class Scheme, std::size_t Fields> class marched final : public solver {
public:
    marched(runtime& rt, index<N> const& extents, Scheme scheme, index_t reach, int steps)
        : at_a_time_(steps), n_(extents.back()), scheme_(scheme), grid_(rt, extents), where_(grid_.inner(reach)),
          fields_(make(grid_, reach, steps, std::make_index_sequence<Fields>{})),
          halo_(std::apply([](auto&... f) { return reflect_init(f...); }, fields_)) {
        std::apply([&](auto&... f) { (begin(f), ...); }, fields_);
    }

    void steps(int n) override {
        std::apply(
            [&](auto&... f) {
                if (at_a_time_ != 1) return halo_.march(n, where_, scheme_, f...);
                for (int t = 0; t < n; ++t) {
                    halo_.overlap(where_, scheme_(f.now()..., f.next()...));
                    (f.flip(), ...);
                }
            },
            fields_);
    }
    [[nodiscard]] std::uint64_t fingerprint() const override {
        return fingerprint_of<N>(const_cast<buffered<double, N>&>(std::get<0>(fields_)).now(), grid_.local(), n_);
    }
    [[nodiscard]] std::string explain() const override { return halo_.explain(); }

private:
    template <std::size_t> using field = buffered<double, N>;
    template <std::size_t... F>
    static std::tuple<field<F>...> make(grid<N> const& g, index_t reach, int steps, std::index_sequence<F...>) {
        return {field<F>{g, shadow{reach}, tiles{steps}}...};
    }
    void begin(buffered<double, N>& f) const {
        for (auto const& v : {f.now(), f.next()})
            loop(grid_.all(), [v, n = n_](auto... i) { v(i...) = hill(index<N>{static_cast<index_t>(i)...}, n); });
    }

    int at_a_time_;
    index_t n_;
    Scheme scheme_;
    grid<N> grid_;
    domain<N> where_;
    decltype(make(std::declval<grid<N>&>(), 0, 0, std::make_index_sequence<Fields>{})) fields_;
    reflection halo_;
};

// 7 points in space.
struct heat {
    template <class V> auto operator()(V a, V b) const {
        return [=](auto i, auto j, auto k) {
            b(i, j, k) = 0.4 * a(i, j, k) + 0.1 * (a(i - 1, j, k) + a(i + 1, j, k) + a(i, j - 1, k) + a(i, j + 1, k) +
                                                   a(i, j, k - 1) + a(i, j, k + 1));
        };
    }
};

// Acoustic waves, eighth order in space, second in time: next() holds the step before.
struct wave {
    template <class V> auto operator()(V a, V b) const {
        return [=](auto i, auto j, auto k) {
            constexpr double c0 = -205.0 / 72, c1 = 8.0 / 5, c2 = -1.0 / 5, c3 = 8.0 / 315, c4 = -1.0 / 560, courant = 0.1;
            auto const pairs = [&](auto d) {
                return a(i - d, j, k) + a(i + d, j, k) + a(i, j - d, k) + a(i, j + d, k) + a(i, j, k - d) + a(i, j, k + d);
            };
            double const laplacian = 3 * c0 * a(i, j, k) + c1 * pairs(1) + c2 * pairs(2) + c3 * pairs(3) + c4 * pairs(4);
            b(i, j, k) = 2 * a(i, j, k) - b(i, j, k) + courant * laplacian;
        };
    }
};

// Shallow water: Rusanov's fluxes between cells, first order.
struct water {
    struct state {
        double h, u, v; // depth, momentum along and across
    };
    static state flux(state const& l, state const& r) {
        constexpr double g = 9.81;
        double const ul = l.u / l.h, ur = r.u / r.h;
        double const fastest = std::max(std::abs(ul) + std::sqrt(g * l.h), std::abs(ur) + std::sqrt(g * r.h));
        return {0.5 * (l.u + r.u - fastest * (r.h - l.h)),
                0.5 * (l.u * ul + 0.5 * g * l.h * l.h + r.u * ur + 0.5 * g * r.h * r.h - fastest * (r.u - l.u)),
                0.5 * (l.v * ul + r.v * ur - fastest * (r.v - l.v))};
    }
    template <class V> auto operator()(V h, V u, V v, V h1, V u1, V v1) const {
        return [=](auto i, auto j) {
            constexpr double ratio = 0.05;
            auto const x = [&](auto p) { return state{h(i, p), u(i, p), v(i, p)}; };
            auto const y = [&](auto p) { return state{h(p, j), v(p, j), u(p, j)}; };
            state const w = flux(x(j - 1), x(j)), e = flux(x(j), x(j + 1)), s = flux(y(i - 1), y(i)), n = flux(y(i), y(i + 1));
            h1(i, j) = h(i, j) - ratio * (e.h - w.h + n.h - s.h);
            u1(i, j) = u(i, j) - ratio * (e.u - w.u + n.v - s.v);
            v1(i, j) = v(i, j) - ratio * (e.v - w.v + n.u - s.u);
        };
    }
};

} // namespace

std::vector<std::string> tiled_problems() {
    return {"laplace", "heat", "wave", "water", "himeno"};
}

std::unique_ptr<solver> tiled_problem(std::string const& name, runtime& rt, problem_size size, int steps) {
    auto const [layers, n] = size;
    if (name == "laplace") return our_laplace(rt, size, {.tiles = steps});
    if (name == "himeno") return our_himeno(rt, size, {.tiles = steps});
    if (name == "heat") return std::make_unique<marched<3, heat, 1>>(rt, index<3>{layers, n, n}, heat{}, 1, steps);
    if (name == "wave") return std::make_unique<marched<3, wave, 1>>(rt, index<3>{layers, n, n}, wave{}, 4, steps);
    if (name == "water") return std::make_unique<marched<2, water, 3>>(rt, index<2>{layers, n}, water{}, 1, steps);
    throw std::invalid_argument{"there is no problem \"" + name + '"'};
}

} // namespace sode::internal::bench
