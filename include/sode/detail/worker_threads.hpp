// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/box.hpp>
#include <sode/detail/api.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace sode::detail {

struct job;
class worker_threads;

/// Returns the threads that execute the loops of a rank (SODE_THREADS), or null if only the rank's own thread executes loops.
[[nodiscard]] SODE_API worker_threads* workers_of(job* j) noexcept;

/// The number of threads that execute a loop, including the rank's own thread.
[[nodiscard]] SODE_API int count(worker_threads const& w) noexcept;
inline constexpr std::size_t most_threads = 256;

/// Calls piece(what, k) for k = 0 ... count - 1, each in its own thread, and returns when all calls have returned. If run_on() is
/// called in a piece, or in a thread that is not the rank's own, the calls are made one after another. Rethrows the exception of
/// the first piece that threw an exception.
SODE_API void run_on(worker_threads& w, void (*piece)(void* what, int k), void* what);

/// A loop with fewer iterations would be finished before a second thread has started.
inline constexpr index_t least_shared = 4096;

/// Part k of n parts of a box, all of nearly equal size. Splits the first dimension that is long enough. In the last dimension, the
/// cuts are between cache lines of small elements. The part depends only on the box. Therefore the thread that touches a page first
/// always works on this page.
template <int N> [[nodiscard]] constexpr box<N> share_of(box<N> const& whole, int k, int n) noexcept {
    constexpr index_t in_a_line = 64;
    std::size_t d = 0;
    while (d + 1 < static_cast<std::size_t>(N) && whole.upper[d] - whole.lower[d] < n) ++d;
    index_t const grain = d + 1 == static_cast<std::size_t>(N) ? in_a_line : 1;
    index_t const units = (whole.upper[d] - whole.lower[d] + grain - 1) / grain;
    auto const cut = [&](int i) { return std::min(whole.lower[d] + units * i / n * grain, whole.upper[d]); };
    auto part = whole;
    part.lower[d] = cut(k);
    part.upper[d] = cut(k + 1);
    return part;
}

/// Calls f(part, k) for all parts of a box, one part in each thread, or f(whole, 0) if the box is too small.
template <int N, class F> void share_out(worker_threads* w, box<N> const& whole, F const& f) {
    if (w == nullptr || whole.size() < least_shared) return f(whole, 0);
    struct work {
        box<N> const& whole;
        F const& f;
        int parts;
    } all{whole, f, count(*w)};
    run_on(
        *w,
        [](void* what, int k) {
            auto const& mine = *static_cast<work const*>(what);
            auto const part = share_of(mine.whole, k, mine.parts);
            if (!part.empty()) mine.f(part, k);
        },
        &all);
}

} // namespace sode::detail
