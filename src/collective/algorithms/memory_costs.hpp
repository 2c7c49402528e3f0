// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/collective_terms.hpp"

#include <algorithm>

namespace sode::internal {

/// What steps within a machine cost the core that makes them. Nanoseconds.
class memory_costs {
public:
    memory_costs(collective_terms const& t, distance apart) noexcept
        : pair_(t.costs.of(apart).memory),
          local_byte_(t.bytes() > t.costs.cache_bytes ? t.costs.local_byte_big : t.costs.local_byte) {}

    /// A copy within the own cache.
    [[nodiscard]] double local(double bytes) const noexcept { return bytes * local_byte_; }
    /// A copy to a stage that others have read: its lines come back from their caches.
    [[nodiscard]] double shown(double bytes) const noexcept { return bytes * std::max(pair_.stream_byte, local_byte_); }
    /// Bytes that others have written.
    [[nodiscard]] double read(double bytes) const noexcept { return bytes * pair_.stream_byte; }
    /// Combining `contributions` of `bytes`, beyond reading those of others: in each step what was combined so far is read, and
    /// the result is written.
    [[nodiscard]] double combined(int contributions, double bytes) const noexcept {
        return contributions > 1 ? (contributions - 1) * bytes * local_byte_ : 0;
    }
    [[nodiscard]] double flag() const noexcept { return pair_.flag; }
    [[nodiscard]] double row() const noexcept { return pair_.row; }

private:
    pair_costs pair_;
    double local_byte_;
};

} // namespace sode::internal
