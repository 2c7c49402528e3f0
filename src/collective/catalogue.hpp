// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/algorithm.hpp"

#include <span>
#include <string>
#include <string_view>

// All algorithms, in the order in which the model prefers them among equals: a line each.
#define SODE_ALGORITHMS(ALGORITHM)                                                                                                 \
    ALGORITHM(in_lines)                                                                                                            \
    ALGORITHM(staged)                                                                                                              \
    ALGORITHM(direct)                                                                                                              \
    ALGORITHM(sliced)                                                                                                              \
    ALGORITHM(sliced_stages)                                                                                                       \
    ALGORITHM(pipelined)                                                                                                           \
    ALGORITHM(over_machines)                                                                                                       \
    ALGORITHM(k_nomial)                                                                                                            \
    ALGORITHM(dissemination)                                                                                                       \
    ALGORITHM(recursive_doubling)                                                                                                  \
    ALGORITHM(recursive_multiplying)                                                                                               \
    ALGORITHM(recursive_halving)                                                                                                   \
    ALGORITHM(ring)                                                                                                                \
    ALGORITHM(bine)                                                                                                                \
    ALGORITHM(bine_halving)                                                                                                        \
    ALGORITHM(circulant)                                                                                                           \
    ALGORITHM(two_trees)                                                                                                           \
    ALGORITHM(trinary)                                                                                                             \
    ALGORITHM(tiered)

namespace sode::internal {

namespace algorithms {
#define SODE_DECLARE_ALGORITHM(NAME) extern algorithm const& NAME; // NOLINT(bugprone-macro-parentheses)
SODE_ALGORITHMS(SODE_DECLARE_ALGORITHM)
#undef SODE_DECLARE_ALGORITHM
} // namespace algorithms

[[nodiscard]] std::span<algorithm const* const> all_algorithms() noexcept;
/// The one of that name; null: there is none.
[[nodiscard]] algorithm const* algorithm_named(std::string_view name) noexcept;
/// "in-lines, staged, … and over-machines": for messages.
[[nodiscard]] std::string names_of_algorithms();

/// What was chosen, and what else there was.
struct chosen_algorithm {
    algorithm const* best = nullptr;
    expense expected{};
    algorithm const* runner_up = nullptr;
    expense instead{};
    int leaders = 1; ///< of the best one
};
/// The cheapest algorithm that can run it and keeps the bits, those of values combined one after the other, by the cheapest number
/// of leaders. `forced`: the one to take, a number of leaders, or both: "ring", ":4", "ring:4". The same on all ranks of a machine,
/// and over several machines on all. Errors: usage, if there is no algorithm of that name, or it cannot, or not by so many leaders.
[[nodiscard]] chosen_algorithm choose_algorithm(collective_terms const& t, std::string_view forced = {});

} // namespace sode::internal
