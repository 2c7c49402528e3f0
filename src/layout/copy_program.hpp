// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"
#include "layout/shared_list.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace sode {

/// A pair of layouts compiled into one loop nest: position-independent (base addresses are given to `run`), immutable, cheap to
/// cache. Everything that moves bytes inside a node runs one of these: halos, datatypes, collectives, packing.
///
/// The order in which a program visits its bytes is its own business: source and target of a run must not overlap.
struct copy_program {
    struct loop {
        index_t count = 1;
        index_t src_stride = 0;
        index_t dst_stride = 0;
        friend bool operator==(loop const&, loop const&) = default;
    };
    struct segment {
        index_t src = 0;
        index_t dst = 0;
        index_t bytes = 0;
    };

    /// A segment of a compact list.
    struct hop {
        std::int32_t src = 0;
        std::int32_t dst = 0;
    };

    std::uint8_t kernel = 0; ///< index into the kernel table, chosen by compile(); 0 does nothing
    std::uint8_t loop_count = 0;
    std::uint8_t tile_outer = 0; ///< tiled kernels: iterations of the last but one loop in a tile,
    std::uint8_t tile_inner = 0; ///< and of the last one
    index_t src_offset = 0;
    index_t dst_offset = 0;
    index_t block = 0;             ///< bytes of the innermost contiguous copy; of a list: of all segments, 0 if they differ
    loop loops[max_dims + 1];      ///< outermost first; a plain array, because kernels must do without std:: (copy_kernels.hpp)
    std::vector<segment> segments; ///< non-empty: a list, relative to the offsets (in what compile() gives: 0, and no loops)
    shared_list<hop> hops{};       ///< non-empty: a list of segments of `block` bytes, relative to the offsets, in loops
    /// Non-empty: the same where one side goes on by a fixed step; the places are those of the other side.
    shared_list<std::int32_t> places{};
    index_t place_step = 0;
    bool places_in_source = false;
    index_t twin_src = 0; ///< a second copy of the same shape at this distance, interleaved row by row
    index_t twin_dst = 0;
    bool twin = false;
    index_t bytes = 0; ///< moved in one run (twins counted)
};

/// Compiles `source` -> `target`. Throws error{usage} when the byte counts differ, or a target overlaps itself.
/// Cost: O(loops) for nests with a common refinement, O(blocks log blocks) else.
[[nodiscard]] copy_program compile(layout const& source, layout const& target);
[[nodiscard]] copy_program compile_pack(layout const& source);   ///< to contiguous bytes at the target base
[[nodiscard]] copy_program compile_unpack(layout const& target); ///< from contiguous bytes at the source base

/// Two programs of equal loops and block as one that alternates between them row by row (low and high halo of a strided
/// dimension touch the same cache lines). nullopt if the shapes differ, or for lists. The targets must not overlap.
[[nodiscard]] std::optional<copy_program> fuse(copy_program const& a, copy_program const& b);

/// At most `parts` programs that together do what `p` does; the chunks share no 64-byte line of a 64-byte aligned target, as far
/// as the shape allows (decision 13: shared lines cost 10x): rather fewer chunks than a line for two.
/// Errors: usage, for parts < 1. Cost: O(parts * loops), O(n) for a list of n segments (O(n log n) where they lie in crowds).
[[nodiscard]] std::vector<copy_program> split(copy_program const& p, int parts);

using copy_kernel = void (*)(copy_program const&, std::byte* target, std::byte const* source) noexcept;
/// The kernels for this processor, indexed by copy_program::kernel; the same table during the life of the process.
[[nodiscard]] copy_kernel const* copy_kernels() noexcept;
/// A byte-by-byte kernel: slow and obviously right; what `reference` uses.
void run_reference(copy_program const& p, std::byte* target, std::byte const* source) noexcept;
/// The same copy, but by that kernel whenever it is run.
[[nodiscard]] copy_program by_reference(copy_program p) noexcept;

inline void run(copy_program const& p, std::byte* target, std::byte const* source) noexcept {
    copy_kernels()[p.kernel](p, target, source);
}

} // namespace sode
