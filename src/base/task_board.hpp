// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>

namespace sode::internal {

/// The life of a task: its place is free, or is being prepared; its program runs; it has ended and nobody has taken its place yet.
enum class task_state : std::uint32_t { free, starting, running, ended };

/// What everybody may know of one task.
struct task_entry {
    std::atomic<task_state> state;
    std::atomic<std::int32_t> pid;         ///< 0 before the first start
    std::atomic<std::int32_t> rank;        ///< what its starter calls it; -1: nothing
    std::atomic<std::int32_t> wait_status; ///< as of waitpid(); means something in the state `ended`
    std::atomic<std::uint64_t> begun;      ///< CLOCK_MONOTONIC nanoseconds
    std::atomic<std::uintptr_t> base;      ///< where its partition begins; 0 before the first start
};

/// The tasks of one address space, and where each of them lives: memory of the root process that all tasks can read, because it is
/// theirs as well.
///
/// A task has a *partition*, a range of addresses that holds all its memory; so an address tells whose it is.
struct task_board {
    static constexpr std::uint64_t right_magic = 0x65646f736b736174; // "tasksode"
    static constexpr std::uint32_t right_version = 1;

    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t capacity; ///< entries
    std::uintptr_t area;    ///< the range in which all partitions lie: area to area + capacity * stride
    std::size_t stride;     ///< entry i has its partition somewhere in area + i * stride, which is `stride` bytes long
    std::size_t partition_bytes;
    task_entry* entries;

    /// Which entry the memory at `address` belongs to; -1: no task's. No system call.
    [[nodiscard]] int owner_of(void const* address) const noexcept {
        auto const at = reinterpret_cast<std::uintptr_t>(address);
        if (at < area || at - area >= capacity * stride) return -1;
        auto const index = (at - area) / stride;
        auto const base = entries[index].base.load(std::memory_order_acquire);
        return base != 0 && at >= base && at - base < partition_bytes ? static_cast<int>(index) : -1;
    }
};

/// What a task is told of itself, in its environment. A program that a task executes inherits the variable, but is no task.
inline constexpr char const* task_variable = "SODE_BOOT_TASK";

/// This process as a task: its board and its own entry there.
struct task_place {
    task_board const* board;
    int index;
};

/// The text for task_variable.
[[nodiscard]] std::string task_place_text(task_board const& board, int index);

/// Where this process lives if it is a task itself; no place for its children (of fork or exec) and for everybody else.
[[nodiscard]] std::optional<task_place> own_task_place();

} // namespace sode::internal
