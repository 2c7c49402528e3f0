// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/task_board.hpp"
#include "tasks/partition_map.hpp"

#include <cstddef>

namespace sode::internal {

/// The memory of a board: shared, so that forked children of tasks see what becomes of the others too.
class board_memory {
public:
    /// Errors: environment, if there is none.
    board_memory(int capacity, partition_map const& map);
    ~board_memory();
    board_memory(board_memory const&) = delete;
    board_memory& operator=(board_memory const&) = delete;

    [[nodiscard]] task_board& get() const noexcept { return *board_; }

private:
    std::size_t bytes_;
    task_board* board_;
};

} // namespace sode::internal
