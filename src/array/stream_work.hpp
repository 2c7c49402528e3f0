// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/stream_trace.hpp"
#include "engine/prepared_list.hpp"
#include "model/job.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sode::detail {
using namespace internal;

/// What is behind a stream: a queue, and the exchanges in it, which somebody must look after.
struct stream_work {
    std::shared_ptr<job> owner;
    std::unique_ptr<stream_trace> trace; ///< null: nobody looks
    std::unique_ptr<device_queue> queue; ///< goes before what it notes times in
    std::vector<std::weak_ptr<prepared_list>> exchanges;
    bool failed = false; ///< the device has, which somebody was told

    /// What `f` gives the queue is called `name` in a trace.
    template <class F> void give(std::string const& name, F f) {
        if (trace) trace->next(name);
        f(*queue);
        if (trace) trace->rest();
    }
    /// `what` has been enqueued here.
    void follow(std::shared_ptr<prepared_list> const& what);
    /// As stream::synchronize().
    void wait();
};

} // namespace sode::detail
