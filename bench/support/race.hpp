// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/clock.hpp"
#include "support/control.hpp"
#include "support/regime.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace sode::internal::bench {

/// One way of exchanging, with the data that it exchanges.
class subject {
public:
    virtual ~subject() = default;
    [[nodiscard]] virtual std::string const& name() const noexcept = 0;

    /// Gives what the next exchange sends the values of `round`. `everything`: the interior as well.
    virtual void rewrite(std::uint64_t round, bool everything) = 0;
    virtual void exchange() = 0;
    /// One exchange; what it took this rank, in microseconds.
    [[nodiscard]] virtual double timed(tick_rate const& rate, control& /*shared*/) {
        std::uint64_t const begin = ticks();
        exchange();
        return rate.us(begin, ticks());
    }

    /// Overwrites everything that the next exchange must deliver.
    virtual void poison() = 0;
    /// Reads what the last exchange delivered, as a program would: how many elements do not have the value of `round`.
    [[nodiscard]] virtual long mismatches(std::uint64_t round) = 0;
};

/// One block: some tens of exchanges in a row, each the slowest rank's time.
struct block_time {
    regime where = regime::unprobed;
    double round_trip_ns = 0; ///< probe before the block
    double median_us = 0;
    double tenth_us = 0;     ///< 10 % quantile
    double ninetieth_us = 0; ///< 90 % quantile; 0 where a block is one measurement
    int rounds = 1;          ///< that were counted
    double round_us = 0;     ///< from one exchange to the next, as this rank sees it: with writing and reading of the data;
                             ///< of a run of an application, the run
};

/// Exchanges at the start of a block that are run but not counted.
inline constexpr int warm_up_rounds = 3;

/// Measures subjects block by block. Every function is collective over the ranks of the control block.
class race {
public:
    race(control& shared, tick_rate const& rate, bool rewrite_everything) noexcept
        : shared_(&shared), rate_(&rate), everything_(rewrite_everything) {}

    /// Poisons, exchanges and compares `rounds` times; the mismatches of all ranks.
    [[nodiscard]] long verify(subject& s, int rounds = 6);

    /// How many exchanges make a block of about 2.5 ms.
    [[nodiscard]] int block_rounds(subject& s);

    /// Rewrites, exchanges, reads and compares `rounds` times; only the exchange is timed.
    [[nodiscard]] block_time block(subject& s, int rounds);

    /// The mismatches of all timed exchanges so far, on all ranks.
    [[nodiscard]] long wrong() { return std::lround(shared_->sum(static_cast<double>(wrong_))); }

private:
    [[nodiscard]] double timed(subject& s) { return s.timed(*rate_, *shared_); }
    [[nodiscard]] double probe();

    control* shared_;
    tick_rate const* rate_;
    bool everything_;
    std::uint64_t round_ = 0;
    long wrong_ = 0;
};

} // namespace sode::internal::bench
