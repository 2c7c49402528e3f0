// SPDX-License-Identifier: Apache-2.0
#include "stencil/solver.hpp"

#include <sode/sode.hpp>

#include <array>
#include <bit>

namespace sode::internal::bench {
namespace {

// All ranks along the last dimension, or as the grid likes it.
template <std::size_t N> std::array<node_extent, N> nodes_for(runtime const& rt, our_way how) {
    std::array<node_extent, N> nodes{};
    if (how.cut_rows) {
        nodes.fill(1);
        nodes.back() = rt.size();
    }
    return nodes;
}

class laplace final : public solver {
public:
    laplace(runtime& rt, problem_size size, our_way how)
        : how_(how), n_(size.n), grid_(rt, {size.layers, size.n}, {.nodes = nodes_for<2>(rt, how)}),
          u_(grid_, shadow{1}, tiles{how.tiles}), halo_(reflect_init(u_)) {
        loop(grid_.face(0, 0), [x = u_.now(), y = u_.next()](auto i, auto j) { x(i, j) = y(i, j) = 1.0; });
    }

    void steps(int n) override {
        auto const jacobi = [](auto a, auto b) {
            return [=](auto i, auto j) { b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)); };
        };
        if (how_.tiles != 1) return halo_.march(n, grid_.inner(), jacobi, u_);
        for (int t = 0; t < n; ++t, u_.flip()) {
            if (how_.overlap) {
                halo_.overlap(grid_.inner(), jacobi(u_.now(), u_.next()));
            } else {
                halo_();
                loop(grid_.inner(), jacobi(u_.now(), u_.next()));
            }
        }
    }

    [[nodiscard]] std::string explain() const override { return halo_.explain(); }
    [[nodiscard]] std::uint64_t fingerprint() const override {
        std::uint64_t sum = 0;
        auto const u = u_.now();
        for (auto const& [i, j] : grid_.local())
            sum += mark(static_cast<std::uint64_t>(i * n_ + j), std::bit_cast<std::uint64_t>(u(i, j)));
        return sum;
    }

private:
    our_way how_;
    long n_;
    grid<2> grid_;
    buffered<double, 2> u_;
    reflection halo_;
};

class himeno final : public solver {
public:
    himeno(runtime& rt, problem_size size, our_way how)
        : how_(how), n_(size.n), grid_(rt, {size.layers, size.n, 2 * size.n}, {.nodes = nodes_for<3>(rt, how)}),
          p_(grid_, shadow{1}, tiles{how.tiles}), a_(grid_, {1.F, 1.F, 1.F, 1.F / 6}, layers(how), tiles{how.tiles}),
          b_(grid_, {}, layers(how), tiles{how.tiles}), c_(grid_, {1.F, 1.F, 1.F}, layers(how), tiles{how.tiles}),
          bnd_(grid_, layers(how), tiles{how.tiles}, 1.F), wrk_(grid_, layers(how), tiles{how.tiles}), halo_(plan()) {
        loop(grid_.all(), [last = size.layers - 1, x = p_.now(), y = p_.next()](auto i, auto j, auto k) {
            x(i, j, k) = y(i, j, k) = static_cast<float>(i * i) / static_cast<float>(last * last);
        });
    }

    void steps(int n) override {
        auto const scheme = [](auto p, auto q, auto a, auto b, auto c, auto m, auto w) {
            return [=](auto i, auto j, auto k) {
                float const s =
                    a(0, i, j, k) * p(i + 1, j, k) + a(1, i, j, k) * p(i, j + 1, k) + a(2, i, j, k) * p(i, j, k + 1) +
                    b(0, i, j, k) * (p(i + 1, j + 1, k) - p(i + 1, j - 1, k) - p(i - 1, j + 1, k) + p(i - 1, j - 1, k)) +
                    b(1, i, j, k) * (p(i, j + 1, k + 1) - p(i, j - 1, k + 1) - p(i, j + 1, k - 1) + p(i, j - 1, k - 1)) +
                    b(2, i, j, k) * (p(i + 1, j, k + 1) - p(i - 1, j, k + 1) - p(i + 1, j, k - 1) + p(i - 1, j, k - 1)) +
                    c(0, i, j, k) * p(i - 1, j, k) + c(1, i, j, k) * p(i, j - 1, k) + c(2, i, j, k) * p(i, j, k - 1) + w(i, j, k);
                float const d = (s * a(3, i, j, k) - p(i, j, k)) * m(i, j, k);
                q(i, j, k) = p(i, j, k) + 0.8F * d;
                return d * d;
            };
        };
        if (how_.tiles != 1) {
            gosa_ = halo_.march_reduce(n, grid_.inner(), 0.0, sum, scheme, p_, a_, b_, c_, bnd_, wrk_);
            return;
        }
        auto const jacobi = [&](auto p, auto q) { return scheme(p, q, *a_, *b_, *c_, *bnd_, *wrk_); };
        for (int t = 0; t < n; ++t, p_.flip()) {
            if (how_.overlap) {
                gosa_ = halo_.overlap_reduce(grid_.inner(), 0.0, sum, jacobi(p_.now(), p_.next()));
            } else {
                halo_();
                gosa_ = reduce(grid_.inner(), 0.0, sum, jacobi(p_.now(), p_.next()));
            }
        }
    }

    [[nodiscard]] std::string explain() const override { return halo_.explain(); }
    [[nodiscard]] std::uint64_t fingerprint() const override {
        std::uint64_t sum = 0;
        auto const p = p_.now();
        for (auto const& [i, j, k] : grid_.local())
            sum += mark(static_cast<std::uint64_t>((i * n_ + j) * 2 * n_ + k), std::bit_cast<std::uint32_t>(p(i, j, k)));
        return sum;
    }

private:
    // What is read at its own place only needs a halo where steps are computed twice: in the dimensions that ranks share.
    static shadow layers(our_way how) { return how.tiles == 1 ? shadow{} : shadow{{1, 1}, {1, 1}, {0, 0}}; }
    reflection plan() {
        reflect_options options;
        options.corners = true;
        return reflect_init(options, p_);
    }

    our_way how_;
    long n_;
    grid<3> grid_;
    buffered<float, 3> p_;
    bundle<float, 3, 4> a_;
    bundle<float, 3, 3> b_, c_;
    array<float, 3> bnd_, wrk_;
    reflection halo_;
    double gosa_ = 0;
};

} // namespace

std::unique_ptr<solver> our_laplace(runtime& rt, problem_size size, our_way how) {
    return std::make_unique<laplace>(rt, size, how);
}
std::unique_ptr<solver> our_himeno(runtime& rt, problem_size size, our_way how) {
    return std::make_unique<himeno>(rt, size, how);
}

} // namespace sode::internal::bench
