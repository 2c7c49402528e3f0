// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace sode::internal {

/// `l`, moved by `by` bytes. Cost: O(pieces + parts).
[[nodiscard]] layout shifted(layout l, index_t by);
/// `count` times `l`, which is in normal form, `stride` bytes apart; in normal form. Errors: as normalised().
[[nodiscard]] layout repeated(layout l, index_t count, index_t stride);
/// The bytes [begin, end) of `l` in its order of transfer. Errors: usage, for a range that is not in it. Cost: O(loops + pieces).
[[nodiscard]] layout slice(layout const& l, index_t begin, index_t end);

/// All of `l`, which is in normal form, in slices of `bytes` bytes; the last one may be shorter. Errors: as normalised().
/// Cost: O(slices * (loops + parts)), O(pieces) for a list.
[[nodiscard]] std::vector<layout> slices(layout const& l, index_t bytes);

/// Puts layouts one after another. Small ones are gathered into lists as they come, so that an indexed type of 10^4 entries makes
/// no 10^4 layouts; a list that is long already stays a part of its own.
class layout_sequence {
public:
    /// Appends `count` times `l`, `stride` bytes apart, the first one at `offset`. `l` is in normal form. A long list is moved from
    /// its layout, else copied.
    void add(layout const& l, index_t offset, index_t count = 1, index_t stride = 0);
    void add(layout&& l, index_t offset, index_t count = 1, index_t stride = 0);
    /// Appends one block. Errors: as normalised(), also for a negative number of bytes.
    void add_block(index_t offset, index_t bytes) {
        if (is_too_large(offset, bytes)) refuse(bytes);
        if (bytes == 0) return;
        if (!pending_.empty() && pending_.back().offset + pending_.back().bytes == offset)
            pending_.back().bytes += bytes;
        else
            pending_.push_back({offset, bytes});
    }
    /// Appends `count` blocks, of length_of(0), length_of(1), … bytes at offset_of(0), … Errors: as add_block(). Cost: a few
    /// instructions a block, and no branch that depends on which of them touch: in lists of atoms or points nobody foretells that.
    template <class Length, class Offset> void add_blocks(index_t count, Length length_of, Offset offset_of);
    /// Expects that many more small entries.
    void reserve(std::size_t entries) { pending_.reserve(entries); }
    /// All of it in normal form; the sequence is empty afterwards. Errors: as normalised().
    [[nodiscard]] layout finish();

private:
    static constexpr index_t furthest = index_t{1} << 62;
    /// Beyond 2^62, or a negative number of bytes.
    [[nodiscard]] static bool is_too_large(index_t offset, index_t bytes) noexcept {
        auto const begin = static_cast<std::uint64_t>(offset) + std::uint64_t{furthest};
        auto const size = static_cast<std::uint64_t>(bytes);
        return (begin | (begin + size) | size | size << 1U) >> 63U != 0;
    }
    [[noreturn]] static void refuse(index_t bytes);
    [[nodiscard]] bool gathers(layout const& l, index_t offset, index_t count, index_t stride);
    void append(layout l, index_t offset, index_t count, index_t stride);
    void close_list();

    std::vector<layout> parts_;
    std::vector<layout::piece> pending_; ///< pieces that came after the last of the parts
};

template <class Length, class Offset> void layout_sequence::add_blocks(index_t count, Length length_of, Offset offset_of) {
    index_t i = 0;
    for (; i < count && pending_.empty(); ++i) add_block(offset_of(i), length_of(i));
    if (i >= count) return;
    pending_.reserve(pending_.size() + static_cast<std::size_t>(count - i));
    index_t begin = pending_.back().offset; // of the piece that may still grow
    index_t end = begin + pending_.back().bytes;
    pending_.pop_back();
    std::array<layout::piece, 128> closed; // goes to the list at once: a vector that grows by one keeps its end in memory
    while (i < count) {
        std::size_t n = 0;
        for (index_t const stop = std::min(count, i + static_cast<index_t>(closed.size())); i < stop; ++i) {
            index_t const offset = offset_of(i);
            index_t const bytes = length_of(i);
            if (is_too_large(offset, bytes)) refuse(bytes);
            if (bytes == 0) continue;
            closed[n] = {begin, end - begin}; // for now: the next one takes its place if this one goes on
            bool const goes_on = offset == end;
            n += goes_on ? 0 : 1;
            begin = goes_on ? begin : offset;
            end = offset + bytes;
        }
        pending_.insert(pending_.end(), closed.begin(), closed.begin() + n);
    }
    pending_.push_back({begin, end - begin});
}

} // namespace sode::internal
