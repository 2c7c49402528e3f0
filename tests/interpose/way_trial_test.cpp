// SPDX-License-Identifier: Apache-2.0
// Who carries a collective call that comes again, by recorded times of both.
#include "interpose/collective/way_trial.hpp"

#include "interpose/collective/result_bits.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace sode::internal::interpose {
namespace {

using time_of = std::function<std::int64_t(carrier, std::size_t rank, int call)>;

struct ranks_on_trial {
    std::vector<way_trial> ranks;
    int call = 0, agreed = 0;
    std::int64_t total = 0;

    explicit ranks_on_trial(std::size_t n) : ranks(n) {}
    // As the ranks of a communicator would: the carriers, which must be one.
    carrier run(time_of const& time) {
        if (ranks.front().over()) {
            std::array<std::int64_t, 2> sums{};
            for (auto& r : ranks) {
                EXPECT_TRUE(r.over());
                sums[0] += r.measured()[0];
                sums[1] += r.measured()[1];
            }
            for (auto& r : ranks) r.decide(sums);
            ++agreed;
        }
        auto const looks = ranks.front().looks();
        auto const one = ranks.front().next();
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            if (i > 0) {
                EXPECT_EQ(ranks[i].next(), one);
            }
            auto const ns = time(one, i, call);
            if (looks) ranks[i].took(one, ns);
            if (i == 0) total += ns;
        }
        ++call;
        return one;
    }
    carrier run(int calls, time_of const& time) {
        auto last = carrier::plan;
        for (int i = 0; i < calls; ++i) last = run(time);
        return last;
    }
};

std::int64_t noise(std::size_t rank, int call) {
    auto x = (static_cast<std::uint64_t>(call) * 7919 + rank * 104729 + 12345) * 0x9E3779B97F4A7C15U;
    return static_cast<std::int64_t>(x >> 60); // 0 … 15
}

TEST(WayTrial, TheFasterOneStays) {
    for (auto const faster : {carrier::plan, carrier::mpi}) {
        ranks_on_trial t{3};
        t.run(25, [&](carrier c, std::size_t r, int i) { return (c == faster ? 100 : 140) + noise(r, i); });
        EXPECT_EQ(t.agreed, 1);
        for (int i = 0; i < 1000; ++i)
            ASSERT_EQ(t.run([&](carrier c, std::size_t, int) { return c == faster ? 100 : 140; }), faster);
    }
}

TEST(WayTrial, ALateRankAndAnInterruptDoNotDecide) {
    ranks_on_trial t{4};
    // Plans are faster; two were interrupted, and rank 2 waits in all calls for the others, which compute.
    auto const time = [](carrier c, std::size_t r, int i) -> std::int64_t {
        if (c == carrier::plan && (i == 1 || i == 7)) return 5'000'000;
        return (c == carrier::plan ? 300 : 500) + (r == 2 ? 1'000 : 0) + noise(r, i);
    };
    EXPECT_EQ(t.run(60, time), carrier::plan);
}

TEST(WayTrial, OfEqualOnesThePlanStays) {
    ranks_on_trial t{2};
    EXPECT_EQ(t.run(200, [](carrier c, std::size_t, int) { return c == carrier::plan ? 100 : 97; }), carrier::plan);
}

TEST(WayTrial, AnotherLookFindsThatItHasChanged) {
    ranks_on_trial t{2};
    auto const before = [](carrier c, std::size_t, int) { return c == carrier::plan ? 100 : 200; };
    auto const after = [](carrier c, std::size_t, int) { return c == carrier::plan ? 300 : 200; };
    EXPECT_EQ(t.run(1000, before), carrier::plan);
    EXPECT_EQ(t.run(200, after), carrier::mpi);
}

TEST(WayTrial, LooksCostLittle) {
    ranks_on_trial t{2};
    int const calls = 1'000'000;
    t.run(calls, [](carrier c, std::size_t, int) { return c == carrier::plan ? 100 : 1000; });
    EXPECT_LT(t.agreed, 12);
    EXPECT_LT(static_cast<double>(t.total), 1.01 * 100 * calls);
}

TEST(ResultBits, NoTimeDecidesWhereTheOrderOfRanksShows) {
    auto const call = [](planned_function what, reduction how, element of) {
        return repeated_call{what, -1, 64, combiner(how, of)};
    };
    using enum planned_function;
    for (auto const what : {reduce, allreduce, reduce_scatter_block, scan, exscan}) {
        EXPECT_TRUE(shows_who_carries(call(what, reduction::sum, element::f64), 3));
        EXPECT_FALSE(shows_who_carries(call(what, reduction::sum, element::f64), 2));
        EXPECT_FALSE(shows_who_carries(call(what, reduction::product, element::f32), 2));
        EXPECT_TRUE(shows_who_carries(call(what, reduction::product, element::c64), 2)); // four roundings
        EXPECT_TRUE(shows_who_carries(call(what, reduction::max, element::f64), 2));     // of 0 and -0, either
        EXPECT_TRUE(shows_who_carries(call(what, reduction::sum, element::f16), 2));
        EXPECT_FALSE(shows_who_carries(call(what, reduction::sum, element::i32), 8));
        EXPECT_FALSE(shows_who_carries(call(what, reduction::logical_and, element::boolean), 8));
    }
    for (auto const what : {barrier, bcast, gather, scatter, allgather, alltoall})
        EXPECT_FALSE(shows_who_carries({what, 0, 64}, 8));
}

} // namespace
} // namespace sode::internal::interpose
