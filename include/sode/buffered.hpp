// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

#include <sode/memory.hpp>
#include <sode/tiles.hpp>
#include <sode/two_halves.hpp>

#include <concepts>

namespace sode {

/// Double buffering: two arrays of the same shape, now() and next(). Each time step of the program reads now(), writes next(), and
/// then calls flip(). flip() exchanges the two arrays.
///
///     buffered<double, 2> u{grid, shadow{1}};
///     for (int t = 0; t < steps; ++t, u.flip()) halo.overlap(grid.inner(), jacobi(u.now(), u.next()));
///
/// The plan of an exchange includes both buffers of a buffered array. If exactly one flip() follows every exchange, neighbours need
/// not acknowledge their reads.
template <class T, int N, class Memory = host> class buffered : public two_halves<T, N> {
    static_assert(std::is_same_v<Memory, host>, "the memory is sode::host or sode::device (include <sode/device_array.hpp>)");
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                  "elements are copied as bytes: their type must be trivially copyable");

public:
    /// The parameters are the same as for array::array(). `initial` is the initial value of all elements in now() and next().
    explicit buffered(alignment<N> const& where, shadow const& widths = {}, T const& initial = T{}, std::string name = {})
        : buffered(where, widths, tiles{1}, initial, std::move(name)) {}

    /// This constructor also allocates room for time tiles (see tiles), so that reflection::march() can take several time steps per
    /// exchange.
    template <std::same_as<tiles> Tiles>
    buffered(alignment<N> const& where, shadow const& widths, Tiles room, T const& initial = T{}, std::string name = {})
        : two_halves<T, N>(detail::field{where.mapping(),
                                         widths,
                                         {.bytes = sizeof(T), .halves = 2, .code = detail::code_of<T>(), .tiles = room.steps},
                                         std::move(name)}) {
        for (int half : {0, 1}) this->field_.fill(half, 0, initial);
    }

    /// Like now() and next(), but cyclic_now() and cyclic_next() support every distribution, including cyclic dimensions.
    [[nodiscard]] cyclic_view<T, N> cyclic_now() { return this->field_.template cyclic_view_of<T, N>(this->parity()); }
    [[nodiscard]] cyclic_view<T, N> cyclic_next() { return this->field_.template cyclic_view_of<T, N>(1 - this->parity()); }
    [[nodiscard]] cyclic_view<T const, N> cyclic_now() const {
        return this->field_.template cyclic_view_of<T const, N>(this->parity());
    }
    [[nodiscard]] cyclic_view<T const, N> cyclic_next() const {
        return this->field_.template cyclic_view_of<T const, N>(1 - this->parity());
    }
};

} // namespace sode
