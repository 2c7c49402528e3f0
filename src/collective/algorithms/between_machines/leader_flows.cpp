// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/leader_plan.hpp"

#include <algorithm>

namespace sode::internal {

// Each flow is two descriptors at every end, however many pieces it has: a loop, and the last piece, which is shorter. They have a
// counter each, because what two descriptors began may be over in another order.

namespace {

// Piece i of this epoch is number i + 1 - all, relative to the end of the epoch.
std::int32_t first_of(std::int32_t all) noexcept {
    return 1 - all;
}

} // namespace

std::uint32_t leader_plan::stream_of(flow const& f) {
    auto const stream = b_.add_stream(-1);
    b_.wish_nic(stream, f.nic);
    return stream;
}

// What the ranks of a machine give is there when `gather` is over, which the main stream knows. A broadcast's is the root's own,
// where that leads.
void leader_plan::begin_with_what_is_given(std::uint32_t stream, std::vector<flow> const& of) {
    bool const given = std::ranges::any_of(of, [](flow const& f) { return f.last == 0; });
    if (!given || (terms_.kind == collective_kind::broadcast && !is_handed_over()) || (alone() && reads_own_array())) return;
    if (gathered_ == 0) {
        gathered_ = next_flag();
        b_.emit(main_, operation::signal).signal = gathered_;
    }
    b_.emit(stream, operation::wait).trigger = gathered_;
}

leader_plan::flow leader_plan::receive(int machine, flow to) {
    auto const stream = stream_of(to);
    auto const before = to.pieces_before_last();
    if (before > 0) {
        to.whole = next_flag(before);
        b_.emit(stream, operation::loop).argument = static_cast<std::uint32_t>(before);
        auto& d = message(stream, operation::receive, machine, to.at, to.piece, to.whole);
        d.value = first_of(before);
        d.strides = b_.add(loop_strides{.src = {.bytes = to.piece}, .dst = {.bytes = to.piece}, .value = 1});
        b_.emit(stream, operation::end_loop);
    }
    to.last = next_flag();
    message(stream, operation::receive, machine, to.at.at(before * to.piece), to.bytes - before * to.piece, to.last);
    return to;
}

void leader_plan::send(int machine, flow const& from) {
    auto const stream = stream_of(from);
    auto const before = from.pieces_before_last();
    begin_with_what_is_given(stream, {from});
    if (before > 0) {
        sent_.push_back(next_flag(before));
        b_.emit(stream, operation::loop).argument = static_cast<std::uint32_t>(before);
        auto& d = message(stream, operation::send, machine, from.at, from.piece, sent_.back());
        d.trigger = from.whole;
        d.threshold = from.whole == 0 ? 0 : first_of(before);
        d.value = first_of(before);
        d.strides = b_.add(loop_strides{
            .src = {.bytes = from.piece}, .dst = {.bytes = from.piece}, .threshold = from.whole == 0 ? 0 : 1, .value = 1});
        b_.emit(stream, operation::end_loop);
    }
    sent_.push_back(next_flag());
    message(stream, operation::send, machine, from.at.at(before * from.piece), from.bytes - before * from.piece, sent_.back())
        .trigger = from.last;
}

leader_plan::flow leader_plan::fold(flow to, std::vector<flow> const& of) {
    if (of.size() == 1) return of.front();
    auto const stream = stream_of(to);
    auto const before = to.pieces_before_last();
    begin_with_what_is_given(stream, of);
    if (before > 0) {
        to.whole = next_flag(before);
        b_.emit(stream, operation::loop).argument = static_cast<std::uint32_t>(before);
        fold_piece_of(stream, to, of, false);
        b_.emit(stream, operation::end_loop);
    }
    to.last = next_flag();
    fold_piece_of(stream, to, of, true);
    return to;
}

void leader_plan::fold_piece_of(std::uint32_t stream, flow const& to, std::vector<flow> const& of, bool last) {
    auto const before = to.pieces_before_last();
    auto const behind = last ? before * to.piece : 0, bytes = last ? to.bytes - behind : to.piece;
    stride const on{.bytes = to.piece};
    auto const wait_for = [&](descriptor& d, flow const& f) {
        d.trigger = last ? f.last : f.whole;
        if (!last && d.trigger != 0) d.threshold = first_of(before);
        return !last && d.trigger != 0 ? 1 : 0;
    };
    auto const& first = of.front();
    if (first.last != 0) {
        auto& d = b_.emit(stream, operation::wait);
        if (auto const on_by = wait_for(d, first); on_by != 0) d.strides = b_.add(loop_strides{.threshold = on_by});
    }
    for (std::size_t i = 1; i < of.size(); ++i) {
        auto const operand_moves = i == 1 && (first.at.buffer != to.at.buffer || first.at.offset != to.at.offset)
                                       ? b_.add(operand{first.at.buffer, first.at.offset + behind})
                                       : 0;
        auto& d = b_.copy(stream, operation::reduce, to.at.buffer, of[i].at.buffer, block_copy(bytes));
        d.src_offset = of[i].at.offset + behind;
        d.dst_offset = to.at.offset + behind;
        d.operand = operand_moves;
        d.argument = terms_.parts.front().combiner;
        bool const tells = i + 1 == of.size();
        auto const threshold_by = wait_for(d, of[i]);
        if (tells) {
            d.signal = last ? to.last : to.whole;
            d.value = last ? 0 : first_of(before);
        }
        if (!last)
            d.strides = b_.add(loop_strides{.src = on,
                                            .dst = on,
                                            .operand = operand_moves != 0 ? on : stride{},
                                            .threshold = threshold_by,
                                            .value = tells ? 1 : 0});
    }
}

void leader_plan::await(flow const& f) {
    for (auto const counter : {f.whole, f.last})
        if (counter != 0) b_.emit(main_, operation::wait).trigger = counter;
}

} // namespace sode::internal
