// SPDX-License-Identifier: Apache-2.0
#include "engine/random_plan.hpp"

#include "layout/copy_rows.hpp"
#include "plan/builder.hpp"
#include "plan/reduction.hpp"

#include <cstring>

namespace sode::internal::testing {
namespace {

using test::layout_generator;

constexpr std::int64_t word = 8; // all blocks, offsets and strides are made of these
constexpr std::int64_t most_span = 640, most_iterations = 5;
constexpr std::int64_t margin = 480; // what loops may add to an offset, to either side
constexpr std::int64_t message_bytes = 3 * word;

layout scaled(layout l) {
    l.offset *= word;
    l.block *= word;
    for (auto& loop : l.loops) loop.stride *= word;
    for (auto& p : l.list) p.offset *= word, p.bytes *= word;
    return l;
}

/// At most most_span bytes from 0 on.
layout small_layout(layout_generator& g, index_t words) {
    for (;;) {
        layout l;
        if (g.chance(50)) {
            std::vector<index_t> slots(2 * static_cast<std::size_t>(words));
            std::iota(slots.begin(), slots.end(), index_t{0});
            g.shuffle(slots);
            for (index_t i = 0; i < words; ++i) l.list.push_back({slots[static_cast<std::size_t>(i)], 1});
        } else {
            l = {0, 1, {}, {}};
            index_t stride = g.between(1, 2), left = words;
            for (index_t const factor : {2, 3, 5})
                if (left % factor == 0) {
                    l.loops.insert(l.loops.begin(), {factor, stride});
                    stride = stride * factor + g.between(0, 2);
                    left /= factor;
                }
            if (left > 1) l.loops.insert(l.loops.begin(), {left, stride});
        }
        l = scaled(std::move(l));
        auto const [low, high] = l.extent();
        l.offset -= low;
        if (high - low <= most_span) return normalised(l);
    }
}

/// The copy in whatever encoding compile_sequence() finds for it, if one program is enough.
copy_program program_of(layout_generator& g, layout const& source, layout const& target) {
    if (g.chance(80)) {
        auto s = compile_sequence(source, target);
        if (s.steps.size() == 1) return s.steps.front();
    }
    return compile(source, target);
}

/// Fills a plan: places, loops and what is in them.
class writer {
public:
    writer(random_plan& result, layout_generator& g, plan_builder& b) : result_(result), g_(g), b_(b) {
        // Each half of a buffer is source or target of a descriptor, never both: what lies in one overlaps nothing in another.
        b_.target().own_scratch = 3 * random_plan::room;
        auto const slots = some_slots();
        b_.target().own_stage = slots * random_plan::room;
        auto const room = random_plan::room;
        buffers_ = {
            b_.add(buffer{.host = 0, .bytes = room}), b_.add(buffer{.host = 0, .role = buffer_role::scratch, .bytes = room}),
            b_.add(buffer{.host = 0, .role = buffer_role::stage, .instances = parity::epoch, .slots = slots, .bytes = room})};
        // Nobody else writes where messages come from, or where they arrive.
        post_ = b_.add(buffer{.host = 0, .role = buffer_role::scratch, .offset = room, .bytes = 2 * room});
        b_.target().operators.push_back({.name = "mix", .element_bytes = word, .commutes = false});
        for (std::size_t i = 0; i < random_plan::calls; ++i)
            b_.target().calls.push_back({.array = 0, .reads = contiguous(0, word), .writes = contiguous(0, word)});
    }

    /// What one stream tells another that it has done.
    std::uint32_t told() {
        auto const first = static_cast<std::uint32_t>(b_.target().own_lines);
        auto const slots = some_slots();
        bool const several = g_.chance(60);
        b_.target().own_lines += several ? slots : 1;
        return b_.add(
            counter{.host = 0, .writer = 0, .index = first, .instances = several ? parity::epoch : parity::none, .slots = slots});
    }

    void body(std::uint32_t stream, bool with_messages) {
        for (index_t n = g_.between(1, 4); n > 0; --n)
            if (counts_.size() < random_plan::most_nested && g_.chance(counts_.empty() ? 50 : 30))
                loop(stream, [&] { body(stream, with_messages); });
            else if (counts_.empty() && with_messages && g_.chance(25))
                messages(stream);
            else
                operate(stream);
    }

private:
    [[nodiscard]] std::uint16_t some_slots() {
        auto const slots = static_cast<std::uint16_t>(g_.between(1, random_plan::most_slots));
        ++result_.slots[slots];
        return slots;
    }
    template <class Body> void loop(std::uint32_t stream, Body write) {
        auto const times = static_cast<std::uint32_t>(g_.between(1, counts_.empty() ? most_iterations : 3));
        b_.emit(stream, operation::loop).argument = times;
        counts_.push_back(times);
        result_.nested = std::max(result_.nested, counts_.size());
        write();
        counts_.pop_back();
        b_.emit(stream, operation::end_loop);
    }
    /// Strides of some of the loops around, that lead no further than the margin.
    /// `with_operand`: the first operand of a reduction goes its own way; else it goes as the target does.
    std::uint32_t strides(bool with_operand = false) {
        auto const levels = static_cast<std::size_t>(g_.between(0, static_cast<index_t>(counts_.size())));
        std::uint32_t index = 0;
        for (std::size_t level = counts_.size() - levels; level < counts_.size(); ++level) {
            auto const side = [&] {
                stride s;
                if (g_.chance(30)) s.slots = static_cast<std::uint32_t>(g_.between(1, 4));
                if (s.slots != 0) s.phase = static_cast<std::uint32_t>(g_.between(0, s.slots - 1));
                auto const most = margin / static_cast<index_t>(levels) / std::max<index_t>(counts_[level], s.slots) / word;
                s.bytes = word * g_.between(-most, most);
                result_.rings += s.slots != 0;
                return s;
            };
            auto const src = side(), dst = side();
            index = b_.add(loop_strides{.src = src, .dst = dst, .operand = with_operand ? side() : dst, .outer = index});
        }
        return index;
    }
    [[nodiscard]] std::int64_t place(bool upper) {
        auto const half = random_plan::room / 2;
        return (upper ? half : 0) + margin + word * g_.between(0, (half - 2 * margin - most_span) / word);
    }
    void operate(std::uint32_t stream) {
        bool const up = g_.chance(50), in_loop = !counts_.empty();
        if (g_.chance(15)) {
            auto& d = b_.emit(stream, operation::call);
            d.dst = d.src = buffers_[0];
            d.argument = static_cast<std::uint32_t>(g_.between(0, random_plan::calls - 1));
            d.dst_offset = place(up);
            d.strides = strides();
            result_.in_loops += in_loop;
            return;
        }
        auto const words = g_.between(1, 40);
        auto const source = small_layout(g_, words), target = small_layout(g_, words);
        auto const op = g_.one_of<operation>({operation::copy, operation::copy, operation::copy, operation::unpack,
                                              operation::reduce, operation::reduce, operation::negate});
        auto p = program_of(g_, source, target);
        result_.lists += is_list(p);
        auto const from = op == operation::unpack ? buffers_[2] : g_.one_of(buffers_);
        auto& d = b_.copy(stream, op, g_.one_of(buffers_), from, std::move(p));
        result_.pairs.push_back({source, target});
        d.src_offset = place(up);
        d.dst_offset = place(!up);
        if (op == operation::reduce)
            d.argument = g_.one_of<std::uint32_t>({combiner(reduction::sum, element::u64), combiner(reduction::max, element::u16),
                                                   combiner(reduction::bit_xor, element::u8), user_combiners});
        if (op == operation::reduce && g_.chance(50)) {
            // Elsewhere than the target, or there; or beside the source, which is only read.
            operand const o = g_.chance(20) ? operand{d.dst, d.dst_offset} : operand{g_.one_of(buffers_), place(up)};
            d.operand = b_.add(o);
            result_.operands += 1;
        }
        if (op == operation::negate) d.argument = static_cast<std::uint32_t>(element::i32);
        bool const at_target = d.operand != 0 && b_.target().operands[d.operand] == operand{d.dst, d.dst_offset};
        d.strides = strides(!at_target);
        result_.in_loops += in_loop && computes(op);
    }

    /// Messages to itself from two loops in each other: into places of their own, any number at a time, or into a ring, each when
    /// what it takes the place of has come. Or puts to itself; or to another rank, which is nowhere, so that messages carry them.
    void messages(std::uint32_t stream) {
        auto const outer = static_cast<std::int32_t>(g_.between(1, 3)), inner = static_cast<std::int32_t>(g_.between(1, 6));
        auto const all = outer * inner;
        auto const ring = g_.chance(50) ? static_cast<std::int32_t>(g_.one_of<index_t>({1, inner})) : 0;
        auto const own_flag = [&] {
            return b_.add(
                counter{.host = 0, .writer = 0, .index = static_cast<std::uint32_t>(b_.target().own_lines++), .step = all});
        };
        auto const left = own_flag(), arrived = own_flag();
        auto const base = message_bytes * 18 * result_.messages++; // 18 messages at most
        bool const puts = g_.chance(50), carried = puts && g_.chance(50);
        result_.puts += puts;
        auto const steps = [&](std::uint32_t src_slots, std::uint32_t dst_slots) {
            auto const in = [](std::uint32_t slots) { return stride{message_bytes, slots, 0}; };
            auto const out = [&](std::uint32_t slots) { return stride{slots == 0 ? message_bytes * inner : 0}; };
            auto const around =
                b_.add(loop_strides{.src = out(src_slots), .dst = out(dst_slots), .threshold = inner, .value = inner});
            return b_.add(loop_strides{.src = in(src_slots), .dst = in(dst_slots), .threshold = 1, .value = 1, .outer = around});
        };
        auto const emit = [&](operation op, std::uint32_t flag, std::int64_t at, std::uint32_t by) -> descriptor& {
            auto const whole = contiguous(0, message_bytes);
            auto& d = b_.copy(stream, op, post_, post_, compile(whole, whole), carried);
            result_.pairs.push_back({whole, whole});
            d.src_offset = d.dst_offset = at;
            d.signal = flag;
            d.value = 1 - all;
            d.argument = static_cast<std::uint32_t>(result_.messages);
            d.strides = by;
            return d;
        };
        b_.emit(stream, operation::loop).argument = static_cast<std::uint32_t>(outer);
        b_.emit(stream, operation::loop).argument = static_cast<std::uint32_t>(inner);
        auto const slots = static_cast<std::uint32_t>(ring);
        auto& receive =
            emit(puts ? operation::landing : operation::receive, arrived, random_plan::room + base, steps(slots, slots));
        if (ring != 0) {
            receive.trigger = arrived;
            receive.threshold = 1 - all - ring;
        }
        if (puts) {
            auto there = b_.target().buffers[post_];
            auto tells = b_.target().counters[arrived];
            there.host = tells.host = carried;
            auto const dst = b_.add(there), signal = b_.add(tells);
            auto& d = emit(operation::put, signal, base, steps(0, slots));
            d.dst = dst;
            d.dst_offset += random_plan::room;
        } else {
            emit(operation::send, left, base, steps(0, 0));
        }
        b_.emit(stream, operation::end_loop);
        b_.emit(stream, operation::end_loop);
        if (!puts) b_.emit(stream, operation::wait).trigger = left;
        b_.emit(stream, operation::wait).trigger = arrived;
        // Where others see what has come.
        auto const whole = contiguous(0, message_bytes * (ring == 0 ? all : ring));
        auto& d = b_.copy(stream, operation::unpack, buffers_[1], post_, compile(whole, whole));
        result_.pairs.push_back({whole, whole});
        d.src_offset = random_plan::room + base;
        d.dst_offset = place(g_.chance(50));
    }

    random_plan& result_;
    layout_generator& g_;
    plan_builder& b_;
    std::vector<std::uint32_t> buffers_;
    std::uint32_t post_ = 0;
    std::vector<std::uint32_t> counts_; // of the loops around
};

} // namespace

random_plan::random_plan(std::uint64_t seed) {
    layout_generator g{seed};
    plan_builder b{"random", 0, 1};
    writer w{*this, g, b};
    std::vector<std::uint32_t> turn; // the streams in the order in which they run
    for (index_t s = g.between(1, 4); s > 0; --s) turn.push_back(b.add_stream(-1));
    g.shuffle(turn);
    std::uint32_t before = 0;
    for (auto const stream : turn) {
        auto const told = w.told();
        auto const write = [&](std::uint32_t s, bool with_messages) {
            if (before != 0) b.emit(s, operation::wait).trigger = before;
            w.body(s, with_messages);
            b.emit(s, operation::signal).signal = told;
        };
        // Rings of messages go on where the last epoch left them: no way leaves out an epoch of theirs.
        auto const ways = static_cast<std::uint8_t>(g.chance(40) ? g.between(2, 3) : 1);
        write(stream, ways == 1);
        if (ways > 1) {
            auto const number = b.add(plan_choice{.key = stream, .ways = ways});
            b.target().streams[stream].choice = number;
            for (std::uint8_t way = 1; way < ways; ++way) write(b.add_stream(-1, number, way), false);
        }
        before = told;
    }
    steps = b.finish();
}

void random_plan::combine(std::byte* target, std::byte const* first, std::byte const* second) {
    std::uint64_t a, b;
    std::memcpy(&a, first, sizeof a);
    std::memcpy(&b, second, sizeof b);
    a = a * 6364136223846793005U + (b >> 7U ^ b);
    std::memcpy(target, &a, sizeof a);
}

void random_plan::call(std::size_t which, std::byte* at) {
    std::uint64_t n;
    std::memcpy(&n, at, sizeof n);
    n = n * 6364136223846793005U + which + 1;
    std::memcpy(at, &n, sizeof n);
}

} // namespace sode::internal::testing
