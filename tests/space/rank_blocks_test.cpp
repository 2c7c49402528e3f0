// SPDX-License-Identifier: Apache-2.0
// A block of every rank is found by all of its machine: without a word kept where all have allocated alike, and also where not.
#include "space/rank_blocks.hpp"

#include "support/mini_bootstrap.hpp"

namespace sode::internal::testing {
namespace {

constexpr std::size_t arena_bytes = std::size_t{1} << 22;

void find_each(bootstrap& boot, bool alike) {
    auto const memory = make_space(boot, arena_bytes);
    if (!alike) static_cast<void>(memory->allocate(128U * static_cast<std::size_t>(1 + boot.rank())));
    rank_blocks const blocks{boot, *memory, 200, [&](std::byte* b) { *b = static_cast<std::byte>(40 + boot.rank()); }};
    auto const machines = boot.machines();
    std::size_t near = 0;
    for (int r = 0; r < boot.size(); ++r) {
        bool const here = machines[static_cast<std::size_t>(r)] == machines[static_cast<std::size_t>(boot.rank())];
        near += here ? 1 : 0;
        ASSERT_EQ(blocks.of(r) != nullptr, here);
        if (here) {
            EXPECT_EQ(*blocks.of(r), static_cast<std::byte>(40 + r));
        }
    }
    EXPECT_EQ(blocks.of(boot.rank()), blocks.own());
    EXPECT_EQ(blocks.kept_places(), alike || boot.size() == 1 ? 0U : near);
    boot.barrier();
}

TEST(rank_blocks, are_found_by_all_ranks_of_a_machine) {
    for (bool const alike : {true, false}) {
        for (int ranks : {1, 2, 3, 4, 6, 8}) {
            run_processes(ranks, [&](bootstrap& boot) { find_each(boot, alike); });
            run_threads(ranks, [&](bootstrap& boot) { find_each(boot, alike); });
        }
        run_processes(6, [&](bootstrap& boot) { find_each(boot, alike); }, {.machines = {0, 1, 0, 2, 1, 0}});
    }
}

} // namespace
} // namespace sode::internal::testing
