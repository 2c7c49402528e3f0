// SPDX-License-Identifier: Apache-2.0
// SODE_CHECK=halo: which reads of a halo are errors, and what the message names; what makes a halo fresh and stale.
#include <sode/accumulate.hpp>
#include <sode/error.hpp>
#include <sode/grid.hpp>
#include <sode/loop.hpp>
#include <sode/view.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace sode;
using detail::halo_watch;
using detail::refresh;
using testing::HasSubstr;

refresh layers(index_t lower, index_t upper, bool corners = false, bool periodic = false) {
    refresh r;
    r.corners = corners;
    for (std::size_t d = 0; d < max_dims; ++d) {
        r.lower[d] = lower;
        r.upper[d] = upper;
        r.periodic[d] = periodic;
    }
    return r;
}

// The middle one of 3 x 3 ranks over 12 x 12 elements, shadow 2: owns [4:8, 4:8), has [2:10, 2:10).
struct Watch : testing::Test {
    explicit Watch(int rank = 4) {
        shape.dims = 2;
        nodes<2> const p{detail::place{rank, 9}, {3, 3}};
        distribution<2> const t{p, {12, 12}, {block, block}};
        shape.axes = t.mapping().axes;
        shape.grid = t.mapping().grid;
        shape.element_bytes = sizeof(double);
        shape.name = "u";
        for (auto& a : shape.axes) a.shadow_lower = a.shadow_upper = 2;
        memory.resize(8 * 8);
        watch = std::make_shared<halo_watch>(shape, rank, reinterpret_cast<std::byte*>(memory.data()), detail::code_of<double>());
        list.add(watch);
        auto const part = shape.allocated(rank);
        u = view<double, 2>{memory.data(), {part[0].lower, part[1].lower}, {8, 8}, {8, 1}, watch.get()};
        owned = t.owned();
    }
    void exchange(refresh const& r) {
        watch->begin_exchange(r);
        watch->end_exchange();
    }
    // Reads u(i + di, j + dj) for all owned (i, j), in a checked loop.
    std::string read(index_t di, index_t dj, double* sum = nullptr) {
        try {
            auto const r = detail::accumulate(domain<2>{owned, owned, &list}, owned, 0.0, std::plus<>{},
                                              [u = u, di, dj](auto i, auto j) { return u(i + di, j + dj); });
            if (sum) *sum = r;
        } catch (error const& e) {
            EXPECT_EQ(e.kind(), error_kind::usage);
            return e.what();
        }
        return "fine";
    }

    geometry shape;
    std::vector<double> memory;
    std::shared_ptr<halo_watch> watch;
    detail::watch_list list;
    view<double, 2> u;
    box<2> owned;
};
struct CornerWatch : Watch {
    CornerWatch() : Watch(0) {}
};

TEST_F(Watch, OwnElementsMayAlwaysBeRead) {
    for (auto& x : memory) x = 1;
    double sum = 0;
    EXPECT_EQ(read(0, 0, &sum), "fine");
    EXPECT_EQ(sum, 16);
}

TEST_F(Watch, NamesArrayIndexAndTheMissingExchange) {
    auto const text = read(-1, 0);
    EXPECT_THAT(text, HasSubstr("halo element (3, 4) of array \"u\" is stale on rank 4"));
    EXPECT_THAT(text, HasSubstr("never been exchanged"));
    EXPECT_THAT(text, HasSubstr("reflect_init"));
}

TEST_F(Watch, AnExchangeFreshensAndAWriteMakesStale) {
    exchange(layers(2, 2));
    EXPECT_EQ(read(-1, 0), "fine");
    EXPECT_EQ(read(2, 0), "fine");
    EXPECT_EQ(read(0, -2), "fine");
    loop(domain<2>{owned, owned, &list}, [u = u](auto i, auto j) { u(i, j) = 3; });
    EXPECT_THAT(read(0, 1), HasSubstr("written since its last exchange"));
    EXPECT_THAT(read(0, 1), HasSubstr("written since")) << "once stale, stale";
    exchange(layers(2, 2));
    EXPECT_EQ(read(0, 1), "fine");
}

TEST_F(Watch, OnlyWhatNeighboursCopyCounts) {
    exchange(layers(1, 1));
    u(5, 5) = u(6, 6) = 9; // inside
    EXPECT_EQ(read(1, 0), "fine");
    u(3, 5) = 9; // own halo
    EXPECT_EQ(read(1, 0), "fine");
    u(7, 5) = 9; // the rim
    EXPECT_THAT(read(1, 0), HasSubstr("written since"));
}

TEST_F(Watch, WidthsAndCorners) {
    exchange(layers(1, 2));
    EXPECT_EQ(read(2, 0), "fine");
    EXPECT_THAT(read(-2, 0), HasSubstr("fewer layers"));
    EXPECT_THAT(read(1, 1), HasSubstr("omitted corners"));
    exchange(layers(2, 2, true));
    EXPECT_EQ(read(-2, 2), "fine");
    exchange(layers(1, 1));
    EXPECT_EQ(read(-2, 2), "fine") << "a narrower exchange of unchanged data takes nothing away";
    u(4, 4) = 1;
    exchange(layers(1, 1));
    EXPECT_THAT(read(-2, 0), HasSubstr("fewer layers"));
}

TEST_F(Watch, ForeignElements) {
    exchange(layers(2, 2));
    EXPECT_THAT(
        read(3, 0),
        HasSubstr(
            "element (10, 4) of array \"u\" is not on rank 4 (the owner is rank 7; rank 4 has [2:10, 2:10) with its shadow)"));
    EXPECT_THAT(read(90, 0), HasSubstr("the element does not exist"));
}

TEST_F(Watch, TheHaloBelongsToTheExchangeInFlight) {
    watch->begin_exchange(layers(1, 1));
    EXPECT_EQ(read(0, 0), "fine");
    EXPECT_THAT(read(1, 0), HasSubstr("in progress"));
    u(5, 5) = 8;
    watch->end_exchange();
    watch->begin_exchange(layers(1, 1));
    u(4, 5) = 8;
    EXPECT_THROW(watch->end_exchange(), error) << "a neighbour was reading that";
    EXPECT_THAT(read(1, 0), HasSubstr("written since"));
}

TEST_F(CornerWatch, OutsideTheArrayIsTheProgramsToFill) {
    auto const unfilled =
        HasSubstr("element (-1, 0) of array \"u\" was read on rank 0, but was never filled (the element is outside the array");
    EXPECT_THAT(read(-1, 0), unfilled);
    EXPECT_THROW(watch->require(std::array<index_t, 2>{-1, 5}), error) << "beside a neighbour, but outside";
    // To write it is no mistake, whatever is written.
    loop(domain<2>{{{0, 0}, {1, 4}}, owned, &list}, [u = u](auto i, auto j) { u(i - 1, j) = 0; });
    EXPECT_EQ(read(-1, 0), "fine");
    EXPECT_THAT(read(-2, 0), HasSubstr("never filled"));
    for (index_t j = 0; j < 4; ++j) u(-2, j) = 7; // not seen, but it shows
    EXPECT_EQ(read(-2, 0), "fine");
    EXPECT_THAT(read(1, 0), HasSubstr("never been"));
    exchange(layers(2, 2, false, true));
    EXPECT_EQ(read(-1, 0), "fine");
    EXPECT_EQ(read(0, -1), "fine") << "periodic";
    u(0, 2) = 4; // pulled by the periodic neighbour only
    EXPECT_THAT(read(-1, 0), HasSubstr("written since"));
}

TEST_F(CornerWatch, AnExchangeThatFillsASideIsOneThatBringsIt) {
    auto with_wall = layers(1, 1);
    with_wall.fills_lower[0] = true;
    EXPECT_THAT(read(-1, 0), HasSubstr("never filled"));
    exchange(with_wall);
    EXPECT_EQ(read(-1, 0), "fine");
    EXPECT_THAT(read(-2, 0), HasSubstr("fetched fewer layers"));
    EXPECT_THAT(read(0, -1), HasSubstr("never filled")) << "the other wall";
}

TEST_F(CornerWatch, WhatIsAddedToWasRead) {
    domain<2> const edge{{{0, 0}, {1, 4}}, owned, &list};
    EXPECT_THROW(loop(edge, [u = u](auto i, auto j) { u(i - 1, j) += 3; }), error);
    EXPECT_EQ(u(-1, 0), 0) << "and has not been changed";
    loop(edge, [u = u](auto i, auto j) { u(i - 1, j) = 1; });
    EXPECT_NO_THROW(loop(edge, [u = u](auto i, auto j) { u(i - 1, j) += 3; }));
    EXPECT_EQ(u(-1, 2), 4);
    view<double const, 2> const reads = u;
    EXPECT_THROW(loop(edge, [reads, &to = memory](auto i, auto j) { to[0] = reads(i, j - 2); }), error);
}

TEST_F(CornerWatch, OuterRimsWithoutNeighbourDoNotCount) {
    exchange(layers(1, 1));
    u(0, 0) = u(0, 2) = u(2, 0) = 4;
    EXPECT_EQ(read(1, 0), "fine");
    u(0, 3) = 4;
    EXPECT_THAT(read(1, 0), HasSubstr("written since"));
}

TEST_F(Watch, UncheckedLoopsDoNotLook) {
    double sum = 0;
    loop(domain<2>{owned, owned}, [u = u](auto i, auto j) { u(i, j) = u(i - 1, j); });
    testing::internal::CaptureStderr();
    for (int twice = 0; twice < 2; ++twice)
        loop(domain<2>{owned, owned, &list}, [u = u, &sum](index_t i, index_t j) { sum += u(i - 1, j); });
    auto const said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(said.find("not generic"), said.rfind("not generic"));
    EXPECT_THAT(said, HasSubstr("not generic"));
}

TEST(BundleWatch, TakesTheComponentFirst) {
    geometry shape;
    nodes<1> const p{detail::place{0, 2}, {2}};
    distribution<1> const t{p, {6}, {block}};
    shape.dims = 1;
    shape.axes = t.mapping().axes;
    shape.grid = t.mapping().grid;
    shape.element_bytes = sizeof(int);
    shape.components = 2;
    shape.name = "ab";
    shape.axes[0].shadow_upper = 1;
    std::vector<int> memory(8);
    halo_watch watch{shape, 0, reinterpret_cast<std::byte*>(memory.data())};
    EXPECT_NO_THROW(watch.require(std::array<index_t, 2>{1, 2}));
    EXPECT_THROW(watch.require(std::array<index_t, 2>{2, 2}), error);
    EXPECT_THROW(watch.require(std::array<index_t, 2>{0, 3}), error);
    watch.begin_exchange(layers(1, 1));
    watch.end_exchange();
    EXPECT_NO_THROW(watch.require(std::array<index_t, 2>{0, 3}));
    memory[4 + 2] = 1; // the second component's rim
    watch.look();
    EXPECT_THROW(watch.require(std::array<index_t, 2>{0, 3}), error);
}

// What a watch says of one element.
std::string verdict(halo_watch& watch, std::array<index_t, 2> const& at) {
    try {
        watch.require(at);
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage);
        return e.what();
    }
    return "fine";
}
geometry watched_shape(detail::mapping const& m) {
    geometry g;
    g.dims = m.dims;
    g.axes = m.axes;
    g.grid = m.grid;
    g.element_bytes = sizeof(double);
    g.name = "u";
    return g;
}

// Rank 4 of 3 x 3 owns rows [4:8), with a halo, and of every 6 columns the third and fourth.
TEST(CyclicWatch, KnowsWhichElementsAreDealtToWhom) {
    nodes<2> const p{detail::place{4, 9}, {3, 3}};
    auto shape = watched_shape(distribution<2>{p, {12, 12}, {block, cyclic(2)}}.mapping());
    shape.axes[0].shadow_lower = shape.axes[0].shadow_upper = 1;
    std::vector<double> memory(static_cast<std::size_t>(shape.bytes(4)) / sizeof(double));
    halo_watch watch{shape, 4, reinterpret_cast<std::byte*>(memory.data())};
    for (index_t const j : {2, 3, 8, 9}) EXPECT_EQ(verdict(watch, {5, j}), "fine");
    EXPECT_THAT(
        verdict(watch, {5, 4}),
        HasSubstr("element (5, 4) of array \"u\" is not on rank 4 (the owner is rank 5; rank 4 has [3:9, 4 in chunks of 2)"));
    EXPECT_THAT(verdict(watch, {5, 12}), HasSubstr("the element does not exist"));
    EXPECT_THAT(verdict(watch, {3, 8}), HasSubstr("never been exchanged"));
    watch.begin_exchange({.lower = {1}, .upper = {1}});
    watch.end_exchange();
    EXPECT_EQ(verdict(watch, {3, 8}), "fine");
    EXPECT_EQ(verdict(watch, {8, 2}), "fine");
    memory[static_cast<std::size_t>(shape.offset(4, shape.places({4, 3}))) / sizeof(double)] = 1;
    watch.look();
    EXPECT_THAT(verdict(watch, {3, 8}), HasSubstr("written since its last exchange"));
}

// Rows have a halo, columns a full shadow.
TEST(FullWatch, KnowsWhatAnExchangeHasBrought) {
    nodes<2> const p{detail::place{4, 9}, {3, 3}};
    auto shape = watched_shape(distribution<2>{p, {12, 12}, {block, block}}.mapping());
    shape.axes[0].shadow_lower = shape.axes[0].shadow_upper = 1;
    shape.axes[1].full = true;
    std::vector<double> memory(static_cast<std::size_t>(shape.bytes(4)) / sizeof(double));
    halo_watch watch{shape, 4, reinterpret_cast<std::byte*>(memory.data())};
    EXPECT_THAT(verdict(watch, {5, 0}), HasSubstr("never been exchanged"));
    watch.begin_exchange({.lower = {1, 12}, .upper = {1, 12}, .full = {false, true}});
    watch.end_exchange();
    for (index_t const j : {0, 4, 11}) EXPECT_EQ(verdict(watch, {5, j}), "fine");
    EXPECT_EQ(verdict(watch, {3, 5}), "fine");
    EXPECT_THAT(verdict(watch, {3, 0}), HasSubstr("in the halo of one dimension and in the full shadow of another"));
    // Anything this rank owns is in somebody's copy, not only the outermost layers.
    memory[static_cast<std::size_t>(shape.offset(4, {6, 6})) / sizeof(double)] = 1;
    watch.look();
    EXPECT_THAT(verdict(watch, {5, 0}), HasSubstr("written since its last exchange"));
    watch.begin_exchange({.lower = {1}, .upper = {1}});
    watch.end_exchange();
    EXPECT_THAT(verdict(watch, {5, 0}), HasSubstr("fetched fewer layers"));
}

TEST(WatchList, ForgetsArraysThatAreGone) {
    detail::watch_list list;
    geometry shape;
    nodes<1> const p{detail::place{0, 1}, {1}};
    shape.dims = 1;
    shape.axes = distribution<1>{p, {6}, {block}}.mapping().axes;
    shape.grid = p.grid();
    shape.element_bytes = 1;
    auto watch = std::make_shared<halo_watch>(shape, 0, nullptr);
    list.add(watch);
    list.begin_loop();
    watch.reset();
    EXPECT_NO_THROW(list.begin_loop());
}

} // namespace
