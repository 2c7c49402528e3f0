// SPDX-License-Identifier: Apache-2.0
#include "pattern/machine_flows.hpp"

#include "base/position.hpp"
#include "model/chooser.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace sode::internal {
namespace {

// Of the ranks of machine `m`, the one that owns what it exchanges with `other`: neighbours all around fall to different ranks.
int owner_of(machine_map const& machines, int m, int other) {
    auto const ranks = machines.on(m);
    int const distance = other > m ? other - m - 1 : m - other - 1 + machines.ranks();
    return ranks[distance % ranks.size()];
}

} // namespace

machine_flows::machine_flows(edge_set const& edges, int rank) : terms_(edges.terms()), here_(terms_.machines.of(rank)) {
    auto const& machines = terms_.machines;
    if (machines.one() || !edges.style().machine_messages) return;
    edge_set::outgoing given;
    std::vector<edge> got;
    for (int r : machines.on(here_)) {
        edges.from(r, given);
        own_stages_.push_back(2 * given.stage_bytes + given.ring_bytes);
        for (auto const& e : given.edges)
            if (machines.of(e.target) != here_) add(out_, e);
        edges.into(r, got);
        for (auto const& e : got)
            if (machines.of(e.source) != here_) add(in_, e);
    }
    shares_.resize(own_stages_.size());
    finish(out_, true);
    finish(in_, false);
}

void machine_flows::add(std::vector<flow>& list, edge const& e) {
    int const from = terms_.machines.of(e.source), to = terms_.machines.of(e.target);
    auto f = std::find_if(list.begin(), list.end(), [&](flow const& x) { return x.from == from && x.to == to; });
    if (f == list.end()) f = list.insert(f, flow{.from = from, .to = to, .pieces = {}});
    f->pieces.push_back({e.source, e.target, 0, e.features.bytes});
}

void machine_flows::finish(std::vector<flow>& list, bool leaving) {
    std::erase_if(list, [&](flow& f) {
        std::stable_sort(f.pieces.begin(), f.pieces.end(), [](auto const& a, auto const& b) { return a.key() < b.key(); });
        std::set<int> packers, readers;
        int pairs = 0;
        flow::piece const* before = nullptr;
        for (auto& p : f.pieces) {
            if (!before || before->source != p.source || before->target != p.target) {
                ++pairs;
                f.bytes = stage_room(f.bytes);
            } else {
                p.number = before->number + 1;
            }
            p.place = f.bytes;
            f.bytes += p.bytes;
            packers.insert(p.source);
            readers.insert(p.target);
            before = &p;
        }
        f.packers.assign(packers.begin(), packers.end());
        f.readers.assign(readers.begin(), readers.end());
        bool const forced = terms_.forced == &ways::mpi_machine;
        return !forced && !pays_together(pairs, f.bytes, terms_.costs, terms_.pretended);
    });
    std::sort(list.begin(), list.end(), [](flow const& a, flow const& b) {
        return std::pair{a.from, a.to} < std::pair{b.from, b.to};
    });
    for (auto& f : list) {
        f.sender = owner_of(terms_.machines, f.from, f.to);
        f.receiver = owner_of(terms_.machines, f.to, f.from);
        auto const owner = pos(terms_.machines.place(leaving ? f.sender : f.receiver));
        auto& s = shares_[owner];
        f.line = s.lines;
        f.place = own_stages_[owner] + s.stage_bytes;
        s.lines += 1 + static_cast<std::uint32_t>((leaving ? f.packers : f.readers).size());
        s.stage_bytes += 2 * stage_room(f.bytes);
    }
}

machine_flows::flow const* machine_flows::with(edge const& e) const noexcept {
    if (out_.empty() && in_.empty()) return nullptr;
    int const from = terms_.machines.of(e.source), to = terms_.machines.of(e.target);
    for (auto const* list : {&out_, &in_})
        for (auto const& f : *list)
            if (f.from == from && f.to == to) return &f;
    return nullptr;
}

std::int64_t machine_flows::place_of(edge const& e, int number, flow const& f) noexcept {
    std::tuple const key{e.source, e.target, number};
    return std::lower_bound(f.pieces.begin(), f.pieces.end(), key, [](auto const& p, auto const& k) { return p.key() < k; })->place;
}

machine_flows::share machine_flows::of_owner(int rank) const {
    if (shares_.empty() || terms_.machines.of(rank) != here_) return {};
    return shares_[pos(terms_.machines.place(rank))];
}

} // namespace sode::internal
