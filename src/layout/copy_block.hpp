// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"

namespace sode::internal {

/// What compile() makes of bytes that lie together at both ends, without a look at layouts. Errors: those of contiguous().
[[nodiscard]] copy_program compile_block(index_t bytes);

} // namespace sode::internal
