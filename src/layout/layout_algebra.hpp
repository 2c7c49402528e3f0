// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"

namespace sode {

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
        if (offset <= -furthest || offset >= furthest || bytes < 0 || bytes >= furthest) refuse(bytes);
        if (bytes == 0) return;
        if (!pending_.empty() && pending_.back().offset + pending_.back().bytes == offset)
            pending_.back().bytes += bytes;
        else
            pending_.push_back({offset, bytes});
    }
    /// Expects that many more small entries.
    void reserve(std::size_t entries) { pending_.reserve(entries); }
    /// All of it in normal form; the sequence is empty afterwards. Errors: as normalised().
    [[nodiscard]] layout finish();

private:
    static constexpr index_t furthest = index_t{1} << 62;
    [[noreturn]] static void refuse(index_t bytes);
    [[nodiscard]] bool gathers(layout const& l, index_t offset, index_t count, index_t stride);
    void append(layout l, index_t offset, index_t count, index_t stride);
    void close_list();

    std::vector<layout> parts_;
    std::vector<layout::piece> pending_; ///< pieces that came after the last of the parts
};

} // namespace sode
