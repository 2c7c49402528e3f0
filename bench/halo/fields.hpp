// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halo/geometry.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sode::internal::bench {

/// The arrays of one rank, wherever they lie, and the values that they should have: every element's value follows from its global
/// index, its field and the round.
class fields {
public:
    /// `base`: the first allocated element of each field. `strides`: in elements, strides[2] = 1.
    fields(rank_block const& b, std::vector<double*> base, extent3 const& strides);

    [[nodiscard]] rank_block const& where() const noexcept { return *block_; }
    [[nodiscard]] int count() const noexcept { return static_cast<int>(base_.size()); }
    [[nodiscard]] double* base(int field) const noexcept { return base_[static_cast<std::size_t>(field)]; }
    [[nodiscard]] extent3 const& strides() const noexcept { return strides_; }

    /// The owned layers that neighbours receive, or everything that is owned.
    void rewrite(std::uint64_t round, bool everything);
    void poison();
    /// Reads everything that the exchange of `round` must have delivered; an older round's value is a mismatch as well.
    [[nodiscard]] long mismatches(std::uint64_t round) const;

private:
    [[nodiscard]] double* row(int field, std::int64_t x, std::int64_t y) const noexcept;
    void write(box const& b, std::uint64_t round);

    rank_block const* block_;
    std::vector<double*> base_;
    extent3 strides_;
    std::vector<box> edges_, halos_;
};

/// Where the fields of a block lie within one piece of memory: page-aligned, then staggered, so that equal fields do not fight for
/// the same cache sets.
class field_memory {
public:
    explicit field_memory(rank_block const& b) noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept;
    [[nodiscard]] std::ptrdiff_t pitch() const noexcept { return pitch_; } ///< bytes from one field to the next
    /// The fields in `memory`, which is at least bytes() long.
    [[nodiscard]] fields in(void* memory) const;

private:
    rank_block const* block_;
    std::ptrdiff_t pitch_;
};

struct free_aligned {
    void operator()(void* p) const noexcept;
};
/// Private memory on 4 KiB pages, touched by this thread.
[[nodiscard]] std::unique_ptr<void, free_aligned> private_memory(std::size_t bytes);

} // namespace sode::internal::bench
