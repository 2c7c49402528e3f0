// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/triggered/unroller.hpp"

#include <array>
#include <cstdint>

namespace sode::internal {

/// What an interface has done since it was made: the terms of its cost.
struct triggered_counts {
    std::uint64_t doorbells = 0; ///< queues begun
    std::uint64_t issued = 0;    ///< descriptors, branch packets apart
    std::uint64_t branches = 0;  ///< branch packets
    std::uint64_t arrivals = 0;  ///< that advanced a scheduling pointer
    std::uint64_t refills = 0;   ///< of a window, the first one of an epoch apart
    std::uint64_t assists = 0;   ///< reductions, by the interface's processor
    std::uint64_t chains = 0;    ///< started on a channel
};

/// A queue in session mode (paper P3, section 3.1.1): a ring of ready descriptors and three pointers, which only rise. What lies
/// between `read` and `scheduling` may be issued; what lies between that and `write` waits for arrivals, each of which advances
/// `scheduling` by its step. The ring is a window of the stream, which is refilled as it is read: memory does not depend on how
/// long a stream is.
class session_queue {
public:
    static constexpr std::size_t window = 32;

    session_queue(schedule const& p, std::uint32_t stream, std::vector<std::uint32_t> const& branches)
        : rest_(p, stream, branches) {}

    /// The doorbell: the queue is filled, and what waits for nothing may be issued.
    void begin(epoch_tables::table places, std::uint64_t epoch, triggered_counts& count);

    /// Issues by `issue(ready_descriptor const&)` what arrivals allow. True if that was anything.
    template <class Issue> bool go(Issue issue, triggered_counts& count) {
        bool moved = false;
        for (;;) {
            refill(count);
            listen(count);
            if (read_ == scheduling_) return moved;
            moved = true;
            for (; read_ != scheduling_; ++read_) {
                auto const& r = ring_[read_ % window];
                if (r.does == ready_descriptor::kind::branch) {
                    ++branches_come_;
                    ++count.branches;
                    continue;
                }
                ++count.issued;
                issue(r);
            }
        }
    }
    [[nodiscard]] bool over() const noexcept { return read_ == write_ && complete_; }
    /// The descriptor of the plan that it has come to. It is not over.
    [[nodiscard]] std::uint32_t at() const noexcept { return ring_[read_ % window].descriptor; }

private:
    void refill(triggered_counts& count);
    void add(ready_descriptor const& r);
    void expect(unroller::item const& next);
    // Arrivals advance the scheduling pointer, and nothing else does.
    void listen(triggered_counts& count) noexcept {
        while (heard_ != expected_) {
            auto const& a = arrivals_[heard_ % window];
            if (!a.has_come(branches_come_)) return;
            scheduling_ += a.step;
            ++heard_;
            ++count.arrivals;
        }
    }

    unroller rest_;
    unroller::item next_{}; // that has no room yet
    bool has_next_ = false;
    bool complete_ = false; // the end of the stream is in the ring
    bool begun_ = false;
    std::uint64_t read_ = 0, scheduling_ = 0, write_ = 0;
    std::uint64_t heard_ = 0, expected_ = 0; // arrivals
    std::uint64_t branches_come_ = 0, branches_sent_ = 0;
    std::array<ready_descriptor, window> ring_;
    std::array<expected_arrival, window> arrivals_;
};

} // namespace sode::internal
