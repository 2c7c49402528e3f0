// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/leader_plan.hpp"
#include "collective/catalogue.hpp"
#include "layout/cache_line.hpp"

namespace sode::internal {
namespace {

/// A barrier in as many rounds as the number of machines has bits: in round i a leader tells the one 2^i above it, and hears of the
/// one 2^i below, and so of all those that it has heard of (Hensgen, Finkel, Manber 1988).
class dissemination_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr dissemination_algorithm() noexcept : algorithm("dissemination") {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        return !t.machines.one() && t.kind == collective_kind::barrier;
    }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        auto sum = within_machine(t);
        for (int unit = 1; unit < t.machines.machines(); unit *= 2) sum += leader_round(t, 1, 0);
        return sum;
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override {
        leader_plan p{t, rank};
        auto const room = p.reserve(line); // messages are of no bytes, but of some place
        p.gather();
        int const own = p.machine(), all = p.machines();
        for (int unit = 1; p.leads() && unit < all; unit *= 2) {
            p.tell((own + unit) % all);
            p.hear((own - unit + all) % all);
        }
        p.deliver({}, room);
        return p.finish();
    }
};

constinit dissemination_algorithm const dissemination_object;

} // namespace

namespace algorithms {
algorithm const& dissemination = dissemination_object;
} // namespace algorithms

} // namespace sode::internal
