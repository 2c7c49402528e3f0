// SPDX-License-Identifier: Apache-2.0
#include "pattern/edge_set.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace sode::internal {

void edge_set::outgoing::assign_places() {
    stage_bytes = ring_bytes = 0;
    std::int64_t in_pair = 0;
    edge const* first = nullptr;
    for (auto& e : edges) {
        if (!first || e.target != first->target) first = &e, in_pair = 0;
        e.first_slot = first->slot;
        if (e.source == e.target) continue;
        e.place = in_pair;
        in_pair += e.chosen.how->room(e);
    }
    // What goes by wide copies lies together, so that no wide copy runs over what others have packed in between.
    for (auto const* how : all_ways())
        if (how->place() == found_in::stage || how->place() == found_in::parts)
            for (auto& e : edges)
                if (e.chosen.how == how && e.source != e.target) {
                    e.place = stage_bytes;
                    stage_bytes += how->room(e);
                }
    edge_list of_pair; // by target
    auto const make_room = [&] {
        if (!of_pair.empty()) ring_bytes += ring_of(of_pair).bytes();
        of_pair.clear();
    };
    for (auto& e : edges) {
        if (e.source == e.target || e.chosen.how->place() != found_in::ring) continue;
        if (!of_pair.empty() && of_pair.back()->target != e.target) make_room();
        e.place = ring_bytes;
        of_pair.push_back(&e);
    }
    make_room();
}

void edge_set::into(int rank, std::vector<edge>& result) const {
    result.clear();
    auto all = sources(rank);
    all.insert(std::upper_bound(all.begin(), all.end(), rank), rank);
    outgoing given;
    for (int const source : all) {
        from(source, given);
        std::copy_if(given.edges.begin(), given.edges.end(), std::back_inserter(result),
                     [&](edge const& e) { return e.target == rank; });
    }
}

std::vector<int> edge_set::targets(int rank) const {
    outgoing all;
    from(rank, all);
    std::vector<int> list;
    for (auto const& e : all.edges)
        if (e.target != rank && (list.empty() || list.back() != e.target)) list.push_back(e.target);
    return list;
}

void edge_set::record(plan& p, edge const& e) const {
    record_delivery(p, e);
    p.notes.push_back(note_of(e));
}

void edge_set::record_delivery(plan& p, edge const& e) {
    p.deliveries.push_back({.source_rank = e.source,
                            .source_array = e.from.ordinal,
                            .source = e.source_layout,
                            .target_array = e.to.ordinal,
                            .target = e.target_layout,
                            .negated = e.negated,
                            .combiner = e.combines ? e.combiner : no_combiner});
}

namespace {

// Where it lies is known at both ends by now.
std::int64_t segments_in(edge const& e) {
    auto const place = e.chosen.how->place();
    if (e.features.segment == 0 || (place != found_in::ring && place != found_in::message)) return 0;
    std::array const alone{&e};
    return static_cast<std::int64_t>(segments_of(alone).size());
}

} // namespace

edge_note edge_set::note_of(edge const& e) const {
    bool const self = e.source == e.target;
    auto const& c = e.chosen;
    return {.peer = e.source,
            .direction = e.step,
            .dims = e.dims,
            .field = e.field,
            .kind = pattern_of(e.features, terms_.costs),
            .rows = e.features.rows,
            .row_bytes = e.features.row_bytes,
            .chosen = self ? "self" : c.how->name(),
            .expected = c.expected,
            .runner_up = self || !c.runner_up ? "" : c.runner_up->name(),
            .instead = self || !c.runner_up ? expense{} : c.instead,
            .segments = self ? 0 : segments_in(e),
            .forced = c.forced && !self,
            .shared = e.features.shared};
}

} // namespace sode::internal
