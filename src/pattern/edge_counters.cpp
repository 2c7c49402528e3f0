// SPDX-License-Identifier: Apache-2.0
#include "pattern/edge_counters.hpp"

#include "channel/mpi/messages.hpp"

#include <algorithm>
#include <iterator>

namespace sode::internal {
namespace {

constexpr std::uint32_t first_slot_line = 2;
// Lines of a slot before those of each kind.
constexpr std::uint32_t acknowledgements = 0, message_ends = 1, in_line_flags = 3, chunk_flags = 5, arrivals = 6;
constexpr std::uint32_t packed_messages = 3, stored = 4, filled = 5, taken = 6, message_rings = 7; // devices have none in line
constexpr std::uint32_t put_counters = 2;                                                          // landed, and may begin
constexpr std::size_t most_pairs = 6; // more neighbours than that are told once for all

} // namespace

edge_counters::edge_counters(edge_set const& edges, machine_flows const& flows, int rank)
    : edges_(edges), flows_(flows), rank_(rank), slots_(edges.slots(rank)), partners_(partners_of(rank)) {
    for (int r : partners_) links_.push_back(link_to(r));
}

std::uint32_t edge_counters::line(int host, std::uint32_t of_each_slot, int slot) const {
    auto const slots = of_each_slot == 0 ? 0 : host == rank_ ? slots_ : edges_.slots(host);
    return first_slot_line + of_each_slot * static_cast<std::uint32_t>(slots) + static_cast<std::uint32_t>(slot);
}

std::int64_t edge_counters::lines() const {
    return first_flow_line() + flows_.of_owner(rank_).lines + pair_counters * pairs();
}

std::int64_t edge_counters::pairs() const noexcept {
    return std::count_if(partners_.begin(), partners_.end(), [&](int r) { return r > rank_; });
}

std::uint32_t edge_counters::first_message_line() const {
    return line(rank_, message_ends, 0);
}

std::uint32_t edge_counters::first_packed_line() const {
    return line(rank_, packed_messages, 0);
}

std::uint32_t edge_counters::first_ring_line() const {
    return line(rank_, message_rings, 0);
}

std::uint32_t edge_counters::first_flow_line(int host) const {
    return line(host, kinds_before_puts() + (edges_.style().puts ? put_counters : 0), 0);
}

std::uint32_t edge_counters::kinds_before_puts() const noexcept {
    auto const& style = edges_.style();
    if (style.on_device)
        return message_rings + (edges_.terms().machines.one() ? 0 : static_cast<std::uint32_t>(mpi::messages::ring_lines));
    return style.awaited ? arrivals + 1 : style.neighbours ? arrivals : in_line_flags;
}

// All that a source waits for is in its own memory, as all that a target waits for: neither looks at memory of the other.
counter edge_counters::may_put(int source, int target, int first_slot) const {
    return {.host = source, .writer = target, .index = line(source, kinds_before_puts() + 1, first_slot)};
}

counter edge_counters::arrived(int slot) const {
    return {.host = rank_, .writer = rank_, .index = line(rank_, arrivals, slot)};
}

std::vector<int> edge_counters::partners_of(int rank) const {
    if (!edges_.style().neighbours) return {};
    auto const in = edges_.sources(rank), out = edges_.targets(rank);
    std::vector<int> all, both;
    std::set_union(in.begin(), in.end(), out.begin(), out.end(), std::back_inserter(all));
    if (all.size() <= most_pairs) std::set_intersection(in.begin(), in.end(), out.begin(), out.end(), std::back_inserter(both));
    std::erase_if(both, [&](int other) { return !edges_.terms().share_memory(rank, other); });
    return both;
}

edge_counters::link edge_counters::link_to(int peer) const {
    auto const theirs = partners_of(peer);
    if (!std::binary_search(theirs.begin(), theirs.end(), rank_)) return {peer, -1, 0};
    auto const& at_host = rank_ < peer ? partners_ : theirs;
    int const host = std::min(rank_, peer);
    auto const above = std::upper_bound(at_host.begin(), at_host.end(), host);
    auto const place = std::lower_bound(above, at_host.end(), std::max(rank_, peer)) - above;
    auto const before = first_flow_line(host) + flows_.of_owner(host).lines;
    return {peer, host, before + static_cast<std::uint32_t>(pair_counters * place)};
}

edge_counters::link const* edge_counters::shared_with(int peer) const noexcept {
    for (auto const& l : links_)
        if (l.peer == peer && l.host >= 0) return &l;
    return nullptr;
}

counter edge_counters::says(int writer, int reader, word what, int first_slot) const {
    auto const of_slot = [&](std::uint32_t kind) {
        return counter{.host = writer, .writer = writer, .index = line(writer, kind, first_slot)};
    };
    if (what == word::has_stored) return of_slot(stored);
    if (what == word::has_filled) return of_slot(filled);
    if (what == word::has_taken) return of_slot(taken);
    auto const number = static_cast<std::uint32_t>(what);
    if (auto const* l = shared_with(writer == rank_ ? reader : writer)) {
        std::uint32_t const side = writer == l->host ? 0 : 1;
        return {.host = l->host, .writer = writer, .index = l->first + 2 * number + side};
    }
    auto const index = what == word::has_read ? line(writer, acknowledgements, first_slot) : number;
    return {.host = writer, .writer = writer, .index = index};
}

counter edge_counters::flag_of(edge const& e) const {
    if (e.chosen.how->place() == found_in::landed)
        return {.host = e.target, .writer = e.source, .index = line(e.target, kinds_before_puts(), e.slot)};
    counter c{.host = e.source, .writer = e.source};
    if (e.chosen.how->place() == found_in::parts) {
        c.index = line(e.source, chunk_flags, e.slot);
        c.step = e.features.chunks;
        return c;
    }
    c.instances = parity::epoch;
    auto const* l = shared_with(e.source == rank_ ? e.target : e.source);
    if (l && e.features.together <= pair_payload_bytes) {
        c.host = l->host;
        c.index = l->first + 6 + (e.source == l->host ? 0 : 2);
    } else {
        c.index = line(e.source, in_line_flags, 2 * e.first_slot);
    }
    return c;
}

} // namespace sode::internal
