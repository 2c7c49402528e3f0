// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/tree_plan.hpp"
#include "collective/catalogue.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

/// Machines that form sub-clusters with a network of their own (paper P0: TCA inside, InfiniBand between them): a k-nomial tree of
/// sub-clusters, each of which speaks through one machine, its head, and k-nomial trees inside. So what goes between sub-clusters
/// is one message for each of them, down or up.
class tiered_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr tiered_algorithm() noexcept : algorithm("tiered", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        if (t.subcluster < 2 || t.machines.machines() <= t.subcluster || t.empty()) return false;
        return t.kind == collective_kind::broadcast ||
               ((t.kind == collective_kind::reduce || t.kind == collective_kind::allreduce) && commutes(t));
    }
    [[nodiscard]] bool regroups(collective_terms const& t) const noexcept override { return t.kind != collective_kind::broadcast; }
    // A profile's network is the one between all machines; what is inside sub-clusters is at least as quick.
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        auto sum = within_machine(t);
        int const groups = (t.machines.machines() + t.subcluster - 1) / t.subcluster;
        for (int const all : {groups, t.subcluster})
            for (int unit = 1; unit < all; unit *= machine_tree::radix) {
                auto const round = leader_round(t, machine_tree::radix - 1, static_cast<double>(t.bytes()));
                sum += t.kind == collective_kind::allreduce ? 2.0 * round : round;
            }
        return sum;
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override {
        int const size = t.subcluster, all = t.machines.machines(), groups = (all + size - 1) / size;
        int const root = t.root < 0 ? 0 : t.machines.of(t.root), top_group = root / size;
        auto const head_of = [&](int group) { return group == top_group ? root : group * size; };
        int const own = t.machines.of(rank), group = own / size, head = head_of(group), first = group * size;
        int const here = std::min(size, all - first);
        auto const inside = [&](int number) { return first + (number + head - first) % here; };
        auto tree = machine_tree::k_nomial((own - head + here) % here, here);
        if (tree.parent >= 0) tree.parent = inside(tree.parent);
        for (int& child : tree.children) child = inside(child);
        tree.top = root;
        if (own != head) return tree_plan(t, rank, tree);
        // Sent to first: those that have most to do with it.
        auto const between = machine_tree::k_nomial((group - top_group + groups) % groups, groups);
        auto const outside = [&](int number) { return head_of((number + top_group) % groups); };
        if (between.parent >= 0) tree.parent = outside(between.parent);
        for (int const child : between.children) tree.children.push_back(outside(child));
        return tree_plan(t, rank, tree);
    }
};

constinit tiered_algorithm const tiered_object;

} // namespace

namespace algorithms {
algorithm const& tiered = tiered_object;
} // namespace algorithms

} // namespace sode::internal
