// SPDX-License-Identifier: Apache-2.0
#include "engine/queue_tracer.hpp"

#include "engine/trace_rows.hpp"

#include <new>
#include <utility>

namespace sode::internal {

queue_tracer::queue_tracer(trace_log& log, device_queue& queue, std::string row, std::byte* words)
    : log_(log), clock_(dynamic_cast<clocked_queue*>(&queue)), row_(trace_rows::add(log, std::move(row))),
      words_(reinterpret_cast<shared_word*>(words)) {
    for (std::size_t n = 0; n < stamps; ++n) new (words_ + n) shared_word{0};
}

void queue_tracer::push(piece const& p) {
    pieces_[end_ % stamps] = p;
    word(end_).store(0, std::memory_order_relaxed);
    clock_->stamp(word(end_++));
}

void queue_tracer::next(trace_kind kind, std::uint32_t subject, std::uint64_t epoch, int peer) {
    if (!clock_) return;
    if (end_ - first_ + 1 >= stamps) collect();
    // The last stamp that is left ends what is under way.
    if (end_ - first_ + 1 >= stamps) return rest();
    push({.epoch = epoch, .subject = subject, .peer = peer, .kind = kind, .rests = false});
}

void queue_tracer::rest() {
    if (clock_ && end_ != first_ && !pieces_[(end_ - 1) % stamps].rests) push({});
}

// A piece ends where the next one begins.
void queue_tracer::collect() noexcept {
    auto const when = [&](std::size_t n) { return static_cast<std::int64_t>(word(n).load(std::memory_order_acquire)); };
    for (; end_ - first_ >= 2 && when(first_ + 1) != 0; ++first_) {
        auto const& p = pieces_[first_ % stamps];
        if (!p.rests)
            log_.record({.begin_ns = when(first_),
                         .end_ns = when(first_ + 1),
                         .epoch = p.epoch,
                         .subject = p.subject,
                         .peer = p.peer,
                         .lane = row_,
                         .kind = p.kind});
    }
    if (end_ - first_ == 1 && pieces_[first_ % stamps].rests && when(first_) != 0) ++first_;
}

} // namespace sode::internal
