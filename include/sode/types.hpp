// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace sode {

/// A global or local array index, an extent, or a byte count that may be negative. Always 64 bits.
using index_t = std::int64_t;

/// The maximum number of dimensions of an array (XcalableMP allows 7).
inline constexpr int max_dims = 7;

} // namespace sode
