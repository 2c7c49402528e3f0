// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/triggered/dma_chain.hpp"

#include <string>

namespace sode::internal {

/// What is wrong with a chain that is to move what `p` moves; empty: nothing. verify() proves that the plan delivers each byte once
/// and in its place; with this, so does what an interface executes. Cost: O(rows).
[[nodiscard]] std::string wrong_in_chain(copy_view const& p, std::span<dma_descriptor const> chain);

} // namespace sode::internal
