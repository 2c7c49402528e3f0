// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/array.hpp>
#include <sode/buffered.hpp>
#include <sode/buffered_bundle.hpp>
#include <sode/bundle.hpp>
#include <sode/planned.hpp>
#include <sode/range.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace sode {

/// One side of a copy: selected elements of an array, a buffered array or a bundle, in a chosen order of dimensions. part() and
/// permuted() create an array_part.
template <class Array> struct array_part {
    using value_type = typename Array::value_type;

    Array& array;
    std::vector<range> picked{}; ///< ranges by dimension; empty: all elements
    std::vector<int> order{};    ///< order of the dimensions; empty: unchanged
};

/// Selects the elements of `a` with indices in the given ranges. There is one range {lower, upper, step} for each dimension. The
/// default step is 1.
///
///     sode::copy(sode::part(a, {{0, n, 2}, {3, 4}}), sode::part(b, {{5, 5 + n / 2}, {0, 1}}));
///     // Fortran: a(1:n:2, 4) = b(6:5+n/2, 1)        XcalableMP C: a[0:n/2:2][3] = b[5:n/2][0]
template <class Array, std::size_t N> [[nodiscard]] array_part<Array> part(Array& a, range const (&picked)[N]) {
    static_assert(N == static_cast<std::size_t>(decltype(a.all().global)::rank()),
                  "part() needs one range for each dimension of the array");
    return {a, {picked, picked + N}};
}

/// Permutes the dimensions of an array or of a part of an array. Dimension `order[k]` becomes dimension k.
///
///     auto transpose = sode::copy_init(turned, sode::permuted(u, {1, 0}));   // turned(j, i) = u(i, j)
///     sode::copy(v, sode::permuted(u, {2, 0, 1}));                           // v(k, i, j) = u(i, j, k)
///
/// A dimension that is split in the source need not be split in the target, and vice versa. For example, permuted() can express the
/// transposition between two passes of an FFT or of an ADI solver. If `order` is not a permutation of the dimensions, copy_init()
/// throws a usage error.
template <class Array, std::size_t N> [[nodiscard]] array_part<Array> permuted(Array& a, int const (&order)[N]) {
    static_assert(N == static_cast<std::size_t>(decltype(a.all().global)::rank()),
                  "permuted() needs one entry for each dimension of the array");
    return {a, {}, {order, order + N}};
}
template <class Array, std::size_t N> [[nodiscard]] array_part<Array> permuted(array_part<Array> p, int const (&order)[N]) {
    static_assert(N == static_cast<std::size_t>(decltype(p.array.all().global)::rank()),
                  "permuted() needs one entry for each dimension of the array");
    p.order.assign(order, order + N);
    return p;
}

/// Options of copy_init(). All ranks must pass equal options.
struct copy_options {
    std::string channel{}; ///< for all messages: "pull", "stage", "stage-wide", "mpi", "reference"; empty: the model chooses
    std::string name{};    ///< shown in messages; empty: the arrays' names
};

namespace detail {

struct copy_end {
    halo_source source;
    std::vector<range> picked; // empty: all elements
    std::vector<int> order;    // empty: unchanged
};
template <class Array> [[nodiscard]] copy_end end_of(Array const& a) {
    return {a.halo(), {}, {}};
}
template <class Array> [[nodiscard]] copy_end end_of(array_part<Array> const& p) {
    return {p.array.halo(), p.picked, p.order};
}

template <class Side> struct side_of { static constexpr bool writable = !std::is_const_v<Side>; };
template <class Array> struct side_of<array_part<Array>> { static constexpr bool writable = !std::is_const_v<Array>; };
template <class Array> struct side_of<array_part<Array> const> : side_of<array_part<Array>> {};

} // namespace detail

/// A copy between two distributed arrays, planned once and run many times. copy_init() creates a redistribution. A redistribution
/// keeps the memory of both arrays alive.
///
/// Between start() and wait(), the program must not write the source elements or read the target elements. For a `buffered` array,
/// the current buffer now() is copied.
class redistribution : public planned {
public:
    SODE_API redistribution(copy_options const& options, detail::copy_end const& to, detail::copy_end const& from);
};

/// Plans a copy of the elements of `from` to the elements of `to`, in index order (XcalableMP `gmove`). The two arrays may have
/// different distributions, alignments, replication and rank grids. copy_init() is collective over all ranks of the job, including
/// ranks that own no elements.
///
///     auto transpose_ready = sode::copy_init(columns, rows); // {none, block} from {block, none}
///     transpose_ready();
///
/// \param to, from arrays, buffered arrays or bundles of the same element type, or parts of such arrays. Both sides must have the
///                  same extents, not counting dimensions with one element. With permuted(), the permuted extents must be equal.
///                  The two sides may be parts of the same array if the parts do not overlap. If the target is replicated, all
///                  copies are written.
///
/// The copy writes only owned elements, so the halo of the target is stale after the copy. Throws a usage error if the two sides
/// have different shapes, or if a part is not inside its array. Throws a usage error if ranks pass different arguments, or if the
/// channel is unknown. Throws an environment error if a resource such as memory is missing. To compare arguments, planning sends
/// O(log ranks) small messages. Planning also costs a few operations for each dimension of the rank grids and for each
/// communicating rank. The plan has one descriptor for each strided piece. The plan never contains lists of elements.
template <class To, class From> [[nodiscard]] redistribution copy_init(To&& to, From&& from, copy_options const& options = {}) {
    using to_type = std::remove_reference_t<To>;
    using from_type = std::remove_reference_t<From>;
    static_assert(detail::side_of<to_type>::writable, "the target of a copy must not be const");
    static_assert(std::is_same_v<typename to_type::value_type, typename from_type::value_type>,
                  "both sides of a copy must have the same element type");
    return {options, detail::end_of(to), detail::end_of(from)};
}

/// Plans a copy, runs the copy once, and destroys the plan. copy() is collective.
template <class To, class From> void copy(To&& to, From&& from, copy_options const& options = {}) {
    copy_init(to, from, options)();
}

} // namespace sode
