// SPDX-License-Identifier: Apache-2.0
// What users may attach, what they can do with it, and what they are told when it cannot be.
#include "model/job.hpp"
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

template <class F> void expect_usage_error(F f, std::vector<std::string> const& words) {
    try {
        f();
        ADD_FAILURE() << "no error";
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage) << e.what();
        for (auto const& w : words) EXPECT_THAT(e.what(), HasSubstr(w));
    }
}

// A block with its shadow, the first dimension contiguous, as Fortran and Kokkos' LayoutLeft have it. It knows its strides.
struct left_block {
    left_block(box<2> const& owned, index_t shadow_width)
        : lower{owned.lower[0] - shadow_width, owned.lower[1] - shadow_width},
          extents{owned.upper[0] - owned.lower[0] + 2 * shadow_width, owned.upper[1] - owned.lower[1] + 2 * shadow_width},
          memory(owned.empty() ? 0 : static_cast<std::size_t>(extents[0] * extents[1]), -1.0) {}

    static constexpr std::size_t rank() { return 2; }
    [[nodiscard]] double* data() const { return memory.empty() ? nullptr : const_cast<double*>(memory.data()); }
    [[nodiscard]] index_t extent(std::size_t d) const { return extents[d]; }
    [[nodiscard]] index_t stride(std::size_t d) const { return d == 0 ? 1 : extents[0]; }
    double& operator()(index_t i, index_t j) {
        return memory[static_cast<std::size_t>(i - lower[0] + (j - lower[1]) * extents[0])];
    }

    index<2> lower, extents;
    std::vector<double> memory;
};

static_assert(strided<left_block> && strided<view<double, 3>>);
static_assert(!strided<std::vector<double>> && !strided<double*>);

double value(index_t i, index_t j) {
    return static_cast<double>(100 * i + j);
}

TEST(attach, loops_and_exchanges_by_global_indices) {
    auto& rt = ranks();
    grid<2> g{rt, {24, 16}, {.nodes = {any, any}}};
    left_block u{g.local(), 1};
    auto mine = attach(g, u, shadow{1}, "u");
    EXPECT_EQ(mine.owned(), g.local());
    loop(mine.all(), [&](auto i, auto j) { u(i, j) = value(i, j); });
    auto halo = reflect_init(mine);
    halo.overlap(g.inner(), [&](auto i, auto j) {
        EXPECT_EQ(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1), 4 * value(i, j)) << i << ' ' << j;
    });
}

/// Unless the ranks of a machine have one address space.
TEST(attach, says_that_edges_are_staged_because_of_it) {
    auto& rt = ranks();
    if (rt.size() == 1 || !rt.job().ranks->machines().one()) GTEST_SKIP() << "no edges within a machine";
    grid<2> g{rt, {48, 48}};
    left_block u{g.local(), 1};
    auto mine = attach(g, u, shadow{1}, "u");
    array<double, 2> ours{g, shadow{1}, 0.0, "ours"};
    auto halo = reflect_init({.channel = "pull"}, mine);
    if (one_address_space(rt)) {
        EXPECT_THAT(halo.explain(), HasSubstr("pull"));
        EXPECT_THAT(halo.explain(), Not(HasSubstr("attached")));
    } else {
        EXPECT_THAT(halo.explain(), HasSubstr("stage"));
        EXPECT_THAT(halo.explain(), HasSubstr("forced, attached"));
        EXPECT_THAT(halo.explain(), Not(HasSubstr("pull")));
    }
    EXPECT_THAT(reflect_init(ours).explain(), Not(HasSubstr("attached")));
}

TEST(attach, is_copied_and_collected_as_arrays_are) {
    auto& rt = ranks();
    rt.job().settings.check.plan = true;
    nodes<1> p{rt, {any}};
    distribution<2> rows{p, {12, 20}, {block, none}};
    distribution<2> columns{p, {12, 20}, {none, cyclic(3)}};
    array<double, 2> ours{columns, {}, -1.0, "ours"};
    auto const owned = array<char, 2>{rows}.owned();
    left_block u{owned, 2};
    auto mine = attach(rows, u, shadow{2}, "u");
    for (char const* channel : {"", "pull", "stage-wide", "reference"}) {
        loop(mine.all(), [&](auto i, auto j) { u(i, j) = value(i, j); });
        auto there = copy_init(ours, mine, {.channel = channel});
        auto back = copy_init(mine, ours, {.channel = channel});
        there();
        loop(mine.all(), [&](auto i, auto j) { u(i, j) = 0; });
        back();
        loop(mine.all(), [&](auto i, auto j) { EXPECT_EQ(u(i, j), value(i, j)) << channel; });
    }
    auto const all = collect(mine, {{0, 0}, {12, 20}});
    for (std::size_t k = 0; k < all.size(); ++k)
        EXPECT_EQ(all[k], value(static_cast<index_t>(k) / 20, static_cast<index_t>(k) % 20));
    rt.job().settings.check.plan = false;
}

TEST(attach, adds_halos_to_their_owners_as_arrays_do) {
    auto& rt = ranks();
    rt.job().settings.check.plan = true;
    grid<2> g{rt, {24, 20}, {.nodes = {any, any}}};
    left_block u{g.local(), 2};
    auto mine = attach(g, u, shadow{2}, "u");
    array<double, 2> ours{g, shadow{2}, 0.0, "ours"};
    auto const v = *ours;
    for (auto const& [i, j] : mine.allocated())
        u(i, j) = v(i, j) = value(i + 3, j + 3); // halos differ from what they are copies of
    auto of_mine = reflect_init({.corners = true, .periodic = true}, mine);
    auto of_ours = reflect_init({.corners = true, .periodic = true}, ours);
    of_mine.reverse(sum);
    of_ours.reverse(sum);
    for (auto const& [i, j] : mine.owned()) EXPECT_EQ(u(i, j), v(i, j)) << i << ' ' << j;
    rt.job().settings.check.plan = false;
}

TEST(attach, has_full_shadows) {
    auto& rt = ranks();
    grid<1> g{rt, {30}};
    std::vector<int> u(60, -1); // everybody has room for everything, at every second place
    auto mine = attach(g, u.data(), strides{2}, shadow{full});
    loop(g.all(), [&](auto i) { u[static_cast<std::size_t>(2 * i)] = static_cast<int>(i); });
    auto halo = reflect_init(mine);
    halo();
    if (g.local().empty()) return;
    for (int i = 0; i < 60; ++i) EXPECT_EQ(u[static_cast<std::size_t>(i)], i % 2 == 0 ? i / 2 : -1);
}

TEST(attach, null_where_nothing_is_owned) {
    auto& rt = ranks();
    grid<1> g{rt, {3}};
    bool const owns = !g.local().empty();
    std::vector<double> u(owns ? static_cast<std::size_t>(g.local().size() + 2) : 0, 1.0);
    auto mine = attach(g, owns ? u.data() : nullptr, strides{1}, shadow{1});
    auto halo = reflect_init(mine);
    halo();
}

// Rank 0 makes the mistake; all ranks are told.
TEST(attach, null_for_a_block_with_elements) {
    auto& rt = ranks();
    grid<2> g{rt, {16, 16}};
    left_block u{g.local(), 1};
    auto* const first = rt.rank() == 0 ? nullptr : u.data();
    expect_usage_error(
        [&] {
            auto a = attach(g, first, strides{1, u.extent(0)}, shadow{1}, "u");
        },
        {"rank 0", "no memory", "\"u\"", "null"});
}

TEST(attach, elements_that_would_meet) {
    auto& rt = ranks();
    grid<2> g{rt, {16, 16}};
    left_block u{g.local(), 1};
    bool const wrong = rt.rank() == 0;
    auto const with = [&](index_t down, index_t along) {
        auto const by = wrong ? strides{down, along} : strides{1, u.extent(0)};
        return [&, by] { auto a = attach(g, u.data(), by, shadow{1}, "u"); };
    };
    auto const rows = u.extent(0);
    expect_usage_error(with(1, rows - 1), {"rank 0", "dimension 1", "smaller"});
    expect_usage_error(with(17, 1), {"rank 0", "dimension 0", "smaller"});
    expect_usage_error(with(0, rows), {"rank 0", "stride of 0"});
    expect_usage_error(with(1, -rows), {"rank 0", "stride of -"});
    expect_usage_error(with(1, index_t{1} << 60), {"rank 0", "2^56"});
}

TEST(attach, memory_without_room_for_the_shadow) {
    auto& rt = ranks();
    grid<2> g{rt, {16, 16}};
    left_block u{g.local(), rt.rank() == 0 ? 0 : 1};
    expect_usage_error([&] { auto a = attach(g, u, shadow{1}, "u"); }, {"rank 0", "\"u\"", "elements", "shadow"});
}

TEST(attach, shapes_that_differ_between_ranks) {
    auto& rt = ranks();
    if (rt.size() == 1) GTEST_SKIP() << "nobody to differ from";
    grid<2> g{rt, {16, rt.rank() == 1 ? 17 : 16}};
    std::vector<double> u(1000);
    expect_usage_error(
        [&] {
            auto a = attach(g, u.data(), strides{1, 30}, shadow{1}, "u");
        },
        {"ranks 0 and 1", "different arrays"});
}

TEST(attach, what_is_sent_is_not_written_meanwhile) {
    if (ranks().size() > 1) GTEST_SKIP() << "once is enough";
    run_threads(2, [](runtime& two) {
        two.job().watches = std::make_shared<detail::watch_list>();
        grid<1> g{two, {8}};
        std::vector<float> u(20);
        auto mine = attach(g, u.data(), strides{3}, shadow{1}, "u");
        auto halo = reflect_init(mine);
        halo.start();
        u[3] = u[12] = 1; // the first and the last that it owns
        expect_usage_error([&] { halo.wait(); }, {"\"u\"", "during an exchange of its halo"});
    });
}

// Ours and the program's give the same bits. The shadow has room for four steps.
TEST(attach, halves_of_the_program_march) {
    auto& rt = ranks();
    grid<2> g{rt, {40, 24}, {.nodes = {any, any}}};
    auto const rows = g.local().extent(0) + 8, pitch = g.local().extent(1) + 11;
    std::vector<double> u(static_cast<std::size_t>(rows * pitch), 0.5), v(u);
    auto both = attach_buffered(g, u.data(), v.data(), strides{pitch, 1}, shadow{4}, "both");
    buffered<double, 2> ours{g, shadow{1}, 0.5, "ours"};
    auto const fill = [&](auto const& to) { loop(g.all(), [=](auto i, auto j) { to(i, j) = value(i, j * j % 7); }); };
    fill(both.now()), fill(ours.now());
    auto const step = [](auto a, auto b) {
        return [=](auto i, auto j) { b(i, j) = 0.3 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) - a(i, j + 1)); };
    };
    auto of_both = reflect_init(width(both, 1)), of_ours = reflect_init(ours);
    rt.job().settings.tiles = 8; // more than there is room for, where ranks have neighbours
    of_both.march(33, g.inner(), step, both);
    rt.job().settings.tiles = 0;
    of_ours.march(33, g.inner(), step, ours);
    EXPECT_EQ(both.parity(), 1);
    EXPECT_EQ(both.next().data_handle(), g.local().empty() ? nullptr : u.data());
    auto const a = both.now(), b = ours.now();
    for (auto const& [i, j] : both.owned()) EXPECT_EQ(a(i, j), b(i, j)) << i << ' ' << j;
    EXPECT_THAT(of_both.explain(),
                HasSubstr(rt.size() == 1 ? "march of \"both\": 8 time steps per exchange" : "room for 4 time steps"));
}

// In one address space neighbours read the memory itself.
TEST(attach, halves_are_the_program_s_again_when_an_exchange_is_over) {
    auto& rt = ranks();
    if (rt.size() == 1) GTEST_SKIP() << "nobody reads";
    grid<1> g{rt, {rt.size() * 4}};
    for (int const late : {0, 1}) {
        std::vector<double> u(6), v(6);
        auto both = attach_buffered(g, u.data(), v.data(), strides{1}, shadow{1}, "both");
        loop(g.all(), [to = both.now()](auto i) { to(i) = static_cast<double>(i); });
        auto halo = reflect_init({.periodic = true, .channel = "pull"}, both);
        rt.barrier();
        if (rt.rank() != late) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        halo.start();
        if (rt.rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(40));
        halo.wait();
        EXPECT_EQ(u.front(), g.local().lower[0] == 0 ? static_cast<double>(rt.size() * 4 - 1) : u[1] - 1);
        std::ranges::fill(u, -1.0);
    }
}

TEST(attach, halves_that_cannot_be) {
    auto& rt = ranks();
    grid<2> g{rt, {16, 16}};
    auto const pitch = g.local().extent(1) + 2;
    std::vector<double> u(static_cast<std::size_t>((g.local().extent(0) + 2) * pitch * 2)), v(u.size());
    bool const wrong = rt.rank() == 0;
    expect_usage_error(
        [&] {
            auto a = attach_buffered(g, u.data(), wrong ? nullptr : v.data(), strides{pitch, 1}, shadow{1}, "u");
        },
        {"rank 0", "no memory", "\"u\""});
    expect_usage_error(
        [&] {
            auto a = attach_buffered(g, u.data(), wrong ? u.data() + pitch - 1 : v.data(), strides{pitch, 1}, shadow{1}, "u");
        },
        {"rank 0", "overlapping buffers", "\"u\""});
    expect_usage_error(
        [&] {
            auto const by = wrong ? strides{1, g.local().extent(0) + 2} : strides{pitch, 1};
            auto a = attach_buffered(g, u.data(), v.data(), by, shadow{1}, "u");
        },
        {"rank 0", "dimension 1", "must have stride 1"});
    auto rows_by_turns = attach_buffered(g, u.data(), u.data() + pitch, strides{2 * pitch, 1}, shadow{1}, "by turns");
    EXPECT_EQ(rows_by_turns.parity(), 0);
}

TEST(attach, a_span_must_hold_the_block_and_its_shadow) {
    auto& rt = ranks();
    grid<2> g{rt, {24, 20}, {.nodes = {any, any}}};
    auto const rows = g.local().extent(0) + 2, columns = g.local().extent(1) + 2;
    std::vector<double> u(static_cast<std::size_t>(rows * columns));
    auto mine = attach(g, std::span{u}, strides{columns, 1}, shadow{1}, "u");
    auto const first = g.local().lower;
    auto const at = [&](auto i, auto j) -> double& {
        return u[static_cast<std::size_t>((i - first[0] + 1) * columns + j - first[1] + 1)];
    };
    loop(mine.inner(2), [&](index_t i, index_t j) { at(i, j) = static_cast<double>(i * 20 + j); });
    reflect_init(mine)();
    auto const sides = [&](index_t i, index_t j) {
        return at(i - 1, j) + at(i + 1, j) == static_cast<double>(2 * (i * 20 + j)) ? 0 : 1;
    };
    EXPECT_EQ(reduce(g.inner(3), 0, sum, sides), 0);

    // One element short, on the last rank only: everybody is told.
    bool const last = rt.rank() == rt.size() - 1;
    auto const short_of_one = std::span{u}.first(u.size() - (last ? 1 : 0));
    EXPECT_THAT(message([&] {
                    static_cast<void>(attach(g, short_of_one, strides{columns, 1}, shadow{1}, "u"));
                }),
                HasSubstr("rank " + std::to_string(rt.size() - 1) + " attaches "));
    // By these strides the last row would begin behind the end.
    EXPECT_THAT(message([&] {
                    static_cast<void>(attach(g, std::span{u}, strides{columns + 1, 1}, shadow{1}, "u"));
                }),
                HasSubstr("and spans "));
}

} // namespace
} // namespace sode::internal::testing
