// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/check.hpp>
#include <sode/types.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace sode {

/// A view of one rank's block by global indices, for checks in loops that do not use loop(). A loop body that is passed to loop()
/// needs no checked_view. view::checked() and attached::checked() create a checked_view.
///
///     auto const a = (*u).checked();
///     for (auto const& [i, j] : g.inner().local()) next(i, j) = a(i - 1, j) + a(i + 1, j);
///
/// With SODE_CHECK=halo, every access is checked as in loop(). The element must be on this rank. A halo element must be fresh. An
/// element outside the array must have been filled. Create a new checked_view before each loop, because only the constructor checks
/// whether the array has been written since the last exchange. Without SODE_CHECK=halo, an access through a checked_view costs one
/// pointer comparison more than an access through a view.
template <class T, int N> class checked_view {
    using array_type = std::array<index_t, static_cast<std::size_t>(N)>;

public:
    using value_type = std::remove_cv_t<T>;

    /// \param origin   the address at which element (0, …, 0) would be
    /// \param strides  distance between consecutive elements in each dimension, in elements
    checked_view(T const* origin, array_type const& strides, detail::halo_watch* watch)
        : origin_(origin), strides_(strides), watch_(watch) {
        if (watch_) detail::begin_reading(*watch_);
    }

    /// Returns the element with the given global indices. For a bundle, the first index is the component. With SODE_CHECK=halo, the
    /// access throws a usage error if this rank may not read the element.
    template <std::integral... I>
    requires(sizeof...(I) == N) T const& operator()(I... at) const {
        array_type const indices{static_cast<index_t>(at)...};
        if (watch_) [[unlikely]]
            static_cast<void>(detail::watched<T const>(*watch_, indices));
        index_t offset = 0;
        for (std::size_t d = 0; d < N; ++d) offset += indices[d] * strides_[d];
        return origin_[offset];
    }
    [[nodiscard]] static constexpr std::size_t rank() noexcept { return N; }

private:
    T const* origin_;
    array_type strides_;
    detail::halo_watch* watch_;
};

} // namespace sode
