// SPDX-License-Identifier: Apache-2.0
#include "engine/triggered/unroller.hpp"

#include <algorithm>
#include <limits>

namespace sode::internal {

using kind = ready_descriptor::kind;

unroller::unroller(schedule const& p, std::uint32_t stream, std::vector<std::uint32_t> const& branches)
    : plan_(p), branches_(branches), first_(p.streams[stream].first), turns_(nesting_of(p)) {}

void unroller::begin(epoch_tables::table places, std::uint64_t epoch) noexcept {
    places_ = places;
    epoch_ = static_cast<std::int64_t>(epoch);
    at_ = first_;
    depth_ = 0;
}

void unroller::enter(std::size_t loop) noexcept {
    turns_[depth_++] = {.loop = static_cast<std::uint32_t>(loop), .iteration = 0};
}

// Where it goes on behind an end_loop.
std::size_t unroller::turn_back(std::size_t end_loop) noexcept {
    auto& turn = turns_[depth_ - 1];
    if (++turn.iteration != plan_.descriptors[turn.loop].argument) return turn.loop + std::size_t{1};
    --depth_;
    return end_loop + 1;
}

void unroller::next(item& to) noexcept {
    std::uint16_t covers = 1;
    for (;; ++covers) {
        auto const i = at_;
        auto const& d = plan_.descriptors[i];
        auto const& b = places_.steps[i];
        auto const shift = shift_of(plan_.strides.data(), d.strides, turns_.data(), depth_);
        at_ = i + 1;
        if (d.op == operation::loop) enter(i);
        if (d.op == operation::end_loop) at_ = turn_back(i);
        bool const only_turns = d.op == operation::loop || d.op == operation::end_loop;
        if (only_turns && !b.trigger && covers != std::numeric_limits<std::uint16_t>::max()) continue;

        auto& r = to.ready;
        r = {.descriptor = static_cast<std::uint32_t>(i), .covers = covers};
        to.arrival = {};
        to.branches = b.trigger && std::ranges::binary_search(branches_, static_cast<std::uint32_t>(i));
        if (b.trigger) {
            to.arrival.counter = b.trigger;
            to.arrival.threshold = b.threshold + shift.threshold + epoch_ * b.trigger_step;
        }
        if (d.op == operation::end) r.does = kind::end;
        if (only_turns || d.op == operation::end) return;
        if (b.kernel || computes(d.op)) {
            r.does = !b.kernel ? kind::assist : d.op == operation::put ? kind::put : kind::copy;
            r.kernel = b.kernel;
            r.program = b.program;
            r.target = b.target + shift.dst;
            r.source = b.source + shift.src;
            if (!b.kernel) r.first = d.operand == 0 ? r.target : places_.operands[d.operand] + shift.operand;
        }
        if (!b.signal) return;
        r.signal = b.signal;
        r.adds = b.signal_step == bound_step::adds;
        r.value = static_cast<std::uint64_t>(b.value + shift.value + (r.adds ? 0 : epoch_ * b.signal_step));
        return;
    }
}

} // namespace sode::internal
