// SPDX-License-Identifier: Apache-2.0
// One mistake per SODE_CASE; without one, the same code is right.
#include <sode/array.hpp>
#include <sode/attach.hpp>
#include <sode/bundle.hpp>
#include <sode/copy.hpp>
#include <sode/grid.hpp>
#include <sode/halo.hpp>
#include <sode/loop.hpp>

#include <string>

#ifndef SODE_CASE
#define SODE_CASE 0
#endif

namespace {

template <int Case, class Right, class Wrong> using pick = std::conditional_t<SODE_CASE == Case, Wrong, Right>;

[[maybe_unused]] void program(sode::runtime const& rt, sode::index_t n) {
    sode::grid<2> const g{rt, {n, n}};
    sode::array<pick<1, double, std::string>, 2> u{g, sode::shadow{1}};

    pick<2, sode::view<double, 2>, sode::view<double const, 2>> const v{nullptr, {0, 0}, {0, 0}};
    v(0, 0) = 1;

#if SODE_CASE == 3
    v(0) = 1;
#elif SODE_CASE == 4
    v(0, 0.5) = 1;
#elif SODE_CASE == 5
    sode::view<double, 2> const w = sode::view<double const, 2>{};
#elif SODE_CASE == 6
    sode::grid<8> const wide{rt, {n, n, n, n, n, n, n, n}};
#elif SODE_CASE == 7
    auto copy = u;
#elif SODE_CASE == 8
    sode::array<double, 3> const z{g};
#elif SODE_CASE == 9
    sode::bundle<double, 2, 0> const none{g};
#elif SODE_CASE == 10
    sode::loop(g.all(), [](auto i) { static_cast<void>(i); });
#elif SODE_CASE == 11
    sode::grid<2> const g3{rt, {n, n, n}};
#elif SODE_CASE == 12
    sode::array<double, 2> const fixed{g};
    sode::copy(fixed, u);
#elif SODE_CASE == 13
    sode::array<float, 2> narrow{g};
    sode::copy(narrow, u);
#elif SODE_CASE == 14
    sode::copy(sode::part(u, {{0, 1}}), sode::part(u, {{1, 2}}));
#elif SODE_CASE == 15
    sode::reflect_init(u).reverse([](double a, double b) { return a - b; });
#elif SODE_CASE == 16
    double const fixed[9]{};
    auto const a = sode::attach(g, fixed, sode::strides{3, 1});
#elif SODE_CASE == 17
    double own[9]{};
    auto const a = sode::attach(g, own, sode::strides{9, 3, 1});
#else
    sode::reflect_init(u).reverse(sode::sum);
    sode::copy(sode::part(u, {{0, 1}, {0, n}}), sode::part(u, {{1, 2}, {0, n}}));
#endif
}

} // namespace
