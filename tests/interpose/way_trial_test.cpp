// SPDX-License-Identifier: Apache-2.0
// Who carries a collective call that comes again, by recorded times of both.
#include "interpose/collective/way_trial.hpp"

#include "interpose/collective/result_bits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace sode::internal::interpose {
namespace {

using time_of = std::function<std::int64_t(carrier, std::size_t rank, int call)>;

struct ranks_on_trial {
    std::vector<way_trial> ranks;
    int call = 0, agreed = 0, counted = 0;
    std::int64_t total = 0;

    explicit ranks_on_trial(std::size_t n) : ranks(n) {}
    // As the ranks of a communicator would: the carriers, which must be one.
    carrier run(time_of const& time) {
        if (ranks.front().over()) {
            std::array<std::int64_t, 2> slowest{};
            for (auto& r : ranks) {
                EXPECT_TRUE(r.over());
                for (std::size_t i = 0; i < slowest.size(); ++i) slowest[i] = std::max(slowest[i], r.measured()[i]);
            }
            for (auto& r : ranks) r.decide(slowest);
            ++agreed;
        }
        auto const [who, counts] = ranks.front().next();
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            if (i > 0) {
                EXPECT_EQ(ranks[i].next().who, who);
            }
            auto const ns = time(who, i, call);
            if (counts) ranks[i].took(who, ns);
            if (i == 0) total += ns;
            if (i == 0) counted += counts ? 1 : 0;
        }
        ++call;
        return who;
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
        EXPECT_EQ(t.agreed, 2); // after half of the look as well
        for (int i = 0; i < 100; ++i)
            ASSERT_EQ(t.run([&](carrier c, std::size_t, int) { return c == faster ? 100 : 140; }), faster);
    }
}

TEST(WayTrial, HalfALookIsEnoughWhereItIsClear) {
    for (auto const faster : {carrier::plan, carrier::mpi}) {
        ranks_on_trial t{3};
        t.run(100, [&](carrier c, std::size_t r, int i) { return (c == faster ? 100 : 200) + noise(r, i); });
        EXPECT_EQ(t.agreed, 1);
        EXPECT_EQ(t.counted, 12);
        for (int i = 0; i < 20; ++i) ASSERT_EQ(t.run([&](carrier c, std::size_t, int) { return c == faster ? 100 : 200; }), faster);
    }
}

TEST(WayTrial, HalfALookIsNotClearWhereTimesVary) {
    ranks_on_trial t{2};
    // One rank is late in two of three calls of the first half.
    auto const time = [](carrier c, std::size_t r, int i) -> std::int64_t {
        bool const late = c == carrier::plan && r == 1 && i < 12 && i % 3 != 0;
        return (c == carrier::plan ? 100 : 120) + (late ? 400 : 0);
    };
    EXPECT_EQ(t.run(60, time), carrier::plan);
    EXPECT_EQ(t.counted, 24);
}

// What stays with MPI may be counted without asking for more.
TEST(WayTrial, CallsThatStayWithMpiAreCountedAlike) {
    ranks_on_trial slow{1}, quick{1};
    auto const time = [](carrier c, std::size_t, int) { return c == carrier::mpi ? 100 : 300; };
    for (int i = 0; i < 3000; ++i) {
        auto const who = slow.run(time);
        if (quick.ranks[0].stays_with_mpi())
            ASSERT_EQ(who, carrier::mpi) << i;
        else
            ASSERT_EQ(quick.run(time), who) << i;
    }
    EXPECT_EQ(slow.counted, quick.counted);
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

// A broadcast of 64 KiB between far cores of an AMD EPYC (family 23, model 1), us: the root of a plan leaves its data in a stage
// and goes on; who waits for them has them later than from MPI, which copies once. Between near ones the plan is ahead.
TEST(WayTrial, ARootThatIsDoneEarlyIsNoFastBroadcast) {
    auto const far = [](carrier c, std::size_t r, int i) {
        return (c == carrier::mpi ? 12'500 : r == 0 ? 6'000 : 16'400) + noise(r, i);
    };
    auto const near = [](carrier c, std::size_t r, int i) {
        return (c == carrier::mpi ? 9'000 : r == 0 ? 8'000 : 7'900) + noise(r, i);
    };
    ranks_on_trial t{2};
    EXPECT_EQ(t.run(60, far), carrier::mpi);
    ranks_on_trial u{2};
    EXPECT_EQ(u.run(60, near), carrier::plan);
    ranks_on_trial gather{3}; // who gives is done early, the root is what all wait for
    EXPECT_EQ(gather.run(60, [](carrier c, std::size_t r, int) { return c == carrier::mpi ? 10'000
                                                                        : r == 0          ? 14'000
                                                                                          : 2'000; }),
              carrier::mpi);
}

// In a stream each rank's time is what the whole takes for a call, so one that is held up there shows as well.
TEST(WayTrial, AStreamInOneDirectionIsSeen) {
    ranks_on_trial t{3};
    EXPECT_EQ(
        t.run(60, [](carrier c, std::size_t r, int) { return c == carrier::plan ? (r == 0 ? 60 : 250) : (r == 0 ? 60 : 130); }),
        carrier::mpi);
}

TEST(WayTrial, OfEqualOnesThePlanStays) {
    ranks_on_trial t{2};
    EXPECT_EQ(t.run(200, [](carrier c, std::size_t, int) { return c == carrier::plan ? 100 : 97; }), carrier::plan);
}

TEST(WayTrial, AnotherLookFindsThatItHasChanged) {
    ranks_on_trial t{2};
    auto const before = [](carrier c, std::size_t, int) { return c == carrier::plan ? 100 : 200; };
    auto const after = [](carrier c, std::size_t, int) { return c == carrier::plan ? 300 : 200; };
    EXPECT_EQ(t.run(140, before), carrier::plan);
    EXPECT_EQ(t.run(50, after), carrier::mpi);
}

// The last one as well.
TEST(WayTrial, AllCallsOfALookCount) {
    ranks_on_trial t{2};
    t.run(100, [](carrier, std::size_t, int) { return 100; });
    EXPECT_EQ(t.counted, 24);
}

// Calls of MPI_Alltoall and of MPI_Ialltoall, 64 KiB, of two near cores of an AMD EPYC (family 23, model 1): what plans took, from
// the first call on. They touch their memory for the first time. An MPI that needs 10 % more than a plan does later must not get
// them.
TEST(WayTrial, ColdCallsDoNotDecide) {
    std::vector<std::vector<std::int64_t>> const recorded{
        {18404, 8285, 15329, 11081, 8396, 10450, 9909, 9097, 25989, 8436, 8746, 10630}, // MPICH 4.0.2
        {49071, 36077, 13225, 10591, 7804, 23995, 7954, 8226, 8656, 9607, 7925, 21931}, // Open MPI 4.1.4, nonblocking
        {19026, 7985, 39244, 14006, 9307, 90300, 8265, 9077, 10269, 9388, 8787, 10219}, // Open MPI 4.1.4
        {25016, 14978, 9798, 9688, 7794, 8046, 8587, 7484, 7664, 8346, 7624, 8436}};    // MPICH 4.0.2, nonblocking
    std::int64_t const later[] = {8750, 8300, 9200, 7800};                              // what the same plan took from then on
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        ranks_on_trial t{2};
        std::size_t calls = 0;
        auto const time = [&](carrier c, std::size_t r, int) {
            if (c == carrier::mpi) return later[i] * 11 / 10;
            auto const n = r == 0 ? calls++ : calls - 1;
            return n < recorded[i].size() ? recorded[i][n] : later[i];
        };
        EXPECT_EQ(t.run(60, time), carrier::plan) << i;
    }
}

// And what a look has found wrong is looked at again soon.
TEST(WayTrial, ASecondLookComesSoon) {
    ranks_on_trial t{2};
    auto const time = [](carrier c, std::size_t, int call) { return c == carrier::mpi ? 100 : call < 40 ? 900 : 60; };
    EXPECT_EQ(t.run(100, time), carrier::mpi);
    EXPECT_EQ(t.run(100, time), carrier::plan);
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
