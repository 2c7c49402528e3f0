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

/// Copies `values` from rank `root` to every rank: `broadcast(rt, table)`, `broadcast(rt, std::span{coefficients})`.
///
///     std::vector<double> table(1000);          // the same size on every rank
///     if (rt.root()) read(file, table);
///     sode::broadcast(rt, table);
///
/// \param values  elements of a trivially copyable type: a std::span, std::vector or std::array; the same number on all ranks
/// \param root    the rank that has the values
///
/// Collective. Use broadcast() for parameters and for tables that rarely change. For repeated copies between arrays, use
/// copy_init(). Errors: usage, if rank `root` does not exist; peer, timeout.
/// Cost: for up to 56 bytes, one exchange of a cache line with every rank on the machine. Longer data are sent in pieces of 256
/// KiB, which every rank copies from the memory of rank `root`. Every machine except that of `root` receives one message for each
/// piece.
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

/// broadcast() of one value: `auto const dt = sode::broadcast(rt, rt.root() ? choose() : 0.0);`
template <class T>
requires(!requires(T & t) { std::span{t}; }) [[nodiscard]] T broadcast(runtime const& rt, T value, int root = 0) {
    static_assert(std::is_trivially_copyable_v<T>, "a broadcast copies values as bytes: their type must be trivially copyable");
    detail::broadcast(rt.job(), std::as_writable_bytes(std::span{&value, 1}), root);
    return value;
}

} // namespace sode
