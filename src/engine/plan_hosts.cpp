// SPDX-License-Identifier: Apache-2.0
#include "engine/plan_hosts.hpp"

#include "engine/network_reach.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sode::internal {

std::size_t counter_bytes(std::int64_t lines, std::int64_t pairs) noexcept {
    return static_cast<std::size_t>((lines - pairs * pair_counters + 3 * pairs) * line_bytes);
}

std::size_t counter_place(std::size_t index, std::size_t lines, std::size_t pairs) noexcept {
    constexpr std::size_t shared = 6; // counters of a pair without payload
    std::size_t const alone = lines - pairs * pair_counters;
    if (index < alone) return index * line_bytes;
    std::size_t const pair = (index - alone) / pair_counters, number = (index - alone) % pair_counters;
    std::size_t const block = (alone + 3 * pair) * line_bytes;
    if (number < shared) return block + number * sizeof(std::uint64_t);
    std::size_t const side = (number - shared) / 2, parity = (number - shared) % 2;
    return block + (1 + parity) * line_bytes + side * (payload_offset + pair_payload_bytes);
}

namespace {

// Only now do all tell all: to name one that differs.
[[noreturn]] void refuse_difference(schedule const& p, team& ranks, std::uint64_t fingerprint) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks.size()));
    ranks.boot().allgather(&fingerprint, sizeof fingerprint, all.data());
    auto const other = std::ranges::find_if(all, [&](auto const theirs) { return theirs != fingerprint; });
    throw error{
        error_kind::usage,
        fmt::format("rank {} and this rank describe {} differently", ranks.job_rank(static_cast<int>(other - all.begin())), p.name),
        "an exchange needs the same shapes, widths and options on every rank",
        "compute these arguments from values that are equal on all ranks"};
}

// The most that this rank exchanges with another, by their numbers.
std::uint64_t messages_of(schedule const& p) {
    std::uint64_t most = 0;
    for (auto const& d : p.descriptors)
        if (is_message(d.op) || is_put(d.op)) most = std::max(most, std::uint64_t{d.argument} + 1);
    return most;
}

// Whether a plan does nothing with the memory of `host` but put into it.
bool only_puts_to(schedule const& p, int host) {
    return std::ranges::none_of(p.descriptors, [&](descriptor const& d) {
        bool const puts = d.op == operation::put;
        auto const is = [&](auto const& entry) { return entry.host == host; };
        return (d.trigger != 0 && is(p.counters[d.trigger])) || (d.signal != 0 && !puts && is(p.counters[d.signal])) ||
               ((moves_data(d.op) || is_end(d.op)) && is(p.buffers[d.src])) ||
               ((moves_data(d.op) || d.op == operation::call) && !puts && is(p.buffers[d.dst])) ||
               (d.operand != 0 && is(p.buffers[p.operands[d.operand].buffer]));
    });
}

// Whose memory the plan names: shared, or in this rank's own block. Puts to other machines need nothing of what is there.
std::vector<int> hosts_of(schedule const& p, space const& memory) {
    std::vector<int> list;
    for (auto const& b : p.buffers)
        if (b.role == buffer_role::array || b.role == buffer_role::stage || b.role == buffer_role::payload) list.push_back(b.host);
    for (std::size_t i = 1; i < p.counters.size(); ++i) list.push_back(p.counters[i].host);
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    std::erase_if(list, [&](int host) { return !memory.contains(host) && only_puts_to(p, host); });
    return list;
}

bool names(schedule const& p, int host, memory_kind kind) {
    auto const is = [&](auto const& entry) { return entry.host == host && entry.memory == kind; };
    auto const of_plan = [&](buffer const& b) { return is(b) && (b.role == buffer_role::stage || b.role == buffer_role::payload); };
    return std::ranges::any_of(p.buffers, of_plan) || std::ranges::any_of(p.counters, is);
}

} // namespace

plan_hosts::plan_hosts(schedule const& p, context const& c, hosted_block const& own, block_place place, std::uint64_t arrays,
                       std::uint64_t fingerprint, pinned_memory& pinned) {
    auto const lines = static_cast<std::uint64_t>(p.own_lines - p.own_pinned.lines - p.own_device.lines),
               pairs = static_cast<std::uint64_t>(p.own_pairs);
    std::array<std::uint64_t, 3> maxima{fingerprint, ~fingerprint, messages_of(p)};
    team::notice const mine{place.offset, place.bytes, lines, pairs, arrays};
    c.ranks.meet(mine, maxima, {});
    std::vector<team::notice> all; // of those on other machines, who cannot be looked up
    auto const& memory = stored_into(c);
    if (&memory != &c.memory) {
        all.resize(static_cast<std::size_t>(c.ranks.size()));
        c.ranks.boot().allgather(&mine, sizeof mine, all.data());
    }
    if (maxima[0] != ~maxima[1]) refuse_difference(p, c.ranks, fingerprint);
    messages_ = maxima[2];
    for (int const host : hosts_of(p, memory)) {
        if (host == p.rank) {
            hosts_.push_back({host, own});
            continue;
        }
        auto const [offset, bytes, their_lines, their_pairs, their_arrays, unused] =
            c.memory.contains(host) ? c.ranks.told_by(host) : all[static_cast<std::size_t>(host)];
        memory.open(host, {offset, bytes});
        hosts_.push_back({host,
                          {memory.at(host, offset), static_cast<std::int64_t>(their_lines), static_cast<std::int64_t>(their_pairs),
                           static_cast<std::size_t>(their_arrays)}});
        auto& there = hosts_.back().block;
        for (auto const kind : {memory_kind::pinned, memory_kind::device}) {
            auto* const from = kind == memory_kind::pinned ? &pinned : c.device;
            there.show(kind, names(p, host, kind) ? provider_of(from, kind, p).open(host, there.told(kind).where) : nullptr);
        }
    }
}

bool plan_hosts::knows(int host) const noexcept {
    return std::ranges::binary_search(hosts_, host, {}, &known::rank);
}

hosted_block const& plan_hosts::of(int host) const {
    return std::ranges::lower_bound(hosts_, host, {}, &known::rank)->block;
}

} // namespace sode::internal
