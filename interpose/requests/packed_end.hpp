// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/transport/learnt_paths.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sode::internal::interpose {

/// One end of a message that is on its way, between machines or a short one: what has to be done when MPI has it, and what it took
/// until now.
struct packed_end {
    std::unique_ptr<std::byte[]> room; ///< the message, packed; null: MPI sends it as it lies, and is timed
    std::int64_t bytes = 0;            ///< of the room
    learnt_path* learnt = nullptr;     ///< wants to hear what it takes; null: nobody does
    std::int64_t spent_ns = 0;         ///< in the call that began it
    bool is_short = false;             ///< the message is none between machines, or need not be
};

} // namespace sode::internal::interpose
