// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <semaphore>
#include <thread>
#include <vector>

namespace sode::internal::bench {

/// Threads of one process that work in step, one a core: the caller is the first and stays where it is, the others are bound, and
/// asleep when nothing has been run for a while.
class thread_crew {
public:
    explicit thread_crew(std::vector<int> const& cores);
    ~thread_crew();
    thread_crew(thread_crew const&) = delete;
    thread_crew& operator=(thread_crew const&) = delete;

    [[nodiscard]] int size() const noexcept { return static_cast<int>(helpers_.size()) + 1; }
    /// Calls task(t) on every thread t, and returns when all have.
    void run(std::function<void(int)> const& task);
    /// For tasks: thread t waits, spinning, for all threads.
    void barrier(int t) noexcept;

private:
    struct alignas(128) seat {
        std::atomic<std::uint64_t> arrived{0};
        std::binary_semaphore wake{0};
    };
    void help(int t, int core);

    std::vector<seat> seats_;
    std::vector<std::thread> helpers_;
    std::function<void(int)> const* task_ = nullptr;
};

} // namespace sode::internal::bench
