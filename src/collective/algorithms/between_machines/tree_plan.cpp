// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/tree_plan.hpp"

namespace sode::internal {
namespace {

class tree_builder {
public:
    tree_builder(collective_terms const& t, int rank, machine_tree const& tree) : terms_(t), p_(t, rank), tree_(tree) {}

    plan build() {
        bool const up = terms_.kind != collective_kind::broadcast, down = terms_.kind != collective_kind::reduce;
        auto const bytes = terms_.bytes();
        auto const made = p_.reserve(bytes);
        std::vector<std::int64_t> rooms;
        if (up)
            for (std::size_t i = 0; i < tree_.children.size(); ++i) rooms.push_back(p_.reserve(bytes));
        auto const taken = p_.reserve(bytes);
        p_.gather();
        if (!p_.leads()) {
            p_.deliver({}, taken);
            return p_.finish();
        }
        leader_plan::place top;
        if (up)
            top = go_up(made, rooms, taken, down);
        else if (tree_.parent < 0)
            top = p_.given()[0];
        if (down && tree_.parent >= 0) top = p_.receive(tree_.parent, p_.result(taken), bytes);
        if (down)
            for (auto child = tree_.children.rbegin(); child != tree_.children.rend(); ++child) p_.send(*child, top, bytes);
        p_.deliver(top, taken);
        return p_.finish();
    }

private:
    // What this machine and those below it have combined goes to the parent. \return at the top: where it is
    leader_plan::place go_up(std::int64_t made, std::vector<std::int64_t> const& rooms, std::int64_t taken, bool down) {
        auto const bytes = terms_.bytes();
        auto all = p_.given();
        for (std::size_t i = 0; i < rooms.size(); ++i) all.push_back(p_.receive(tree_.children[i], p_.in_memory(rooms[i]), bytes));
        bool const top = tree_.parent < 0, away = !down && tree_.top != p_.root_machine();
        auto const into = top && !away ? p_.result(taken) : p_.in_memory(made);
        p_.fold(into, all, 0, bytes);
        if (!top) p_.send(tree_.parent, into, bytes);
        // Order goes by the first machine, and the root is on another one.
        if (top && away) p_.send(p_.root_machine(), into, bytes);
        if (!down && away_from_top()) return p_.receive(tree_.top, p_.result(taken), bytes);
        return top && !away ? into : leader_plan::place{};
    }
    [[nodiscard]] bool away_from_top() const noexcept { return p_.machine() == p_.root_machine() && tree_.parent >= 0; }

    collective_terms const& terms_;
    leader_plan p_;
    machine_tree const& tree_;
};

} // namespace

machine_tree machine_tree::k_nomial(int v, int all) {
    machine_tree t;
    for (int unit = 1; unit < all; unit *= radix) {
        if (auto const digit = v / unit % radix; digit != 0) {
            t.parent = v - digit * unit;
            return t;
        }
        for (int j = 1; j < radix && v + j * unit < all; ++j) t.children.push_back(v + j * unit);
    }
    return t;
}

plan tree_plan(collective_terms const& t, int rank, machine_tree const& tree) {
    return tree_builder{t, rank, tree}.build();
}

} // namespace sode::internal
