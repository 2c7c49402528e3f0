// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_rows.hpp"
#include "plan/proof/job.hpp"

namespace sode::proof {

/// Calls f(source, target, bytes) for the rows of one descriptor, relative to its offsets.
template <class F> void for_each_row(plan const& p, descriptor const& d, F&& f) {
    sode::for_each_row(p.programs[d.program], f);
}

[[nodiscard]] inline reach reach_of(plan const& p, descriptor const& d) {
    return sode::reach_of(p.programs[d.program]);
}

/// Calls f(descriptor, source offset, target offset) for everything in one epoch that `wanted` accepts by its operation, every
/// iteration of its loops included.
template <class Wanted, class F> void for_each_execution(plan const& p, Wanted wanted, F&& f) {
    std::vector<loop_turn> turns; // the loops around the descriptor
    for (std::size_t i = 0; i < p.descriptors.size(); ++i) {
        auto const& d = p.descriptors[i];
        if (d.op == operation::loop) turns.push_back({static_cast<std::uint32_t>(i), 0});
        if (d.op == operation::end_loop) turns.pop_back();
        if (!wanted(d.op)) continue;
        for (bool more = true; more;) {
            auto const shift = shift_of(p.strides.data(), d.strides, turns.data(), turns.size());
            f(d, d.src_offset + shift.src, d.dst_offset + shift.dst);
            more = false;
            for (auto t = turns.rbegin(); t != turns.rend() && !more; ++t) {
                more = ++t->iteration < p.descriptors[t->loop].argument;
                if (!more) t->iteration = 0;
            }
        }
    }
}

/// The same for what moves data. The source of a message is its target as well: the end that is here.
template <class F> void for_each_transfer(plan const& p, F&& f) {
    for_each_execution(
        p, [](operation op) { return moves_data(op) || is_message(op); }, f);
}

/// Calls f(descriptor, offset) for the calls of the user's functions, which take what is `offset` bytes into an array for its
/// beginning.
template <class F> void for_each_call(plan const& p, F&& f) {
    for_each_execution(
        p, [](operation op) { return op == operation::call; },
        [&](descriptor const& d, std::int64_t, std::int64_t dst) { f(d, p.buffers[d.dst].offset + dst); });
}

} // namespace sode::proof
