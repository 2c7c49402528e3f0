// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

namespace sode {

/// A value and its location, for reductions by sode::max and sode::min that also return the location. Reductions of located values
/// correspond to MAXLOC and MINLOC in MPI, and to firstmax and firstmin in XcalableMP. If several values are equal, the value with
/// the lowest location is the result. The result does not depend on the number of ranks.
///
///     auto const worst = sode::reduce(g.all(), sode::located{-1.0}, sode::max, [=](auto i, auto j) {
///         return sode::located{std::abs(a(i, j) - b(i, j)), i * n + j};
///     }); // worst.value, worst.at
template <class T> struct located {
    T value;
    index_t at = -1; ///< the location, as a number that the program chooses; -1: no location

    friend bool operator==(located const&, located const&) = default;
};
template <class T> located(T) -> located<T>;
template <class T> located(T, index_t) -> located<T>;

} // namespace sode
