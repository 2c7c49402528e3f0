// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

#include <cstddef>
#include <cstdint>

namespace sode::internal {

/// How a copy program writes down what one iteration of its loops moves.
enum class copy_encoding : std::uint8_t {
    block,    ///< copy_header::block contiguous bytes; no table
    segments, ///< a table of copy_header::segment, of any sizes
    hops,     ///< a table of copy_header::hop: segments of `block` bytes each
    gather,   ///< a table of 32-bit places in the source, of `block` bytes each; the target goes on by `place_step`
    scatter   ///< the same, places in the target; the source goes on
};

/// What a copy program is but for its table: plain data without a pointer, the same for all processors. Loops around a block or the
/// entries of a table.
struct copy_header {
    struct loop {
        index_t count = 1;
        index_t src_stride = 0;
        index_t dst_stride = 0;
        friend bool operator==(loop const&, loop const&) = default;
    };
    /// Offsets of entries are relative to where their iteration begins.
    struct segment {
        index_t src = 0;
        index_t dst = 0;
        index_t bytes = 0;
    };
    struct hop {
        std::int32_t src = 0;
        std::int32_t dst = 0;
    };
    using place = std::int32_t;

    copy_encoding encoding = copy_encoding::block;
    std::uint8_t kernel =
        0; ///< which of the kernels that every processor has (copy_kernels.hpp): a matter of shape; 0 does nothing
    std::uint8_t loop_count = 0;
    std::uint8_t tile_outer = 0; ///< tiled kernels: iterations of the last but one loop in a tile,
    std::uint8_t tile_inner = 0; ///< and of the last one
    bool twin = false; ///< a second copy of the same shape, interleaved row by row, at the distances twin_src and twin_dst
    std::uint16_t reserved = 0;
    index_t src_offset = 0;
    index_t dst_offset = 0;
    index_t block = 0;        ///< bytes of the innermost contiguous copy; of segments: of all of them, 0 if they differ
    loop loops[max_dims + 1]; ///< outermost first; a plain array, because kernels must do without std:: (copy_kernels.hpp)
    index_t place_step = 0;
    index_t twin_src = 0;
    index_t twin_dst = 0;
    index_t entries = 0; ///< of the table
    index_t bytes = 0;   ///< moved in one run (twins counted)
};

/// Bytes of one entry of a table.
[[nodiscard]] constexpr std::size_t entry_bytes(copy_encoding e) noexcept {
    switch (e) {
    case copy_encoding::block: return 0;
    case copy_encoding::segments: return sizeof(copy_header::segment);
    case copy_encoding::hops: return sizeof(copy_header::hop);
    case copy_encoding::gather:
    case copy_encoding::scatter: return sizeof(copy_header::place);
    }
    return 0;
}

/// A copy program wherever its table lies: what kernels and for_each_row() read. Owns nothing.
struct copy_view : copy_header {
    void const* table = nullptr;
};

} // namespace sode::internal
