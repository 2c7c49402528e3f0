// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/goal.hpp"

#include <sode/error.hpp>

#include <deque>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sode::internal::kernels {

/// What was planned once, as a kernel starts it.
struct startable {
    std::function<void()> start;
    std::function<bool()> test; ///< true: it is over
    std::function<void()> end;  ///< after that: wait()
};

/// Plans that kernels have started. A plan belongs to the rank's thread, so that one alone runs them.
class started_plans {
public:
    explicit started_plans(goal_keeper& tells) : tells_(tells) {}

    std::uint32_t add(startable p) {
        all_.push_back({std::move(p), {}, false, false});
        return static_cast<std::uint32_t>(all_.size()) - 1;
    }
    [[nodiscard]] bool has(std::uint32_t number) const noexcept { return number < all_.size(); }
    void start(std::uint32_t number, goal const& whose);
    [[nodiscard]] bool idle() const noexcept { return under_way_ == 0; }
    /// Some steps, on the rank's thread. True if anything happened.
    bool carry();
    /// What was thrown, if anything: for the rank's thread.
    [[nodiscard]] std::exception_ptr failure() const noexcept { return failure_; }

private:
    struct one {
        startable plan;
        goal whose;
        bool wanted;
        bool running;
    };
    void step(one& p);
    void end(one& p, code how);

    goal_keeper& tells_;
    std::deque<one> all_;
    std::size_t under_way_ = 0;
    std::exception_ptr failure_;
};

} // namespace sode::internal::kernels
