// SPDX-License-Identifier: Apache-2.0
// Each piece runs once, in a thread of its own, and is over when run() returns; what a piece throws comes out there.
#include "base/worker_pool.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace sode::internal {
namespace {

template <class F> void run(worker_pool& pool, F f) {
    pool.run([](void* what, int k) { (*static_cast<F*>(what))(k); }, &f);
}

class WorkerPool : public ::testing::TestWithParam<int> {
protected:
    // Polls nothing: more threads than processors.
    worker_pool pool_{GetParam(), {.spins = 0}};
};

TEST_P(WorkerPool, RunsEachPieceOnceInAThreadOfItsOwn) {
    for (int round = 0; round < 300; ++round) {
        std::vector<std::thread::id> who(static_cast<std::size_t>(GetParam()));
        std::vector<int> times(who.size());
        run(pool_, [&](int k) {
            who[static_cast<std::size_t>(k)] = std::this_thread::get_id();
            ++times[static_cast<std::size_t>(k)];
        });
        EXPECT_EQ(times, std::vector<int>(who.size(), 1));
        EXPECT_EQ(who[0], std::this_thread::get_id());
        for (std::size_t a = 0; a < who.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) EXPECT_NE(who[a], who[b]);
    }
}

TEST_P(WorkerPool, ThrowsWhatTheFirstOfThePiecesHasThrown) {
    for (int first = 0; first < GetParam(); ++first) {
        std::string said;
        std::atomic<int> begun{0};
        try {
            run(pool_, [&](int k) {
                ++begun;
                if (k >= first) throw std::runtime_error{std::to_string(k)};
            });
        } catch (std::runtime_error const& e) {
            said = e.what();
        }
        EXPECT_EQ(said, std::to_string(first));
        EXPECT_EQ(begun, GetParam());
    }
    int after = 0;
    run(pool_, [&](int k) {
        if (k == 0) ++after;
    });
    EXPECT_EQ(after, 1);
}

TEST_P(WorkerPool, PiecesWithinPiecesAndOtherThreadsRunThemInTurn) {
    std::atomic<int> pieces{0};
    run(pool_, [&](int) { run(pool_, [&](int) { ++pieces; }); });
    EXPECT_EQ(pieces, GetParam() * GetParam());
    std::thread{[&] { run(pool_, [&](int) { ++pieces; }); }}.join();
    EXPECT_EQ(pieces, GetParam() * GetParam() + GetParam());
}

INSTANTIATE_TEST_SUITE_P(Threads, WorkerPool, ::testing::Values(1, 2, 3, 8), ::testing::PrintToStringParamName());

} // namespace
} // namespace sode::internal
