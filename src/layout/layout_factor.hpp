// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"

#include <optional>
#include <vector>

namespace sode::internal {

/// A layout taken apart: the loops outside, and what is inside of them.
struct factored {
    std::vector<layout::loop> loops;
    layout inner;
};

/// `l`, which is in normal form, as loops around something of `period` bytes; nullopt if it has none (a loop, or the block, would
/// have to be cut in unequal parts, or the body is longer). Cost: O(loops).
[[nodiscard]] std::optional<factored> factor(layout const& l, index_t period);

} // namespace sode::internal
