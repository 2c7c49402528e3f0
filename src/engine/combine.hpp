// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/row_operators.hpp"
#include "layout/copy_program.hpp"

namespace sode::internal {

/// target = first op source, for all rows that `p` would copy; they hold whole elements, and those of `first` lie as those of the
/// target do. A negation takes the source alone.
void run(row_function f, copy_program const& p, std::byte* target, std::byte const* first, std::byte const* source) noexcept;

} // namespace sode::internal
