// SPDX-License-Identifier: Apache-2.0
#include "engine/naive_interpreter.hpp"

#include "plan/reduction.hpp"

#include <cstring>

namespace sode::internal::testing {
namespace {

constexpr std::size_t word = 8; // all blocks are made of these

template <class T, class Op> void combine(std::byte* target, std::byte const* first, std::byte const* second, Op op) {
    for (std::size_t i = 0; i < word; i += sizeof(T)) {
        T a, b;
        std::memcpy(&a, first + i, sizeof(T));
        std::memcpy(&b, second + i, sizeof(T));
        a = static_cast<T>(op(a, b));
        std::memcpy(target + i, &a, sizeof(T));
    }
}

/// What a reduction or a change of sign does to a word.
void combine_word(descriptor const& d, std::byte* target, std::byte const* first, std::byte const* second) {
    auto const with = [&]<class T>(auto op) { combine<T>(target, first, second, op); };
    if (d.op == operation::negate)
        return with.operator()<std::int32_t>([](std::int32_t, std::int32_t b) { return 0U - static_cast<std::uint32_t>(b); });
    if (d.argument == combiner(reduction::sum, element::u64))
        return with.operator()<std::uint64_t>([](std::uint64_t a, std::uint64_t b) { return a + b; });
    if (d.argument == combiner(reduction::max, element::u16))
        return with.operator()<std::uint16_t>([](std::uint16_t a, std::uint16_t b) { return a < b ? b : a; });
    if (d.argument == combiner(reduction::bit_xor, element::u8))
        return with.operator()<std::uint8_t>([](std::uint8_t a, std::uint8_t b) { return a ^ b; });
    if (d.argument == user_combiners) return random_plan::combine(target, first, second);
    FAIL() << "unknown combiner " << d.argument;
}

} // namespace

naive_interpreter::naive_interpreter(random_plan const& what) : plan_(what.steps) {
    for (auto const& p : what.pairs) bytes_.emplace_back(test::byte_offsets(p.source), test::byte_offsets(p.target));
    for (auto const& b : plan_.buffers) {
        memory.emplace_back(b.instances == parity::epoch ? b.slots : 1U);
        for (auto& one : memory.back()) one.resize(static_cast<std::size_t>(b.bytes));
    }
}

std::byte* naive_interpreter::place(std::uint32_t buffer, std::int64_t offset) {
    return memory[buffer][instance(plan_.buffers[buffer])].data() + offset;
}

std::int64_t naive_interpreter::added(descriptor const& d, stream_state const& s, field which) const {
    std::int64_t sum = 0;
    auto index = d.strides;
    for (auto loop = s.loops.rbegin(); loop != s.loops.rend() && index != 0; ++loop) {
        auto const& by = plan_.strides[index];
        auto const i = loop->second;
        auto const& side = which == field::src ? by.src : which == field::dst ? by.dst : by.operand;
        switch (which) {
        case field::threshold: sum += i * by.threshold; break;
        case field::value: sum += i * by.value; break;
        case field::src:
        case field::dst:
        case field::operand: sum += (side.slots == 0 ? i : (i + side.phase) % side.slots) * side.bytes; break;
        }
        index = by.outer;
    }
    return sum;
}

bool naive_interpreter::may_run(descriptor const& d, stream_state const& s) {
    if (d.trigger == 0) return true;
    auto const& c = plan_.counters[d.trigger];
    return counters_[{d.trigger, instance(c)}] >= d.threshold + added(d, s, field::threshold) + epoch_ * c.step;
}

void naive_interpreter::publish(descriptor const& d, std::int64_t value) {
    if (d.signal == 0) return;
    auto const& c = plan_.counters[d.signal];
    auto& now = counters_[{d.signal, instance(c)}];
    now = c.kind == counter_kind::flag ? value + epoch_ * c.step : now + value;
}

void naive_interpreter::move(descriptor const& d, std::byte* target, std::byte const* first, std::byte const* source) const {
    auto const& [from, to] = bytes_[d.program];
    bool const copies = is_copy(d.op) || d.op == operation::put;
    for (std::size_t i = 0; i < from.size(); i += copies ? 1U : word)
        if (copies)
            target[to[i]] = source[from[i]];
        else
            combine_word(d, target + to[i], first + to[i], source + from[i]);
}

void naive_interpreter::message(descriptor const& d, std::byte* at, std::int64_t value) {
    bool const sends = d.op == operation::send || d.op == operation::put;
    auto& same = (sends ? sent_ : wanted_)[d.argument];
    auto& other = (sends ? wanted_ : sent_)[d.argument];
    if (other.empty()) return same.push_back({&d, at, value});
    auto const met = other.front();
    other.pop_front();
    std::memcpy(sends ? met.place : at, sends ? at : met.place, static_cast<std::size_t>(plan_.programs[d.program].bytes));
    if (d.op != operation::put) publish(d, value);
    if (met.what->op != operation::put) publish(*met.what, met.value);
}

void naive_interpreter::step(stream_state& s) {
    auto const& d = plan_.descriptors[s.at++];
    auto const value = d.value + added(d, s, field::value);
    auto const source = d.src_offset + added(d, s, field::src), target = d.dst_offset + added(d, s, field::dst);
    if (d.op == operation::end) {
        s.over = true;
        return;
    }
    if (d.op == operation::loop) return s.loops.emplace_back(s.at - 1, 0), void();
    if (d.op == operation::end_loop) {
        auto& [loop, iteration] = s.loops.back();
        if (++iteration < plan_.descriptors[loop].argument)
            s.at = loop + 1;
        else
            s.loops.pop_back();
        return;
    }
    if (is_message(d.op) || (is_put(d.op) && d.peer != 0)) return message(d, place(d.src, source), value);
    if (d.op == operation::landing) return;
    if (d.op == operation::call) random_plan::call(d.argument, place(d.dst, target));
    if (moves_data(d.op)) {
        auto const& o = plan_.operands[d.operand];
        auto const* const first = d.operand == 0 ? place(d.dst, target) : place(o.buffer, o.offset + added(d, s, field::operand));
        move(d, place(d.dst, target), first, place(d.src, source));
    }
    publish(d, value);
}

bool naive_interpreter::run(std::vector<std::uint8_t> const& ways) {
    ++epoch_;
    std::vector<stream_state> streams;
    for (auto const& s : plan_.streams) {
        bool const active = s.choice == 0 || ways[s.choice - 1] == s.way;
        streams.push_back({.at = s.first, .over = !active, .loops = {}});
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (auto& s : streams)
            while (!s.over && may_run(plan_.descriptors[s.at], s)) {
                step(s);
                moved = true;
            }
    }
    return std::all_of(streams.begin(), streams.end(), [](auto const& s) { return s.over; });
}

} // namespace sode::internal::testing
