// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/wait.hpp"
#include "model/job.hpp"

#include <string>

namespace sode::internal::windows {

/// One wait for other ranks, which ends: `patience p{…}; while (!ready()) p.wait();`
class patience {
public:
    /// `peer`: who is waited for; negative: any. `doing`: "a get from window \"a\"". Both outlive this.
    /// `asks`: it looks by asking another machine, which is not done in a spin.
    patience(detail::job& j, int peer, std::string const& doing, bool asks = false)
        : job_(j), peer_(peer), doing_(doing), policy_(j.waiting), waiter_(policy_) {
        if (asks) policy_.spins = 0;
    }
    patience(patience const&) = delete;
    patience& operator=(patience const&) = delete;

    /// A moment. Errors: peer, if a rank of this machine that is waited for has left; timeout.
    void wait() {
        if (waiter_.step()) look();
    }

private:
    void look();
    void look_after(int rank);
    [[nodiscard]] std::string peer_name() const;

    detail::job& job_;
    int peer_;
    std::string const& doing_;
    wait_policy policy_;
    waiter waiter_;
    bool warned_ = false;
};

} // namespace sode::internal::windows
