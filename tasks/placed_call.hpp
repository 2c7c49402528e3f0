// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/partition.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <linux/seccomp.h>
#include <sys/types.h>

namespace sode {

/// What became of a system call that was done in a task's place.
struct placed_call {
    /// Nothing was done: the kernel may do it as it was asked.
    static placed_call left_to_kernel() { return {}; }
    static placed_call failed(long error) { return {false, error, {}}; }
    /// `undo` is called if the task did not live to hear of it, or was interrupted and will ask again.
    static placed_call done(std::uintptr_t address, std::function<void()> undo) {
        return {false, static_cast<long>(address), std::move(undo)};
    }

    bool to_kernel = true;
    long result = 0; ///< an address, or -errno
    std::function<void()> undo;
};

/// The descriptor of the process that asks, as one of this process; -errno in `failure` if there is none. Filled in by the supervisor.
using fetch_fd = std::function<int(int fd)>;

[[nodiscard]] placed_call place_mmap(partition& own, seccomp_data const& call, fetch_fd const& fetch);
[[nodiscard]] placed_call place_mremap(partition& own, seccomp_data const& call);
[[nodiscard]] placed_call place_shmat(partition& own, seccomp_data const& call);

} // namespace sode
