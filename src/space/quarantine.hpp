// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/space.hpp"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace sode::internal {

/// Memory that other ranks may still be reading cannot be reused the moment its owner lets go of it: a pull without acknowledgement
/// is known to be over only by the peer's next word. Blocks wait here until a later collective call shows that every rank that
/// knew them has passed the same point of the program.
///
/// Each team of ranks has one; all of a process share what is exposed and what waits. A block that several teams know waits for a
/// collective call of each.
class quarantine {
public:
    explicit quarantine(space& memory) : book_(std::make_shared<book>(book{memory, {}, {}, 0})) {}
    /// For a part of the ranks of `of`, of which that must be the memory.
    struct part_of {
        quarantine& all;
    };
    explicit quarantine(part_of of) : book_(of.all.book_), team_(++book_->parts) {}
    /// What still waits here goes with the arena: others may be reading it until then.
    ~quarantine() = default;
    quarantine(quarantine const&) = delete;
    quarantine& operator=(quarantine const&) = delete;

    /// From now on other ranks of this team know this place.
    void expose(std::byte* place);
    /// Gives a block back: at once if nobody else ever knew a place in it.
    void release(std::byte* address, std::size_t bytes) noexcept;
    /// The same of memory that is in no arena: `back`, which throws nothing, takes it. It is not called for what still waits at the
    /// end.
    void release(std::byte* address, std::size_t bytes, std::function<void()> back) noexcept;
    /// Every rank of this team has taken part in a collective call that began after the blocks here were released.
    void collective_done() noexcept;
    /// The same for the last time: nobody of this team will read anything any more.
    void end() noexcept;

private:
    using teams = std::vector<int>; // ascending
    struct freed_block {
        std::byte* address;
        std::size_t bytes;
        teams known_to;
        std::function<void()> back; // empty: it is the arena's
    };
    struct book {
        space& memory;
        std::map<std::byte*, teams> exposed;
        std::vector<freed_block> waiting;
        int parts; // so far
    };
    void give_back(freed_block const& b) noexcept;

    std::shared_ptr<book> book_;
    int team_ = 0;
};

} // namespace sode::internal
