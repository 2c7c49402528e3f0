// SPDX-License-Identifier: Apache-2.0
#include "array/halo/reverse_plan.hpp"

#include "array/block_buffer.hpp"
#include "array/halo/halo_edges.hpp"
#include "array/halo/halo_plan.hpp"
#include "array/site.hpp"
#include "channel/direct/stage.hpp"
#include "channel/mpi/message.hpp"
#include "channel/reference/reference.hpp"

#include <algorithm>
#include <map>

namespace sode {
namespace {

// Counters of every rank: that its stage is ready; the second barrier of the reference method; then by slot who has read, and the
// ends of messages.
constexpr std::uint32_t stage_ready = 0, second_barrier = 1, first_slot_line = 2, lines_per_slot = 3;

using item = halo_edges::item;

// An item names source and target as the halo exchange sees them. Here its target gives and its source takes.
int giver(item const& i) noexcept {
    return i.target;
}
int taker(item const& i) noexcept {
    return i.source;
}

class construction {
public:
    construction(reverse_spec const& spec, int rank)
        : spec_(spec), halo_(*spec.halo), rank_(rank), edges_(halo_), forced_(forced_over(halo_.nodes, halo_.forced)),
          build_("reverse " + halo_.name, rank, halo_.ranks),
          messages_(build_, first_slot_line + static_cast<std::uint32_t>(edges_.slots()), halo_.forced == method::reference) {}

    plan run() {
        auto& p = build_.target();
        p.groups = halo_.groups;
        p.own_lines = first_slot_line + lines_per_slot * static_cast<std::int64_t>(edges_.slots());
        given_ = given_by(rank_);
        for (int r : edges_.targets(rank_)) taken_.emplace(r, from(given_by(r)));
        if (auto self = from(given_); !self.items.empty()) taken_.emplace(rank_, std::move(self));

        auto const local = build_.add_stream(-1);
        if (forced_ == method::reference) {
            reference::everybody(build_, local, stage_ready);
            for (auto const& [r, parts] : taken_)
                for (auto const& i : parts.items) combine_box(local, i, array_at(r, i), edges_.target_layout(i));
            reference::everybody(build_, local, second_barrier);
        } else {
            p.own_stage = 2 * given_.stage_bytes;
            begin_messages(local);
            publish(local);
            combine_all(build_.add_stream(-1));
            for (int r : receivers_) messages_.leave(build_.add_stream(r), r);
        }
        record();
        return build_.finish();
    }

private:
    // What one rank gives, or the part of that which this one takes.
    struct parts {
        std::vector<item> items; // by taker, then slot
        std::int64_t stage_bytes = 0;
    };
    // Both ends work out where each box lies in the giver's stage.
    [[nodiscard]] parts given_by(int rank) const {
        parts p;
        edges_.into(rank, p.items);
        for (auto& i : p.items)
            if (by_stage(i)) {
                i.stage_offset = p.stage_bytes;
                p.stage_bytes += stage_room(i.features.bytes);
            }
        return p;
    }
    [[nodiscard]] parts from(parts all) const {
        std::erase_if(all.items, [&](item const& i) { return taker(i) != rank_; });
        return all;
    }
    [[nodiscard]] bool by_message(item const& i) const {
        return i.source != i.target && (!halo_.share_memory(i.source, i.target) || forced_ == method::message);
    }
    [[nodiscard]] bool by_stage(item const& i) const { return i.source != i.target && !by_message(i); }

    [[nodiscard]] buffer array_at(int host, item const& i) const {
        auto const field = edges_.at(i.slot).field;
        return block_buffer(halo_.fields[static_cast<std::size_t>(field)], host, static_cast<std::uint32_t>(field));
    }
    [[nodiscard]] edge leaving(item const& i) const {
        return {.source = giver(i),
                .target = taker(i),
                .from = array_at(giver(i), i),
                .source_layout = edges_.target_layout(i),
                .to = {},
                .target_layout = {},
                .how = method::stage,
                .bytes = i.features.bytes,
                .stage_offset = i.stage_offset};
    }
    // The lowest slot of a pair of ranks names the line in which the taker says that it has read.
    [[nodiscard]] std::uint32_t has_read(int reader, int slot) {
        return build_.add(counter{.host = reader, .writer = reader, .index = first_slot_line + static_cast<std::uint32_t>(slot)});
    }
    [[nodiscard]] bool gives_to(int rank) const {
        return std::any_of(given_.items.begin(), given_.items.end(), [&](item const& i) { return taker(i) == rank; });
    }
    [[nodiscard]] bool takes_from(int rank) const { return taken_.contains(rank); }

    // What arrives lands in private memory as it was packed: it is combined from there.
    void begin_messages(std::uint16_t stream) {
        mpi::messages::by_peer arriving, leaving_edges;
        for (auto const& [r, parts] : taken_) {
            if (!by_message(parts.items.front())) continue;
            std::int64_t bytes = 0;
            for (auto const& i : parts.items) bytes += i.features.bytes;
            buffer const place = private_place(build_, bytes);
            landing_[r] = place;
            arriving[r] = {edge{.source = r,
                                .target = rank_,
                                .from = {},
                                .source_layout = {},
                                .to = place,
                                .target_layout = contiguous(0, bytes),
                                .how = method::message,
                                .bytes = bytes}};
        }
        for (auto const& i : given_.items)
            if (by_message(i)) leaving_edges[taker(i)].push_back(leaving(i));
        for (auto const& [r, list] : leaving_edges) receivers_.push_back(r);
        messages_.begin(stream, arriving, leaving_edges);
    }

    void publish(std::uint16_t stream) {
        std::vector<edge> packed;
        int told = -1;
        for (auto const& i : given_.items) {
            if (!by_stage(i)) continue;
            if (taker(i) != told && !takes_from(taker(i))) {
                auto& d = build_.emit(stream, operation::credit);
                d.trigger = has_read(taker(i), i.slot);
                d.threshold = -2;
                d.peer = taker(i);
            }
            told = taker(i);
            packed.push_back(leaving(i));
        }
        if (packed.empty()) return;
        direct::emit_pack(build_, stream, packed, given_.stage_bytes);
        build_.emit(stream, operation::signal).signal = ready_flag(rank_);
    }
    [[nodiscard]] std::uint32_t ready_flag(int rank) {
        return build_.add(counter{.host = rank, .writer = rank, .index = stage_ready});
    }

    void combine_all(std::uint16_t stream) {
        for (auto const& [r, parts] : taken_) {
            if (by_message(parts.items.front())) {
                messages_.arrive(stream, r);
            } else if (r != rank_) {
                auto& d = build_.emit(stream, operation::wait);
                d.trigger = ready_flag(r);
                d.peer = r;
            }
        }
        for (auto const& [r, parts] : taken_) {
            std::int64_t at = 0; // in the message
            for (auto const& i : parts.items) {
                auto const bytes = i.features.bytes;
                if (r == rank_)
                    combine_box(stream, i, array_at(r, i), edges_.target_layout(i));
                else if (by_message(i))
                    combine_box(stream, i, landing_.at(r), contiguous(at, bytes));
                else
                    combine_box(stream, i, stage_of(r, parts.stage_bytes), contiguous(i.stage_offset, bytes));
                at += bytes;
            }
            auto const& first = parts.items.front();
            if (by_stage(first) && !gives_to(r)) {
                auto& d = build_.emit(stream, operation::signal);
                d.signal = has_read(rank_, first.slot);
                d.peer = r;
            }
        }
    }
    void combine_box(std::uint16_t stream, item const& i, buffer const& where, layout const& box) {
        auto const from = build_.add(where), to = build_.add(array_at(rank_, i));
        int const peer = where.role == buffer_role::scratch || giver(i) == rank_ ? -1 : giver(i);
        auto& d = build_.copy(stream, operation::reduce, to, from, compile(box, edges_.source_layout(i)), peer);
        d.argument = combiner(spec_.op, spec_.elements[static_cast<std::size_t>(edges_.at(i.slot).field)]);
    }

    // What must have happened: the block's own values, which are never lost, and what was added to them.
    void record() {
        auto& p = build_.target();
        auto const margin = margin_of(halo_, rank_);
        for (std::uint32_t f = 0; f < halo_.fields.size(); ++f)
            for (auto const& slab : rim_of(*halo_.fields[f].shape, margin)) {
                auto const own = layout_of(*halo_.fields[f].shape, rank_, slab);
                p.deliveries.push_back({.source_rank = rank_, .source_array = f, .source = own, .target_array = f, .target = own});
            }
        for (auto const& [r, parts] : taken_)
            for (auto const& i : parts.items) {
                auto const field = static_cast<std::uint32_t>(edges_.at(i.slot).field);
                p.deliveries.push_back({.source_rank = r,
                                        .source_array = field,
                                        .source = edges_.target_layout(i),
                                        .target_array = field,
                                        .target = edges_.source_layout(i)});
                p.notes.push_back(note_of(i, field));
            }
    }
    // What may be combined into: the block but for its inside, in pieces that do not overlap.
    [[nodiscard]] std::vector<geometry::block> rim_of(geometry const& g, halo_margin const& m) const {
        std::vector<geometry::block> slabs;
        auto rest = g.owned(rank_);
        for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims) && rest[0].size() > 0; ++d) {
            auto low = rest, high = rest;
            low[d].upper = std::min(rest[d].lower + m.lower[d], rest[d].upper);
            high[d].lower = std::max(rest[d].upper - m.upper[d], low[d].upper);
            for (auto const& s : {low, high})
                if (s[d].size() > 0) slabs.push_back(s);
            rest[d] = {low[d].upper, high[d].lower};
            if (rest[d].size() == 0) break;
        }
        return slabs;
    }
    [[nodiscard]] edge_note note_of(item const& i, std::uint32_t field) const {
        auto const& dir = edges_.at(i.slot);
        bool const self = giver(i) == rank_;
        method const how = forced_ == method::reference ? method::reference : by_message(i) ? method::message : method::stage;
        edge_note n{.peer = giver(i),
                    .dims = static_cast<std::uint8_t>(halo_.fields[field].shape->dims),
                    .field = static_cast<std::uint8_t>(field),
                    .kind = pattern_of(i.features, halo_.costs),
                    .rows = i.features.rows,
                    .row_bytes = i.features.row_bytes,
                    .chosen = self ? "self" : to_string(how),
                    .expected_us = predict(i.features, self ? method::pull : how, halo_.costs),
                    .runner_up = {}};
        for (std::size_t d = 0; d < max_dims; ++d) n.direction[d] = static_cast<std::int8_t>(-dir.step[d]);
        return n;
    }

    reverse_spec const& spec_;
    halo_spec const& halo_;
    int rank_;
    halo_edges edges_;
    std::optional<method> forced_;
    plan_builder build_;
    mpi::messages messages_;
    parts given_;
    std::map<int, parts> taken_;    // by giver
    std::map<int, buffer> landing_; // of messages, by giver
    std::vector<int> receivers_;    // of messages
};

} // namespace

std::uint64_t reverse_spec::fingerprint() const noexcept {
    std::uint64_t hash = halo->fingerprint() ^ 0x72657665727365;
    for (auto const e : elements) hash = hash * 0x100000001b3 + combiner(op, e);
    return hash;
}

plan build_reverse(reverse_spec const& spec, int rank) {
    return construction{spec, rank}.run();
}

std::vector<array_model> reverse_models(reverse_spec const& spec, int rank) {
    std::vector<array_model> list;
    for (auto const& f : spec.halo->fields) {
        auto const& g = *f.shape;
        auto const all = layout_of(g, rank, g.allocated(rank));
        list.push_back({.ordinal = static_cast<std::uint32_t>(list.size()),
                        .bytes = g.bytes(rank),
                        .buffered = f.buffered,
                        .owned = all,
                        .readable = all,
                        .early = f.buffered ? all : layout{}});
    }
    return list;
}

} // namespace sode
