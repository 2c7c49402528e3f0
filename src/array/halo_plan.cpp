// SPDX-License-Identifier: Apache-2.0
#include "array/halo_plan.hpp"

#include "array/halo_edges.hpp"
#include "array/node_traffic.hpp"
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

// Counters of every rank: what is ready, for all readers alike; then by slot the acknowledgements, the in-line flags with their two
// instances, the chunks, and the ends of messages; at last those of its pairs.
constexpr std::uint32_t first_slot_line = 2, lines_per_slot = 6;
enum class word : std::uint32_t { arrays_ready, stage_ready, has_read };

// A rank with more neighbours than this says once for all that it is ready; one with fewer tells each of them in a cache line that
// the two share, which goes back and forth faster than a line of one's own.
constexpr std::size_t most_pairs = 6;

using item = halo_edges::item;

// What passes from one rank to another in an exchange.
struct traffic {
    bool pulls = false;
    bool pulls_single = false; // from an array with one instance: the owner overwrites it before the next exchange
    bool stages = false;
    bool chunks = false;
    bool in_line = false;
    bool message = false;
    int first_slot = 0;
};

traffic traffic_of(std::span<item const> items, halo_spec const& spec, halo_edges const& edges) {
    traffic t{.first_slot = items.front().first_slot};
    for (auto const& i : items) {
        bool const pulled = i.chosen.how == method::pull;
        t.pulls |= pulled;
        t.pulls_single |= pulled && !spec.fields[static_cast<std::size_t>(edges.at(i.slot).field)].buffered;
        t.stages |= i.chosen.how == method::stage || i.chosen.how == method::stage_wide;
        t.chunks |= i.chosen.how == method::stage_chunks;
        t.message |= i.chosen.how == method::message;
        t.in_line |= i.chosen.how == method::in_line;
    }
    return t;
}

// When the source of some traffic must have the target's word that it has read it.
enum class acknowledgement {
    none,         // the target's next flag, for which the source waits anyway, proves it
    before_reuse, // before the source fills the same instance of stage or line again, two epochs on
    at_end        // before the source's epoch is over: the user may overwrite the array then
};

acknowledgement needed(traffic const& t, bool source_listens, halo_spec const& spec) {
    if (t.pulls && (t.pulls_single || spec.credits || !source_listens)) return acknowledgement::at_end;
    if ((t.stages || t.chunks || t.in_line) && !source_listens) return acknowledgement::before_reuse;
    return acknowledgement::none;
}

class construction {
public:
    construction(halo_spec const& spec, int rank)
        : spec_(spec), rank_(rank), edges_(spec), traffic_(spec, edges_, rank), build_(spec.name, rank, spec.ranks),
          // Without common memory, slow and obvious means one message a pair of ranks, packed byte by byte.
          messages_(build_, first_slot_line + 4 * static_cast<std::uint32_t>(edges_.slots()), spec.forced == method::reference) {}

    plan run() {
        edges_.from(rank_, own_);
        sources_ = edges_.sources(rank_);
        auto& p = build_.target();
        auto const slots = static_cast<std::int64_t>(edges_.slots());
        p.groups = spec_.groups;
        partners_ = partners_of(rank_);
        p.own_pairs = std::count_if(partners_.begin(), partners_.end(), [&](int r) { return r > rank_; });
        p.own_lines = first_slot_line + lines_per_slot * slots + traffic_.of_owner(rank_).lines + pair_counters * p.own_pairs;
        for (int r : partners_) links_.push_back(link_to(r));
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
        // Every rank begins with the neighbour above it, so that not all of them read rank 0 first.
        auto const start = std::upper_bound(sources_.begin(), sources_.end(), rank_);
        for (auto s = start; s != sources_.end(); ++s) receive(*s);
        for (auto s = sources_.begin(); s != start; ++s) receive(*s);
        await_silent_readers();
        if (spec_.forced == method::reference)
            for (auto& program : p.programs) program = sode::by_reference(std::move(program));
        return build_.finish();
    }

private:
    [[nodiscard]] bool listens_to(int peer) const { return std::binary_search(sources_.begin(), sources_.end(), peer); }

    // The ranks that `rank` both reads and is read by, if it has few neighbours.
    [[nodiscard]] std::vector<int> partners_of(int rank) const {
        auto const in = edges_.sources(rank), out = edges_.targets(rank);
        std::vector<int> all, both;
        std::set_union(in.begin(), in.end(), out.begin(), out.end(), std::back_inserter(all));
        if (all.size() <= most_pairs) std::set_intersection(in.begin(), in.end(), out.begin(), out.end(), std::back_inserter(both));
        std::erase_if(both, [&](int other) { return !spec_.share_memory(rank, other); });
        return both;
    }
    // The first of the counters that this rank shares with `peer`, at the lower of the two (host -1: they share none).
    struct link {
        int peer;
        int host;
        std::uint32_t first;
    };
    [[nodiscard]] link link_to(int peer) const {
        auto const theirs = partners_of(peer);
        if (!std::binary_search(theirs.begin(), theirs.end(), rank_)) return {peer, -1, 0};
        auto const& at_host = rank_ < peer ? partners_ : theirs;
        int const host = std::min(rank_, peer);
        auto const above = std::upper_bound(at_host.begin(), at_host.end(), host);
        auto const place = std::lower_bound(above, at_host.end(), std::max(rank_, peer)) - above;
        auto const before = first_flow_line() + traffic_.of_owner(host).lines;
        return {peer, host, before + static_cast<std::uint32_t>(pair_counters * place)};
    }
    [[nodiscard]] link const* shared_with(int peer) const {
        for (auto const& l : links_)
            if (l.peer == peer && l.host >= 0) return &l;
        return nullptr;
    }

    [[nodiscard]] std::uint32_t first_flow_line() const {
        return first_slot_line + lines_per_slot * static_cast<std::uint32_t>(edges_.slots());
    }
    // What `writer` tells `reader`; one of the two is this rank.
    [[nodiscard]] std::uint32_t says(int writer, int reader, word what, int first_slot = 0) {
        if (auto const* l = shared_with(writer == rank_ ? reader : writer)) {
            std::uint32_t const side = writer == l->host ? 0 : 1;
            return build_.add(
                counter{.host = l->host, .writer = writer, .index = l->first + 2 * static_cast<std::uint32_t>(what) + side});
        }
        auto const index =
            what == word::has_read ? first_slot_line + static_cast<std::uint32_t>(first_slot) : static_cast<std::uint32_t>(what);
        return build_.add(counter{.host = writer, .writer = writer, .index = index});
    }
    // The flag whose payload holds all that goes in line from `source` to `target`.
    [[nodiscard]] counter in_line_flag(item const& i) const {
        counter c{.host = i.source, .writer = i.source, .instances = parity::epoch};
        auto const* l = shared_with(i.source == rank_ ? i.target : i.source);
        if (l && i.together <= pair_payload_bytes) {
            c.host = l->host;
            c.index = l->first + 6 + (i.source == l->host ? 0 : 2);
        } else {
            c.index = first_slot_line + static_cast<std::uint32_t>(edges_.slots() + 2 * i.first_slot);
        }
        return c;
    }
    [[nodiscard]] buffer array_at(int host, int field) const {
        auto const& f = spec_.fields[static_cast<std::size_t>(field)];
        return {.host = host,
                .role = buffer_role::array,
                .instances = f.buffered ? parity::array : parity::none,
                .group = static_cast<std::uint8_t>(f.group),
                .ordinal = static_cast<std::uint32_t>(field),
                .bytes = f.shape->bytes(host)};
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
                .stage_offset = i.stage_offset,
                .flag = i.chosen.how == method::in_line ? in_line_flag(i) : counter{}};
    }
    template <class Keep> [[nodiscard]] std::vector<edge> edges_where(std::span<item const> items, Keep keep) const {
        std::vector<edge> list;
        for (auto const& i : items)
            if (keep(i)) list.push_back(edge_of(i));
        return list;
    }
    // Calls f(target, items) for each rank that `out` goes to.
    template <class F> static void by_target(std::vector<item> const& out, F f) {
        for (std::size_t first = 0, last = 0; first < out.size(); first = last) {
            while (last < out.size() && out[last].target == out[first].target) ++last;
            f(out[first].target, std::span{out}.subspan(first, last - first));
        }
    }

    // Everything that others wait for comes before anything that only this rank needs.
    void publish_arrays(std::uint16_t stream) {
        publish(stream, word::arrays_ready, [](traffic const& t) { return t.pulls; });
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
        publish(stream, word::stage_ready, [](traffic const& t) { return t.stages; });
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
                             .out_flag = chunk_flag(*out),
                             .in_flag = chunk_flag(in),
                             .out_stage = own_.stage_bytes,
                             .in_stage = theirs_.stage_bytes});
    }
    [[nodiscard]] std::uint32_t chunk_flag(item const& i) {
        return build_.add(counter{.host = i.source,
                                  .writer = i.source,
                                  .index = first_slot_line + static_cast<std::uint32_t>(3 * edges_.slots() + i.slot),
                                  .step = i.features.chunks});
    }
    [[nodiscard]] bool by_message(item const& i) const { return i.chosen.how == method::message && !traffic_.of(i); }
    [[nodiscard]] bool by_node(item const& i) const { return i.chosen.how == method::message && traffic_.of(i); }

    // This node's end of what it exchanges with another.
    [[nodiscard]] mpi::node_message end_of(node_traffic::flow const& f, bool leaving) const {
        int const owner = leaving ? f.sender : f.receiver;
        auto line = first_flow_line() + f.line;
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
    plan_builder build_;
    halo_edges::outgoing own_;
    halo_edges::outgoing theirs_;
    std::vector<int> sources_;
    std::vector<int> partners_;
    std::vector<link> links_;
    mpi::messages messages_;
};

} // namespace

plan build_halo(halo_spec const& spec, int rank) {
    return construction{spec, rank}.run();
}

} // namespace sode
