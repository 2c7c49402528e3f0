// SPDX-License-Identifier: Apache-2.0
#include "support/control.hpp"
#include "support/statistics.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <sched.h>

namespace sode::internal::bench {

namespace {

// Loads until a wait has become so long that the one waited for has no core, as where tests run side by side: each of the thousands
// of waits would then last until this rank's time slice ends.
constexpr int about_ten_microseconds = 10'000, about_a_millisecond = 1'000'000;

void spin(std::atomic<std::uint64_t> const& flag, std::uint64_t value, int polls) noexcept {
    for (int i = 0; flag.load(std::memory_order_acquire) < value; ++i)
        if (i >= polls) {
            sched_yield();
            i = polls;
        }
}

} // namespace

std::size_t control::bytes(int ranks) noexcept {
    auto const n = static_cast<std::size_t>(ranks);
    return alignof(line) + (n + 2) * sizeof(line) + n * max_rounds * sizeof(double);
}

control::line* control::first_line(void* memory) noexcept {
    // Every rank maps the same pages, so all of them find the same line, wherever it is mapped.
    std::size_t room = 2 * alignof(line);
    return static_cast<line*>(std::align(alignof(line), alignof(line), memory, room));
}

control::control(void* memory, int rank, int ranks, bool yield) noexcept
    : barrier_(first_line(memory)), ping_(barrier_ + ranks), samples_(reinterpret_cast<double*>(ping_ + 2)), rank_(rank),
      ranks_(ranks), yield_(yield) {}

void control::wait(std::atomic<std::uint64_t> const& flag, std::uint64_t value) const noexcept {
    // No CPU pause: it would make the ranks leave up to 50 ns apart, which is a third of the smallest exchange.
    spin(flag, value, yield_ ? 0 : about_a_millisecond);
}

void control::barrier() noexcept {
    ++epoch_;
    barrier_[rank_].value.store(epoch_, std::memory_order_release);
    for (int r = 0; r < ranks_; ++r) wait(barrier_[r].value, epoch_);
}

double control::broadcast(double value, int from) noexcept {
    if (rank_ == from) barrier_[from].number = value;
    barrier();
    double const result = barrier_[from].number;
    barrier();
    return result;
}

double control::sum(double value) noexcept {
    barrier_[rank_].number = value;
    barrier();
    double total = 0;
    for (int r = 0; r < ranks_; ++r) total += barrier_[r].number;
    barrier();
    return total;
}

double control::maximum(double value) noexcept {
    barrier_[rank_].number = value;
    barrier();
    double largest = value;
    for (int r = 0; r < ranks_; ++r) largest = std::max(largest, barrier_[r].number);
    barrier();
    return largest;
}

std::span<double, control::max_rounds> control::samples(int of_rank) const noexcept {
    return std::span<double, max_rounds>{samples_ + static_cast<std::ptrdiff_t>(of_rank) * max_rounds, max_rounds};
}

double control::round_trip_ns(tick_rate const& rate, int a, int b) noexcept {
    constexpr int trips = 30;
    std::array<double, 10> batches{};
    barrier();
    bool const serves = rank_ == a;
    // Counts on every rank, so that each pair goes on where the last one ended.
    std::uint64_t const first = pings_;
    pings_ += 2 * trips * batches.size();
    if (a != b && (serves || rank_ == b)) {
        // One number in one line that both write, as the project's probe of core distance has it from the start: the regimes are
        // defined by that. Two lines of one writer each measure something else on some processors (296 instead of 109 ns on a
        // Sapphire Rapids).
        auto& ball = ping_->value;
        std::uint64_t ping = first;
        for (double& batch : batches) {
            std::uint64_t const begin = ticks();
            for (int i = 0; i < trips; ++i) {
                ping += 2;
                if (serves) ball.store(ping - 1, std::memory_order_release);
                auto const awaited = serves ? ping : ping - 1;
                spin(ball, awaited, yield_ ? 0 : about_ten_microseconds);
                if (!serves) ball.store(ping, std::memory_order_release);
            }
            batch = rate.us(begin, ticks()) * 1e3 / trips;
        }
    }
    return broadcast(median(batches), a);
}

} // namespace sode::internal::bench
