// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

#include <sode/distributed.hpp>
#include <sode/memory.hpp>
#include <sode/tiles.hpp>

#include <concepts>

namespace sode {

/// Two arrays of the same shape that change roles: a step reads now() and writes next(), then calls flip().
///
///     buffered<double, 2> u{grid, shadow{1}};
///     for (int t = 0; t < steps; ++t, u.flip()) halo.overlap(grid.inner(), jacobi(u.now(), u.next()));
///
/// An exchange of the pair covers both halves. It needs no acknowledgement of reads if exactly one flip follows each exchange. A
/// view stays with the half from which it was made.
template <class T, int N, class Memory = host> class buffered : public distributed<N> {
    static_assert(std::is_same_v<Memory, host>, "the memory is sode::host or sode::device (include <sode/device_array.hpp>)");
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                  "elements are copied as bytes: their type must be trivially copyable");

public:
    using value_type = T;

    /// As for array. `initial` is the initial value in both halves.
    explicit buffered(alignment<N> const& where, shadow const& widths = {}, T const& initial = T{}, std::string name = {})
        : buffered(where, widths, tiles{1}, initial, std::move(name)) {}

    /// The same with room for time tiles, see reflection::march().
    template <std::same_as<tiles> Tiles>
    buffered(alignment<N> const& where, shadow const& widths, Tiles room, T const& initial = T{}, std::string name = {})
        : distributed<N>(detail::field{where.mapping(),
                                       widths,
                                       {.bytes = sizeof(T), .halves = 2, .code = detail::code_of<T>(), .tiles = room.steps},
                                       std::move(name)}) {
        for (int half : {0, 1}) this->field_.fill(half, 0, initial);
    }

    [[nodiscard]] view<T, N> now() { return this->field_.template view_of<T, N>(parity()); }
    [[nodiscard]] view<T, N> next() { return this->field_.template view_of<T, N>(1 - parity()); }
    [[nodiscard]] view<T const, N> now() const { return this->field_.template view_of<T const, N>(parity()); }
    [[nodiscard]] view<T const, N> next() const { return this->field_.template view_of<T const, N>(1 - parity()); }

    /// The same for arrays of any distribution, also cyclic ones.
    [[nodiscard]] cyclic_view<T, N> cyclic_now() { return this->field_.template cyclic_view_of<T, N>(parity()); }
    [[nodiscard]] cyclic_view<T, N> cyclic_next() { return this->field_.template cyclic_view_of<T, N>(1 - parity()); }
    [[nodiscard]] cyclic_view<T const, N> cyclic_now() const { return this->field_.template cyclic_view_of<T const, N>(parity()); }
    [[nodiscard]] cyclic_view<T const, N> cyclic_next() const {
        return this->field_.template cyclic_view_of<T const, N>(1 - parity());
    }

    /// Exchanges the roles of now() and next().
    void flip() { this->field_.flip(); }
    /// Number of the half that is now(): 0 or 1.
    [[nodiscard]] int parity() const noexcept { return this->field_.half(); }
};

} // namespace sode
