// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/machine_pairs.hpp"
#include "collective/algorithms/between_machines/power_of_two.hpp"
#include "collective/catalogue.hpp"

namespace sode::internal {
namespace {

/// All get what all have combined, by halves of halves (Rabenseifner 2004). Twice the rounds of recursive doubling, and no byte
/// moves more than twice: right for large amounts. The lower one's comes first, so order is kept.
class recursive_halving_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr recursive_halving_algorithm() noexcept : algorithm("recursive-halving", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        return can_be_halved(t) && (commutes(t) || machines_in_order(t));
    }
    [[nodiscard]] bool regroups(collective_terms const& /*t*/) const noexcept override { return true; }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        power_of_two const of{t.machines.machines()};
        return halving_cost(t, of.rounds(), of.pairs());
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override {
        return halving_plan(t, rank, power_of_two{t.machines.machines()}.meetings(t.machines.of(rank)));
    }
};

constinit recursive_halving_algorithm const recursive_halving_object;

} // namespace

namespace algorithms {
algorithm const& recursive_halving = recursive_halving_object;
} // namespace algorithms

} // namespace sode::internal
