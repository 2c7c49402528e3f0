// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/machine_pairs.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

using place = leader_plan::place;

class pair_builder {
public:
    pair_builder(collective_terms const& t, int rank, machine_pairs const& pairs) : terms_(t), p_(t, rank), pairs_(pairs) {}

    plan doubled() {
        auto const local = room(), handed = room();
        reserve_rounds();
        return finish([&](place const& whole) {
            auto sum = p_.in_memory(local);
            p_.fold(sum, parts(handed), 0, bytes_);
            return takes_no_part() ? told(sum, whole) : double_up(sum, whole);
        });
    }

    plan halved() {
        auto const local = room(), handed = room();
        reserve_rounds();
        return finish([&](place const& whole) {
            auto const each = parts(handed);
            auto sum = each.front();
            if (each.size() > 1) p_.fold(sum = p_.in_memory(local), each, 0, bytes_);
            return takes_no_part() ? told(sum, whole) : halve(sum, whole);
        });
    }

private:
    // Parts of what is combined, as many as leaders take part.
    struct range {
        int first, last;
    };
    [[nodiscard]] std::int64_t cut(int part) const noexcept { return terms_.cut(part, everything().last); }
    [[nodiscard]] std::int64_t bytes_of(range r) const noexcept { return cut(r.last) - cut(r.first); }

    [[nodiscard]] std::int64_t room() { return p_.reserve(bytes_); }
    void reserve_rounds() {
        for (std::size_t i = 0; i < pairs_.rounds.size(); ++i) {
            made_.push_back(room()); // of halves only a part is used, at the place of the part
            come_.push_back(room());
        }
    }
    template <class Exchange> plan finish(Exchange const& exchange) {
        auto const taken = room();
        p_.gather();
        p_.deliver(p_.leads() ? exchange(p_.result(taken)) : place{}, taken);
        return p_.finish();
    }

    // What this machine gives, and what is handed in to it, in the order of the machines.
    [[nodiscard]] std::vector<place> parts(std::int64_t handed) {
        auto all = p_.given();
        if (pairs_.hands_in >= 0)
            all.insert(pairs_.hands_in < p_.machine() ? all.begin() : all.end(),
                       p_.receive(pairs_.hands_in, p_.in_memory(handed), bytes_));
        return all;
    }
    [[nodiscard]] bool takes_no_part() const noexcept { return pairs_.told_by >= 0; }
    [[nodiscard]] place told(place const& sum, place const& whole) {
        p_.send(pairs_.told_by, sum, bytes_);
        return p_.receive(pairs_.told_by, whole, bytes_);
    }
    void tell(place const& sum) {
        if (pairs_.hands_in >= 0) p_.send(pairs_.hands_in, sum, bytes_);
    }
    void combine(place const& into, machine_pairs::meeting const& m, place const& here, place const& theirs, range r) {
        p_.fold(into, m.lower ? std::vector{here, theirs} : std::vector{theirs, here}, cut(r.first), bytes_of(r));
    }
    [[nodiscard]] place into(std::size_t round, place const& whole) {
        return round + 1 == pairs_.rounds.size() ? whole : p_.in_memory(made_[round]);
    }

    [[nodiscard]] place double_up(place sum, place const& whole) {
        for (std::size_t i = 0; i < pairs_.rounds.size(); ++i) {
            auto const& m = pairs_.rounds[i];
            auto const theirs = p_.receive(m.other, p_.in_memory(come_[i]), bytes_);
            p_.send(m.other, sum, bytes_);
            auto const next = into(i, whole);
            combine(next, m, sum, theirs, everything());
            sum = next;
        }
        tell(sum);
        return sum;
    }

    [[nodiscard]] place halve(place sum, place const& whole) {
        auto mine = everything();
        std::vector<range> given; // by round
        for (std::size_t i = 0; i < pairs_.rounds.size(); ++i) {
            auto const& m = pairs_.rounds[i];
            int const middle = (mine.first + mine.last) / 2;
            range const low{mine.first, middle}, high{middle, mine.last};
            mine = m.lower ? low : high;
            given.push_back(m.lower ? high : low);
            auto const theirs = p_.receive(m.other, p_.in_memory(come_[i]).at(cut(mine.first)), bytes_of(mine));
            p_.send(m.other, sum.at(cut(given[i].first)), bytes_of(given[i]));
            auto const next = into(i, whole);
            combine(next.at(cut(mine.first)), m, sum.at(cut(mine.first)), theirs, mine);
            sum = next;
        }
        for (auto i = pairs_.rounds.size(); i-- > 0;) {
            int const other = pairs_.rounds[i].other;
            auto const theirs = p_.receive(other, whole.at(cut(given[i].first)), bytes_of(given[i]));
            p_.send(other, whole.at(cut(mine.first)), bytes_of(mine));
            p_.await(theirs);
            mine = {std::min(mine.first, given[i].first), std::max(mine.last, given[i].last)};
        }
        tell(whole);
        return whole;
    }
    [[nodiscard]] range everything() const noexcept { return {0, 1 << pairs_.rounds.size()}; }

    collective_terms const& terms_;
    leader_plan p_;
    machine_pairs const& pairs_;
    std::int64_t const bytes_ = terms_.bytes();
    std::vector<std::int64_t> made_, come_; // by round
};

} // namespace

plan doubling_plan(collective_terms const& t, int rank, machine_pairs const& pairs) {
    return pair_builder{t, rank, pairs}.doubled();
}

plan halving_plan(collective_terms const& t, int rank, machine_pairs const& pairs) {
    return pair_builder{t, rank, pairs}.halved();
}

expense doubling_cost(collective_terms const& t, int rounds, int others) noexcept {
    auto const round = leader_round(t, 1, static_cast<double>(t.bytes()));
    auto sum = within_machine(t);
    for (int i = 0; i < rounds; ++i) sum += round;
    return others > 0 ? sum + 2.0 * round : sum;
}

expense halving_cost(collective_terms const& t, int rounds, int others) noexcept {
    auto part = static_cast<double>(t.bytes());
    auto sum = within_machine(t);
    if (others > 0) sum += 2.0 * leader_round(t, 1, part);
    for (int i = 0; i < rounds; ++i) {
        part /= 2;
        sum += 2.0 * leader_round(t, 1, part);
    }
    return sum;
}

bool can_be_halved(collective_terms const& t) noexcept {
    if (t.machines.one() || t.empty() || t.kind != collective_kind::allreduce || t.parts.size() != 1) return false;
    return t.bytes() / t.grain() >= t.machines.machines();
}

} // namespace sode::internal
