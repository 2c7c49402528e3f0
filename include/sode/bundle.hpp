// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

#include <sode/distributed.hpp>
#include <sode/tiles.hpp>

#include <concepts>

namespace sode {

/// Several aligned arrays (components) in one block of memory. `a(c, i, j, k)` is element (i, j, k) of component c. The number of
/// components is the template parameter C. The components are stored one after the other (structure of arrays). The padding between
/// components maps corresponding elements to different cache sets.
///
///     bundle<float, 3, 4> a{grid, {1.f, 1.f, 1.f, 1.f / 6}};
///     bundle<float, 3, 3> b{grid};
///     bundle<double, 2, 2> uv{grid, {}, shadow{1}, "uv"};
///
/// An exchange moves all components of a bundle together.
template <class T, int N, int C> class bundle : public distributed<N> {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                  "elements are copied as bytes: their type must be trivially copyable");
    static_assert(C >= 1, "a bundle has at least one component");

public:
    using value_type = T;

    /// \param where    a distribution, alignment or grid of N dimensions
    /// \param initial  the initial value of the elements of each component, including the shadow
    /// \param widths   the shadow of all components; if left out, there is no shadow
    /// \param name     the name of the bundle in messages
    explicit bundle(alignment<N> const& where, std::array<T, static_cast<std::size_t>(C)> const& initial = {},
                    shadow const& widths = {}, std::string name = {})
        : bundle(where, initial, widths, tiles{1}, std::move(name)) {}

    /// This constructor also allocates room for time tiles (see tiles). Use this constructor for bundles that the time steps of
    /// reflection::march() read but do not change.
    template <std::same_as<tiles> Tiles>
    bundle(alignment<N> const& where, std::array<T, static_cast<std::size_t>(C)> const& initial, shadow const& widths, Tiles room,
           std::string name = {})
        : distributed<N>(detail::field{where.mapping(),
                                       widths,
                                       {.bytes = sizeof(T), .components = C, .code = detail::code_of<T>(), .tiles = room.steps},
                                       std::move(name)}) {
        for (int c = 0; c < C; ++c) this->field_.fill(0, c, initial[static_cast<std::size_t>(c)]);
    }

    /// In a view of a bundle, the first index is the component. Throws a usage error if a dimension is cyclic.
    [[nodiscard]] sode::view<T, N + 1> view() { return this->field_.template view_of<T, N + 1>(0); }
    [[nodiscard]] sode::view<T const, N + 1> view() const { return this->field_.template view_of<T const, N + 1>(0); }
    [[nodiscard]] sode::view<T, N + 1> operator*() { return view(); }
    [[nodiscard]] sode::view<T const, N + 1> operator*() const { return view(); }
    /// Returns the block as a cyclic_view, which supports every distribution, including cyclic dimensions.
    [[nodiscard]] sode::cyclic_view<T, N + 1> cyclic_view() { return this->field_.template cyclic_view_of<T, N + 1>(0); }
    [[nodiscard]] sode::cyclic_view<T const, N + 1> cyclic_view() const {
        return this->field_.template cyclic_view_of<T const, N + 1>(0);
    }
};

} // namespace sode
