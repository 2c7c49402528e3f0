// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"

namespace sode::internal {

/// From here on offsets and sizes are refused: sums of two never overflow.
inline constexpr index_t longest_span = index_t{1} << 62;
[[noreturn]] void layout_too_large();

/// Appends a piece; one that begins where the last one ended makes that longer.
inline void append_piece(std::vector<layout::piece>& pieces, index_t offset, index_t bytes) {
    if (bytes == 0) return;
    if (!pieces.empty() && pieces.back().offset + pieces.back().bytes == offset)
        pieces.back().bytes += bytes;
    else
        pieces.push_back({offset, bytes});
}

/// The loops `outer` around `body`, which is in normal form. Errors: as normalised().
[[nodiscard]] layout with_loops(std::vector<layout::loop> outer, layout body);
/// The normal form of a list whose adjacent pieces are merged. Errors: as normalised().
[[nodiscard]] layout normal_list(std::vector<layout::piece> pieces);
/// The normal form of a sequence of parts that are in normal form and not empty. Errors: as normalised().
[[nodiscard]] layout normal_sequence(std::vector<layout> parts);

} // namespace sode::internal
