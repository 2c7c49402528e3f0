// SPDX-License-Identifier: Apache-2.0
#include "gmpi/step_trace.hpp"

#include "base/clock.hpp"
#include "engine/trace_rows.hpp"
#include "engine/traced_work.hpp"

#include <algorithm>

namespace sode::internal {

step_trace::step_trace(trace_log& log, plan const& p)
    : log_(log), subjects_(add_work(log, p, [](traced_work const& w, std::int64_t bytes) { return subject_of(w, bytes); })),
      row_(trace_rows::add(log, "kernel, " + p.name)) {
    // Neighbours that are one piece of work for others are steps of their own here.
    for (std::size_t i = 1; i < subjects_.size(); ++i)
        if (subjects_[i] == work_as_before) subjects_[i] = subjects_[i - 1];
}

void step_trace::add_step(std::size_t descriptor) {
    steps_.push_back(subjects_[descriptor]);
}

void step_trace::hand_over(gmpi::halo_handle const& h, std::uint64_t first, std::uint64_t last, bool same_clock) {
    auto const count = std::min<std::size_t>(steps_.size(), h.step_count);
    if (last >= first + gmpi::halo_handle::timed_exchanges) first = last + 1 - gmpi::halo_handle::timed_exchanges;
    std::int64_t latest = 0;
    std::vector<trace_event> all;
    for (auto exchange = first; exchange <= last; ++exchange)
        for (std::uint32_t s = 0; s < count; ++s) {
            auto const* const t = h.times_of(exchange, s);
            auto const begin = static_cast<std::int64_t>(t[0]), end = static_cast<std::int64_t>(t[1]);
            latest = std::max(latest, end);
            if (steps_[s] != no_work && begin != 0 && end >= begin)
                all.push_back({.begin_ns = begin, .end_ns = end, .epoch = exchange, .subject = steps_[s], .lane = row_});
        }
    auto const behind = same_clock ? 0 : now_ns() - latest;
    std::ranges::sort(all, {}, &trace_event::begin_ns);
    for (auto& e : all) {
        e.begin_ns += behind;
        e.end_ns += behind;
        log_.record(e);
    }
}

} // namespace sode::internal
