// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/expense.hpp"
#include "layout/layout.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sode::internal {

/// A line of explain(): what was chosen for an edge, what it should cost, and what the runner-up would have cost.
struct edge_note {
    std::int32_t peer = -1;
    std::array<std::int8_t, max_dims> direction{};
    std::uint8_t dims = 0;
    std::uint8_t field = 0;
    pattern kind = pattern::contiguous;
    std::int64_t rows = 0;
    std::int64_t row_bytes = 0;
    std::string_view chosen; ///< a name with static storage: "pull", "stage", …
    expense expected{};
    std::string_view runner_up;
    expense instead{};         ///< what the runner-up would have cost
    std::int64_t segments = 0; ///< in which the bytes cross a bus; 0: they are not cut
    bool forced = false;
    bool shared = true;   ///< the target could load the source's array
    bool outside = false; ///< no edge: a side on which the domain ends
};

/// What is said of a plan: nothing depends on it.
struct annotations {
    std::vector<edge_note> notes;
};

} // namespace sode::internal
