// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"

#include <optional>

namespace sode::internal {

/// The nest that visits exactly these pieces in this order; nullopt if there is none. `pieces` is not empty, no piece is empty,
/// and adjacent pieces are merged (as `expand` does). Cost: O(pieces).
[[nodiscard]] std::optional<layout> nest_of_list(std::vector<layout::piece> const& pieces);

} // namespace sode::internal
