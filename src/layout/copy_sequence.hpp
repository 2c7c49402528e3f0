// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"

#include <vector>

namespace sode::internal {

/// Programs that together copy one layout onto another. They write disjoint bytes, so they may run in any order and on any
/// processor. Position-independent and immutable, as each of them is.
struct copy_sequence {
    std::vector<copy_program> steps;
    index_t bytes = 0;
};

/// What compile() must know of the target: whether somebody has proven, or promised, that no byte of it is written twice.
enum class target_overlap : std::uint8_t {
    refused, ///< looked for, and an error: costs a walk over the blocks of lists and of interleaved parts
    excluded ///< the caller knows that there is none (MPI forbids it in a receive), else the last one of any order wins
};

/// `source` -> `target` for any two layouts in normal form of equally many bytes. Where they repeat in step (nests, lists in loops,
/// sequences of those) the programs loop over one period, however large the counts; the rest is walked block by block. Errors:
/// usage, for differing sizes; and for a target that overlaps itself, where that is refused. Cost: O(loops + list entries + parts)
/// where the periods meet, O(blocks) else (see `blocks_to_walk`).
[[nodiscard]] copy_sequence compile_sequence(layout const& source, layout const& target,
                                             target_overlap overlap = target_overlap::refused);

/// At most about `parts` sequences that together do what `s` does, none of which writes a 64-byte line that another one writes (of
/// a 64-byte aligned target, where the shape allows): two processors can take them from both ends. Cost: O(parts + entries).
[[nodiscard]] std::vector<copy_sequence> split(copy_sequence const& s, int parts);

inline void run(copy_sequence const& s, std::byte* target, std::byte const* source) noexcept {
    for (copy_program const& p : s.steps) run(p, target, source);
}

/// One stretch of a layout's bytes, in the order of transfer, with the programs that move it to and from contiguous memory.
struct packed_chunk {
    index_t begin = 0; ///< byte in the order of transfer
    index_t bytes = 0;
    copy_sequence program; ///< between the layout and `bytes` contiguous bytes at the other base
};

/// The layout, which is in normal form, in stretches of `bytes` (the last one may be shorter): what is packed and sent piece by
/// piece. Every chunk can be run by itself, so packing can stop and go on anywhere. Errors: usage, for bytes < 1.
/// Cost: O(chunks * (loops + parts)), O(entries) for a list.
[[nodiscard]] std::vector<packed_chunk> pack_chunks(layout const& l, index_t bytes);
[[nodiscard]] std::vector<packed_chunk> unpack_chunks(layout const& l, index_t bytes);

} // namespace sode::internal
