// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/machine_pairs.hpp"
#include "collective/algorithms/between_machines/power_of_two.hpp"
#include "collective/catalogue.hpp"

namespace sode::internal {
namespace {

/// All get what all have combined: in each round two leaders exchange what they have, and the groups that they know of double. The
/// lower one's comes first, so order is kept. The fewest rounds; right for small amounts.
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
        return doubling_cost(t, of.rounds(), of.pairs());
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override {
        return doubling_plan(t, rank, power_of_two{t.machines.machines()}.meetings(t.machines.of(rank)));
    }
};

constinit recursive_doubling_algorithm const recursive_doubling_object;

} // namespace

namespace algorithms {
algorithm const& recursive_doubling = recursive_doubling_object;
} // namespace algorithms

} // namespace sode::internal
