// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/own_memory.hpp"
#include "tasks/partition.hpp"
#include "tasks/shortcut_code.hpp"

#include <cstddef>
#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace sode::internal {

/// Spares a task the way over the supervisor: places in its code that have asked once are changed to take addresses themselves,
/// from the same window. It is the task's own copy of that code (of its libc, its dynamic linker) that is changed.
///
/// On the spot a process waits for a thread of the root to get a core. That is 3 us where cores are free, and a turn of the
/// scheduler where more ranks spin than there are cores.
class shortcuts {
public:
    explicit shortcuts(own_memory const& memory) : memory_(&memory) {}

    /// For a task whose partition is `own`. Where there is no room for code, there are none.
    void open(partition& own) noexcept;

    /// The only thread of `process` has made system call `number` with an instruction that ends at `after`, and waits for the
    /// answer. Changes that place, if it is `mov $number, %eax; syscall`.
    void learn(long number, std::uintptr_t after, pid_t process);

private:
    [[nodiscard]] bool put(shortcut_code const& what, std::uintptr_t state, std::uintptr_t after);

    own_memory const* memory_;
    partition* own_ = nullptr;
    std::uintptr_t page_ = 0;           ///< where the code goes; 0: nowhere
    std::size_t used_ = 0;              ///< bytes of it
    int chances_ = 0;                   ///< how often a place will still be looked at
    std::vector<std::uintptr_t> known_; ///< places that are done, or cannot be
};

} // namespace sode::internal
