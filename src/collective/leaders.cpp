// SPDX-License-Identifier: Apache-2.0
#include "collective/leaders.hpp"

#include "collective/fold.hpp"
#include "plan/join.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

std::int64_t begin_of(collective_terms const& t, int speaker) noexcept {
    return t.cut(speaker, t.leaders);
}

std::vector<reduced_part> cut(std::vector<reduced_part> const& parts, std::int64_t first, std::int64_t last) {
    std::vector<reduced_part> list;
    std::int64_t begin = 0;
    for (auto const& p : parts) {
        auto const from = std::max(begin, first), to = std::min(begin + p.bytes, last);
        if (from < to) list.push_back({to - from, p.combiner});
        begin += p.bytes;
    }
    return list;
}

// What a rank that speaks for several shares has for those before `speaker`.
own_part before_share(algorithm const& a, collective_terms const& t, int speaker, int rank) {
    own_part sum;
    int const machine = t.machines.of(rank);
    for (int s = 0; s < speaker; ++s) {
        auto const share = share_of_leader(t, s);
        if (share.terms.leader_on(machine) != rank) continue;
        auto const steps = a.build(share.terms, rank);
        sum.lines += steps.own_lines;
        sum.stage += steps.own_stage;
    }
    return sum;
}

} // namespace

int most_leaders(algorithm const& a, collective_terms const& t) {
    if (!a.has_leaders() || t.machines.one() || t.bytes() == 0 || t.kind == collective_kind::reduce_scatter) return 1;
    int most = 1;
    for (int m = 0; m < t.machines.machines(); ++m) most = std::max(most, t.machines.on(m).size());
    most = static_cast<int>(std::min<std::int64_t>(most, t.bytes() / t.grain()));
    auto cut = t;
    for (cut.leaders = std::max(most, 1); cut.leaders > 1; --cut.leaders)
        if (a.can(share_of_leader(cut, 0).terms)) break;
    return cut.leaders;
}

leader_share share_of_leader(collective_terms const& t, int speaker) {
    leader_share s{t, begin_of(t, speaker)};
    s.terms.parts = cut(t.parts, s.begin, begin_of(t, speaker + 1));
    s.terms.leaders = 1;
    s.terms.speaker = speaker;
    s.terms.proofs = false;
    return s;
}

expense cost_by_leaders(algorithm const& a, collective_terms const& t, distance apart) {
    if (t.leaders == 1) return a.cost(t, apart);
    auto const& memory = t.costs.of(distance::near).memory;
    auto sum = a.cost(share_of_leader(t, t.leaders - 1).terms, apart);
    double const others = t.leaders - 1;
    sum.link *= t.leaders; // they share what joins their machine to the others
    sum.latency += others * memory.flag;
    // What the root has goes to the others that speak for it first.
    if (t.kind == collective_kind::broadcast) sum.source += static_cast<double>(t.bytes()) * others / t.leaders * memory.stage_byte;
    return sum;
}

plan build_by_leaders(algorithm const& a, collective_terms const& t, int rank) {
    if (t.leaders == 1) return a.build(t, rank);
    plan_builder whole{t.title(), rank, t.ranks()};
    add_operators(whole, t);
    record_share(whole, t, rank);
    std::vector<plan_part> parts;
    int const machine = t.machines.of(rank);
    bool const wraps = t.leaders > t.machines.on(machine).size();
    for (int s = 0; s < t.leaders; ++s) {
        auto const share = share_of_leader(t, s);
        plan_part part{a.build(share.terms, rank), share.begin};
        if (int const leader = share.terms.leader_on(machine); wraps) part.before[leader] = before_share(a, t, s, leader);
        parts.push_back(std::move(part));
    }
    std::array const array_bytes{input_of(t, rank).bytes, output_of(t, rank).bytes};
    join(whole, parts, array_bytes);
    return whole.finish();
}

} // namespace sode::internal
