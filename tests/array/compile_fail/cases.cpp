// SPDX-License-Identifier: Apache-2.0
// One mistake per SODE_CASE; without one, the same code is right.
#include <sode/array.hpp>
#include <sode/attach.hpp>
#include <sode/bundle.hpp>
#include <sode/copy.hpp>
#include <sode/grid.hpp>
#include <sode/halo.hpp>
#include <sode/loop.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <tuple>

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
#elif SODE_CASE == 18
    sode::array<double, 2> const w{g, 1};
#elif SODE_CASE == 19
    sode::array<double, 2> w{g};
    std::swap(u, w);
#elif SODE_CASE == 20
    u = sode::array<double, 2>{g};
#elif SODE_CASE == 21
    static_cast<void>(sode::reduce(g.all(), 0.0, sode::sum, [w = *u](auto i, auto j) { w(i, j) = 1; }));
#elif SODE_CASE == 22
    static_cast<void>(sode::reduce(g.all(), 0.0, std::plus<>{}, [w = *u](auto i, auto j) { return w(i, j); }));
#elif SODE_CASE == 23
    auto const times = [](double a, double b) { return a * b; };
    static_cast<void>(sode::reduce(g.all(), 0.0, times, [w = *u](auto i, auto j) { return w(i, j); }));
#elif SODE_CASE == 24
    sode::loop(g.all(), [w = *u](auto i, auto j) { w(i) = static_cast<double>(j); });
#elif SODE_CASE == 25
    sode::reflect_init(u).overlap(g.all(), [](auto i) { static_cast<void>(i); });
#elif SODE_CASE == 26
    auto const one_each = [](auto, auto) { return std::tuple{1, 1, 1}; };
    static_cast<void>(sode::reduce(g.all(), std::tuple{0, 0, 0}, sode::operations{sode::sum, sode::max}, one_each));
#else
    // What is right, and has to be, in checked loops too.
    sode::loop(g.all(), [w = *u, n](auto i, auto j) {
        auto const k = std::clamp(i, sode::index_t{1}, n - 2);
        w(i, j) = static_cast<double>(std::max(i, sode::index_t{3}) + std::min(n, j) + std::max(sode::index_t{3}, k));
    });
    sode::loop(g.all(), [w = *u](int i, int j) { w(i, j) = 1; });
    sode::loop(g.all(), [w = *u](auto const& i, auto&& j) { w(i, j) = 1; });
    std::optional<sode::array<double, 2>> later;
    later.emplace(g);
    auto moved = std::move(*later);
    sode::reflect_init(sode::width(moved, 1), sode::width(u, {1, 1}))();
    static_cast<void>(sode::reduce(g.inner(2), 0, sode::sum, [](auto, auto) { return true; }));
    static_cast<void>(sode::reduce(g.inner({{0, 0}, {1, 2}}), 0.0F, sode::max, [](int i, int j) { return i + j; }));
    sode::reflect_init(u).reverse(sode::sum);
    sode::copy(sode::part(u, {{0, 1}, {0, n}}), sode::part(u, {{1, 2}, {0, n}}));
#endif
}

// As tutorials of other libraries begin. (`array` is both, and must say whose it is.)
namespace lazily {
using namespace sode;
using namespace std;

[[maybe_unused]] int program(runtime const& rt) {
    grid<1> const g{rt, {10}};
    sode::array<double, 1> u{g, shadow{1}};
    loop(g.all(), [u = *u](auto i) { u(i) = max(1, 2) + min(1.0, 2.0); });
    auto const s = reduce(g.all(), 0.0, sum, [u = *u](auto i) { return u(i); });
    return max(static_cast<int>(s), 3);
}
} // namespace lazily

} // namespace
