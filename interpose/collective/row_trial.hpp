// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/way_trial.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace sode::internal::interpose {

/// Who carries calls in a row, by trial: many by MPI, then many by the plan, and the time of all.
///
/// Turns of a few calls do not show what a row takes where one rank may run ahead of the others, as the root of a broadcast: at
/// each turn it waits, and who receives sees the way that data go, which in a row is hidden behind the calls before. MPI lets a
/// rank run ahead farther than a plan does. No call is timed alone, as to read the clock takes as long as to receive 8 bytes. Each
/// has two rows, and the shorter time counts: something else may come between the calls of one.
class row_trial {
public:
    static constexpr unsigned settling = 16; ///< calls until one rank is as far ahead as it gets
    static constexpr unsigned counted = 16;  ///< calls whose time counts
    static constexpr unsigned in_row = settling + counted;
    static constexpr unsigned of_each = 2 * in_row;

    void begin() noexcept {
        at_ = 0;
        runs_ = true;
        took_ = {longest, longest};
    }
    void end() noexcept { runs_ = false; }
    [[nodiscard]] bool runs() const noexcept { return runs_; }
    [[nodiscard]] bool over() const noexcept { return runs_ && at_ == 2 * of_each; }
    /// Who carries this call, which is counted. `clock` tells nanoseconds, and is asked at most once.
    template <class Clock> [[nodiscard]] carrier next(Clock const& clock) {
        auto const call = at_++;
        if (call % in_row == settling) since_ = clock();
        if (call % in_row == 0 && call > 0) end_row(call, clock());
        return carrier_of(call);
    }
    /// Counts a call if it is MPI's, and the clock need not be asked; else it does nothing.
    [[nodiscard]] bool stays_with_mpi() noexcept {
        auto const call = at_ % in_row;
        if (call == 0 || call == settling || carrier_of(at_) != carrier::mpi) return false;
        ++at_;
        return true;
    }
    /// By plan and by MPI, when it is over, in the call that follows.
    template <class Clock> [[nodiscard]] std::array<std::int64_t, 2> measured(Clock const& clock) {
        end_row(at_, clock());
        return took_;
    }

private:
    static constexpr std::int64_t longest = std::int64_t{1} << 62;
    [[nodiscard]] static constexpr carrier carrier_of(unsigned call) noexcept {
        return call / in_row % 2 == 0 ? carrier::mpi : carrier::plan;
    }
    void end_row(unsigned next, std::int64_t now) noexcept {
        auto& took = took_[static_cast<std::size_t>(carrier_of(next - 1))];
        took = std::min(took, now - since_);
    }

    unsigned at_ = 0;
    bool runs_ = false;
    std::int64_t since_ = 0;
    std::array<std::int64_t, 2> took_{};
};

} // namespace sode::internal::interpose
