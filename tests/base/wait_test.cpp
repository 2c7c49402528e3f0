// SPDX-License-Identifier: Apache-2.0
// A wait ends when its condition is true, whenever that is noticed, and looks after the peer only while it is false.
#include "base/wait.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

namespace sode::internal {
namespace {

constexpr wait_policy yielding{.spins = 0};

// So long that the wait looks after the peer at each turn.
void pause() {
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
}

TEST(wait, asks_no_more_what_was_true_once) {
    // A claim: true once. The wait looks after its first turn, so the second question comes before a look and the third after it.
    for (int const true_at : {1, 2, 3, 4}) {
        int asked = 0;
        await(
            yielding,
            [&] {
                if (++asked > true_at) throw std::logic_error{"asked again"};
                pause();
                return asked == true_at;
            },
            [](double) {});
        EXPECT_EQ(asked, true_at);
    }
}

TEST(wait, looks_after_the_peer_while_it_waits) {
    int looks = 0;
    double waited = 0;
    await(
        yielding,
        [&] {
            pause();
            return looks == 3;
        },
        [&](double seconds) {
            ++looks;
            EXPECT_GT(seconds, waited);
            waited = seconds;
        });
    EXPECT_EQ(looks, 3);
}

TEST(wait, does_not_look_where_nothing_is_waited_for) {
    await(
        yielding, [] { return true; }, [](double) { ADD_FAILURE(); });
}

} // namespace
} // namespace sode::internal
