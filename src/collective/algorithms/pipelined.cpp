// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/memory_costs.hpp"
#include "collective/catalogue.hpp"
#include "collective/fold.hpp"

#include <algorithm>
#include <optional>

namespace sode::internal {
namespace {

/// How what goes through a stage is cut into chunks. What is short has several stages, used in turn, each with room for all of it,
/// so that a rank may be ahead. What is longer goes through a ring of slots.
///
/// More than two stages are for the caches: a line that was read long ago has left the reader's cache, and its writer need not call
/// it back from there (docs/decisions/0069).
struct pipe {
    std::int64_t bytes = 0; ///< of a chunk, but for the last one
    std::int64_t chunks = 0;
    std::int64_t last = 0;  ///< bytes of the last one
    std::int64_t slots = 0; ///< of a stage
    std::uint16_t stages = 1;

    [[nodiscard]] bool rings() const noexcept { return stages == 1; }
    /// What the counters of an epoch add. Of a ring whole rounds, so that the slot of a chunk follows from its number.
    [[nodiscard]] std::int64_t step() const noexcept { return (chunks + slots - 1) / slots * slots; }
    [[nodiscard]] std::int64_t stage() const noexcept { return slots * bytes; }
};

/// Nothing, if elements are longer than chunks.
std::optional<pipe> pipe_of(collective_terms const& t) noexcept {
    constexpr std::int64_t most_in_two = 32 << 10, most_in_turn = 64 << 10, short_chunk = 8 << 10, long_chunk = 32 << 10, ring = 4;
    pipe p;
    if (t.bytes() <= most_in_turn) p.stages = t.bytes() <= most_in_two ? 2 : 4;
    auto const grain = t.grain();
    p.bytes = (p.rings() ? long_chunk : short_chunk) / grain * grain;
    if (p.bytes == 0) return std::nullopt;
    p.chunks = (t.bytes() + p.bytes - 1) / p.bytes;
    p.last = t.bytes() - (p.chunks - 1) * p.bytes;
    p.slots = p.rings() ? ring : p.chunks;
    return p;
}

/// What one rank does with one chunk after the other.
class pipeline {
public:
    pipeline(collective_terms const& t, int rank, pipe const& p)
        : terms_(t), rank_(rank), pipe_(p), b_(t.title(), rank, t.ranks()),
          gives_(t.kind == collective_kind::broadcast ? rank == t.root : rank != t.root) {
        add_operators(b_, t);
        record_share(b_, t, rank);
    }

    plan build() {
        b_.target().own_lines = 1;
        if (gives_) b_.target().own_stage = pipe_.stages * pipe_.stage();
        if (!gives_ && terms_.ranks() > 2 && terms_.works_in_place(rank_) && rank_ != 0)
            aside_ = b_.add(private_place(b_, pipe_.bytes));
        stream_ = b_.add_stream(gives_ ? -1 : a_giver());
        if (gives_ && !pipe_.rings()) await_takers(-pipe_.stages, 0);
        b_.emit(stream_, operation::loop).argument = static_cast<std::uint32_t>(pipe_.chunks - 1);
        move({.number = 0, .bytes = pipe_.bytes, .in_loop = true});
        b_.emit(stream_, operation::end_loop);
        move({.number = pipe_.chunks - 1, .bytes = pipe_.last, .in_loop = false});
        return b_.finish();
    }

private:
    struct chunk {
        std::int64_t number = 0; ///< in a loop, of the first
        std::int64_t bytes = 0;
        bool in_loop = false;
    };
    /// Memory that goes on with the chunks.
    struct place {
        std::uint32_t buffer = 0;
        std::int64_t offset = 0;
        stride on{};
        std::uint32_t ready = 0; ///< the counter that says so
        int peer = -1;
    };

    [[nodiscard]] int a_giver() const noexcept {
        return terms_.kind == collective_kind::broadcast ? terms_.root : terms_.root == 0 ? 1 : 0;
    }
    [[nodiscard]] bool takes(int r) const noexcept {
        return terms_.kind == collective_kind::broadcast ? r != terms_.root : r == terms_.root;
    }
    /// Who takes from stages in turn tells once in an epoch, all others with each chunk.
    [[nodiscard]] std::uint32_t flag_of(int r) {
        return b_.add(counter{.host = r, .writer = r, .index = 0, .step = takes(r) && !pipe_.rings() ? 1 : pipe_.step()});
    }
    /// Relative to the end of the epoch.
    [[nodiscard]] std::int32_t number_of(chunk const& c) const noexcept {
        return static_cast<std::int32_t>(c.number + 1 - pipe_.step());
    }

    [[nodiscard]] place in_array(buffer const& array, chunk const& c) {
        return {b_.add(array), c.number * pipe_.bytes, {.bytes = pipe_.bytes}};
    }
    [[nodiscard]] place in_stage(int r, chunk const& c) {
        auto const stage = b_.add(buffer{.host = r,
                                         .role = buffer_role::stage,
                                         .instances = pipe_.rings() ? parity::none : parity::epoch,
                                         .slots = pipe_.rings() ? std::uint16_t{2} : pipe_.stages,
                                         .bytes = pipe_.stage()});
        return {stage,
                c.number % pipe_.slots * pipe_.bytes,
                {.bytes = pipe_.bytes, .slots = pipe_.rings() ? static_cast<std::uint32_t>(pipe_.slots) : 0},
                flag_of(r),
                r};
    }

    void move(chunk const& c) {
        if (gives_)
            show(c);
        else if (terms_.kind == collective_kind::broadcast)
            fetch(c);
        else
            combine(c);
    }

    void await_takers(std::int32_t threshold, std::uint32_t strides) {
        for (int r = 0; r < terms_.ranks(); ++r)
            if (takes(r)) {
                auto& d = b_.emit(stream_, operation::credit);
                d.trigger = flag_of(r);
                d.threshold = threshold;
                d.strides = strides;
            }
    }

    void show(chunk const& c) {
        if (pipe_.rings())
            await_takers(number_of(c) - static_cast<std::int32_t>(pipe_.slots),
                         c.in_loop ? b_.add(loop_strides{.threshold = 1}) : 0);
        transfer(operation::pack, in_stage(rank_, c), in_array(input_of(terms_, rank_), c), c);
    }

    void fetch(chunk const& c) { transfer(operation::unpack, in_array(output_of(terms_, rank_), c), in_stage(terms_.root, c), c); }

    void transfer(operation op, place const& to, place const& from, chunk const& c) {
        auto& d = b_.copy(stream_, op, to.buffer, from.buffer, block_copy(c.bytes), op == operation::unpack ? from.peer : -1);
        d.src_offset = from.offset;
        d.dst_offset = to.offset;
        if (op == operation::unpack) wait_for(from, c, d);
        tell(c, d);
        if (c.in_loop)
            d.strides = b_.add(
                loop_strides{.src = from.on, .dst = to.on, .threshold = d.trigger != 0 ? 1 : 0, .value = d.signal != 0 ? 1 : 0});
    }

    [[nodiscard]] place contribution(int r, chunk const& c) {
        return r == rank_ ? in_array(input_of(terms_, r), c) : in_stage(r, c);
    }

    /// In the order of the ranks.
    void combine(chunk const& c) {
        auto const target = in_array(output_of(terms_, rank_), c);
        bool const aside = aside_ != fold_target::no_place;
        for (int r = 1; r < terms_.ranks(); ++r) {
            bool const begins = r == 1, ends = r + 1 == terms_.ranks();
            auto const so_far = aside && !ends ? place{.buffer = aside_} : target;
            auto const second = contribution(r, c);
            place first = so_far;
            if (begins) {
                first = contribution(0, c);
                if (first.ready != 0) {
                    auto& w = b_.emit(stream_, operation::wait);
                    wait_for(first, c, w);
                    if (c.in_loop) w.strides = b_.add(loop_strides{.threshold = 1});
                }
            } else if (aside && ends) {
                first = {.buffer = aside_};
            }
            bool const elsewhere = first.buffer != so_far.buffer;
            auto const number = elsewhere ? b_.add(operand{first.buffer, first.offset}) : 0;
            auto& d = b_.copy(stream_, operation::reduce, so_far.buffer, second.buffer, block_copy(c.bytes), second.peer);
            d.src_offset = second.offset;
            d.dst_offset = so_far.offset;
            d.operand = number;
            d.argument = terms_.parts[0].combiner;
            if (second.ready != 0) wait_for(second, c, d);
            if (ends) tell(c, d);
            if (c.in_loop)
                d.strides = b_.add(loop_strides{.src = second.on,
                                                .dst = so_far.on,
                                                .operand = elsewhere ? first.on : stride{},
                                                .threshold = d.trigger != 0 ? 1 : 0,
                                                .value = d.signal != 0 ? 1 : 0});
        }
    }

    void wait_for(place const& p, chunk const& c, descriptor& d) const noexcept {
        d.trigger = p.ready;
        d.threshold = number_of(c);
    }
    /// The last chunk ends the epoch.
    void tell(chunk const& c, descriptor& d) {
        if (c.in_loop && !gives_ && !pipe_.rings()) return;
        d.signal = flag_of(rank_);
        d.value = c.in_loop ? number_of(c) : 0;
    }

    collective_terms const& terms_;
    int rank_;
    pipe pipe_;
    plan_builder b_;
    bool gives_;
    std::uint32_t stream_ = 0;
    std::uint32_t aside_ = fold_target::no_place;
};

/// A broadcast or a reduction of memory that others cannot load: who gives packs it chunk by chunk into a stage, and who takes
/// works on one chunk while the next is packed.
class pipelined_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr pipelined_algorithm() noexcept : algorithm("pipelined") {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        bool const one_way = t.kind == collective_kind::broadcast || t.kind == collective_kind::reduce;
        if (!t.machines.one() || t.ranks() == 1 || !one_way || t.parts.size() != 1) return false;
        auto const p = pipe_of(t);
        return p && p->chunks > 2; // with two, most of the time one waits for the other
    }
    [[nodiscard]] expense cost(collective_terms const& t, distance apart) const noexcept override {
        memory_costs const c{t, apart};
        auto const all = static_cast<double>(t.bytes()), others = t.ranks() - 1.0;
        bool const combines = t.kind == collective_kind::reduce;
        auto const packing = c.shown(all),
                   taking = c.read(all) * (combines ? others : 1) + c.combined(combines ? t.ranks() : 1, all);
        auto const chunks = static_cast<double>(pipe_of(t)->chunks);
        // One waits for the other at the first chunk and the last one only.
        return {.source = packing,
                .target = taking,
                .latency = 2 * c.flag() + chunks * others * c.row(),
                .beside = std::min(packing, taking) * (1 - 1 / chunks)};
    }
    [[nodiscard]] std::int64_t piece(collective_terms const& t) const noexcept override { return pipe_of(t)->bytes; }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override { return pipeline{t, rank, *pipe_of(t)}.build(); }
};

constinit pipelined_algorithm const pipelined_object;

} // namespace

namespace algorithms {
algorithm const& pipelined = pipelined_object;
} // namespace algorithms

} // namespace sode::internal
