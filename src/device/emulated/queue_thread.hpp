// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/emulated/emulated_memory.hpp"
#include "device/emulated/emulated_queue.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sode::internal {

/// A thread that does the work of queues, of each in order, going round among them. It sleeps while they are empty.
class queue_thread {
public:
    /// Errors: environment, if there can be no thread.
    explicit queue_thread(emulated_memory& memory);
    ~queue_thread();
    queue_thread(queue_thread const&) = delete;
    queue_thread& operator=(queue_thread const&) = delete;

    void add(std::shared_ptr<emulated_queue::state> queue);
    void wake();
    /// Waits until the queue has done so much, but not for ever, and looks at it no more.
    void finish(std::shared_ptr<emulated_queue::state> const& queue, std::uint64_t given) noexcept;
    /// The same without leaving it; true if all queues came to their ends.
    [[nodiscard]] bool settle() noexcept;

private:
    using queue_list = std::vector<std::shared_ptr<emulated_queue::state>>;
    void run();
    [[nodiscard]] queue_list wait_for_work();
    [[nodiscard]] bool has_work() const;

    emulated_memory& memory_;
    std::mutex lock_;
    std::condition_variable changed_;
    queue_list queues_;
    bool stopping_ = false;
    std::thread thread_;
};

} // namespace sode::internal
