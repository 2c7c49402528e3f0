// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

namespace sode::internal {

/// What this thread has loaded and stored before comes before what it loads and stores after, for all threads.
inline void full_fence() noexcept {
#if defined(__SANITIZE_THREAD__) // which knows no fences, but what threads do to one word
    static constinit std::atomic<int> word{0};
    word.fetch_add(1, std::memory_order_seq_cst);
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

} // namespace sode::internal
