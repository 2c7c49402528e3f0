// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/bootstraps.hpp"
#include "space/space.hpp"
#include "support/control.hpp"

#include <sode/bootstrap.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <sys/types.h>
#include <utility>

namespace sode::internal::bench {

/// Two ranks of one machine: rank 0 has data, rank 1 wants them. What they can reach of each other depends on how they were
/// started: everything as tasks (`sode run --space=tasks`) and as threads, a shared arena in any case.
class pair {
public:
    /// Collective. Errors: std::invalid_argument for another number of ranks.
    explicit pair(bootstrap& boot);

    [[nodiscard]] int rank() const noexcept { return boot_.rank(); }
    [[nodiscard]] bool sends() const noexcept { return rank() == 0; }
    [[nodiscard]] control& shared() noexcept { return *control_; }
    [[nodiscard]] space& memory() noexcept { return *space_; }
    /// Whether the other's private memory can be loaded directly.
    [[nodiscard]] bool reachable() const noexcept { return reachable_; }
    /// "tasks", "threads" or "processes".
    [[nodiscard]] char const* started_as() const noexcept;
    [[nodiscard]] pid_t other_pid() const noexcept { return pids_[static_cast<std::size_t>(1 - rank())]; }

    /// Collective: the addresses that both ranks give, by rank.
    [[nodiscard]] std::array<char*, 2> addresses(char* mine);
    /// Collective: `bytes` of rank 0's arena as both see them; zeroed.
    [[nodiscard]] char* common(std::size_t bytes);

    /// The first of `n` numbers of steps that nobody has had; the same on both ranks if they ask for the same.
    [[nodiscard]] std::uint64_t take_steps(std::uint64_t n) noexcept { return std::exchange(next_step_, next_step_ + n); }
    /// Tells the other that step `n` of an exchange is reached, or waits until it is. Steps only grow.
    void reached(std::uint64_t n) noexcept { steps_[rank()].value.store(n, std::memory_order_release); }
    void await(std::uint64_t n) const noexcept;

private:
    struct alignas(128) line {
        std::atomic<std::uint64_t> value;
    };

    bootstrap& boot_;
    std::unique_ptr<space> space_;
    line* steps_ = nullptr; // one a rank
    std::unique_ptr<control> control_;
    std::array<pid_t, 2> pids_{};
    bool reachable_ = false;
    std::uint64_t next_step_ = 1;
};

} // namespace sode::internal::bench
