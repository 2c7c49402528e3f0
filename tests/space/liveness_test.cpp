// SPDX-License-Identifier: Apache-2.0
// A process that ends is noticed, and its number that another one has got is no mistake.
#include "space/liveness.hpp"

#include "space/process_identity.hpp"
#include "space/space.hpp"
#include "support/mini_bootstrap.hpp"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/resource.h>

#include <chrono>

namespace sode::internal {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::seconds;

constexpr std::size_t arena_bytes = std::size_t{1} << 22;

testing::mini_options silent(std::vector<int> machines = {}) {
    testing::mini_options options;
    options.machines = std::move(machines);
    options.tells_departures = false;
    return options;
}

bool leaves_within(liveness& alive, int rank, seconds patience) {
    auto const deadline = clock::now() + patience;
    while (!alive.departed(rank)) {
        if (clock::now() > deadline) return false;
        ::usleep(1000);
    }
    return true;
}

struct liveness_of_processes : ::testing::TestWithParam<int> {};

/// Rank 1 ends by a signal, or by itself where that is 0; the bootstrap says nothing.
TEST_P(liveness_of_processes, a_process_that_ends_is_noticed_within_a_second) {
    int const signal = GetParam();
    auto const statuses = testing::run_processes_for_status(
        3,
        [signal](bootstrap& boot) {
            auto const memory = make_space(boot, arena_bytes);
            liveness alive{boot, *memory};
            for (int rank = 0; rank < 3; ++rank) EXPECT_FALSE(alive.departed(rank)) << rank;
            boot.barrier();
            if (boot.rank() == 1) {
                if (signal != 0) ::raise(signal);
                return;
            }
            EXPECT_TRUE(leaves_within(alive, 1, seconds{60}));
            EXPECT_TRUE(alive.departed(1)) << "and stays so";
            EXPECT_FALSE(alive.departed(boot.rank()));
        },
        silent());
    EXPECT_EQ(statuses[0], 0);
    EXPECT_EQ(statuses[2], 0);
}
INSTANTIATE_TEST_SUITE_P(ends, liveness_of_processes, ::testing::Values(0, SIGKILL, SIGTERM));

TEST(liveness, a_process_that_ended_before_the_first_question_is_noticed) {
    testing::run_processes_for_status(
        2,
        [](bootstrap& boot) {
            auto const memory = make_space(boot, arena_bytes);
            liveness alive{boot, *memory};
            if (boot.rank() == 1) return;
            ::usleep(50'000);
            EXPECT_TRUE(leaves_within(alive, 1, seconds{60}));
        },
        silent());
}

TEST(liveness, without_descriptors_the_process_table_has_the_word) {
    auto const statuses = testing::run_processes_for_status(
        2,
        [](bootstrap& boot) {
            auto const memory = make_space(boot, arena_bytes);
            liveness alive{boot, *memory};
            if (boot.rank() == 1) {
                boot.barrier();
                return;
            }
            rlimit const none{0, 0};
            ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
            EXPECT_FALSE(alive.departed(1));
            boot.barrier();
            EXPECT_TRUE(leaves_within(alive, 1, seconds{60}));
        },
        silent());
    EXPECT_EQ(statuses[0], 0);
}

TEST(liveness, of_ranks_elsewhere_only_the_bootstrap_knows) {
    auto const statuses = testing::run_processes_for_status(
        2,
        [](bootstrap& boot) {
            auto const memory = make_space(boot, arena_bytes);
            liveness alive{boot, *memory};
            boot.barrier();
            if (boot.rank() == 1) return;
            ::usleep(100'000);
            EXPECT_FALSE(alive.departed(1));
        },
        silent({0, 1}));
    EXPECT_EQ(statuses[0], 0);
}

TEST(liveness, the_bootstraps_word_comes_first) {
    auto const after_rank_1_left = [](bootstrap& boot) {
        auto const memory = make_space(boot, arena_bytes);
        liveness alive{boot, *memory};
        boot.barrier();
        if (boot.rank() == 1) return;
        EXPECT_TRUE(leaves_within(alive, 1, seconds{60}));
        while (alive.departed(1) != "left") ::usleep(1000); // first perhaps by its pidfd
    };
    testing::run_threads(2, after_rank_1_left);
    testing::run_processes(2, after_rank_1_left);
}

/// Rank 1 ended a moment ago, and its process number was given to another process at once.
TEST(liveness, a_process_that_took_the_number_of_a_rank_is_not_that_rank) {
    testing::run_processes(2, [](bootstrap& boot) {
        auto mine = process_identity::mine();
        if (boot.rank() == 1) mine.started -= 1;
        auto const memory = make_space(boot, arena_bytes);
        liveness alive{boot, *memory, mine};
        EXPECT_EQ(alive.departed(1).has_value(), boot.rank() == 0); // rank 1 does not watch itself
        boot.barrier();
    });
}

TEST(liveness, only_those_are_watched_that_were_asked_about) {
    testing::run_processes(6, [](bootstrap& boot) {
        auto const memory = make_space(boot, arena_bytes);
        liveness alive{boot, *memory};
        EXPECT_EQ(alive.watched(), 0U);
        for (int times = 0; times < 3; ++times) EXPECT_FALSE(alive.departed((boot.rank() + 1) % 6));
        EXPECT_EQ(alive.watched(), 1U);
        EXPECT_FALSE(alive.departed(boot.rank()));
        EXPECT_EQ(alive.watched(), 1U);
        boot.barrier();
    });
}

TEST(process_identity, a_number_taken_by_another_process_is_not_the_same_process) {
    auto self = process_identity::mine();
    EXPECT_EQ(look_up(self), process_state::running);
    self.started -= 1;
    EXPECT_EQ(look_up(self), process_state::gone);
}

TEST(process_identity, a_process_that_waits_to_be_collected_is_gone) {
    pid_t const child = ::fork();
    if (child == 0) {
        ::pause();
        ::_exit(0);
    }
    process_identity who = process_identity::mine();
    who.pid = child;
    ASSERT_EQ(look_up(who), process_state::gone) << "started at another time than we";
    who.started = 0;
    ASSERT_EQ(look_up(who), process_state::unknown);
    ::kill(child, SIGKILL);
    siginfo_t info{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0); // ended, not collected
    EXPECT_EQ(look_up(who), process_state::unknown) << "the number is still taken";
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_EQ(look_up(who), process_state::gone);
}

} // namespace
} // namespace sode::internal
