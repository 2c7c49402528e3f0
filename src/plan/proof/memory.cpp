// SPDX-License-Identifier: Apache-2.0
#include "plan/proof/memory.hpp"

#include "plan/proof/origin.hpp"
#include "plan/proof/report.hpp"
#include "plan/proof/transfer.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal::proof {
namespace {

// The regions of a rank, in this order; two for every array follow.
enum : std::uint32_t { stage_region, scratch_region, line_region, constant_region, first_array_region };

} // namespace

memory::memory(job const& all) : job_(all), granule_(granule_of(all)) {
    for (std::size_t r = 0; r < job_.ranks(); ++r)
        for (auto const& a : job_.arrays(r))
            if (a.bytes / granule_ >> origin::granule_bits != 0)
                throw error{error_kind::usage, fmt::format("array {} of rank {} is too large to verify", a.ordinal, r),
                            fmt::format("the array has more than 2^30 pieces of {} bytes", granule_),
                            "verify the same plan for smaller blocks"};
    number_regions();
    for (std::size_t r = 0; r < job_.ranks(); ++r) touch_rows(r);
    for (auto& g : regions_) settle(g);
    for (std::size_t r = 0; r < job_.ranks(); ++r) {
        set_constants(r);
        for (auto const& a : job_.arrays(r)) {
            mark(r, a, a.owned, cell::owned);
            mark(r, a, a.readable, cell::readable);
            if (a.buffered) mark(r, a, a.early, cell::early);
        }
        for (auto const& b : job_.of(r).loans) mark(r, *job_.array(r, b.array), b.bytes, cell::borrowed);
        for (auto const& d : job_.of(r).deliveries) mark(r, *job_.array(r, d.target_array), d.target, cell::delivered);
    }
}

void memory::number_regions() {
    for (std::size_t r = 0; r < job_.ranks(); ++r) {
        auto const host = static_cast<std::int32_t>(r);
        first_region_.push_back(static_cast<std::uint32_t>(regions_.size()));
        for (auto const role : {buffer_role::stage, buffer_role::scratch, buffer_role::payload, buffer_role::constant})
            regions_.push_back({.host = host, .role = role});
        for (auto const& a : job_.arrays(r))
            for (int half = 0; half < 2; ++half)
                regions_.push_back({.host = host, .role = buffer_role::array, .ordinal = a.ordinal});
    }
}

std::uint32_t memory::array_region(std::size_t rank, std::uint32_t ordinal, std::uint32_t half) const {
    auto const index = job_.array(rank, ordinal) - job_.arrays(rank).data();
    return first_region_[rank] + first_array_region + 2 * static_cast<std::uint32_t>(index) + half;
}

memory::place memory::locate(buffer const& b, std::uint32_t instance) const {
    auto const first = first_region_[ix(b.host)];
    auto const behind = instance * b.bytes;
    switch (b.role) {
    case buffer_role::array: return {array_region(ix(b.host), b.ordinal, instance), b.offset};
    case buffer_role::stage: return {first + stage_region, b.offset + behind};
    case buffer_role::scratch: return {first + scratch_region, b.offset + behind};
    case buffer_role::constant: return {first + constant_region, b.offset};
    case buffer_role::payload: break;
    }
    return {first + line_region, (std::int64_t{b.ordinal} + instance) * line_bytes + payload_offset};
}

void memory::touch_rows(std::size_t rank) {
    auto const& p = job_.of(rank);
    auto const in_each_instance = [&](buffer const& b, std::int64_t offset, std::int64_t bytes) {
        for (std::uint32_t i = 0; i < instances_of(b); ++i) {
            auto at = locate(b, i);
            at.offset += offset;
            touch(at, bytes);
        }
    };
    for_each_transfer(p, [&](descriptor const& d, std::int64_t src_offset, std::int64_t dst_offset) {
        for_each_row(p, d, [&](std::int64_t src, std::int64_t dst, std::int64_t bytes) {
            in_each_instance(p.buffers[d.src], src_offset + src, bytes);
            in_each_instance(p.buffers[d.dst], dst_offset + dst, bytes);
        });
    });
    for_each_first_operand(p, [&](descriptor const& d, operand const& first, std::int64_t offset) {
        for_each_row(p, d, [&](std::int64_t, std::int64_t dst, std::int64_t bytes) {
            in_each_instance(p.buffers[first.buffer], offset + dst, bytes);
        });
    });
    auto const in_each_half = [&](std::uint32_t array, layout const& l, std::int64_t offset) {
        for (auto const& piece : expand(l))
            for (std::uint32_t half = 0; half < (job_.array(rank, array)->buffered ? 2U : 1U); ++half)
                touch({array_region(rank, array, half), offset + piece.offset}, piece.bytes);
    };
    for (auto const& d : p.deliveries) in_each_half(d.target_array, d.target, 0);
    for_each_call(p, [&](descriptor const& d, std::int64_t offset) {
        auto const& c = p.calls[d.argument];
        in_each_half(c.array, c.reads, offset);
        in_each_half(c.array, c.writes, offset);
    });
}

void memory::touch(place at, std::int64_t bytes) {
    auto& runs = regions_[at.region].runs;
    auto const begin = at.offset / granule_, end = (at.offset + bytes) / granule_;
    if (!runs.empty() && runs.back().end == begin)
        runs.back().end = end;
    else
        runs.push_back({.begin = begin, .end = end});
}

void memory::settle(bank& g) {
    std::sort(g.runs.begin(), g.runs.end(), [](run const& a, run const& b) { return a.begin < b.begin; });
    std::vector<run> merged;
    for (auto const& r : g.runs) {
        if (!merged.empty() && r.begin <= merged.back().end)
            merged.back().end = std::max(merged.back().end, r.end);
        else
            merged.push_back(r);
    }
    std::size_t cells = 0;
    for (auto& r : merged) {
        r.first = cells;
        cells += ix(r.end - r.begin);
    }
    g.runs = std::move(merged);
    g.cells.resize(cells);
}

void memory::set_constants(std::size_t rank) {
    auto& g = regions_[first_region_[rank] + constant_region];
    for (auto const& r : g.runs)
        for (auto i = r.begin; i < r.end; ++i)
            g.cells[r.first + ix(i - r.begin)].held.value =
                constant_value(static_cast<std::uint32_t>(rank), static_cast<std::uint64_t>(i));
}

void memory::mark(std::size_t rank, array_model const& a, layout const& l, std::uint8_t what) {
    for (auto const& piece : expand(l))
        for (std::uint32_t half = 0; half < (a.buffered ? 2U : 1U); ++half) {
            auto& g = regions_[array_region(rank, a.ordinal, half)];
            auto const begin = piece.offset / granule_, end = (piece.offset + piece.bytes) / granule_;
            auto r = std::partition_point(g.runs.begin(), g.runs.end(), [&](run const& x) { return x.end <= begin; });
            for (; r != g.runs.end() && r->begin < end; ++r)
                for (auto i = std::max(begin, r->begin); i < std::min(end, r->end); ++i)
                    g.cells[r->first + ix(i - r->begin)].marks |= what;
        }
}

std::span<cell> memory::cells(std::uint32_t region, std::int64_t offset, std::int64_t bytes) {
    auto& g = regions_[region];
    if (bytes == 0) return {}; // an empty message may name memory that is not there
    auto const begin = offset / granule_;
    auto const holds = [&](std::size_t i) { return i < g.runs.size() && g.runs[i].begin <= begin && begin < g.runs[i].end; };
    if (!holds(g.hint) && !holds(++g.hint)) {
        auto const r = std::partition_point(g.runs.begin(), g.runs.end(), [&](run const& x) { return x.end <= begin; });
        g.hint = ix(r - g.runs.begin());
    }
    auto const& r = g.runs[g.hint];
    return std::span{g.cells}.subspan(r.first + ix(begin - r.begin), ix(bytes / granule_));
}

std::string memory::describe(std::uint32_t region, std::int64_t offset, std::int64_t bytes) const {
    auto const& g = regions_[region];
    buffer b{.host = g.host, .role = g.role, .ordinal = g.ordinal};
    if (g.role == buffer_role::payload) {
        b.ordinal = static_cast<std::uint32_t>(offset / line_bytes);
        offset -= std::int64_t{b.ordinal} * line_bytes + payload_offset;
    }
    return fmt::format("{}, bytes [{}, {})", name_of(b), offset, offset + bytes);
}

} // namespace sode::internal::proof
