// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/plan.hpp"

#include <vector>

namespace sode {

/// A copy between a user array and something else, before it becomes a descriptor.
struct array_copy {
    copy_program program;
    buffer array;
};

/// Fuses copies in pairs that touch the same array with short rows of the same shape: the low and the high face of a strided
/// dimension lie in the same cache lines (periodic 64^3: 8.2 -> 6.0 us).
[[nodiscard]] std::vector<array_copy> with_twins_fused(std::vector<array_copy> list);

} // namespace sode
