// SPDX-License-Identifier: Apache-2.0
#include "engine/random_plan.hpp"

#include "engine/combine.hpp"
#include "layout/copy_rows.hpp"
#include "plan/builder.hpp"

#include <cstring>

namespace sode::testing {
namespace {

using test::layout_generator;

constexpr std::int64_t word = 8; // all blocks, offsets and strides are made of these
constexpr std::int64_t most_span = 640, most_iterations = 5, most_step = 96;

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

template <class T, class Op> void combine_bytes(std::byte* target, std::byte const* source, std::size_t bytes, Op op) {
    for (std::size_t i = 0; i < bytes; i += sizeof(T)) {
        T a, b;
        std::memcpy(&a, target + i, sizeof(T));
        std::memcpy(&b, source + i, sizeof(T));
        a = static_cast<T>(op(a, b));
        std::memcpy(target + i, &a, sizeof(T));
    }
}

/// What a reduction or a change of sign does to a word, said once more.
void combine_word(descriptor const& d, std::byte* target, std::byte const* source) {
    auto const with = [&]<class T>(auto op) { combine_bytes<T>(target, source, word, op); };
    if (d.op == operation::negate)
        return with.operator()<std::int32_t>([](std::int32_t, std::int32_t b) { return 0U - static_cast<std::uint32_t>(b); });
    if (d.argument == combiner(reduction::sum, element::u64))
        return with.operator()<std::uint64_t>([](std::uint64_t a, std::uint64_t b) { return a + b; });
    if (d.argument == combiner(reduction::max, element::u16))
        return with.operator()<std::uint16_t>([](std::uint16_t a, std::uint16_t b) { return a < b ? b : a; });
    if (d.argument == combiner(reduction::bit_xor, element::u8))
        return with.operator()<std::uint8_t>([](std::uint8_t a, std::uint8_t b) { return a ^ b; });
    FAIL() << "unknown combiner " << d.argument;
}

} // namespace

random_plan::random_plan(std::uint64_t seed) {
    layout_generator g{seed};
    plan_builder b{"random", 0, 1};
    b.target().own_scratch = room;
    b.target().own_stage = 2 * room;
    // Each half of a buffer is source or target of a descriptor, never both: what lies in one overlaps nothing in another.
    std::vector<std::uint32_t> const buffers{
        b.add(buffer{.host = 0, .bytes = room}), b.add(buffer{.host = 0, .role = buffer_role::scratch, .bytes = room}),
        b.add(buffer{.host = 0, .role = buffer_role::stage, .instances = parity::epoch, .bytes = room})};
    for (std::size_t i = 0; i < calls; ++i)
        b.target().calls.push_back({.array = 0, .reads = contiguous(0, word), .writes = contiguous(0, word)});

    auto const streams = static_cast<std::size_t>(g.between(1, 4));
    for (std::size_t s = 0; s < streams; ++s) turn.push_back(b.add_stream(-1));
    g.shuffle(turn);
    auto const place = [&](bool upper) {
        auto const margin = most_iterations * most_step;
        return (upper ? room / 2 : 0) + margin + word * g.between(0, (room / 2 - 2 * margin - most_span) / word);
    };
    std::uint32_t before = 0;
    for (std::size_t const s : turn) {
        auto const stream = static_cast<std::uint16_t>(s);
        bool first = true;
        for (index_t n = g.between(1, 5); n > 0; --n) {
            descriptor loop;
            loop.op = operation::loop;
            loop.argument = g.chance(50) ? static_cast<std::uint32_t>(g.between(1, most_iterations)) : 0;
            if (first && before != 0) b.emit(stream, operation::wait).trigger = before;
            first = false;
            if (loop.argument != 0) {
                auto& l = b.emit(stream, operation::loop);
                l.argument = loop.argument;
                l.src_offset = word * g.between(-most_step / word, most_step / word);
                l.dst_offset = word * g.between(-most_step / word, most_step / word);
            }
            for (index_t k = g.between(1, loop.argument != 0 ? 3 : 1); k > 0; --k) {
                bool const up = g.chance(50);
                if (g.chance(15)) {
                    auto& d = b.emit(stream, operation::call);
                    d.dst = d.src = buffers[0];
                    d.argument = static_cast<std::uint32_t>(g.between(0, calls - 1));
                    d.dst_offset = place(up);
                    in_loops += loop.argument != 0;
                    continue;
                }
                auto const words = g.between(1, 40);
                auto const source = small_layout(g, words), target = small_layout(g, words);
                auto const op = g.one_of<operation>({operation::copy, operation::copy, operation::copy, operation::unpack,
                                                     operation::reduce, operation::reduce, operation::negate});
                auto p = program_of(g, source, target);
                lists += is_list(p);
                auto const from = op == operation::unpack ? buffers[2] : g.one_of(buffers);
                auto& d = b.copy(stream, op, g.one_of(buffers), from, std::move(p));
                d.src_offset = place(up);
                d.dst_offset = place(!up);
                if (op == operation::reduce)
                    d.argument =
                        g.one_of<std::uint32_t>({combiner(reduction::sum, element::u64), combiner(reduction::max, element::u16),
                                                 combiner(reduction::bit_xor, element::u8)});
                if (op == operation::negate) d.argument = static_cast<std::uint32_t>(element::i32);
                in_loops += loop.argument != 0 && computes(op);
                pairs.push_back({source, target});
            }
            if (loop.argument != 0) b.emit(stream, operation::end_loop);
        }
        before = b.add(counter{.host = 0, .writer = 0, .index = static_cast<std::uint32_t>(b.target().own_lines++)});
        b.emit(stream, operation::signal).signal = before;
    }
    steps = b.finish();
}

void random_plan::call(std::size_t which, std::byte* at) {
    std::uint64_t n;
    std::memcpy(&n, at, sizeof n);
    n = n * 6364136223846793005U + which + 1;
    std::memcpy(at, &n, sizeof n);
}

void random_plan::interpret(memory_image& memory, int epoch) const {
    auto const place = [&](std::uint32_t index) {
        auto const parity_now = static_cast<std::size_t>(steps.buffers[index].instances == parity::epoch ? epoch & 1 : 0);
        return memory[index][parity_now].data();
    };
    auto const execute = [&](descriptor const& d, std::int64_t src_shift, std::int64_t dst_shift) {
        if (d.op == operation::call) return call(d.argument, place(d.dst) + d.dst_offset + dst_shift);
        if (!moves_data(d.op)) return;
        auto const& p = pairs[d.program];
        auto const from = test::byte_offsets(p.source), to = test::byte_offsets(p.target);
        for (std::size_t i = 0; i < from.size(); i += is_copy(d.op) ? 1U : std::size_t{word}) {
            auto const* const source = place(d.src) + d.src_offset + src_shift + from[i];
            auto* const target = place(d.dst) + d.dst_offset + dst_shift + to[i];
            if (is_copy(d.op))
                *target = *source;
            else
                combine_word(d, target, source);
        }
    };
    for (std::size_t const s : turn)
        for (std::size_t i = steps.streams[s].first; steps.descriptors[i].op != operation::end; ++i) {
            descriptor const& d = steps.descriptors[i];
            if (d.op != operation::loop) {
                execute(d, 0, 0);
                continue;
            }
            std::size_t const body = i + 1;
            for (std::int64_t k = 0; k < d.argument; ++k)
                for (i = body; steps.descriptors[i].op != operation::end_loop; ++i) {
                    bool const turned = steps.descriptors[i].op == operation::unpack;
                    execute(steps.descriptors[i], k * (turned ? d.dst_offset : d.src_offset),
                            k * (turned ? d.src_offset : d.dst_offset));
                }
        }
}

} // namespace sode::testing
