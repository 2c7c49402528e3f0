// SPDX-License-Identifier: Apache-2.0
// What users may do with an exchange, and what they are told when they may not.
#include "model/job.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace sode::internal::testing {
namespace {

template <class F> void expect_usage_error(F f, std::vector<std::string> const& words) {
    try {
        f();
        ADD_FAILURE() << "no error";
    } catch (error const& e) {
        EXPECT_NE(e.kind(), error_kind::internal) << e.what();
        for (auto const& w : words) EXPECT_NE(std::string{e.what()}.find(w), std::string::npos) << w << " in: " << e.what();
    }
}

// Elements of several blocks, on both sides, as 26 elements over 6 nodes leave one to the last; none where the array ends.
TEST(reflect, halo_wider_than_a_block) {
    auto& rt = ranks();
    index_t const n = 5 * rt.size() - 4, width = 7;
    grid<1> g{rt, {n}};
    array<double, 1> u{g, shadow{width}, -1.0, "u"};
    auto const v = *u;
    for (auto const i : u.owned()) v(i[0]) = static_cast<double>(i[0]);
    auto halo = reflect_init(u);
    halo();
    for (index_t i = v.lower(0); i < v.upper(0); ++i)
        EXPECT_EQ(v(i), i < 0 || i >= n ? -1.0 : static_cast<double>(i)) << "rank " << rt.rank() << ", index " << i;
    if (rt.size() > 2 && rt.rank() == 0) {
        EXPECT_NE(halo.explain().find("+2"), std::string::npos) << halo.explain();
    }
}

// Once around is not enough.
TEST(reflect, periodic_halo_wider_than_the_array) {
    auto& rt = ranks();
    index_t const n = rt.size() + 1, width = 2 * n + 1;
    grid<1> g{rt, {n}};
    array<std::int64_t, 1> u{g, shadow{width}, -1, "u"};
    auto const v = *u;
    for (auto const i : u.owned()) v(i[0]) = 100 + i[0];
    auto halo = reflect_init({.periodic = true}, u);
    halo();
    for (index_t i = v.lower(0); i < v.upper(0); ++i)
        EXPECT_EQ(v(i), 100 + (i + 3 * n) % n) << "rank " << rt.rank() << ", index " << i;
}

TEST(reflect, halo_wider_than_a_block_that_meets_a_boundary_condition) {
    auto& rt = ranks();
    if (rt.size() == 1) GTEST_SKIP() << "one block has no neighbour";
    grid<1> g{rt, {2 * static_cast<index_t>(rt.size())}};
    array<double, 1> u{g, shadow{3}, 0.0, "u"};
    expect_usage_error([&] { auto h = reflect_init(boundary(u, constant(1.0))); },
                       {"\"u\"", "wider", "smallest block 2", "boundary conditions"});
}

TEST(reflect, halo_into_more_blocks_than_there_can_be) {
    grid<1> g{ranks(), {static_cast<index_t>(ranks().size())}};
    array<double, 1> u{g, shadow{128}, 0.0, "u"};
    expect_usage_error([&] { auto h = reflect_init({.periodic = true}, u); }, {"\"u\"", "128 blocks", "127 is the limit"});
}

TEST(reflect, more_layers_than_the_shadow_has) {
    grid<2> g{ranks(), {32, 32}};
    array<double, 2> u{g, shadow{1}, 0.0, "u"};
    expect_usage_error([&] { auto h = reflect_init(width(u, {2})); }, {"\"u\"", "shadow"});
}

TEST(reflect, shapes_that_differ_between_ranks) {
    auto& rt = ranks();
    if (rt.size() == 1) GTEST_SKIP() << "nobody to differ from";
    grid<2> g{rt, {64, rt.rank() == 0 ? 64 : 65}};
    array<double, 2> u{g, shadow{1}, 0.0, "u"};
    expect_usage_error([&] { auto h = reflect_init(u); }, {"differently", "\"u\""});
}

TEST(reflect, options_that_differ_between_ranks) {
    auto& rt = ranks();
    if (rt.size() == 1) GTEST_SKIP() << "nobody to differ from";
    grid<2> g{rt, {64, 64}};
    array<double, 2> u{g, shadow{1}, 0.0, "u"};
    expect_usage_error([&] { auto h = reflect_init({.corners = rt.rank() == 0}, u); }, {"differently"});
}

TEST(reflect, unknown_channel) {
    grid<2> g{ranks(), {64, 64}};
    array<double, 2> u{g, shadow{1}, 0.0, "u"};
    expect_usage_error([&] { auto h = reflect_init({.channel = "pigeon"}, u); }, {"pigeon", "pull"});
}

TEST(reflect, in_line_where_it_fits) {
    auto& rt = ranks();
    if (rt.size() == 1 || !rt.job().ranks->machines().one()) GTEST_SKIP() << "not every rank has somebody to send to by memory";
    grid<1> g{rt, {80}};
    array<double, 1> u{g, shadow{2}, 1.0, "u"};
    reflect_init({.channel = "inline"}, u)();
    array<double, 1> wide{g, shadow{7}, 1.0, "wide"};
    expect_usage_error([&] { auto h = reflect_init({.channel = "inline"}, wide); }, {"\"wide\"", "channel inline", "bytes"});
}

TEST(reflect, no_memory) {
    grid<1> g{ranks(), {index_t{1} << 46}};
    expect_usage_error([&] { array<double, 1> u(g, shadow{1}, 0.0, "u"); }, {"no room", "SODE_SEGMENT_SIZE"});
}

TEST(reflect, started_twice) {
    grid<2> g{ranks(), {64, 64}};
    array<double, 2> u{g, shadow{1}, 0.0, "u"};
    auto h = reflect_init(u);
    h.start();
    if (!h.test()) expect_usage_error([&] { h.start(); }, {"twice"});
    h.wait();
    h();
}

TEST(reflect, buffered_array_that_is_not_flipped) {
    grid<2> g{ranks(), {64, 64}};
    buffered<double, 2> u{g, shadow{1}, 0.0, "u"};
    auto h = reflect_init(u);
    h();
    expect_usage_error([&] { h(); }, {"flip()"});
    u.flip();
    h();
    auto careful = reflect_init({.credits = true}, u);
    for (int i = 0; i < 3; ++i) careful();
}

TEST(reflect, plans_come_and_go_and_move) {
    auto& rt = ranks();
    for (int i = 0; i < 50; ++i) {
        grid<2> g{rt, {40, 40}};
        array<float, 2> u{g, shadow{2}, static_cast<float>(i), "u"};
        auto h = reflect_init({.corners = true, .periodic = true}, u);
        auto moved = std::move(h);
        moved();
        moved.start(); // destroying a started exchange waits for it
    }
}

TEST(reflect, array_may_go_before_its_exchange) {
    grid<2> g{ranks(), {40, 40}};
    auto u = std::make_unique<array<double, 2>>(g, shadow{1}, 1.0, "u");
    auto h = reflect_init({.periodic = true}, *u);
    u.reset();
    h();
}

TEST(reflect, exchange_with_itself_only) {
    auto& rt = ranks();
    distribution<2> t{nodes<1>{rt, {any}}, {4 * static_cast<index_t>(rt.size()), 6}, {block, none}};
    array<int, 2> u{t, shadow{1}, 0, "u"};
    loop(u.all(), [v = *u](auto i, auto j) { v(i, j) = static_cast<int>(i * 10 + j); });
    reflect_init({.periodic = {false, true}}, u)();
    auto const v = *u;
    auto const mine = u.owned();
    for (index_t i = mine.lower[0]; i < mine.upper[0]; ++i) {
        EXPECT_EQ(v(i, -1), i * 10 + 5);
        EXPECT_EQ(v(i, 6), i * 10);
    }
}

TEST(reflect, overlap_is_exchange_and_loop) {
    auto& rt = ranks();
    grid<3> g{rt, {24, 20, 16}};
    buffered<double, 3> a{g, shadow{1}, 0.0, "a"}, b{g, shadow{1}, 0.0, "b"};
    auto const initial = [](auto v) {
        return [=](auto i, auto j, auto k) { v(i, j, k) = static_cast<double>((i * 31 + j * 17 + k * 7) % 101); };
    };
    loop(g.all(), initial(a.now()));
    loop(g.all(), initial(b.now()));
    auto ha = reflect_init({.corners = true}, a), hb = reflect_init({.corners = true}, b);
    auto const step = [](auto from, auto to) {
        return [=](auto i, auto j, auto k) {
            to(i, j, k) = 0.5 * from(i, j, k) +
                          0.125 * (from(i - 1, j + 1, k) + from(i + 1, j, k - 1) + from(i, j - 1, k + 1) + from(i + 1, j + 1, k));
        };
    };
    for (int t = 0; t < 10; ++t) {
        ha();
        loop(g.inner(), step(a.now(), a.next()));
        a.flip();
        hb.overlap(g.inner(), step(b.now(), b.next()));
        b.flip();
    }
    auto const difference =
        reduce(g.all(), 0.0, max, [x = a.now(), y = b.now()](auto i, auto j, auto k) { return std::abs(x(i, j, k) - y(i, j, k)); });
    EXPECT_EQ(difference, 0.0);
    double const total = reduce(g.inner(), 0.0, sum, [y = b.now()](auto i, auto j, auto k) { return y(i, j, k); });
    double const during = hb.overlap_reduce(g.inner(), 0.0, sum, [y = b.now()](auto i, auto j, auto k) { return y(i, j, k); });
    EXPECT_NEAR(during, total, 1e-9 * std::abs(total));
}

// Blocks of several slabs whose rows are cut: which of them are done before the halo is there depends on who is late.
TEST(reflect, overlap_gives_the_same_bits_whenever_the_halo_comes) {
    auto& rt = ranks();
    grid<2> g{rt, {900, 200}, {.nodes = {1, any}}};
    array<double, 2> u{g, shadow{1}}, alone{g}, overlapped{g};
    loop(g.all(), [u = *u](auto i, auto j) { u(i, j) = 1.0 / static_cast<double>(1 + (i * 31 + j * 17) % 101); });
    auto halo = reflect_init({.periodic = true}, u);
    auto const around = [u = *u](auto i, auto j) { return u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1); };
    halo();
    loop(g.all(), [=, v = *alone](auto i, auto j) { v(i, j) = around(i, j); });
    double const expected = halo.overlap_reduce(g.all(), 0.0, sum, around);
    EXPECT_NEAR(expected, reduce(g.all(), 0.0, sum, [v = *alone](auto i, auto j) { return v(i, j); }), 1e-9 * expected);
    for (int round = 0; round < 9; ++round) {
        auto const be_late = [&](int whom) {
            if ((round + rt.rank()) % 3 == whom) std::this_thread::sleep_for(std::chrono::milliseconds{2});
        };
        be_late(0);
        halo.overlap(g.all(), [=, v = *overlapped](auto i, auto j) { v(i, j) = around(i, j); });
        auto const differ = [a = *alone, b = *overlapped](auto i, auto j) { return a(i, j) == b(i, j) ? 0 : 1; };
        EXPECT_EQ(reduce(g.all(), 0, sum, differ), 0);
        be_late(1);
        EXPECT_EQ(halo.overlap_reduce(g.all(), 0.0, sum, around), expected);
    }
}

// Blocks of ceil(n / p) would leave less than the halo to the last rank.
TEST(reflect, halos_as_wide_as_the_smallest_block_of_a_grid_that_does_not_come_out_even) {
    auto& rt = ranks();
    index_t const n = 4 * static_cast<index_t>(rt.size()) + (rt.size() > 1 ? 1 : 0);
    grid<1> g{rt, {n}};
    EXPECT_GE(g.local().size(), 4);
    EXPECT_LE(g.local().size(), 5);
    array<index_t, 1> u{g, shadow{4}, -1, "u"};
    loop(g.all(), [u = *u](auto i) { u(i) = i; });
    reflect_init({.periodic = true}, u)();
    auto const wrong = [u = *u, n](auto i) {
        int bad = 0;
        for (int k = -4; k <= 4; ++k) bad += u(i + k) == (i + k + n) % n ? 0 : 1;
        return bad;
    };
    EXPECT_EQ(reduce(g.all(), 0, sum, wrong), 0);
}

TEST(reflect, a_bundle_that_is_buffered) {
    auto& rt = ranks();
    grid<2> g{rt, {24, 17}};
    buffered_bundle<double, 2, 3> q{g, {1.0, 2.0, 3.0}, shadow{1}, "q"};
    auto halo = reflect_init({.periodic = true}, q);
    auto const now = q.now();
    EXPECT_EQ(reduce(g.all(), 0.0, sum, [=](auto i, auto j) { return now(0, i, j) + now(1, i, j) + now(2, i, j); }), 6.0 * 24 * 17);
    loop(g.all(), [=](auto i, auto j) {
        for (int c = 0; c < 3; ++c) now(c, i, j) = static_cast<double>(c * 1000 + i * 17 + j);
    });
    // Each step shifts everything by one: 24 of them bring it back.
    for (int t = 0; t < 24; ++t, q.flip())
        halo.overlap(g.all(), [a = q.now(), b = q.next()](auto i, auto j) {
            for (int c = 0; c < 3; ++c) b(c, i, j) = a(c, i - 1, j);
        });
    EXPECT_EQ(q.parity(), 0);
    auto const wrong = [q = std::as_const(q).now()](auto i, auto j) {
        int bad = 0;
        for (int c = 0; c < 3; ++c) bad += q(c, i, j) == static_cast<double>(c * 1000 + i * 17 + j) ? 0 : 1;
        return bad;
    };
    EXPECT_EQ(reduce(g.all(), 0, sum, wrong), 0);
    auto const rows = collect(q, {{0, 0}, {2, 17}});
    if (rt.root()) {
        EXPECT_EQ(rows[34 + 3], 1003.0);
    }
}

TEST(reflect, explain_and_dump_tell_what_was_chosen) {
    auto& rt = ranks();
    grid<2> g{rt, {64, 64}, {.nodes = {any, 1}}};
    array<double, 2> u{g, shadow{1}, 0.0, "u"};
    auto h = reflect_init(u);
    auto const text = h.explain();
    auto forced = reflect_init({.channel = "stage"}, u);
    if (rt.size() > 1) {
        EXPECT_NE(text.find("1 x 512 B"), std::string::npos) << text;
        auto const shape = "\ngrid: " + std::to_string(rt.size()) + " x 1, dimension 0 is cut";
        EXPECT_NE(text.find(shape), std::string::npos) << text;
        bool const one_machine = rt.job().ranks->machines().one(); // with more, a rank's only neighbours may be elsewhere
        bool const by_memory = text.find("pull") != std::string::npos || text.find("stage") != std::string::npos;
        EXPECT_TRUE(by_memory || (!one_machine && text.find("mpi") != std::string::npos)) << text;
        if (one_machine) {
            EXPECT_NE(forced.explain().find("stage"), std::string::npos);
            EXPECT_NE(forced.explain().find("forced"), std::string::npos);
        }
    }
    EXPECT_NE(h.dump("json").find("descriptors"), std::string::npos);
    EXPECT_NE(h.dump("dot").find("digraph"), std::string::npos);
    expect_usage_error([&] { static_cast<void>(h.dump("pdf")); }, {"pdf", "json"});
}

} // namespace
} // namespace sode::internal::testing
