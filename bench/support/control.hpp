// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/clock.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sode::internal::bench {

/// What the ranks of a benchmark share besides the thing that is measured: a barrier that costs a cache line a rank, the samples of
/// every rank, and a probe of the distance between the first two. It lives in memory that somebody else provides (an MPI window, a
/// mapping older than fork), zeroed and `bytes(ranks)` long.
class control {
public:
    /// The most rounds of one block.
    static constexpr int max_rounds = 512;

    [[nodiscard]] static std::size_t bytes(int ranks) noexcept;

    /// `yield`: give the core away while waiting, as it must be where ranks outnumber cores.
    control(void* memory, int rank, int ranks, bool yield) noexcept;

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int ranks() const noexcept { return ranks_; }
    [[nodiscard]] bool yields() const noexcept { return yield_; }

    void barrier() noexcept;
    /// The value of rank `from`, on every rank.
    [[nodiscard]] double broadcast(double value, int from = 0) noexcept;
    [[nodiscard]] double sum(double value) noexcept;
    [[nodiscard]] double maximum(double value) noexcept;

    /// This rank's times of the rounds of a block.
    [[nodiscard]] std::span<double, max_rounds> samples(int of_rank) const noexcept;

    /// Nanoseconds of a cache line's round trip between ranks `a` and `b`: the median of 10 batches of 30, so that one preemption
    /// does not count. Collective.
    [[nodiscard]] double round_trip_ns(tick_rate const& rate, int a = 0, int b = 1) noexcept;

private:
    struct alignas(128) line {
        std::atomic<std::uint64_t> value;
        double number;
    };
    [[nodiscard]] static line* first_line(void* memory) noexcept;
    void wait(std::atomic<std::uint64_t> const& flag, std::uint64_t value) const noexcept;

    line* barrier_; // a line a rank
    line* ping_;    // two lines
    double* samples_;
    int rank_;
    int ranks_;
    bool yield_;
    std::uint64_t epoch_ = 0;
    std::uint64_t pings_ = 0;
};

} // namespace sode::internal::bench
