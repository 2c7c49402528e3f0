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

// Boundary conditions determine the values that an exchange writes to the ghost elements *outside the domain*. One exchange fills
// the ghost elements outside the domain and fetches the neighbours' elements. The filled values are bitwise identical for every
// number of ranks.
//
// At edges and corners, the dimensions are filled one after the other, beginning with dimension 0. Filling a dimension includes the
// ghost elements of all earlier dimensions. If an element is outside the domain in several dimensions, the condition of the last of
// these dimensions applies.

/// Boundary condition `untouched`: the program itself fills the ghost elements, as without boundary(). An exchange neither reads
/// nor writes `untouched` ghost elements.
struct untouched_t {};
inline constexpr untouched_t untouched{};

/// Boundary condition `periodic`: the dimension is periodic for one field. (reflect_options::periodic makes a dimension periodic
/// for all fields.)
struct periodic_t {};
inline constexpr periodic_t periodic{};

/// Boundary condition `nearest`: all ghost layers are copies of the outermost element inside the domain (zero gradient).
struct nearest_t {};
inline constexpr nearest_t nearest{};

/// A mirror boundary condition. The condition `-sode::mirror` also changes the sign of the copied values.
template <bool Negative, bool AtPoint> struct mirror_t {
    [[nodiscard]] constexpr mirror_t<!Negative, AtPoint> operator-() const noexcept { return {}; }
};
/// Mirror condition for values at cell centres. The wall is halfway between the outermost element inside the domain and the first
/// element outside. Ghost layer k is a copy of inner layer k, where layer 0 is next to the wall.
inline constexpr mirror_t<false, false> mirror{};
/// Mirror condition for values at grid points, or on the faces of a staggered grid. The wall goes through the outermost element
/// inside the domain. Ghost layer k is a copy of inner layer k + 1. With `-sode::mirror_at_point`, the program must set the
/// elements on the wall to 0.
inline constexpr mirror_t<false, true> mirror_at_point{};

template <class U> struct constant_t { U value; };
/// Boundary condition: all ghost elements get a constant value.
template <class U> [[nodiscard]] constant_t<U> constant(U const& value) {
    return {value};
}

template <class F> struct computed_t {
    F function;
    index_t depth;
};
/// Boundary condition: the exchange calls `f(ghost)` for each ghost element, and writes the result to the ghost element. The
/// argument of f is a ghost<T, N>.
///
///     double wall = 0; // may change from exchange to exchange
///     sode::computed([&](auto const& g) { return 2 * wall - g.inner(g.layer()); }, 2)
///
/// The exchange calls f on the rank's own thread, after start() is called and before wait() returns. Ghost elements are computed in
/// any order. Before the first call of f, all elements that f may read have arrived. All ranks that have the same ghost element
/// call f. The result of f must depend only on the argument, and on values that are equal on all ranks. If f throws an exception,
/// the exchange still completes, and wait() or test() rethrows the exception.
///
/// \param depth  number of inner elements that f may read, counted from the wall: inner(0) to inner(depth - 1)
template <class F> [[nodiscard]] computed_t<F> computed(F f, index_t depth = 1) {
    return {std::move(f), depth};
}

/// The boundary conditions of a bundle, one for each component.
template <class... Each> struct components {
    explicit components(Each... each) : of(std::move(each)...) {}
    std::tuple<Each...> of;
};

/// Any boundary condition for elements of type T in N dimensions.
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

/// The boundary conditions on both sides of one dimension: one condition for both sides, or `{low, high}`.
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

/// A field of an exchange together with its boundary conditions. boundary() creates a bounded field.
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
/// Throws a usage error if the number of entries is not the number of dimensions.
SODE_API void require_entries(halo_source const& field, std::size_t given);

template <class Field> using element_of = std::remove_const_t<typename Field::value_type>;
template <class Field> using condition_of = condition<element_of<Field>, Field::dimensions>;
template <class Field> using sides_of = sides<element_of<Field>, Field::dimensions>;
template <class Field> using bounded_of = bounded<element_of<Field>, Field::dimensions>;
} // namespace detail

/// Adds boundary conditions to a field `f` of an exchange. The field is an array, a buffered array, a bundle or an attached array,
/// optionally with a width().
///
///     auto halo = sode::reflect_init({.corners = true},
///                                    sode::boundary(rho, sode::mirror),                          // all sides
///                                    sode::boundary(u, {-sode::mirror_at_point, sode::mirror}),  // by dimension
///                                    sode::boundary(v, {{sode::constant(1.0), sode::nearest}, sode::periodic})); // {low, high}
///     halo();                                // the halo, and everything outside
///
/// Without the option `corners`, an exchange fills only ghost elements next to the faces of the rank's block. With `corners`, an
/// exchange also fills ghost elements at edges and corners of the block. A ghost element at a corner may be outside the domain in
/// one dimension, and inside a neighbour's block in another dimension. On each side, the number of filled layers equals the number
/// of layers that the exchange fetches from a neighbour.
///
/// On all ranks, reflect_init() throws a usage error for any of these mistakes:
/// - The number of conditions does not match the number of dimensions or components of the field.
/// - The block at a boundary has fewer elements than a mirror condition or a function reads.
/// - Only one side of a dimension is periodic.
/// - A dimension is in reflect_options::periodic, but the field has another boundary condition in this dimension.
///
/// For the cost, see docs/boundaries.md.
template <class Field>
[[nodiscard]] detail::bounded_of<Field> boundary(Field const& f, detail::condition_of<Field> const& everywhere) {
    return {f.halo(), {detail::sides_of<Field>{everywhere}}};
}
/// Adds one boundary condition for each dimension to a field. A single entry applies to all dimensions.
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
