// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/runtime.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace sode {

namespace detail {
/// Copies `data` from rank `root` to all ranks.
SODE_API void broadcast(job& j, std::span<std::byte> data, int root);
} // namespace detail

/// Copies `values` from rank `root` to every rank, for example `broadcast(rt, table)` or `broadcast(rt, std::span{coefficients})`.
///
///     std::vector<double> table(1000);          // the same size on every rank
///     if (rt.root()) read(file, table);
///     sode::broadcast(rt, table);
///
/// \param values  a std::span, std::vector or std::array of a trivially copyable type, with the same number of elements on all
///                ranks
/// \param root    the rank that has the values
///
/// broadcast() is collective. Use broadcast() for parameters and for tables that rarely change. For repeated copies between arrays,
/// use copy_init(). Throws a usage error if rank `root` does not exist. Throws a peer error if another rank dies or leaves the job,
/// and a timeout error after SODE_TIMEOUT seconds. The cost for up to 56 bytes is one exchange of a cache line with every rank on
/// the machine. Longer messages are sent in pieces of at most 256 KiB. Each rank on the machine of rank `root` copies the pieces
/// from the memory of rank `root`. Every other machine receives one message for each piece.
template <class T, std::size_t Extent> void broadcast(runtime const& rt, std::span<T, Extent> values, int root = 0) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                  "a broadcast copies values as bytes, and writes them on all ranks but the root: their type must be trivially "
                  "copyable, and not const");
    detail::broadcast(rt.job(), std::as_writable_bytes(values), root);
}
template <class R>
requires requires(R& r) {
    std::span{r};
}
void broadcast(runtime const& rt, R& values, int root = 0) {
    broadcast(rt, std::span{values}, root);
}

/// Broadcasts one value, for example `auto const dt = sode::broadcast(rt, rt.root() ? choose() : 0.0);`
template <class T>
requires(!requires(T & t) { std::span{t}; }) [[nodiscard]] T broadcast(runtime const& rt, T value, int root = 0) {
    static_assert(std::is_trivially_copyable_v<T>, "a broadcast copies values as bytes: their type must be trivially copyable");
    detail::broadcast(rt.job(), std::as_writable_bytes(std::span{&value, 1}), root);
    return value;
}

} // namespace sode
