// SPDX-License-Identifier: Apache-2.0
// Which memory goes back to the system: what was there reads as zeros then.
#include "interpose/collective/packing_room.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace sode::internal::interpose {
namespace {

constexpr std::int64_t mib = 1 << 20;

void use(packing_room& room, std::int64_t bytes) {
    room.bytes = bytes;
    std::memset(room.use(), 7, static_cast<std::size_t>(bytes));
    room.rest();
}
bool is_kept(packing_room& room) {
    return room.get()[room.bytes / 2] == std::byte{7};
}

TEST(packing_room, what_no_call_needs_is_kept_up_to_a_limit) {
    std::array<packing_room, 4> first; // 32 MiB
    for (auto& room : first) use(room, 8 * mib);
    packing_room more;
    for (int call = 0; call < 3; ++call) {
        use(more, 8 * mib);
        EXPECT_FALSE(is_kept(more)) << call;
    }
    use(first[0], 8 * mib);
    for (auto& room : first) EXPECT_TRUE(is_kept(room));
}

TEST(packing_room, rooms_that_are_gone_do_not_count) {
    for (int i = 0; i < 10; ++i) {
        packing_room room;
        use(room, 8 * mib);
        EXPECT_TRUE(is_kept(room)) << i;
    }
}

TEST(packing_room, short_ones_stay) {
    packing_room large, small;
    use(large, 40 * mib);
    use(small, 64 << 10);
    EXPECT_FALSE(is_kept(large));
    EXPECT_TRUE(is_kept(small));
}

TEST(packing_room, many_processes_of_a_machine_keep_a_share_each) {
    packing_room first, second;
    packing_room::share_among(64); // 4 MiB each
    use(first, 3 * mib);
    use(second, 3 * mib);
    EXPECT_TRUE(is_kept(first));
    EXPECT_FALSE(is_kept(second));
    packing_room::share_among(2);
    use(second, 3 * mib);
    EXPECT_TRUE(is_kept(second));
}

TEST(packing_room, none_has_no_memory) {
    packing_room none;
    EXPECT_EQ(none.use(), nullptr);
    none.rest();
}

} // namespace
} // namespace sode::internal::interpose
