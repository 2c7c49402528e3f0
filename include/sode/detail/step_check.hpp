// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/marching.hpp>
#include <sode/domain.hpp>
#include <sode/loop.hpp>
#include <sode/view.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

// Checks by SODE_CHECK=halo for the time steps of a march, in addition to the checks of every loop.

namespace sode::detail {

/// The current element of a step, and the distance from it up to which the step may read an array.
template <int N> struct step_reach {
    std::array<checked_index_t, static_cast<std::size_t>(N)> const* at;
    std::array<index_t, max_dims> lower{};
    std::array<index_t, max_dims> upper{};
    geometry const* shape = nullptr; ///< the shape of the array
    bool next = false;               ///< this half is written: a step may access only its own element
};

/// Throws a usage error: a step at element `at` accesses element `there`.
[[noreturn]] SODE_API void beyond_reach(geometry const& shape, bool next, std::array<index_t, max_dims> const& at,
                                        std::array<index_t, max_dims> const& there);

/// A view that knows the current element of a step. `Rank`: N, or N + 1 for bundles.
template <class View, int N> class step_view {
public:
    step_view(View const& v, step_reach<N> const& reach) : view_(v), reach_(reach) {}

    template <class... I> decltype(auto) operator()(I... at) const {
        constexpr std::size_t components = sizeof...(I) - static_cast<std::size_t>(N);
        std::array<index_t, sizeof...(I)> const all{static_cast<index_t>(at)...};
        for (std::size_t d = 0; d < static_cast<std::size_t>(N); ++d) {
            index_t const apart = all[d + components] - static_cast<index_t>((*reach_.at)[d]);
            if (apart < -reach_.lower[d] || apart > reach_.upper[d]) [[unlikely]]
                refuse(all);
        }
        return view_(static_cast<checked_index_t>(at)...);
    }

private:
    template <std::size_t M> [[noreturn]] void refuse(std::array<index_t, M> const& all) const {
        std::array<index_t, max_dims> at{}, there{};
        for (std::size_t d = 0; d < static_cast<std::size_t>(N); ++d) {
            at[d] = static_cast<index_t>((*reach_.at)[d]);
            there[d] = all[d + M - static_cast<std::size_t>(N)];
        }
        beyond_reach(*reach_.shape, reach_.next, at, there);
    }

    View view_;
    step_reach<N> reach_;
};

} // namespace sode::detail
