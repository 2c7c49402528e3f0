// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/proof/memory.hpp"
#include "plan/proof/order.hpp"
#include "plan/proof/report.hpp"

namespace sode::internal::proof {

/// Somebody who touches memory: a descriptor in one epoch (each iteration of a loop is one), or the user between two epochs.
struct event {
    static constexpr std::uint32_t user_writes = none - 1, user_reads = none - 2, user_writes_early = none - 3;

    std::uint32_t actor = 0;
    std::uint32_t time = 0;
    std::uint32_t index = 0; ///< descriptor, or one of the three above
    int epoch = 0;
};

/// Watches accesses for two that touch the same bytes, one of them writing, with nothing to order them (after FastTrack, Flanagan
/// and Freund 2009: the last write is one event, reads are a set that is cleared by the next write).
class access_log {
public:
    access_log(job const& all, memory& bytes, order const& before, report& findings);

    /// All accesses until the next call are this event's.
    void begin(event const& e);
    void read(std::uint32_t region, std::int64_t offset, cell& c);
    void write(std::uint32_t region, std::int64_t offset, cell& c);

    /// "rank 1, stream 2, descriptor 5 (copy), in epoch 3".
    [[nodiscard]] std::string name_of(event const& e) const;

private:
    [[nodiscard]] bool ordered(std::uint32_t id);
    void conflict(std::uint32_t region, std::int64_t offset, std::uint32_t other, bool other_writes, bool writes);

    job const& job_;
    memory& memory_;
    order const& order_;
    report& report_;
    std::vector<event> events_{1}; // 0 = none

    // Neighbouring granules were mostly touched by the same event: the last few answers are kept.
    struct answer {
        std::uint32_t now = 0, id = 0;
        bool ordered = false;
    };
    std::array<answer, 64> answers_{};
};

} // namespace sode::internal::proof
