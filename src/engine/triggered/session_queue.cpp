// SPDX-License-Identifier: Apache-2.0
#include "engine/triggered/session_queue.hpp"

namespace sode::internal {

void session_queue::begin(epoch_tables::table places, std::uint64_t epoch, triggered_counts& count) {
    rest_.begin(places, epoch);
    read_ = scheduling_ = write_ = heard_ = expected_ = branches_come_ = branches_sent_ = 0;
    has_next_ = complete_ = begun_ = false;
    ++count.doorbells;
}

// As far as there is room; half a window at a time, if it must be refilled at all.
void session_queue::refill(triggered_counts& count) {
    if (complete_ || write_ - read_ > window / 2) return;
    if (begun_) ++count.refills;
    begun_ = true;
    while (!complete_) {
        if (!has_next_) rest_.next(next_);
        has_next_ = true;
        if (write_ - read_ + (next_.branches ? 2 : 1) > window || expected_ - heard_ + 2 > window) return;
        if (next_.branches) {
            ready_descriptor branch{.descriptor = next_.ready.descriptor, .does = ready_descriptor::kind::branch};
            add(branch);
            ++branches_sent_;
        }
        expect(next_);
        add(next_.ready);
        complete_ = next_.ready.does == ready_descriptor::kind::end;
        has_next_ = false;
    }
}

// What waits for nothing of its own is let go by the arrival before it, if that is still to come.
void session_queue::expect(unroller::item const& next) {
    bool const own = next.arrival.counter != nullptr;
    auto const* const before = heard_ == expected_ ? nullptr : &arrivals_[(expected_ - 1) % window];
    bool const alike = before && !next.branches &&
                       (!own || (before->counter == next.arrival.counter && before->threshold == next.arrival.threshold));
    if (alike) return;
    auto& a = arrivals_[expected_++ % window];
    a = next.arrival;
    a.branch = branches_sent_;
    a.step = 0;
}

void session_queue::add(ready_descriptor const& r) {
    ring_[write_++ % window] = r;
    if (heard_ == expected_) arrivals_[expected_++ % window] = {.branch = branches_sent_};
    ++arrivals_[(expected_ - 1) % window].step;
}

} // namespace sode::internal
