// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/box.hpp>
#include <sode/detail/api.hpp>
#include <sode/detail/ghost.hpp>
#include <sode/element_code.hpp>
#include <sode/halo_source.hpp>

#include <concepts>
#include <initializer_list>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sode {

// Boundary conditions: the values that an exchange writes to the ghost elements *outside the domain*. One exchange fills the ghost
// elements outside the domain and fetches the neighbours' elements. The filled values are bitwise identical for every number of
// ranks.
//
// Order at edges and corners: dimensions are filled one after the other, beginning with dimension 0. Filling a dimension includes
// the ghost elements of all earlier dimensions. So if an element is outside the domain in several dimensions, the condition of the
// last of these dimensions applies.

/// Boundary condition: the program fills the ghost elements itself, as without boundary(). An exchange neither reads nor writes
/// ghost elements that are `untouched`.
struct untouched_t {};
inline constexpr untouched_t untouched{};

/// Boundary condition: the dimension is periodic for this field. (reflect_options::periodic makes it periodic for all fields.)
struct periodic_t {};
inline constexpr periodic_t periodic{};

/// Boundary condition: all ghost layers are copies of the outermost element inside the domain (zero gradient).
struct nearest_t {};
inline constexpr nearest_t nearest{};

/// A mirror condition: `sode::mirror`; with a change of sign: `-sode::mirror`.
template <bool Negative, bool AtPoint> struct mirror_t {
    [[nodiscard]] constexpr mirror_t<!Negative, AtPoint> operator-() const noexcept { return {}; }
};
/// For values at cell centres: the wall lies halfway between the outermost element inside the domain and the first element outside.
/// Ghost layer k (0 is next to the wall) is a copy of inner layer k.
inline constexpr mirror_t<false, false> mirror{};
/// For values at grid points, or on the faces of a staggered grid: the wall goes through the outermost element inside the domain.
/// Ghost layer k is a copy of inner layer k + 1. With a change of sign, the program must set the elements on the wall to 0.
inline constexpr mirror_t<false, true> mirror_at_point{};

template <class U> struct constant_t { U value; };
/// All ghost elements get a constant value.
template <class U> [[nodiscard]] constant_t<U> constant(U const& value) {
    return {value};
}

template <class F> struct computed_t {
    F function;
    index_t depth;
};
/// A function of the program computes the value: `f(ghost)` is called with a ghost<T, N> for each ghost element.
///
///     double wall = 0; // may change from exchange to exchange
///     sode::computed([&](auto const& g) { return 2 * wall - g.inner(g.layer()); }, 2)
///
/// The exchange calls f on the rank's own thread, in any order, after start() is called and before wait() returns. When f is first
/// called, all elements that f may read have arrived. If several ranks have the same ghost element, each of them calls f. So the
/// result of f must depend only on the argument and on values that are equal on all ranks. If f throws, the exchange still
/// completes. Then wait() throws the exception, or the test() that completes the exchange.
///
/// \param depth  number of inner elements that f may read, counted from the wall: inner(0) to inner(depth - 1)
template <class F> [[nodiscard]] computed_t<F> computed(F f, index_t depth = 1) {
    return {std::move(f), depth};
}

/// For a bundle: one condition for each component.
template <class... Each> struct components {
    explicit components(Each... each) : of(std::move(each)...) {}
    std::tuple<Each...> of;
};

/// Any of the conditions above, for elements of type T in N dimensions.
template <class T, int N> class condition {
public:
    condition(untouched_t = {}) {}
    condition(periodic_t) : rules_{{.kind = detail::wall_kind::periodic}} {}
    condition(nearest_t) : rules_{{.kind = detail::wall_kind::nearest}} {}
    template <bool Negative, bool AtPoint>
    condition(mirror_t<Negative, AtPoint>)
        : rules_{{.kind = AtPoint ? detail::wall_kind::mirror_at_point : detail::wall_kind::mirror, .negative = Negative}} {
        static_assert(!Negative || detail::has_sign<T>, "a mirror with a change of sign needs signed integers, floating-point or "
                                                        "complex numbers: use sode::computed for other elements");
    }
    template <class U> condition(constant_t<U> const& c) {
        static_assert(std::is_convertible_v<U, T>, "the constant must be convertible to the type of the elements");
        T const value = static_cast<T>(c.value);
        auto const* const first = reinterpret_cast<std::byte const*>(&value);
        rules_ = {{.kind = detail::wall_kind::constant,
                   .comparable = std::is_floating_point_v<T> || std::has_unique_object_representations_v<T>,
                   .value = {first, first + sizeof(T)}}};
    }
    template <class F> condition(computed_t<F> const& c) {
        static_assert(std::is_invocable_r_v<T, F&, ghost<T, N> const&>,
                      "sode::computed needs a function of one sode::ghost<T, N> const& that returns an element");
        rules_ = {{.kind = detail::wall_kind::computed,
                   .depth = c.depth,
                   .function = std::make_shared<detail::ghost_function<T, N, F>>(c.function, c.depth)}};
    }
    template <class... Each> condition(components<Each...> const& c) {
        std::apply([&](auto const&... each) { (add(condition{each}), ...); }, c.of);
    }

    [[nodiscard]] detail::wall const& rules() const noexcept { return rules_; }

private:
    void add(condition const& c) {
        if (c.rules_.empty())
            rules_.emplace_back();
        else
            rules_.insert(rules_.end(), c.rules_.begin(), c.rules_.end());
    }

    detail::wall rules_;
};

/// Both sides of one dimension: one condition for both, or `{low, high}`.
template <class T, int N> class sides {
public:
    template <class C>
    requires std::convertible_to<C const&, condition<T, N>> sides(C const& both) : low_(both), high_(low_) {}
    sides(condition<T, N> low, condition<T, N> high) : low_(std::move(low)), high_(std::move(high)) {}

    [[nodiscard]] condition<T, N> const& low() const noexcept { return low_; }
    [[nodiscard]] condition<T, N> const& high() const noexcept { return high_; }

private:
    condition<T, N> low_, high_;
};

/// A field of an exchange together with its boundary conditions. Made by boundary().
template <class T, int N> class bounded {
public:
    using value_type = T;
    static constexpr int dimensions = N;

    bounded(detail::halo_source field, std::initializer_list<sides<T, N>> by_dimension);
    [[nodiscard]] detail::halo_source const& halo() const noexcept { return field_; }

private:
    detail::halo_source field_;
};

namespace detail {
/// Errors: usage, if the number of entries is not the number of dimensions.
SODE_API void require_entries(halo_source const& field, std::size_t given);

template <class Field> using element_of = std::remove_const_t<typename Field::value_type>;
template <class Field> using condition_of = condition<element_of<Field>, Field::dimensions>;
template <class Field> using sides_of = sides<element_of<Field>, Field::dimensions>;
template <class Field> using bounded_of = bounded<element_of<Field>, Field::dimensions>;
} // namespace detail

/// Adds boundary conditions to a field `f` of an exchange. The field is an array, a buffered array, a bundle, an attached array, or
/// one of these with a width().
///
///     auto halo = sode::reflect_init({.corners = true},
///                                    sode::boundary(rho, sode::mirror),                          // all sides
///                                    sode::boundary(u, {-sode::mirror_at_point, sode::mirror}),  // by dimension
///                                    sode::boundary(v, {{sode::constant(1.0), sode::nearest}, sode::periodic})); // {low, high}
///     halo();                                // the halo, and everything outside
///
/// Without .corners an exchange fills only ghost elements that are next to a face of the rank's block. With .corners an exchange
/// also fills edges and corners, including those that are outside the array in one dimension and in a neighbour's block in another
/// dimension. On each side, the exchange fills as many layers outside the domain as it fetches from neighbours.
///
/// Errors of reflect_init(), on all ranks alike: usage, if the field has another number of dimensions or components; if the block
/// at the wall has fewer elements than a mirror or a function needs; if only one side of a dimension is periodic; if the options
/// say `periodic` and the field has another condition. Cost: see docs/boundaries.md.
template <class Field>
[[nodiscard]] detail::bounded_of<Field> boundary(Field const& f, detail::condition_of<Field> const& everywhere) {
    return {f.halo(), {detail::sides_of<Field>{everywhere}}};
}
/// boundary() with one condition for each dimension. A single entry applies to all dimensions.
template <class Field>
[[nodiscard]] detail::bounded_of<Field> boundary(Field const& f, std::initializer_list<detail::sides_of<Field>> by_dimension) {
    return {f.halo(), by_dimension};
}

template <class T, int N>
bounded<T, N>::bounded(detail::halo_source field, std::initializer_list<sides<T, N>> by_dimension) : field_(std::move(field)) {
    detail::require_entries(field_, by_dimension.size());
    auto all = std::make_shared<detail::walls>();
    for (std::size_t d = 0; d < N; ++d) {
        auto const& s = by_dimension.begin()[by_dimension.size() == 1 ? 0 : d];
        (*all)[d] = {s.low().rules(), s.high().rules()};
    }
    field_.walls = std::move(all);
}

} // namespace sode
