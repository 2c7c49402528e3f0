// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_header.hpp"

namespace sode::internal {

/// Bytes of the block that flatten() writes: a multiple of 8.
[[nodiscard]] std::size_t flat_bytes(copy_view const& p) noexcept;

/// Writes a program as one block of plain data, its header and then its table, which means the same wherever it is copied: to
/// another process, to a device, to a file for machines of the same byte order. `block` is aligned to 8 bytes.
void flatten(copy_view const& p, std::byte* block) noexcept;

/// The program in such a block, which must stay where it is while the view is in use. Aligned to 8 bytes.
[[nodiscard]] copy_view view_of_flat(std::byte const* block) noexcept;

} // namespace sode::internal
