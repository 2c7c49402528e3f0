// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/segments.hpp"
#include "cost/pipeline.hpp"

#include <vector>

namespace sode::internal::mpi {

/// This rank's end of what a pair of ranks exchanges in segments, where a device packs and unpacks and the host begins the
/// messages: while one is a message, the devices pack the next and unpack the one before. At each end segments lie in a ring of
/// pinned memory.
///
/// MPI may end messages in another order than that in which they were begun. Those of one slot follow each other anyway, so each
/// slot has a counter of its own.
class message_ring {
public:
    /// Counters that an end needs: of the messages in each slot, and of what the device does.
    static constexpr std::uint32_t lines = static_cast<std::uint32_t>(ring_slots) + 1;

    /// `edges` are those of the pair in one direction; counters are this rank's, from `first_line` on.
    message_ring(plan_builder& b, edge_list const& edges, std::uint32_t first_line);

    /// At the source: a stream of the device that packs, and one of the host that sends.
    void send();
    /// At the target: a stream of the host that receives, …
    void receive();
    /// … and in `stream` the device unpacks.
    void take(std::uint32_t stream);

private:
    [[nodiscard]] std::int64_t count() const noexcept { return static_cast<std::int64_t>(all_.size()); }
    [[nodiscard]] segment const& at(std::int64_t k) const { return all_[static_cast<std::size_t>(k)]; }
    // Of the counter of the slot that segment `k` lies in, when its message is over; `laps` ago.
    [[nodiscard]] std::uint32_t over(std::int64_t k) const { return over_[static_cast<std::size_t>(ring_.slot_of(k))]; }
    [[nodiscard]] std::int32_t over_at(std::int64_t k, std::int64_t laps = 0) const noexcept {
        return counted(k / ring_.slots - laps, messages_in(ring_.slot_of(k)));
    }
    [[nodiscard]] std::int64_t messages_in(std::int64_t slot) const noexcept { return (count() - 1 - slot) / ring_.slots + 1; }
    void wait(std::uint32_t stream, operation op, std::uint32_t counter, std::int32_t threshold, int peer);
    void emit(std::uint32_t stream, operation op, std::int64_t k, int peer);

    plan_builder& build_;
    int source_, target_;
    segment_ring ring_;
    std::vector<segment> all_;
    std::uint32_t place_;
    std::vector<std::uint32_t> over_; // by slot
    std::uint32_t moved_;             // by the device: segments that are packed, or unpacked
};

} // namespace sode::internal::mpi
