// SPDX-License-Identifier: Apache-2.0
// Arrays of one rank, alone: memory, initial values, views, lifetime. What several ranks see is in the tests that run under
// `sode run`.
#include "array/lonely.hpp"

#include <sode/array.hpp>
#include <sode/buffered.hpp>
#include <sode/bundle.hpp>
#include <sode/grid.hpp>
#include <sode/loop.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace {

using namespace sode;

struct Array : testing::Test {
    runtime rt{std::make_unique<internal::testing::lonely>()};
};

TEST_F(Array, IsZeroedAndAddressedGlobally) {
    grid<2> const g{rt, {5, 7}};
    array<double, 2> u{g, shadow{{1, 2}, {0, 3}}};
    EXPECT_EQ(u.owned(), (box<2>{{0, 0}, {5, 7}}));
    EXPECT_EQ(u.allocated(), (box<2>{{-1, 0}, {7, 10}}));
    for (auto const& at : u.allocated()) EXPECT_EQ((*u)(at[0], at[1]), 0);
    loop(u.all(), [v = *u](auto i, auto j) { v(i, j) = static_cast<double>(10 * i + j); });
    auto const& shape = u.geometry();
    auto const* const base = reinterpret_cast<std::byte const*>(u.view().data_handle());
    for (auto const& at : u.owned()) {
        double value = 0;
        std::memcpy(&value, base + shape.offset(0, {at[0], at[1]}), sizeof value);
        EXPECT_EQ(value, static_cast<double>(10 * at[0] + at[1]));
    }
    EXPECT_EQ(u.rank_of({4, 6}), 0);
    EXPECT_THROW(static_cast<void>(u.rank_of({5, 0})), error);
}

TEST_F(Array, StartsWithItsInitialValue) {
    grid<1> const g{rt, {9}};
    array<float, 1> one{g, shadow{2}, 1.5f, "one"};
    for (auto const& at : one.allocated()) EXPECT_EQ((*one)(at[0]), 1.5f);
    EXPECT_EQ(one.geometry().name, "one");
    array<float, 1> const unnamed{g};
    EXPECT_THAT(unnamed.geometry().name, testing::HasSubstr("9"));
    static_assert(std::is_same_v<decltype(*unnamed), view<float const, 1>>);
}

TEST_F(Array, HoldsAnyPlainType) {
    struct cell {
        char tag;
        double weight[6];
        short level;
    };
    struct rgb {
        unsigned char r, g, b;
    };
    grid<2> const g{rt, {6, 4}};
    array<cell, 2> cells{g, shadow{1}, cell{'x', {1, 2, 3, 4, 5, 6}, -7}};
    array<rgb, 2> pixels{g, {}, rgb{1, 2, 3}};
    loop(g.all(), [c = *cells, p = *pixels](auto i, auto j) { c(i, j).level = static_cast<short>(p(i, j).b + j); });
    EXPECT_EQ((*cells)(5, 3).level, 6);
    EXPECT_EQ((*cells)(5, 3).weight[5], 6);
    EXPECT_EQ((*cells)(-1, -1).level, -7);
    EXPECT_EQ(pixels.geometry().strides(0)[0], 12);
}

TEST_F(Array, CanBeMovedUnderItsViews) {
    grid<1> const g{rt, {9}};
    array<int, 1> a{g, {}, 3};
    auto const v = *a;
    array<int, 1> b = std::move(a);
    v(4) = 5;
    EXPECT_EQ((*b)(4), 5);
}

TEST_F(Array, MemoryOutlivesItWhereAnExchangeHoldsOn) {
    grid<1> const g{rt, {9}};
    detail::halo_source kept;
    {
        array<int, 1> const a{g, shadow{1}, 3};
        kept = a.halo();
    }
    int value = 0;
    std::memcpy(&value, kept.memory[0].get() + kept.shape->offset(0, {8}), sizeof value);
    EXPECT_EQ(value, 3);
    EXPECT_EQ(kept.lower[0], 1);
}

TEST_F(Array, FollowsAnAlignment) {
    nodes<1> const p{rt, {any}};
    distribution<2> const t{p, {20, 30}, {block, none}};
    array<int, 3> a{align(t, {30, 4, 18}, {1, none, along(0) + 2})};
    EXPECT_EQ(a.owned(), (box<3>{{0, 0, 0}, {30, 4, 18}}));
    array<int, 2> const b{t, shadow{1}};
    EXPECT_EQ(b.allocated(), (box<2>{{-1, -1}, {21, 31}}));
}

TEST_F(Array, OfNothing) {
    array<int, 2> a{grid<2>{rt, {0, 5}}, shadow{1}, 7};
    EXPECT_TRUE(a.allocated().empty());
    EXPECT_EQ(a.view().data_handle(), nullptr);
    loop(a.all(), [v = *a](auto i, auto j) { v(i, j) = 1; });
}

TEST_F(Array, RefusesWhatCannotBe) {
    EXPECT_THROW((array<int, 2>{grid<2>{rt, {4, 4}}, shadow{1, 1, 1}}), error);
    EXPECT_THROW((array<double, 2>{grid<2>{rt, {index_t{1} << 40, index_t{1} << 40}}}), error);
    EXPECT_THROW((array<double, 2>{grid<2>{detail::place{0, 4}, {4, 4}}}), error);
}

TEST_F(Array, BufferedHalvesChangeRoles) {
    grid<1> const g{rt, {9}};
    buffered<int, 1> u{g, shadow{1}, 3, "u"};
    auto const before = u.next();
    EXPECT_EQ(u.now()(8), 3);
    EXPECT_EQ(before(9), 3);
    before(2) = 4;
    EXPECT_EQ(u.parity(), 0);
    u.flip();
    EXPECT_EQ(u.parity(), 1);
    EXPECT_EQ(u.now()(2), 4);
    EXPECT_EQ(u.next()(2), 3);
    auto const s = u.halo();
    EXPECT_EQ(*s.half, 1);
    auto const moved = std::move(u);
    EXPECT_EQ(moved.now()(2), 4);
    EXPECT_NE(s.memory[0], s.memory[1]);
}

TEST_F(Array, BundleComponentsAreArraysOfTheirOwn) {
    grid<2> const g{rt, {33, 64}};
    bundle<float, 2, 3> a{g, {1.f, 0.f, 2.f}, shadow{1}, "abc"};
    auto const v = *a;
    EXPECT_EQ(v.extent(0), 3);
    for (auto const& at : a.allocated()) {
        EXPECT_EQ(v(0, at[0], at[1]), 1);
        EXPECT_EQ(v(1, at[0], at[1]), 0);
        EXPECT_EQ(v(2, at[0], at[1]), 2);
    }
    EXPECT_EQ(v.stride(0) * 4, a.geometry().component_bytes(0));
    loop(g.all(), [v](auto i, auto j) { v(1, i, j) = v(2, i, j) + v(0, i, j); });
    EXPECT_EQ(v(1, 32, 63), 3);
    EXPECT_THROW(v.at(3, 0, 0), error);
    bundle<int, 1, 2> const zero{grid<1>{rt, {4}}};
    EXPECT_EQ(zero.view()(1, 3), 0);
}

} // namespace
