// SPDX-License-Identifier: Apache-2.0
// An error of one rank while a file is written is the error of all.
#include "hdf5/in_step.hpp"

#include "base/message.hpp"
#include "model/job.hpp"

#include <sode/sode.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace sode::internal::files {
namespace {

void with_ranks(int ranks, std::function<void(bootstrap&)> const& program) {
    run_threads(ranks, [&](runtime& rt) { program(*rt.job().boot); });
}

TEST(InStep, TellsAllWhatEachReturned) {
    with_ranks(3, [](bootstrap& ranks) {
        auto const all = in_step(ranks, [&] { return std::string(static_cast<std::size_t>(ranks.rank()), 'x'); });
        EXPECT_EQ(all, (std::vector<std::string>{"", "x", "xx"}));
    });
}

TEST(InStep, AnErrorOfOneIsTheErrorOfAll) {
    std::atomic<int> told = 0;
    with_ranks(4, [&](bootstrap& ranks) {
        try {
            in_step(ranks, [&]() -> std::string {
                if (ranks.rank() == 2) throw error{error_kind::usage, "a", "b", "c"};
                if (ranks.rank() == 3) throw std::runtime_error{"later"};
                return "fine";
            });
        } catch (error const& e) {
            EXPECT_STREQ(quoted(e.what()).data(), "at rank 2: a (b)\n  c");
            EXPECT_EQ(e.kind(), error_kind::usage);
            ++told;
        }
        // And all go on together.
        EXPECT_EQ(in_step(ranks, [] { return std::string{"on"}; }).size(), 4U);
    });
    EXPECT_EQ(told, 4);
}

TEST(InStep, AnErrorAloneNamesNoRank) {
    with_ranks(1, [](bootstrap& ranks) {
        try {
            in_step(ranks, []() -> std::string { throw std::runtime_error{"no"}; });
            ADD_FAILURE();
        } catch (error const& e) {
            EXPECT_STREQ(e.what(), "sode: error: no");
            EXPECT_EQ(e.kind(), error_kind::environment);
        }
    });
}

} // namespace
} // namespace sode::internal::files
