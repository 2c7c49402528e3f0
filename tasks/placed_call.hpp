// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/partition.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <linux/seccomp.h>
#include <utility>

namespace sode::internal {

/// What became of a system call that was asked for in a task.
struct placed_call {
    /// Nothing was done: the kernel may do it as it was asked.
    [[nodiscard]] static placed_call left_to_kernel() { return {}; }
    /// `error` is -errno.
    [[nodiscard]] static placed_call failed(long error) { return {false, 0, static_cast<int>(error), {}}; }
    /// `undo` is called if the task did not live to hear of it, or was interrupted and will ask again.
    [[nodiscard]] static placed_call done(std::uintptr_t address, std::function<void()> undo) {
        return {false, static_cast<long>(address), 0, std::move(undo)};
    }

    bool to_kernel = true;
    long value = 0;
    int error = 0;
    std::function<void()> undo;
};

/// A descriptor of the process that asks, as one of this process, which closes it; or -errno.
using fetch_fd = std::function<int(int fd)>;

[[nodiscard]] placed_call place_mmap(partition& own, seccomp_data const& call, fetch_fd const& fetch);
[[nodiscard]] placed_call place_mremap(partition& own, seccomp_data const& call);
[[nodiscard]] placed_call place_shmat(partition& own, seccomp_data const& call);
[[nodiscard]] placed_call place_brk(partition& own, seccomp_data const& call);
/// brk() of a process that has no partition to itself: its break is 0 and stays there, and its malloc uses mmap.
[[nodiscard]] placed_call refuse_brk();

} // namespace sode::internal
