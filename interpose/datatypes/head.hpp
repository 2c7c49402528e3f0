// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"

#include <cstddef>
#include <span>

namespace sode::internal::interpose {

/// The first `head.size()` bytes of a message that lies in `buffer` by `form`, in the order of transfer; as many as there are.
/// Returns their number. Cost: O(depth + blocks that are read).
std::size_t read_head(layout const& form, std::byte const* buffer, std::span<std::byte> head);

} // namespace sode::internal::interpose
