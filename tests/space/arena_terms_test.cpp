// SPDX-License-Identifier: Apache-2.0
// How large the arenas of all ranks are, agreed by each rank alone.
#include "space/arena_terms.hpp"

#include <sode/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace sode::internal {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;
constexpr std::uint64_t gib = std::uint64_t{1} << 30;
constexpr std::uint64_t page = std::uint64_t{64} << 10;

std::vector<arena_terms> ranks(std::size_t count, arena_terms const& terms) {
    return std::vector<arena_terms>(count, terms);
}

std::string message_of(std::vector<arena_terms> const& all) {
    try {
        static_cast<void>(agree_on_arenas(all, 0));
    } catch (error const& e) {
        return e.what();
    }
    return "";
}

TEST(arena_terms, every_rank_could_have_all_of_the_memory) {
    auto const all = ranks(4, {0, 24 * gib - 5000, desired_mapping(24 * gib, 4), page, 0});
    EXPECT_EQ(agree_on_arenas(all, 0).bytes, 32 * gib);
    EXPECT_EQ(desired_mapping(24 * gib, 4), 128 * gib);
}

TEST(arena_terms, a_small_address_space_leaves_half_to_the_program) {
    auto const all = ranks(4, {0, 24 * gib, 64 * gib, page, 0});
    EXPECT_EQ(agree_on_arenas(all, 0).bytes, 8 * gib);
}

TEST(arena_terms, the_narrowest_rank_of_a_machine_counts_and_only_there) {
    auto all = ranks(4, {0, 2 * gib, 8 * gib, page, 0});
    all[2].machine = all[3].machine = 1;
    all[1].mappable = 1 * gib;
    EXPECT_EQ(agree_on_arenas(all, 0).bytes, 256 * mib);
    EXPECT_EQ(agree_on_arenas(all, 1).bytes, 2 * gib);
}

TEST(arena_terms, a_request_is_rounded_up_to_granules) {
    auto const all = ranks(2, {100'000, gib, gib, page, 0});
    EXPECT_EQ(agree_on_arenas(all, 0).bytes, 2 * page);
}

TEST(arena_terms, different_requests_are_an_error_of_every_rank) {
    auto all = ranks(3, {gib, gib, gib, page, 0});
    all[2].requested = 2 * gib;
    EXPECT_THAT(message_of(all), ::testing::HasSubstr("ranks request 1 GiB and 2 GiB of shared memory"));
}

TEST(arena_terms, no_address_space_on_another_machine_is_an_error_here_too) {
    auto all = ranks(2, {0, gib, 8 * gib, page, 0});
    all[1].machine = 1;
    all[1].mappable = mib;
    EXPECT_THAT(message_of(all), ::testing::HasSubstr("only 1 MiB can be mapped"));
}

TEST(arena_terms, absurd_sizes_do_not_overflow) {
    EXPECT_THAT(message_of(ranks(8, {~std::uint64_t{0}, gib, gib, page, 0})), ::testing::HasSubstr("cannot be addressed"));
    EXPECT_EQ(desired_mapping(~std::uint64_t{0}, 4096), std::uint64_t{1} << 62);
}

} // namespace
} // namespace sode::internal
