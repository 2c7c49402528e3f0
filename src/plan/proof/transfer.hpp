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
/// iteration of a loop included.
template <class Wanted, class F> void for_each_execution(plan const& p, Wanted wanted, F&& f) {
    descriptor const* loop = nullptr;
    for (auto const& d : p.descriptors) {
        if (d.op == operation::loop) loop = &d;
        if (d.op == operation::end_loop) loop = nullptr;
        if (!wanted(d.op)) continue;
        auto const shift = loop ? step_of(*loop, d) : loop_step{};
        for (std::int64_t i = 0; i < (loop ? std::int64_t{loop->argument} : 1); ++i)
            f(d, d.src_offset + i * shift.src, d.dst_offset + i * shift.dst);
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
