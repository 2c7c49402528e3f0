// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/space.hpp"

#include <cstddef>
#include <functional>
#include <map>

namespace sode::internal {

/// A block of the same length in the arena of every rank of a space, which all may read. In a new space, where all ranks have
/// allocated alike, it lies at the same place in each: then nobody keeps where those of the others are. A peer's is opened when it
/// is first asked for.
class rank_blocks {
public:
    /// Collective. Allocates `bytes`, equal on all ranks, of this rank's arena; `fill` writes there before anybody looks. The block
    /// goes with the arena. Errors: those of space::allocate and bootstrap::combine. Cost: O(log ranks) messages.
    rank_blocks(bootstrap& boot, space& memory, std::size_t bytes, std::function<void(std::byte*)> const& fill);

    [[nodiscard]] std::byte* own() const noexcept { return own_; }
    /// That of a rank; null if it is not in this space. Errors: environment. Cost: a system call or two, the first time.
    [[nodiscard]] std::byte* of(int rank) const;
    /// What this process keeps besides the object itself: nothing, where the places are equal.
    [[nodiscard]] std::size_t kept_places() const noexcept { return places_.size(); }

private:
    space& memory_;
    int rank_;
    std::byte* own_;
    block_place place_;
    std::map<int, block_place> places_; // of the ranks of this space, if they differ
};

} // namespace sode::internal
