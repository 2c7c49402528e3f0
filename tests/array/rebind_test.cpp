// SPDX-License-Identifier: Apache-2.0
// An exchange that was planned for some arrays runs on others of the same shapes: in turn, forwards and in reverse, in memory that
// others load and in the program's own; what does not fit is refused, and nothing has changed then.
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

double value(index_t i, index_t j, int step, int which) {
    return static_cast<double>(10000 * which + 1000 * step + 30 * i + j);
}

template <class View> void fill(View v, grid<2> const& g, int step, int which) {
    loop(g.all(), [=](index_t i, index_t j) { v(i, j) = value(i, j, step, which); });
}

// Of a periodic array, with corners.
template <class View> void expect_halo(View v, grid<2> const& g, index<2> const& n, int step, int which) {
    auto const b = g.local();
    if (b.empty()) return;
    for (index_t i = b.lower[0] - 1; i <= b.upper[0]; ++i)
        for (index_t j = b.lower[1] - 1; j <= b.upper[1]; ++j)
            ASSERT_EQ(v(i, j), value((i + n[0]) % n[0], (j + n[1]) % n[1], step, which)) << i << ' ' << j;
}

TEST(Rebind, TakesTurns) {
    index<2> const n{17, 23};
    grid<2> const g{ranks(), n};
    for (char const* channel : {"", "pull", "stage", "reference"}) {
        array<double, 2> a{g, {1}, 0, "a"}, b{g, {1}, 0, "b"}, c{g, {1}, 0, "c"};
        array<double, 2>* const all[] = {&a, &b, &c};
        auto halo = reflect_init({.corners = true, .periodic = true, .channel = channel}, a);
        for (int step = 0; step < 9; ++step) {
            int const which = (step * step) % 3; // the same one twice, too
            halo.rebind(*all[which]);
            for (int again = 0; again < 2; ++again) {
                fill(**all[which], g, 2 * step + again, which);
                halo();
                expect_halo(**all[which], g, n, 2 * step + again, which);
                ranks().barrier(); // the block is written next
            }
        }
    }
}

TEST(Rebind, HoldsForReverseToo) {
    auto& rt = ranks();
    index_t const n = 6 * rt.size();
    grid<1> const g{rt, {n}};
    array<int, 1> a{g, {1}}, b{g, {1}};
    auto halo = reflect_init({.periodic = true}, a);
    for (int step = 0; step < 4; ++step) {
        auto& now = step % 2 == 0 ? a : b;
        halo.rebind(now);
        loop(g.all(), [v = *now, step](index_t i) { v(i) = static_cast<int>(i) + step; });
        halo();
        halo.reverse(sum);
        auto const own = now.owned();
        loop(g.all(), [v = *now, step, own](index_t i) {
            bool const ghosted = i == own.lower[0] || i == own.upper[0] - 1;
            EXPECT_EQ(v(i), (ghosted ? 2 : 1) * (static_cast<int>(i) + step));
        });
        rt.barrier();
    }
}

TEST(Rebind, OfTheProgramsOwnMemory) {
    index<2> const n{12, 9};
    grid<2> const g{ranks(), n};
    auto const own = g.local();
    auto const rows = own.empty() ? 0 : own.upper[0] - own.lower[0] + 2, row = own.empty() ? 0 : own.upper[1] - own.lower[1] + 2;
    std::vector<std::vector<double>> memory;
    auto halo = [&] {
        memory.emplace_back(static_cast<std::size_t>(rows * row));
        auto first = attach(g, memory.back().data(), strides{row, 1}, {1});
        return reflect_init({.corners = true, .periodic = true}, first);
    }();
    for (int step = 0; step < 5; ++step) {
        memory.emplace_back(static_cast<std::size_t>(rows * row));
        auto now = attach(g, memory.back().data(), strides{row, 1}, {1});
        halo.rebind(now);
        auto const v = [first = memory.back().data(), own, row](index_t i, index_t j) -> double& {
            return first[(i - own.lower[0] + 1) * row + j - own.lower[1] + 1];
        };
        fill(v, g, step, 1);
        halo();
        expect_halo(v, g, n, step, 1);
        ranks().barrier();
    }
}

TEST(Rebind, OfSeveralFieldsAndOfFullShadows) {
    auto& rt = ranks();
    grid<1> const g{rt, {29}};
    array<double, 1> whole_a{g, shadow{full}}, whole_b{g, shadow{full}};
    array<int, 1> edges_a{g, {1}}, edges_b{g, {1}};
    auto halo = reflect_init(whole_a, edges_a);
    for (int step = 0; step < 6; ++step) {
        auto& w = step % 2 == 0 ? whole_a : whole_b;
        auto& e = step / 2 % 2 == 0 ? edges_a : edges_b;
        halo.rebind(w, e);
        loop(g.all(), [v = *w, u = *e, step](index_t i) {
            v(i) = static_cast<double>(100 * step + i);
            u(i) = static_cast<int>(step * i);
        });
        halo();
        auto const own = e.owned();
        if (!own.empty()) {
            for (index_t i = 0; i < 29; ++i) ASSERT_EQ((*w)(i), static_cast<double>(100 * step + i));
            if (own.lower[0] > 0) {
                EXPECT_EQ((*e)(own.lower[0] - 1), step * (own.lower[0] - 1));
            }
        }
        rt.barrier();
    }
}

TEST(Rebind, RefusesWhatLiesOtherwise) {
    auto& rt = ranks();
    grid<1> const g{rt, {24}}, other{rt, {25}};
    array<double, 1> a{g, {1}, 0, "a"}, b{g, {1}, 0, "b"}, wide{g, {2}, 0, "wide"}, longer{other, {1}, 0, "longer"};
    array<float, 1> single{g, {1}, 0, "single"};
    buffered<double, 1> two{g, {1}, 0, "two"};
    auto halo = reflect_init({.periodic = true, .name = "h"}, a);
    EXPECT_THAT(message([&] { halo.rebind(wide); }),
                HasSubstr("h cannot be rebound to array \"wide\" (the exchange was planned for array \"a\""));
    EXPECT_THAT(message([&] { halo.rebind(longer); }), HasSubstr("which has another layout"));
    EXPECT_THAT(message([&] { halo.rebind(single); }), HasSubstr("which has another layout"));
    EXPECT_THAT(message([&] { halo.rebind(two); }), HasSubstr("call flip() instead of rebind()"));
    EXPECT_THAT(message([&] { halo.rebind(a, b); }), HasSubstr("h was given 2 arrays (the exchange was planned for 1)"));
    halo.start();
    EXPECT_THAT(message([&] { halo.rebind(b); }), HasSubstr("h was given other arrays too early"));
    halo.wait();
    // What was refused has changed nothing: what is planned now is of the array that it was.
    loop(g.all(), [v = *a, w = *b](index_t i) {
        v(i) = 1;
        w(i) = 100;
    });
    halo();
    halo.reverse(sum);
    index_t const length = a.owned().empty() ? 0 : a.owned().upper[0] - a.owned().lower[0];
    loop(g.all(), [v = *a, w = *b, own = a.owned(), length](index_t i) {
        int const ghosts = (i == own.lower[0] ? 1 : 0) + (i == own.upper[0] - 1 ? 1 : 0);
        EXPECT_EQ(v(i), length > 0 ? 1 + ghosts : 0);
        EXPECT_EQ(w(i), 100);
    });
    rt.barrier();
    halo.rebind(b);
    halo();
}

} // namespace
} // namespace sode::internal::testing
