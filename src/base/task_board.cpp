// SPDX-License-Identifier: Apache-2.0
#include "base/task_board.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

namespace sode::internal {

std::string task_place_text(task_board const& board, int index) {
    return fmt::format("{:x}:{:x}:{:x}:{}", reinterpret_cast<std::uintptr_t>(&board), board.area,
                       board.area + board.capacity * board.stride, index);
}

std::optional<task_place> own_task_place() {
    // It says what memory to read: nothing that a program with more rights than its caller should believe.
    char const* const text = ::secure_getenv(task_variable);
    if (text == nullptr) return std::nullopt;
    std::uintptr_t at = 0;
    std::uintptr_t low = 0;
    std::uintptr_t high = 0;
    int index = 0;
    if (std::sscanf(text, "%" SCNxPTR ":%" SCNxPTR ":%" SCNxPTR ":%d", &at, &low, &high, &index) != 4) return std::nullopt;
    // Before the board's address is worth anything: is this process in that address space at all? All memory of a task, this
    // function's too, lies in the area of the partitions; a program that it executed is put elsewhere by the kernel.
    auto const here = reinterpret_cast<std::uintptr_t>(&own_task_place);
    if (here < low || here >= high) return std::nullopt;
    auto const* const board = reinterpret_cast<task_board const*>(at); // NOLINT(performance-no-int-to-ptr)
    if (board->magic != task_board::right_magic || board->version != task_board::right_version) return std::nullopt;
    // A forked child has a copy of everything, but is not who the board speaks of.
    if (index < 0 || board->capacity <= static_cast<std::uint32_t>(index) || board->entries[index].pid != ::getpid())
        return std::nullopt;
    return task_place{board, index};
}

} // namespace sode::internal
