// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/proof/job.hpp"
#include "plan/rows.hpp"

namespace sode::proof {

/// Calls f(source, target, bytes) for the rows of one descriptor, relative to its offsets. A reduction goes over plain bytes.
template <class F> void for_each_row(plan const& p, descriptor const& d, F&& f) {
    auto const& program = p.programs[d.program];
    if (d.op != operation::reduce)
        sode::for_each_row(program, f);
    else if (program.bytes > 0)
        f(std::int64_t{0}, std::int64_t{0}, std::int64_t{program.bytes});
}

[[nodiscard]] inline reach reach_of(plan const& p, descriptor const& d) {
    auto const& program = p.programs[d.program];
    if (d.op == operation::reduce) return {{0, program.bytes}, {0, program.bytes}};
    return sode::reach_of(program);
}

/// Calls f(descriptor, source offset, target offset) for everything that moves data in one epoch, every iteration of a loop
/// included.
template <class F> void for_each_transfer(plan const& p, F&& f) {
    descriptor const* loop = nullptr;
    for (auto const& d : p.descriptors) {
        if (d.op == operation::loop) loop = &d;
        if (d.op == operation::end_loop) loop = nullptr;
        if (!moves_data(d.op)) continue;
        auto const shift = loop ? step_of(*loop, d) : loop_step{};
        for (std::int64_t i = 0; i < (loop ? std::int64_t{loop->argument} : 1); ++i)
            f(d, d.src_offset + i * shift.src, d.dst_offset + i * shift.dst);
    }
}

} // namespace sode::proof
