// SPDX-License-Identifier: Apache-2.0
#include "array/exchange/matched_ends.hpp"

#include "pattern/choose_way.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>

namespace sode::internal {
namespace {

struct end_of_pair {
    int source, target, tag;
    known_end const* end;
    [[nodiscard]] std::tuple<int, int, int, bool> key() const noexcept { return {source, target, tag, !end->sends}; }
};

/// Ends of one source, target and tag: sends, then receives, each in the order of their list.
struct ends_of_a_tag {
    std::span<end_of_pair const> out;
    std::span<end_of_pair const> in;
};

std::string messages(std::size_t n) {
    return n == 1 ? "1 message" : fmt::format("{} messages", n);
}

void require_pairs(exchange_spec const& spec, int source, int target, int tag, ends_of_a_tag const& e) {
    if (e.out.size() != e.in.size())
        throw error{error_kind::usage,
                    fmt::format("{} cannot be planned: rank {} sends {} with tag {} to rank {}, which receives {}", spec.name,
                                source, messages(e.out.size()), tag, target, e.in.size()),
                    "every send needs a receive with the same tag at its target, and every receive needs a send with the same tag",
                    "compare the ranks and tags in the lists of both ranks"};
    for (std::size_t k = 0; k < e.out.size(); ++k)
        if (auto const sent = e.out[k].end->where.bytes(), received = e.in[k].end->where.bytes(); sent != received)
            throw error{
                error_kind::usage,
                fmt::format("{} cannot be planned: rank {} sends {} bytes with tag {} to rank {}, which receives {}", spec.name,
                            source, sent, tag, target, received),
                fmt::format("this is message {} of {} with this tag between the two ranks, in list order", k + 1, e.out.size()),
                "give both ends datatypes of the same size"};
}

// As far as those who put them together must know them.
std::vector<edge> far_edges(int rank, std::vector<told_place::far_message> const& messages, bool leaving) {
    std::vector<edge> list;
    for (auto const& m : messages) {
        edge e{.source = leaving ? rank : m.peer, .target = leaving ? m.peer : rank};
        e.features.bytes = m.bytes;
        e.features.apart = distance::other_machine;
        list.push_back(std::move(e));
    }
    return list;
}

} // namespace

matched_ends::matched_ends(exchange_spec const& spec) : edge_set(spec, {.machine_messages = spec.may_go_together()}), spec_(spec) {
    std::vector<end_of_pair> all;
    std::size_t ends = 0;
    for (auto const& [here, known] : spec.ends) ends += known.ends.size();
    all.reserve(ends);
    for (auto const& [here, known] : spec.ends)
        for (auto const& e : known.ends) all.push_back({e.sends ? here : e.peer, e.sends ? e.peer : here, e.tag, &e});
    std::ranges::stable_sort(all, {}, &end_of_pair::key);
    for (auto first = all.begin(); first != all.end();) {
        int const source = first->source, target = first->target, tag = first->tag;
        auto const of_tag = [&](bool in) { return std::tuple{source, target, tag, in}; };
        auto const middle = std::ranges::upper_bound(first, all.end(), of_tag(false), {}, &end_of_pair::key);
        auto const last = std::ranges::upper_bound(middle, all.end(), of_tag(true), {}, &end_of_pair::key);
        ends_of_a_tag const e{{first, middle}, {middle, last}};
        require_pairs(spec, source, target, tag, e);
        for (std::size_t k = 0; k < e.out.size(); ++k) {
            if (e.out[k].end->where.bytes() == 0) continue;
            messages_[source].push_back({target, e.out[k].end, e.in[k].end});
            auto& heard = sources_[target];
            if (source != target && (heard.empty() || heard.back() != source)) heard.push_back(source);
        }
        first = last;
    }
}

buffer matched_ends::memory_of(int rank, known_end const& e) const {
    return {.host = rank, .role = buffer_role::array, .ordinal = e.region, .bytes = region_of(rank, e).bytes};
}

void matched_ends::from(int rank, outgoing& result) const {
    auto const [known, is_new] = known_.try_emplace(rank);
    auto& all = known->second;
    auto const told = spec_.told.find(rank);
    bool const partly_known = told != spec_.told.end();
    if (auto const given = messages_.find(rank); is_new && given != messages_.end()) {
        for (auto const& m : given->second) {
            all.edges.push_back({.source = rank,
                                 .target = m.target,
                                 .from = memory_of(rank, *m.out),
                                 .source_layout = m.out->where,
                                 .to = memory_of(m.target, *m.in),
                                 .target_layout = m.in->where});
            choose_way(all.edges.back(), spec_, region_of(rank, *m.out).shared);
        }
        if (!partly_known) all.assign_places();
        for (std::size_t i = 0; partly_known && i < all.edges.size(); ++i) all.edges[i].place = told->second.in_stage[i];
    }
    result = all;
    if (!partly_known) return;
    result.stage_bytes = told->second.stage_bytes; // also of a rank that gives nothing to this one
    for (auto const& e : far_edges(rank, told->second.out, true)) result.edges.push_back(e);
}

void matched_ends::into(int rank, std::vector<edge>& result) const {
    if (auto const told = spec_.told.find(rank); told != spec_.told.end())
        result = far_edges(rank, told->second.in, false);
    else
        edge_set::into(rank, result);
}

void matched_ends::locate(edge& e) const {
    if (auto const told = spec_.told.find(e.target); told != spec_.told.end()) {
        e.slot = e.first_slot = told->second.slot;
    } else if (auto const heard = sources_.find(e.target); heard != sources_.end()) {
        auto const& all = heard->second;
        e.slot = e.first_slot = static_cast<int>(std::lower_bound(all.begin(), all.end(), e.source) - all.begin());
    }
}

std::vector<int> matched_ends::sources(int rank) const {
    auto const heard = sources_.find(rank);
    return heard == sources_.end() ? std::vector<int>{} : heard->second;
}

std::vector<int> matched_ends::targets(int rank) const {
    std::vector<int> list;
    if (auto const given = messages_.find(rank); given != messages_.end())
        for (auto const& m : given->second)
            if (m.target != rank && (list.empty() || list.back() != m.target)) list.push_back(m.target);
    return list;
}

int matched_ends::slots(int rank) const {
    if (auto const told = spec_.told.find(rank); told != spec_.told.end()) return told->second.slots;
    return static_cast<int>(std::max(sources(rank).size(), targets(rank).size()));
}

bool matched_ends::all_shared() const {
    if (spec_.shared) return *spec_.shared;
    for (auto const& [source, given] : messages_)
        for (auto const& m : given)
            if (m.target != source && !region_of(source, *m.out).shared) return false;
    return true;
}

} // namespace sode::internal
