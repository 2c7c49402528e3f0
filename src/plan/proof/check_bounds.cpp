// SPDX-License-Identifier: Apache-2.0
#include "plan/combiners.hpp"
#include "plan/proof/transfer.hpp"
#include "plan/proof/well_formed.hpp"

#include <fmt/format.h>

namespace sode::internal::proof {
namespace {

void check_access(plan const& p, descriptor const& d, buffer const& b, std::int64_t first, std::int64_t last, report& findings) {
    if (first >= 0 && last <= b.bytes) return;
    auto const index = ix(&d - p.descriptors.data());
    findings.add(finding::type::bounds, ix(p.rank), index, [&] {
        return fmt::format("{} touches bytes [{}, {}) of {} (the buffer has {}) shrink or shift the box", name_of(p, index), first,
                           last, name_of(b), b.bytes);
    });
}

void check_delivery(job const& all, std::size_t rank, std::size_t index, report& findings) {
    auto const& d = all.of(rank).deliveries[index];
    auto const wrong = [&](finding::type kind, std::string_view why) {
        findings.add(kind, rank, index, [&] { return fmt::format("delivery {} of rank {} {} correct it", index, rank, why); });
    };
    if (d.source_rank < 0 || ix(d.source_rank) >= all.ranks()) return wrong(finding::type::malformed, "(its source is not a rank)");
    if (d.combiner != no_combiner && !has_combiner(all.of(rank), d.combiner))
        return wrong(finding::type::malformed, "(there is no such operator)");
    auto const* to = all.array(rank, d.target_array);
    array_model constants;
    constants.bytes = static_cast<std::int64_t>(all.of(rank).constants.size());
    auto const* from = d.constant ? &constants : all.array(ix(d.source_rank), d.source_array);
    if (!from || !to) return wrong(finding::type::malformed, "(there is no such array)");
    if (d.source.bytes() != d.target.bytes()) return wrong(finding::type::malformed, "(source and target differ in size)");
    if (d.source.bytes() == 0) return;
    auto const inside = [](layout const& l, array_model const& a) { return l.extent().first >= 0 && l.extent().second <= a.bytes; };
    if (!inside(d.source, *from) || !inside(d.target, *to)) wrong(finding::type::bounds, "(it reaches beyond the array)");
}

void check_call(job const& all, std::size_t rank, std::size_t index, std::int64_t offset, report& findings) {
    auto const& c = all.of(rank).calls[index];
    auto const* a = all.array(rank, c.array);
    auto const inside = [&](layout const& l) {
        return a && l.extent().first + offset >= 0 && l.extent().second + offset <= a->bytes;
    };
    if (inside(c.reads) && inside(c.writes)) return;
    findings.add(finding::type::bounds, rank, index, [&] {
        return fmt::format("call {} of rank {} (it reaches beyond its array, or there is none) shrink or shift its boxes", index,
                           rank);
    });
}

} // namespace

void check_bounds(job const& all, report& findings) {
    for (std::size_t r = 0; r < all.ranks(); ++r) {
        auto const& p = all.of(r);
        for_each_transfer(p, [&](descriptor const& d, std::int64_t src, std::int64_t dst) {
            auto const reach = reach_of(p, d);
            check_access(p, d, p.buffers[d.src], src + reach.source.first, src + reach.source.second, findings);
            check_access(p, d, p.buffers[d.dst], dst + reach.target.first, dst + reach.target.second, findings);
        });
        for_each_first_operand(p, [&](descriptor const& d, operand const& first, std::int64_t offset) {
            auto const reach = reach_of(p, d).target;
            check_access(p, d, p.buffers[first.buffer], offset + reach.first, offset + reach.second, findings);
        });
        for (std::size_t i = 0; i < p.deliveries.size(); ++i) check_delivery(all, r, i, findings);
        for_each_call(p, [&](descriptor const& d, std::int64_t offset) { check_call(all, r, d.argument, offset, findings); });
    }
}

} // namespace sode::internal::proof
