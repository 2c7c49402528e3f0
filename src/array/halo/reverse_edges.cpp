// SPDX-License-Identifier: Apache-2.0
#include "array/halo/reverse_edges.hpp"

#include "array/block_buffer.hpp"
#include "base/position.hpp"
#include "model/chooser.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

// What lies outside the domain has no slot.
constexpr int no_slot = -1;

edge_features features_of_box(layout const& from) {
    auto const shape = classify(from);
    edge_features e{};
    e.bytes = shape.bytes;
    e.row_bytes = shape.row_bytes;
    e.rows = shape.rows;
    e.pitch = shape.pitch;
    return e;
}

} // namespace

exchange_terms reverse_edges::terms_of(reverse_spec const& spec) {
    auto terms = static_cast<exchange_terms const&>(*spec.halo);
    terms.name = "reverse " + terms.name;
    return terms;
}

reverse_edges::reverse_edges(reverse_spec const& spec)
    : edge_set(own_terms_, {.combines = true}), spec_(spec), halo_(*spec.halo), own_terms_(terms_of(spec)) {}

void reverse_edges::from(int rank, outgoing& result) const {
    auto& all = result.edges;
    halo_.into(rank, all);
    for (auto& e : all) {
        std::swap(e.source, e.target);
        e.field = static_cast<std::uint8_t>(halo_.at(e.slot).field);
        e.step = halo_.at(e.slot).step;
    }
    add_outside(rank, all);
    std::stable_sort(all.begin(), all.end(), [](edge const& a, edge const& b) { return a.target < b.target; });
    for (auto& e : all) {
        auto const element = spec_.elements[e.field];
        e.combines = true;
        e.combiner = combiner(spec_.op, element);
        e.element = static_cast<std::uint32_t>(element);
        e.dims = static_cast<std::uint8_t>(spec_.halo->fields[e.field].shape->dims);
        e.chosen = choose_way(e);
    }
    result.assign_places();
}

void reverse_edges::add_outside(int rank, std::vector<edge>& list) const {
    halo_walls const walls{*spec_.halo, halo_, rank};
    for (auto const& i : walls.images(true)) {
        if (i.from != halo_walls::image::origin::element) continue;
        edge e{.source = rank, .target = i.source, .slot = no_slot};
        e.source_layout = walls.at_home(i.of, i.here);
        e.target_layout = walls.at(i.source, i.of, i.there, rank);
        e.features = features_of_box(e.source_layout);
        e.negated = i.negative;
        e.field = static_cast<std::uint8_t>(i.of.field);
        e.step = i.step;
        e.outside = i.copied_by;
        list.push_back(std::move(e));
    }
}

// A stage, although some could be read where they are: nobody writes before all have packed.
choice reverse_edges::choose_way(edge const& e) const {
    auto const* forced = own_terms_.forced_way();
    auto const* how = &ways::stage;
    if (e.source == e.target)
        how = &ways::pull;
    else if (!own_terms_.share_memory(e.source, e.target) || forced == &ways::mpi)
        how = &ways::mpi;
    else if (forced == &ways::reference && all_shared())
        how = forced;
    return {.how = how, .expected = how->cost(e.features, own_terms_.costs)};
}

void reverse_edges::locate(edge& e) const {
    auto const array = [&](int host) { return block_buffer(spec_.halo->fields[e.field], host, std::uint32_t{e.field}); };
    if (e.slot != no_slot) {
        edge forward{.source = e.target, .target = e.source, .slot = e.slot};
        halo_.locate(forward);
        e.source_layout = std::move(forward.target_layout);
        e.target_layout = std::move(forward.source_layout);
    }
    e.from = array(e.source);
    e.to = array(e.target);
}

void reverse_edges::record(plan& p, edge const& e) const {
    record_delivery(p, e);
    if (!e.outside.empty()) {
        if (e.source == e.target) note_outside(p, e);
        return;
    }
    auto note = note_of(e);
    for (auto& s : note.direction) s = static_cast<std::int8_t>(-s);
    note.shared = true;
    p.notes.push_back(note);
}

// A line for each side, not for edges and corners, nor for each layer.
void reverse_edges::note_outside(plan& p, edge const& e) const {
    if (std::count(e.step.begin(), e.step.end(), std::int8_t{0}) != max_dims - 1) return;
    auto note = note_of(e);
    note.peer = -1;
    note.chosen = e.outside;
    note.outside = true;
    auto const same = std::find_if(p.notes.begin(), p.notes.end(), [&](edge_note const& m) {
        return m.outside && m.field == note.field && m.direction == note.direction && m.chosen == note.chosen;
    });
    if (same == p.notes.end()) return p.notes.push_back(note);
    same->rows += note.rows;
    same->expected += note.expected;
}

} // namespace sode::internal
