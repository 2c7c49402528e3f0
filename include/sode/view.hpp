// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/check.hpp>
#include <sode/checked_view.hpp>
#include <sode/detail/api.hpp>
#include <sode/error.hpp>
#include <sode/types.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace sode {

namespace detail {
[[noreturn]] SODE_API void outside_view(std::span<index_t const> at, std::span<index_t const> lower,
                                        std::span<index_t const> extents);

/// Checks at compile time that the indices of an element are valid. If an index is invalid, a static_assert explains the mistake.
template <std::size_t N, class... I> constexpr bool indices_fit() {
    static_assert(
        sizeof...(I) == N,
        "an element has one index for each dimension of its array; for a bundle, the component comes before these indices");
    static_assert((std::integral<I> && ...), "an index must be an integer");
    return sizeof...(I) == N && (std::integral<I> && ...);
}

/// Returns `row`, the address of the element of a row whose last index is 0. g++ would add the last index to the offset of the row
/// before it adds the address of the array, and would then compute the address of the row again for each part of the row's loop:
/// the vectors, and what is left of the row. The builtin says nothing that g++ does not know, and keeps the two additions apart
/// until the loops are optimised.
template <class T> [[gnu::always_inline]] constexpr T* kept_apart(T* row) noexcept {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
    if (!std::is_constant_evaluated()) {
        auto* const plain = const_cast<std::remove_volatile_t<T>*>(row); // the builtin takes no other
        return static_cast<T*>(__builtin_assume_aligned(plain, alignof(T)));
    }
#endif
    return row;
}
} // namespace detail

/// A view of one rank's block of an array, addressed by global indices, as in `a(i, j, k)`. The interface is that of std::mdspan
/// (element_type, rank, extents, stride, data_handle), but the indices of each dimension begin at lower(d) instead of 0.
///
/// A view is a pointer with strides. A view is trivially copyable, owns no memory, and is valid as long as the array exists. Pass
/// views by value, and capture views by value in lambdas. An access through a view costs no more than in plain C. The pointer of
/// the view already includes the offset of the block, and the last stride is 1 at compile time. Like a pointer, a `view<T, N>
/// const` allows writes, but a `view<T const, N>` does not.
///
/// For a bundle, the first index is the component.
template <class T, int N> class view {
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes: their type must be trivially copyable");
    static_assert(N >= 1 && N <= max_dims + 1, "a view has 1 to 7 dimensions, and one more for the components of a bundle");
    using array_type = std::array<index_t, static_cast<std::size_t>(N)>;

public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;
    using index_type = index_t;
    using size_type = std::size_t;
    using rank_type = std::size_t;
    using data_handle_type = T*;
    using reference = T&;

    view() = default;

    /// \param data     the first element of the block
    /// \param lower    the global indices of the first element of the block
    /// \param extents  number of elements of the block in each dimension
    /// \param strides  distance between consecutive elements in each dimension, in elements; the last stride must be 1
    view(T* data, array_type const& lower, array_type const& extents, array_type const& strides,
         detail::halo_watch* watch = nullptr) noexcept
        : lower_(lower), extents_(extents), watch_(watch) {
        index_t first = lower[N - 1];
        for (std::size_t d = 0; d + 1 < N; ++d) {
            strides_[d] = strides[d];
            first += lower[d] * strides[d];
        }
        origin_ = data ? data - first : nullptr;
    }
    /// Creates a view of a dense block, without gaps between rows.
    view(T* data, array_type const& lower, array_type const& extents) noexcept : view(data, lower, extents, dense(extents)) {}

    /// Converts a writable view to a read-only view.
    template <class U>
    requires(std::is_same_v<U const, T>) constexpr view(view<U, N> const& other) noexcept
        : origin_(other.origin_), strides_(other.strides_), lower_(other.lower_), extents_(other.extents_), watch_(other.watch_) {}

    /// Returns the element with the given global indices, which may be integers of any type. The access is checked only in loop(),
    /// and only with SODE_CHECK=halo.
    template <class... I> constexpr T& operator()(I... at) const {
        if constexpr (detail::indices_fit<rank(), I...>()) {
            if constexpr ((std::is_same_v<I, detail::checked_index_t> || ...)) {
                if (watch_)
                    if (auto* const elsewhere = detail::watched<T>(*watch_, array_type{static_cast<index_t>(at)...}))
                        return *elsewhere;
            }
            return element(std::make_index_sequence<rank()>{}, static_cast<index_t>(at)...);
        } else {
            return *origin_;
        }
    }
#ifdef __cpp_multidimensional_subscript
    template <std::integral... I>
    requires(sizeof...(I) == N) constexpr T& operator[](I... at) const {
        return (*this)(at...);
    }
#endif
    /// Returns the element with the given global indices. The indices are always checked against the bounds of the block. Throws a
    /// usage error if the indices are outside the block.
    template <std::integral... I>
    requires(sizeof...(I) == N) T& at(I... at) const {
        array_type const indices{static_cast<index_t>(at)...};
        for (std::size_t d = 0; d < N; ++d)
            if (indices[d] < lower_[d] || indices[d] >= lower_[d] + extents_[d]) detail::outside_view(indices, lower_, extents_);
        return (*this)(at...);
    }

    [[nodiscard]] static constexpr rank_type rank() noexcept {
        return N;
    }
    /// lower() returns the global index of the first element of the block in dimension d. upper() returns the global index after
    /// the last element.
    [[nodiscard]] constexpr index_t lower(std::size_t d) const noexcept {
        return lower_[d];
    }
    [[nodiscard]] constexpr index_t upper(std::size_t d) const noexcept {
        return lower_[d] + extents_[d];
    }
    [[nodiscard]] constexpr index_t extent(std::size_t d) const noexcept {
        return extents_[d];
    }
    [[nodiscard]] constexpr array_type const& extents() const noexcept {
        return extents_;
    }
    /// Returns the distance between consecutive elements in dimension d, in elements.
    [[nodiscard]] constexpr index_t stride(std::size_t d) const noexcept {
        return d + 1 < N ? strides_[d] : 1;
    }
    [[nodiscard]] constexpr array_type strides() const noexcept {
        array_type all;
        for (std::size_t d = 0; d < N; ++d) all[d] = stride(d);
        return all;
    }
    /// Returns the address of the first element of the block, including the halo, or null if the rank has no block.
    [[nodiscard]] constexpr T* data_handle() const noexcept {
        if (!origin_) return nullptr;
        index_t first = lower_[N - 1];
        for (std::size_t d = 0; d + 1 < N; ++d) first += lower_[d] * strides_[d];
        return origin_ + first;
    }

    /// Returns a read-only view of the same block, for your own loops. With SODE_CHECK=halo, all accesses through this view are
    /// checked.
    [[nodiscard]] checked_view<T, N> checked() const noexcept {
        return {origin_, strides(), watch_};
    }

    /// Returns the block as an mdspan with strides (std::mdspan, Kokkos::mdspan). The indices of the mdspan begin at 0.
    template <class M>
    requires requires(T* data, array_type const& a) {
        typename M::extents_type;
        M{data, typename M::mapping_type{typename M::extents_type{a}, a}};
    }
    constexpr operator M() const {
        return M{data_handle(), typename M::mapping_type{typename M::extents_type{extents_}, strides()}};
    }

private:
    template <class, int> friend class view;

    static constexpr array_type dense(array_type const& extents) noexcept {
        array_type strides;
        index_t elements = 1;
        for (std::size_t d = N; d-- > 0;) {
            strides[d] = elements;
            elements *= extents[d];
        }
        return strides;
    }

    template <std::size_t... D> constexpr T& element(std::index_sequence<D...>, std::same_as<index_t> auto... at) const noexcept {
        // The last stride is never loaded, because the compiler can vectorise only if it knows that this stride is 1.
        index_t const to_row = ((D + 1 < rank() ? at * strides_[D] : 0) + ...);
        index_t const in_row = ((D + 1 < rank() ? 0 : at) + ...);
        return detail::kept_apart(origin_ + to_row)[in_row];
    }

    T* origin_ = nullptr; // the address at which element (0, …, 0) would be
    std::array<index_t, static_cast<std::size_t>(N)> strides_{};
    array_type lower_{};
    array_type extents_{};
    detail::halo_watch* watch_ = nullptr;
};

} // namespace sode
