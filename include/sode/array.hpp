// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

#include <sode/distributed.hpp>
#include <sode/memory.hpp>
#include <sode/tiles.hpp>

#include <concepts>

namespace sode {

/// A distributed array. Each rank holds one block of the array, with a shadow around the block.
///
///     array<double, 3> v{align(t, {nz, ny, nx}, {none, 0, 1}), shadow{{0, 0}, {2, 3}, {2, 3}}};
///     array<float, 3>  one{grid, {}, 1.f};
///     loop(v.all(), [v = *v](auto k, auto j, auto i) { v(k, j, i) = 0; });
///
/// All ranks on the same machine can read and write the memory of an array. The memory of an array is freed when the array and all
/// its exchanges are destroyed. An array can be moved, for example returned from a function. An array cannot be copied, assigned or
/// swapped, because views and plans refer to the memory of the array. For double buffering, use `buffered`. The constructor of an
/// array is not collective.
///
/// \tparam T       type of the elements, trivially copyable
/// \tparam N       number of dimensions, 1 to 7
/// \tparam Memory  `host`, or `device` for arrays in GPU memory (see device_array.hpp)
///
/// The memory order is row-major: the last dimension is contiguous.
template <class T, int N, class Memory = host> class array : public distributed<N> {
    static_assert(std::is_same_v<Memory, host>, "the memory is sode::host or sode::device (include <sode/device_array.hpp>)");
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                  "elements are copied as bytes: their type must be trivially copyable");

public:
    using value_type = T;

    /// \param where    a distribution, alignment or grid of N dimensions
    /// \param widths   the shadow; if left out, there is no shadow
    /// \param initial  initial value of every element, the shadow included; T{} if left out
    /// \param name     the name of the array in messages
    ///
    /// Throws a usage error if the shadow and the array differ in the number of dimensions. Throws an environment error if there is
    /// not enough memory.
    explicit array(alignment<N> const& where, shadow const& widths = {}, T const& initial = T{}, std::string name = {})
        : array(where, widths, tiles{1}, initial, std::move(name)) {}

    /// This constructor also allocates room for time tiles (see tiles). Use this constructor for arrays that the time steps of
    /// reflection::march() read but do not change.
    template <std::same_as<tiles> Tiles>
    array(alignment<N> const& where, shadow const& widths, Tiles room, T const& initial = T{}, std::string name = {})
        : distributed<N>(detail::field{
              where.mapping(), widths, {.bytes = sizeof(T), .code = detail::code_of<T>(), .tiles = room.steps}, std::move(name)}) {
        this->field_.fill(0, 0, initial);
    }

    /// Returns a view of this rank's block and its shadow, addressed by global indices. Throws a usage error if a dimension is
    /// cyclic.
    [[nodiscard]] sode::view<T, N> view() { return this->field_.template view_of<T, N>(0); }
    [[nodiscard]] sode::view<T const, N> view() const { return this->field_.template view_of<T const, N>(0); }
    [[nodiscard]] sode::view<T, N> operator*() { return view(); }
    [[nodiscard]] sode::view<T const, N> operator*() const { return view(); }
    /// Returns the block as a cyclic_view, which supports every distribution, including cyclic dimensions.
    [[nodiscard]] sode::cyclic_view<T, N> cyclic_view() { return this->field_.template cyclic_view_of<T, N>(0); }
    [[nodiscard]] sode::cyclic_view<T const, N> cyclic_view() const { return this->field_.template cyclic_view_of<T const, N>(0); }
};

} // namespace sode
