// SPDX-License-Identifier: Apache-2.0
// What a task maps stays in its partition.
#include "needs_tasks.hpp"
#include "task_run.hpp"
#include "tasks/mappings.hpp"
#include "tasks/partition.hpp"

#include <fmt/format.h>
#include <random>
#include <sys/mman.h>

namespace sode::internal::testing {
namespace {

/// With and without shortcuts.
class mapping : public needs_tasks, public ::testing::WithParamInterface<bool> {
protected:
    static void expect_good(task_house& tasks, int times) {
        // A place is taken by order, so the first task's partition is known before it starts.
        auto const& board = tasks.board();
        task_run run{
            tasks,
            program_path("mapping"),
            {fmt::format("{:x}", board.area), fmt::format("{:x}", board.area + board.partition_bytes), std::to_string(times)}};
        EXPECT_EQ(run.wait(), 0);
        EXPECT_EQ(run.output(), "");
    }
};

TEST_P(mapping, stays_in_the_partition) {
    task_house tasks{{.shortcuts = GetParam()}};
    expect_good(tasks, 100);
}

TEST_P(mapping, goes_on_for_ever_in_a_small_partition) {
    constexpr int often = 100'000;
    task_house tasks{{.capacity = 4, .partition_bytes = std::size_t{256} << 20U, .shortcuts = GetParam()}};
    expect_good(tasks, often);
    // Blocks are half a MiB on average: hundreds are taken before somebody has to look what is free.
    if (GetParam())
        EXPECT_LT(tasks.calls_answered(), often / 10);
    else
        EXPECT_GT(tasks.calls_answered(), often);
}
INSTANTIATE_TEST_SUITE_P(all, mapping, ::testing::Bool(), [](auto const& with) { return with.param ? "shortcuts" : "supervisor"; });

TEST_P(mapping, of_forked_children_and_threads_too) {
    task_house tasks{{.shortcuts = GetParam()}};
    for (auto const* const what : {"mix", "fork", "break", "signal", "thread"}) {
        task_run run{tasks, program_path("daily"), {what}};
        EXPECT_EQ(run.wait(), 0);
        EXPECT_EQ(run.output(), "ok\n") << what;
    }
}

/// A range with pages at random places in it.
class gaps : public ::testing::Test {
protected:
    static constexpr std::size_t page = 4096;
    static constexpr std::size_t pages = 3000;

    void SetUp() override {
        void* const all = ::mmap(nullptr, pages * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        ASSERT_NE(all, MAP_FAILED);
        low_ = reinterpret_cast<std::uintptr_t>(all);
    }
    void TearDown() override { ::munmap(reinterpret_cast<void*>(low_), pages * page); }

    void free(std::size_t first, std::size_t count) {
        ASSERT_EQ(::munmap(reinterpret_cast<void*>(low_ + first * page), count * page), 0);
    }
    void expect(std::size_t first, std::size_t count) const {
        for (bool const by_text : {false, true}) {
            auto const found = mappings{by_text}.largest_gap(low_, low_ + pages * page);
            ASSERT_TRUE(found.has_value()) << by_text;
            EXPECT_EQ((found->begin - low_) / page, first) << by_text;
            EXPECT_EQ((found->end - found->begin) / page, count) << by_text;
        }
    }
    std::uintptr_t low_ = 0;
};

TEST_F(gaps, the_largest_is_found) {
    for (bool const by_text : {false, true}) EXPECT_FALSE(mappings{by_text}.largest_gap(low_, low_ + pages * page).has_value());
    free(17, 1);
    expect(17, 1);
    free(0, 3);
    expect(0, 3);
    free(100, 4);
    expect(100, 4);
    free(2990, 10);
    expect(2990, 10);
    free(100, 30);
    expect(100, 30);
    free(0, pages);
    expect(0, pages);
}

TEST_F(gaps, both_ways_agree) {
    std::mt19937 random{11};
    for (int i = 0; i < 200; ++i) free(random() % (pages - 8), 1 + random() % 8);
    auto const asked = mappings{}.largest_gap(low_, low_ + pages * page);
    auto const read = mappings{true}.largest_gap(low_, low_ + pages * page);
    ASSERT_TRUE(asked && read);
    EXPECT_EQ(asked->begin, read->begin);
    EXPECT_EQ(asked->end, read->end);
}

TEST(window, is_taken_from_below) {
    address_window window{};
    window.set(0x10000, 0x20000);
    EXPECT_EQ(window.take(0x1000, 0x1000), 0x10000U);
    EXPECT_EQ(window.take(0x1000, 0x8000), 0x18000U);
    EXPECT_EQ(window.take(0x8000, 0x1000), 0U);
    window.skip(0x1a000);
    EXPECT_EQ(window.take(0x6000, 0x1000), 0x1a000U);
    EXPECT_EQ(window.take(1, 0x1000), 0U);
    window.skip(0x30000); // beyond its end: nothing that it could hand out
    EXPECT_EQ(window.take(1, 0x1000), 0U);
}

} // namespace
} // namespace sode::internal::testing
