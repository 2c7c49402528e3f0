// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <csetjmp>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include <ucontext.h>

// The sanitizers know a change of stacks by swapcontext alone.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SODE_TEST_FIBERS_JUMP 0
#else
#define SODE_TEST_FIBERS_JUMP 1
#endif

namespace sode::internal::testing {

/// A function with a stack of its own, which runs where it is resumed, until it leaves or ends. All of a thread's fibers belong to
/// that thread. It begins by makecontext. From then on it changes stacks by jumps, since swapcontext asks the kernel for the signal
/// mask, which took three quarters of a million schedules' time.
class fiber {
public:
    explicit fiber(std::function<void()> body);
    ~fiber();
    fiber(fiber const&) = delete;
    fiber& operator=(fiber const&) = delete;

    [[nodiscard]] bool over() const noexcept { return over_; }
    /// Returns when the fiber has left or ended. It throws nothing.
    void resume();
    /// Called by the fiber that runs.
    void leave();

private:
    static void enter(unsigned low, unsigned high);

    std::function<void()> body_;
    std::unique_ptr<std::byte[]> stack_;
    bool begun_ = false, over_ = false;
    ucontext_t context_{}, resumer_{};
#if SODE_TEST_FIBERS_JUMP
    std::jmp_buf inside_{}, outside_{};
#endif
};

} // namespace sode::internal::testing
