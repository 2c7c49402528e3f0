// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_header.hpp"
#include "layout/layout.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sode::internal {

/// A pair of layouts compiled into loops around a block or a list: position-independent (base addresses are given to `run`),
/// immutable once made, cheap to cache and to copy, since copies and parts share their table. Everything that moves bytes inside a
/// machine runs one of these: halos, datatypes, collectives, packing. What it means is said by for_each_row() (copy_rows.hpp).
///
/// The order in which a program visits its bytes is its own business: source and target of a run must not overlap.
struct copy_program : copy_view {
    /// The entries, if the program has a table of that kind; else none.
    [[nodiscard]] std::span<segment const> segments() const noexcept { return entries_of<segment>(copy_encoding::segments); }
    [[nodiscard]] std::span<hop const> hops() const noexcept { return entries_of<hop>(copy_encoding::hops); }
    [[nodiscard]] std::span<place const> places() const noexcept {
        return entries_of<place>(encoding == copy_encoding::scatter ? copy_encoding::scatter : copy_encoding::gather);
    }

    /// Gives the program a table, in place of the one that it has. Its kernel and bytes are the caller's affair.
    void set_table(std::vector<segment> all) { keep(copy_encoding::segments, std::move(all)); }
    void set_table(std::vector<hop> all) { keep(copy_encoding::hops, std::move(all)); }
    void set_table(copy_encoding gather_or_scatter, std::vector<place> all) { keep(gather_or_scatter, std::move(all)); }
    /// Leaves the entries [begin, end) in the table; other programs with the same table keep theirs.
    void take_entries(index_t begin, index_t end) noexcept;

private:
    template <class T> [[nodiscard]] std::span<T const> entries_of(copy_encoding kind) const noexcept {
        if (encoding != kind) return {};
        return {static_cast<T const*>(table), static_cast<std::size_t>(entries)};
    }
    template <class T> void keep(copy_encoding kind, std::vector<T> all) {
        auto const kept = std::make_shared<std::vector<T> const>(std::move(all));
        encoding = kind;
        table = kept->data();
        entries = static_cast<index_t>(kept->size());
        keeps_ = kept;
    }

    std::shared_ptr<void const> keeps_;
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

using copy_kernel = void (*)(copy_view const&, std::byte* target, std::byte const* source) noexcept;
/// The kernels for this processor, indexed by copy_header::kernel; the same table during the life of the process. Whoever runs a
/// program often looks its kernel up once, where it binds the program to this process.
[[nodiscard]] copy_kernel const* copy_kernels() noexcept;
/// A byte-by-byte kernel: slow and obviously right; what `reference` uses.
void run_reference(copy_view const& p, std::byte* target, std::byte const* source) noexcept;
/// The same copy, but by that kernel whenever it is run.
[[nodiscard]] copy_program by_reference(copy_program p) noexcept;

inline void run(copy_view const& p, std::byte* target, std::byte const* source) noexcept {
    copy_kernels()[p.kernel](p, target, source);
}

} // namespace sode::internal
