// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/task_board.hpp"
#include "tasks/task_order.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace sode::internal {

struct house_options {
    int capacity = 1024;             ///< the most tasks at a time
    std::size_t partition_bytes = 0; ///< of each task; 0: all addresses that there are, shared out equally (36 TiB / capacity)
    /// Places partitions at random with this seed, with room between them: a stray store of one task then hits another's memory
    /// seldom, and not the same twice.
    std::optional<std::uint64_t> scatter = std::nullopt;
    bool shortcuts = true; ///< see shortcuts.hpp; without, every choice of an address is the supervisor's
};

/// A task that has been started.
struct started_task {
    int index; ///< its entry on the board
    pid_t pid; ///< a child of this process: wait for it, then call ended()
    int pidfd; ///< the house's; closed by ended()
};

/// Makes tasks: unmodified programs as processes of their own (pid, descriptors, signal handlers, libc, thread-local storage) in
/// the address space of *this* process. Their kernel-chosen addresses come from their partitions; a thread of the house sees to
/// that.
///
/// Not thread-safe: one thread starts and ends tasks. Block SIGCHLD, if you use a signalfd, before the house is built: its threads
/// inherit the mask. When this process ends, its tasks are killed.
class task_house {
public:
    /// Errors: environment, if this machine does not allow tasks (see usable.hpp); usage, if that many partitions of that size do
    /// not fit.
    explicit task_house(house_options const& options = {});
    /// Tasks that still run are killed and waited for.
    ~task_house();
    task_house(task_house const&) = delete;
    task_house& operator=(task_house const&) = delete;

    /// Maps the program and lets it run. Returns before the program does anything. Costs about 0.3 ms.
    /// Errors: usage, if the program cannot be a task (fixed address, set-user-id, another architecture, …) or there is none;
    /// environment, if there is no room. Nothing is left behind then.
    [[nodiscard]] started_task start(task_order const& order);

    /// To be called after waitpid() has said that task `index` is no more: the board says so from then on. Its memory stays,
    /// because others may be reading it, until its place is taken again or no task is left. Returns why it never came to run its
    /// program (a limit that could not be set, a directory that is not there); empty, if it did.
    [[nodiscard]] std::string ended(int index, int wait_status);

    /// How many system calls of tasks were made for them until now.
    [[nodiscard]] std::uint64_t calls_answered() const noexcept;

    [[nodiscard]] task_board const& board() const noexcept;

private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

} // namespace sode::internal
