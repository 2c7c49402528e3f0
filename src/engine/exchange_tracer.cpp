// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange_tracer.hpp"

#include "base/clock.hpp"
#include "engine/traced_work.hpp"

namespace sode::internal {

exchange_tracer::exchange_tracer(trace_log& log, plan const& p)
    : log_(log), plan_(p), exchange_(log.add(subject_of(p))),
      work_(add_work(log, p, [&](traced_work const& w, std::int64_t bytes) { return subject_of(p, w, bytes); })) {
    static_assert(nothing == no_work && as_before == work_as_before);
}

void exchange_tracer::begin(std::uint64_t epoch) noexcept {
    epoch_ = epoch;
    lane_ = log_.take_lane();
    running_ = true;
    last_ = began_ = now_ns();
}

void exchange_tracer::at(std::size_t descriptor) noexcept {
    auto const work = work_[descriptor];
    if (work == as_before || (work == open_ && !idle_)) return;
    auto const now = now_ns();
    close(now);
    if (idle_) {
        auto const& d = plan_.descriptors[descriptor];
        auto const peer = d.trigger != 0 ? plan_.counters[d.trigger].writer : plan_.streams[stream_of(plan_, descriptor)].peer;
        record(trace_kind::waiting, exchange_, last_, now, peer);
        last_ = now;
        idle_ = false;
    }
    open_ = work;
    since_ = now;
}

void exchange_tracer::leave() noexcept {
    if (open_ != nothing) close(now_ns());
}

void exchange_tracer::wait_begins() noexcept {
    if (running_) last_ = now_ns();
}

void exchange_tracer::idle() noexcept {
    idle_ = running_;
}

void exchange_tracer::end() noexcept {
    if (!running_) return;
    auto const now = now_ns();
    close(now);
    record(trace_kind::exchange, exchange_, began_, now);
    log_.free_lane(lane_);
    running_ = idle_ = false;
}

void exchange_tracer::instant(trace_kind kind, int peer) noexcept {
    auto const now = now_ns();
    record(kind, exchange_, now, now, peer);
}

void exchange_tracer::close(std::int64_t now) noexcept {
    if (open_ == nothing) return;
    record(trace_kind::work, open_, since_, now);
    open_ = nothing;
    last_ = now;
}

void exchange_tracer::record(trace_kind kind, std::uint32_t subject, std::int64_t begin, std::int64_t end, int peer) noexcept {
    log_.record({.begin_ns = begin, .end_ns = end, .epoch = epoch_, .subject = subject, .peer = peer, .lane = lane_, .kind = kind});
}

} // namespace sode::internal
