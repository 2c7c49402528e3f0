// SPDX-License-Identifier: Apache-2.0
#include "array/transfers.hpp"

#include "array/serving_order.hpp"
#include "channel/direct/pull.hpp"
#include "channel/direct/stage.hpp"
#include "channel/mpi/message.hpp"
#include "channel/reference/reference.hpp"

#include <algorithm>

namespace sode {
namespace {

using item = transfer;

// Counters of every rank: what is ready, for all readers alike, and, by source, "I have read what you gave".
enum class line : std::uint32_t { arrays_ready, stage_ready, has_read };

bool staged(item const& i) {
    return i.chosen.how == method::stage || i.chosen.how == method::stage_wide;
}
// Where not everybody can be read, the reference method pulls what it can, byte by byte, and stages the rest.
bool pulled(item const& i) {
    return i.chosen.how == method::pull || i.chosen.how == method::reference;
}

// When a source must have a reader's word that it has read.
enum class acknowledgement { none, before_reuse, at_end };

acknowledgement needed(bool pulls, bool source_listens) {
    if (pulls) return acknowledgement::at_end;
    return source_listens ? acknowledgement::none : acknowledgement::before_reuse;
}

class construction {
public:
    construction(transfer_terms const& spec, transfers const& edges, int rank)
        : spec_(spec), rank_(rank), edges_(edges), build_(spec.name, rank, spec.ranks),
          messages_(build_, static_cast<std::uint32_t>(line::has_read) + static_cast<std::uint32_t>(spec.ranks),
                    spec.forced == method::reference) {}

    plan run() {
        edges_.from(rank_, own_);
        auto& p = build_.target();
        p.groups = spec_.groups;
        auto const local = build_.add_stream(-1);
        if (spec_.forced == method::reference && on_one_node(spec_.nodes) && edges_.all_shared()) {
            by_reference();
            return build_.finish();
        }
        p.own_lines = static_cast<std::int64_t>(line::has_read) + 3 * spec_.ranks; // the last for messages out and in
        p.own_stage = 2 * own_.stage_bytes;
        sources_ = edges_.sources(rank_);
        begin_messages(local);
        publish(local);
        serve_self(local);
        for (int const source : from_above(sources_, rank_)) receive(source);
        await_other_readers();
        if (spec_.forced == method::reference)
            for (auto& program : p.programs) program = sode::by_reference(std::move(program));
        return build_.finish();
    }

private:
    [[nodiscard]] std::uint32_t flag(int writer, line what, int of = 0) {
        return build_.add(
            counter{.host = writer, .writer = writer, .index = static_cast<std::uint32_t>(what) + static_cast<std::uint32_t>(of)});
    }
    [[nodiscard]] static edge edge_of(item const& i) {
        return {.source = i.source,
                .target = i.target,
                .from = i.from,
                .source_layout = i.source_layout,
                .to = i.to,
                .target_layout = i.target_layout,
                .how = i.chosen.how,
                .bytes = i.features.bytes,
                .stage_offset = i.stage_offset};
    }
    template <class Keep> [[nodiscard]] std::vector<edge> edges_where(std::vector<item> const& items, Keep keep) const {
        std::vector<edge> list;
        for (auto const& i : items)
            if (keep(i)) list.push_back(edge_of(i));
        return list;
    }
    [[nodiscard]] bool listens_to(int peer) const { return std::binary_search(sources_.begin(), sources_.end(), peer); }
    // Calls f(reader, what it must say) for each other rank that reads from this one.
    template <class F> void for_each_reader(F f) const {
        auto const& all = own_.items;
        for (auto first = all.begin(); first != all.end();) {
            auto const last = std::find_if(first, all.end(), [&](item const& i) { return i.target != first->target; });
            if (first->target != rank_ && !by_message(*first))
                f(first->target, needed(std::any_of(first, last, pulled), listens_to(first->target)));
            first = last;
        }
    }

    // Everything that others wait for comes before anything that only this rank needs.
    void publish(std::uint16_t stream) {
        bool pulls = false, stages = false;
        for (auto const& i : own_.items) {
            pulls |= i.target != rank_ && pulled(i);
            stages |= staged(i);
        }
        if (pulls) build_.emit(stream, operation::signal).signal = flag(rank_, line::arrays_ready);
        if (!stages) return;
        for_each_reader([&](int reader, acknowledgement what) {
            if (what == acknowledgement::before_reuse) await_reader(stream, reader, -2);
        });
        for (auto how : {method::stage, method::stage_wide})
            direct::emit_pack(build_, stream, edges_where(own_.items, [&](item const& i) { return i.chosen.how == how; }),
                              own_.stage_bytes);
        build_.emit(stream, operation::signal).signal = flag(rank_, line::stage_ready);
    }

    void serve_self(std::uint16_t stream) {
        for (auto const& i : own_.items) {
            if (i.target != rank_) continue;
            auto const e = edge_of(i);
            build_.copy(stream, operation::copy, build_.add(e.to), build_.add(e.from), compile(e.source_layout, e.target_layout));
            record(i);
        }
    }

    void receive(int source) {
        edges_.from(source, theirs_);
        std::vector<item> items;
        std::copy_if(theirs_.items.begin(), theirs_.items.end(), std::back_inserter(items),
                     [&](item const& i) { return i.target == rank_; });
        auto const stream = build_.add_stream(source);
        if (by_message(items.front())) {
            messages_.arrive(stream, source);
            messages_.leave(stream, source);
            for (auto const& i : items) record(i);
            return;
        }
        pull(stream, source, items);
        unpack(stream, source, items);
        bool const heard = std::any_of(own_.items.begin(), own_.items.end(), [&](item const& i) { return i.target == source; });
        if (needed(std::any_of(items.begin(), items.end(), pulled), heard) != acknowledgement::none) acknowledge(stream, source);
        for_each_reader([&](int reader, acknowledgement what) {
            if (reader == source && what == acknowledgement::at_end) await_reader(stream, reader, 0);
        });
        for (auto const& i : items) record(i);
    }
    static bool by_message(item const& i) { return i.chosen.how == method::message; }

    void begin_messages(std::uint16_t stream) {
        if (spec_.nodes.empty() && spec_.forced != method::message) return; // nothing to look for
        mpi::messages::by_peer arriving, leaving;
        for (int source : sources_) {
            edges_.from(source, theirs_);
            for (auto const& i : theirs_.items)
                if (i.target == rank_ && by_message(i)) arriving[source].push_back(edge_of(i));
        }
        for (auto const& i : own_.items)
            if (by_message(i)) leaving[i.target].push_back(edge_of(i));
        messages_.begin(stream, arriving, leaving);
        for (auto const& [target, edges] : leaving)
            if (!listens_to(target)) silent_.push_back(target);
    }

    void pull(std::uint16_t stream, int source, std::vector<item> const& items) {
        auto const edges = edges_where(items, pulled);
        if (edges.empty()) return;
        await(stream, source, line::arrays_ready);
        for (auto const& e : edges) direct::emit_pull(build_, stream, e);
    }
    void unpack(std::uint16_t stream, int source, std::vector<item> const& items) {
        if (std::none_of(items.begin(), items.end(), staged)) return;
        await(stream, source, line::stage_ready);
        for (auto how : {method::stage, method::stage_wide})
            direct::emit_unpack(build_, stream, edges_where(items, [&](item const& i) { return i.chosen.how == how; }),
                                theirs_.stage_bytes);
    }
    void await(std::uint16_t stream, int source, line what) {
        auto& d = build_.emit(stream, operation::wait);
        d.trigger = flag(source, what);
        d.peer = source;
    }
    void acknowledge(std::uint16_t stream, int source) {
        auto& d = build_.emit(stream, operation::signal);
        d.signal = flag(rank_, line::has_read, source);
        d.peer = source;
    }
    void await_reader(std::uint16_t stream, int reader, std::int64_t epochs) {
        auto& d = build_.emit(stream, operation::credit);
        d.trigger = flag(reader, line::has_read, rank_);
        d.threshold = epochs;
        d.peer = reader;
    }
    // The epoch ends only when those who read the array have let go; these are they whose stream has not said so yet.
    void await_other_readers() {
        for (int target : silent_) messages_.leave(build_.add_stream(target), target);
        for_each_reader([&](int reader, acknowledgement what) {
            if (what == acknowledgement::at_end && !listens_to(reader)) await_reader(build_.add_stream(reader), reader, 0);
        });
    }

    void by_reference() {
        std::vector<edge> all;
        auto const keep = [&](transfers::outgoing const& out) {
            for (auto const& i : out.items)
                if (i.target == rank_) {
                    all.push_back(edge_of(i));
                    record(i);
                }
        };
        keep(own_);
        for (int s : edges_.sources(rank_)) {
            edges_.from(s, theirs_);
            keep(theirs_);
        }
        build_.target().own_lines = 2;
        reference::emit(build_, all, 0);
    }

    // What must have happened, and why it happens in this way.
    void record(item const& i) {
        auto& p = build_.target();
        p.deliveries.push_back({.source_rank = i.source,
                                .source_array = i.from.ordinal,
                                .source = i.source_layout,
                                .target_array = i.to.ordinal,
                                .target = i.target_layout});
        bool const self = i.source == rank_;
        p.notes.push_back({.peer = i.source,
                           .kind = pattern_of(i.features, spec_.costs),
                           .rows = i.features.rows,
                           .row_bytes = i.features.row_bytes,
                           .chosen = self ? "self" : to_string(i.chosen.how),
                           .expected_us = i.chosen.expected_us,
                           .runner_up = self ? "" : to_string(i.chosen.runner_up),
                           .runner_up_us = self ? 0 : i.chosen.runner_up_us,
                           .forced = i.chosen.forced && !self,
                           .shared = i.features.shared});
    }

    transfer_terms const& spec_;
    int rank_;
    transfers const& edges_;
    plan_builder build_;
    std::vector<int> sources_;
    std::vector<int> silent_; // targets of messages that send nothing back
    mpi::messages messages_;
    transfers::outgoing own_;
    transfers::outgoing theirs_;
};

} // namespace

plan build_transfers(transfer_terms const& terms, transfers const& all, int rank) {
    return construction{terms, all, rank}.run();
}

} // namespace sode
