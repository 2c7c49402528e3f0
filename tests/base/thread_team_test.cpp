// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads: their collectives, and how all hear of one that threw or left.
#include "base/thread_team.hpp"

#include "base/machine_share.hpp"
#include "base/processors.hpp"

#include <sode/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <set>

namespace sode::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(ThreadTeam, GivesEveryThreadItsRank) {
    std::mutex guard;
    std::set<int> ranks;
    run_as_threads(5, [&](std::unique_ptr<bootstrap> boot) {
        EXPECT_EQ(boot->size(), 5);
        EXPECT_EQ(boot->name(), "threads");
        EXPECT_TRUE(boot->one_process());
        EXPECT_EQ(boot->machines(), std::vector<int>(5, 0));
        boot->barrier();
        std::scoped_lock const lock{guard};
        ranks.insert(boot->rank());
    });
    EXPECT_EQ(ranks, (std::set{0, 1, 2, 3, 4}));
}

TEST(ThreadTeam, GathersTextsOfDifferentLength) {
    run_as_threads(4, [&](std::unique_ptr<bootstrap> boot) {
        std::string const mine(static_cast<std::size_t>(boot->rank()) * 3000, static_cast<char>('a' + boot->rank()));
        auto const all = boot->allgather(std::string_view{mine});
        for (int r = 0; r < 4; ++r)
            EXPECT_EQ(all[static_cast<std::size_t>(r)],
                      std::string(static_cast<std::size_t>(r) * 3000, static_cast<char>('a' + r)));
        EXPECT_EQ(boot->allgather(std::string_view{}), std::vector<std::string>(4));
    });
}

TEST(ThreadTeam, KnowsItsShareOfTheMachine) {
    run_as_threads(3, [&](std::unique_ptr<bootstrap> boot) {
        auto const share = find_machine_share(*boot);
        EXPECT_EQ(share.ranks, 3);
        EXPECT_EQ(share.processors, usable_processors());
    });
}

TEST(ThreadTeam, TellsTheOthersOfARankThatThrew) {
    std::atomic<int> told{0};
    try {
        run_as_threads(4, [&](std::unique_ptr<bootstrap> boot) {
            if (boot->rank() == 2) throw std::runtime_error("out of ink");
            try {
                boot->barrier();
            } catch (error const& e) {
                EXPECT_THAT(e.what(), AllOf(HasSubstr("rank 2 terminated"), HasSubstr("threw: out of ink")));
                ++told;
                throw;
            }
        });
        FAIL();
    } catch (std::runtime_error const& e) {
        EXPECT_STREQ(e.what(), "out of ink") << "the cause, not a consequence";
    }
    EXPECT_EQ(told, 3);
}

TEST(ThreadTeam, CountsAReturnAsLeaving) {
    try {
        run_as_threads(2, [&](std::unique_ptr<bootstrap> boot) {
            EXPECT_EQ(boot->departed(boot->rank()), std::nullopt);
            if (boot->rank() == 1) boot->barrier();
        });
        FAIL();
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::peer);
        EXPECT_THAT(e.what(), HasSubstr("its function returned"));
    }
}

TEST(ThreadTeam, HasAtLeastOneRank) {
    EXPECT_THROW((thread_team{0}), error);
}

} // namespace
} // namespace sode::internal
