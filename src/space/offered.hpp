// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace sode::internal {

/// Collective among ranks that are threads of one process: each offers a copy of `mine`, and takes those that `take` picks out of
/// what all offer, by rank. What `take` returns must be copies. Errors: those of bootstrap::allgather.
template <class T, class F> auto take_offered(bootstrap& boot, T mine, F const& take) {
    auto offered = std::make_unique<T>(std::move(mine));
    T const* const place = offered.get();
    std::vector<T const*> all(static_cast<std::size_t>(boot.size()));
    try {
        // NOLINTNEXTLINE(bugprone-sizeof-expression): it is the pointer that is sent
        boot.allgather(&place, sizeof place, all.data());
        auto taken = take(all);
        boot.barrier();
        return taken;
    } catch (...) {
        static_cast<void>(offered.release()); // others may be copying it at this moment
        throw;
    }
}

/// What `rank` offers.
template <class T> T offered_by(bootstrap& boot, int rank, T mine) {
    return take_offered(boot, std::move(mine), [&](auto const& all) { return *all[static_cast<std::size_t>(rank)]; });
}

} // namespace sode::internal
