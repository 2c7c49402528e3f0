// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/machine_map.hpp"
#include "model/distance.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace sode::internal {

/// How far the ranks of a machine are from one of them *lately*: what was measured at the start, and what round trips in the middle
/// of other work have shown since. Virtual machines move cores, and the best path of a message moves with them.
///
/// Two looks in a row must agree before a rank changes its class, so that one interrupt does not. Any thread.
class recent_distances {
public:
    /// `table` says how far they were at the start. Nothing is kept for ranks of other machines, nor may they be asked about.
    recent_distances(distance_table const& table, int rank, machine_map machines);

    [[nodiscard]] distance apart(int rank) const noexcept { return of(rank).apart.load(std::memory_order_relaxed); }
    /// Whether it is time for another look at that rank; who is told so should look. Once in `apart_ns`.
    [[nodiscard]] bool due(int rank, std::int64_t now_ns) noexcept;
    /// The round trip of a cache line, in nanoseconds. What no cache line takes (classify()) says nothing.
    void note(int rank, double round_trip_ns) noexcept;
    /// True for one message to that rank in `messages_a_look`: it should go so that its receiver can look.
    [[nodiscard]] bool owes_look(int rank) noexcept;

    static constexpr std::int64_t apart_ns = 50'000'000;
    static constexpr std::uint32_t messages_a_look = 512;

private:
    struct one {
        std::atomic<distance> apart{distance::near};
        std::atomic<bool> doubted{false}; ///< the last look said something else
        std::atomic<std::uint32_t> messages{0};
        std::atomic<std::int64_t> looked_ns{0};
    };
    [[nodiscard]] one& of(int rank) noexcept { return all_[static_cast<std::size_t>(members_.place_of(rank))]; }
    [[nodiscard]] one const& of(int rank) const noexcept { return all_[static_cast<std::size_t>(members_.place_of(rank))]; }

    machine_map machines_;
    machine_map::members members_; // of this machine
    std::vector<one> all_;         // by their places
};

} // namespace sode::internal
