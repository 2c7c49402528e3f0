// SPDX-License-Identifier: Apache-2.0
// Collectives that cut memory into equal pieces refuse memory of other lengths: gaps between the pieces would be wrong data.
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace sode::internal::testing {
namespace {

template <class Plan> std::string complaint(Plan plan) {
    try {
        static_cast<void>(plan());
        return "none";
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage);
        return e.what();
    }
}

TEST(CollectivePieces, FillTheMemory) {
    auto& rt = ranks();
    auto const p = static_cast<std::size_t>(rt.size());
    std::vector<long> mine(3), all(3 * p + p - 1), other(all.size());
    auto const one = std::span<long const>{mine}, many = std::span<long const>{all};
    auto const unfit = ::testing::AllOf(::testing::HasSubstr("sends"), ::testing::HasSubstr("which receives"));
    auto const expected = p == 1 ? ::testing::Matcher<std::string>{"none"} : ::testing::Matcher<std::string>{unfit};
    EXPECT_THAT(complaint([&] { return gather_init(rt, one, std::span{all}); }), expected);
    EXPECT_THAT(complaint([&] { return allgather_init(rt, one, std::span{all}); }), expected);
    EXPECT_THAT(complaint([&] { return scatter_init(rt, many, std::span{mine}); }), expected);
    EXPECT_THAT(complaint([&] { return alltoall_init(rt, many, std::span{other}); }), expected);
    // And the ranks are still in step.
    std::iota(mine.begin(), mine.end(), 10L * rt.rank());
    gather_init(rt, one, std::span{all}.first(3 * p))();
    for (std::size_t i = 0; rt.root() && i < 3 * p; ++i) EXPECT_EQ(all[i], static_cast<long>(10 * (i / 3) + i % 3));
}

} // namespace
} // namespace sode::internal::testing
