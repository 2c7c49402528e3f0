// SPDX-License-Identifier: Apache-2.0
// Who carries blocking collectives that a program calls in a row, where one rank may run ahead.
#include "interpose/collective/blocking_trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace sode::internal::interpose {
namespace {

/// What a call takes, as the n-th in a row of the same carrier.
using time_of = std::function<std::int64_t(carrier, int n)>;

struct program {
    std::vector<blocking_trial> ranks;
    std::int64_t now = 1, between = 0; // ns; what it does between calls
    int in_row = 0, agreed = 0, quickly = 0;
    carrier last = carrier::plan;

    explicit program(planned_function what) : ranks(2, blocking_trial{what}) {}
    carrier call(time_of const& time) {
        auto const clock = [this] { return now; };
        bool const quick = ranks[0].stays_with_mpi();
        EXPECT_EQ(ranks[1].stays_with_mpi(), quick);
        quickly += quick ? 1 : 0;
        way_trial::turn turn{carrier::mpi, false};
        if (!quick) {
            if (ranks[0].over()) {
                blocking_trial::measures most{};
                for (auto& r : ranks) {
                    auto const one = r.measured(clock);
                    for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], one[i]);
                }
                for (auto& r : ranks) r.decide(most);
                ++agreed;
            }
            turn = ranks[0].next(clock);
            EXPECT_EQ(ranks[1].next(clock).who, turn.who);
        }
        in_row = turn.who == last ? in_row + 1 : 0;
        last = turn.who;
        auto const since = now;
        now += time(turn.who, in_row);
        if (turn.counts)
            for (auto& r : ranks) r.took(turn.who, since, now);
        now += between;
        return turn.who;
    }
    carrier call(int times, time_of const& time) {
        for (int i = 0; i < times; ++i) static_cast<void>(call(time));
        return last;
    }
};

// An MPI_Reduce of 8 bytes, Open MPI 4.1.4, near cores of an AMD EPYC (family 26, model 2): turns see 80 ns of both, rows see less,
// as nobody waits any more for what was sent long ago.
std::int64_t recorded(carrier who, int n) {
    return who == carrier::plan ? (n < 6 ? 80 : 111) : (n < 6 ? 80 : 86);
}

TEST(BlockingTrial, RowsDecideWhereOneRankRunsAhead) {
    using enum planned_function;
    for (auto const what : {bcast, reduce, scan, exscan, gather, scatter})
        EXPECT_EQ(program{what}.call(400, recorded), carrier::mpi) << static_cast<int>(what);
    for (auto const what : {barrier, allreduce, reduce_scatter_block, allgather, alltoall})
        EXPECT_EQ(program{what}.call(400, recorded), carrier::plan) << static_cast<int>(what);
}

TEST(BlockingTrial, RowsSayNothingOfProgramsThatDoOtherThingsInBetween) {
    program p{planned_function::reduce};
    p.between = 10'000;
    EXPECT_EQ(p.call(100, recorded), carrier::plan);
    EXPECT_EQ(p.agreed, 2);
}

// As where a program has another loop after this one.
TEST(BlockingTrial, SomethingBetweenTheCallsOfOneRowDoesNotDecide) {
    for (int at = 24; at < 152; ++at) {
        program p{planned_function::reduce};
        int call = 0;
        EXPECT_EQ(p.call(300, [&](carrier c, int n) { return recorded(c, n) + (call++ == at ? 50'000 : 0); }), carrier::mpi) << at;
    }
}

TEST(BlockingTrial, WherePlansAreFarAheadNoRowIsAskedFor) {
    program p{planned_function::scan};
    EXPECT_EQ(p.call(100, [](carrier c, int) { return c == carrier::plan ? 80 : 860; }), carrier::plan);
    EXPECT_EQ(p.agreed, 1);
}

TEST(BlockingTrial, RowsCostLittle) {
    program p{planned_function::bcast};
    int const calls = 1'000'000;
    p.call(calls, [](carrier c, int) { return c == carrier::plan ? 100 : 250; });
    EXPECT_LT(static_cast<double>(p.now), 1.01 * 100 * calls);
}

// What is MPI's anyway is known before a call is read, also in its rows.
TEST(BlockingTrial, CallsOfMpiAreQuick) {
    program p{planned_function::bcast};
    EXPECT_EQ(p.call(10'000, recorded), carrier::mpi);
    EXPECT_GT(p.quickly, 9'000);
}

} // namespace
} // namespace sode::internal::interpose
