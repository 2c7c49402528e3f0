// SPDX-License-Identifier: Apache-2.0
// The allgather in shared memory: lengths, speeds, ranks that disagree, leave or never come.
#include "base/board.hpp"

#include <sode/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <thread>

namespace sode::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

wait_policy impatient() {
    wait_policy policy;
    policy.spins = 0;
    policy.timeout_s = 20;
    return policy;
}

struct memory {
    explicit memory(int ranks) : lines(new (std::align_val_t{128}) std::byte[board::bytes(ranks)]{}) {}
    struct release {
        void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{128}); }
    };
    std::unique_ptr<std::byte[], release> lines;
};

void on_threads(int ranks, board::departure const& departed, std::function<void(board&, int)> const& body,
                std::vector<int> const& names = {}) {
    memory shared{ranks};
    std::vector<std::jthread> threads;
    for (int r = 0; r < ranks; ++r)
        threads.emplace_back([&, r] {
            board b{shared.lines.get(), r, ranks, impatient(), departed, names};
            body(b, r);
        });
}

std::byte value(int rank, std::size_t round, std::size_t i) {
    return static_cast<std::byte>(static_cast<std::size_t>(rank) * 37 + round * 11 + i * 3);
}

class Board : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, Board, ::testing::Values(1, 2, 3, 4, 6, 8));

TEST_P(Board, GathersMessagesOfEveryLength) {
    int const ranks = GetParam();
    // Below, at and above a slot, so that both slots and several parts are used.
    std::vector<std::size_t> const lengths{0, 1, 7, 8, 4095, 4096, 4097, 8192, 8193, 50000, 3, 0, 12288};
    on_threads(ranks, {}, [&](board& b, int rank) {
        for (std::size_t round = 0; round < lengths.size(); ++round) {
            std::size_t const n = lengths[round];
            std::vector<std::byte> mine(n);
            for (std::size_t i = 0; i < n; ++i) mine[i] = value(rank, round, i);
            std::vector<std::byte> all(n * static_cast<std::size_t>(ranks) + 1, std::byte{0xA5});
            b.allgather(mine.data(), n, all.data());
            for (int r = 0; r < ranks; ++r)
                for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(all[static_cast<std::size_t>(r) * n + i], value(r, round, i));
            EXPECT_EQ(all.back(), std::byte{0xA5});
            b.barrier();
        }
    });
}

TEST_P(Board, SurvivesManyCallsAtDifferentSpeeds) {
    int const ranks = GetParam();
    on_threads(ranks, {}, [&](board& b, int rank) {
        std::mt19937 random(static_cast<unsigned>(rank));
        std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks));
        for (std::uint64_t round = 0; round < 300; ++round) {
            if (random() % 16 == 0) std::this_thread::yield();
            std::uint64_t const mine = round * 1000 + static_cast<std::uint64_t>(rank);
            b.allgather(&mine, sizeof mine, all.data());
            for (int r = 0; r < ranks; ++r)
                ASSERT_EQ(all[static_cast<std::size_t>(r)], round * 1000 + static_cast<std::uint64_t>(r));
        }
    });
}

TEST_P(Board, CombinesNumbersOfAllRanks) {
    int const ranks = GetParam();
    auto const n = static_cast<std::uint64_t>(ranks);
    on_threads(ranks, {}, [&](board& b, int rank) {
        std::mt19937 random(static_cast<unsigned>(rank));
        auto const me = static_cast<std::uint64_t>(rank);
        for (std::uint64_t round = 0; round < 300; ++round) {
            if (random() % 16 == 0) std::this_thread::yield();
            std::uint64_t maxima[] = {round + me, ~me, me == round % n ? ~std::uint64_t{0} : 0};
            std::uint64_t sums[] = {1, me + round, ~std::uint64_t{0}};
            b.combine(maxima, sums);
            ASSERT_EQ(maxima[0], round + n - 1);
            ASSERT_EQ(maxima[1], ~std::uint64_t{0});
            ASSERT_EQ(maxima[2], ~std::uint64_t{0});
            ASSERT_EQ(sums[0], n);
            ASSERT_EQ(sums[1], n * (n - 1) / 2 + n * round);
            ASSERT_EQ(sums[2], std::uint64_t{0} - n);
            if (round % 7 == 0) b.barrier(); // between others of their kind
        }
        b.combine({}, {});
    });
}

// Setting up plans may not cost each rank a look at every other.
TEST(BoardOf, CombiningReadsAsManyLinesAsTheLogarithmOfTheRanks) {
    struct job {
        int ranks;
        unsigned most;
    };
    for (auto const& j : {job{1, 0}, job{2, 1}, job{8, 3}, job{13, 4}, job{64, 6}})
        on_threads(j.ranks, {}, [&](board& b, int rank) {
            std::uint64_t greatest[] = {static_cast<std::uint64_t>(rank)};
            b.combine(greatest, {});
            EXPECT_EQ(greatest[0], static_cast<std::uint64_t>(j.ranks - 1));
            EXPECT_LE(b.heard(), j.most) << "rank " << rank << " of " << j.ranks;
        });
}

// Whoever is met or not met in the rounds: all hear that somebody does something else, and go on together.
TEST_P(Board, TellsEveryRankOfCombiningThatAnotherDoesNot) {
    int const ranks = GetParam();
    if (ranks == 1) GTEST_SKIP() << "one rank agrees with itself";
    for (int other = 0; other < ranks; ++other)
        for (bool const gathers : {true, false})
            on_threads(ranks, {}, [&](board& b, int rank) {
                std::uint64_t numbers[] = {1, 2};
                std::vector<char> all(static_cast<std::size_t>(ranks));
                try {
                    if (rank != other)
                        b.combine(numbers, {});
                    else if (gathers)
                        b.allgather(&rank, 1, all.data());
                    else
                        b.combine({numbers, 1}, {});
                    ADD_FAILURE() << "rank " << rank << " of " << ranks << " heard nothing of rank " << other;
                } catch (error const& e) {
                    EXPECT_EQ(e.kind(), error_kind::usage);
                    EXPECT_THAT(e.what(), HasSubstr("and this rank are in different operations"));
                }
                std::uint64_t sum[] = {1};
                b.combine({}, sum);
                EXPECT_EQ(sum[0], static_cast<std::uint64_t>(ranks));
            });
}

TEST_P(Board, NamesTheRankThatLeftInTheMiddleOfCombining) {
    int const ranks = GetParam();
    if (ranks == 1) GTEST_SKIP() << "nobody is left to wait";
    std::atomic<bool> gone{false};
    auto const departed = [&](int rank) {
        return rank == ranks - 1 && gone ? std::optional<std::string>{"killed by signal 9 (Killed)"} : std::nullopt;
    };
    on_threads(ranks, departed, [&](board& b, int rank) {
        b.barrier();
        if (rank == ranks - 1) {
            gone = true;
            return;
        }
        for (int again = 0; again < 2; ++again) { // the board has ended: the same error, at once
            std::uint64_t numbers[] = {1};
            try {
                b.combine(numbers, {});
                ADD_FAILURE() << "rank " << rank << " combined without rank " << ranks - 1;
            } catch (error const& e) {
                EXPECT_EQ(e.kind(), error_kind::peer);
                EXPECT_THAT(e.what(), AllOf(HasSubstr("rank " + std::to_string(ranks - 1) + " terminated"),
                                            HasSubstr("killed by signal 9 (Killed)")));
            }
        }
    });
}

// Rank 0 has left because the last one was killed.
TEST_P(Board, NamesWhoWasKilledBeforeWhoLeftBecauseOfIt) {
    int const ranks = GetParam();
    if (ranks < 3) GTEST_SKIP() << "nobody is left to wait";
    std::atomic<int> gone{0};
    auto const departed = [&](int rank) -> std::optional<std::string> {
        if (gone < 2) return std::nullopt;
        if (rank == 0) return "exited with status 3";
        if (rank == ranks - 1) return "killed by signal 9 (Killed)";
        return std::nullopt;
    };
    for (bool const combines : {false, true}) {
        gone = 0;
        on_threads(ranks, departed, [&](board& b, int rank) {
            b.barrier();
            if (rank == 0 || rank == ranks - 1) {
                ++gone;
                return;
            }
            std::uint64_t numbers[] = {1};
            try {
                if (combines)
                    b.combine(numbers, {});
                else
                    b.barrier();
                ADD_FAILURE() << "rank " << rank << " went on without two others";
            } catch (error const& e) {
                EXPECT_THAT(e.what(), AllOf(HasSubstr("rank " + std::to_string(ranks - 1) + " terminated before it reached"),
                                            HasSubstr("killed by signal 9 (Killed)")));
            }
        });
    }
}

TEST_P(Board, TellsEveryRankThatLengthsDifferAndGoesOn) {
    int const ranks = GetParam();
    if (ranks == 1) GTEST_SKIP() << "one rank agrees with itself";
    for (std::size_t const other : {std::size_t{9}, std::size_t{20000}})
        on_threads(ranks, {}, [&](board& b, int rank) {
            std::vector<char> mine(20000);
            std::vector<char> all(mine.size() * static_cast<std::size_t>(ranks));
            std::string message;
            try {
                b.allgather(mine.data(), rank == ranks - 1 ? other : 8, all.data());
            } catch (error const& e) {
                EXPECT_EQ(e.kind(), error_kind::usage);
                message = e.what();
            }
            EXPECT_THAT(
                message,
                AllOf(HasSubstr("and this rank are in different operations (both ranks are in another collective call, with "),
                      HasSubstr(" 8")));
            int const next = rank;
            std::vector<int> ints(static_cast<std::size_t>(ranks));
            b.allgather(&next, sizeof next, ints.data());
            for (int r = 0; r < ranks; ++r) EXPECT_EQ(ints[static_cast<std::size_t>(r)], r);
        });
}

TEST(BoardOf, TellsABarrierFromAnAllgather) {
    on_threads(2, {}, [](board& b, int rank) {
        try {
            if (rank == 0)
                b.barrier();
            else
                b.allgather(nullptr, 0, nullptr);
            FAIL() << "rank " << rank;
        } catch (error const& e) {
            EXPECT_EQ(e.kind(), error_kind::usage);
            EXPECT_THAT(e.what(), AllOf(HasSubstr("in a barrier"), HasSubstr("in another collective call")));
        }
    });
}

TEST_P(Board, NamesTheRankThatLeft) {
    int const ranks = GetParam();
    if (ranks == 1) GTEST_SKIP() << "nobody is left to wait";
    std::atomic<bool> gone{false};
    std::vector<int> names(static_cast<std::size_t>(ranks));
    std::iota(names.begin(), names.end(), 100);
    auto const departed = [&](int rank) {
        return rank == ranks - 1 && gone ? std::optional<std::string>{"killed by signal 9 (Killed)"} : std::nullopt;
    };
    on_threads(
        ranks, departed,
        [&](board& b, int rank) {
            b.barrier();
            if (rank == ranks - 1) {
                std::this_thread::sleep_for(std::chrono::milliseconds{20});
                gone = true;
                return;
            }
            for (int again = 0; again < 2; ++again) { // the board has ended: the same error, at once
                std::string message;
                try {
                    int all[8];
                    b.allgather(&rank, sizeof rank, all);
                } catch (error const& e) {
                    EXPECT_EQ(e.kind(), error_kind::peer);
                    message = e.what();
                }
                EXPECT_THAT(message, AllOf(HasSubstr("rank " + std::to_string(99 + ranks) +
                                                     " terminated before it reached another collective"),
                                           HasSubstr("killed by signal 9 (Killed)")));
            }
        },
        names);
}

// The narrow case: rank 1 posts and leaves between rank 0's look at its epoch and the one at its departure.
TEST(BoardOf, WhoLeavesAfterPostingIsNotMissed) {
    memory shared{2};
    board b1{shared.lines.get(), 1, 2, impatient(), {}};
    auto const posts_and_leaves = [&](int rank) -> std::optional<std::string> {
        if (rank == 1) b1.barrier();
        return "exited with status 0";
    };
    board b0{shared.lines.get(), 0, 2, impatient(), posts_and_leaves};
    EXPECT_NO_THROW(b0.barrier());
}

TEST(BoardOf, WaitsNoLongerThanTheTimeout) {
    memory shared{2};
    wait_policy policy;
    policy.spins = 0;
    policy.timeout_s = 0.02;
    board b{shared.lines.get(), 0, 2, policy, {}};
    try {
        b.barrier();
        FAIL();
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::timeout);
        EXPECT_THAT(e.what(), AllOf(HasSubstr("for rank 1 in a barrier"), HasSubstr("SODE_TIMEOUT is 0.02 s")));
    }
    EXPECT_THROW(b.barrier(), error);
}

TEST(BoardOf, WarnsOnceOfALongWait) {
    memory shared{2};
    wait_policy policy;
    policy.spins = 0;
    policy.warn_s = 0.01;
    policy.timeout_s = 0.05;
    board b{shared.lines.get(), 0, 2, policy, {}};
    ::testing::internal::CaptureStderr();
    EXPECT_THROW(b.barrier(), error);
    std::string const told = ::testing::internal::GetCapturedStderr();
    EXPECT_THAT(told, HasSubstr("sode: warning: this rank has waited"));
    EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1);
}

} // namespace
} // namespace sode::internal
