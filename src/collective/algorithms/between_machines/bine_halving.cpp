// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/bine_numbers.hpp"
#include "collective/catalogue.hpp"

namespace sode::internal {
namespace {

/// All get what all have combined, as by recursive halving, but by the pairs of Bine: those that exchange the most are neighbours,
/// and the ways of the others are shorter, too. Right for large amounts, where fewer bytes may go between groups of machines. Which
/// part a machine combines follows from whom it meets, so that what it gives lies in one piece.
class bine_halving_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr bine_halving_algorithm() noexcept : algorithm("bine-halving", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override { return can_be_halved(t) && commutes(t); }
    [[nodiscard]] bool regroups(collective_terms const& /*t*/) const noexcept override { return true; }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        bine_numbers const of{t.machines.machines()};
        return halving_cost(t, of.steps(), of.pairs());
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override {
        return halving_plan(t, rank, bine_numbers{t.machines.machines()}.meetings(t.machines.of(rank)));
    }
};

constinit bine_halving_algorithm const bine_halving_object;

} // namespace

namespace algorithms {
algorithm const& bine_halving = bine_halving_object;
} // namespace algorithms

} // namespace sode::internal
