// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/leader_plan.hpp"
#include "collective/algorithms/between_machines/power_of_two.hpp"
#include "collective/catalogue.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

/// All get what all have combined: two leaders exchange halves of what they have, then halves of those, until each has combined a
/// part; then the parts are put together the same way back (Rabenseifner 2004). Twice the rounds of recursive doubling, and no byte
/// moves more than twice: right for large amounts. The lower one's comes first, so order is kept.
class recursive_halving_builder {
public:
    recursive_halving_builder(collective_terms const& t, int rank) : terms_(t), p_(t, rank), of_(p_.machines()) {}

    plan build() {
        auto const bytes = terms_.bytes();
        local_ = p_.reserve(bytes);
        paired_ = p_.reserve(bytes);
        for (int unit = of_.taken / 2; unit >= 1; unit /= 2) {
            made_.push_back(p_.reserve(bytes)); // only a part of it is used, at the place of the part
            come_.push_back(p_.reserve(bytes));
        }
        auto const taken = p_.reserve(bytes);
        p_.gather();
        p_.deliver(p_.leads() ? exchange(taken) : leader_plan::place{}, taken);
        return p_.finish();
    }

private:
    // Parts of what is combined, as many as leaders take part.
    [[nodiscard]] std::int64_t cut(int part) const noexcept {
        if (part == of_.taken) return terms_.bytes();
        return terms_.bytes() / terms_.grain() * part / of_.taken * terms_.grain();
    }
    struct range {
        int first, last;
    };
    [[nodiscard]] std::int64_t bytes_of(range r) const noexcept { return cut(r.last) - cut(r.first); }

    leader_plan::place exchange(std::int64_t taken) {
        auto const bytes = terms_.bytes();
        int const own = p_.machine();
        auto parts = p_.given();
        if (of_.acts_for_two(own)) parts.insert(parts.begin(), p_.receive(own - 1, p_.in_memory(paired_), bytes));
        auto sum = p_.in_memory(local_);
        p_.fold(sum, parts, 0, bytes);
        if (of_.sits_out(own)) {
            p_.send(own + 1, sum, bytes);
            return p_.receive(own + 1, p_.result(taken), bytes);
        }
        int const number = of_.number(own);
        auto const whole = p_.result(taken);
        range mine{0, of_.taken};
        std::vector<range> halves; // the other one's
        std::size_t round = 0;
        // Neighbours first, so that groups that are combined follow each other.
        for (int unit = 1; unit < of_.taken; unit *= 2, ++round) {
            int const other = of_.machine(number ^ unit), middle = (mine.first + mine.last) / 2;
            bool const lower = (number & unit) == 0;
            range const kept = lower ? range{mine.first, middle} : range{middle, mine.last};
            range const given = lower ? range{middle, mine.last} : range{mine.first, middle};
            auto const theirs = p_.receive(other, p_.in_memory(come_[round]).at(cut(kept.first)), bytes_of(kept));
            p_.send(other, sum.at(cut(given.first)), bytes_of(given));
            auto const into = 2 * unit == of_.taken ? whole : p_.in_memory(made_[round]);
            auto const here = sum.at(cut(kept.first));
            p_.fold(into.at(cut(kept.first)), lower ? std::vector{here, theirs} : std::vector{theirs, here}, cut(kept.first),
                    bytes_of(kept));
            sum = into;
            halves.push_back(given);
            mine = kept;
        }
        for (int unit = of_.taken / 2; unit >= 1; unit /= 2) {
            --round;
            range const theirs = halves[round];
            int const other = of_.machine(number ^ unit);
            auto const place = p_.receive(other, whole.at(cut(theirs.first)), bytes_of(theirs));
            p_.send(other, whole.at(cut(mine.first)), bytes_of(mine));
            p_.await(place);
            mine = {std::min(mine.first, theirs.first), std::max(mine.last, theirs.last)};
        }
        if (of_.acts_for_two(own)) p_.send(own - 1, whole, bytes);
        return whole;
    }

    collective_terms const& terms_;
    leader_plan p_;
    power_of_two of_;
    std::int64_t local_ = 0, paired_ = 0;
    std::vector<std::int64_t> made_, come_; // by round
};

class recursive_halving_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr recursive_halving_algorithm() noexcept : algorithm("recursive-halving", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        if (t.machines.one() || t.empty() || t.kind != collective_kind::allreduce || t.parts.size() != 1) return false;
        return t.bytes() / t.grain() >= t.machines.machines() && (commutes(t) || machines_in_order(t));
    }
    [[nodiscard]] bool regroups(collective_terms const& /*t*/) const noexcept override { return true; }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        power_of_two const of{t.machines.machines()};
        auto part = static_cast<double>(t.bytes());
        auto sum = within_machine(t);
        if (of.pairs() > 0) sum += 2.0 * leader_round(t, 1, part);
        for (int unit = 1; unit < of.taken; unit *= 2) {
            part /= 2;
            sum += 2.0 * leader_round(t, 1, part);
        }
        return sum;
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override {
        return recursive_halving_builder{t, rank}.build();
    }
};

constinit recursive_halving_algorithm const recursive_halving_object;

} // namespace

namespace algorithms {
algorithm const& recursive_halving = recursive_halving_object;
} // namespace algorithms

} // namespace sode::internal
