// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sode::internal::interpose {

/// What a program has started and waits for later: a persistent plan, or nonblocking calls that one plan carries in turn. It goes
/// on by itself, in the hands of started_calls.
class started_call {
public:
    /// Who goes on with it: the program's own thread, in a call of MPI, or the helper, which may call no MPI.
    enum class hand : std::uint8_t { program, helper };

    started_call() = default;
    virtual ~started_call() = default;
    started_call(started_call const&) = delete;
    started_call& operator=(started_call const&) = delete;
    started_call(started_call&&) = delete;
    started_call& operator=(started_call&&) = delete;

    /// Any thread: started, and not seen to be over.
    [[nodiscard]] virtual bool running() const noexcept = 0;
    /// It runs, and nobody has asked for it since the last call of this.
    [[nodiscard]] virtual bool is_forgotten() noexcept = 0;
    /// Any thread: goes on with what runs, unless another thread is at it.
    virtual void help(hand who) noexcept = 0;
    /// MPI is about to end: waits for what was started and not waited for.
    virtual void finish() noexcept = 0;
};

} // namespace sode::internal::interpose
