// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cerrno>
#include <semaphore.h>

namespace sode::internal::bench {

/// Puts one rank to sleep until another wakes it: a process-shared semaphore, in shared memory.
class gate {
public:
    gate() noexcept { sem_init(&semaphore_, 1, 0); }
    gate(gate const&) = delete;
    gate& operator=(gate const&) = delete;

    void open() noexcept { sem_post(&semaphore_); }
    void pass() noexcept {
        while (sem_wait(&semaphore_) != 0 && errno == EINTR) {
        }
    }

private:
    sem_t semaphore_;
};

} // namespace sode::internal::bench
