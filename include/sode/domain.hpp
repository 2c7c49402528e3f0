// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/box.hpp>

namespace sode {

namespace detail {
class watch_list;
struct job;
} // namespace detail

/// What a loop runs over: a box of global indices, of which each rank does the part that it owns. Made by a grid or an array
/// (`g.inner()`, `g.on({{2, 2}, {5, 9}})`).
template <int N> struct domain {
    box<N> global;                        ///< as the program means it, equal on all ranks
    box<N> owned;                         ///< this rank's part of the index space
    detail::watch_list* checks = nullptr; ///< the job's, if SODE_CHECK=halo
    detail::job* job = nullptr;           ///< whose ranks do the other parts; null in a dry run

    /// The indices that this rank does.
    [[nodiscard]] constexpr box<N> local() const noexcept { return intersect(global, owned); }
};

} // namespace sode
