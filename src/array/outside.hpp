// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/geometry.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace sode::detail {

/// The elements of one block that lie outside the whole array, and that no exchange fills: which of them the program has filled.
///
/// An access does not say whether it reads or writes. So that elements which nobody has filled yet can be told apart, an access to
/// one is deferred: a floating-point element is handed out as a copy with a value that occurs nowhere else, which is put in its
/// place if it is another one at the end of the iteration, and was read if it is the same; any other element as it is, and was read
/// if it has not changed.
class outside_elements {
public:
    outside_elements(geometry const& shape, int rank, std::byte* base, std::uint8_t element_code);

    /// What every element of a component is at first; zero if not told.
    void filled_at_first(index_t component, std::span<std::byte const> element);

    /// The program fills all of them, in ways that are not seen.
    void belong_to_program() noexcept { all_filled_ = true; }

    /// Something else than what was there at first is there, or was written.
    [[nodiscard]] bool filled(index_t component, std::array<index_t, max_dims> const& places);
    /// An element that is not filled is accessed, in some way. \return where, if not in its place.
    [[nodiscard]] std::byte* defer(index_t component, std::array<index_t, max_dims> const& places, std::span<index_t const> at);
    /// The iteration is over. \return the indices of an element that was read without having been filled; empty if there is none.
    [[nodiscard]] std::vector<index_t> settle();

private:
    struct access {
        index_t offset;
        std::vector<index_t> at;
        bool copied;
        std::vector<std::max_align_t> bytes; ///< the copy, or what was there before
    };
    [[nodiscard]] index_t offset_of(index_t component, std::array<index_t, max_dims> const& places) const;

    geometry const* shape_;
    int rank_;
    std::byte* base_;
    std::vector<std::byte> unlikely_; // the value that occurs nowhere else; empty: elements are handed out as they are
    std::vector<std::byte> initial_;
    bool all_filled_ = false;
    std::set<index_t> filled_; // by offset
    std::deque<access> deferred_;
};

} // namespace sode::detail
