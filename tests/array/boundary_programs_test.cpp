// SPDX-License-Identifier: Apache-2.0
// Six small solvers with boundaries of every kind, each on several decompositions, against the same solver with plain loops over
// the whole array: the same bits.
#include "array/boundary_model.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace sode::internal::testing {
namespace {

constexpr std::array<index_t, max_dims> one_layer{1, 1, 1}, two_layers{2, 2, 2};
using kind = at_wall;

// All ways to put the ranks into two dimensions: whole rows, whole columns, and what the library likes.
std::vector<grid<2>> grids(index<2> const& extents) {
    auto& rt = ranks();
    std::vector<grid<2>> list;
    list.emplace_back(rt, extents);
    list.emplace_back(rt, extents, grid<2>::options{.nodes = {rt.size(), 1}});
    list.emplace_back(rt, extents, grid<2>::options{.nodes = {1, rt.size()}});
    if (rt.size() % 2 == 0) list.emplace_back(rt, extents, grid<2>::options{.nodes = {2, rt.size() / 2}});
    return list;
}

template <class V, class M> void expect_same(V const& got, M& wanted, auto const& owned, char const* program) {
    for (auto const& at : owned) {
        double const a = std::apply([&](auto... i) { return got(i...); }, at), b = wanted[at];
        if (std::memcmp(&a, &b, sizeof a) == 0) continue;
        ADD_FAILURE() << program << " on rank " << ranks().rank() << ": " << a << " and not " << b;
        return;
    }
}

double noise(index_t i, index_t j, index_t k = 0) {
    return static_cast<double>((i * 7 + j * 13 + k * 5) % 31) / 3;
}

// Diffusion with nine points in a box that lets nothing out: the program in which the result depended on the number of ranks.
TEST(boundary_programs, insulated_box) {
    auto const smooth = [](auto a, auto b) {
        return [=](auto i, auto j) {
            double s = 0;
            for (int p = -1; p <= 1; ++p)
                for (int q = -1; q <= 1; ++q) s += a(i + p, j + q);
            b(i, j) = s / 9;
        };
    };
    index<2> const n{40, 37};
    serial_model<double, 2> now{
        box_of<2>(n), one_layer, one_layer, {{{{{kind::mirror}, {kind::mirror}}}, {{{kind::mirror}, {kind::mirror}}}}}};
    now.set([](auto const& at) { return noise(at[0], at[1]); });
    auto next = now;
    for (int t = 0; t < 20; ++t, std::swap(now, next)) {
        now.fill_outside();
        auto const step = smooth([&](auto i, auto j) { return now(i, j); }, [&](auto i, auto j) -> double& { return next(i, j); });
        for (auto const& [i, j] : now.domain()) step(i, j);
    }
    for (auto& g : grids(n)) {
        buffered<double, 2> u{g, shadow{1}, 0.0, "u"};
        auto halo = reflect_init({.corners = true}, boundary(u, mirror));
        loop(g.all(), [a = u.now()](auto i, auto j) { a(i, j) = static_cast<double>((i * 7 + j * 13) % 31) / 3; });
        for (int t = 0; t < 20; ++t, u.flip()) halo.overlap(g.all(), smooth(u.now(), u.next()));
        expect_same(u.now(), now, u.owned(), "insulated box");
    }
}

// What flows into a duct on one side, with walls that hold it, and around in the third dimension.
TEST(boundary_programs, duct) {
    auto& rt = ranks();
    auto const drift = [](auto a, auto b) {
        return [=](auto i, auto j, auto k) {
            b(i, j, k) = a(i, j, k) - 0.2 * (a(i, j, k) - a(i - 1, j, k)) + 0.05 * (a(i + 1, j + 1, k) + a(i - 1, j - 1, k - 1)) -
                         0.1 * a(i, j - 1, k + 1) + 0.01 * a(i + 1, j + 1, k + 1);
        };
    };
    index<3> const n{18, 9, 11};
    serial_model<double, 3> now{box_of<3>(n),
                                one_layer,
                                one_layer,
                                {{{{{kind::constant, false, 1.5}, {kind::nearest}}},
                                  {{{kind::mirror, true}, {kind::mirror_at_point, true}}},
                                  {{{kind::periodic}, {kind::periodic}}}}}};
    now.set([](auto const& at) { return noise(at[0], at[1], at[2]); });
    auto next = now;
    for (int t = 0; t < 12; ++t, std::swap(now, next)) {
        now.fill_outside();
        auto const step = drift([&](auto i, auto j, auto k) { return now(i, j, k); },
                                [&](auto i, auto j, auto k) -> double& { return next(i, j, k); });
        for (auto const& [i, j, k] : now.domain()) step(i, j, k);
    }
    std::vector<grid<3>> ways;
    ways.emplace_back(rt, n);
    ways.emplace_back(rt, n, grid<3>::options{.nodes = {rt.size(), 1, 1}});
    if (rt.size() % 2 == 0) ways.emplace_back(rt, n, grid<3>::options{.nodes = {rt.size() / 2, 1, 2}});
    if (rt.size() % 4 == 0) ways.emplace_back(rt, n, grid<3>::options{.nodes = {rt.size() / 4, 2, 2}});
    for (auto& g : ways) {
        buffered<double, 3> c{g, shadow{1}, 0.0, "c"};
        auto halo = reflect_init({.corners = true}, boundary(c, {{constant(1.5), nearest}, {-mirror, -mirror_at_point}, periodic}));
        loop(g.all(),
             [a = c.now()](auto i, auto j, auto k) { a(i, j, k) = static_cast<double>((i * 7 + j * 13 + k * 5) % 31) / 3; });
        for (int t = 0; t < 12; ++t, c.flip()) {
            halo();
            loop(g.all(), drift(c.now(), c.next()));
        }
        expect_same(c.now(), now, c.owned(), "duct");
    }
}

// Waves on points of a grid, fourth order, between an open end and a closed one: two layers, one array in place.
TEST(boundary_programs, waves) {
    auto const push = [](auto p, auto v) {
        return [=](auto i, auto j) {
            auto const second = [](double a, double b, double c, double d, double e) {
                return (16 * (b + d) - a - e - 30 * c) / 12;
            };
            v(i, j) += 0.1 * (second(p(i - 2, j), p(i - 1, j), p(i, j), p(i + 1, j), p(i + 2, j)) +
                              second(p(i, j - 2), p(i, j - 1), p(i, j), p(i, j + 1), p(i, j + 2)));
        };
    };
    index<2> const n{56, 60};
    serial_model<double, 2> p{
        box_of<2>(n),
        two_layers,
        two_layers,
        {{{{{kind::mirror_at_point}, {kind::mirror_at_point, true}}}, {{{kind::mirror_at_point}, {kind::mirror_at_point}}}}}};
    auto v = p;
    p.set([](auto const& at) { return noise(at[0], at[1]); });
    v.set([](auto const&) { return 0.0; });
    for (int t = 0; t < 12; ++t) {
        p.fill_outside();
        auto const step = push([&](auto i, auto j) { return p(i, j); }, [&](auto i, auto j) -> double& { return v(i, j); });
        for (auto const& [i, j] : p.domain()) step(i, j);
        for (auto const& at : p.domain()) p[at] += 0.1 * v[at];
    }
    for (auto& g : grids(n)) {
        array<double, 2> a{g, shadow{2}, 0.0, "p"}, b{g, {}, 0.0, "v"};
        auto halo = reflect_init(boundary(a, {{mirror_at_point, -mirror_at_point}, mirror_at_point}));
        loop(g.all(), [a = *a](auto i, auto j) { a(i, j) = static_cast<double>((i * 7 + j * 13) % 31) / 3; });
        for (int t = 0; t < 12; ++t) {
            halo.overlap(g.all(), push(*a, *b));
            loop(g.all(), [a = *a, b = *b](auto i, auto j) { a(i, j) += 0.1 * b(i, j); });
        }
        expect_same(*a, p, a.owned(), "waves");
    }
}

// Walls whose temperature changes with time and place, between cells: what is outside follows from what is inside.
TEST(boundary_programs, walls_that_change) {
    auto const heat = [](auto a, auto b) {
        return [=](auto i, auto j) {
            b(i, j) = a(i, j) + 0.05 * (a(i - 2, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 2) - 4 * a(i, j));
        };
    };
    auto const wall = [](int t, int dim, index<2> const& at) {
        return dim == 0 ? 0.25 * t + static_cast<double>(at[1]) : 100.0 - static_cast<double>(at[0]);
    };
    index<2> const n{48, 40};
    serial_model<double, 2> now{box_of<2>(n), two_layers, two_layers, {}};
    now.set([](auto const& at) { return noise(at[0], at[1]); });
    auto next = now;
    for (int t = 0; t < 10; ++t, std::swap(now, next)) {
        for (index_t l = 0; l < 2; ++l) {
            for (index_t j = 0; j < n[1]; ++j) {
                now(-1 - l, j) = 2 * wall(t, 0, {-1 - l, j}) - now(l, j);
                now(n[0] + l, j) = 2 * wall(t, 0, {n[0] + l, j}) - now(n[0] - 1 - l, j);
            }
            for (index_t i = 0; i < n[0]; ++i) {
                now(i, -1 - l) = 2 * wall(t, 1, {i, -1 - l}) - now(i, l);
                now(i, n[1] + l) = 2 * wall(t, 1, {i, n[1] + l}) - now(i, n[1] - 1 - l);
            }
        }
        auto const step = heat([&](auto i, auto j) { return now(i, j); }, [&](auto i, auto j) -> double& { return next(i, j); });
        for (auto const& [i, j] : now.domain()) step(i, j);
    }
    for (auto& g : grids(n)) {
        buffered<double, 2> u{g, shadow{2}, 0.0, "u"};
        int t = 0;
        auto halo = reflect_init(
            boundary(u, computed([&](auto const& c) { return 2 * wall(t, c.dim(), c.at()) - c.inner(c.layer()); }, 2)));
        loop(g.all(), [a = u.now()](auto i, auto j) { a(i, j) = static_cast<double>((i * 7 + j * 13) % 31) / 3; });
        for (; t < 10; ++t, u.flip()) halo.overlap(g.all(), heat(u.now(), u.next()));
        expect_same(u.now(), now, u.owned(), "walls that change");
    }
}

// A fluid: two components of velocity that walls turn back in different ways, and a density, in one exchange.
TEST(boundary_programs, fluid) {
    auto const flow = [](auto rho, auto u, auto to) {
        return [=](auto i, auto j) {
            to(0, i, j) = u(0, i, j) - 0.1 * (rho(i + 2, j) - rho(i - 1, j)) + 0.05 * (u(1, i + 1, j + 1) - u(1, i - 1, j - 1));
            to(1, i, j) = u(1, i, j) - 0.1 * (rho(i, j + 1) - rho(i, j - 2)) + 0.05 * (u(0, i + 1, j - 1) - u(0, i - 1, j + 1));
        };
    };
    auto const press = [](auto rho, auto u) { return [=](auto i, auto j) { rho(i, j) -= 0.1 * (u(0, i, j) + u(1, i, j)); }; };
    index<2> const n{50, 45};
    side_model<double> const even{kind::mirror}, odd{kind::mirror, true}, flat{kind::nearest}, lid{kind::constant, false, 2.0};
    serial_model<double, 2> rho{box_of<2>(n), two_layers, two_layers, {{{{flat, flat}}, {{even, even}}}}};
    serial_model<double, 2> u0{box_of<2>(n), one_layer, one_layer, {{{{odd, odd}}, {{odd, lid}}}}},
        v0{box_of<2>(n), one_layer, one_layer, {{{{even, even}}, {{odd, odd}}}}};
    rho.set([](auto const& at) { return noise(at[0], at[1]); });
    u0.set([](auto const&) { return 0.25; });
    v0.set([](auto const&) { return 0.25; });
    auto u1 = u0, v1 = v0;
    for (int t = 0; t < 10; ++t, std::swap(u0, u1), std::swap(v0, v1)) {
        rho.fill_outside(), u0.fill_outside(), v0.fill_outside();
        auto const step =
            flow([&](auto i, auto j) { return rho(i, j); }, [&](int c, auto i, auto j) { return c == 0 ? u0(i, j) : v0(i, j); },
                 [&](int c, auto i, auto j) -> double& { return c == 0 ? u1(i, j) : v1(i, j); });
        for (auto const& [i, j] : rho.domain()) step(i, j);
        for (auto const& at : rho.domain()) rho[at] -= 0.1 * (u1[at] + v1[at]);
    }
    for (auto& g : grids(n)) {
        array<double, 2> r{g, shadow{2}, 0.0, "rho"};
        bundle<double, 2, 2> a{g, {0.25, 0.25}, shadow{1}, "a"}, b{g, {0.25, 0.25}, shadow{1}, "b"};
        auto const velocity = [](auto& w) {
            return boundary(w, {components(-mirror, mirror), {components(-mirror, -mirror), components(constant(2.0), -mirror)}});
        };
        auto from_a = reflect_init({.corners = true}, boundary(r, {nearest, mirror}), velocity(a));
        auto from_b = reflect_init({.corners = true}, boundary(r, {nearest, mirror}), velocity(b));
        loop(g.all(), [r = *r](auto i, auto j) { r(i, j) = static_cast<double>((i * 7 + j * 13) % 31) / 3; });
        for (int t = 0; t < 10; t += 2) {
            from_a.overlap(g.all(), flow(*r, *a, *b));
            loop(g.all(), press(*r, *b));
            from_b();
            loop(g.all(), flow(*r, *b, *a));
            loop(g.all(), press(*r, *a));
        }
        expect_same(*r, rho, r.owned(), "fluid");
    }
}

// Relaxation in place, every other element at a time, in an array and in memory of the program's own.
TEST(boundary_programs, relaxation_in_place) {
    auto const relax = [](auto a, int colour) {
        return [=](auto i, auto j) {
            if ((i + j) % 2 == colour) a(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
        };
    };
    index<2> const n{48, 35};
    serial_model<double, 2> now{
        box_of<2>(n),
        one_layer,
        one_layer,
        {{{{{kind::constant, false, 100.0}, {kind::nearest}}}, {{{kind::mirror_at_point}, {kind::mirror, true}}}}}};
    now.set([](auto const& at) { return noise(at[0], at[1]); });
    for (int t = 0; t < 16; ++t) {
        now.fill_outside();
        auto const step = relax([&](auto i, auto j) -> double& { return now(i, j); }, t % 2);
        for (auto const& [i, j] : now.domain()) step(i, j);
    }
    for (auto& g : grids(n)) {
        auto const conditions = [](auto& f) { return boundary(f, {{constant(100.0), nearest}, {mirror_at_point, -mirror}}); };
        array<double, 2> u{g, shadow{1}, 0.0, "u"};
        auto const local = g.local();
        index_t const row = local.extent(1) + 3;
        std::vector<double> memory(static_cast<std::size_t>((local.extent(0) + 2) * row));
        auto mine = attach(g, memory.data(), strides{row, 1}, shadow{1}, "mine");
        auto const place = [&](index_t i, index_t j) -> double& {
            return memory[static_cast<std::size_t>((i - local.lower[0] + 1) * row + j - local.lower[1] + 1)];
        };
        auto halo = reflect_init(conditions(u)), own = reflect_init(conditions(mine));
        loop(g.all(), [u = *u](auto i, auto j) { u(i, j) = static_cast<double>((i * 7 + j * 13) % 31) / 3; });
        for (auto const& [i, j] : local) place(i, j) = noise(i, j);
        for (int t = 0; t < 16; ++t) {
            halo.overlap(g.all(), relax(*u, t % 2));
            own();
            auto const step = relax(place, t % 2);
            for (auto const& [i, j] : local) step(i, j);
        }
        expect_same(*u, now, u.owned(), "relaxation");
        expect_same(place, now, local, "relaxation of own memory");
    }
}

} // namespace
} // namespace sode::internal::testing
