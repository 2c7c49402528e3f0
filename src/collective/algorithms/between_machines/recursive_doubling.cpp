// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/leader_plan.hpp"
#include "collective/algorithms/between_machines/power_of_two.hpp"
#include "collective/catalogue.hpp"

namespace sode::internal {
namespace {

/// All get what all have combined: in each round two leaders exchange what they have, and the groups that they know of double. The
/// lower one's comes first, so order is kept. The fewest rounds; right for small amounts.
class recursive_doubling_builder {
public:
    recursive_doubling_builder(collective_terms const& t, int rank) : terms_(t), p_(t, rank), of_(p_.machines()) {}

    plan build() {
        auto const bytes = terms_.bytes();
        for (int unit = 1; unit <= of_.taken; unit *= 2) {
            made_.push_back(p_.reserve(bytes));
            come_.push_back(p_.reserve(bytes));
        }
        auto const taken = p_.reserve(bytes);
        p_.gather();
        p_.deliver(p_.leads() ? exchange(taken) : leader_plan::place{}, taken);
        return p_.finish();
    }

private:
    leader_plan::place exchange(std::int64_t taken) {
        auto const bytes = terms_.bytes();
        int const own = p_.machine();
        auto parts = p_.given();
        if (of_.acts_for_two(own)) parts.insert(parts.begin(), p_.receive(own - 1, p_.in_memory(come_.back()), bytes));
        auto sum = p_.in_memory(made_.back());
        p_.fold(sum, parts, 0, bytes);
        if (of_.sits_out(own)) {
            p_.send(own + 1, sum, bytes);
            return p_.receive(own + 1, p_.result(taken), bytes);
        }
        std::size_t round = 0;
        for (int unit = 1; unit < of_.taken; unit *= 2, ++round) {
            int const number = of_.number(own), other = of_.machine(number ^ unit);
            auto const theirs = p_.receive(other, p_.in_memory(come_[round]), bytes);
            p_.send(other, sum, bytes);
            bool const last = 2 * unit == of_.taken;
            auto const into = last ? p_.result(taken) : p_.in_memory(made_[round]);
            p_.fold(into, other < own ? std::vector{theirs, sum} : std::vector{sum, theirs}, 0, bytes);
            sum = into;
        }
        if (of_.acts_for_two(own)) p_.send(own - 1, sum, bytes);
        return sum;
    }

    collective_terms const& terms_;
    leader_plan p_;
    power_of_two of_;
    std::vector<std::int64_t> made_, come_; // by round; last: of a pair, before the first one
};

class recursive_doubling_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr recursive_doubling_algorithm() noexcept : algorithm("recursive-doubling", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        if (t.machines.one() || t.empty() || t.kind != collective_kind::allreduce) return false;
        return commutes(t) || machines_in_order(t);
    }
    [[nodiscard]] bool regroups(collective_terms const& /*t*/) const noexcept override { return true; }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        power_of_two const of{t.machines.machines()};
        auto const round = leader_round(t, 1, static_cast<double>(t.bytes()));
        auto sum = within_machine(t);
        for (int unit = 1; unit < of.taken; unit *= 2) sum += round;
        return of.pairs() > 0 ? sum + 2.0 * round : sum;
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override {
        return recursive_doubling_builder{t, rank}.build();
    }
};

constinit recursive_doubling_algorithm const recursive_doubling_object;

} // namespace

namespace algorithms {
algorithm const& recursive_doubling = recursive_doubling_object;
} // namespace algorithms

} // namespace sode::internal
