// SPDX-License-Identifier: Apache-2.0
#include "plan/proof/transfer.hpp"
#include "plan/proof/well_formed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace sode::internal::proof {
namespace {

/// What one end of a put says of it, iteration by iteration: where the bytes land, how many, and what is signalled.
struct end {
    plan const* of = nullptr;
    std::size_t index = 0;
    buffer place;
    counter signal;
    std::int64_t bytes = 0;
    std::uint64_t choice = 0; ///< its key; 0: it is in all epochs
    std::uint8_t way = 0;
    struct time {
        std::int64_t offset, value;
        friend bool operator==(time const&, time const&) = default;
    };
    std::vector<time> times{};
    std::vector<std::pair<std::int64_t, std::int64_t>>
        bytes_at{}; ///< where rows of it begin and end, ascending; touching ones as one

    [[nodiscard]] bool agrees_with(end const& other) const {
        auto const in = [](buffer const& b) {
            return std::tuple{b.host, b.role, b.ordinal, instances_of(b), b.instances, b.group};
        };
        auto const line = [](counter const& c) { return std::tuple{c.host, c.index, c.instances, instances_of(c)}; };
        // Instances of a stage lie its size apart.
        bool const alike = instances_of(place) == 1 || place.bytes == other.place.bytes;
        return in(place) == in(other.place) && alike && line(signal) == line(other.signal) && bytes == other.bytes &&
               bytes_at == other.bytes_at && choice == other.choice && way == other.way && times == other.times;
    }
};

/// Where a put stores, or where a landing expects it: both have that as their target.
std::vector<std::pair<std::int64_t, std::int64_t>> rows_of(plan const& p, descriptor const& d) {
    std::vector<std::pair<std::int64_t, std::int64_t>> rows, merged;
    for_each_row(p, d, [&](std::int64_t, std::int64_t to, std::int64_t bytes) { rows.emplace_back(to, to + bytes); });
    std::ranges::sort(rows);
    for (auto const& r : rows)
        if (!merged.empty() && merged.back().second == r.first)
            merged.back().second = r.second;
        else
            merged.push_back(r);
    return merged;
}

using number = std::tuple<std::int32_t, std::int32_t, std::uint32_t>; // from, to, argument

} // namespace

void check_puts(job const& all, report& findings) {
    std::map<number, end> puts, landings;
    std::map<number, bool> messages;
    auto const wrong = [&](plan const& p, std::size_t i, std::string_view why, std::string_view advice) {
        findings.add(finding::type::malformed, ix(p.rank), i, [&] { return fmt::format("{} {} {}", name_of(p, i), why, advice); });
    };
    for (std::size_t r = 0; r < all.ranks(); ++r) {
        auto const& p = all.of(r);
        auto const streams = streams_of(p);
        for (std::size_t i = 0; i < p.descriptors.size(); ++i)
            if (auto const& d = p.descriptors[i]; d.op == operation::send) messages[{p.rank, d.peer, d.argument}] = true;
        for_each_execution(p, is_put, [&](descriptor const& d, loop_shift const& by) {
            bool const leaves = d.op == operation::put;
            auto const i = ix(&d - p.descriptors.data());
            auto& there =
                (leaves ? puts : landings)[leaves ? number{p.rank, d.peer, d.argument} : number{d.peer, p.rank, d.argument}];
            if (!there.of) {
                auto const& in = p.streams[streams[i]];
                there = {&p, i, p.buffers[d.dst], p.counters[d.signal], p.programs[d.program].bytes, 0, in.way};
                there.bytes_at = rows_of(p, d);
                if (in.choice != 0) there.choice = p.choices[in.choice - 1].key;
            } else if (there.index != i) {
                return wrong(p, i, fmt::format("has the number of descriptor {} (only one put may have it)", there.index),
                             "give it another one");
            }
            there.times.push_back({p.buffers[d.dst].offset + d.dst_offset + by.dst, d.value + by.value});
        });
    }
    for (auto const& [which, put] : puts) {
        auto const other = landings.find(which);
        if (messages.contains(which))
            wrong(*put.of, put.index, "has the number of a message (puts and messages share their numbers)", "give it another one");
        if (other == landings.end())
            wrong(*put.of, put.index, "lands nowhere (its peer has no landing of that number)", "add it");
        else if (!put.agrees_with(other->second))
            wrong(*put.of, put.index,
                  fmt::format("and {} of rank {} differ (place, bytes, signal, or how often)", other->second.index,
                              other->second.of->rank),
                  "make both equal");
    }
    for (auto const& [which, landing] : landings)
        if (!puts.contains(which))
            wrong(*landing.of, landing.index, "awaits nothing (its peer has no put of that number)", "leave it out");
}

} // namespace sode::internal::proof
