// SPDX-License-Identifier: Apache-2.0
// How much memory can be shared is found out, not assumed.
#include "space/memory_room.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>

namespace sode::internal {
namespace {

TEST(memory_room, what_is_available_is_part_of_the_whole) {
    auto const room = memory_room::now();
    EXPECT_GT(room.available, 0u);
    EXPECT_LT(room.available, room.total);
    EXPECT_LE(room.total,
              static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
}

TEST(memory_room, granules_are_powers_of_two_of_at_least_a_page) {
    for (auto const kind : {memory_kind::shared, memory_kind::anonymous}) {
        auto const granule = memory_granule(kind);
        EXPECT_TRUE(std::has_single_bit(granule));
        EXPECT_GE(granule, static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
    }
}

TEST(memory_room, a_small_address_space_is_found_out_by_halving) {
    EXPECT_EQ(mappable_bytes(std::uint64_t{1} << 33), std::uint64_t{1} << 33);
    EXPECT_LT(mappable_bytes(std::uint64_t{1} << 62), std::uint64_t{1} << 62);
}

TEST(memory_room, a_limit_on_files_limits_what_can_be_mapped) {
    pid_t const child = ::fork();
    if (child == 0) {
        rlimit const limit{rlim_t{1} << 30, rlim_t{1} << 30};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        ::_exit(mappable_bytes(std::uint64_t{1} << 33) == std::uint64_t{1} << 30 ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

} // namespace
} // namespace sode::internal
