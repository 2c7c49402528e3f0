// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/tree_plan.hpp"
#include "collective/catalogue.hpp"

namespace sode::internal {
namespace {

/// Down, or up, a k-nomial tree of machines. As many steps as digits: right for small amounts on many machines.
class k_nomial_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr k_nomial_algorithm() noexcept : algorithm("k-nomial", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        if (t.machines.one() || t.empty()) return false;
        if (t.kind == collective_kind::broadcast) return true;
        if (t.kind != collective_kind::reduce && t.kind != collective_kind::allreduce) return false;
        return commutes(t) || machines_in_order(t);
    }
    [[nodiscard]] bool regroups(collective_terms const& t) const noexcept override { return t.kind != collective_kind::broadcast; }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        auto const bytes = static_cast<double>(t.bytes());
        auto sum = within_machine(t);
        for (int unit = 1; unit < t.machines.machines(); unit *= machine_tree::radix) {
            auto const round = leader_round(t, machine_tree::radix - 1, bytes);
            sum += t.kind == collective_kind::allreduce ? 2.0 * round : round;
        }
        return sum;
    }
    // Numbers go from the root's machine on, or, to combine in the order of the ranks, from the first one.
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override {
        int const all = t.machines.machines(), root = t.root < 0 ? 0 : t.machines.of(t.root);
        int const first = t.kind == collective_kind::broadcast || commutes(t) ? root : 0;
        auto tree = machine_tree::k_nomial((t.machines.of(rank) - first + all) % all, all);
        tree.top = first;
        if (tree.parent >= 0) tree.parent = (tree.parent + first) % all;
        for (int& child : tree.children) child = (child + first) % all;
        return tree_plan(t, rank, tree);
    }
};

constinit k_nomial_algorithm const k_nomial_object;

} // namespace

namespace algorithms {
algorithm const& k_nomial = k_nomial_object;
} // namespace algorithms

} // namespace sode::internal
