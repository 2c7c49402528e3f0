// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/wait.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace sode::internal {

/// Threads that work on one thing together with the thread that made them: one piece each, then they wait for the next. Idle ones
/// poll as `waiting` says and sleep after that.
class worker_pool {
public:
    using piece = void (*)(void* what, int k);

    /// `threads` in all, at least 1. Errors: environment, if there cannot be so many.
    worker_pool(int threads, wait_policy const& waiting);
    ~worker_pool();
    worker_pool(worker_pool const&) = delete;
    worker_pool& operator=(worker_pool const&) = delete;

    [[nodiscard]] int size() const noexcept { return static_cast<int>(workers_.size()) + 1; }
    /// Calls f(what, k) for k = 0 ... size() - 1, each in its own thread, 0 in this one; in turn, if this thread did not make the
    /// pool, or is at a piece. Throws what the piece of least k has thrown. No system call unless a worker sleeps; nothing is
    /// allocated.
    void run(piece f, void* what);

private:
    struct alignas(64) worker {
        std::thread thread;
        std::exception_ptr thrown;
    };
    void work(worker& self, int k);
    void stop() noexcept;

    wait_policy waiting_;
    std::thread::id owner_ = std::this_thread::get_id();
    bool running_ = false; // of the owner
    piece piece_ = nullptr;
    void* what_ = nullptr;
    bool stopping_ = false;
    alignas(64) std::atomic<std::uint32_t> round_{0}; // grows when there is something to do
    alignas(64) std::atomic<int> left_{0};            // workers that have not ended their piece
    std::vector<worker> workers_;
};

} // namespace sode::internal
