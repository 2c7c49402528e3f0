// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/box.hpp>
#include <sode/detail/api.hpp>
#include <sode/turns.hpp>

namespace sode {

namespace detail {
class watch_list;
struct job;
class worker_threads;
SODE_API void note_own_loops(watch_list* checks) noexcept; // null: nothing is checked
} // namespace detail

/// The range of a loop: a box of global indices. Each rank executes only the iterations with indices that the rank owns. Grids and
/// arrays create domains, for example by `g.inner()` or `g.on({{2, 2}, {5, 9}})`.
template <int N> struct domain {
    box<N> global; ///< the box that the program passed, equal on all ranks
    box<N> owned;  ///< this rank's part of the index space; along a cyclic dimension, the whole dimension or nothing
    detail::watch_list* checks = nullptr;      ///< halo checks of the job, if SODE_CHECK=halo is set
    detail::job* job = nullptr;                ///< the job of all ranks that execute parts of the loop; null in a dry run
    detail::worker_threads* workers = nullptr; ///< the threads that execute the loops; null: only the rank's own thread
    bool cyclic = false;                       ///< a dimension is cyclic; `mine` contains this rank's indices
    std::array<turns, static_cast<std::size_t>(N)> mine{};

    /// Returns the indices of this rank, for your own loops. Along a cyclic dimension, local() also includes indices of other
    /// ranks; use for_each_box() instead. SODE_CHECK=halo checks your own loops only if the loops read arrays through
    /// view::checked().
    [[nodiscard]] constexpr box<N> local() const noexcept {
        if (checks) detail::note_own_loops(checks);
        return part();
    }
    /// Like local(), but for the library's own loops.
    [[nodiscard]] constexpr box<N> part() const noexcept { return intersect(global, owned); }

    /// Calls f(box) for this rank's indices in `part`, which must be a part of local(). If a dimension is cyclic, f is called for
    /// several boxes, one after another. If no dimension is cyclic, f is called once.
    template <class F> constexpr void for_each_box(box<N> const& part, F f) const {
        if (cyclic)
            deal(part, 0, f);
        else
            f(part);
    }

private:
    template <class F> constexpr void deal(box<N> const& part, std::size_t from, F& f) const {
        std::size_t d = from;
        while (d < N && mine[d].chunk == 0) ++d;
        if (d == N) return f(part);
        auto piece = part;
        mine[d].for_each(part.lower[d], part.upper[d], [&](index_t lower, index_t upper) {
            piece.lower[d] = lower;
            piece.upper[d] = upper;
            deal(piece, d + 1, f);
        });
    }
};

} // namespace sode
