// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/algorithms/between_machines/machine_pairs.hpp"
#include "collective/algorithms/between_machines/tree_plan.hpp"

namespace sode::internal {

/// Trees and butterflies of binomial negabinary numbers (Bine): in step i of them a machine meets the one that is 1 - 2 + 4 - ...
/// of i + 1 terms further on, if it is even, or as far back, if it is odd. So the ways are two thirds as long as those of powers of
/// two, and go in both directions. Of a number of machines that is no power of two, the first ones have a neighbour each that takes
/// no part, its leaf. Source: De Sensi et al., "Bine trees: enhancing collective operations by optimizing communication locality",
/// SC '25, arXiv 2508.17311.
class bine_numbers {
public:
    explicit constexpr bine_numbers(int machines) noexcept : all_(machines) {
        while (2 << steps_ <= machines) ++steps_;
    }

    [[nodiscard]] constexpr int steps() const noexcept { return steps_; }
    [[nodiscard]] constexpr int pairs() const noexcept { return all_ - taken(); }
    [[nodiscard]] constexpr bool is_leaf(int machine) const noexcept { return machine < 2 * pairs() && machine % 2 == 1; }
    /// -1: it has none.
    [[nodiscard]] constexpr int leaf_of(int machine) const noexcept {
        return machine < 2 * pairs() && machine % 2 == 0 ? machine + 1 : -1;
    }

    /// Whom a machine that is no leaf meets.
    [[nodiscard]] constexpr int partner(int machine, int step) const noexcept {
        return machine_of(met_by(number_of(machine), step));
    }
    /// Of the two, the one that keeps the lower half, or whose values come first. Those that agree in this for all steps before
    /// have the same half, and meet; those that agree in it for this step and all before have, from the last step down to this one,
    /// combined the same.
    [[nodiscard]] constexpr bool lower_in(int machine, int step) const noexcept {
        return (label(number_of(machine)) >> static_cast<unsigned>(step) & 1U) == 0;
    }
    /// From step 0 on, for halves; from the last step down, for sums: so all combine in one order.
    [[nodiscard]] machine_pairs meetings(int machine) const;
    /// From machine 0 down, the farthest first. Cost: O(steps).
    [[nodiscard]] machine_tree tree(int machine) const;

private:
    [[nodiscard]] constexpr int taken() const noexcept { return 1 << steps_; }
    [[nodiscard]] constexpr int number_of(int machine) const noexcept {
        return machine < 2 * pairs() ? machine / 2 : machine - pairs();
    }
    [[nodiscard]] constexpr int machine_of(int number) const noexcept { return number < pairs() ? 2 * number : number + pairs(); }
    [[nodiscard]] constexpr int met_by(int number, int step) const noexcept {
        int distance = 0;
        for (int i = 0, term = 1; i <= step; ++i, term *= -2) distance += term;
        int const met = (number % 2 == 0 ? number + distance : number - distance) % taken();
        return (met + taken()) % taken();
    }
    /// Bits: the Gray code of the number to base -2 whose value it is, or, of even numbers, minus that.
    [[nodiscard]] constexpr unsigned label(int number) const noexcept {
        unsigned digits = 0;
        int rest = number % 2 == 0 ? -number : number;
        for (int i = 0; i < steps_; ++i) {
            unsigned const digit = rest % 2 == 0 ? 0 : 1;
            digits |= digit << static_cast<unsigned>(i);
            rest = (rest - static_cast<int>(digit)) / -2;
        }
        return digits ^ digits >> 1U;
    }

    int all_;
    int steps_ = 0;
};

} // namespace sode::internal
