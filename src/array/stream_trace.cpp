// SPDX-License-Identifier: Apache-2.0
#include "array/stream_trace.hpp"

#include "model/tracing.hpp"

namespace sode::internal {

stream_trace::stream_trace(detail::job& j, device_queue& queue)
    : log_(j.trace->log()), pinned_(*j.memory, j.freed, &j.need_device().memory()), words_(pinned_.allocate(queue_tracer::bytes)),
      tracer_(log_, queue, "stream of " + j.need_device().name(), words_) {}

stream_trace::~stream_trace() {
    tracer_.collect();
    pinned_.release(words_, queue_tracer::bytes);
}

void stream_trace::next(std::string const& name) {
    auto known = subjects_.find(name);
    if (known == subjects_.end()) known = subjects_.emplace(name, log_.add({.name = name, .bytes = 0, .edges = {}})).first;
    tracer_.next(trace_kind::work, known->second, ++pieces_);
}

} // namespace sode::internal
