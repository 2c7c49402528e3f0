// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/bine_numbers.hpp"

#include <algorithm>
#include <bit>

namespace sode::internal {

machine_pairs bine_numbers::meetings(int machine) const {
    machine_pairs p;
    for (int step = 0; step < steps_; ++step) p.rounds.push_back({partner(machine, step), lower_in(machine, step)});
    p.hands_in = leaf_of(machine);
    if (is_leaf(machine)) p.told_by = machine - 1;
    return p;
}

// Going from the last step down, who has been reached agrees with number 0 in the bits of its label that are still to come.
machine_tree bine_numbers::tree(int machine) const {
    machine_tree t;
    if (is_leaf(machine)) {
        t.parent = machine - 1;
        return t;
    }
    int const number = number_of(machine);
    int const reached = number == 0 ? steps_ : std::countr_zero(label(number));
    if (number != 0) t.parent = machine_of(met_by(number, reached));
    // The last child is sent to first.
    if (int const leaf = leaf_of(machine); leaf >= 0) t.children.push_back(leaf);
    for (int step = 0; step < reached; ++step) t.children.push_back(machine_of(met_by(number, step)));
    return t;
}

} // namespace sode::internal
