// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/trace.hpp"
#include "plan/plan.hpp"

#include <sode/detail/gmpi/halo_steps.hpp>

#include <cstdint>
#include <vector>

namespace sode::internal {

/// The row in a trace of exchanges that kernels make: what their threads did when, by what they have written down.
class step_trace {
public:
    step_trace(trace_log& log, plan const& p);

    /// The steps of a kernel's tables from now on are none, and then this one, by its descriptor.
    void clear() noexcept { steps_.clear(); }
    void add_step(std::size_t descriptor);
    /// Of the exchanges `first` to `last`, of which the handle has the times. `same_clock`: as base/clock; else the last step is
    /// taken to have ended now.
    void hand_over(gmpi::halo_handle const& h, std::uint64_t first, std::uint64_t last, bool same_clock);

private:
    trace_log& log_;
    std::vector<std::uint32_t> subjects_; // by descriptor
    std::vector<std::uint32_t> steps_;    // by step; no_work: it only tells somebody something
    std::uint16_t row_;
};

} // namespace sode::internal
