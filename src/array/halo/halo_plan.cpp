// SPDX-License-Identifier: Apache-2.0
#include "array/halo/halo_plan.hpp"

#include "array/block_buffer.hpp"
#include "array/halo/halo_counters.hpp"
#include "array/halo/halo_traffic.hpp"
#include "array/serving_order.hpp"
#include "channel/direct/in_line.hpp"
#include "channel/direct/pull.hpp"
#include "channel/direct/stage.hpp"
#include "channel/direct/stage_chunks.hpp"
#include "channel/mpi/message.hpp"
#include "channel/mpi/node_message.hpp"
#include "channel/reference/reference.hpp"

#include <algorithm>
#include <iterator>

namespace sode {
namespace {

using item = halo_edges::item;

using word = halo_counters::word;

class construction {
public:
    construction(halo_spec const& spec, int rank)
        : spec_(spec), rank_(rank), edges_(spec), traffic_(spec, edges_, rank), counters_(spec, edges_, traffic_, rank),
          build_(spec.name, rank, spec.ranks),
          // Without common memory, slow and obvious means one message a pair of ranks, packed byte by byte.
          messages_(build_, counters_.first_message_line(), spec.forced == method::reference) {}

    plan run() {
        edges_.from(rank_, own_);
        sources_ = edges_.sources(rank_);
        auto& p = build_.target();
        p.groups = spec_.groups;
        p.own_pairs = counters_.pairs();
        p.own_lines = counters_.lines();
        p.own_stage = 2 * own_.stage_bytes + traffic_.of_owner(rank_).stage_bytes;
        // The same on all ranks, also on those without a neighbour: a program must not work on one rank and fail on two.
        p.alternates = spec_.groups > 0 && !spec_.credits;
        auto const local = build_.add_stream(-1);
        if (spec_.forced == method::reference && on_one_node(spec_.nodes) && spec_.shares_fields()) {
            by_reference();
            return build_.finish();
        }
        publish_arrays(local);
        begin_messages(local);
        publish(local);
        serve_self(local);
        for (int const source : from_above(sources_, rank_)) receive(source);
        await_silent_readers();
        if (spec_.forced == method::reference)
            for (auto& program : p.programs) program = sode::by_reference(std::move(program));
        return build_.finish();
    }

private:
    [[nodiscard]] bool listens_to(int peer) const { return std::binary_search(sources_.begin(), sources_.end(), peer); }

    // The index in this plan of what one rank tells the other.
    [[nodiscard]] std::uint32_t says(int writer, int reader, word what, int first_slot = 0) {
        return build_.add(counters_.says(writer, reader, what, first_slot));
    }
    [[nodiscard]] buffer array_at(int host, int field) const {
        return block_buffer(spec_.fields[static_cast<std::size_t>(field)], host, static_cast<std::uint32_t>(field));
    }
    [[nodiscard]] edge edge_of(item const& i) const {
        int const field = edges_.at(i.slot).field;
        return {.source = i.source,
                .target = i.target,
                .from = array_at(i.source, field),
                .source_layout = edges_.source_layout(i),
                .to = array_at(i.target, field),
                .target_layout = edges_.target_layout(i),
                .how = i.chosen.how,
                .bytes = i.features.bytes,
                .as_it_lies = i.features.span > 0 && travels_as_it_lies(i.features, spec_.costs),
                .stage_offset = i.stage_offset,
                .flag = i.chosen.how == method::in_line ? counters_.in_line_flag(i) : counter{}};
    }
    template <class Keep> [[nodiscard]] std::vector<edge> edges_where(std::span<item const> items, Keep keep) const {
        std::vector<edge> list;
        for (auto const& i : items)
            if (keep(i)) list.push_back(edge_of(i));
        return list;
    }
    // Everything that others wait for comes before anything that only this rank needs.
    void publish_arrays(std::uint16_t stream) {
        publish(stream, word::arrays_ready, [](halo_traffic const& t) { return t.pulls; });
    }
    void publish(std::uint16_t stream) {
        by_target(own_.items, [&](int target, std::span<item const> items) {
            if (target == rank_) return;
            auto const t = traffic_of(items, spec_, edges_);
            if (needed(t, listens_to(target), spec_) == acknowledgement::before_reuse) {
                auto& d = build_.emit(stream, operation::credit);
                d.trigger = says(target, rank_, word::has_read, t.first_slot);
                d.threshold = -2;
                d.peer = target;
            }
            direct::emit_put(build_, stream, edges_where(items, [](item const& i) { return i.chosen.how == method::in_line; }));
        });
        pack(stream, method::stage);
        pack(stream, method::stage_wide);
        publish(stream, word::stage_ready, [](halo_traffic const& t) { return t.stages; });
    }
    // Raises a flag for all targets whose traffic asks for it: one each for partners, one for all others.
    template <class Concerns> void publish(std::uint16_t stream, word what, Concerns concerns) {
        std::vector<std::uint32_t> raised;
        by_target(own_.items, [&](int target, std::span<item const> items) {
            if (target == rank_ || !concerns(traffic_of(items, spec_, edges_))) return;
            auto const flag = says(rank_, target, what);
            if (std::find(raised.begin(), raised.end(), flag) != raised.end()) return;
            raised.push_back(flag);
            build_.emit(stream, operation::signal).signal = flag;
        });
    }
    void pack(std::uint16_t stream, method how) {
        direct::emit_pack(build_, stream, edges_where(own_.items, [&](item const& i) { return i.chosen.how == how; }),
                          own_.stage_bytes);
    }

    void serve_self(std::uint16_t stream) {
        auto const mine = edges_where(own_.items, [&](item const& i) { return i.target == rank_; });
        direct::emit_self(build_, stream, mine);
        auto e = mine.begin();
        for (auto const& i : own_.items)
            if (i.target == rank_) record(i, *e++);
    }

    void receive(int source) {
        edges_.from(source, theirs_);
        std::vector<item> items;
        for (auto const& i : theirs_.items)
            if (i.target == rank_) items.push_back(i);
        if (by_node(items.front())) { // not in this stream; what goes the other way may do so alone
            if (messages_.sends_to(source)) messages_.leave(build_.add_stream(source), source);
            return;
        }
        auto const stream = build_.add_stream(source);
        auto const t = traffic_of(items, spec_, edges_);
        auto const all = edges_where(items, [](item const&) { return true; });
        auto const by = [&](method how) {
            std::vector<edge> list;
            std::copy_if(all.begin(), all.end(), std::back_inserter(list), [&](edge const& e) { return e.how == how; });
            return list;
        };
        if (t.message) {
            messages_.arrive(stream, source);
            messages_.leave(stream, source);
            for (std::size_t k = 0; k < items.size(); ++k) record(items[k], all[k]);
            return;
        }
        if (t.in_line) direct::emit_get(build_, stream, all);
        if (t.pulls) {
            await(stream, source, says(source, rank_, word::arrays_ready));
            for (auto const& e : all)
                if (e.how == method::pull) direct::emit_pull(build_, stream, e);
        }
        // The source listens to us if we are one of its sources, that is if anything goes from here to there.
        bool const heard = std::any_of(own_.items.begin(), own_.items.end(), [&](item const& i) { return i.target == source; });
        auto const ack = needed(t, heard, spec_);
        bool const early = ack == acknowledgement::at_end && (heard || !t.stages);
        if (early) acknowledge(stream, source, t.first_slot);
        if (t.stages) {
            await(stream, source, says(source, rank_, word::stage_ready));
            direct::emit_unpack(build_, stream, by(method::stage), theirs_.stage_bytes);
            direct::emit_unpack(build_, stream, by(method::stage_wide), theirs_.stage_bytes);
        }
        if (!early && ack != acknowledgement::none) acknowledge(stream, source, t.first_slot);
        await_reader(stream, source);
        for (std::size_t k = 0; k < items.size(); ++k)
            if (items[k].chosen.how == method::stage_chunks) swap_in_chunks(items[k], all[k]);
        for (std::size_t k = 0; k < items.size(); ++k) record(items[k], all[k]);
    }
    // Both edges know the same chunks, or neither would have been chosen. A stream for each pair of edges: the neighbour may begin
    // with another one.
    void swap_in_chunks(item const& in, edge const& arriving) {
        auto const stream = build_.add_stream(in.source);
        int const slot = edges_.mirror(in).value().slot;
        auto const out = std::find_if(own_.items.begin(), own_.items.end(),
                                      [&](item const& i) { return i.slot == slot && i.target == in.source; });
        direct::emit_chunks(build_, stream,
                            {.out = edge_of(*out),
                             .in = arriving,
                             .chunks = in.features.chunks,
                             .out_flag = build_.add(counters_.chunk_flag(*out)),
                             .in_flag = build_.add(counters_.chunk_flag(in)),
                             .out_stage = own_.stage_bytes,
                             .in_stage = theirs_.stage_bytes});
    }
    [[nodiscard]] bool by_message(item const& i) const { return i.chosen.how == method::message && !traffic_.of(i); }
    [[nodiscard]] bool by_node(item const& i) const { return i.chosen.how == method::message && traffic_.of(i); }

    // This node's end of what it exchanges with another.
    [[nodiscard]] mpi::node_message end_of(node_traffic::flow const& f, bool leaving) const {
        int const owner = leaving ? f.sender : f.receiver;
        auto line = counters_.first_flow_line() + f.line;
        mpi::node_message m{.sender = f.sender,
                            .receiver = f.receiver,
                            .bytes = f.bytes,
                            .stage = {.host = owner,
                                      .role = buffer_role::stage,
                                      .instances = parity::epoch,
                                      .offset = f.place,
                                      .bytes = stage_room(f.bytes)},
                            .over = {.host = owner, .writer = owner, .index = line},
                            .done = {}};
        for (int rank : leaving ? f.packers : f.readers) m.done.push_back({.host = owner, .writer = rank, .index = ++line});
        return m;
    }
    // The edges of a flow at this rank, in their places.
    [[nodiscard]] std::vector<edge> edges_in(node_traffic::flow const& f, bool leaving) {
        std::vector<edge> list;
        for (auto const& i : f.items) {
            if ((leaving ? i.source : i.target) != rank_) continue;
            list.push_back(edge_of(i));
            if (!leaving) record(i, list.back());
        }
        return list;
    }
    void exchange_with_nodes(std::uint16_t stream) {
        for (auto const& f : traffic_.in())
            if (f.receiver == rank_) mpi::emit_receive(build_, end_of(f, false));
        for (auto const& f : traffic_.out()) {
            if (auto const mine = edges_in(f, true); !mine.empty()) mpi::emit_pack(build_, stream, end_of(f, true), mine);
            if (f.sender == rank_) mpi::emit_send(build_, end_of(f, true));
        }
        for (auto const& f : traffic_.in())
            if (auto const mine = edges_in(f, false); !mine.empty())
                mpi::emit_unpack(build_, build_.add_stream(f.receiver == rank_ ? -1 : f.receiver), end_of(f, false), mine);
    }

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
        exchange_with_nodes(stream);
    }

    void await(std::uint16_t stream, int peer, std::uint32_t counter_index) {
        auto& d = build_.emit(stream, operation::wait);
        d.trigger = counter_index;
        d.peer = peer;
    }
    void acknowledge(std::uint16_t stream, int source, int first_slot) {
        auto& d = build_.emit(stream, operation::signal);
        d.signal = says(rank_, source, word::has_read, first_slot);
        d.peer = source;
    }

    // An epoch ends only when those who pull without saying more have let go.
    void await_reader(std::uint16_t stream, int reader) {
        by_target(own_.items, [&](int target, std::span<item const> items) {
            if (target != reader) return;
            auto const t = traffic_of(items, spec_, edges_);
            if (needed(t, listens_to(target), spec_) != acknowledgement::at_end) return;
            auto& d = build_.emit(stream, operation::credit);
            d.trigger = says(target, rank_, word::has_read, t.first_slot);
            d.peer = target;
        });
    }
    void await_silent_readers() {
        by_target(own_.items, [&](int target, std::span<item const> items) {
            if (target == rank_ || listens_to(target)) return;
            if (by_message(items.front())) return messages_.leave(build_.add_stream(target), target);
            if (needed(traffic_of(items, spec_, edges_), false, spec_) == acknowledgement::at_end)
                await_reader(build_.add_stream(target), target);
        });
    }

    void by_reference() {
        std::vector<edge> all;
        auto const keep = [&](item const& i) {
            if (i.target != rank_) return;
            all.push_back(edge_of(i));
            record(i, all.back());
        };
        for (auto const& i : own_.items) keep(i);
        for (int s : sources_) {
            edges_.from(s, theirs_);
            for (auto const& i : theirs_.items) keep(i);
        }
        build_.target().own_lines = 2;
        build_.target().own_pairs = 0;
        reference::emit(build_, all, 0);
    }

    // What must have happened, and why it happens in this way.
    void record(item const& i, edge const& e) {
        auto& p = build_.target();
        auto const& dir = edges_.at(i.slot);
        auto const field = static_cast<std::uint32_t>(dir.field);
        p.deliveries.push_back({.source_rank = i.source,
                                .source_array = field,
                                .source = e.source_layout,
                                .target_array = field,
                                .target = e.target_layout});
        bool const self = i.source == rank_, alone = self || i.chosen.runner_up == i.chosen.how;
        p.notes.push_back({.peer = i.source,
                           .direction = dir.step,
                           .dims = static_cast<std::uint8_t>(spec_.fields[field].shape->dims),
                           .field = static_cast<std::uint8_t>(field),
                           .kind = pattern_of(i.features, spec_.costs),
                           .rows = i.features.rows,
                           .row_bytes = i.features.row_bytes,
                           .chosen = self ? "self" : to_string(by_node(i) ? method::node_message : i.chosen.how),
                           .expected_us = i.chosen.expected_us,
                           .runner_up = alone ? "" : to_string(i.chosen.runner_up),
                           .runner_up_us = alone ? 0 : i.chosen.runner_up_us,
                           .forced = i.chosen.forced && !self,
                           .shared = i.features.shared});
    }

    halo_spec const& spec_;
    int rank_;
    halo_edges edges_;
    node_traffic traffic_;
    halo_counters counters_;
    plan_builder build_;
    halo_edges::outgoing own_;
    halo_edges::outgoing theirs_;
    std::vector<int> sources_;
    mpi::messages messages_;
};

} // namespace

plan build_halo(halo_spec const& spec, int rank) {
    return construction{spec, rank}.run();
}

} // namespace sode
