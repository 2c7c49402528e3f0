// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sode::internal::bench {

/// The one clock of all measurements, in ticks. The fences keep the timed code from leaking out of the interval.
[[nodiscard]] inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
    _mm_lfence();
    std::uint64_t const t = __rdtsc();
    _mm_lfence();
    return t;
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// How long a tick is, measured against the steady clock when constructed (20 ms).
class tick_rate {
public:
    tick_rate() {
        using clock = std::chrono::steady_clock;
        auto const begin = clock::now();
        std::uint64_t const first = ticks();
        while (clock::now() - begin < std::chrono::milliseconds{20}) {
        }
        std::uint64_t const last = ticks();
        us_per_tick_ = std::chrono::duration<double, std::micro>(clock::now() - begin).count() / static_cast<double>(last - first);
    }
    [[nodiscard]] double us(std::uint64_t from, std::uint64_t to) const noexcept {
        return static_cast<double>(to - from) * us_per_tick_;
    }

private:
    double us_per_tick_ = 0;
};

} // namespace sode::internal::bench
