// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace sode {

/// A signed integer of 64 bits, for array indices, extents and byte counts.
using index_t = std::int64_t;

/// The maximum number of dimensions of an array (XcalableMP allows 7).
inline constexpr int max_dims = 7;

} // namespace sode
