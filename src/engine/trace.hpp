// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal {

/// What a piece of work of a plan is called in a trace, and what it moves. Kept by the log, since plans go before the job does.
struct trace_subject {
    /// A box that the work brings, or takes away.
    struct edge {
        int peer = -1;
        std::string direction; ///< "- ." as in explain()
        std::int64_t bytes = 0;
        std::string_view channel; ///< has static storage
    };
    std::string name;
    std::int64_t bytes = 0;
    std::vector<edge> edges;
};

enum class trace_kind : std::uint8_t {
    exchange, ///< an epoch of a plan, from start to its end; everything else lies within one
    work,     ///< descriptors that belong together
    waiting,  ///< nothing could be done, until `peer` had come
    warning,  ///< a wait for `peer` became long; an instant
    failure   ///< the exchange was given up; an instant
};

/// Something that a rank did: times of base/clock.
struct trace_event {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    std::uint64_t epoch = 0;
    std::uint32_t subject = 0; ///< of the log: the plan, or a piece of its work
    std::int32_t peer = -1;
    std::uint16_t lane = 0; ///< exchanges that run at the same time have different lanes
    trace_kind kind = trace_kind::work;
};

/// What one rank did last: a ring of events of fixed size, written by the thread that the rank is.
class trace_log {
public:
    /// `capacity` events of 40 bytes are kept, at least one. Errors: std::bad_alloc.
    explicit trace_log(std::size_t capacity);

    [[nodiscard]] std::uint32_t add(trace_subject s);
    void record(trace_event const& e) noexcept { ring_[recorded_++ % ring_.size()] = e; }

    /// The lowest lane that no running exchange has. Lanes above the last share that one.
    [[nodiscard]] std::uint16_t take_lane() noexcept;
    void free_lane(std::uint16_t lane) noexcept;

    [[nodiscard]] trace_subject const& subject(std::uint32_t index) const { return subjects_[index]; }
    /// Event `index` of those that are kept, oldest first.
    [[nodiscard]] trace_event const& event(std::size_t index) const noexcept {
        return ring_[(static_cast<std::size_t>(lost()) + index) % ring_.size()];
    }
    [[nodiscard]] std::size_t kept() const noexcept { return static_cast<std::size_t>(recorded_ - lost()); }
    /// Events that newer ones have replaced.
    [[nodiscard]] std::uint64_t lost() const noexcept { return recorded_ > ring_.size() ? recorded_ - ring_.size() : 0; }

private:
    std::vector<trace_event> ring_;
    std::uint64_t recorded_ = 0;
    std::vector<trace_subject> subjects_;
    std::uint64_t lanes_ = 0; // bit n: lane n is taken
};

} // namespace sode::internal
