// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"

#include <cstddef>
#include <vector>

namespace sode::internal {

/// What a copy engine moves at one go: planes of rows of equal length (cudaMemcpy3D; the block-stride transfers of PEACH2, paper
/// P0). A row is not longer than the pitch of rows, and a plane is a whole number of pitches, at least as many as it has rows.
struct copy_box {
    struct side {
        std::size_t pitch = 0;           ///< from row to row, in bytes
        std::size_t rows_of_a_plane = 0; ///< from plane to plane, in pitches
    };
    std::byte* target = nullptr;
    std::byte const* source = nullptr;
    std::size_t row_bytes = 0, rows = 1, planes = 1;
    side to{}, from{};

    /// Row `r` of plane `p`.
    [[nodiscard]] std::byte* target_of(std::size_t p, std::size_t r) const noexcept {
        return target + (p * to.rows_of_a_plane + r) * to.pitch;
    }
    [[nodiscard]] std::byte const* source_of(std::size_t p, std::size_t r) const noexcept {
        return source + (p * from.rows_of_a_plane + r) * from.pitch;
    }
    [[nodiscard]] bool fits() const noexcept {
        auto const each = [&](side const& s) { return s.pitch >= row_bytes && s.rows_of_a_plane >= rows; };
        return each(to) && each(from);
    }
};

/// How many boxes a copy program comes to; 0: it is a list.
[[nodiscard]] std::size_t box_count(copy_view const& p) noexcept;
/// The boxes that a copy program comes to between these two bases; none, if they are more than `most` or it is a list.
[[nodiscard]] std::vector<copy_box> boxes_of(copy_view const& p, std::byte* target, std::byte const* source, std::size_t most);

} // namespace sode::internal
