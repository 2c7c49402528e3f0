// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/round_thread.hpp"
#include "engine/triggered/dma_channels.hpp"
#include "engine/triggered/session_queue.hpp"

namespace sode::internal {

/// A network interface made of a thread: queues in session mode, and a controller for direct access to memory with four channels.
/// What is here belongs to whoever has the turn of the thread.
struct network_interface {
    network_interface(wait_policy const& waiting, std::optional<processor_set> const& where)
        : thread(waiting, where, "is a network interface") {}

    chain_homes homes;
    dma_channels channels;
    triggered_counts counts;
    std::size_t putting_queues = 0; ///< that were made so far: they take channels in turn
    round_thread thread;            ///< the last: it uses the others
};

} // namespace sode::internal
