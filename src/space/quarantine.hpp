// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/space.hpp"

#include <set>
#include <vector>

namespace sode {

/// Memory that other ranks may still be reading cannot be reused the moment its owner lets go of it: a pull without acknowledgement
/// is known to be over only by the peer's next word. Blocks wait here until a later collective call shows that every rank has
/// passed the same point of the program.
class quarantine {
public:
    explicit quarantine(space& memory) noexcept : memory_(memory) {}
    /// What still waits here goes with the arena: others may be reading it until then.
    ~quarantine() = default;
    quarantine(quarantine const&) = delete;
    quarantine& operator=(quarantine const&) = delete;

    /// From now on other ranks know this place.
    void expose(std::byte* place) { exposed_.insert(place); }
    /// Gives a block back: at once if nobody else ever knew a place in it.
    void release(std::byte* address, std::size_t bytes) noexcept {
        auto const first = exposed_.lower_bound(address);
        auto const last = exposed_.lower_bound(address + bytes);
        if (first == last) return memory_.release(address, bytes);
        exposed_.erase(first, last);
        waiting_.push_back({address, bytes});
    }
    /// Every rank has taken part in a collective call that began after the blocks here were released.
    void collective_done() noexcept {
        for (auto const& b : waiting_) memory_.release(b.address, b.bytes);
        waiting_.clear();
    }

private:
    struct freed_block {
        std::byte* address;
        std::size_t bytes;
    };
    space& memory_;
    std::set<std::byte*> exposed_;
    std::vector<freed_block> waiting_;
};

} // namespace sode
