// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/trace.hpp"
#include "plan/plan.hpp"

#include <cstdint>
#include <vector>

namespace sode::internal {

/// Watches an engine run one plan, and tells the log of its rank. Nothing here allocates after construction; the clock is read
/// where one piece of work ends or the next begins, not for every descriptor.
///
/// What is logged nests: waiting and work lie within their exchange, one after another.
class exchange_tracer {
public:
    /// Both outlive the tracer.
    exchange_tracer(trace_log& log, plan const& p);
    ~exchange_tracer() { end(); }
    exchange_tracer(exchange_tracer const&) = delete;
    exchange_tracer& operator=(exchange_tracer const&) = delete;

    void begin(std::uint64_t epoch) noexcept;
    /// The descriptor is about to be executed.
    void at(std::size_t descriptor) noexcept;
    /// Its stream is over, or goes no further for now.
    void leave() noexcept;
    /// From here on the rank does nothing else than wait for the exchange to end …
    void wait_begins() noexcept;
    /// … and now nothing could be done.
    void idle() noexcept;
    void end() noexcept;

    void warn(int peer) noexcept { instant(trace_kind::warning, peer); }
    void fail() noexcept {
        instant(trace_kind::failure, -1);
        end();
    }

private:
    void instant(trace_kind kind, int peer) noexcept;
    void close(std::int64_t now) noexcept;
    void record(trace_kind kind, std::uint32_t subject, std::int64_t begin, std::int64_t end, int peer = -1) noexcept;

    static constexpr std::uint32_t nothing = UINT32_MAX, as_before = UINT32_MAX - 1;

    trace_log& log_;
    plan const& plan_;
    std::uint32_t exchange_;
    std::vector<std::uint32_t> work_; // by descriptor: the subject that it is part of, or nothing
    std::uint64_t epoch_ = 0;
    std::int64_t began_ = 0;
    std::int64_t last_ = 0;  // when the last piece of work ended
    std::int64_t since_ = 0; // when the one at hand began
    std::uint32_t open_ = nothing;
    std::uint16_t lane_ = 0;
    bool running_ = false;
    bool idle_ = false;
};

} // namespace sode::internal
