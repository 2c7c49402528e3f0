// SPDX-License-Identifier: Apache-2.0
// Ranks of every kind see each other's bytes in the memory that they share.
#include "space/space.hpp"
#include "support/mini_bootstrap.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace sode::internal {
namespace {

constexpr std::size_t arena_bytes = std::size_t{16} << 20;

std::uint8_t value(int writer, int where, std::size_t i) {
    return static_cast<std::uint8_t>(1 + writer * 37 + where * 101 + static_cast<int>(i % 251) * 3);
}

/// Every rank writes a piece of every rank's block and then looks whether everybody's bytes are where they belong, in all blocks.
void everybody_writes_everywhere(bootstrap& boot, std::size_t arena) {
    auto const memory = make_space(boot, arena);
    auto const ranks = static_cast<std::size_t>(boot.size());
    std::size_t const piece = 5000;
    static_cast<void>(memory->allocate(static_cast<std::size_t>(boot.rank()) * 300)); // so that offsets differ
    std::byte* const block = memory->allocate(piece * ranks);

    std::vector<std::uint64_t> offsets(ranks);
    auto const own = memory->offset(block);
    boot.allgather(&own, sizeof own, offsets.data());
    for (int owner = 0; owner < boot.size(); ++owner) {
        ASSERT_TRUE(memory->contains(owner));
        memory->open(owner, {offsets[static_cast<std::size_t>(owner)], piece * ranks});
        auto* const mine =
            memory->at(owner, offsets[static_cast<std::size_t>(owner)]) + piece * static_cast<std::size_t>(boot.rank());
        for (std::size_t i = 0; i < piece; ++i) mine[i] = static_cast<std::byte>(value(boot.rank(), owner, i));
    }
    boot.barrier();
    EXPECT_EQ(memory->at(boot.rank(), own), block);
    for (int owner = 0; owner < boot.size(); ++owner)
        for (int writer = 0; writer < boot.size(); ++writer) {
            auto const* const at =
                memory->at(owner, offsets[static_cast<std::size_t>(owner)]) + piece * static_cast<std::size_t>(writer);
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < piece; ++i) wrong += at[i] != static_cast<std::byte>(value(writer, owner, i));
            EXPECT_EQ(wrong, 0u) << "rank " << boot.rank() << " reads what " << writer << " wrote at " << owner;
        }
    boot.barrier();
    memory->release(block, piece * ranks);
}

struct space_of : ::testing::TestWithParam<int> {};

TEST_P(space_of, processes_see_each_others_bytes) {
    testing::run_processes(GetParam(), [](bootstrap& boot) { everybody_writes_everywhere(boot, arena_bytes); });
}
TEST_P(space_of, processes_see_each_others_bytes_in_the_largest_arena) {
    testing::run_processes(GetParam(), [](bootstrap& boot) { everybody_writes_everywhere(boot, 0); });
}
TEST_P(space_of, threads_see_each_others_bytes) {
    testing::run_threads(GetParam(), [](bootstrap& boot) { everybody_writes_everywhere(boot, arena_bytes); });
}
TEST_P(space_of, threads_see_each_others_bytes_in_the_largest_arena) {
    testing::run_threads(GetParam(), [](bootstrap& boot) { everybody_writes_everywhere(boot, 0); });
}
INSTANTIATE_TEST_SUITE_P(ranks, space_of, ::testing::Values(1, 2, 3, 4, 8));

TEST(space, says_what_it_is) {
    auto const expect = [](std::string_view name) {
        return [name](bootstrap& boot) { EXPECT_EQ(make_space(boot, arena_bytes)->name(), name); };
    };
    testing::run_processes(1, expect("alone"));
    testing::run_threads(1, expect("alone"));
    testing::run_processes(2, expect("segment"));
    testing::run_threads(2, expect("threads"));
}

TEST(space, ends_at_the_machine) {
    testing::mini_options options;
    options.machines = {0, 1, 0, 2, 1};
    testing::run_processes(
        5,
        [&](bootstrap& boot) {
            auto const memory = make_space(boot, arena_bytes);
            auto const machine_of = [&](int rank) { return options.machines[static_cast<std::size_t>(rank)]; };
            for (int rank = 0; rank < 5; ++rank) EXPECT_EQ(memory->contains(rank), machine_of(rank) == machine_of(boot.rank()));
            EXPECT_FALSE(memory->contains(5));
            EXPECT_FALSE(memory->contains(-1));

            auto* const word = reinterpret_cast<int*>(memory->allocate(sizeof(int)));
            *word = 100 + boot.rank();
            boot.barrier();
            for (int rank = 0; rank < 5; ++rank) {
                if (memory->contains(rank)) {
                    memory->open(rank, {0, sizeof(int)});
                    EXPECT_EQ(*reinterpret_cast<int const*>(memory->at(rank, 0)), 100 + rank);
                }
            }
            boot.barrier();
        },
        options);
}

/// A rank that has left takes nothing away from those who still look at its memory.
TEST(space, threads_outlive_each_others_spaces) {
    testing::run_threads(3, [](bootstrap& boot) {
        auto memory = make_space(boot, arena_bytes);
        auto* const word = reinterpret_cast<int*>(memory->allocate(sizeof(int)));
        *word = 7 + boot.rank();
        boot.barrier();
        if (boot.rank() == 1) memory.reset();
        boot.barrier();
        if (memory) {
            EXPECT_EQ(*reinterpret_cast<int const*>(memory->at(1, 0)), 8);
        }
    });
}

} // namespace
} // namespace sode::internal
