// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/begun_call.hpp"
#include "interpose/collective/kept_call.hpp"
#include "interpose/collective/started_call.hpp"

#include <atomic>
#include <exception>
#include <memory>

namespace sode::detail {
struct job;
}

namespace sode::internal::interpose {

class started_calls;

/// Nonblocking calls that one plan carries, in the order in which they began. One that begins while the plan runs waits in line,
/// and the program goes on: so a call never waits, and no rank has to know how many another one has under way.
class call_line final : public started_call {
public:
    /// Collective among the ranks of `part`. Errors: those of kept_call.
    call_line(started_calls& all, std::shared_ptr<detail::job> part, repeated_call const& what);
    ~call_line() override;
    call_line(call_line const&) = delete;
    call_line& operator=(call_line const&) = delete;
    call_line(call_line&&) = delete;
    call_line& operator=(call_line&&) = delete;

    /// Never waits. What goes wrong is in `one`, which is over then.
    void begin(begun_call& one) noexcept;
    /// Goes on without waiting.
    [[nodiscard]] bool is_over(begun_call& one) noexcept;
    void wait_for(begun_call& one) noexcept;
    /// Calls that had to wait in line since the last call of this.
    [[nodiscard]] std::int64_t late() noexcept { return std::exchange(late_, 0); }

    [[nodiscard]] std::int64_t held() const noexcept { return plan_.held(); }

    [[nodiscard]] bool running() const noexcept override { return running_.load(std::memory_order_seq_cst); }
    [[nodiscard]] bool is_forgotten() noexcept override { return running() && !asked_.exchange(false, std::memory_order_relaxed); }
    void help(hand who) noexcept override;
    void finish() noexcept override;

private:
    enum class patience : std::uint8_t { none, waits };
    void join(begun_call& one);
    [[nodiscard]] bool first_ends(hand who, patience how);
    void end_first() noexcept;
    void end_all(std::exception_ptr const& why) noexcept;

    started_calls& all_;
    std::shared_ptr<detail::job> part_; // outlives the plan
    kept_call plan_;
    begun_call* first_ = nullptr;
    begun_call* last_ = nullptr;
    bool begun_ = false; // the first one
    std::exception_ptr broken_;
    std::int64_t late_ = 0;
    std::atomic<bool> taken_{false};
    std::atomic<bool> running_{false};
    std::atomic<bool> asked_{false};
};

} // namespace sode::internal::interpose
