// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/portable.hpp>

namespace sode::gmpi {

/// A thread of a kernel that speaks for itself. Functions that take a *group* are called by all its threads with the same
/// arguments; thread 0 does the work, and the others meet it before and after. What a group is: a class with thread_rank(), size()
/// and sync(); groups of several threads also broadcast(value), which returns thread 0's to all, or shfl(value, 0), as tiles of
/// cooperative groups have.
struct thread_group {
    [[nodiscard]] SODE_GPU static constexpr std::uint32_t thread_rank() { return 0; }
    [[nodiscard]] SODE_GPU static constexpr std::uint32_t size() { return 1; }
    SODE_GPU static constexpr void sync() {}
};
[[nodiscard]] SODE_GPU constexpr thread_group thread() {
    return {};
}

namespace detail {

template <class G> SODE_GPU bool leads(G const& g) {
    return g.thread_rank() == 0;
}

/// Thread 0's value, for all threads of a group.
template <class G> SODE_GPU std::uint32_t shared_by(G const& g, std::uint32_t value) {
    if constexpr (requires { g.broadcast(value); })
        return g.broadcast(value);
    else if constexpr (requires { g.shfl(value, 0); })
        return static_cast<std::uint32_t>(g.shfl(value, 0));
    else
        return value;
}

} // namespace detail
} // namespace sode::gmpi
