// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/prepared_list.hpp"
#include "model/job.hpp"

#include <memory>
#include <vector>

namespace sode::detail {
using namespace internal;

/// What is behind a stream: a queue, and the exchanges in it, which somebody must look after.
struct stream_work {
    std::shared_ptr<job> owner;
    std::unique_ptr<device_queue> queue;
    std::vector<std::weak_ptr<prepared_list>> exchanges;
    bool failed = false; ///< the device has, which somebody was told

    /// `what` has been enqueued here.
    void follow(std::shared_ptr<prepared_list> const& what);
    /// As stream::synchronize().
    void wait();
};

} // namespace sode::detail
