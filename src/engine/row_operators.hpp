// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/reduction.hpp"

#include <cstddef>
#include <cstdint>

namespace sode::internal {

/// target[i] = first[i] op second[i], for `bytes` / size_of(element) elements. `target` may be `first` or `second`; otherwise they
/// do not overlap. No alignment is needed. `first` is what comes from the lower rank: of equal values with locations the one with
/// the lower location remains, whichever comes first.
using row_function = void (*)(std::byte* target, std::byte const* first, std::byte const* second, std::size_t bytes) noexcept;

/// The function for a combiner, or null if it means nothing. Meant to be looked up when a plan is bound.
[[nodiscard]] row_function combining(std::uint32_t combiner) noexcept;

/// target[i] = -second[i]; `first` is not looked at. Null for elements without a sign (booleans, and what has locations).
[[nodiscard]] row_function negating(element type) noexcept;

} // namespace sode::internal
