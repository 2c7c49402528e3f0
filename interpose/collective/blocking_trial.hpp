// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/repeated_call.hpp"
#include "interpose/collective/row_trial.hpp"
#include "interpose/collective/way_trial.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace sode::internal::interpose {

/// The trial of a blocking call: looks at single calls by turns; and where the program calls in a row what one rank may be done
/// with before the others, at rows, which then decide.
class blocking_trial {
public:
    static constexpr std::int64_t longest_in_row = 1000; ///< ns of the faster way: beyond, turns show what rows do
    static constexpr std::int64_t clear = 3;             ///< times as long by MPI: no row is looked at
    static constexpr std::int64_t part_in_row = 3;       ///< of the time, at least the third part is in these calls

    blocking_trial() = default;
    explicit blocking_trial(planned_function what) noexcept : may_run_ahead_(runs_ahead(what)) {}

    /// Some rank gives nothing that others wait for, or gets nothing from them.
    [[nodiscard]] static constexpr bool runs_ahead(planned_function what) noexcept {
        using enum planned_function;
        return what == bcast || what == reduce || what == scan || what == exscan || what == gather || what == scatter;
    }

    /// The ranks must agree on what they measured, before the next call: the most of each number counts.
    [[nodiscard]] bool over() const noexcept { return row_.runs() ? row_.over() : turns_.over(); }
    using measures = std::array<std::int64_t, 3>; ///< by plan, by MPI, and whether the program does other things in between
    template <class Clock> [[nodiscard]] measures measured(Clock const& clock) {
        auto const [plan, mpi] = row_.runs() ? row_.measured(clock) : turns_.measured();
        return {plan, mpi, part_in_row * inside_ < last_ - first_ ? 1 : 0};
    }
    void decide(measures const& most) noexcept {
        auto const [plan, mpi, apart] = most;
        if (row_.runs()) {
            row_.end();
            turns_.overrule({plan, mpi}, row_trial::of_each);
            return;
        }
        turns_.decide({plan, mpi});
        inside_ = first_ = 0;
        bool const worth = std::min(plan, mpi) < longest_in_row && mpi < clear * plan;
        if (!turns_.undecided() && may_run_ahead_ && apart == 0 && worth) row_.begin();
    }

    /// Counts a call. `clock` tells nanoseconds.
    template <class Clock> [[nodiscard]] way_trial::turn next(Clock const& clock) {
        return row_.runs() ? way_trial::turn{row_.next(clock), false} : turns_.next();
    }
    /// Counts a call if it is MPI's, and nothing is to be told; else it does nothing.
    [[nodiscard]] bool stays_with_mpi() noexcept { return row_.runs() ? row_.stays_with_mpi() : turns_.stays_with_mpi(); }
    /// A call that counts took so long on this rank.
    void took(carrier which, std::int64_t since, std::int64_t until) noexcept {
        turns_.took(which, until - since);
        if (first_ == 0) first_ = since;
        inside_ += until - since;
        last_ = until;
    }

private:
    way_trial turns_;
    row_trial row_;
    bool may_run_ahead_ = false;
    std::int64_t first_ = 0, last_ = 0, inside_ = 0; // of the calls of this look that count
};

} // namespace sode::internal::interpose
