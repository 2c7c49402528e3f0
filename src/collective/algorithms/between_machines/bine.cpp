// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/bine_numbers.hpp"
#include "collective/algorithms/between_machines/tree_plan.hpp"
#include "collective/catalogue.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

/// Broadcasts and reductions by a tree, and what all get by an exchange in pairs; as few rounds as a binomial tree and recursive
/// doubling have, but the ways are shorter, so fewer bytes go between groups of machines. Right for small amounts. They commute, as
/// who is combined with whom does not follow the order of the ranks. In pairs the far ones come first: then all who have combined
/// the same have done so in the same order, and get the same bits.
class bine_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr bine_algorithm() noexcept : algorithm("bine", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        if (t.machines.one() || t.empty()) return false;
        if (t.kind == collective_kind::broadcast) return true;
        return (t.kind == collective_kind::reduce || t.kind == collective_kind::allreduce) && commutes(t);
    }
    [[nodiscard]] bool regroups(collective_terms const& t) const noexcept override { return t.kind != collective_kind::broadcast; }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        bine_numbers const of{t.machines.machines()};
        if (t.kind == collective_kind::allreduce) return doubling_cost(t, of.steps(), of.pairs());
        auto const rounds = of.steps() + (of.pairs() > 0 ? 1 : 0);
        return within_machine(t) + static_cast<double>(rounds) * leader_round(t, 1, static_cast<double>(t.bytes()));
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override {
        int const all = t.machines.machines();
        if (t.kind == collective_kind::allreduce) {
            auto pairs = bine_numbers{all}.meetings(t.machines.of(rank));
            std::ranges::reverse(pairs.rounds);
            return doubling_plan(t, rank, pairs);
        }
        int const root = t.machines.of(t.root);
        auto tree = bine_numbers{all}.tree((t.machines.of(rank) - root + all) % all);
        tree.top = root;
        if (tree.parent >= 0) tree.parent = (tree.parent + root) % all;
        for (int& child : tree.children) child = (child + root) % all;
        return tree_plan(t, rank, tree);
    }
};

constinit bine_algorithm const bine_object;

} // namespace

namespace algorithms {
algorithm const& bine = bine_object;
} // namespace algorithms

} // namespace sode::internal
