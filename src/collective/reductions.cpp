// SPDX-License-Identifier: Apache-2.0
#include "collective/reductions.hpp"

#include "base/activity.hpp"
#include "base/mixing.hpp"
#include "channel/ways.hpp"
#include "engine/combine.hpp"
#include "engine/prepared_list.hpp"
#include "model/chooser.hpp"
#include "model/distance.hpp"
#include "model/job.hpp"

#include <algorithm>
#include <utility>

namespace sode {
namespace {

// Ranks agree by it that they plan the same, so it depends on nothing but the terms.
std::uint64_t fingerprint_of(reduce_terms const& terms) noexcept {
    std::uint64_t sum = 0x72656475;
    mix(sum, index_t{terms.root});
    for (auto const& p : terms.parts) {
        mix(sum, p.bytes);
        mix(sum, std::uint64_t{p.combiner});
    }
    return sum;
}

// Neighbours that are combined in one way are one part.
reduce_terms terms_of(reduce_call const& call) {
    reduce_terms terms{.root = call.root};
    for (auto const& p : call.parts) {
        auto const type = static_cast<element>(p.type);
        auto const how = call.root < 0 ? combiner(static_cast<reduction>(p.op), type) : 0;
        auto const bytes = static_cast<std::int64_t>(call.root < 0 ? p.elements * size_of(type) : p.elements);
        if (!terms.parts.empty() && terms.parts.back().combiner == how)
            terms.parts.back().bytes += bytes;
        else
            terms.parts.push_back({bytes, how});
    }
    return terms;
}

// How what each of the others gives comes here, for explain().
void note_ways(plan& p, reduce_terms const& terms, detail::job const& j) {
    auto const& machines = j.ranks->machines();
    for (int r = 0; r < p.ranks; ++r) {
        if (r == p.rank || !terms.has(r)) continue;
        bool const near_by = machines.together(r, p.rank);
        auto const bytes = terms.bytes();
        edge_features const e{.bytes = bytes,
                              .row_bytes = bytes,
                              .pitch = bytes,
                              .apart = near_by ? between(j.distances, p.rank, r) : distance::other_machine};
        auto const& how = !near_by ? ways::mpi_machine : machines.one() && bytes <= payload_bytes ? ways::in_line : ways::stage;
        p.notes.push_back({.peer = r,
                           .kind = pattern::contiguous,
                           .rows = 1,
                           .row_bytes = bytes,
                           .chosen = how.name(),
                           .expected = how.cost(e, j.costs),
                           .runner_up = {}});
    }
}

bool same(detail::combined_part const& a, detail::combined_part const& b) noexcept {
    return a.elements == b.elements && a.op == b.op && a.type == b.type;
}

} // namespace

std::size_t reductions::hash::operator()(reduce_call const& c) const noexcept {
    std::uint64_t sum = 0;
    mix(sum, index_t{c.root});
    for (auto const& p : c.parts) mix(sum, std::uint64_t{p.elements} << 16U | std::uint64_t{p.op} << 8U | p.type);
    return sum;
}

bool reductions::equal::operator()(reduce_call const& a, reduce_call const& b) const noexcept {
    return a.root == b.root && std::ranges::equal(a.parts, b.parts, same);
}

prepared& reductions::add(reduce_call const& call) {
    doing const what{call.root < 0 ? activity::reduce : activity::broadcast};
    auto terms = terms_of(call);
    auto const at = std::ranges::find(plans_, terms, &planned_terms::terms);
    auto& run = at != plans_.end() ? *at->run : make(std::move(terms));
    known_.emplace(kept_call{{call.parts.begin(), call.parts.end()}, call.root}, &run);
    return run;
}

prepared& reductions::make(reduce_terms terms) {
    auto const& machines = job_.ranks->machines();
    auto steps = machines.one() ? build_reduce(job_.boot->rank(), job_.boot->size(), terms)
                                : build_reduce_over_machines(job_.boot->rank(), machines.list(), terms);
    note_ways(steps, terms, job_);
    plan_terms const places{.fingerprint = fingerprint_of(terms)};
    auto run = std::make_unique<prepared>(std::move(steps), job_.surroundings(), places);
    plans_.push_back({std::move(terms), std::move(run)});
    return *plans_.back().run;
}

std::string reductions::explain() const {
    std::string text;
    for (auto const& p : plans_) text += p.run->explain();
    return text;
}

std::string reductions::dump(std::string_view format) const {
    std::vector<plan const*> all;
    for (auto const& p : plans_) all.push_back(&p.run->steps());
    return dump_all(all, format);
}

std::uint64_t reductions::executed() const noexcept {
    std::uint64_t n = 0;
    for (auto const& p : plans_) n += p.run->executed();
    return n;
}

std::uint64_t reductions::epochs() const noexcept {
    std::uint64_t n = 0;
    for (auto const& p : plans_) n += p.run->epochs();
    return n;
}

} // namespace sode
