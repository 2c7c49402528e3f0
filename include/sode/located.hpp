// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

namespace sode {

/// A value and where it is, for reductions by sode::max and sode::min that also say where: MPI's MAXLOC and MINLOC, XcalableMP's
/// firstmax and firstmin. Of equal values the one with the lowest location remains, so that the result does not depend on the
/// number of ranks.
///
///     auto const worst = sode::reduce(g.all(), sode::located{-1.0}, sode::max, [=](auto i, auto j) {
///         return sode::located{std::abs(a(i, j) - b(i, j)), i * n + j};
///     }); // worst.value, worst.at
template <class T> struct located {
    T value;
    index_t at = -1; ///< the caller's number for the place; -1: nowhere

    friend bool operator==(located const&, located const&) = default;
};
template <class T> located(T) -> located<T>;
template <class T> located(T, index_t) -> located<T>;

} // namespace sode
