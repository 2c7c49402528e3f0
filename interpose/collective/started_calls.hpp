// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace sode::internal::interpose {

class started_call;

/// The plans of this rank that programs start and wait for later. A rank that has started one and now computes, or is blocked in
/// MPI, must not hold up those who wait for it (MPI-4.0, 2.9: progress). So all that runs goes on
/// - in every wait of ours, and
/// - by a thread, for those for which nobody has asked for a millisecond. It sleeps while nothing is started, and calls no MPI.
class started_calls {
public:
    started_calls() = default;
    ~started_calls();
    started_calls(started_calls const&) = delete;
    started_calls& operator=(started_calls const&) = delete;
    started_calls(started_calls&&) = delete;
    started_calls& operator=(started_calls&&) = delete;

    void add(started_call& one);
    /// Afterwards no thread looks at it.
    void remove(started_call& one);
    /// One was started.
    void wake() noexcept {
        if (sleeps_.load(std::memory_order_seq_cst)) rouse();
    }
    /// Waits for all that was started and not waited for.
    void finish();
    /// From a wait: all that runs goes on.
    void go_on() noexcept;

private:
    void rouse() noexcept;
    void help();
    [[nodiscard]] bool help_forgotten(bool& running); // with the lock

    std::mutex mutex_;
    std::condition_variable news_;
    std::vector<started_call*> all_;
    std::atomic<bool> sleeps_{false};
    bool over_ = false;
    std::thread helper_;
};

} // namespace sode::internal::interpose
