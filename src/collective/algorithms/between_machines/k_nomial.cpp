// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/leader_plan.hpp"
#include "collective/catalogue.hpp"

namespace sode::internal {
namespace {

constexpr int radix = 4;

/// A tree of machines: number v has the children v + j * radix^i, for each digit i below the lowest of v that is not 0, and
/// 0 < j < radix. What is below v are numbers that follow it, so that they are combined in order.
struct k_nomial_tree {
    int parent = -1;
    std::vector<int> children; // ascending

    k_nomial_tree(int v, int all) {
        for (int unit = 1; unit < all; unit *= radix) {
            if (auto const digit = v / unit % radix; digit != 0) {
                parent = v - digit * unit;
                return;
            }
            for (int j = 1; j < radix && v + j * unit < all; ++j) children.push_back(v + j * unit);
        }
    }
};

/// Broadcasts down a k-nomial tree of machines, reductions up, and what all get first up and then down. As many steps as digits:
/// right for small amounts on many machines.
class k_nomial_builder {
public:
    k_nomial_builder(collective_terms const& t, int rank)
        : terms_(t), p_(t, rank), rotated_(t.kind == collective_kind::broadcast || commutes(t) ? p_.root_machine() : 0),
          tree_((p_.machine() - rotated_ + p_.machines()) % p_.machines(), p_.machines()) {}

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
        if (down && tree_.parent >= 0) top = p_.receive(machine_of(tree_.parent), p_.result(taken), bytes);
        if (down)
            for (auto child = tree_.children.rbegin(); child != tree_.children.rend(); ++child)
                p_.send(machine_of(*child), top, bytes);
        p_.deliver(top, taken);
        return p_.finish();
    }

private:
    [[nodiscard]] int machine_of(int v) const noexcept { return (v + rotated_) % p_.machines(); }

    // What this machine and those below it have combined goes to the parent. \return at the top: where it is
    leader_plan::place go_up(std::int64_t made, std::vector<std::int64_t> const& rooms, std::int64_t taken, bool down) {
        auto const bytes = terms_.bytes();
        auto all = p_.given();
        for (std::size_t i = 0; i < rooms.size(); ++i)
            all.push_back(p_.receive(machine_of(tree_.children[i]), p_.in_memory(rooms[i]), bytes));
        bool const top = tree_.parent < 0, away = !down && machine_of(0) != p_.root_machine();
        auto const into = top && !away ? p_.result(taken) : p_.in_memory(made);
        p_.fold(into, all, 0, bytes);
        if (!top) p_.send(machine_of(tree_.parent), into, bytes);
        // Order goes by the first machine, and the root is on another one.
        if (top && away) p_.send(p_.root_machine(), into, bytes);
        if (!down && away_from_top()) return p_.receive(machine_of(0), p_.result(taken), bytes);
        return top && !away ? into : leader_plan::place{};
    }
    [[nodiscard]] bool away_from_top() const noexcept { return p_.machine() == p_.root_machine() && tree_.parent >= 0; }

    collective_terms const& terms_;
    leader_plan p_;
    int rotated_; // the machine that is number 0
    k_nomial_tree tree_;
};

class k_nomial_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr k_nomial_algorithm() noexcept : algorithm("k-nomial") {}
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
        for (int unit = 1; unit < t.machines.machines(); unit *= radix) {
            auto const round = leader_round(t, radix - 1, bytes);
            sum += t.kind == collective_kind::allreduce ? 2.0 * round : round;
        }
        return sum;
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override { return k_nomial_builder{t, rank}.build(); }
};

constinit k_nomial_algorithm const k_nomial_object;

} // namespace

namespace algorithms {
algorithm const& k_nomial = k_nomial_object;
} // namespace algorithms

} // namespace sode::internal
