// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/turns.hpp>
#include <sode/view.hpp>

namespace sode {

namespace detail {
/// Throws a usage error: along dimension `dim`, element `at` belongs to another rank.
[[noreturn]] SODE_API void not_dealt(std::span<index_t const> at, std::size_t dim, turns const& mine);
} // namespace detail

/// A view of one rank's part of an array, addressed by global indices, as in `a(i, j)`. Any dimension may be cyclic. Along a cyclic
/// dimension, only indices of elements that this rank owns are valid. Along other dimensions, indices in the shadow are also valid.
/// array::cyclic_view() and similar functions return a cyclic_view.
///
///     array<double, 2> a{distribution<2>{p, {n, n}, {cyclic(8), none}}};
///     loop(a.all(), [a = a.cyclic_view()](auto i, auto j) { a(i, j) = i == j; });
///
/// Like a view, a cyclic_view is a pointer with strides, is trivially copyable, and owns no memory. An access costs two divisions
/// for each cyclic dimension. For arrays without a cyclic dimension, use a view, which needs no divisions.
template <class T, int N> class cyclic_view {
    using array_type = std::array<index_t, static_cast<std::size_t>(N)>;

public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;
    using index_type = index_t;
    using reference = T&;

    cyclic_view() = default;
    /// \param local  the rank's part of the array; along cyclic dimensions, the elements of the part are numbered from 0
    /// \param mine   the indices that this rank owns in each dimension
    cyclic_view(view<T, N> local, std::array<turns, static_cast<std::size_t>(N)> const& mine,
                detail::halo_watch* watch = nullptr) noexcept
        : local_(local), mine_(mine), watch_(watch) {}

    /// Converts a writable view to a read-only view.
    template <class U>
    requires(std::is_same_v<U const, T>) constexpr cyclic_view(cyclic_view<U, N> const& other) noexcept
        : local_(other.local_), mine_(other.mine_), watch_(other.watch_) {}

    /// Returns the element with the given global indices. The access is checked only in loop(), and only with SODE_CHECK=halo.
    template <class... I> constexpr T& operator()(I... at) const {
        if constexpr (detail::indices_fit<rank(), I...>()) {
            if constexpr ((std::is_same_v<I, detail::checked_index_t> || ...)) {
                if (watch_)
                    if (auto* const elsewhere = detail::watched<T>(*watch_, array_type{static_cast<index_t>(at)...}))
                        return *elsewhere;
            }
            return element(std::make_index_sequence<rank()>{}, static_cast<index_t>(at)...);
        } else {
            return *local_.data_handle();
        }
    }
    /// Returns the element with the given global indices. The access is always checked. Throws a usage error if the element is not
    /// on this rank.
    template <std::integral... I>
    requires(sizeof...(I) == N) T& at(I... at) const {
        array_type indices{static_cast<index_t>(at)...};
        auto const global = indices;
        for (std::size_t d = 0; d < N; ++d) {
            if (mine_[d].chunk == 0) continue;
            if (global[d] < 0 || !mine_[d].contains(global[d])) detail::not_dealt(global, d, mine_[d]);
            indices[d] = mine_[d].number(global[d]);
        }
        return std::apply([&](auto... i) -> T& { return local_.at(i...); }, indices);
    }

    [[nodiscard]] static constexpr std::size_t rank() noexcept { return N; }
    /// Returns the indices in dimension d that this rank owns. If the dimension is not cyclic, the returned `turns` object has
    /// chunk 0.
    [[nodiscard]] constexpr turns const& mine(std::size_t d) const noexcept { return mine_[d]; }
    /// Returns the rank's part in memory order. Along cyclic dimensions, the elements of the part are numbered from 0.
    [[nodiscard]] constexpr view<T, N> const& local() const noexcept { return local_; }

private:
    template <class, int> friend class cyclic_view;

    template <std::size_t... D> constexpr T& element(std::index_sequence<D...>, std::same_as<index_t> auto... at) const noexcept {
        return local_((mine_[D].chunk == 0 ? at : mine_[D].number(at))...);
    }

    view<T, N> local_;
    std::array<turns, static_cast<std::size_t>(N)> mine_{};
    detail::halo_watch* watch_ = nullptr;
};

} // namespace sode
