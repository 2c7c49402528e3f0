// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/device_queue.hpp"

namespace sode::internal {

/// A queue that can say when it came to a place in its work: what traces are made of.
class clocked_queue {
public:
    clocked_queue() = default;
    virtual ~clocked_queue() = default;
    clocked_queue(clocked_queue const&) = delete;
    clocked_queue& operator=(clocked_queue const&) = delete;

    /// Sets the word to the time, in nanoseconds of base/clock and never 0, when all work before has been done. The word is in
    /// pinned memory. It counts as work. Not cheap on a real device: some microseconds of the queue.
    virtual void stamp(shared_word& when) = 0;
};

} // namespace sode::internal
