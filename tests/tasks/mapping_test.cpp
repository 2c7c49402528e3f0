// SPDX-License-Identifier: Apache-2.0
#include "needs_tasks.hpp"
#include "task_run.hpp"

#include <fmt/format.h>

namespace sode::testing {
namespace {

class mapping : public needs_tasks {
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

TEST_F(mapping, stays_in_the_partition) {
    task_house tasks;
    expect_good(tasks, 100);
}

TEST_F(mapping, goes_on_for_ever_in_a_small_partition) {
    task_house tasks{{.capacity = 4, .partition_bytes = std::size_t{256} << 20U}};
    expect_good(tasks, 100'000);
}

} // namespace
} // namespace sode::testing
