// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/algorithms/between_machines/machine_pairs.hpp"

#include <bit>

namespace sode::internal {

/// As many of some machines as a power of two, for algorithms that need it: of the first ones, where there are too many, pairs
/// become one. Numbers follow the order of the machines, so that neighbours in number stand for neighbours.
struct power_of_two {
    int all;       ///< machines
    int taken = 1; ///< the greatest power of two that is not greater
    explicit constexpr power_of_two(int machines) noexcept : all(machines) {
        while (2 * taken <= machines) taken *= 2;
    }
    [[nodiscard]] constexpr int pairs() const noexcept { return all - taken; }
    /// Of a pair the one that gives what it has to the next one, and waits.
    [[nodiscard]] constexpr bool sits_out(int machine) const noexcept { return machine < 2 * pairs() && machine % 2 == 0; }
    [[nodiscard]] constexpr bool acts_for_two(int machine) const noexcept { return machine < 2 * pairs() && machine % 2 == 1; }
    /// Of a machine that does not sit out, and back.
    [[nodiscard]] constexpr int number(int machine) const noexcept {
        return machine < 2 * pairs() ? machine / 2 : machine - pairs();
    }
    [[nodiscard]] constexpr int machine(int number) const noexcept { return number < pairs() ? 2 * number + 1 : number + pairs(); }
    [[nodiscard]] constexpr int rounds() const noexcept { return std::countr_zero(static_cast<unsigned>(taken)); }
    /// Neighbours meet first, so that groups that are combined follow each other.
    [[nodiscard]] machine_pairs meetings(int own) const {
        machine_pairs p;
        for (int unit = 1; unit < taken; unit *= 2) p.rounds.push_back({machine(number(own) ^ unit), (number(own) & unit) == 0});
        if (acts_for_two(own)) p.hands_in = own - 1;
        if (sits_out(own)) p.told_by = own + 1;
        return p;
    }
};

} // namespace sode::internal
