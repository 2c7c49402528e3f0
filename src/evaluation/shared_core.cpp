// SPDX-License-Identifier: Apache-2.0
#include "evaluation/shared_core.hpp"

#include <algorithm>
#include <cmath>

namespace sode::internal {

double shared_core::turn(int rank, double time) const noexcept {
    constexpr double no_time = 1e-3; // nanoseconds: less is nothing, and its turns could not be counted
    if (ranks_ == 1 || yield_ <= no_time) return std::max(time, since_);
    // Since then the core has gone round, and will: the rank that gave it up has it again after all others.
    double const least = fresh_ ? 0 : 1;
    double yields = std::max(std::ceil((time - since_) / yield_), least);
    auto const has_it = (holder_ + static_cast<std::int64_t>(yields)) % ranks_;
    yields += static_cast<double>((rank - has_it + ranks_) % ranks_);
    return std::max(since_ + yields * yield_, time);
}

} // namespace sode::internal
