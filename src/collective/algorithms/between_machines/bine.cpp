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
        auto const round = leader_round(t, 1, static_cast<double>(t.bytes()));
        auto const beside = of.pairs() == 0 ? 0.0 : t.kind == collective_kind::allreduce ? 2.0 : 1.0;
        return within_machine(t) + (of.steps() + beside) * round;
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override {
        if (t.kind == collective_kind::allreduce) return all_get(t, rank);
        int const all = t.machines.machines(), root = t.machines.of(t.root);
        auto tree = bine_numbers{all}.tree((t.machines.of(rank) - root + all) % all);
        tree.top = root;
        if (tree.parent >= 0) tree.parent = (tree.parent + root) % all;
        for (int& child : tree.children) child = (child + root) % all;
        return tree_plan(t, rank, tree);
    }

private:
    static plan all_get(collective_terms const& t, int rank);
};

plan bine_algorithm::all_get(collective_terms const& t, int rank) {
    leader_plan p{t, rank};
    bine_numbers const of{p.machines()};
    auto const bytes = t.bytes();
    int const own = p.machine();
    std::vector<std::int64_t> made, come;
    for (int step = 0; step <= of.steps(); ++step) {
        made.push_back(p.reserve(bytes));
        come.push_back(p.reserve(bytes));
    }
    auto const taken = p.reserve(bytes);
    p.gather();
    leader_plan::place sum;
    if (p.leads()) {
        auto parts = p.given();
        if (int const leaf = of.leaf_of(own); leaf >= 0) parts.push_back(p.receive(leaf, p.in_memory(come.back()), bytes));
        sum = p.in_memory(made.back());
        p.fold(sum, parts, 0, bytes);
        if (of.is_leaf(own)) {
            p.send(own - 1, sum, bytes);
            sum = p.receive(own - 1, p.result(taken), bytes);
        } else {
            for (int step = of.steps(); step-- > 0;) {
                auto const i = static_cast<std::size_t>(step);
                int const other = of.partner(own, step);
                auto const theirs = p.receive(other, p.in_memory(come[i]), bytes);
                p.send(other, sum, bytes);
                auto const into = step == 0 ? p.result(taken) : p.in_memory(made[i]);
                p.fold(into, of.lower_in(own, step) ? std::vector{sum, theirs} : std::vector{theirs, sum}, 0, bytes);
                sum = into;
            }
            if (int const leaf = of.leaf_of(own); leaf >= 0) p.send(leaf, sum, bytes);
        }
    }
    p.deliver(sum, taken);
    return p.finish();
}

constinit bine_algorithm const bine_object;

} // namespace

namespace algorithms {
algorithm const& bine = bine_object;
} // namespace algorithms

} // namespace sode::internal
