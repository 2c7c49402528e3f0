// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/bine_numbers.hpp"
#include "collective/catalogue.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

/// All get what all have combined, as by recursive halving, but by the pairs of Bine: those that exchange the most are neighbours,
/// and the ways of the others are shorter, too. Right for large amounts, where fewer bytes may go between groups of machines. Which
/// part a machine combines follows from whom it meets, so that what it gives lies in one piece.
class bine_halving_builder {
public:
    bine_halving_builder(collective_terms const& t, int rank) : terms_(t), p_(t, rank), of_(p_.machines()) {}

    plan build() {
        auto const bytes = terms_.bytes();
        local_ = p_.reserve(bytes);
        paired_ = p_.reserve(bytes);
        for (int step = 0; step < of_.steps(); ++step) {
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
    struct range {
        int first, last;
    };
    [[nodiscard]] std::int64_t cut(int part) const noexcept {
        int const parts = 1 << of_.steps();
        if (part == parts) return terms_.bytes();
        return terms_.bytes() / terms_.grain() * part / parts * terms_.grain();
    }
    [[nodiscard]] std::int64_t bytes_of(range r) const noexcept { return cut(r.last) - cut(r.first); }

    leader_plan::place exchange(std::int64_t taken) {
        auto const bytes = terms_.bytes();
        int const own = p_.machine(), leaf = of_.leaf_of(own);
        auto parts = p_.given();
        if (leaf >= 0) parts.push_back(p_.receive(leaf, p_.in_memory(paired_), bytes));
        auto sum = parts.front();
        if (parts.size() > 1) {
            sum = p_.in_memory(local_);
            p_.fold(sum, parts, 0, bytes);
        }
        if (of_.is_leaf(own)) {
            p_.send(own - 1, sum, bytes);
            return p_.receive(own - 1, p_.result(taken), bytes);
        }
        auto const whole = p_.result(taken);
        range mine{0, 1 << of_.steps()};
        std::vector<range> given; // by step
        for (int step = 0; step < of_.steps(); ++step) {
            auto const i = static_cast<std::size_t>(step);
            int const other = of_.partner(own, step), middle = (mine.first + mine.last) / 2;
            range const low{mine.first, middle}, high{middle, mine.last};
            bool const lower = of_.lower_in(own, step);
            mine = lower ? low : high;
            given.push_back(lower ? high : low);
            auto const theirs = p_.receive(other, p_.in_memory(come_[i]).at(cut(mine.first)), bytes_of(mine));
            p_.send(other, sum.at(cut(given[i].first)), bytes_of(given[i]));
            auto const into = step + 1 == of_.steps() ? whole : p_.in_memory(made_[i]);
            p_.fold(into.at(cut(mine.first)), {sum.at(cut(mine.first)), theirs}, cut(mine.first), bytes_of(mine));
            sum = into;
        }
        for (int step = of_.steps(); step-- > 0;) {
            auto const& theirs = given[static_cast<std::size_t>(step)];
            int const other = of_.partner(own, step);
            auto const place = p_.receive(other, whole.at(cut(theirs.first)), bytes_of(theirs));
            p_.send(other, whole.at(cut(mine.first)), bytes_of(mine));
            p_.await(place);
            mine = {std::min(mine.first, theirs.first), std::max(mine.last, theirs.last)};
        }
        if (leaf >= 0) p_.send(leaf, whole, bytes);
        return whole;
    }

    collective_terms const& terms_;
    leader_plan p_;
    bine_numbers of_;
    std::int64_t local_ = 0, paired_ = 0;
    std::vector<std::int64_t> made_, come_; // by step
};

class bine_halving_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr bine_halving_algorithm() noexcept : algorithm("bine-halving", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        if (t.machines.one() || t.empty() || t.kind != collective_kind::allreduce || t.parts.size() != 1) return false;
        return t.bytes() / t.grain() >= t.machines.machines() && commutes(t);
    }
    [[nodiscard]] bool regroups(collective_terms const& /*t*/) const noexcept override { return true; }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        bine_numbers const of{t.machines.machines()};
        auto part = static_cast<double>(t.bytes());
        auto sum = within_machine(t);
        if (of.pairs() > 0) sum += 2.0 * leader_round(t, 1, part);
        for (int step = 0; step < of.steps(); ++step) {
            part /= 2;
            sum += 2.0 * leader_round(t, 1, part);
        }
        return sum;
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override { return bine_halving_builder{t, rank}.build(); }
};

constinit bine_halving_algorithm const bine_halving_object;

} // namespace

namespace algorithms {
algorithm const& bine_halving = bine_halving_object;
} // namespace algorithms

} // namespace sode::internal
