// SPDX-License-Identifier: Apache-2.0
#include "tasks/board_memory.hpp"

#include "base/limits.hpp"
#include "tasks/pages.hpp"

#include <cerrno>
#include <memory>
#include <new>
#include <sys/mman.h>

namespace sode::internal {

board_memory::board_memory(int capacity, partition_map const& map) : bytes_(0), board_(nullptr) {
    static_assert(sizeof(task_board) <= page_bytes);
    auto const count = static_cast<std::size_t>(capacity);
    bytes_ = page_bytes + round_up(count * sizeof(task_entry), page_bytes);
    void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw refused("no memory for the board of tasks", "mmap", errno, "request fewer tasks");
    auto* const entries = reinterpret_cast<task_entry*>(static_cast<std::byte*>(memory) + page_bytes);
    std::uninitialized_value_construct_n(entries, count);
    board_ = new (memory) task_board{task_board::right_magic,
                                     task_board::right_version,
                                     static_cast<std::uint32_t>(capacity),
                                     partition_map::area,
                                     map.stride(),
                                     map.bytes(),
                                     entries};
}

board_memory::~board_memory() {
    ::munmap(board_, bytes_);
}

} // namespace sode::internal
