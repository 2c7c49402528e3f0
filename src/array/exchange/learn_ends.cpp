// SPDX-License-Identifier: Apache-2.0
#include "array/exchange/learn_ends.hpp"

#include "array/exchange/told_ends.hpp"
#include "engine/told_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sode::internal {
namespace {

// What `peer` must know: the ends of messages with it, and the regions that those are in.
rank_ends of_pair(rank_ends const& mine, int peer) {
    rank_ends found;
    for (auto const& e : mine.ends) {
        if (e.peer != peer) continue;
        found.ends.push_back(e);
        if (e.where.bytes() == 0) continue;
        found.regions.resize(std::max<std::size_t>(found.regions.size(), e.region + 1));
        found.regions[e.region] = mine.regions[e.region];
    }
    return found;
}

std::vector<int> peers_of(rank_ends const& mine, int rank) {
    std::vector<int> list;
    for (auto const& e : mine.ends)
        if (e.peer != rank) list.push_back(e.peer);
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

// Whom this rank tells its places: its peers of this machine; all ranks there, if they put together what goes to other machines.
std::vector<int> near_ranks(exchange_spec const& spec, std::vector<int> near, int rank) {
    if (!spec.may_go_together()) {
        std::erase_if(near, [&](int p) { return !spec.share_memory(p, rank); });
        return near;
    }
    near.clear();
    for (int const r : spec.machines.on(spec.machines.of(rank)))
        if (r != rank) near.push_back(r);
    return near;
}

bool all_shared(rank_ends const& mine, int rank) {
    return std::ranges::all_of(mine.ends, [&](known_end const& e) {
        return !e.sends || e.peer == rank || e.where.bytes() == 0 || mine.regions[e.region].shared;
    });
}

// As words: what passes between this rank and other machines.
std::vector<index_t> far_traffic(exchange_spec const& spec, matched_ends const& known, edge_set::outgoing const& given, int rank) {
    std::vector<index_t> out{0}, in{0};
    auto const add = [](std::vector<index_t>& words, int peer, edge const& e) {
        ++words.front();
        words.insert(words.end(), {index_t{peer}, e.features.bytes});
    };
    if (spec.may_go_together()) {
        for (auto const& e : given.edges)
            if (!spec.share_memory(rank, e.target)) add(out, e.target, e);
        // Of those of this machine, it does not know yet where they put what.
        edge_set::outgoing got;
        for (int const source : known.sources(rank)) {
            if (spec.share_memory(rank, source)) continue;
            known.from(source, got);
            for (auto const& e : got.edges)
                if (e.target == rank) add(in, source, e);
        }
    }
    out.insert(out.end(), in.begin(), in.end());
    return out;
}

told_place place_of(std::span<index_t const> words) {
    told_place place{.slot = static_cast<int>(words[0]), .stage_bytes = words[1], .slots = static_cast<int>(words[2])};
    auto at = words.begin() + 3;
    for (auto* const list : {&place.out, &place.in})
        for (auto left = *at++; left > 0; --left, at += 2) list->push_back({static_cast<int>(at[0]), at[1]});
    place.in_stage.assign(at, words.end());
    return place;
}

// Where in its stage a rank puts what it gives to a target follows from all that it gives; where a target tells that it has read,
// from all that it gets.
std::unique_ptr<matched_ends const> learn_places(exchange_spec& spec, context const& c, std::vector<int> const& near) {
    int const me = c.ranks.rank();
    auto known = std::make_unique<matched_ends const>(spec);
    auto const sources = known->sources(me);
    edge_set::outgoing given;
    known->from(me, given);
    words_by_rank mine;
    auto const traffic = far_traffic(spec, *known, given, me);
    for (int const p : near) {
        auto const source = std::ranges::lower_bound(sources, p);
        bool const gives = source != sources.end() && *source == p;
        auto& words = mine[p];
        words = {gives ? source - sources.begin() : -1, given.stage_bytes, known->slots(me)};
        words.insert(words.end(), traffic.begin(), traffic.end());
    }
    for (auto const& e : given.edges)
        if (auto const to = mine.find(e.target); to != mine.end()) to->second.push_back(e.place);
    told_words const told{c, mine, {}, {}};
    for (auto const& [peer, words] : told.hear(near, spec.name)) spec.told[peer] = place_of(words);
    return known;
}

} // namespace

std::unique_ptr<matched_ends const> learn_ends(exchange_spec& spec, context const& c, rank_ends const& mine,
                                               std::optional<error> const& trouble, bool wants_all) {
    call_reason const reason{c.waits, fmt::format("during planning of {}", spec.name)};
    int const me = c.ranks.rank();
    auto const peers = trouble ? std::vector<int>{} : peers_of(mine, me);
    words_by_rank words;
    for (int const p : peers) words[p] = to_words(of_pair(mine, p));
    std::array<std::uint64_t, 2> maxima{trouble || wants_all ? 1U : 0U, all_shared(mine, me) ? 0U : 1U};
    auto sums = pairing_of(mine, me);
    told_words const told{c, words, maxima, sums};
    if (maxima[0] != 0 || sums != std::array<std::uint64_t, 2>{}) {
        spec.ends = tell_ends(c.ranks.boot(), mine, trouble);
        return std::make_unique<matched_ends const>(spec);
    }
    spec.shared = maxima[1] == 0;
    spec.ends[me] = mine;
    for (auto const& [peer, theirs] : told.hear(peers, spec.name)) spec.ends[peer] = from_words(theirs);
    return learn_places(spec, c, near_ranks(spec, peers, me));
}

} // namespace sode::internal
