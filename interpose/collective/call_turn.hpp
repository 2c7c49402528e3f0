// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <mutex>
#include <thread>

namespace sode::internal::interpose {

/// For as long as it lives, only this thread goes on with a started call. Each turn is short, but for that of a program that waits.
class call_turn {
public:
    explicit call_turn(std::atomic<bool>& taken) noexcept : taken_(taken) {
        while (taken_.exchange(true, std::memory_order_acquire)) std::this_thread::yield(); // a helper's test is short
    }
    call_turn(std::atomic<bool>& taken, std::try_to_lock_t /*at once*/) noexcept
        : taken_(taken), has_(!taken.exchange(true, std::memory_order_acquire)) {}
    ~call_turn() {
        if (has_) taken_.store(false, std::memory_order_release);
    }
    call_turn(call_turn const&) = delete;
    call_turn& operator=(call_turn const&) = delete;
    call_turn(call_turn&&) = delete;
    call_turn& operator=(call_turn&&) = delete;
    explicit operator bool() const noexcept { return has_; }

private:
    std::atomic<bool>& taken_;
    bool has_ = true;
};

} // namespace sode::internal::interpose
