// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/portable.hpp>

namespace sode::gmpi {

/// A group that consists of a single thread of a kernel. If a function takes a *group*, all threads of the group must call it, with
/// the same arguments. Thread 0 does the work; the other threads synchronise with it before and after. A group is a class with
/// thread_rank(), size() and sync(). A group of several threads also has broadcast(value), which returns the value of thread 0 to
/// all threads, or shfl(value, 0), like the tiles of cooperative groups; blocks of cooperative groups need neither.
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

/// broadcast() for groups without such a function, for example blocks of cooperative groups.
template <class G> struct broadcast_of;

/// Returns the value of thread 0 to all threads of a group, after a synchronisation.
template <class G> SODE_GPU std::uint32_t shared_by(G const& g, std::uint32_t value) {
    if constexpr (requires { g.broadcast(value); })
        return g.broadcast(value);
    else if constexpr (requires { g.shfl(value, 0); })
        return static_cast<std::uint32_t>(g.shfl(value, 0));
    else if constexpr (requires { broadcast_of<G>::broadcast(g, value); })
        return broadcast_of<G>::broadcast(g, value);
    else {
        static_assert(
            requires {
                requires G::size()
                == 1;
            },
            "a group of several threads needs broadcast(value), or shfl(value, 0): without it nobody would wait for thread 0");
        return value;
    }
}

} // namespace detail
} // namespace sode::gmpi
