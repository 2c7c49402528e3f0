// SPDX-License-Identifier: Apache-2.0
#include "collective/leaders.hpp"

#include "collective/fold.hpp"
#include "plan/join.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

void cut(std::vector<reduced_part>& list, std::vector<reduced_part> const& parts, std::int64_t first, std::int64_t last) {
    list.clear();
    std::int64_t begin = 0;
    for (auto const& p : parts) {
        auto const from = std::max(begin, first), to = std::min(begin + p.bytes, last);
        if (from < to) list.push_back({to - from, p.combiner});
        begin += p.bytes;
    }
}

// What a rank that speaks for several shares has for those before `speaker`.
own_part before_share(algorithm const& a, collective_terms const& t, int speaker, int rank) {
    own_part sum;
    leader_shares shares{t};
    int const machine = t.machines.of(rank);
    for (int s = 0; s < speaker; ++s) {
        auto const& share = shares.of(t.leaders, s);
        if (share.leader_on(machine) != rank) continue;
        auto const steps = a.build(share, rank);
        sum.lines += steps.own_lines;
        sum.stage += steps.own_stage;
    }
    return sum;
}

} // namespace

leader_shares::leader_shares(collective_terms const& t) : whole_(t) {
    if (t.machines.one() || t.bytes() == 0 || t.kind == collective_kind::reduce_scatter) return;
    for (int m = 0; m < t.machines.machines(); ++m) widest_ = std::max(widest_, t.machines.on(m).size());
    widest_ = static_cast<int>(std::clamp<std::int64_t>(t.bytes() / t.grain(), 1, widest_));
}

int leader_shares::most(algorithm const& a) {
    int most = a.has_leaders() ? widest_ : 1;
    while (most > 1 && !a.can(of(most, 0))) --most;
    return most;
}

collective_terms const& leader_shares::of(int leaders, int speaker) {
    if (!share_) {
        share_.emplace(whole_).leaders = 1;
        share_->proofs = false;
        share_->name = whole_.title(); // no number of bytes is written out again for each
    }
    cut(share_->parts, whole_.parts, begin_of(leaders, speaker), begin_of(leaders, speaker + 1));
    share_->speaker = speaker;
    return *share_;
}

expense leader_shares::cost(algorithm const& a, int leaders, distance apart) {
    if (leaders == 1) return a.cost(whole_, apart);
    auto const& memory = whole_.costs.of(distance::near).memory;
    auto sum = a.cost(of(leaders, leaders - 1), apart);
    double const others = leaders - 1;
    sum.link *= leaders; // they share what joins their machine to the others
    sum.latency += others * memory.flag;
    // What the root has goes to the others that speak for it first.
    if (whole_.kind == collective_kind::broadcast)
        sum.source += static_cast<double>(whole_.bytes()) * others / leaders * memory.stage_byte;
    return sum;
}

plan build_by_leaders(algorithm const& a, collective_terms const& t, int rank) {
    if (t.leaders == 1) return a.build(t, rank);
    plan_builder whole{t.title(), rank, t.ranks()};
    add_operators(whole, t);
    record_share(whole, t, rank);
    leader_shares shares{t};
    std::vector<plan_part> parts;
    parts.reserve(static_cast<std::size_t>(t.leaders));
    int const machine = t.machines.of(rank);
    bool const wraps = t.leaders > t.machines.on(machine).size();
    for (int s = 0; s < t.leaders; ++s) {
        auto const& share = shares.of(t.leaders, s);
        plan_part part{a.build(share, rank), shares.begin_of(t.leaders, s)};
        if (int const leader = share.leader_on(machine); wraps) part.before[leader] = before_share(a, t, s, leader);
        parts.push_back(std::move(part));
    }
    std::array const array_bytes{input_of(t, rank).bytes, output_of(t, rank).bytes};
    join(whole, parts, array_bytes);
    return whole.finish();
}

} // namespace sode::internal
