// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_sequence.hpp"
#include "layout/random_layout.hpp"
#include "plan/plan.hpp"

#include <array>

namespace sode::internal::testing {

/// A plan of one rank whose streams wait for one another, and what its programs were compiled from. Its operations copy, combine,
/// change signs, call, put and send messages to the rank itself, in loops, in loops in loops and outside; no two places that a
/// descriptor touches at once overlap, other than those of a call.
struct random_plan {
    explicit random_plan(std::uint64_t seed);

    /// What call number `which` does to the bytes from `at`.
    static void call(std::size_t which, std::byte* at);
    /// What its operator makes of two words; the order matters.
    static void combine(std::byte* target, std::byte const* first, std::byte const* second);

    struct pair {
        layout source, target;
    };
    plan steps;
    std::vector<pair> pairs;                              ///< by program
    int lists = 0, in_loops = 0, rings = 0, messages = 0; ///< how many descriptors have a list, compute in a loop, go round, move
    int puts = 0;                                         ///< of those that move
    int operands = 0;                                     ///< and combine two places into a third
    std::size_t nested = 0;                               ///< the most loops around one

    static constexpr std::uint16_t most_slots = 4;
    std::array<int, most_slots + 1> slots{}; ///< how many buffers and counters have so many instances

    static constexpr std::int64_t room = 8192;
    static constexpr std::size_t calls = 3;
    static constexpr std::size_t most_nested = 5;
};

} // namespace sode::internal::testing
