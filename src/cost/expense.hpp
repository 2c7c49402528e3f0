// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sode::internal {

/// What it costs to move some bytes, by who pays. Nanoseconds. Whatever predicts a time says it in this form: the ways of an edge,
/// the paths of a message of datatypes, networks. Costs of several steps add up factor by factor; who schedules many of them at
/// once (predict_makespan) asks for the factors, and who compares two ways asks for the sum.
///
/// The factors are those of LogGP (Alexandrov et al. 1995): overheads of both ends, gap, latency.
struct expense {
    double source = 0;  ///< time of the core that gives
    double target = 0;  ///< time of the core that takes
    double link = 0;    ///< time for which others that go the same way must wait
    double latency = 0; ///< time in which neither core nor link works for it: flags, and first bytes on their way
    double beside = 0;  ///< time in which two of them work at once, counted in both

    /// From the beginning to the end, if nothing else is under way.
    [[nodiscard]] constexpr double total() const noexcept { return source + target + link + latency - beside; }
    [[nodiscard]] constexpr double microseconds() const noexcept { return total() * 1e-3; }

    constexpr expense& operator+=(expense const& o) noexcept {
        source += o.source;
        target += o.target;
        link += o.link;
        latency += o.latency;
        beside += o.beside;
        return *this;
    }
    [[nodiscard]] friend constexpr expense operator+(expense a, expense const& b) noexcept { return a += b; }
    [[nodiscard]] friend constexpr expense operator*(double times, expense const& e) noexcept {
        return {times * e.source, times * e.target, times * e.link, times * e.latency, times * e.beside};
    }
};

/// The same time at both ends, one after the other.
[[nodiscard]] constexpr expense at_both_ends(double ns) noexcept {
    return {.source = ns, .target = ns};
}

} // namespace sode::internal
