// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_rows.hpp"
#include "plan/proof/job.hpp"

namespace sode::internal::proof {

/// Calls f(source, target, bytes) for the rows of one descriptor, relative to its offsets.
template <class F> void for_each_row(plan const& p, descriptor const& d, F&& f) {
    sode::internal::for_each_row(p.programs[d.program], f);
}

[[nodiscard]] inline reach reach_of(plan const& p, descriptor const& d) {
    return sode::internal::reach_of(p.programs[d.program]);
}

/// Calls f(descriptor, what loops add) for everything in one epoch that `wanted` accepts by its operation, every iteration of its
/// loops included.
template <class Wanted, class F> void for_each_execution(plan const& p, Wanted wanted, F&& f) {
    std::vector<loop_turn> turns; // the loops around the descriptor
    for (std::size_t i = 0; i < p.descriptors.size(); ++i) {
        auto const& d = p.descriptors[i];
        if (d.op == operation::loop) turns.push_back({static_cast<std::uint32_t>(i), 0});
        if (d.op == operation::end_loop) turns.pop_back();
        if (!wanted(d.op)) continue;
        for (bool more = true; more;) {
            f(d, shift_of(p.strides.data(), d.strides, turns.data(), turns.size()));
            more = false;
            for (auto t = turns.rbegin(); t != turns.rend() && !more; ++t) {
                more = ++t->iteration < p.descriptors[t->loop].argument;
                if (!more) t->iteration = 0;
            }
        }
    }
}

/// Calls f(descriptor, source offset, target offset) for what moves data. The source of a message or landing is its target as well:
/// the end that is here.
template <class F> void for_each_transfer(plan const& p, F&& f) {
    for_each_execution(
        p, [](operation op) { return moves_data(op) || is_end(op); },
        [&](descriptor const& d, loop_shift const& by) { f(d, d.src_offset + by.src, d.dst_offset + by.dst); });
}

/// Calls f(descriptor, operand, offset) for reductions whose first operand is not their target.
template <class F> void for_each_first_operand(plan const& p, F&& f) {
    for_each_execution(
        p, [](operation op) { return op == operation::reduce; },
        [&](descriptor const& d, loop_shift const& by) {
            if (d.operand != 0) f(d, p.operands[d.operand], p.operands[d.operand].offset + by.operand);
        });
}

/// Calls f(descriptor, offset) for the calls of the user's functions, which take what is `offset` bytes into an array for its
/// beginning.
template <class F> void for_each_call(plan const& p, F&& f) {
    for_each_execution(
        p, [](operation op) { return op == operation::call; },
        [&](descriptor const& d, loop_shift const& by) { f(d, p.buffers[d.dst].offset + d.dst_offset + by.dst); });
}

} // namespace sode::internal::proof
