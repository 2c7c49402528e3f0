// SPDX-License-Identifier: Apache-2.0
#include "pattern/machine_flows.hpp"

#include "base/position.hpp"
#include "model/chooser.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace sode {
namespace {

// Of the ranks of machine `m`, the one that owns what it exchanges with `other`: neighbours all around fall to different ranks.
int owner_of(std::vector<int> const& machines, int m, int other) {
    std::vector<int> ranks;
    for (int r = 0; r < static_cast<int>(machines.size()); ++r)
        if (machines[pos(r)] == m) ranks.push_back(r);
    int const distance = other > m ? other - m - 1 : m - other - 1 + static_cast<int>(machines.size());
    return ranks[pos(distance) % ranks.size()];
}

} // namespace

machine_flows::machine_flows(edge_set const& edges, int rank) : edges_(edges), terms_(edges.terms()) {
    auto const& machines = terms_.nodes;
    if (machines.empty() || !edges.style().machine_messages) return;
    int const here = machines[pos(rank)];
    for (int r = 0; r < terms_.ranks; ++r)
        if (machines[pos(r)] == here) ranks_.push_back(r);
    std::set<int> strangers; // whose edges end here
    edge_set::outgoing found;
    for (int r : ranks_) {
        edges.from(r, found);
        own_stages_.push_back(2 * found.stage_bytes);
        for (auto const& e : found.edges)
            if (machines[pos(e.target)] != here) add(out_, e);
        for (int source : edges.sources(r))
            if (machines[pos(source)] != here) strangers.insert(source);
    }
    for (int source : strangers) {
        edges.from(source, found);
        for (auto const& e : found.edges)
            if (machines[pos(e.target)] == here) add(in_, e);
    }
    shares_.resize(ranks_.size());
    finish(out_, rank, true);
    finish(in_, rank, false);
}

void machine_flows::add(std::vector<flow>& list, edge const& e) {
    int const from = terms_.nodes[pos(e.source)], to = terms_.nodes[pos(e.target)];
    auto f = std::find_if(list.begin(), list.end(), [&](flow const& x) { return x.from == from && x.to == to; });
    if (f == list.end()) f = list.insert(f, flow{.from = from, .to = to, .edges = {}});
    f->edges.push_back(e);
}

void machine_flows::finish(std::vector<flow>& list, int rank, bool leaving) {
    std::erase_if(list, [&](flow& f) {
        auto const key = [](edge const& e) { return std::tuple{e.source, e.target, e.slot}; };
        std::sort(f.edges.begin(), f.edges.end(), [&](auto const& a, auto const& b) { return key(a) < key(b); });
        std::set<int> packers, readers;
        std::set<std::pair<int, int>> pairs;
        for (auto& e : f.edges) {
            if (pairs.emplace(e.source, e.target).second) f.bytes = stage_room(f.bytes);
            e.place = f.bytes;
            f.bytes += e.features.bytes;
            packers.insert(e.source);
            readers.insert(e.target);
        }
        f.packers.assign(packers.begin(), packers.end());
        f.readers.assign(readers.begin(), readers.end());
        bool const forced = terms_.forced == &ways::mpi_node;
        return !forced && !pays_together(static_cast<int>(pairs.size()), f.bytes, terms_.costs, terms_.pretended);
    });
    std::sort(list.begin(), list.end(), [](flow const& a, flow const& b) {
        return std::pair{a.from, a.to} < std::pair{b.from, b.to};
    });
    for (auto& f : list) {
        for (auto& e : f.edges) {
            e.chosen.how = &ways::mpi_node;
            if ((leaving ? e.source : e.target) == rank) edges_.locate(e);
        }
        f.sender = owner_of(terms_.nodes, f.from, f.to);
        f.receiver = owner_of(terms_.nodes, f.to, f.from);
        auto const owner = std::lower_bound(ranks_.begin(), ranks_.end(), leaving ? f.sender : f.receiver) - ranks_.begin();
        auto& s = shares_[static_cast<std::size_t>(owner)];
        f.line = s.lines;
        f.place = own_stages_[static_cast<std::size_t>(owner)] + s.stage_bytes;
        s.lines += 1 + static_cast<std::uint32_t>((leaving ? f.packers : f.readers).size());
        s.stage_bytes += 2 * stage_room(f.bytes);
    }
}

bool machine_flows::have(edge const& e) const noexcept {
    if (terms_.nodes.empty()) return false;
    int const from = terms_.nodes[pos(e.source)], to = terms_.nodes[pos(e.target)];
    auto const is = [&](flow const& f) { return f.from == from && f.to == to; };
    return std::any_of(out_.begin(), out_.end(), is) || std::any_of(in_.begin(), in_.end(), is);
}

machine_flows::share machine_flows::of_owner(int rank) const {
    auto const owner = std::find(ranks_.begin(), ranks_.end(), rank);
    return owner == ranks_.end() || shares_.empty() ? share{} : shares_[static_cast<std::size_t>(owner - ranks_.begin())];
}

} // namespace sode
