// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/section.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace sode::internal {

/// Where a set of bytes lies relative to some base address, in a definite order: a nest of loops over a body, which is a block of
/// contiguous bytes, or a list of blocks, or a sequence of layouts. The order is the order of transfer: two layouts of equal size
/// can be copied onto each other.
///
/// Normal form (what the factories and `normalised` give): no loop of count 1, no loop that only continues its inner one; a list
/// only where no nest says the same, and as short as its period allows; a sequence only of what is neither; its offset is that of
/// its list or parts; no bytes at all is `layout{}`. Equal byte sequences that some nest describes have equal normal forms, however
/// they were given; for lists and sequences that holds only of equal lists and sequences. Sources: the symbolic canonicalisation of
/// TEMPI (Pearson et al., HPDC 2021), decision 13.
struct layout {
    struct loop {
        index_t count = 1;
        index_t stride = 0; ///< bytes between iterations, may be negative
        friend bool operator==(loop const&, loop const&) = default;
    };
    struct piece {
        index_t offset = 0;
        index_t bytes = 0;
        friend bool operator==(piece const&, piece const&) = default;
    };

    index_t offset = 0;          ///< bytes from the base to the first byte of the body, or to the base of its list or parts
    index_t block = 0;           ///< a nest: contiguous bytes in the innermost position
    std::vector<loop> loops;     ///< outermost first
    std::vector<piece> list;     ///< non-empty: the body is this list, block is unused
    std::vector<layout> parts{}; ///< non-empty: the body is this sequence, block and list are unused

    [[nodiscard]] index_t bytes() const noexcept;
    [[nodiscard]] bool indexed() const noexcept { return !list.empty(); }
    /// Whether the body is a block.
    [[nodiscard]] bool is_nest() const noexcept { return list.empty() && parts.empty(); }
    /// Lowest byte and one past the highest byte, relative to the base; {0, 0} without bytes.
    [[nodiscard]] std::pair<index_t, index_t> extent() const noexcept;
    /// Number of blocks that a walk meets. Cost: O(loops + parts).
    [[nodiscard]] index_t blocks() const noexcept;
    friend bool operator==(layout const&, layout const&) = default;
};

/// `bytes` contiguous bytes at `offset`. Errors: usage, for a negative size.
[[nodiscard]] layout contiguous(index_t offset, index_t bytes);
/// The elements `s` (in row-major order of `s`) of an array whose element (0,…,0) is at the base and whose dimension d has
/// `strides[d]` bytes between neighbours; elements have `element` bytes. Cost: O(dims).
[[nodiscard]] layout of_section(section const& s, std::array<index_t, max_dims> const& strides, index_t element);
/// The same bytes in normal form. Errors: usage, for negative counts or sizes, or a layout that spans 2^62 bytes or more.
/// Cost: O(loops), and O(pieces) for a list, O(parts log parts) for a sequence; loops are never expanded.
[[nodiscard]] layout normalised(layout l);
/// Byte `offset`s of all blocks, in order, adjacent ones merged. For tests, and for pairs that no common nest describes.
/// Cost: O(blocks).
[[nodiscard]] std::vector<layout::piece> expand(layout const& l);

/// How memory is met, read off row count, block length and gap (paper P0, section 4).
enum class pattern : std::uint8_t {
    contiguous,    ///< one row
    block_strided, ///< rows of at least 48 bytes: worth a direct copy row by row
    strided,       ///< short rows
    indexed        ///< a list
};

/// What the chooser wants to know about a layout.
struct shape {
    pattern kind = pattern::contiguous;
    index_t rows = 0;      ///< number of contiguous runs
    index_t row_bytes = 0; ///< bytes of one run (the average for a list)
    index_t pitch = 0; ///< bytes between the starts of neighbouring rows (innermost loop), never negative; 0: one row, or a list
    double line_density = 1; ///< useful bytes per byte of touched 64-byte cache lines, (0, 1]
    index_t bytes = 0;
    std::pair<index_t, index_t> extent{}; ///< layout::extent()
};
/// Errors: as normalised(). Cost: O(loops) for a nest (in closed form; an estimate only where loops interleave), O(n log n) for
/// a list of n pieces.
[[nodiscard]] shape classify(layout const& given);
/// The same of a layout that is in normal form already.
[[nodiscard]] shape classify_normal(layout const& l);
[[nodiscard]] std::string_view to_string(pattern p);

} // namespace sode::internal
