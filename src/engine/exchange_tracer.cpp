// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange_tracer.hpp"

#include "base/clock.hpp"
#include "engine/traced_work.hpp"

#include <optional>

namespace sode::internal {
namespace {

// Bytes that a descriptor moves in an epoch; `times` it runs.
std::int64_t moved_by(plan const& p, descriptor const& d, std::int64_t times) {
    return d.program < p.programs.size() && moves_data(d.op) ? times * p.programs[d.program].bytes : 0;
}

} // namespace

exchange_tracer::exchange_tracer(trace_log& log, plan const& p)
    : log_(log), plan_(p), exchange_(log.add(subject_of(p))), work_(p.descriptors.size(), nothing) {
    for (auto const& s : p.streams) {
        std::optional<traced_work> last;
        std::vector<std::size_t> members;
        std::vector<std::int64_t> times{1}; // that what is here runs, loop by loop
        std::int64_t bytes = 0;
        auto const finish = [&] {
            if (last) {
                auto const subject = log.add(subject_of(p, *last, bytes));
                for (auto const m : members) work_[m] = subject;
            }
            members.clear();
            bytes = 0;
        };
        for (std::size_t i = s.first;; ++i) {
            auto const& d = p.descriptors[i];
            if (d.op == operation::loop) times.push_back(times.back() * d.argument);
            if (d.op == operation::end_loop) times.pop_back();
            // A loop goes on with what it is in, or every iteration would be a piece of its own.
            if (d.op == operation::loop || d.op == operation::end_loop) {
                work_[i] = as_before;
                continue;
            }
            auto const work = work_of(p, d, s.peer);
            if (work != last) {
                finish();
                last = work;
            }
            members.push_back(i);
            bytes += moved_by(p, d, times.back());
            if (d.op == operation::end) break;
        }
        finish();
    }
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
