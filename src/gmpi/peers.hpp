// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/departures.hpp"
#include "gmpi/reachable.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace sode::internal::kernels {

/// The other ranks, and this one, as a manager reaches them.
struct peer {
    peer(std::unique_ptr<frame_link> by, gmpi::memory& memory, goal_keeper& tells)
        : link(std::move(by)), leaving(*link, memory, tells) {}

    std::unique_ptr<frame_link> link;
    departures leaving;
    bool gone = false;
};

struct peers {
    std::vector<std::unique_ptr<peer>> all;
    reachable memory;

    [[nodiscard]] peer& operator[](int rank) { return *all[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] int size() const noexcept { return static_cast<int>(all.size()); }
};

} // namespace sode::internal::kernels
