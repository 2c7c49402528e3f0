// SPDX-License-Identifier: Apache-2.0
#include "pattern/plan_edges.hpp"

#include "channel/moves.hpp"
#include "channel/mpi/machine_message.hpp"
#include "channel/mpi/messages.hpp"
#include "pattern/edge_counters.hpp"
#include "pattern/edge_lists.hpp"
#include "pattern/for_devices.hpp"
#include "pattern/pair_traffic.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace sode::internal {
namespace {

using word = edge_counters::word;

class edge_planner {
public:
    edge_planner(edge_set const& edges, plan_builder& build, steps_beside& beside)
        : edges_(edges), terms_(edges.terms()), style_(edges.style()), rank_(build.target().rank), build_(build), beside_(beside),
          flows_(edges, rank_), counters_(edges, flows_, rank_),
          messages_(build_, counters_.first_message_line(),
                    style_.on_device
                        ? std::optional<mpi::messages::device_lines>{{counters_.first_packed_line(), counters_.first_ring_line()}}
                        : std::nullopt),
          sources_(edges.sources(rank_)) {
        edges_.from(rank_, own_);
        numbering number;
        for (auto& e : own_.edges) settle(e, number(e));
        for (int const s : sources_) hear(s);
        for (auto const& f : flows_.out()) to_machines_.push_back(end_of(f, true));
        for (auto const& f : flows_.in()) from_machines_.push_back(end_of(f, false));
    }

    plan run() {
        auto& p = build_.target();
        p.groups = terms_.groups;
        // The same on all ranks, also on those without a neighbour: a program must not work on one rank and fail on two.
        p.alternates = terms_.groups > 0 && !style_.credits;
        auto const local = build_.add_stream(-1);
        auto const* const forced = terms_.forced_way();
        if (forced == &ways::reference && edges_.all_shared() && !style_.on_device) {
            p.own_lines = 2;
            exchange_between_barriers(local, *forced);
        } else {
            p.own_pairs = counters_.pairs();
            p.own_lines = counters_.lines();
            p.own_stage = 2 * own_.stage_bytes + own_.ring_bytes + flows_.of_owner(rank_).stage_bytes;
            exchange(local);
        }
        beside_.record();
        if (terms_.forced == &ways::reference)
            for (auto& program : p.programs) program = by_reference(std::move(program));
        return style_.on_device ? for_devices(build_.finish(), style_.device_messages) : build_.finish();
    }

private:
    // What comes from one source.
    struct arrivals {
        std::vector<edge> edges;
        std::int64_t stage_bytes = 0; // of that source
    };

    // How many edges of its pair of ranks came before.
    class numbering {
    public:
        int operator()(edge const& e) { return seen_[{e.source, e.target}]++; }

    private:
        std::map<std::pair<int, int>, int> seen_;
    };

    void settle(edge& e, int number) {
        edges_.locate(e);
        if (auto const* f = flows_.with(e)) {
            e.chosen.how = &ways::mpi_machine;
            e.place = machine_flows::place_of(e, number, *f);
        } else if (e.chosen.how->place() == found_in::machine_message) {
            e.chosen.how = e.chosen.how->instead(e.features);
        }
        auto const place = e.chosen.how->place();
        if (e.source != e.target && (place == found_in::line || place == found_in::parts || place == found_in::landed))
            e.flag = counters_.flag_of(e);
    }
    void hear(int source) {
        edges_.from(source, theirs_);
        auto& mine = arriving_[source];
        mine.stage_bytes = theirs_.stage_bytes;
        numbering number;
        for (auto& e : theirs_.edges)
            if (e.target == rank_) {
                settle(e, number(e));
                mine.edges.push_back(std::move(e));
            }
    }
    // This machine's end of what it exchanges with another.
    [[nodiscard]] mpi::machine_message end_of(machine_flows::flow const& f, bool leaving) const {
        int const owner = leaving ? f.sender : f.receiver;
        auto line = counters_.first_flow_line(owner) + f.line;
        mpi::machine_message m{.sender = f.sender,
                               .receiver = f.receiver,
                               .bytes = f.bytes,
                               .stage = {.host = owner,
                                         .role = buffer_role::stage,
                                         .instances = parity::epoch,
                                         .offset = f.place,
                                         .bytes = stage_room(f.bytes)},
                               .over = {.host = owner, .writer = owner, .index = line},
                               .done = {},
                               .mine = {}};
        for (int rank : leaving ? f.packers : f.readers) m.done.push_back({.host = owner, .writer = rank, .index = ++line});
        auto const take = [&](std::vector<edge> const& edges) {
            for (auto const& e : edges)
                if (flows_.with(e) == &f) m.mine.push_back(&e);
        };
        if (leaving)
            take(own_.edges);
        else
            for (auto const& [source, arrived] : arriving_) take(arrived.edges);
        return m;
    }
    [[nodiscard]] way_site site(std::uint32_t stream, int source = -1) {
        return {.build = build_,
                .stream = stream,
                .leaving = own_.edges,
                .own_stage = own_.stage_bytes,
                .peer_stage = source < 0 ? 0 : arriving_.at(source).stage_bytes,
                .messages = &messages_,
                .to_machines = to_machines_,
                .from_machines = from_machines_,
                .opened = &opened_};
    }
    [[nodiscard]] bool listens_to(int peer) const { return std::binary_search(sources_.begin(), sources_.end(), peer); }
    // A rank listens to us if anything goes from here to there.
    [[nodiscard]] bool is_heard_by(int peer) const {
        return std::any_of(own_.edges.begin(), own_.edges.end(), [&](edge const& e) { return e.target == peer; });
    }
    // Calls f(target, edges) for each other rank that this one gives to.
    template <class F> void for_each_target(F f) const {
        auto const& all = own_.edges;
        for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
            while (last < all.size() && all[last].target == all[first].target) ++last;
            if (all[first].target != rank_) f(all[first].target, std::span{all}.subspan(first, last - first));
        }
    }
    // The index in this plan of what one rank tells the other.
    [[nodiscard]] std::uint32_t says(int writer, int reader, word what, int first_slot = 0) {
        return build_.add(counters_.says(writer, reader, what, first_slot));
    }
    void await(std::uint32_t stream, operation op, int peer, std::uint32_t counter_index, std::int32_t epochs = 0) {
        auto& d = build_.emit(stream, op);
        d.trigger = counter_index;
        d.threshold = epochs;
        d.peer = peer;
    }

    void exchange(std::uint32_t local) {
        // Everything that others wait for comes before anything that only this rank needs.
        say_arrays_ready(local);
        let_puts_begin(local);
        begin(local);
        give(local);
        store_at_targets();
        fill_rings();
        put_to_targets(local);
        if (style_.combines) {
            combine_all(build_.add_stream(-1));
        } else {
            auto const mine = own_copies();
            fetch(build_, local, mine);
            for (auto const* e : mine) edges_.record(build_.target(), *e);
            beside_.emit(local, false);
            for (int const source : from_above(sources_, rank_)) receive(source);
        }
        // An epoch ends only when those who read have let go; these are they whose stream has not said so yet.
        for_each_target([&](int target, auto const& edges) {
            if ((style_.combines || !listens_to(target)) && is_to_be_released(target, edges))
                release(build_.add_stream(target), target, edges);
        });
        fill_late();
    }
    [[nodiscard]] edge_list own_copies() const {
        return those(pointers(own_.edges), [&](edge const& e) { return e.target == rank_; });
    }
    [[nodiscard]] static bool any_in(std::span<edge const> edges, found_in place) {
        return std::any_of(edges.begin(), edges.end(), [&](edge const& e) { return e.chosen.how->place() == place; });
    }
    // Raises a flag for all of these ranks: one each for partners, one for all others.
    void tell(std::uint32_t stream, std::vector<int> const& readers, word what) {
        std::vector<std::uint32_t> raised;
        for (int const reader : readers) {
            auto const flag = says(rank_, reader, what);
            if (std::find(raised.begin(), raised.end(), flag) != raised.end()) continue;
            raised.push_back(flag);
            build_.emit(stream, operation::signal).signal = flag;
        }
    }
    // Targets that find something there.
    [[nodiscard]] std::vector<int> those_who_find(found_in place) const {
        std::vector<int> readers;
        for_each_target([&](int target, std::span<edge const> edges) {
            if (any_in(edges, place)) readers.push_back(target);
        });
        return readers;
    }
    // To those who load from here, and to those who store.
    void say_arrays_ready(std::uint32_t stream) {
        auto all = those_who_find(found_in::array);
        for (int const s : sources_)
            if (any_in(arriving_.at(s).edges, found_in::own_array)) all.push_back(s);
        tell(stream, all, word::arrays_ready);
    }
    // A stream for each target: another one may be ready first.
    void store_at_targets() {
        for_each_target([&](int target, std::span<edge const> edges) {
            if (!any_in(edges, found_in::own_array)) return;
            auto const stream = build_.add_stream(target);
            await(stream, operation::credit, target, says(target, rank_, word::arrays_ready));
            for_each_way(pointers(edges), found_in::own_array, [&](way const& w, edge_span mine) { w.give(site(stream), mine); });
            auto& d = build_.emit(stream, operation::signal);
            d.signal = says(rank_, target, word::has_stored, edges.front().first_slot);
            d.peer = target;
        });
    }
    [[nodiscard]] static edge_list in_place(edge_span edges, found_in place) {
        return those(edges, [&](edge const& e) { return e.chosen.how->place() == place; });
    }
    [[nodiscard]] static edge_list landed_of(std::span<edge const> edges) { return in_place(pointers(edges), found_in::landed); }
    // `stage`: bytes of one instance of the stage of the source of these edges, which are those of a pair that go through its ring.
    [[nodiscard]] ring_site ring_for(edge_span edges, std::int64_t stage) {
        auto const& first = *edges.front();
        ring_site r{.memory = {.host = first.source,
                               .role = buffer_role::stage,
                               .offset = 2 * stage + first.place,
                               .bytes = ring_of(edges).bytes()},
                    .filled = counters_.says(first.source, first.target, word::has_filled, first.first_slot),
                    .taken = counters_.says(first.target, first.source, word::has_taken, first.first_slot)};
        r.filled.step = r.taken.step = static_cast<std::int64_t>(segments_of(edges).size());
        return r;
    }
    // A stream for each target, which waits for that.
    void fill_rings() {
        for_each_target([&](int target, std::span<edge const> edges) {
            auto const through = in_place(pointers(edges), found_in::ring);
            if (through.empty()) return;
            auto where = site(build_.add_stream(target));
            where.ring = ring_for(through, own_.stage_bytes);
            for_each_way(through, found_in::ring, [&](way const& w, edge_span mine) { w.give(where, mine); });
        });
    }
    void empty_ring(std::uint32_t stream, int source, edge_span edges) {
        auto const through = in_place(edges, found_in::ring);
        if (through.empty()) return;
        auto where = site(stream, source);
        where.ring = ring_for(through, arriving_.at(source).stage_bytes);
        for_each_way(through, found_in::ring, [&](way const& w, edge_span mine) { w.take(where, mine); });
    }
    // An end of a put of no bytes that says: others may come.
    void emit_word(std::uint32_t stream, operation op, buffer const& at_source, buffer const& mine, int peer, counter const& told) {
        constexpr std::uint32_t number = 2; // of what two ranks pass: messages have 0 and 1
        auto const nothing = contiguous(0, 0);
        auto const signal = build_.add(told), to = build_.add(at_source), from = build_.add(mine);
        auto& d = build_.copy(stream, op, to, from, compile(nothing, nothing), peer);
        d.signal = signal;
        d.argument = number;
    }
    // To those who put here.
    void let_puts_begin(std::uint32_t stream) {
        for (int const s : from_above(sources_, rank_)) {
            auto const landed = landed_of(arriving_.at(s).edges);
            if (landed.empty()) continue;
            auto const& first = *landed.front();
            emit_word(stream, operation::put, first.from, first.to, s, counters_.may_put(s, rank_, first.first_slot));
        }
    }
    void put_to_targets(std::uint32_t stream) {
        for_each_target([&](int target, std::span<edge const> edges) {
            auto const landed = landed_of(edges);
            if (landed.empty()) return;
            auto const& first = *landed.front();
            auto const told = counters_.may_put(rank_, target, first.first_slot);
            emit_word(stream, operation::landing, first.from, first.from, target, told);
            auto where = site(stream);
            where.may_begin = build_.add(told);
            for_each_way(landed, found_in::landed, [&](way const& w, edge_span mine) { w.give(where, mine); });
        });
    }
    void begin(std::uint32_t stream) {
        edge_list arriving;
        for (int const s : sources_)
            for (auto const& e : arriving_.at(s).edges) arriving.push_back(&e);
        auto const leaving = those(pointers(own_.edges), [&](edge const& e) { return e.target != rank_; });
        for (auto const* w : all_ways()) {
            auto const by = [&](edge const& e) { return e.chosen.how == w; };
            w->begin(site(stream), those(leaving, by), those(arriving, by));
        }
        for (auto const& m : from_machines_)
            for (auto const* e : m.mine) edges_.record(build_.target(), *e);
        tell_opened();
    }
    void give(std::uint32_t stream) {
        for_each_target([&](int target, std::span<edge const> edges) {
            auto const t = traffic_of(edges);
            if (needed(t, listens_to(target), style_) == acknowledgement::before_reuse)
                await(stream, operation::credit, target, says(target, rank_, word::has_read, t.first_slot), -2);
            for_each_way(pointers(edges), found_in::line, [&](way const& w, edge_span mine) { w.give(site(stream), mine); });
        });
        auto const leaving = those(pointers(own_.edges), [&](edge const& e) { return e.target != rank_; });
        for_each_way(leaving, found_in::stage, [&](way const& w, edge_span mine) { w.give(site(stream), mine); });
        tell(stream, those_who_find(found_in::stage), word::stage_ready);
    }

    // What brings it has been opened before.
    [[nodiscard]] static bool has_own_stream(found_in place) noexcept {
        return place == found_in::machine_message || place == found_in::landed;
    }
    void record_landed(edge_span edges) {
        for (auto const* e : edges)
            if (e->chosen.how->place() == found_in::landed) edges_.record(build_.target(), *e);
    }
    void receive(int source) {
        auto const all = pointers(arriving_.at(source).edges);
        auto const outgoing = given_to(source);
        if (std::all_of(all.begin(), all.end(), [](edge const* e) { return has_own_stream(e->chosen.how->place()); })) {
            // Not in this stream; what goes the other way may do so alone.
            if (is_to_be_released(source, outgoing)) release(build_.add_stream(source), source, outgoing);
            record_landed(all);
            return;
        }
        auto const stream = build_.add_stream(source);
        auto const t = traffic_of(arriving_.at(source).edges);
        bool const heard = is_heard_by(source);
        auto const ack = needed(t, heard, style_);
        bool const early = ack == acknowledgement::at_end && (heard || !t.stages);
        take(stream, source, all, found_in::message);
        take(stream, source, all, found_in::line);
        take(stream, source, all, found_in::array);
        if (early) acknowledge(stream, source, t.first_slot);
        take(stream, source, all, found_in::own_array);
        take(stream, source, all, found_in::stage);
        if (!early && ack != acknowledgement::none) acknowledge(stream, source, t.first_slot);
        empty_ring(stream, source, all);
        if (auto const here = those(
                all,
                [](edge const& e) { return e.chosen.how->place() != found_in::parts && !has_own_stream(e.chosen.how->place()); });
            !here.empty())
            has_come(stream, here);
        release(stream, source, outgoing);
        take(stream, source, all, found_in::parts);
        tell_opened();
        for (auto const* e : all) edges_.record(build_.target(), *e);
    }
    void take(std::uint32_t stream, int source, edge_span edges, found_in place) {
        await_place(stream, source, edges, place);
        for_each_way(edges, place, [&](way const& w, edge_span mine) { w.take(site(stream, source), mine); });
    }
    void await_place(std::uint32_t stream, int source, edge_span edges, found_in place) {
        bool first = true;
        for_each_way(edges, place, [&](way const& w, edge_span mine) {
            w.await(site(stream, source), mine);
            if (!std::exchange(first, false)) return;
            if (place == found_in::array) await(stream, operation::wait, source, says(source, rank_, word::arrays_ready));
            if (place == found_in::stage) await(stream, operation::wait, source, says(source, rank_, word::stage_ready));
            if (place == found_in::own_array)
                await(stream, operation::wait, source, says(source, rank_, word::has_stored, edges.front()->first_slot));
        });
    }
    void acknowledge(std::uint32_t stream, int source, int first_slot) {
        auto& d = build_.emit(stream, operation::signal);
        d.signal = says(rank_, source, word::has_read, first_slot);
        d.peer = source;
    }

    [[nodiscard]] std::span<edge const> given_to(int target) const {
        std::span<edge const> found;
        for_each_target([&](int other, std::span<edge const> edges) {
            if (other == target) found = edges;
        });
        return found;
    }
    [[nodiscard]] bool must_say_so(int target, std::span<edge const> edges) const {
        return !edges.empty() && needed(traffic_of(edges), listens_to(target), style_) == acknowledgement::at_end;
    }
    [[nodiscard]] bool is_to_be_released(int target, std::span<edge const> edges) const {
        return messages_.sends_to(target) || must_say_so(target, edges);
    }
    // Waits until `target` and MPI have let go of what is read where this rank's user writes again.
    void release(std::uint32_t stream, int target, std::span<edge const> edges) {
        messages_.leave(stream, target);
        if (must_say_so(target, edges))
            await(stream, operation::credit, target, says(target, rank_, word::has_read, traffic_of(edges).first_slot));
    }

    // In one stream, by rank and slot.
    void combine_all(std::uint32_t stream) {
        for (int const s : sources_)
            for (auto place : {found_in::message, found_in::stage}) await_place(stream, s, pointers(arriving_.at(s).edges), place);
        for (int const s : with_own()) {
            auto const edges = s == rank_ ? own_copies() : pointers(arriving_.at(s).edges);
            if (s == rank_)
                fetch(build_, stream, edges);
            else
                for (auto place : {found_in::message, found_in::stage})
                    for_each_way(edges, place, [&](way const& w, edge_span mine) { w.take(site(stream, s), mine); });
            for (auto const* e : edges) edges_.record(build_.target(), *e);
            if (s == rank_) continue;
            auto const t = traffic_of(arriving_.at(s).edges);
            if (needed(t, is_heard_by(s), style_) != acknowledgement::none) acknowledge(stream, s, t.first_slot);
        }
    }
    // The sources, ascending, and this rank between them if it has copies of its own.
    [[nodiscard]] std::vector<int> with_own() const {
        auto all = sources_;
        if (is_heard_by(rank_)) all.insert(std::upper_bound(all.begin(), all.end(), rank_), rank_);
        return all;
    }

    // As anybody would write it first.
    void exchange_between_barriers(std::uint32_t local, way const& how) {
        await_everybody(local, word::arrays_ready);
        auto order = with_own();
        if (!style_.combines) // own copies first
            std::stable_partition(order.begin(), order.end(), [&](int s) { return s == rank_; });
        for (int const s : order) {
            auto const edges = s == rank_ ? own_copies() : pointers(arriving_.at(s).edges);
            how.take(site(local), edges);
            for (auto const* e : edges) edges_.record(build_.target(), *e);
        }
        await_everybody(local, word::stage_ready);
        beside_.emit(local, false);
        beside_.emit(local, true);
    }
    void await_everybody(std::uint32_t stream, word what) {
        auto const line = static_cast<std::uint32_t>(what);
        auto const flag = [&](int r) { return build_.add(counter{.host = r, .writer = r, .index = line}); };
        build_.emit(stream, operation::signal).signal = flag(rank_);
        for (int r = 0; r < terms_.ranks(); ++r)
            if (r != rank_) await(stream, operation::wait, r, flag(r));
    }

    // Ends a stream that brings edges of other ranks.
    void has_come(std::uint32_t stream, edge_span brought) {
        auto const first = std::find_if(brought.begin(), brought.end(), [&](edge const* e) { return beside_.await(e->source); });
        if (first == brought.end()) return;
        come_.push_back(build_.add(counters_.arrived((*first)->slot)));
        build_.emit(stream, operation::signal).signal = come_.back();
    }
    void tell_opened() {
        for (auto const& o : opened_) has_come(o.stream, o.brings);
        opened_.clear();
    }
    void fill_late() {
        if (!beside_.come_late()) return;
        auto const stream = build_.add_stream(-1);
        for (auto const arrived : come_) build_.emit(stream, operation::wait).trigger = arrived;
        beside_.emit(stream, true);
    }

    edge_set const& edges_;
    exchange_terms const& terms_;
    exchange_style const style_;
    int rank_;
    plan_builder& build_;
    steps_beside& beside_;
    machine_flows flows_;
    edge_counters counters_;
    mpi::messages messages_;
    edge_set::outgoing own_;
    edge_set::outgoing theirs_; // of one source after the other
    std::vector<int> sources_;
    std::map<int, arrivals> arriving_; // by source
    std::vector<mpi::machine_message> to_machines_, from_machines_;
    std::vector<opened_stream> opened_;
    std::vector<std::uint32_t> come_; // counters
};

} // namespace

plan plan_edges(edge_set const& edges, int rank) {
    plan_builder build{edges.terms().name, rank, edges.terms().ranks()};
    steps_beside none;
    return plan_edges(edges, build, none);
}

plan plan_edges(edge_set const& edges, plan_builder& build, steps_beside& beside) {
    return edge_planner{edges, build, beside}.run();
}

} // namespace sode::internal
