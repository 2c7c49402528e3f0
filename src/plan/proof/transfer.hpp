// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/proof/job.hpp"
#include "plan/rows.hpp"

namespace sode::proof {

/// Calls f(source, target, bytes) for the rows of one descriptor, relative to its offsets.
template <class F> void for_each_row(plan const& p, descriptor const& d, F&& f) {
    sode::for_each_row(p.programs[d.program], f);
}

[[nodiscard]] inline reach reach_of(plan const& p, descriptor const& d) {
    return sode::reach_of(p.programs[d.program]);
}

/// Calls f(descriptor, source offset, target offset) for everything that moves data in one epoch, every iteration of a loop
/// included. The source of a message is its target as well: the end that is here.
template <class F> void for_each_transfer(plan const& p, F&& f) {
    descriptor const* loop = nullptr;
    for (auto const& d : p.descriptors) {
        if (d.op == operation::loop) loop = &d;
        if (d.op == operation::end_loop) loop = nullptr;
        if (!moves_data(d.op) && !is_message(d.op)) continue;
        auto const shift = loop ? step_of(*loop, d) : loop_step{};
        for (std::int64_t i = 0; i < (loop ? std::int64_t{loop->argument} : 1); ++i)
            f(d, d.src_offset + i * shift.src, d.dst_offset + i * shift.dst);
    }
}

} // namespace sode::proof
