// SPDX-License-Identifier: Apache-2.0
#include "channel/mpi/message_ring.hpp"

namespace sode::internal::mpi {

message_ring::message_ring(plan_builder& b, edge_list const& edges, std::uint32_t first_line)
    : build_(b), source_(edges.front()->source), target_(edges.front()->target), ring_(ring_of(edges)), all_(segments_of(edges)),
      place_(b.add(private_place(b, ring_.bytes()))) {
    int const rank = b.target().rank;
    for (std::int64_t slot = 0; slot < ring_.slots; ++slot)
        over_.push_back(b.add(counter{.host = rank, .writer = rank, .index = first_line++, .step = messages_in(slot)}));
    moved_ = b.add(counter{.host = rank, .writer = rank, .index = first_line, .step = count()});
}

void message_ring::send() {
    auto const packing = build_.add_stream(target_), sending = build_.add_stream(target_);
    for (std::int64_t k = 0; k < count(); ++k) {
        // In the first lap all messages of the epoch before are over.
        if (k >= ring_.slots) wait(packing, operation::credit, over(k), over_at(k, 1), target_);
        auto& last = pack(build_, packing, at(k), place_, ring_.slot_of(k) * ring_.slot_bytes);
        last.signal = moved_;
        last.value = counted(k, count());
        wait(sending, operation::wait, moved_, counted(k, count()), -1);
        emit(sending, operation::send, k, target_);
    }
    for (std::int64_t k = count() - ring_.slots; k < count(); ++k) wait(sending, operation::wait, over(k), over_at(k), target_);
}

void message_ring::receive() {
    auto const stream = build_.add_stream(source_);
    for (std::int64_t k = 0; k < count(); ++k) {
        if (k >= ring_.slots) wait(stream, operation::credit, moved_, counted(k - ring_.slots, count()), -1);
        emit(stream, operation::receive, k, source_);
    }
}

void message_ring::take(std::uint32_t stream) {
    for (std::int64_t k = 0; k < count(); ++k) {
        wait(stream, operation::wait, over(k), over_at(k), source_);
        auto& last = unpack(build_, stream, at(k), place_, ring_.slot_of(k) * ring_.slot_bytes, -1);
        last.signal = moved_;
        last.value = counted(k, count());
    }
}

void message_ring::wait(std::uint32_t stream, operation op, std::uint32_t counter, std::int32_t threshold, int peer) {
    auto& d = build_.emit(stream, op);
    d.trigger = counter;
    d.threshold = threshold;
    d.peer = peer;
}

void message_ring::emit(std::uint32_t stream, operation op, std::int64_t k, int peer) {
    auto const bytes = at(k).bytes;
    auto& d = build_.copy(stream, op, place_, place_, compile(contiguous(0, bytes), contiguous(0, bytes)), peer);
    d.src_offset = d.dst_offset = ring_.slot_of(k) * ring_.slot_bytes;
    d.signal = over(k);
    d.value = over_at(k);
}

} // namespace sode::internal::mpi
