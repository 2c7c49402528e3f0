// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_sequence.hpp"
#include "layout/random_layout.hpp"
#include "plan/plan.hpp"

namespace sode::testing {

/// Memory of a random plan, as bytes of its own: by buffer, and by epoch parity where a buffer has two instances.
using memory_image = std::vector<std::array<std::vector<std::byte>, 2>>;

/// A plan of one rank whose streams wait for one another, and what its programs were compiled from. Its operations copy, combine,
/// change signs and call, in loops and outside; no two places that a descriptor touches at once overlap, other than those of a
/// call.
struct random_plan {
    explicit random_plan(std::uint64_t seed);

    /// Runs an epoch on `memory` as the definitions say, without a program or an engine.
    void interpret(memory_image& memory, int epoch) const;
    /// What call number `which` does to the bytes from `at`.
    static void call(std::size_t which, std::byte* at);

    struct pair {
        layout source, target;
    };
    plan steps;
    std::vector<pair> pairs;       ///< by program
    std::vector<std::size_t> turn; ///< the streams in the order in which they run
    int lists = 0, in_loops = 0;   ///< how many descriptors have a list, and compute in a loop

    static constexpr std::int64_t room = 8192;
    static constexpr std::size_t calls = 3;
};

} // namespace sode::testing
