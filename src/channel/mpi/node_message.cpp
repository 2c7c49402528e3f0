// SPDX-License-Identifier: Apache-2.0
#include "channel/mpi/node_message.hpp"

#include "channel/twins.hpp"

#include <algorithm>

namespace sode::mpi {
namespace {

// Those between two ranks that pass messages for themselves have number 0.
constexpr std::uint32_t number = 1;

descriptor& emit_message(plan_builder& b, std::uint16_t stream, operation op, node_message const& m, int peer) {
    auto const at = b.add(m.stage);
    auto& d = b.copy(stream, op, at, at, compile(contiguous(0, m.bytes), contiguous(0, m.bytes)), peer);
    d.signal = b.add(m.over);
    d.argument = number;
    return d;
}

void emit_wait(plan_builder& b, std::uint16_t stream, operation op, counter const& c, std::int64_t threshold, int peer) {
    auto& d = b.emit(stream, op);
    d.trigger = b.add(c);
    d.threshold = threshold;
    d.peer = peer;
}

void say_done(plan_builder& b, std::uint16_t stream, node_message const& m) {
    int const rank = b.target().rank;
    for (auto const& c : m.done)
        if (c.writer == rank) b.emit(stream, operation::signal).signal = b.add(c);
}

void await_all(plan_builder& b, std::uint16_t stream, operation op, node_message const& m, std::int64_t threshold) {
    int const rank = b.target().rank;
    for (auto const& c : m.done) emit_wait(b, stream, op, c, threshold, c.writer == rank ? -1 : c.writer);
}

} // namespace

void emit_pack(plan_builder& b, std::uint16_t stream, node_message const& m, std::span<edge const> edges) {
    // The last message out of this instance has left.
    emit_wait(b, stream, operation::credit, m.over, -2, -1);
    std::vector<array_copy> list;
    for (auto const& e : edges) list.push_back({compile(e.source_layout, contiguous(e.stage_offset, e.bytes)), e.from});
    auto const target = b.add(m.stage);
    for (auto& c : with_twins_fused(std::move(list))) b.copy(stream, operation::pack, target, b.add(c.array), std::move(c.program));
    say_done(b, stream, m);
}

void emit_send(plan_builder& b, node_message const& m) {
    auto const stream = b.add_stream(m.receiver);
    await_all(b, stream, operation::wait, m, 0);
    emit_message(b, stream, operation::send, m, m.receiver);
    emit_wait(b, stream, operation::wait, m.over, 0, m.receiver);
}

void emit_receive(plan_builder& b, node_message const& m) {
    auto const stream = b.add_stream(m.sender);
    // All have unpacked what was in this instance.
    await_all(b, stream, operation::credit, m, -2);
    emit_message(b, stream, operation::receive, m, m.sender);
    // Whoever unpacks waits for itself.
    int const rank = b.target().rank;
    if (std::none_of(m.done.begin(), m.done.end(), [&](counter const& c) { return c.writer == rank; }))
        emit_wait(b, stream, operation::wait, m.over, 0, m.sender);
}

void emit_unpack(plan_builder& b, std::uint16_t stream, node_message const& m, std::span<edge const> edges) {
    emit_wait(b, stream, operation::wait, m.over, 0, -1);
    std::vector<array_copy> list;
    for (auto const& e : edges) list.push_back({compile(contiguous(e.stage_offset, e.bytes), e.target_layout), e.to});
    auto const source = b.add(m.stage);
    for (auto& c : with_twins_fused(std::move(list)))
        b.copy(stream, operation::unpack, b.add(c.array), source, std::move(c.program));
    say_done(b, stream, m);
}

} // namespace sode::mpi
