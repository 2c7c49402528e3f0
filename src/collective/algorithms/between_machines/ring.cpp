// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/leader_plan.hpp"
#include "collective/catalogue.hpp"

namespace sode::internal {
namespace {

/// All get what all have combined, in as many parts as there are machines: each part goes once around the ring and is combined with
/// what it meets, and once more to everybody. No byte moves more than twice, and only neighbours talk: right for large amounts, for
/// any number of machines, on networks where the way matters.
class ring_builder {
public:
    ring_builder(collective_terms const& t, int rank) : terms_(t), p_(t, rank) {}

    plan build() {
        auto const bytes = terms_.bytes();
        local_ = p_.reserve(bytes);
        come_ = p_.reserve(bytes);
        made_ = p_.reserve(bytes);
        auto const taken = p_.reserve(bytes);
        p_.gather();
        p_.deliver(p_.leads() ? exchange(taken) : leader_plan::place{}, taken);
        return p_.finish();
    }

private:
    [[nodiscard]] int part_of(int steps) const noexcept { // so many behind its own one
        int const all = p_.machines();
        return ((p_.machine() - steps) % all + all) % all;
    }
    [[nodiscard]] std::int64_t cut(int part) const noexcept { return terms_.cut(part, p_.machines()); }
    [[nodiscard]] std::int64_t bytes_of(int part) const noexcept { return cut(part + 1) - cut(part); }

    leader_plan::place exchange(std::int64_t taken) {
        auto const parts = p_.given();
        auto own = parts.front();
        if (parts.size() > 1) {
            own = p_.in_memory(local_);
            p_.fold(own, parts, 0, terms_.bytes());
        }
        int const all = p_.machines(), next = (p_.machine() + 1) % all, last = (p_.machine() - 1 + all) % all;
        auto const whole = p_.result(taken);
        auto sum = own;
        for (int s = 0; s + 1 < all; ++s) {
            int const gone = part_of(s), comes = part_of(s + 1);
            auto const theirs = p_.receive(last, p_.in_memory(come_).at(cut(comes)), bytes_of(comes));
            p_.send(next, sum.at(cut(gone)), bytes_of(gone));
            auto const into = s + 2 == all ? whole : p_.in_memory(made_);
            p_.fold(into.at(cut(comes)), {theirs, own.at(cut(comes))}, cut(comes), bytes_of(comes));
            sum = into;
        }
        for (int s = 0; s + 1 < all; ++s) {
            int const gone = part_of(s - 1), comes = part_of(s);
            auto const theirs = p_.receive(last, whole.at(cut(comes)), bytes_of(comes));
            p_.send(next, whole.at(cut(gone)), bytes_of(gone));
            p_.await(theirs);
        }
        return whole;
    }

    collective_terms const& terms_;
    leader_plan p_;
    std::int64_t local_ = 0, come_ = 0, made_ = 0;
};

class ring_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr ring_algorithm() noexcept : algorithm("ring", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        if (t.machines.one() || t.empty() || t.kind != collective_kind::allreduce || t.parts.size() != 1) return false;
        return commutes(t) && t.bytes() / t.grain() >= t.machines.machines();
    }
    [[nodiscard]] bool regroups(collective_terms const& /*t*/) const noexcept override { return true; }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        double const machines = t.machines.machines();
        return within_machine(t) + 2 * (machines - 1) * leader_round(t, 1, static_cast<double>(t.bytes()) / machines);
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override { return ring_builder{t, rank}.build(); }
};

constinit ring_algorithm const ring_object;

} // namespace

namespace algorithms {
algorithm const& ring = ring_object;
} // namespace algorithms

} // namespace sode::internal
