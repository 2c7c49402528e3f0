// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/all_ranks.hpp"

#include <cstddef>
#include <cstdint>

namespace sode::internal::testing {

/// Two plans of each rank for the same exchange as the two ways of one choice, so that verify() tries every order in which epochs
/// of the two can follow each other. Each has counters and stages of its own; arrays and deliveries are those of both.
inline all_ranks either_of(all_ranks const& a, all_ranks const& b) {
    auto const merged = [&](std::size_t rank) {
        plan p = a.plans[rank];
        plan const& q = b.plans[rank];
        auto const size = [](auto const& v) { return static_cast<std::uint32_t>(v.size()); };
        auto const counters = size(p.counters), programs = size(p.programs), buffers = size(p.buffers), strides = size(p.strides),
                   descriptors = size(p.descriptors);
        auto const lines_at = [&](std::int32_t host) {
            return static_cast<std::uint32_t>(a.plans[static_cast<std::size_t>(host)].own_lines);
        };
        p.choices = {{.key = 1, .ways = 2}};
        for (auto& s : p.streams) s.choice = 1;
        for (auto s : q.streams) {
            s.first += descriptors;
            s.choice = 1, s.way = 1;
            p.streams.push_back(s);
        }
        for (std::size_t i = 1; i < q.counters.size(); ++i) {
            auto c = q.counters[i];
            c.index += lines_at(c.host);
            p.counters.push_back(c);
        }
        for (auto x : q.buffers) {
            if (x.role == buffer_role::stage) x.offset += a.plans[static_cast<std::size_t>(x.host)].own_stage;
            if (x.role == buffer_role::scratch) x.offset += p.own_scratch;
            if (x.role == buffer_role::payload) x.ordinal += lines_at(x.host);
            p.buffers.push_back(x);
        }
        for (std::size_t i = 1; i < q.strides.size(); ++i) {
            auto s = q.strides[i];
            if (s.outer != 0) s.outer += strides - 1;
            p.strides.push_back(s);
        }
        p.programs.insert(p.programs.end(), q.programs.begin(), q.programs.end());
        for (auto d : q.descriptors) {
            if (d.trigger != 0) d.trigger += counters - 1;
            if (d.signal != 0) d.signal += counters - 1;
            if (d.strides != 0) d.strides += strides - 1;
            d.program += programs;
            d.src += buffers, d.dst += buffers;
            p.descriptors.push_back(d);
        }
        for (auto const& l : q.loans) p.loans.push_back(l);
        p.own_lines += q.own_lines;
        p.own_stage += q.own_stage;
        p.own_scratch += q.own_scratch;
        p.own_pairs = 0;
        // Of devices everything is pinned, of others nothing.
        p.own_pinned = {.lines = p.own_pinned.lines + q.own_pinned.lines,
                        .stage = p.own_pinned.stage + q.own_pinned.stage,
                        .scratch = p.own_pinned.scratch + q.own_pinned.scratch};
        p.alternates = p.alternates || q.alternates;
        return p;
    };
    all_ranks both = a;
    both.epochs = 6; // three of each
    both.own_epochs = true;
    for (std::size_t r = 0; r < a.plans.size(); ++r) both.plans[r] = merged(r);
    return both;
}

} // namespace sode::internal::testing
