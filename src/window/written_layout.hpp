// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sode::internal::windows {

/// A layout as numbers, for a letter.
[[nodiscard]] std::vector<std::int64_t> written(layout const& l);
/// The layout that was written so. Errors: internal, if it was none.
[[nodiscard]] layout read_layout(std::span<std::int64_t const> words);

} // namespace sode::internal::windows
