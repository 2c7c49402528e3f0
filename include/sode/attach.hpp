// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

#include <sode/two_halves.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

namespace sode {

/// The memory layout of an array. A stride is the distance between consecutive elements in one dimension, in elements (not bytes).
///
/// `strides{ny * nx, nx, 1}` is row-major, as in C. `strides{1, nx}` is column-major, as in Fortran and in Kokkos' LayoutLeft. Any
/// order of dimensions and any padding are allowed. The last stride need not be 1.
template <int N> class strides {
    static_assert(N >= 1 && N <= max_dims, "an array has 1 to 7 dimensions");

public:
    template <std::integral... I>
    requires(sizeof...(I) == N) constexpr explicit strides(I... elements) noexcept : each_{static_cast<index_t>(elements)...} {}
    constexpr explicit strides(index<N> const& each) noexcept : each_(each) {}

    [[nodiscard]] constexpr index_t operator[](std::size_t d) const noexcept { return each_[d]; }

private:
    index<N> each_;
};
template <std::integral... I> strides(I...) -> strides<static_cast<int>(sizeof...(I))>;

namespace detail {

template <class M>
concept has_handle = requires(M const& m) {
    m.data_handle();
};

template <has_handle M> constexpr auto* first_of(M const& m) {
    return m.data_handle();
}
template <class M>
requires(!has_handle<M> && requires(M const& m) { m.data(); }) constexpr auto* first_of(M const& m) {
    return m.data();
}

} // namespace detail

/// A type with strides: std::mdspan and similar types, sode::view, Kokkos::View.
template <class M>
concept strided = requires(M const& m, std::size_t d) {
    { M::rank() } -> std::convertible_to<std::size_t>;
    { m.stride(d) } -> std::convertible_to<index_t>;
    { m.extent(d) } -> std::convertible_to<index_t>;
    *detail::first_of(m);
};

/// A distributed array in memory that the program provides. attach() creates an attached array.
///
/// An attached array can be used like any other array, for example in reflect_init(), copy_init(), loop(), and in files. An
/// attached array has no view(), because the program accesses the elements through its own pointer. In attached arrays,
/// SODE_CHECK=halo checks only reads through checked(). If ranks are processes, other ranks cannot read attached memory. Between
/// processes, the library packs the edges of attached arrays into shared memory, even with the channel "pull" or "reference". If
/// ranks are tasks (tasks.hpp) or threads, other ranks read attached memory directly. An attached array can be moved, but not
/// copied, assigned or swapped.
template <class T, int N> class attached : public distributed<N> {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                  "elements are copied as bytes, also into the shadow: their type must be trivially copyable and not const");

public:
    using value_type = T;

    /// Use attach() instead of this constructor.
    attached(alignment<N> const& where, shadow const& widths, detail::field::memory const& brought, std::string name)
        : distributed<N>(detail::field{
              where.mapping(), widths, {.bytes = sizeof(T), .code = detail::code_of<T>()}, std::move(name), brought}) {}

    /// Returns a read-only view of this rank's block and its shadow, addressed by global indices. SODE_CHECK=halo checks reads
    /// through the returned view. The check assumes that the program has filled the elements outside the array. Throws a usage
    /// error if a dimension is cyclic.
    [[nodiscard]] checked_view<T, N> checked() const { return this->field_.template checked_view_of<T, N>(0); }
};

/// Double buffering in memory that the program provides: two blocks, now() and next(). attach_buffered() creates an
/// attached_buffered array.
///
/// An attached_buffered array can be used like any other buffered array, also in reflection::march(). Other ranks on the same
/// machine read the memory of an attached_buffered array directly only if ranks are tasks or threads. An attached_buffered array
/// can be moved, but not copied, assigned or swapped.
template <class T, int N> class attached_buffered : public two_halves<T, N> {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                  "elements are copied as bytes, also into the shadow: their type must be trivially copyable and not const");

public:
    /// Use attach_buffered() instead of this constructor.
    attached_buffered(alignment<N> const& where, shadow const& widths, detail::field::memory const& brought, std::string name)
        : two_halves<T, N>(detail::field{
              where.mapping(), widths, {.bytes = sizeof(T), .halves = 2, .code = detail::code_of<T>()}, std::move(name), brought}) {
    }
};

/// Creates a distributed array from memory that the program owns. attach() does not allocate, copy or free memory for elements.
///
///     std::vector<double> u((ny + 2) * (nx + 2));                       // ny * nx points and one more on every side
///     auto mine = sode::attach(grid, u.data(), sode::strides{nx + 2, 1}, sode::shadow{1});
///     auto halo = sode::reflect_init(mine);
///
/// \param where    a distribution, alignment or grid of N dimensions
/// \param first    the first element of this rank's block with its shadow; the shadow exists on every side, even without a
///                 neighbour
/// \param by       this rank's strides, which may differ between ranks
/// \param widths   the shadow; none if left out
/// \param name     for messages
///
/// The memory must outlive the returned array and all exchanges of the array. After the array and its exchanges are destroyed, no
/// other rank reads the memory. attach() is collective. All ranks throw a usage error for any of these mistakes:
/// - A rank that owns elements passes a null pointer.
/// - The strides put two elements at the same address.
/// - The ranks pass different shapes.
///
/// The cost is one small allgather.
template <class T, int N>
[[nodiscard]] attached<T, N> attach(std::type_identity_t<alignment<N>> const& where, T* first, strides<N> const& by,
                                    shadow const& widths = {}, std::string name = {}) {
    detail::field::memory brought{.first = reinterpret_cast<std::byte*>(first)};
    for (std::size_t d = 0; d < N; ++d) brought.strides[d] = by[d];
    return {where, widths, brought, std::move(name)};
}

/// Like attach() with a pointer, but checks that the block fits into the memory.
///
///     auto mine = sode::attach(grid, std::span{u}, sode::strides{nx + 2, 1}, sode::shadow{1});
///
/// \param elements  begins with the first element of this rank's block with its shadow; may be longer than the block
///
/// All ranks throw a usage error if the memory of one rank is smaller than the block of that rank. The errors of attach() with a
/// pointer are also possible.
template <class T, std::size_t Extent, int N>
[[nodiscard]] attached<T, N> attach(std::type_identity_t<alignment<N>> const& where, std::span<T, Extent> elements,
                                    strides<N> const& by, shadow const& widths = {}, std::string name = {}) {
    detail::field::memory brought{.first = reinterpret_cast<std::byte*>(elements.data())};
    for (std::size_t d = 0; d < N; ++d) brought.strides[d] = by[d];
    brought.elements = static_cast<index_t>(elements.size());
    return {where, widths, brought, std::move(name)};
}

/// Creates a buffered array from two blocks of memory that the program owns. flip() exchanges the two blocks after each time step.
///
///     std::vector<double> u(size), v(size);                              // with 8 layers around each block
///     auto both = sode::attach_buffered(grid, u.data(), v.data(), sode::strides{nx + 16, 1}, sode::shadow{8});
///     auto halo = sode::reflect_init(sode::width(both, 1));              // one step reads one layer,
///     halo.march(steps, grid.inner(), step, both);                       // so there is room for 8 time steps per pass
///     double const* result = both.parity() == 0 ? u.data() : v.data();
///
/// \param first, other the first element of each of the two blocks, including the shadow; initially, `first` is now()
/// \param by            the strides of both blocks; the last stride must be 1
///
/// The rules for attach() also apply to attach_buffered(). The call is collective. All ranks throw a usage error if the last
/// dimension is not contiguous, or if the two blocks of a rank overlap. The errors of attach() are also possible.
template <class T, int N>
[[nodiscard]] attached_buffered<T, N> attach_buffered(std::type_identity_t<alignment<N>> const& where, T* first,
                                                      std::type_identity_t<T>* other, strides<N> const& by,
                                                      shadow const& widths = {}, std::string name = {}) {
    detail::field::memory brought{.first = reinterpret_cast<std::byte*>(first), .other = reinterpret_cast<std::byte*>(other)};
    for (std::size_t d = 0; d < N; ++d) brought.strides[d] = by[d];
    return {where, widths, brought, std::move(name)};
}

/// Like attach() with a pointer, for any type with strides, such as a std::mdspan or a Kokkos::View in host memory. All ranks throw
/// a usage error if the extents of `memory` differ from the extents of the rank's block with its shadow. The errors of attach()
/// with a pointer are also possible.
template <strided M>
[[nodiscard]] auto attach(alignment<static_cast<int>(M::rank())> const& where, M const& memory, shadow const& widths = {},
                          std::string name = {}) {
    using element = std::remove_pointer_t<decltype(detail::first_of(memory))>;
    detail::field::memory brought{.first = reinterpret_cast<std::byte*>(detail::first_of(memory)), .knows_extents = true};
    for (std::size_t d = 0; d < M::rank(); ++d) {
        brought.strides[d] = static_cast<index_t>(memory.stride(d));
        brought.extents[d] = static_cast<index_t>(memory.extent(d));
    }
    return attached<element, static_cast<int>(M::rank())>{where, widths, brought, std::move(name)};
}

} // namespace sode
