// SPDX-License-Identifier: Apache-2.0
#include "array/exchange/matched_ends.hpp"

#include "pattern/choose_way.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace sode {
namespace {

struct ends_of_a_tag {
    std::vector<known_end const*> out;
    std::vector<known_end const*> in;
};

std::string messages(std::size_t n) {
    return n == 1 ? "1 message" : fmt::format("{} messages", n);
}

void require_pairs(exchange_spec const& spec, int source, int target, int tag, ends_of_a_tag const& e) {
    if (e.out.size() != e.in.size())
        throw error{error_kind::usage,
                    fmt::format("{} cannot be planned: rank {} sends {} with tag {} to rank {}, which receives {}", spec.name,
                                source, messages(e.out.size()), tag, target, e.in.size()),
                    "every send has a receive of the same tag at its target, and the other way round",
                    "compare the ranks and tags in the lists of both"};
    for (std::size_t k = 0; k < e.out.size(); ++k)
        if (auto const sent = e.out[k]->where.bytes(), received = e.in[k]->where.bytes(); sent != received)
            throw error{error_kind::usage,
                        fmt::format("{} cannot be planned: rank {} sends {} bytes with tag {} to rank {}, which receives {}",
                                    spec.name, source, sent, tag, target, received),
                        fmt::format("that is message {} of {} between the two with this tag, in the order of their lists", k + 1,
                                    e.out.size()),
                        "give both ends datatypes of the same size"};
}

} // namespace

matched_ends::matched_ends(exchange_spec const& spec)
    : edge_set(spec, {}), spec_(spec), messages_(spec.all.size()), sources_(spec.all.size()) {
    std::map<std::tuple<int, int, int>, ends_of_a_tag> by_tag; // source, target, tag
    for (std::size_t r = 0; r < spec.all.size(); ++r)
        for (auto const& e : spec.all[r].ends) {
            int const here = static_cast<int>(r);
            auto& found = by_tag[e.sends ? std::tuple{here, e.peer, e.tag} : std::tuple{e.peer, here, e.tag}];
            (e.sends ? found.out : found.in).push_back(&e);
        }
    for (auto const& [key, e] : by_tag) {
        auto const [source, target, tag] = key;
        require_pairs(spec, source, target, tag, e);
        for (std::size_t k = 0; k < e.out.size(); ++k) {
            if (e.out[k]->where.bytes() == 0) continue;
            messages_[static_cast<std::size_t>(source)].push_back({target, e.out[k], e.in[k]});
            auto& heard = sources_[static_cast<std::size_t>(target)];
            if (source != target && (heard.empty() || heard.back() != source)) heard.push_back(source);
        }
    }
}

buffer matched_ends::memory_of(int rank, known_end const& e) const {
    return {.host = rank, .role = buffer_role::array, .ordinal = e.region, .bytes = region_of(rank, e).bytes};
}

void matched_ends::from(int rank, outgoing& result) const {
    auto const [known, is_new] = known_.try_emplace(rank);
    if (is_new) {
        for (auto const& m : messages_[static_cast<std::size_t>(rank)]) {
            known->second.edges.push_back({.source = rank,
                                           .target = m.target,
                                           .slot = rank,
                                           .from = memory_of(rank, *m.out),
                                           .source_layout = m.out->where,
                                           .to = memory_of(m.target, *m.in),
                                           .target_layout = m.in->where});
            choose_way(known->second.edges.back(), spec_, region_of(rank, *m.out).shared);
        }
        known->second.assign_places();
    }
    result = known->second;
}

bool matched_ends::all_shared() const {
    for (std::size_t r = 0; r < messages_.size(); ++r)
        for (auto const& m : messages_[r])
            if (m.target != static_cast<int>(r) && !region_of(static_cast<int>(r), *m.out).shared) return false;
    return true;
}

} // namespace sode
