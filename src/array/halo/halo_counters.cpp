// SPDX-License-Identifier: Apache-2.0
#include "array/halo/halo_counters.hpp"

#include <algorithm>
#include <iterator>

namespace sode {
namespace {

constexpr std::uint32_t first_slot_line = 2, lines_per_slot = 6;
constexpr std::size_t most_pairs = 6; // more neighbours than that are told once for all

} // namespace

halo_counters::halo_counters(halo_spec const& spec, halo_edges const& edges, node_traffic const& traffic, int rank)
    : spec_(spec), edges_(edges), traffic_(traffic), rank_(rank), partners_(partners_of(rank)) {
    for (int r : partners_) links_.push_back(link_to(r));
}

std::int64_t halo_counters::lines() const {
    return first_flow_line() + traffic_.of_owner(rank_).lines + pair_counters * pairs();
}

std::int64_t halo_counters::pairs() const noexcept {
    return std::count_if(partners_.begin(), partners_.end(), [&](int r) { return r > rank_; });
}

std::uint32_t halo_counters::first_message_line() const noexcept {
    return first_slot_line + 4 * static_cast<std::uint32_t>(edges_.slots());
}

std::uint32_t halo_counters::first_flow_line() const noexcept {
    return first_slot_line + lines_per_slot * static_cast<std::uint32_t>(edges_.slots());
}

std::vector<int> halo_counters::partners_of(int rank) const {
    auto const in = edges_.sources(rank), out = edges_.targets(rank);
    std::vector<int> all, both;
    std::set_union(in.begin(), in.end(), out.begin(), out.end(), std::back_inserter(all));
    if (all.size() <= most_pairs) std::set_intersection(in.begin(), in.end(), out.begin(), out.end(), std::back_inserter(both));
    std::erase_if(both, [&](int other) { return !spec_.share_memory(rank, other); });
    return both;
}

halo_counters::link halo_counters::link_to(int peer) const {
    auto const theirs = partners_of(peer);
    if (!std::binary_search(theirs.begin(), theirs.end(), rank_)) return {peer, -1, 0};
    auto const& at_host = rank_ < peer ? partners_ : theirs;
    int const host = std::min(rank_, peer);
    auto const above = std::upper_bound(at_host.begin(), at_host.end(), host);
    auto const place = std::lower_bound(above, at_host.end(), std::max(rank_, peer)) - above;
    auto const before = first_flow_line() + traffic_.of_owner(host).lines;
    return {peer, host, before + static_cast<std::uint32_t>(pair_counters * place)};
}

halo_counters::link const* halo_counters::shared_with(int peer) const noexcept {
    for (auto const& l : links_)
        if (l.peer == peer && l.host >= 0) return &l;
    return nullptr;
}

counter halo_counters::says(int writer, int reader, word what, int first_slot) const {
    auto const number = static_cast<std::uint32_t>(what);
    if (auto const* l = shared_with(writer == rank_ ? reader : writer)) {
        std::uint32_t const side = writer == l->host ? 0 : 1;
        return {.host = l->host, .writer = writer, .index = l->first + 2 * number + side};
    }
    auto const index = what == word::has_read ? first_slot_line + static_cast<std::uint32_t>(first_slot) : number;
    return {.host = writer, .writer = writer, .index = index};
}

counter halo_counters::in_line_flag(halo_edges::item const& i) const {
    counter c{.host = i.source, .writer = i.source, .instances = parity::epoch};
    auto const* l = shared_with(i.source == rank_ ? i.target : i.source);
    if (l && i.together <= pair_payload_bytes) {
        c.host = l->host;
        c.index = l->first + 6 + (i.source == l->host ? 0 : 2);
    } else {
        c.index = first_slot_line + static_cast<std::uint32_t>(edges_.slots() + 2 * i.first_slot);
    }
    return c;
}

counter halo_counters::chunk_flag(halo_edges::item const& i) const {
    return {.host = i.source,
            .writer = i.source,
            .index = first_slot_line + static_cast<std::uint32_t>(3 * edges_.slots() + i.slot),
            .step = i.features.chunks};
}

} // namespace sode
