// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/pinned_memory.hpp"
#include "engine/queue_tracer.hpp"
#include "model/job.hpp"

#include <map>
#include <string>

namespace sode::internal {

/// The row of a stream of the program in a trace, and what it takes: pinned memory in which the queue notes times.
class stream_trace {
public:
    /// Both outlive it; the queue is gone before it. Errors: environment, if no page can be locked.
    stream_trace(detail::job& j, device_queue& queue);
    ~stream_trace();
    stream_trace(stream_trace const&) = delete;
    stream_trace& operator=(stream_trace const&) = delete;

    /// What the stream is given from here on is called that, until rest().
    void next(std::string const& name);
    void rest() { tracer_.rest(); }
    void collect() noexcept { tracer_.collect(); }

private:
    trace_log& log_;
    pinned_memory pinned_;
    std::byte* words_;
    queue_tracer tracer_;
    std::map<std::string, std::uint32_t> subjects_;
    std::uint64_t pieces_ = 0;
};

} // namespace sode::internal
