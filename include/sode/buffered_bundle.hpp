// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

#include <sode/tiles.hpp>
#include <sode/two_halves.hpp>

#include <concepts>

namespace sode {

/// Double buffering: two bundles of the same shape, now() and next(). Each time step of the program reads now(), writes next(), and
/// then calls flip(). `now()(c, i, j)` is element (i, j) of component c.
///
///     buffered_bundle<double, 2, 3> q{grid, {1.0, 0.0, 0.0}, shadow{2}, "q"};   // height and two momenta
///     auto halo = reflect_init(q);                                              // all three in one message
///     for (int t = 0; t < steps; ++t, q.flip()) halo.overlap(grid.inner(2), step(q.now(), q.next()));
///
/// As with `buffered`, the plan of an exchange includes both now() and next().
template <class T, int N, int C> class buffered_bundle : public two_halves<T, N, N + 1> {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                  "elements are copied as bytes: their type must be trivially copyable");
    static_assert(C >= 1, "a bundle has at least one component");

public:
    /// The parameters are the same as for bundle::bundle(). `initial` holds the initial value of each component in now() and
    /// next().
    explicit buffered_bundle(alignment<N> const& where, std::array<T, static_cast<std::size_t>(C)> const& initial = {},
                             shadow const& widths = {}, std::string name = {})
        : buffered_bundle(where, initial, widths, tiles{1}, std::move(name)) {}

    /// This constructor also allocates room for time tiles (see tiles), so that reflection::march() can take several time steps per
    /// exchange.
    template <std::same_as<tiles> Tiles>
    buffered_bundle(alignment<N> const& where, std::array<T, static_cast<std::size_t>(C)> const& initial, shadow const& widths,
                    Tiles room, std::string name = {})
        : two_halves<T, N, N + 1>(
              detail::field{where.mapping(),
                            widths,
                            {.bytes = sizeof(T), .components = C, .halves = 2, .code = detail::code_of<T>(), .tiles = room.steps},
                            std::move(name)}) {
        for (int half : {0, 1})
            for (int c = 0; c < C; ++c) this->field_.fill(half, c, initial[static_cast<std::size_t>(c)]);
    }

    /// Like now() and next(), but cyclic_now() and cyclic_next() support every distribution, including cyclic dimensions.
    [[nodiscard]] cyclic_view<T, N + 1> cyclic_now() { return this->field_.template cyclic_view_of<T, N + 1>(this->parity()); }
    [[nodiscard]] cyclic_view<T, N + 1> cyclic_next() { return this->field_.template cyclic_view_of<T, N + 1>(1 - this->parity()); }
    [[nodiscard]] cyclic_view<T const, N + 1> cyclic_now() const {
        return this->field_.template cyclic_view_of<T const, N + 1>(this->parity());
    }
    [[nodiscard]] cyclic_view<T const, N + 1> cyclic_next() const {
        return this->field_.template cyclic_view_of<T const, N + 1>(1 - this->parity());
    }
};

} // namespace sode
