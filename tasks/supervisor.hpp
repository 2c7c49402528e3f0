// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/task_board.hpp"
#include "base/unique_fd.hpp"
#include "tasks/partition.hpp"
#include "tasks/placed_call.hpp"
#include "tasks/shortcuts.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <linux/seccomp.h>
#include <mutex>
#include <thread>
#include <vector>

namespace sode::internal {

/// What the supervisor knows of a task besides the board.
struct supervised_task {
    supervised_task(mappings const& kernel, own_memory const& memory) : own(kernel), quick(memory) {}
    partition own;
    shortcuts quick;
    unique_fd pidfd;
};

/// A thread that does in the place of the tasks what lets the kernel choose an address. It shares their memory and is under no
/// filter, so what it maps is mapped for them, in the partition of who asked.
///
/// It believes nothing that it is told: a call whose arguments make no sense is left to the kernel, and so is that of a process
/// which is no task (a forked child). A task that is killed while it waits for an answer is no error.
class supervisor {
public:
    /// `tasks` has an element for each entry of `board`. Errors: environment, if there are no descriptors left.
    supervisor(int listener, task_board const& board, std::deque<supervised_task>& tasks);
    ~supervisor();
    supervisor(supervisor const&) = delete;
    supervisor& operator=(supervisor const&) = delete;

    /// How many calls it was asked for.
    [[nodiscard]] std::uint64_t answered() const noexcept { return answered_; }

    /// While this is held, no call is being dealt with.
    [[nodiscard]] std::unique_lock<std::mutex> pause() { return std::unique_lock{mutex_}; }

private:
    void work();
    [[nodiscard]] placed_call decide(seccomp_notif const& call);
    void answer(seccomp_notif const& call);

    int listener_;
    task_board const* board_;
    std::deque<supervised_task>* tasks_;
    unique_fd stop_;
    std::atomic<std::uint64_t> answered_ = 0;
    std::mutex mutex_;
    std::thread thread_;
};

} // namespace sode::internal
