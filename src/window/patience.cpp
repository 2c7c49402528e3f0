// SPDX-License-Identifier: Apache-2.0
#include "window/patience.hpp"

#include "base/warn.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::internal::windows {

std::string patience::peer_name() const {
    return peer_ < 0 ? "other ranks" : fmt::format("rank {}", job_.ranks->job_rank(peer_));
}

void patience::look_after(int rank) {
    if (rank == job_.boot->rank() || !job_.memory->contains(rank)) return;
    auto const how = job_.alive->departed(job_.ranks->job_rank(rank));
    if (!how) return;
    throw error{error_kind::peer, fmt::format("rank {} has terminated: {}", job_.ranks->job_rank(rank), *how),
                fmt::format("this rank waited for that rank in {}", doing_), "look at the output of that rank"};
}

void patience::look() {
    if (peer_ >= 0)
        look_after(peer_);
    else
        for (int r = 0; r < job_.boot->size(); ++r) look_after(r);
    double const elapsed = waiter_.elapsed();
    auto const& limits = job_.waiting;
    if (limits.timeout_s > 0 && elapsed > limits.timeout_s)
        throw error{error_kind::timeout, fmt::format("this rank waited {:.1f} s for {} in {}", elapsed, peer_name(), doing_),
                    fmt::format("SODE_TIMEOUT is {} s", limits.timeout_s), "check what the other ranks do, or raise SODE_TIMEOUT"};
    if (limits.warn_s <= 0 || elapsed <= limits.warn_s || warned_) return;
    warned_ = true;
    warn(fmt::format("this rank has waited {:.0f} s for {} in {}", elapsed, peer_name(), doing_));
}

} // namespace sode::internal::windows
