// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>

namespace sode::internal {

/// First-fit allocation with coalescing over the offsets [0, size). It touches no memory of the arena: the bookkeeping is private,
/// so a stray store of the program cannot corrupt it, and peers cannot either.
///
/// It also knows which *granules* (pages, or huge pages) come into use with a block and fall out of use with its release. Both
/// follow from the hole around the block: a granule that lies wholly in a hole is in nobody's use.
class arena {
public:
    static constexpr std::uint64_t alignment = 128;

    struct range {
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
        [[nodiscard]] std::uint64_t end() const noexcept { return offset + bytes; }
    };
    struct block {
        range place;    ///< a multiple of `alignment`, in offset and length
        range granules; ///< whole granules that no live block used before; empty if there are none
    };

    /// `bytes` and `granule` in bytes; `granule` is a power of two, `bytes` a multiple of it.
    arena(std::uint64_t bytes, std::uint64_t granule);

    /// Room for `bytes` bytes (an empty block has an address of its own, too), or nothing. Cost: linear in the number of live
    /// blocks.
    [[nodiscard]] std::optional<block> take(std::uint64_t bytes);

    /// Ends the life of the block that take(bytes) placed at `offset`. Returns the granules that nobody uses any more.
    /// Allocates nothing. Errors: internal, if there is no such block.
    range give(std::uint64_t offset, std::uint64_t bytes);

    /// The live block that holds the byte at `offset`; empty, if there is none.
    [[nodiscard]] range block_at(std::uint64_t offset) const noexcept;

    [[nodiscard]] std::uint64_t size() const noexcept { return bytes_; }
    [[nodiscard]] std::uint64_t in_use() const noexcept { return in_use_; }
    [[nodiscard]] std::uint64_t largest_hole() const noexcept;

private:
    struct extent {
        std::uint64_t bytes;
        bool live;
    };

    /// The granules that touch `place` and lie in `hole`.
    [[nodiscard]] range unused_granules(range place, range hole) const noexcept;

    std::uint64_t bytes_;
    std::uint64_t granule_;
    std::uint64_t in_use_ = 0;
    std::map<std::uint64_t, extent> extents_; ///< by offset; they tile [0, bytes_), and no two neighbours are holes
};

} // namespace sode::internal
