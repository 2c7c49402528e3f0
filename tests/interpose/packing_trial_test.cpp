// SPDX-License-Identifier: Apache-2.0
// Who packs short messages, by recorded times of both.
#include "interpose/requests/packing_trial.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace sode::internal::interpose {
namespace {

using enum packing_trial::way;

/// Goes on until the trial is over. Returns how many messages that took.
int run(packing_trial& t, std::function<std::int64_t(packing_trial::way, int message)> const& time) {
    int message = 0;
    for (; !t.is_over() && message < 1'000; ++message) {
        auto const way = t.next();
        t.note(way, time(way, message));
    }
    EXPECT_TRUE(t.is_over());
    return message;
}

TEST(PackingTrial, TakesWhatIsFaster) {
    packing_trial t;
    EXPECT_FALSE(t.has_begun());
    EXPECT_EQ(run(t, [](auto way, int) { return way == by_us ? 150 : 240; }), 2 * packing_trial::turns);
    EXPECT_EQ(t.next(), by_us);
    EXPECT_FALSE(t.is_lost());
}

TEST(PackingTrial, ALittleIsNoGain) { // a message of ours is looked at, one of MPI's need not be
    for (std::int64_t const ours : {240, 220, 205, 300}) {
        packing_trial t;
        run(t, [ours](auto way, int) { return way == by_us ? ours : std::int64_t{240}; });
        EXPECT_EQ(t.next(), by_mpi);
        EXPECT_TRUE(t.is_lost());
    }
    packing_trial long_one; // a hundredth of it may be chance
    run(long_one, [](auto way, int) { return way == by_us ? 4'900 : 5'000; });
    EXPECT_TRUE(long_one.is_lost());
}

TEST(PackingTrial, DisturbancesDoNotDecide) {
    packing_trial t;
    run(t, [](auto way, int message) {
        std::int64_t const disturbed = message % 3 == 0 ? 4'000'000 : 0; // another process had the processor
        return disturbed + (way == by_us ? 150 : 240);
    });
    EXPECT_EQ(t.next(), by_us);
}

TEST(PackingTrial, BothWaysTakeTurns) {
    packing_trial t;
    int ours = 0, calls = 0;
    run(t, [&](auto way, int) {
        ours += way == by_us ? 1 : 0;
        ++calls;
        EXPECT_LE(std::abs(2 * ours - calls), 1);
        return 100;
    });
}

} // namespace
} // namespace sode::internal::interpose
