// SPDX-License-Identifier: Apache-2.0
#include "array/halo/node_traffic.hpp"

#include "model/chooser.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace sode {
namespace {

std::size_t pos(int i) noexcept {
    return static_cast<std::size_t>(i);
}

// Of the ranks of `node`, the one that owns what it exchanges with `other`: neighbours all around fall to different ranks.
int owner_of(std::vector<int> const& nodes, int node, int other) {
    std::vector<int> ranks;
    for (int r = 0; r < static_cast<int>(nodes.size()); ++r)
        if (nodes[pos(r)] == node) ranks.push_back(r);
    int const distance = other > node ? other - node - 1 : node - other - 1 + static_cast<int>(nodes.size());
    return ranks[pos(distance) % ranks.size()];
}

} // namespace

node_traffic::node_traffic(halo_spec const& spec, halo_edges const& edges, int rank) : spec_(spec) {
    if (spec.nodes.empty()) return;
    int const here = spec.nodes[pos(rank)];
    for (int r = 0; r < spec.ranks; ++r)
        if (spec.nodes[pos(r)] == here) ranks_.push_back(r);
    std::set<int> strangers; // whose edges end here
    halo_edges::outgoing found;
    for (int r : ranks_) {
        edges.from(r, found);
        own_stages_.push_back(2 * found.stage_bytes);
        for (auto const& i : found.items)
            if (spec.nodes[pos(i.target)] != here) add(out_, i);
        for (int source : edges.sources(r))
            if (spec.nodes[pos(source)] != here) strangers.insert(source);
    }
    for (int source : strangers) {
        edges.from(source, found);
        for (auto const& i : found.items)
            if (spec.nodes[pos(i.target)] == here) add(in_, i);
    }
    shares_.resize(ranks_.size());
    finish(out_, true);
    finish(in_, false);
}

void node_traffic::add(std::vector<flow>& list, halo_edges::item const& i) {
    int const from = spec_.nodes[pos(i.source)], to = spec_.nodes[pos(i.target)];
    auto f = std::find_if(list.begin(), list.end(), [&](flow const& x) { return x.from == from && x.to == to; });
    if (f == list.end()) f = list.insert(f, flow{.from = from, .to = to, .items = {}});
    f->items.push_back(i);
}

void node_traffic::finish(std::vector<flow>& list, bool leaving) {
    std::erase_if(list, [&](flow& f) {
        auto const key = [](halo_edges::item const& i) { return std::tuple{i.source, i.target, i.slot}; };
        std::sort(f.items.begin(), f.items.end(), [&](auto const& a, auto const& b) { return key(a) < key(b); });
        std::set<int> packers, readers;
        std::set<std::pair<int, int>> pairs;
        for (auto& i : f.items) {
            if (pairs.emplace(i.source, i.target).second) f.bytes = (f.bytes + 63) / 64 * 64;
            i.stage_offset = f.bytes;
            f.bytes += i.features.bytes;
            packers.insert(i.source);
            readers.insert(i.target);
        }
        f.packers.assign(packers.begin(), packers.end());
        f.readers.assign(readers.begin(), readers.end());
        bool const forced = spec_.forced == method::node_message;
        return !forced && !pays_together(static_cast<int>(pairs.size()), f.bytes, spec_.costs, spec_.pretended);
    });
    std::sort(list.begin(), list.end(), [](flow const& a, flow const& b) {
        return std::pair{a.from, a.to} < std::pair{b.from, b.to};
    });
    for (auto& f : list) {
        f.sender = owner_of(spec_.nodes, f.from, f.to);
        f.receiver = owner_of(spec_.nodes, f.to, f.from);
        auto const owner = std::lower_bound(ranks_.begin(), ranks_.end(), leaving ? f.sender : f.receiver) - ranks_.begin();
        auto& s = shares_[static_cast<std::size_t>(owner)];
        f.line = s.lines;
        f.place = own_stages_[static_cast<std::size_t>(owner)] + s.stage_bytes;
        s.lines += 1 + static_cast<std::uint32_t>((leaving ? f.packers : f.readers).size());
        s.stage_bytes += 2 * ((f.bytes + 63) / 64 * 64);
    }
}

node_traffic::flow const* node_traffic::of(halo_edges::item const& i) const noexcept {
    if (spec_.nodes.empty()) return nullptr;
    int const from = spec_.nodes[pos(i.source)], to = spec_.nodes[pos(i.target)];
    for (auto const* list : {&out_, &in_})
        for (auto const& f : *list)
            if (f.from == from && f.to == to) return &f;
    return nullptr;
}

node_traffic::share node_traffic::of_owner(int rank) const {
    auto const owner = std::find(ranks_.begin(), ranks_.end(), rank);
    return owner == ranks_.end() || shares_.empty() ? share{} : shares_[static_cast<std::size_t>(owner - ranks_.begin())];
}

} // namespace sode
