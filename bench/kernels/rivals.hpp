// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"

namespace sode::internal::bench {

/// Two nested loops over memcpy of a block: what generic code does. For programs of at most two loops.
void memcpy_blocks(copy_program const& p, std::byte* target, std::byte const* source);
/// Two nested loops over doubles, as a user writes them for this very array. For blocks of 8 bytes at strides of whole doubles.
void double_loops(copy_program const& p, std::byte* target, std::byte const* source);

} // namespace sode::internal::bench
