// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <csignal>
#include <sys/types.h>

namespace sode::internal::tasks {

/// Sends a signal to a task that has not been waited for, and to all of its process group: as a launcher does with the ranks that
/// it starts itself.
inline void kill_task(pid_t pid, int signal) {
    // A task that has just been made may not lead its group yet.
    if (kill(-pid, signal) != 0) kill(pid, signal);
}

} // namespace sode::internal::tasks
